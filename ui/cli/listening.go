package cli

import (
	"fmt"
	"time"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/subs"
	"mcploupe/session/wire"
)

// listening tells a person, or the reader of --json, what becomes of subscriptions. It reads the journal like everybody else,
// so that all stands in the order in which it happened. What it keeps does not grow with what comes.
type listening struct {
	r       *run
	several bool // notifications say whose they are

	// Guarded by the run's lock.
	list  *subs.List
	told  map[wire.Seq]bool      // acknowledged ones that it was said of
	codes map[wire.Seq]int       // exit codes of ended ones
	late  map[wire.Seq]*subs.Sub // ended, and perhaps a better reason follows
	only  *session.Filter        // show only what this chooses; nil for all
	other int                    // notifications that were not shown for that
	begun time.Time
	count int // notifications
}

func newListening(r *run, several bool) *listening {
	return &listening{r: r, several: several, list: subs.NewList(), told: map[wire.Seq]bool{}, codes: map[wire.Seq]int{},
		late: map[wire.Seq]*subs.Sub{}, begun: time.Now()}
}

// say prints a remark beside the notifications.
func (l *listening) say(text string) {
	l.r.mu.Lock()
	defer l.r.mu.Unlock()
	l.remark(text)
}

// remark is say for who has the lock.
func (l *listening) remark(text string) {
	if !l.r.flags.json {
		fmt.Fprintf(l.r.io.err, "%s\n", safe(text))
	}
}

// await says so when the acknowledgment does not come within the time for an answer. The subscription goes on.
func (l *listening) await(s *session.Subscription, patience time.Duration) {
	t := time.AfterFunc(patience, func() {
		select {
		case <-s.Acknowledged():
		case <-s.Done():
		default:
			l.say(fmt.Sprintf("subscription %s: no acknowledgment within %s; still listening", s.State().ID, patience))
		}
	})
	go func() {
		select {
		case <-s.Acknowledged():
		case <-s.Done():
		}
		t.Stop()
	}()
}

// each prints a notification, for people.
func (l *listening) each(x *wire.Exchange, v *inspect.Verdict) {
	m := x.Lone
	if m == nil || m.Dir != wire.Received || m.Kind != wire.Notification && m.Kind != wire.Request && len(v.Findings) == 0 {
		return
	}
	whose := ""
	if s := l.list.Sub(x.Of); l.several && s != nil {
		whose = safe(s.ID) + " "
	} else if l.several {
		whose = "? "
	}
	method := m.Method
	if method == "" {
		method = "(no notification)"
	}
	fmt.Fprintf(l.r.io.out, "%s %s%s %s\n", m.At.Format("15:04:05.000"), whose, safe(method), safe(string(jsondoc.Compact(nil, m.Params().Raw()))))
	l.r.showFindings(v.All())
}

// see takes every exchange as it changes, under the run's lock.
func (l *listening) see(x *wire.Exchange, v *inspect.Verdict) {
	if x.Lone != nil && x.Lone.Dir == wire.Received && x.Lone.Kind == wire.Notification {
		if l.hidden(x, v) {
			l.other++
		} else {
			l.count++
		}
	}
	s := l.list.Add(x)
	if s == nil || s.Ref.Seq != x.Seq() {
		return
	}
	if !l.r.flags.json {
		l.r.showFindings(v.Findings)
	}
	if !l.told[s.Ref.Seq] && !s.Acked.IsZero() {
		l.told[s.Ref.Seq] = true
		l.line(s)
		l.remark(fmt.Sprintf("subscription %s: %s", s.ID, granted(s)))
	}
	if s.Running() {
		return
	}
	delete(l.told, s.Ref.Seq)
	if s.How == subs.Broken && x.Request.Lane == 0 {
		l.late[s.Ref.Seq] = s // the end of its output was seen; how the process ended follows
		return
	}
	l.over(s, x.Exit, v)
}

// over says how a subscription ended, once.
func (l *listening) over(s *subs.Sub, exit *wire.Exit, v *inspect.Verdict) {
	delete(l.late, s.Ref.Seq)
	if _, said := l.codes[s.Ref.Seq]; said {
		return
	}
	code := exitOK
	switch {
	case v != nil && v.Outcome.Kind == "auth":
		code = exitAuth
	case s.How == subs.Refused, s.How == subs.Failed:
		code = exitFindings
	case s.How.Abrupt():
		code = exitTransport
	}
	l.codes[s.Ref.Seq] = code
	l.line(s)
	l.remark(fmt.Sprintf("subscription %s %s", s.ID, s.Words()))
	if exit != nil && !l.r.flags.json {
		describe(l.r.io.err, &session.ConnectError{Exit: exit})
	}
}

// ended waits until the end of a subscription was told, and gives the exit code for it.
func (l *listening) ended(seq wire.Seq) int {
	for give := time.NewTimer(time.Second); ; {
		l.r.mu.Lock()
		code, ok := l.codes[seq]
		news := l.r.news
		if s := l.late[seq]; s != nil && l.dead(give) {
			l.over(s, nil, nil)
			code, ok = l.codes[seq], true
		}
		l.r.mu.Unlock()
		if ok {
			return code
		}
		select {
		case <-news:
		case <-l.r.over:
			return exitTransport
		case <-give.C:
			give.Reset(0)
		}
	}
}

// dead tells that the time is over.
func (l *listening) dead(t *time.Timer) bool {
	select {
	case <-t.C:
		return true
	default:
		return false
	}
}

// forget lets an earlier subscription go.
func (l *listening) forget(seq wire.Seq) {
	l.r.mu.Lock()
	defer l.r.mu.Unlock()
	delete(l.codes, seq)
}

// finish says what it was in all.
func (l *listening) finish() {
	l.r.mu.Lock()
	defer l.r.mu.Unlock()
	text := plural(l.count, "notification") + " in " + time.Since(l.begun).Round(time.Second).String()
	if l.other > 0 {
		text += fmt.Sprintf(", %d more not shown", l.other)
	}
	l.remark(text + " · " + l.r.countLine())
}

// line is a subscription's line of --json, printed when it was acknowledged and when it ended:
// {"type":"subscription","seq","id","state":"open"|"ended","words","graceful","asked","granted","withheld","unasked","count"}.
func (l *listening) line(s *subs.Sub) {
	if !l.r.flags.json {
		return
	}
	o := object{}
	o.text("type", "subscription")
	o.number("seq", int64(s.Ref.Seq))
	o.raw("id", s.ID)
	state := "open"
	if !s.Running() {
		state = "ended"
	}
	o.text("state", state)
	o.text("words", l.r.mask(s.Words()))
	o.any("graceful", s.How.Graceful())
	o.raw("asked", filterJSON(s.Asked))
	o.raw("granted", filterJSON(s.Granted))
	o.raw("withheld", filterJSON(s.Withheld()))
	o.raw("unasked", filterJSON(s.Extra()))
	o.number("count", int64(s.Count))
	l.r.line(o.end())
}

// filterJSON is a filter as JSON, without what was sent wrong on purpose.
func filterJSON(f subs.Filter) string {
	f.Raw = nil
	return string(f.JSON())
}
