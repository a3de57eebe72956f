package inspect

import (
	"fmt"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// progressRules are about what the server reports while it works on a request.
func progressRules() []*Rule {
	return []*Rule{{
		ID:     "progress-shape",
		Level:  Must,
		Eras:   "all",
		Source: "schema ProgressNotificationParams",
		On:     Notifications(mcp.Progress),
		Check: func(p *Pass) {
			params := p.Params()
			wrong := func(name string, ok, due bool, want string) {
				switch v := params.Get(name); {
				case v.Exists() && !ok:
					p.Report(p.At(v), "", want)
				case !v.Exists() && due:
					p.Report(p.At(orElse(params, p.Root())), "no "+name, want)
				}
			}
			if params.Exists() && !params.Is(jsondoc.Object) {
				return // jsonrpc-params-not-object
			}
			wrong("progressToken", isToken(params.Get("progressToken")), true, "the token of the request, a string or an integer")
			wrong("progress", params.Get("progress").Is(jsondoc.Number), true, "a number")
			wrong("total", params.Get("total").Is(jsondoc.Number), false, "a number")
			if p.AtLeast(mcp.R20250326) {
				wrong("message", params.Get("message").Is(jsondoc.String), false, "a string")
			}
		},
	}, {
		ID:     "progress-token-unknown",
		Level:  Must,
		Eras:   "all",
		Source: "basic/patterns/progress §Behavior Requirements",
		On:     Notifications(mcp.Progress),
		Check: func(p *Pass) {
			token := p.Params().Get("progressToken")
			if !isToken(token) || p.tokenOwner(token) {
				return
			}
			want := "the token of a request that we sent"
			if own := p.sent.Get("_meta").Get(mcp.MetaProgressToken); own.Exists() {
				want = "the token of the request on whose stream it came, " + string(own.Raw())
			}
			p.Report(p.At(token), "", want)
		},
	}, {
		ID:     "progress-not-increasing",
		Level:  Must,
		Eras:   "all",
		Source: "basic/patterns/progress §Progress Flow",
		On:     Notifications(mcp.Progress),
		Check: func(p *Pass) {
			now := p.Params().Get("progress")
			n, ok := now.Float()
			last := p.lastProgress()
			if last == nil || !ok {
				return
			}
			if last.seq != 0 && n <= last.progress {
				p.Report(p.At(now), "", fmt.Sprintf("more than the %v before it", last.progress)).Also(p.Frame(last.seq))
			}
			last.seq, last.progress = p.m.Seq, n
		},
	}, {
		ID:     "progress-exceeds-total",
		Level:  Advice,
		Eras:   "all",
		Source: "basic/patterns/progress §Progress Flow",
		On:     Notifications(mcp.Progress),
		Check: func(p *Pass) {
			total, ok := p.Params().Get("total").Float()
			last := p.lastProgress()
			if !ok || last == nil {
				return
			}
			if n, isNumber := p.Params().Get("progress").Float(); isNumber && n > total {
				p.Report(p.At(p.Params().Get("progress")), "", fmt.Sprintf("at most the total, %v", total)).Also(p.At(p.Params().Get("total")))
			}
			if last.seq != 0 && total < last.total {
				p.Report(p.At(p.Params().Get("total")), "", fmt.Sprintf("at least the total before it, %v", last.total)).Also(p.Frame(last.seq))
			}
			last.seq, last.total = p.m.Seq, total
		},
	}, {
		ID:     "progress-after-completion",
		Level:  Must,
		Eras:   "all",
		Source: "basic/patterns/progress §Implementation Notes",
		On:     Notifications(mcp.Progress),
		Check: func(p *Pass) {
			if !p.Late() || p.x.End != wire.Replied || !p.tokenOwner(p.Params().Get("progressToken")) {
				return
			}
			// The token of a request that became a task lives as long as the task.
			if r := p.x.Reply.Result(); r.Get("task").Exists() || r.Get("resultType").Text() == mcp.ResultTask {
				return
			}
			p.Report(p.Timing(), "progress after the answer", "no progress behind the answer").Also(p.Frame(p.x.Reply.Seq))
		},
	}, {
		ID:     "progress-flood",
		Level:  Should,
		Eras:   "all",
		Source: "basic/patterns/progress §Implementation Notes",
		On:     Notifications(mcp.Progress),
		Check: func(p *Pass) {
			last := p.lastProgress()
			if last == nil {
				return
			}
			if last.count == 0 || p.m.At.Sub(last.since) > floodTime {
				last.since, last.count = p.m.At, 0
			}
			if last.count++; last.count > floodMost && p.Once(fmt.Sprint(p.x.Seq())) {
				p.Report(p.Timing(), fmt.Sprintf("%d in %.1f s", last.count, p.m.At.Sub(last.since).Seconds()), "a few in a second").
					Also(p.Frame(p.x.Seq()))
			}
		},
	}}
}

const (
	floodTime = 2 * time.Second
	floodMost = 40 // in that time
)

func isToken(v jsondoc.Value) bool { return v.Is(jsondoc.String) || v.IsInteger() }

// tokenOwner tells that the token is one that the exchange's request supplied; where progress does not come on the stream of a
// request, that any of our requests ever did.
func (p *Pass) tokenOwner(token jsondoc.Value) bool {
	if p.x.Request == nil {
		return p.History().Token(string(token.Raw())) != nil
	}
	return p.sent.Get("_meta").Get(mcp.MetaProgressToken).Same(token)
}

// progressOf is what a rule remembers of the progress of one request.
type progressOf struct {
	seq             wire.Seq
	progress, total float64
	since           time.Time
	count           int
}

// maxProgress is of how many requests progress is remembered; when there are more, all are forgotten.
const maxProgress = 1024

// lastProgress is the running rule's memory of the request that the progress is for; nil when it is for none that waits.
func (p *Pass) lastProgress() *progressOf {
	type all struct{ of map[wire.Seq]*progressOf }
	if p.x.Request == nil || p.Late() || !p.tokenOwner(p.Params().Get("progressToken")) {
		return nil
	}
	kept := Keep[all](p)
	if kept.of == nil || len(kept.of) >= maxProgress {
		kept.of = map[wire.Seq]*progressOf{}
	}
	if kept.of[p.x.Seq()] == nil {
		kept.of[p.x.Seq()] = new(progressOf)
	}
	return kept.of[p.x.Seq()]
}
