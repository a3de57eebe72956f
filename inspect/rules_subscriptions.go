package inspect

import (
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

const (
	sourceSubscriptions = "basic/patterns/subscriptions"
	sourceAck           = sourceSubscriptions + " §Acknowledgment"
	sourceNotices       = sourceSubscriptions + " §Receiving Notifications"
	sourceOpening       = sourceSubscriptions + " §Opening a Stream"
	sourceClosing       = sourceSubscriptions + " §Graceful Closure"
)

// subscriptionRules are about subscriptions/listen: the request that stays open and brings what changes.
func subscriptionRules() []*Rule {
	return append(subscriptionAckRules(), subscriptionNoticeRules()...)
}

func subscriptionAckRules() []*Rule {
	const modern = ">=2026-07-28"
	return []*Rule{{
		ID:     "subscription-ack-missing",
		Level:  Must,
		Eras:   modern,
		Source: sourceAck,
		On:     Exchanges().Or(Notifications()),
		Check:  checkAcknowledged,
	}, {
		ID:     "subscription-ack-not-first",
		Level:  Must,
		Eras:   modern,
		Source: sourceAck,
		On:     Notifications(),
		Check:  checkAckFirst,
	}, {
		ID:     "subscription-ack-shape",
		Level:  Must,
		Eras:   modern,
		Source: "schema SubscriptionsAcknowledgedNotificationParams",
		On:     Notifications(mcp.Acknowledged),
		Check:  checkAckShape,
	}, {
		ID:     "subscription-ack-superset",
		Level:  Must,
		Eras:   modern,
		Source: sourceAck + ", §Opening a Stream",
		On:     Notifications(mcp.Acknowledged),
		Check: func(p *Pass) {
			if p.x.Method() != mcp.Listen {
				return // whose it is cannot be told
			}
			wanted := p.Request().Get("notifications")
			for name, v := range p.Params().Get("notifications").Members() {
				w := wanted.Get(name)
				if on, _ := v.Bool(); on {
					if asked, _ := w.Bool(); !asked {
						p.ReportSame("", p.At(v), "", "only what was asked for")
					}
				}
				for _, e := range v.Elements() {
					if e.Is(jsondoc.String) && !hasText(w, e) {
						p.ReportSame(name, p.At(e), "", "only what was asked for")
					}
				}
			}
		},
	}, {
		ID:     "subscription-ack-capability",
		Level:  Advice,
		Eras:   modern,
		Source: "server/tools, server/prompts, server/resources §Capabilities",
		On:     Notifications(mcp.Acknowledged),
		Check: func(p *Pass) {
			if p.x.Method() != mcp.Listen {
				return
			}
			granted := p.Params().Get("notifications")
			for _, c := range []string{"tools", "prompts", "resources"} {
				declared, known := p.History().Declared(c, "listChanged")
				asked, _ := p.Request().Get("notifications").Get(c + "ListChanged").Bool()
				given, _ := granted.Get(c + "ListChanged").Bool()
				switch {
				case !known || !asked || given == declared:
				case given:
					p.Report(p.At(granted.Get(c+"ListChanged")), "", "not granted, or "+c+".listChanged declared")
				default:
					p.Report(p.At(granted), "no "+c+"ListChanged", c+"ListChanged: the capability "+c+".listChanged is declared")
				}
			}
		},
	}, {
		ID:     "subscription-result-id",
		Level:  Must,
		Eras:   modern,
		Source: "schema SubscriptionsListenResult; " + sourceClosing,
		On:     Complete(mcp.Listen),
		Check: func(p *Pass) {
			id, tag := p.Root().Get("id"), p.Meta().Get(mcp.MetaSubscriptionID)
			switch {
			case !p.Result().Is(jsondoc.Object) || !id.Exists():
			case !tag.Exists():
				p.Report(p.At(p.Result()), "no subscriptionId in _meta", "the subscription's id, "+string(id.Raw()))
			case !tag.Same(id):
				p.Report(p.At(tag), "", "the subscription's id, "+string(id.Raw()))
			}
		},
	}, {
		ID:     "subscription-result-immediate",
		Level:  Advice,
		Eras:   modern,
		Source: sourceOpening,
		On:     Complete(mcp.Listen),
		Check: func(p *Pass) {
			if !p.ordinary() || p.Late() || p.m.At.Sub(p.x.Request.At) > time.Second {
				return
			}
			p.Report(p.Timing(), "the end after "+p.m.At.Sub(p.x.Request.At).Round(time.Millisecond).String(), "a request that stays open").
				Also(p.Frame(p.x.Seq())).Likely()
		},
	}, {
		ID:     "subscription-ungraceful-end",
		Level:  Should,
		Eras:   modern,
		Source: sourceClosing + "; basic/patterns/cancellation",
		On:     Exchanges(mcp.Listen),
		Check: func(p *Pass) {
			// On stdio the end of a subscription cannot be told from silence, and the end of the child has rules of its own.
			if p.x.End != wire.Dropped || p.OurEnd() || !p.HTTP() || p.OnPurpose() || p.status() != 200 || !p.eventStream() {
				return
			}
			switch p.History().LaneEnd(p.x.Request.Lane) {
			case wire.LaneEOF:
				p.Report(p.Timing(), "the end of the stream", "a result first: then a client knows that this is the end, and no accident")
			case wire.LaneCut:
				p.Report(p.Timing(), "the connection broke off", "a result first: then a client knows that this is the end, and no accident").Guess()
			}
		},
	}, {
		ID:     "subscription-no-keepalive",
		Level:  Advice,
		Eras:   modern,
		Source: "transports/streamable-http §Receiving Messages",
		On:     Frames().Or(Exchanges()),
		Check:  checkKeptAlive,
	}, {
		ID:     "subscription-not-supported",
		Level:  Advice,
		Eras:   modern,
		Source: sourceSubscriptions + "; server/tools §List Changed Notification",
		On:     Errors(mcp.Listen),
		Check: func(p *Pass) {
			code, _ := p.Code()
			if code != mcp.CodeMethodNotFound || !p.ordinary() {
				return
			}
			for _, c := range [][]string{{"tools", "listChanged"}, {"prompts", "listChanged"}, {"resources", "listChanged"}, {"resources", "subscribe"}} {
				if declared, _ := p.History().Declared(c...); declared {
					p.Report(p.At(p.Error().Get("code")), "", "a subscription: the capability "+strings.Join(c, ".")+" is declared")
					return
				}
			}
		},
	}}
}

// listen is the subscription that a message came for: by the stream it came on, or on stdio by its tag. nil when it came for none.
func (p *Pass) listen() *Listen {
	of := p.x.Of
	if p.x.Method() == mcp.Listen {
		of = p.x.Seq()
	}
	for _, l := range p.History().Listens() {
		if of != 0 && l.Seq == of {
			return l
		}
	}
	return nil
}

// How long nothing must have come, at least, before a server is said not to acknowledge although we gave up ourselves: this, and so
// many times the slowest answer that it has given.
const (
	ackPatience = 300 * time.Millisecond
	ackSlower   = 4
)

// checkAcknowledged looks for the acknowledgment when a subscription has ended.
func checkAcknowledged(p *Pass) {
	memory := Keep[struct {
		slowest time.Duration
		stray   wire.Seq // an acknowledgment that names no subscription of ours: there is one, and its tag is wrong
	}](p)
	x := p.x
	if p.m != nil && p.m.Kind == wire.Notification {
		if p.m.Method == mcp.Acknowledged && x.Request == nil {
			memory.stray = p.m.Seq
		}
		return
	}
	if x.Method() != mcp.Listen {
		if x.Reply != nil && x.Request != nil {
			memory.slowest = max(memory.slowest, x.Reply.At.Sub(x.Request.At))
		}
		return
	}
	for i := range x.During {
		if m := x.During[i].Method; m == mcp.Acknowledged || m == mcp.Cancelled {
			return
		}
	}
	if memory.stray > x.Seq() || !p.ordinary() {
		return
	}
	const want = "notifications/subscriptions/acknowledged, before anything else"
	waited := x.Ended.Sub(x.Request.At)
	switch x.End {
	case wire.Replied:
		if p.m.Kind == wire.Result {
			p.Report(p.At(p.Result()), "the end without an acknowledgment", want).Also(p.Frame(x.Seq()))
		}
	case wire.Dropped:
		if p.HTTP() && p.status() == 200 && p.eventStream() && p.History().LaneEnd(x.Request.Lane) == wire.LaneEOF {
			p.Report(p.Timing(), "the end without an acknowledgment", want)
		}
	case wire.TimedOut:
		p.Report(p.Timing(), "nothing in "+waited.Round(time.Millisecond).String(), want)
	case wire.Cancelled:
		if waited >= max(ackPatience, ackSlower*memory.slowest) {
			p.Report(p.Timing(), "nothing in "+waited.Round(time.Millisecond).String(), want).Likely()
		}
	}
}

// checkAckFirst remembers what came for a subscription before its acknowledgment.
func checkAckFirst(p *Pass) {
	memory := Keep[struct{ early map[wire.Seq]wire.Seq }](p)
	l := p.listen()
	if l == nil {
		return
	}
	switch {
	case p.m.Method == mcp.Acknowledged:
		if early := memory.early[l.Seq]; early != 0 && !p.Late() {
			p.Report(p.Timing(), "another message came before it", "the acknowledgment before everything else").Also(p.Frame(early))
		}
		delete(memory.early, l.Seq)
	case l.Acked.IsZero() && memory.early[l.Seq] == 0 && p.forListeners():
		if memory.early == nil {
			memory.early = map[wire.Seq]wire.Seq{}
		}
		memory.early[l.Seq] = p.m.Seq
	}
}

func checkAckShape(p *Pass) {
	granted := p.Params().Get("notifications")
	switch {
	case p.Params().Exists() && !p.Params().Is(jsondoc.Object): // jsonrpc-params-not-object
		return
	case !granted.Exists():
		p.Report(p.At(orElse(p.Params(), p.Root())), "no notifications", "an object notifications: what of the request is granted")
		return
	case !granted.Is(jsondoc.Object):
		p.Report(p.At(granted), "", "an object")
		return
	}
	for _, name := range []string{"toolsListChanged", "promptsListChanged", "resourcesListChanged"} {
		v := granted.Get(name)
		if _, isBool := v.Bool(); v.Exists() && !isBool {
			p.Report(p.At(v), "", "true or false")
		}
	}
	if v := granted.Get("resourceSubscriptions"); v.Exists() {
		if !v.Is(jsondoc.Array) {
			p.Report(p.At(v), "", "an array of addresses")
		}
		for _, e := range v.Elements() {
			if !e.Is(jsondoc.String) {
				p.ReportSame("", p.At(e), "", "the address of a resource, a string")
			}
		}
	}
}

// quietMost is how long a stream may carry nothing before something on the way may take it for dead: proxies commonly wait a minute.
const quietMost = 60 * time.Second

// checkKeptAlive measures how long the stream of a subscription carries nothing, not even a comment.
func checkKeptAlive(p *Pass) {
	if p.x.Of == 0 && p.x.Method() != mcp.Listen {
		return
	}
	l := p.listen()
	if l == nil || !p.HTTP() || p.status() != 0 && !p.eventStream() {
		return
	}
	memory := Keep[struct{ last map[wire.Seq]time.Time }](p)
	before, heard := memory.last[l.Seq]
	if heard && p.Time().Sub(before) > quietMost && p.Once(l.ID) {
		p.Report(p.Timing(), "nothing for "+p.Time().Sub(before).Round(time.Second).String(), "a comment every 15 to 30 seconds").Also(p.Frame(l.Seq))
	}
	if memory.last == nil {
		memory.last = map[wire.Seq]time.Time{}
	}
	memory.last[l.Seq] = p.Time()
	if p.x.Method() == mcp.Listen && p.x.End != wire.Open {
		delete(memory.last, l.Seq)
	}
}
