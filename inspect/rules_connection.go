package inspect

import (
	"slices"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// connectionRules are about lists that depend on the connection instead of on who asks.
func connectionRules() []*Rule {
	return []*Rule{{
		ID:     "version-list-varies-by-connection",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "server/tools, server/resources, server/prompts §Capabilities; SEP-2567",
		On:     Complete(mcp.ToolsList, mcp.PromptsList, mcp.ResourcesList, mcp.TemplatesList),
		Probe:  ProbeConnection,
		Check:  checkConnection,
	}}
}

// listedOn is the memory of version-list-varies-by-connection: what a list held the last two times that the probe asked.
type listedOn struct{ last map[string][2]listing }

type listing struct {
	seq   wire.Seq
	alone bool // on a connection of its own
	names []string
	asked wire.Seq
}

// checkConnection compares three lists asked for one after the other: on the usual connection, on one of its own, and on the usual
// one again. A list that really changed does not change back.
func checkConnection(p *Pass) {
	if p.Why() != ProbeConnection || p.Request().Get("cursor").Exists() {
		return
	}
	m, _ := mcp.Lookup(p.Method())
	items := p.Result().Get(m.List)
	now := listing{seq: p.m.Seq, asked: p.x.Seq(), alone: p.SentHead() != nil && p.SentHead().Get("Connection") == "close"}
	for _, item := range items.Elements() {
		now.names = append(now.names, nameOfItem(item))
	}
	slices.Sort(now.names)
	k := Keep[listedOn](p)
	if k.last == nil {
		k.last = map[string][2]listing{}
	}
	before := k.last[p.Method()]
	k.last[p.Method()] = [2]listing{before[1], now}
	first, other := before[0], before[1]
	if first.seq == 0 || first.alone || !other.alone || now.alone || !slices.Equal(first.names, now.names) || slices.Equal(other.names, now.names) {
		return
	}
	for _, c := range p.History().Changes(p.Method()) {
		if c.Seq > first.asked {
			return
		}
	}
	p.Report(p.At(items), "another list than on a connection of its own", "the same list on every connection, for the same caller").
		Also(p.Frame(other.seq), p.Frame(first.seq)).Likely()
}

// nameOfItem is what an item of any list is called by.
func nameOfItem(item jsondoc.Value) string {
	return orElse(item.Get("uri"), orElse(item.Get("uriTemplate"), item.Get("name"))).Text()
}
