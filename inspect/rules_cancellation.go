package inspect

import (
	"fmt"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// cancelGrace is for how long after a cancellation messages may still be on their way.
const cancelGrace = time.Second

// cancellationRules are about requests that are given up.
func cancellationRules() []*Rule {
	return []*Rule{{
		ID:     "cancel-shape",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "schema CancelledNotificationParams",
		On:     Notifications(mcp.Cancelled),
		Check: func(p *Pass) {
			id, reason := p.Params().Get("requestId"), p.Params().Get("reason")
			const want = "the id of the subscriptions/listen that ends, a string or an integer"
			switch {
			case !id.Exists():
				p.Report(p.At(orElse(p.Params(), p.Root())), "no requestId", want)
			case !isToken(id):
				p.Report(p.At(id), "", want)
			}
			if reason.Exists() && !reason.Is(jsondoc.String) {
				p.Report(p.At(reason), "", "a string")
			}
		},
	}, {
		ID:     "cancel-server-sent",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "basic/patterns/cancellation §Behavior Requirements 2; schema CancelledNotification",
		On:     Notifications(mcp.Cancelled),
		Check: func(p *Pass) {
			id := p.Params().Get("requestId")
			if !isToken(id) {
				return // cancel-shape
			}
			for _, l := range p.History().Listens() {
				if jsondoc.Parse([]byte(l.ID)).Root().Same(id) {
					return
				}
			}
			r := p.Report(p.At(id), "", "the id of a subscriptions/listen: a server gives up nothing else")
			if past := p.History().Request(string(id.Raw())); past != nil {
				r.Also(p.Frame(past.Seq))
			}
		},
	}, {
		ID:     "cancel-message-after",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "transports/stdio §Cancellation",
		On:     Notifications(),
		Check: func(p *Pass) {
			if after, ok := p.afterCancel(); ok {
				p.Report(p.Timing(), fmt.Sprintf("a message %.1f s after we cancelled its request", after.Seconds()), "silence about a cancelled request").
					Also(p.Frame(p.x.Seq()))
			}
		},
	}, {
		ID:     "cancel-response-after",
		Level:  Should,
		Eras:   "all",
		Source: "basic/patterns/cancellation §Behavior Requirements 3",
		On:     Replies(),
		Check: func(p *Pass) {
			if after, ok := p.afterCancel(); ok {
				p.Report(p.Timing(), fmt.Sprintf("an answer %.1f s after we cancelled its request", after.Seconds()), "no answer to a cancelled request").
					Also(p.Frame(p.x.Seq()))
			}
		},
	}, {
		ID:     "cancel-broke-channel",
		Level:  Advice,
		Eras:   "all",
		Source: "basic/patterns/cancellation §Error Handling",
		On:     Exchanges(),
		Probe:  ProbeCancelUnknown,
		Check: func(p *Pass) {
			if p.Why() != ProbeCancelUnknown || p.x.Reply != nil || p.x.End == wire.Cancelled || p.x.Exit != nil && p.x.Exit.Ours {
				return
			}
			got := "no answer to the request behind it"
			if p.x.Exit != nil {
				got = "the server ended"
			}
			p.Report(p.Timing(), got, "a server that passes over the cancellation of a request that it does not know")
		},
	}}
}

// afterCancel tells how long after our cancellation of its request the message came, when that is longer than it may have been on
// its way.
func (p *Pass) afterCancel() (time.Duration, bool) {
	if !p.Late() || p.x.End != wire.Cancelled || p.HTTP() || p.x.Request == nil || p.x.Method() == mcp.Listen {
		return 0, false
	}
	after := p.m.At.Sub(p.x.Ended)
	return after, after > cancelGrace
}
