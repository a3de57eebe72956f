package catalogue

import (
	"strings"

	"mcploupe/highlight"
	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// describe makes the page about an item for a width.
func (c *Call) describe(w int) {
	st := c.st
	if st.aboutFor == [3]any{w, c.env.Styles, c.env.Shadows} {
		return
	}
	st.aboutFor = [3]any{w, c.env.Styles, c.env.Shadows}
	s := c.env.Styles
	it, def := &st.item, st.item.Def
	text := func(name string) string { return kit.Escape(def.Get(name).Text()) }
	var lines []string
	add := func(more ...string) { lines = append(lines, more...) }
	add(c.exclusionLines(w)...)
	add(c.shadowLines(w)...)
	if it.Title != "" && it.Title != it.Label {
		add(s.Title.Render(it.Title))
	}
	if d := def.Get("description"); d.Is(jsondoc.String) && d.Text() != "" {
		add(highlight.Markdown(d.Text(), w, s)...)
	} else {
		add(s.Ghost.Render("no description"))
	}
	add("")
	size := ""
	if n, ok := def.Get("size").Int(); ok {
		size = kit.Size(n)
	}
	pairs := [][2]string{
		{"name", text("name")},
		{"URI", text("uri")},
		{"template", text("uriTemplate")},
		{"type", text("mimeType")},
		{"size", size},
		{"definition", kit.Size(int64(len(def.Raw()))) + ", about " + kit.Count((len(def.Raw())+3)/4, "token")},
	}
	if it.Kind == book.Tools {
		out := "none declared"
		if def.Get("outputSchema").Exists() {
			out = "declared: results are held against it"
		}
		pairs = append(pairs, [2]string{"output", out})
		headers, problems := schema.Headers(def.Get("inputSchema"))
		for i, h := range headers {
			label := ""
			if i == 0 {
				label = "headers"
			}
			pairs = append(pairs, [2]string{label, "Mcp-Param-" + kit.Escape(h.Name) + " from " + kit.Escape(string(h.Path))})
		}
		for _, p := range problems {
			pairs = append(pairs, [2]string{"headers", kit.SignMust + " " + kit.Escape(p.Text)})
		}
	}
	add(c.env.Labelled(pairs, w)...)
	if a := def.Get("annotations"); a.Len() > 0 {
		add("", c.env.Section("Annotations", w), s.Muted.Render(kit.Cut("what the server says of itself; nothing here was verified", w)))
		var pairs [][2]string
		for name, v := range a.Members() {
			pairs = append(pairs, [2]string{kit.Escape(name), kit.Escape(string(v.Raw()))})
		}
		add(c.env.Labelled(pairs, w)...)
	}
	if hidden(it) {
		add("", s.Must.Render(kit.Cut(kit.SignHidden+" its texts hold characters that nobody sees; they stand here as ‹signs›", w)))
	}
	st.about.SetLines(lines)
}

// schemaDoc is the schemas of an item as one document.
func schemaDoc(it *book.Item) *jsondoc.Document {
	if it.Kind != book.Tools {
		return jsondoc.Parse(it.Def.Raw())
	}
	text := []byte("{")
	for _, name := range []string{"inputSchema", "outputSchema"} {
		if v := it.Def.Get(name); v.Exists() {
			if len(text) > 1 {
				text = append(text, ',')
			}
			text = append(jsondoc.AppendQuote(text, name), ':')
			text = append(text, v.Raw()...)
		}
	}
	return jsondoc.Parse(append(text, '}'))
}

// arguments is the schema of what is filled in for an item. Prompts and templates have none of their own:
// their arguments are strings.
func arguments(it *book.Item) jsondoc.Value {
	switch it.Kind {
	case book.Tools:
		return it.Def.Get("inputSchema")
	case book.Prompts:
		var names []argument
		for _, a := range it.Def.Get("arguments").Elements() {
			required, _ := a.Get("required").Bool()
			names = append(names, argument{a.Get("name").Text(), a.Get("title").Text(), a.Get("description").Text(), required})
		}
		return strings2schema(names)
	case book.Templates:
		return strings2schema(variables(it.ID))
	}
	return jsondoc.Value{}
}

type argument struct {
	name, title, description string
	required                 bool
}

// strings2schema is an object schema of strings.
func strings2schema(args []argument) jsondoc.Value {
	var properties, required []string
	for _, a := range args {
		p := `{"type":"string"`
		if a.title != "" {
			p += `,"title":` + jsondoc.Quote(a.title)
		}
		if a.description != "" {
			p += `,"description":` + jsondoc.Quote(a.description)
		}
		properties = append(properties, jsondoc.Quote(a.name)+":"+p+"}")
		if a.required {
			required = append(required, jsondoc.Quote(a.name))
		}
	}
	text := `{"type":"object","properties":{` + strings.Join(properties, ",") + `}`
	if len(required) > 0 {
		text += `,"required":[` + strings.Join(required, ",") + `]`
	}
	return jsondoc.Parse([]byte(text + "}")).Root()
}

// skeleton is the text to begin with: the required members, laid out when there are any.
func skeleton(s jsondoc.Value) []byte {
	if !s.Exists() {
		return []byte("{}")
	}
	d := jsondoc.Parse(schema.Skeleton(s, s))
	if d.Root().Len() == 0 {
		return []byte("{}")
	}
	return jsondoc.Indent(nil, d.Root(), "", "  ")
}
