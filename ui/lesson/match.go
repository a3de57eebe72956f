package lesson

import (
	"math"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/query"
)

// mostRows is how many exchanges of a task are looked at, the newest ones: whoever needs more for it is lost anyway.
const mostRows = 2000

// Happened tells how many steps of the task have happened behind start, and when the last of them had (0 before the first
// one): the frame with which its exchange began, or the notification that it was about.
func (t *Task) Happened(f *query.Facts, start wire.Seq) (steps int, at wire.Seq) {
	for _, step := range t.Steps {
		last := wire.Seq(0)
		for i := range step {
			when, ok := step[i].came(f, max(start, at))
			if !ok {
				return steps, at
			}
			last = max(last, when)
		}
		at = last
		steps++
	}
	return steps, at
}

// came is when the condition came true behind a moment.
func (c *Condition) came(f *query.Facts, after wire.Seq) (wire.Seq, bool) {
	rows := f.Book.Timeline.Rows
	var moments []wire.Seq
	for _, r := range rows[max(0, len(rows)-mostRows):] {
		if when, ok := c.fits(r, f, after); ok {
			moments = append(moments, when)
		}
	}
	if len(moments) < c.Count {
		return 0, false
	}
	slices.Sort(moments)
	return moments[c.Count-1], true
}

// fits tells that one exchange is as the condition wants it, and since when. What still runs does not fit, but for
// subscriptions, which stay open, and where is:run is asked for. It has to have begun behind the moment; of a subscription
// that began before, a notification may fit that came behind it.
func (c *Condition) fits(r *book.Row, f *query.Facts, after wire.Seq) (wire.Seq, bool) {
	var heard []*Test
	for i := range c.Tests {
		if c.Tests[i].Part == Notification {
			heard = append(heard, &c.Tests[i])
		}
	}
	if r.Ref.Seq <= after && (len(heard) == 0 || !r.Listens()) {
		return 0, false
	}
	running := false
	for i := range c.Words {
		w := &c.Words[i]
		running = running || w.Key == query.Is && w.Value == "run"
		if w.Fits(r, f) == w.Not {
			return 0, false
		}
	}
	if r.Running() && !r.Listens() && !running {
		return 0, false
	}
	for i := range c.Tests {
		if !c.Tests[i].about(r) {
			return 0, false
		}
	}
	if len(heard) > 0 {
		return hears(r, heard, after)
	}
	return r.Ref.Seq, true
}

// about tells that the test holds of an exchange. Those about notifications are left to hears.
func (t *Test) about(r *book.Row) bool {
	switch t.Part {
	case Request:
		return t.holds(r.X.Request)
	case Response:
		return t.holds(r.X.Reply)
	case Header:
		return t.holdsText(header(r, t.Name))
	case Status:
		return t.holdsNumber(status(r))
	}
	return true
}

// hears is the first notification behind a moment that passes all the tests.
func hears(r *book.Row, tests []*Test, after wire.Seq) (wire.Seq, bool) {
	passes := func(m *wire.Message) bool {
		if m == nil || m.Kind != wire.Notification || m.Dir != wire.Received || m.Seq <= after {
			return false
		}
		for _, t := range tests {
			if !t.holds(m) {
				return false
			}
		}
		return true
	}
	for _, list := range [2][]wire.Message{r.X.During, r.X.Late} {
		for i := range list {
			if passes(&list[i]) {
				return list[i].Seq, true
			}
		}
	}
	if passes(r.X.Lone) {
		return r.X.Lone.Seq, true
	}
	return 0, false
}

func (t *Test) holds(m *wire.Message) bool {
	if m == nil {
		return false
	}
	return t.compare(m.Doc().At(t.Path))
}

func (t *Test) compare(v jsondoc.Value) bool {
	switch t.Op {
	case Exists:
		return v.Exists()
	case IsAbsent:
		return !v.Exists()
	}
	if !v.Exists() {
		return false
	}
	switch t.Op {
	case Equal:
		return v.Same(t.Value)
	case Unequal:
		return !v.Same(t.Value)
	case Has:
		for _, one := range v.Elements() {
			if one.Same(t.Value) {
				return true
			}
		}
		return v.Is(jsondoc.String) && t.Value.Is(jsondoc.String) && strings.Contains(strings.ToLower(v.Text()), strings.ToLower(t.Value.Text()))
	}
	a, ok := v.Float()
	b, _ := t.Value.Float()
	return ok && t.order(a, b)
}

func (t *Test) order(a, b float64) bool {
	switch t.Op {
	case More:
		return a > b
	case Less:
		return a < b
	case AtLeast:
		return a >= b
	case AtMost:
		return a <= b
	}
	return false
}

// holdsText is compare for a header, which is text.
func (t *Test) holdsText(value string, there bool) bool {
	if !there {
		return t.Op == IsAbsent
	}
	return t.compare(jsondoc.Parse([]byte(jsondoc.Quote(value))).Root())
}

// holdsNumber is compare for a status; NaN is none.
func (t *Test) holdsNumber(n float64) bool {
	there := !math.IsNaN(n)
	switch t.Op {
	case Exists:
		return there
	case IsAbsent:
		return !there
	case Equal, Unequal:
		b, _ := t.Value.Float()
		return there && (n == b) == (t.Op == Equal)
	}
	b, ok := t.Value.Float()
	return there && ok && t.order(n, b)
}

func header(r *book.Row, name string) (string, bool) {
	if r.X.Request == nil || r.X.Request.HTTP == nil {
		return "", false
	}
	for _, f := range r.X.Request.HTTP.Header {
		if strings.EqualFold(f.Name, name) {
			return f.Value, true
		}
	}
	return "", false
}

func status(r *book.Row) float64 {
	if r.X.Head == nil || r.X.Head.Status == 0 {
		return math.NaN()
	}
	return float64(r.X.Head.Status)
}
