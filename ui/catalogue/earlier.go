package catalogue

import (
	"bytes"
	"strconv"

	"mcploupe/session/jsondoc"
	"mcploupe/session/uritemplate"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// method is what uses an item of the kind.
func method(k book.Kind) string {
	switch k {
	case book.Tools:
		return "tools/call"
	case book.Prompts:
		return "prompts/get"
	}
	return "resources/read"
}

// uses tells that an exchange used the item.
func uses(it *book.Item, r *book.Row) bool {
	switch {
	case r.X.Request == nil || r.X.Request.Method != method(it.Kind):
		return false
	case it.Kind == book.Templates:
		return comesFrom(it.ID, r.Of)
	}
	return r.Of == it.ID
}

// Newest is the newest exchange that used the item, nil when there is none.
func Newest(b *book.Book, it *book.Item) *book.Row {
	switch {
	case it == nil:
		return nil
	case it.Kind == book.Templates:
		return b.Timeline.Last(func(r *book.Row) bool { return uses(it, r) })
	}
	r := b.Timeline.Newest(method(it.Kind), it.ID)
	if r != nil && r.Task != nil && r.Task.Row == r && r.Task.Show != nil {
		return r.Task.Show // what the task brings is the answer to the call
	}
	return r
}

// comesFrom tells that a URI can have come from a template: it begins and ends as the template does.
func comesFrom(template, uri string) bool {
	t, _ := uritemplate.Parse(template)
	vars := t.Variables()
	if len(vars) == 0 {
		return uri == template
	}
	from := bytes.IndexByte([]byte(template), '{')
	to := bytes.LastIndexByte([]byte(template), '}')
	return from >= 0 && len(uri) >= from && uri[:from] == template[:from] &&
		(to+1 >= len(template) || bytes.HasSuffix([]byte(uri), []byte(template[to+1:])))
}

// variables are the named holes of a template.
func variables(template string) []argument {
	t, _ := uritemplate.Parse(template) // what cannot be read is left out; a finding says so
	var out []argument
	for _, name := range t.Names() {
		out = append(out, argument{name: name, required: true})
	}
	return out
}

// expand fills a template with the members of a JSON object.
func expand(template string, args []byte) (string, error) {
	t, _ := uritemplate.Parse(template)
	values := map[string]uritemplate.Value{}
	for name, v := range jsondoc.Parse(args).Root().Members() {
		switch v.Kind() {
		case jsondoc.String:
			values[name] = uritemplate.Text(v.Text())
		case jsondoc.Array:
			var list []string
			for _, e := range v.Elements() {
				list = append(list, word(e))
			}
			values[name] = uritemplate.List(list...)
		case jsondoc.Object:
			var pairs [][2]string
			for key, e := range v.Members() {
				pairs = append(pairs, [2]string{key, word(e)})
			}
			values[name] = uritemplate.Pairs(pairs...)
		case jsondoc.Null:
		default:
			values[name] = uritemplate.Text(string(v.Raw()))
		}
	}
	return t.Expand(values)
}

func word(v jsondoc.Value) string {
	if v.Is(jsondoc.String) {
		return v.Text()
	}
	return string(v.Raw())
}

// sentArgs is the arguments of an earlier request as they were sent, laid out for editing.
func sentArgs(r *book.Row) []byte {
	if r.X.Request == nil {
		return nil
	}
	v := r.X.Request.Params().Get("arguments")
	if !v.Exists() {
		return []byte("{}")
	}
	return laidOut(v)
}

// laidOut is a value to be edited. What is no valid JSON stays as it was sent: to lay it out would be to guess what was meant.
func laidOut(v jsondoc.Value) []byte {
	if !v.Document().Valid() {
		return bytes.Clone(v.Raw())
	}
	return jsondoc.Indent(nil, v, "", "  ")
}

// SentArgs is the arguments of an earlier request, to edit and send again.
func SentArgs(r *book.Row) []byte { return sentArgs(r) }

// mostSent bounds the arguments that are walked through.
const mostSent = 100

// sent is the different arguments that were sent for the shown item, newest first: those in the journal, then those of
// earlier runs.
func (c *Call) sent() [][]byte {
	var out [][]byte
	seen := map[string]bool{}
	add := func(args []byte) {
		key := string(jsondoc.Compact(nil, args))
		if len(out) < mostSent && !seen[key] {
			seen[key] = true
			out = append(out, args)
		}
	}
	rows := c.book.Timeline.Rows
	for i := len(rows) - 1; i >= 0 && len(out) < mostSent; i-- {
		if !uses(&c.st.item, rows[i]) || c.kind == book.Templates {
			continue
		}
		add(sentArgs(rows[i]))
	}
	if c.Kept != nil && c.kind != book.Templates {
		for _, args := range c.Kept(c.kind, c.id) {
			add(laidOut(jsondoc.Parse(args).Root()))
		}
	}
	return out
}

// earlier is the list of what was sent for an item.
func (c *Call) earlier(id string) *kit.ListPane {
	src := &earlierSource{c: c, id: id, seen: -1}
	p := &kit.ListPane{List: kit.NewList(c.env, src), Open: "show"}
	p.Empty = "not used yet"
	p.Opened = func() kit.Intent {
		if i := p.Selected(); i >= 0 {
			return kit.Show{Row: src.rows[i].Ref}
		}
		return nil
	}
	p.Keys = func() []kit.Row {
		off := ""
		if p.Len() == 0 {
			off = "not used yet"
		}
		return []kit.Row{{Keys: []string{"e"}, Words: "edit and send again", Group: "call", Off: off, Do: func() kit.Intent {
			return kit.Edit{Ref: src.rows[p.Selected()].Ref}
		}}}
	}
	p.Heading = func(bool) (string, string) { return "", "" }
	return p
}

// earlierSource is the exchanges of one item, newest first.
type earlierSource struct {
	c    *Call
	id   string
	seen int
	rows []*book.Row
}

func (s *earlierSource) Version() int {
	t := &s.c.book.Timeline
	if v := t.Version(); v != s.seen && s.c.st != nil {
		s.seen = v
		s.rows = s.rows[:0]
		for i := len(t.Rows) - 1; i >= 0 && len(s.rows) < 200; i-- {
			if uses(&s.c.st.item, t.Rows[i]) {
				s.rows = append(s.rows, t.Rows[i])
			}
		}
	}
	return s.seen
}

func (s *earlierSource) Len() int         { s.Version(); return len(s.rows) }
func (s *earlierSource) Key(i int) string { return strconv.FormatUint(uint64(s.rows[i].Ref.Seq), 10) }
func (s *earlierSource) Text(i int) string {
	return kit.Escape(string(jsondoc.Compact(nil, sentArgs(s.rows[i]))))
}

func (s *earlierSource) Line(i, w int, match []int) string {
	r, e := s.rows[i], s.c.env
	left := e.Styles.Faint.Render("#"+s.Key(i)) + " " + e.ResultType(r).Render()
	if out := e.Outcome(r); out.Text != "" && out.Text != "success" {
		left += " " + out.Render()
	}
	if d, ok := r.Took(); ok {
		left += " " + e.Styles.Muted.Render(kit.Took(d))
	}
	return left + "  " + e.Matched(s.Text(i), match, &e.Styles.Text)
}

// SentParams is the params of an earlier request without what is made anew for each one: _meta. Everything
// else is as it was, byte for byte.
func SentParams(r *book.Row) []byte {
	params := r.X.Request.Params()
	if !params.Is(jsondoc.Object) {
		return params.Raw()
	}
	out := []byte{'{'}
	for name, v := range params.Members() {
		if name == "_meta" {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(jsondoc.AppendQuote(out, name), ':')
		out = append(out, v.Raw()...)
	}
	return append(out, '}')
}
