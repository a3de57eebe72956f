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

// listedOn is the memory of version-list-varies-by-connection: what a list held the last three times that the probe asked.
type listedOn struct{ last map[string][3]listing }

type listing struct {
	seq   wire.Seq
	alone bool // on a connection of its own
	names []string
	asked wire.Seq
}

// checkConnection compares lists asked for one after the other: on the usual connection, best twice, on one of its own, and on the
// usual one again. A list that really changed does not change back, and one that comes in another order each time, so that another
// part of it stands on the first page, differs without a change of the connection.
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
		k.last = map[string][3]listing{}
	}
	before := k.last[p.Method()]
	k.last[p.Method()] = [3]listing{before[1], before[2], now}
	first, other := before[1], before[2]
	if twice := before[0]; twice.seq != 0 && !twice.alone && !slices.Equal(twice.names, first.names) {
		return // it differs on one and the same connection, too
	}
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
