package subs

import (
	"fmt"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// How a subscription stands, or ended.
type How uint8

// Open is a subscription that has not ended. Ours to TimedOut are ends: Ours was ended by us; Finished and
// Withdrawn are the two graceful ends by the server (a result; notifications/cancelled on stdio, basic/patterns/cancellation);
// Refused is an error instead of an acknowledgment and Failed one after it; Broken is a channel that ended without
// a word; Gone is one whose server process ended.
const (
	Open How = iota
	Ours
	Finished
	Withdrawn
	Refused
	Failed
	Broken
	Gone
	TimedOut
)

// Graceful tells that the server ended it in the way it should.
func (h How) Graceful() bool { return h == Finished || h == Withdrawn }

// Abrupt tells that it ended without anybody saying so: it may be had again by asking again.
func (h How) Abrupt() bool { return h == Broken || h == Gone || h == TimedOut }

// Notice is a notification that a subscription brought.
type Notice struct {
	Seq    wire.Seq
	At     time.Time
	Method string
	URI    string // of resources/updated
}

// Sub is one subscription: a subscriptions/listen, or (Legacy) a resources/subscribe of an earlier revision.
// It is a value; slices in it are never changed in place.
type Sub struct {
	Ref    wire.Ref // of its request
	ID     string   // the raw id of its request, by which its notifications name it
	Why    string   // why it was sent, "" for a plain request
	Legacy bool

	Asked, Granted Filter
	Opened         time.Time
	Acked          time.Time // zero before the acknowledgment
	AckedBy        wire.Seq
	Acks           int // acknowledgments that came; one is right

	Count    int // notifications, acknowledgments apart
	Tools    int // of them: tools/list_changed, and so on
	Prompts  int
	Lists    int // resources/list_changed
	Updates  int // resources/updated
	Mistaken int // that came on its stream under another subscriptionId, or (over HTTP) under none
	Last     Notice

	How   How
	Ended time.Time // zero while open
	Text  string    // why it ended, in the words of whoever ended it; not escaped
}

// Withheld is what was asked for and not granted; nothing before the acknowledgment.
func (s Sub) Withheld() Filter {
	if s.Acked.IsZero() {
		return Filter{}
	}
	return s.Asked.Without(s.Granted)
}

// Extra is what was granted although nobody asked.
func (s Sub) Extra() Filter { return s.Granted.Without(s.Asked) }

// Running tells that it has not ended.
func (s Sub) Running() bool { return s.How == Open }

// Words say how it stands, or how it ended, in a few words. Not escaped.
func (s Sub) Words() string {
	because := func(text string) string {
		if s.Text == "" {
			return text
		}
		return text + ": " + s.Text
	}
	switch s.How {
	case Open:
		if s.Acked.IsZero() {
			return "not acknowledged yet"
		}
		return "open"
	case Ours:
		return because("ended by us")
	case Finished:
		return "ended by the server, with a result"
	case Withdrawn:
		return "ended by the server, with notifications/cancelled"
	case Refused:
		return because("refused")
	case Failed:
		return because("ended by the server, with an error")
	case TimedOut:
		return because("given up")
	}
	return because("broke off")
}

// Restarting is the Text of what was ended because the connection was, to be made anew.
const Restarting = "restarting"

// Fell tells that nobody meant to end it: it went with a connection that we ended to begin another one.
func (s *Sub) Fell() bool { return s.How == Ours && s.Text == Restarting }

// opened begins a subscription with its request; nil when the exchange is none.
func opened(x *wire.Exchange) *Sub {
	m := x.Request
	s := &Sub{Ref: x.Ref(), ID: m.ID, Why: m.Why, Opened: m.At}
	switch m.Method {
	case mcp.Listen:
		asked := m.Params().Get("notifications")
		s.Asked = Read(asked)
		s.Asked.Raw = asked.Raw()
	case mcp.ResourcesSubscribe:
		s.Legacy = true
		if uri := m.Params().Get("uri"); uri.Is(jsondoc.String) {
			s.Asked.URIs = []string{uri.Text()}
		}
	}
	return s
}

// acknowledged takes an acknowledgment: the first one counts.
func (s *Sub) acknowledged(m *wire.Message) {
	if s.Acks++; s.Acks > 1 {
		return
	}
	s.Acked, s.AckedBy, s.Granted = m.At, m.Seq, Read(m.Params().Get("notifications"))
}

// heard takes a notification that came for it.
func (s *Sub) heard(m *wire.Message) {
	if m.Kind != wire.Notification || m.Dir != wire.Received {
		return
	}
	if m.Method == mcp.Acknowledged {
		s.acknowledged(m)
		return
	}
	s.Count++
	s.Last = Notice{Seq: m.Seq, At: m.At, Method: m.Method}
	switch m.Method {
	case mcp.ToolsChanged:
		s.Tools++
	case mcp.PromptsChanged:
		s.Prompts++
	case mcp.ResourcesChanged:
		s.Lists++
	case mcp.ResourcesUpdated:
		s.Updates++
		s.Last.URI = m.Params().Get("uri").Text()
	}
	if s.Legacy {
		return
	}
	if tag := m.Params().Get("_meta").Get(mcp.MetaSubscriptionID); !tag.Exists() || string(tag.Raw()) != s.ID {
		s.Mistaken++
	}
}

// ended takes the end of a listen request.
func (s *Sub) ended(x *wire.Exchange) {
	s.Ended, s.Text = x.Ended, x.EndText
	switch x.End {
	case wire.Replied:
		s.How, s.Text = s.replied(x)
	case wire.Cancelled:
		s.How = Ours
	case wire.TimedOut:
		s.How = TimedOut
	default:
		s.How = Broken
		for i := range x.During {
			if x.During[i].Method == mcp.Cancelled {
				s.How, s.Text = Withdrawn, ""
			}
		}
		if x.Exit != nil && s.How == Broken {
			s.How = Gone
		}
	}
}

func (s *Sub) replied(x *wire.Exchange) (How, string) {
	status := 0
	if x.Head != nil {
		status = x.Head.Status
	}
	switch {
	case x.Reply.Kind == wire.Result && !s.Legacy:
		return Finished, ""
	case x.Reply.Kind == wire.Error && status < 500:
		e := x.Reply.Err()
		text := strings.TrimSpace(string(e.Get("code").Raw()) + " " + e.Get("message").Text())
		if s.Acked.IsZero() {
			return Refused, text
		}
		return Failed, text
	case status >= 500 || status == 429 || x.Reply.Shape&(wire.ShapeTruncated|wire.ShapeUnterminated) != 0:
		return Broken, fmt.Sprintf("HTTP status %d", status)
	case status != 0:
		return Refused, fmt.Sprintf("HTTP status %d with no answer in it", status)
	}
	return Refused, "the answer is no JSON-RPC"
}
