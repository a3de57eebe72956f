package content

import (
	"fmt"
	"slices"
	"strconv"

	"mcploupe/highlight"
	"mcploupe/session/jsondoc"
	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// tablesForm is one array of objects, or an object with such arrays beside short values.
type tablesForm struct {
	lead   [][2]string // names and values, escaped
	parts  []tablePart
	env    *kit.Env
	styles *themes.Styles
	w      int
	lines  []string // of lead
	found  tableFound
}

type tablePart struct {
	name string          // escaped; "" for the root
	path jsondoc.Pointer // of the array in its document
	t    *highlight.Table
}

// maxLead bounds the members beside tables, and maxLeadBytes one of them: what has more is better seen as JSON.
const (
	maxLead      = 12
	maxLeadBytes = 200
)

// newTables is the form for a value; nil when it is no table.
func newTables(v jsondoc.Value, s *themes.Styles) *tablesForm {
	if t := highlight.NewTable(v, s); t != nil {
		return &tablesForm{parts: []tablePart{{"", "", t}}, styles: s}
	}
	f := &tablesForm{styles: s}
	if !v.Is(jsondoc.Object) || v.Len() > maxLead {
		return nil
	}
	for name, m := range v.Members() {
		if t := highlight.NewTable(m, s); t != nil {
			f.parts = append(f.parts, tablePart{kit.Escape(name), jsondoc.Join("", name), t})
			continue
		}
		if len(m.Raw()) > maxLeadBytes {
			return nil
		}
		text := string(jsondoc.Compact(nil, m.Raw()))
		if m.Is(jsondoc.String) {
			text = m.Text()
		}
		f.lead = append(f.lead, [2]string{kit.Escape(name), kit.Escape(text)})
	}
	if len(f.parts) == 0 {
		return nil
	}
	return f
}

// twice is the first name that a row of any part has more than once, escaped.
func (f *tablesForm) twice() (name string, ok bool) {
	for i := range f.parts {
		if name, ok = f.parts[i].t.Twice(); ok {
			break
		}
	}
	return name, ok
}

func (f *tablesForm) name() string { return "table" }

func (f *tablesForm) lay(e *kit.Env, w, _ int) {
	f.env = e
	if f.w == w && f.styles == e.Styles {
		return
	}
	for _, p := range f.parts {
		p.t.SetStyles(e.Styles)
		p.t.SetWidth(w)
	}
	f.w, f.styles = w, e.Styles
	f.lines = e.Labelled(f.lead, w)
}

// height of a part: its name, its head, its rows, what is said below it.
func (p *tablePart) height() int { return p.lead() + 1 + p.t.Rows() + p.tail() }

func (p *tablePart) lead() int {
	if p.name == "" {
		return 0
	}
	return 1
}

func (p *tablePart) tail() int {
	if p.t.More() > 0 {
		return 1
	}
	return 0
}

func (f *tablesForm) rows() int {
	n := len(f.lines)
	for i := range f.parts {
		n += f.parts[i].height()
	}
	return n
}

// find is the part of a row, and the row in it, counted from its first row of values: below 0 the name and the head.
func (f *tablesForm) find(k int) (*tablePart, int) {
	k -= len(f.lines)
	if k < 0 {
		return nil, 0
	}
	for i := range f.parts {
		p := &f.parts[i]
		if k < p.height() {
			return p, k - p.lead() - 1
		}
		k -= p.height()
	}
	return nil, 0
}

func (f *tablesForm) row(k int, on bool) string {
	p, r := f.find(k)
	s := f.env.Styles
	switch {
	case p == nil:
		return f.found.lead.mark(f.lines[k], k, s)
	case r == -2:
		return kit.Cut(f.found.names.mark(s.Key.Render(p.name), 2*slices.IndexFunc(f.parts, func(q tablePart) bool { return q.t == p.t }), s)+s.Muted.Render(" "+kit.SignDot+" "+kit.Count(p.t.Rows(), "row")), f.w)
	case r == -1:
		return f.head(p)
	case r == p.t.Rows():
		return s.Muted.Render(kit.Cut(fmt.Sprintf("and %s values under names that there are no columns for", kit.Number(p.t.More())), f.w))
	}
	return p.t.Row(r, on)
}

// head is the names of the columns, and arrows where there are more.
func (f *tablesForm) head(p *tablePart) string {
	head := p.t.Head()
	all, from, shown := p.t.Columns()
	if from == 0 && shown == all {
		return head
	}
	more := ""
	if from > 0 {
		more = "◂"
	}
	if from+shown < all {
		more += "▸"
	}
	return kit.Ends(head, f.env.Styles.Accent.Render(more), f.w)
}

func (f *tablesForm) top(k int) string {
	if p, r := f.find(k); p != nil && r >= 0 {
		return f.head(p)
	}
	return ""
}

// pointer leads to the value in row k: finding an element's place from the element takes time linear in it.
func (f *tablesForm) pointer(k int) jsondoc.Pointer {
	p, r := f.find(k)
	return p.path + jsondoc.Pointer("/"+strconv.Itoa(r))
}

func (f *tablesForm) value(k int) jsondoc.Value {
	if p, r := f.find(k); p != nil {
		return p.t.Value(r)
	}
	return jsondoc.Value{}
}

func (f *tablesForm) wide() bool { return true }

func (f *tablesForm) side(d int) {
	for i := range f.parts {
		f.parts[i].t.Side(d)
	}
}

func (f *tablesForm) place(k int) string {
	p, r := f.find(k)
	if p == nil || r < 0 {
		return ""
	}
	words := fmt.Sprintf("row %s of %s", kit.Number(min(r+1, p.t.Rows())), kit.Number(p.t.Rows()))
	if all, from, shown := p.t.Columns(); shown < all {
		words += fmt.Sprintf("  columns %d–%d of %d", from+1, from+shown, all)
	}
	return words
}
