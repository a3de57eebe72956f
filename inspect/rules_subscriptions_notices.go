package inspect

import (
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// subscriptionNoticeRules are about the notifications that a subscription brings.
func subscriptionNoticeRules() []*Rule {
	const modern = ">=2026-07-28"
	return []*Rule{{
		ID:     "subscription-id-missing",
		Level:  Must,
		Eras:   modern,
		Source: "basic/index §Per-response protocol fields; " + sourceNotices,
		On:     Notifications(listened()...),
		Check: func(p *Pass) {
			if p.HTTP() && p.listen() == nil || p.Params().Exists() && !p.Params().Is(jsondoc.Object) {
				return // on the stream of another request: http-sse-foreign-message
			}
			if !p.Meta().Get(mcp.MetaSubscriptionID).Exists() {
				p.Report(p.At(orElse(p.Meta(), orElse(p.Params(), p.Root()))), "no subscriptionId", mcp.MetaSubscriptionID+" in _meta: the id of the listen request")
			}
		},
	}, {
		ID:     "subscription-id-unknown",
		Level:  Must,
		Eras:   modern,
		Source: sourceNotices,
		On:     Notifications(listened()...),
		Check: func(p *Pass) {
			tag := p.Meta().Get(mcp.MetaSubscriptionID)
			if !tag.Exists() {
				return
			}
			if l := p.listen(); p.HTTP() {
				if l != nil && !sameID(tag, l.ID) {
					p.Report(p.At(tag), "", "the id of this stream's request, "+l.ID).Also(p.Frame(l.Seq))
				}
				return
			}
			for _, l := range p.History().Listens() {
				if sameID(tag, l.ID) {
					return
				}
			}
			p.Report(p.At(tag), "", "the id of a listen request, as it was sent")
		},
	}, {
		ID:     "subscription-type-unrequested",
		Level:  Must,
		Eras:   modern,
		Source: sourceOpening + "; schema SubscriptionFilter",
		On:     Notifications(mcp.ToolsChanged, mcp.PromptsChanged, mcp.ResourcesChanged, mcp.ResourcesUpdated),
		Check:  checkAskedFor,
	}, {
		ID:     "subscription-resource-unrequested",
		Level:  Advice,
		Eras:   modern,
		Source: "schema ResourceUpdatedNotificationParams.uri",
		On:     Notifications(mcp.ResourcesUpdated),
		Check: func(p *Pass) {
			uri := p.Params().Get("uri")
			if !uri.Is(jsondoc.String) || p.HTTP() && p.listen() == nil {
				return
			}
			asked := false
			for _, l := range p.candidates() {
				for _, sub := range stringsIn(l.Wanted.Get("resourceSubscriptions")) {
					if below(uri.Text(), sub) {
						return
					}
					asked = true
				}
			}
			if asked {
				p.Report(p.At(uri), "", "an address that was subscribed to, or one below it")
			}
		},
	}, {
		ID:     "subscription-updated-uri-missing",
		Level:  Must,
		Eras:   "all",
		Source: "schema ResourceUpdatedNotificationParams",
		On:     Notifications(mcp.ResourcesUpdated),
		Check: func(p *Pass) {
			switch uri := p.Params().Get("uri"); {
			case p.Params().Exists() && !p.Params().Is(jsondoc.Object): // jsonrpc-params-not-object
			case !uri.Exists():
				p.Report(p.At(orElse(p.Params(), p.Root())), "no uri", "the address of the resource that changed")
			case uri.Text() == "":
				p.Report(p.At(uri), "", "the address of the resource that changed, a string")
			}
		},
	}, {
		ID:     "subscription-request-scoped-on-listen",
		Level:  Must,
		Eras:   modern,
		Source: "transports/streamable-http §Receiving Messages; server/utilities/logging",
		On:     Notifications(mcp.Progress, mcp.LogMessage),
		Check: func(p *Pass) {
			const want = "this on the stream of the request that it is about"
			method := p.Root().Get("method")
			if !p.HTTP() {
				if tag := p.Meta().Get(mcp.MetaSubscriptionID); tag.Exists() {
					p.Report(p.At(tag), "", "no subscription's id: it belongs to the request that it is about")
				}
				return
			}
			if l := p.listen(); l != nil {
				p.Report(p.At(method), "", want).Also(p.Frame(l.Seq))
			}
		},
	}, {
		ID:     "subscription-after-end",
		Level:  Must,
		Eras:   modern,
		Source: sourceSubscriptions + " §Cancellation; basic/patterns/cancellation",
		On:     Notifications(listened()...),
		Check: func(p *Pass) {
			if !p.Late() || p.HTTP() || p.x.Method() != mcp.Listen {
				return
			}
			after := p.m.At.Sub(p.x.Ended)
			switch p.x.End {
			case wire.Replied:
				p.Report(p.Timing(), "a message behind the end", "nothing more for a subscription that has ended").Also(p.Frame(p.x.Reply.Seq))
			case wire.Cancelled, wire.TimedOut:
				if after > endGrace {
					p.Report(p.Timing(), after.Round(time.Millisecond).String()+" after the subscription was given up",
						"nothing more for a subscription that was given up").Also(p.Frame(p.x.Seq()))
				}
			}
		},
	}}
}

// listened are the notifications that come for a subscription only.
func listened() []string {
	return []string{mcp.ToolsChanged, mcp.PromptsChanged, mcp.ResourcesChanged, mcp.ResourcesUpdated, mcp.Acknowledged}
}

// endGrace is how long after we gave a subscription up messages for it may still be under way.
const endGrace = 2 * time.Second

// sameID tells whether a value is the id of a request, type and all.
func sameID(v jsondoc.Value, id string) bool {
	return string(v.Raw()) == id || v.Same(jsondoc.Parse([]byte(id)).Root())
}

// candidates are the subscriptions that a notification may have come for: the one whose stream or tag it has, else any.
func (p *Pass) candidates() []*Listen {
	if l := p.listen(); l != nil {
		return []*Listen{l}
	}
	return p.History().Listens()
}

// checkAskedFor holds a notification against what its subscription, or any, asked for.
func checkAskedFor(p *Pass) {
	if p.HTTP() && p.listen() == nil {
		return // on the stream of another request: http-sse-foreign-message
	}
	for _, l := range p.candidates() {
		if p.m.Method == mcp.ResourcesUpdated {
			if l.Wanted.Get("resourceSubscriptions").Len() > 0 {
				return
			}
		} else if on, _ := l.Wanted.Get(listenMembers[p.m.Method]).Bool(); on {
			return
		}
	}
	r := p.Report(p.At(p.Root().Get("method")), "", "only what a subscription asked for")
	if l := p.listen(); l != nil {
		r.Also(p.Frame(l.Seq))
	}
}

// below tells that an address is another one or lies below it.
func below(uri, of string) bool {
	rest, ok := strings.CutPrefix(uri, of)
	return ok && (rest == "" || strings.HasSuffix(of, "/") || strings.ContainsRune("/?#", rune(rest[0])))
}
