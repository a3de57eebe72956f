package catalogue

import (
	"bytes"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// The _meta of a request can be changed for the next requests of an item: other client capabilities, keys left out, keys
// besides. It is edited as the JSON that goes out; what was changed is said, and the request is marked.

// metaEdit is the _meta of an item as a person changed it.
type metaEdit struct {
	input kit.Input
	ours  []byte // what it is compared with: what a faithful client sends now
}

// meta is the editor of the item's _meta, with what is sent now when nothing was changed yet.
func (c *Call) meta() *metaEdit {
	st := c.st
	ours := c.ours()
	if st.meta == nil {
		st.meta = &metaEdit{input: c.inputs.JSON(c.env, st.item.Label+" _meta", jsondoc.Value{}), ours: ours}
		st.meta.input.SetValue(ours)
		return st.meta
	}
	if !bytes.Equal(st.meta.ours, ours) { // the connection is another one now, or says something else
		if bytes.Equal(st.meta.input.Value(), st.meta.ours) {
			st.meta.input.SetValue(ours)
		}
		st.meta.ours = ours
	}
	return st.meta
}

// ours is the _meta that a faithful client sends with the item's request, laid out.
func (c *Call) ours() []byte {
	raw := []byte("{}")
	if c.Meta != nil {
		method := mcp.ResourcesRead
		switch c.kind {
		case book.Tools:
			method = mcp.ToolsCall
		case book.Prompts:
			method = mcp.PromptsGet
		}
		raw = c.Meta(method)
	}
	return jsondoc.Indent(nil, jsondoc.Parse(raw).Root(), "", "  ")
}

// changed is the _meta to send in place of ours; nil when it was left alone or cannot be sent.
func (c *Call) changed() *kit.Meta {
	if c.st == nil || c.st.meta == nil {
		return nil
	}
	m := c.meta()
	written := bytes.Clone(m.input.Value())
	v, ours := jsondoc.Parse(written).Root(), jsondoc.Parse(m.ours).Root()
	if !v.Document().Valid() || !v.Is(jsondoc.Object) || v.Same(ours) && v.Len() == ours.Len() {
		return nil
	}
	return &kit.Meta{Ours: m.ours, Written: written}
}

// metaWords is what was changed of _meta, in words; "" for nothing.
func (c *Call) metaWords() string {
	m := c.changed()
	if m == nil {
		return ""
	}
	ours, written := jsondoc.Parse(m.Ours).Root(), jsondoc.Parse(m.Written).Root()
	var words []string
	for name, v := range written.Members() {
		switch old := ours.Get(name); {
		case !old.Exists():
			words = append(words, "+"+shortKey(name))
		case !old.Same(v):
			words = append(words, shortKey(name)+" changed")
		}
	}
	for name := range ours.Members() {
		if !written.Get(name).Exists() {
			words = append(words, "−"+shortKey(name))
		}
	}
	if len(words) == 0 {
		return "in another order"
	}
	return kit.Cut(strings.Join(words, ", "), 80)
}

func shortKey(name string) string {
	return kit.Escape(strings.TrimPrefix(name, "io.modelcontextprotocol/"))
}

// drawMeta is the editor, and below it what a faithful client would do otherwise.
func (c *Call) drawMeta(w, h int, focused bool) []string {
	s := c.env.Styles
	m := c.meta()
	lines := strings.Split(m.input.Draw(w, max(h-2, 1), focused), "\n")
	state := s.OK.Render(kit.SignOK) + s.Muted.Render(" as a faithful client sends it; changes go with this item alone")
	if c.book.Server.Era == "legacy" { // there is less in it, and nobody should look for the rest here
		state = s.OK.Render(kit.SignOK) + s.Muted.Render(" all that a faithful client sends; before 2026-07-28 capabilities are said once, when connecting")
	}
	if words := c.metaWords(); words != "" {
		state = s.Should.Render(kit.SignShould + " on purpose: " + words)
	}
	if problem := m.input.Problem(); problem != "" {
		state = s.Must.Render(kit.SignMust+" "+problem) + s.Muted.Render(" — ours is sent until this is JSON")
	}
	return append(lines, "", kit.Cut(state, w))
}

// metaRows are the keys of the tab.
func (c *Call) metaRows() []kit.Row {
	off := ""
	if c.changed() == nil && c.meta().input.Problem() == "" {
		off = "nothing was changed"
	}
	rows := []kit.Row{
		{Keys: []string{"ctrl+o", "esc"}, Words: "back to the arguments", Group: "view", Do: func() kit.Intent { c.st.tab = 0; return nil }},
		{Keys: []string{"ctrl+x"}, Words: "as a faithful client", Group: "call", Off: off, Do: func() kit.Intent { c.st.meta = nil; return nil }},
	}
	for _, r := range c.meta().input.Rows() {
		if len(r.Keys) > 0 && kit.Find(rows, r.Keys[0]) == nil {
			rows = append(rows, r)
		}
	}
	return rows
}
