package subs

import (
	"slices"
	"time"

	"mcploupe/session/fresh"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// MaxEnded is how many ended subscriptions a List keeps; those that are open are all kept.
const MaxEnded = 200

// List is every subscription of one server. Feed it every exchange with Add and every entry that is no frame
// with Observe, in the order of the log. It is not safe for several goroutines.
type List struct {
	All     []*Sub // oldest first
	Dropped int    // ended ones that had to go to bound memory
	Stray   int    // notifications for subscribers that named no subscription of ours (modern servers on stdio)

	bySeq   map[wire.Seq]*Sub
	version int
}

// NewList is an empty list.
func NewList() *List { return &List{bySeq: map[wire.Seq]*Sub{}} }

// Version grows with every change.
func (l *List) Version() int { return l.version }

// Sub is the subscription whose request has this number, nil when there is none.
func (l *List) Sub(seq wire.Seq) *Sub { return l.bySeq[seq] }

// Running is how many have not ended.
func (l *List) Running() int {
	n := 0
	for _, s := range l.All {
		if s.Running() {
			n++
		}
	}
	return n
}

// Watching is the youngest open subscription that asks for updates of a resource; nil when none does.
func (l *List) Watching(uri string) *Sub {
	for i := len(l.All) - 1; i >= 0; i-- {
		s := l.All[i]
		if !s.Running() {
			continue
		}
		for _, u := range s.Asked.URIs {
			if u == uri {
				return s
			}
		}
	}
	return nil
}

// Add takes an exchange and returns the subscription that changed by it, nil when none did.
func (l *List) Add(x *wire.Exchange) *Sub {
	switch {
	case x.Lone != nil:
		return l.lone(x)
	case x.Request == nil:
		return nil
	}
	switch x.Request.Method {
	case mcp.Listen:
		return l.listen(x)
	case mcp.ResourcesSubscribe:
		return l.subscribe(x)
	case mcp.ResourcesUnsubscribe:
		return l.unsubscribe(x)
	}
	return nil
}

func (l *List) put(x *wire.Exchange) *Sub {
	seq := x.Seq()
	s := l.bySeq[seq]
	if s == nil {
		s = opened(x)
		l.bySeq[seq] = s
		l.All = append(l.All, s)
	}
	l.version++
	return s
}

func (l *List) listen(x *wire.Exchange) *Sub {
	if x.Request.Kind != wire.Request || x.End != wire.Open && l.bySeq[x.Seq()] == nil && len(x.Late) > 0 {
		return nil // no request, or one that was forgotten and comes again with something late
	}
	s := l.put(x)
	if s.Acks == 0 {
		for i := range x.During {
			if m := &x.During[i]; m.Method == mcp.Acknowledged && m.Kind == wire.Notification {
				s.acknowledged(m)
				break
			}
		}
	}
	if x.End != wire.Open && (s.Running() || s.How == Broken && x.Exit != nil) {
		s.ended(x)
		l.bound()
	}
	return s
}

// lone takes a notification of its own.
func (l *List) lone(x *wire.Exchange) *Sub {
	m := x.Lone
	if m.Dir != wire.Received || m.Kind != wire.Notification {
		return nil
	}
	if s := l.bySeq[x.Of]; x.Of != 0 && s != nil {
		s.heard(m)
		l.version++
		return s
	}
	switch m.Method {
	case mcp.ToolsChanged, mcp.PromptsChanged, mcp.ResourcesChanged, mcp.ResourcesUpdated, mcp.Acknowledged:
	default:
		return nil
	}
	if s := l.older(m); s != nil {
		s.heard(m)
		l.version++
		return s
	}
	for _, s := range l.All {
		if s.Running() && !s.Legacy {
			l.Stray++
			l.version++
			break
		}
	}
	return nil
}

// older is the resources/subscribe that an update came for: there, nothing but the URI says so.
func (l *List) older(m *wire.Message) *Sub {
	if m.Method != mcp.ResourcesUpdated {
		return nil
	}
	uri := m.Params().Get("uri")
	if !uri.Is(jsondoc.String) {
		return nil
	}
	for i := len(l.All) - 1; i >= 0; i-- {
		if s := l.All[i]; s.Legacy && s.Running() && len(s.Asked.URIs) == 1 && fresh.Concerns(uri.Text(), s.Asked.URIs[0]) {
			return s
		}
	}
	return nil
}

func (l *List) subscribe(x *wire.Exchange) *Sub {
	if x.End != wire.Open && l.bySeq[x.Seq()] == nil {
		return nil
	}
	s := l.put(x)
	switch {
	case x.End == wire.Open || !s.Running() || s.Acks > 0:
	case x.Reply != nil && x.Reply.Kind == wire.Result:
		l.leave(s.Asked.URIs, x.Ended, "asked for again")
		s.Acks, s.Acked, s.AckedBy, s.Granted = 1, x.Reply.At, x.Reply.Seq, s.Asked
	default:
		s.ended(x)
		l.bound()
	}
	return s
}

func (l *List) unsubscribe(x *wire.Exchange) *Sub {
	if x.Reply == nil || x.Reply.Kind != wire.Result {
		return nil
	}
	last := l.leave([]string{x.Request.Params().Get("uri").Text()}, x.Ended, "")
	l.bound()
	return last
}

// leave ends the acknowledged subscriptions of earlier revisions to these resources.
func (l *List) leave(uris []string, at time.Time, why string) (last *Sub) {
	for _, s := range l.All {
		if s.Legacy && s.Running() && !s.Acked.IsZero() && slices.Equal(s.Asked.URIs, uris) {
			s.How, s.Ended, s.Text, last = Ours, at, why, s
			l.version++
		}
	}
	return last
}

// Observe takes an entry that is no frame: with the connection, or the HTTP session, the subscriptions of earlier revisions are gone,
// which have no request that stays open.
func (l *List) Observe(e *wire.Entry) {
	if e.State == nil {
		return
	}
	how, text := Gone, e.State.Text
	switch e.State.Phase {
	case wire.Lost:
	case wire.Connecting:
		how, text = Ours, Restarting
	case wire.Closed:
		how, text = Ours, "the connection was closed"
	default:
		if e.State.Session == 0 {
			return
		}
		text = "the server ended the session"
	}
	for _, s := range l.All {
		if s.Legacy && s.Running() {
			s.How, s.Ended, s.Text = how, e.At, text
			l.version++
		}
	}
	l.bound()
}

// bound lets the oldest ended subscriptions go.
func (l *List) bound() {
	ended := len(l.All) - l.Running()
	if ended <= MaxEnded+MaxEnded/10 {
		return
	}
	kept := make([]*Sub, 0, len(l.All))
	for _, s := range l.All {
		if !s.Running() && ended > MaxEnded {
			ended--
			l.Dropped++
			delete(l.bySeq, s.Ref.Seq)
			continue
		}
		kept = append(kept, s)
	}
	l.All = kept
}
