package app

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/feed"
	"mcploupe/ui/store"
)

// sentArgs is the arguments in a page of the feed that are worth keeping for a later run: those of plain requests of ours. What
// held a secret is masked in the journal, and so of no use; it is not kept.
func (m *Model) sentArgs(p *feed.Page) []store.Sent {
	if m.o.Session == nil || m.o.History == nil {
		return nil
	}
	var out []store.Sent
	for i := range p.Exchanges {
		r := p.Exchanges[i].Exchange.Request
		if r == nil || r.Seq <= m.kept || r.Kind != wire.Request || r.Why != "" {
			continue
		}
		m.kept = r.Seq
		kind := map[string]string{mcp.ToolsCall: "tool", mcp.PromptsGet: "prompt"}[r.Method]
		if args := r.Params().Get("arguments"); kind != "" && !r.Masked && args.Len() > 0 {
			out = append(out, store.Sent{Kind: kind, Name: r.Params().Get("name").Text(), Args: string(args.Raw())})
		}
	}
	return out
}

// keepArgs writes them.
func (m *Model) keepArgs(sent []store.Sent) tea.Cmd {
	if len(sent) == 0 {
		return nil
	}
	h := m.o.History
	return func() tea.Msg {
		for _, s := range sent {
			h.Keep(s)
		}
		return nil
	}
}

// tellName tells what the server calls itself, once it is ready and whenever it calls itself otherwise.
func (m *Model) tellName() tea.Cmd {
	sv := &m.book.Server
	name := cmp.Or(sv.Info.Get("title").Text(), sv.Info.Get("name").Text())
	if m.o.Met == nil || !m.ready || name == "" || name == m.told {
		return nil
	}
	m.told = name
	met := m.o.Met
	return func() tea.Msg { met(name); return nil }
}

// keptArgs is the arguments that were sent in this and in earlier runs, the newest first.
func (m *Model) keptArgs(k book.Kind, name string) (args [][]byte) {
	kind := map[book.Kind]string{book.Tools: "tool", book.Prompts: "prompt"}[k]
	if kind == "" || m.o.History == nil {
		return nil
	}
	for _, s := range m.o.History.List(kind, name) {
		args = append(args, []byte(s.Args))
	}
	return args
}
