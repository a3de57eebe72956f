package book

import (
	"slices"
	"time"

	"mcploupe/inspect"
	"mcploupe/session/mcp"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

// Row is one exchange, in the order of its request.
type Row struct {
	Ref      wire.Ref
	X        wire.Exchange
	V        inspect.Verdict
	Findings []inspect.Finding // all so far but those of muted rules
	Count    inspect.Count     // of Findings
	Worst    inspect.Level     // of Findings; 0: none
	Muted    int               // findings of muted rules
	Progress Progress
	Shown    Progress // Progress as it was at the last beat of the screen

	Method, Name string   // escaped
	Before       wire.Ref // the request before it of the same method on the same thing; zero for none
	Of           string   // raw: the tool, URI or prompt that the request names
	duringSeen   int
	lateSeen     int

	// Of a chain of requests that answer each other's questions: which one this is, from 1, and the first of them. Round
	// is 0 for a request that has nothing to do with any.
	Round int
	First wire.Ref

	found []inspect.Finding // all so far, those of muted rules too

	Task  *Task  // that it began, or is about; nil for none
	State string // escaped: the state of the task that a poll was told; "" for other rows
}

// Running tells that an answer is awaited.
func (r *Row) Running() bool { return r.X.End == wire.Open && r.X.Request != nil }

// Listens tells that the row is a subscription, which stays open for as long as it is wanted.
func (r *Row) Listens() bool { return r.X.Request != nil && r.X.Request.Method == mcp.Listen }

// Lone tells that the row is a frame of its own, no request of ours.
func (r *Row) Lone() bool { return r.X.Request == nil }

// At is when it began.
func (r *Row) At() time.Time {
	switch {
	case r.X.Request != nil:
		return r.X.Request.At
	case r.X.Lone != nil:
		return r.X.Lone.At
	}
	return time.Time{}
}

// Took is from the request to its end; ok is false while it runs and for lone frames.
func (r *Row) Took() (d time.Duration, ok bool) {
	if r.X.Request == nil || r.X.End == wire.Open || r.X.Ended.IsZero() {
		return 0, false
	}
	return r.X.Ended.Sub(r.X.Request.At), true
}

// LateAnswer is how long after its end the first answer still came to a request that we gave up; ok is false when none did.
func (r *Row) LateAnswer() (after time.Duration, ok bool) {
	if r.X.End != wire.Cancelled && r.X.End != wire.TimedOut {
		return 0, false
	}
	for i := range r.X.Late {
		if m := &r.X.Late[i]; m.Dir == wire.Received && (m.Kind == wire.Result || m.Kind == wire.Error) {
			return m.At.Sub(r.X.Ended), true
		}
	}
	return 0, false
}

// Size is the number of bytes of the answer's body, or of the lone frame's.
func (r *Row) Size() int64 {
	m := r.X.Reply
	if m == nil {
		m = r.X.Lone
	}
	if m == nil {
		return 0
	}
	return int64(len(m.Body)) + m.Dropped
}

// Sent tells that the row began with a message of ours.
func (r *Row) Sent() bool {
	if r.X.Lone != nil {
		return r.X.Lone.Dir == wire.Sent
	}
	return true
}

// Timeline is all exchanges, oldest first.
type Timeline struct {
	Rows    []*Row
	Dropped int    // rows that had to go to bound memory
	Open    []*Row // rows that await an answer, oldest first; subscriptions stay open and are not among them

	byRef   map[wire.Ref]*Row
	newest  map[use]*Row
	chains  map[wire.Ref][]*Row // by their first request
	muted   map[string]bool     // rules; the same map as that of the findings
	version int
}

// use is a method and what it was used on.
type use struct{ method, of string }

// Newest is the newest request of a method on a tool, URI or prompt; nil when there is none.
func (t *Timeline) Newest(method, of string) *Row { return t.newest[use{method, of}] }

// Version grows with every change.
func (t *Timeline) Version() int { return t.version }

// Row is the row of an exchange, nil when there is none (any more).
func (t *Timeline) Row(ref wire.Ref) *Row { return t.byRef[ref] }

// Last is the newest row that fits, nil when none does.
func (t *Timeline) Last(fits func(*Row) bool) *Row {
	for i := len(t.Rows) - 1; i >= 0; i-- {
		if fits(t.Rows[i]) {
			return t.Rows[i]
		}
	}
	return nil
}

// Latest is the number of the newest row, 0 when there is none.
func (t *Timeline) Latest() wire.Seq {
	if n := len(t.Rows); n > 0 {
		return t.Rows[n-1].Ref.Seq
	}
	return 0
}

// Holding is the row that holds the frame, nil when none does.
func (t *Timeline) Holding(frame wire.Seq) *Row {
	for i := len(t.Rows) - 1; i >= 0; i-- {
		if t.Rows[i].Holds(frame) {
			return t.Rows[i]
		}
	}
	return nil
}

// Holds tells that the frame belongs to the exchange.
func (r *Row) Holds(frame wire.Seq) bool {
	return r.Ref.Seq == frame || r.X.Message(frame) != nil
}

// put adds an exchange or brings its row up to date; news is what was found since.
func (t *Timeline) put(x *wire.Exchange, v *inspect.Verdict) (row *Row, news []inspect.Finding) {
	t.version++
	ref := x.Ref()
	row = t.byRef[ref]
	was := false
	if row == nil {
		row = &Row{Ref: ref, Method: visible.Escape(x.Method()), Of: x.Name()}
		row.Name = visible.Escape(row.Of)
		t.byRef[ref] = row
		if x.Request != nil && row.Of != "" {
			if before := t.newest[use{x.Request.Method, row.Of}]; before != nil {
				row.Before = before.Ref
			}
			t.newest[use{x.Request.Method, row.Of}] = row
		}
		t.Rows = append(t.Rows, row)
		t.bound()
	} else {
		was = row.Running()
	}
	row.X, row.V = *x, *v
	t.chain(row)
	if is := row.Running(); is && !was && !row.Listens() {
		t.Open = append(t.Open, row)
	} else if was && !is {
		t.shut(row)
	}
	news = v.Findings
	t.learn(row, news)
	for i := len(x.During) - 1; i >= row.duringSeen; i-- {
		if m := &x.During[i]; m.Method == mcp.Progress && m.Kind == wire.Notification && m.Dir == wire.Received {
			if row.Progress = row.Progress.Next(m); !row.Shown.Any || !row.Running() {
				row.Shown = row.Progress
			}
			break
		}
	}
	return row, news
}

// learn adds what was found to a row.
func (t *Timeline) learn(row *Row, news []inspect.Finding) {
	if len(news) == 0 {
		return
	}
	t.version++
	row.found = append(row.found[:len(row.found):len(row.found)], news...)
	row.hear(t.muted)
}

// only is the only request that runs; zero when there are none or several.
func (t *Timeline) only() (ref wire.Ref) {
	for _, r := range t.Open {
		if ref != (wire.Ref{}) {
			return wire.Ref{}
		}
		ref = r.Ref
	}
	return ref
}

func (t *Timeline) shut(r *Row) {
	if i := slices.Index(t.Open, r); i >= 0 {
		t.Open = slices.Delete(slices.Clone(t.Open), i, i+1)
	}
}

// bound lets the oldest rows go, a tenth at a time so that it costs little for each.
func (t *Timeline) bound() {
	const slack = MaxRows / 10
	if len(t.Rows) <= MaxRows+slack {
		return
	}
	kept := make([]*Row, 0, MaxRows+slack+1)
	for _, r := range t.Rows[:slack] {
		if r.Running() && r.X.Request.Method == "subscriptions/listen" { // it is older than all that it brings
			kept = append(kept, r)
			continue
		}
		t.Dropped++
		delete(t.byRef, r.Ref)
		t.leave(r)
		if r.X.Request != nil {
			if u := (use{r.X.Request.Method, r.Of}); t.newest[u] == r {
				delete(t.newest, u)
			}
		}
		t.shut(r)
	}
	t.Rows = append(kept, t.Rows[slack:]...)
}

// LetGo replaces frames whose bodies the log let go from memory by the copies that say so, so that the
// book does not keep them alive.
func (t *Timeline) LetGo(frames []wire.Seq, get func(wire.Seq) (wire.Entry, bool)) {
	if len(frames) == 0 {
		return
	}
	gone := make(map[wire.Seq]*wire.Frame, len(frames))
	for _, s := range frames {
		if e, ok := get(s); ok && e.Frame != nil {
			gone[s] = e.Frame
		}
	}
	swap := func(m *wire.Message) *wire.Message {
		if m == nil || gone[m.Seq] == nil || m.Part != 0 {
			return m
		}
		c := *m
		c.Frame = gone[m.Seq]
		return &c
	}
	all := func(ms []wire.Message) []wire.Message {
		for i := range ms {
			if gone[ms[i].Seq] != nil {
				out := append([]wire.Message(nil), ms...)
				for j := range out {
					out[j] = *swap(&out[j])
				}
				return out
			}
		}
		return ms
	}
	for _, r := range t.Rows {
		r.X.Request, r.X.Reply, r.X.Lone = swap(r.X.Request), swap(r.X.Reply), swap(r.X.Lone)
		r.X.During, r.X.Late = all(r.X.During), all(r.X.Late)
	}
	t.version++
}
