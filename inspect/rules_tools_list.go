package inspect

import (
	"slices"

	"mcploupe/session/mcp"
)

// toolListRules are about lists as a whole.
func toolListRules() []*Rule {
	return []*Rule{{
		ID:     "tools-list-error",
		Level:  Must,
		Eras:   "all",
		Source: "server/tools §Capabilities",
		On:     Errors(mcp.ToolsList),
		Check:  checkListError,
	}, {
		ID:     "tools-order-unstable",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: "server/tools §Capabilities; changelog Minor 3",
		On:     Exchanges(mcp.ToolsList),
		Check:  checkToolOrder,
	}, {
		ID:     "tools-capability-list-changed-unsent",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: "server/tools, server/prompts, server/resources §List Changed Notification",
		On:     Exchanges(lists()...),
		Check:  checkChangeUnsent,
	}}
}

// checkListError looks at a list that could not be had. Errors that are true for the request (its headers, its version, its
// capabilities), those about who asks, and a method that does not exist at all are the business of other rules.
func checkListError(p *Pass) {
	if declared, _ := p.History().Declared("tools"); !declared || !p.ordinary() || p.Request().Get("cursor").Exists() || p.lostSession() {
		return
	}
	switch code, _ := p.Code(); code {
	case mcp.CodeHeaderMismatch, mcp.CodeMissingClientCapability, mcp.CodeUnsupportedVersion, mcp.CodeMethodNotFound:
		return
	}
	switch p.status() {
	case 401, 403, 429, 503:
		return
	}
	p.Report(p.At(p.Error()), "", "the list of tools, empty if there are none")
}

// finishedPair is the walk that this exchange has just completed and the complete one before it, nil when there are none.
func (p *Pass) finishedPair() (old, now *Walk) {
	w := p.Walk()
	if w == nil || !w.Done || w.Last().Request != p.x.Seq() || w.Before == nil || !w.Before.Done {
		return nil, nil
	}
	return w.Before, w
}

func checkToolOrder(p *Pass) {
	old, now := p.finishedPair()
	if now == nil {
		return
	}
	before, after := toolNames(old), toolNames(now)
	if slices.Equal(before, after) {
		return
	}
	sorted := [2][]string{slices.Clone(before), slices.Clone(after)}
	slices.Sort(sorted[0])
	slices.Sort(sorted[1])
	if !slices.Equal(sorted[0], sorted[1]) {
		return
	}
	i := 0
	for before[i] == after[i] {
		i++
	}
	p.Reportf(p.At(nthTool(now, i)), "", "%q, as in the list before", before[i]).Also(p.At(nthTool(old, i)))
}

// checkChangeUnsent compares a list just walked with the walk before it. While the earlier list was still to be kept, the
// missing notice is the business of cache-change-without-notice.
func checkChangeUnsent(p *Pass) {
	old, now := p.finishedPair()
	if now == nil || now.Pages[0].Asked.Before(old.FreshUntil()) {
		return
	}
	m, _ := mcp.Lookup(p.Method())
	if declared, _ := p.History().Declared(m.Capability, "listChanged"); !declared {
		return
	}
	covered := slices.ContainsFunc(p.History().Listens(), func(l *Listen) bool {
		return l.Covers(m.Changed, old.Last().Came, now.Last().Came)
	})
	if !covered {
		return
	}
	for _, c := range p.History().Changes(m.Name) {
		if c.Seq > old.Pages[0].Request {
			return
		}
	}
	if slices.Equal(itemTexts(old), itemTexts(now)) {
		return
	}
	p.Report(p.At(now.Last().Items), itemCount(now), "a "+m.Changed+" when the list changes: the subscription was open all the time").
		Also(p.At(old.Last().Items)).Likely()
}
