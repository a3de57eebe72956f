package content

import (
	"fmt"
	"image"
	"strconv"
	"strings"

	"mcploupe/highlight"
	"mcploupe/session/jsondoc"
	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// form is one way to show a block. It belongs to the screen's goroutine once it is made.
type form interface {
	name() string
	// lay prepares it for a width and the height of the view; it does nothing when both stayed.
	lay(e *kit.Env, w, h int)
	rows() int
	// row is row k, at most w cells; on tells that the cursor stands on it.
	row(k int, on bool) string
}

// What a form may be beside that.
type (
	sider interface { // columns can be scrolled, if it is wide
		side(d int)
		wide() bool
	}
	folder interface{ toggle(k int) bool }         // what is in row k can be folded
	topped interface{ top(k int) string }          // what stands over row k when its head is not in view; "" for nothing
	holder interface{ value(k int) jsondoc.Value } // the value in row k, of a document of its own
	placed interface{ place(k int) string }        // where row k is, in words
	inked  interface{ inked() }                    // its rows have colours that nothing may be laid under
)

// empty is a form without rows: what there is to say stands in the card.
type empty struct{ called string }

func (f *empty) name() string           { return f.called }
func (f *empty) lay(*kit.Env, int, int) {}
func (f *empty) rows() int              { return 0 }
func (f *empty) row(int, bool) string   { return "" }

// textForm is text or code by lines. Long lines go on in further rows; but where that takes too long to work out, they are scrolled.
type textForm struct {
	p      *highlight.Painter
	size   int // bytes of the text
	w, x   int
	styles *themes.Styles
}

func (f *textForm) name() string { return "text" }
func (f *textForm) rows() int    { return f.p.Rows() }
func (f *textForm) lay(e *kit.Env, w, _ int) {
	if f.styles != e.Styles {
		f.styles = e.Styles
		f.p.SetStyles(e.Styles)
	}
	if f.w != w {
		f.w = w
		f.p.SetLook(highlight.Look{Width: w, Wrap: !f.wide()})
	}
}
func (f *textForm) row(k int, _ bool) string { return f.p.Row(k, f.x).Text }
func (f *textForm) wide() bool               { return f.size > kit.Heavy }
func (f *textForm) side(d int)               { f.x = min(max(f.x+8*d, 0), max(f.size-8, 0)) }

// jsonForm is JSON laid out.
type jsonForm struct {
	textForm
	layout *jsondoc.Layout
}

func (f *jsonForm) name() string { return "JSON" }
func (f *jsonForm) toggle(k int) bool {
	v := f.value(k)
	for ; v.Exists(); v = v.Parent() {
		if f.layout.Folded(v.Node()) {
			f.layout.Fold(v.Node(), false)
			return true
		}
		if f.layout.Fold(v.Node(), true); f.layout.Folded(v.Node()) {
			return true
		}
	}
	return false
}
func (f *jsonForm) value(k int) jsondoc.Value { return f.layout.Document().Value(f.p.Row(k, 0).Node) }

// markdownForm is Markdown, rendered; a long one beside the screen, which shows it as it was meanwhile.
type markdownForm struct {
	text   string
	lines  []string
	w      int
	styles *themes.Styles
}

// longMarkdown is how many bytes are rendered between a key and its screen.
const longMarkdown = 8 << 10

func (f *markdownForm) name() string { return "rendered" }
func (f *markdownForm) rows() int    { return len(f.lines) }
func (f *markdownForm) lay(e *kit.Env, w, _ int) {
	if f.w != w || f.styles != e.Styles {
		f.w, f.styles = w, e.Styles
		if len(f.text) <= longMarkdown {
			f.lines = highlight.Markdown(f.text, w, e.Styles)
			return
		}
		if f.lines == nil {
			f.lines = []string{e.Styles.Running.Render("rendering …")}
		}
		s := e.Styles
		e.Later(func() func() {
			lines := highlight.Markdown(f.text, w, s)
			return func() {
				if f.w == w && f.styles == s { // else there is a newer one
					f.lines = lines
				}
			}
		})
	}
}
func (f *markdownForm) row(k int, _ bool) string { return kit.Cut(f.lines[k], f.w) }

// pictureForm is a picture in cells, whole within the view.
type pictureForm struct {
	m     image.Image
	w, h  int // pixels that it really has
	lines []string
	key   [4]any // what the lines were made for
}

func (f *pictureForm) name() string { return "picture" }
func (f *pictureForm) inked()       {}
func (f *pictureForm) rows() int    { return len(f.lines) }
func (f *pictureForm) lay(e *kit.Env, w, h int) {
	key := [4]any{w, h, e.Styles, e.Pictures}
	if f.key == key {
		return
	}
	f.key = key
	cols, rows := e.PictureSize(f.w, f.h, w, max(h-4, 4))
	f.lines = e.Picture(f.m, cols, rows)
	if f.lines == nil {
		f.lines = []string{e.Styles.Ghost.Render(kit.Cut("pictures are not drawn (--images none)", w))}
	}
}
func (f *pictureForm) row(k int, _ bool) string { return f.lines[k] }

// tablesForm is one array of objects, or an object with such arrays beside short values.
type tablesForm struct {
	lead   [][2]string // names and values, escaped
	parts  []tablePart
	env    *kit.Env
	styles *themes.Styles
	w      int
	lines  []string // of lead
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
func newTables(v jsondoc.Value, s *themes.Styles) form {
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
		return f.lines[k]
	case r == -2:
		return kit.Cut(s.Key.Render(p.name)+s.Muted.Render(" "+kit.SignDot+" "+kit.Count(p.t.Rows(), "row")), f.w)
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

// hexForm is bytes: where they are, what they are, and what is printable of them.
type hexForm struct {
	b   []byte
	e   *kit.Env
	per int // bytes a row
}

func (f *hexForm) name() string { return "hex" }

func (f *hexForm) lay(e *kit.Env, w, _ int) {
	f.e, f.per = e, 4
	for _, n := range []int{16, 8} {
		if hexWidth(n) <= w {
			f.per = n
			break
		}
	}
}

// hexWidth is the cells that a row of n bytes takes: eight digits, each byte with a blank before it and one more before every eighth.
func hexWidth(n int) int { return 8 + 3*n + (n+7)/8 + 2 + n }

func (f *hexForm) rows() int { return (len(f.b) + f.per - 1) / f.per }

func (f *hexForm) row(k int, _ bool) string {
	s := f.e.Styles
	from := k * f.per
	b := f.b[from:min(from+f.per, len(f.b))]
	var out, run strings.Builder
	out.WriteString(s.Faint.Render(fmt.Sprintf("%08x", from)))
	const digits = "0123456789abcdef"
	kind := -1
	flush := func(next int) {
		if run.Len() > 0 {
			switch kind {
			case 0:
				out.WriteString(s.Faint.Render(run.String()))
			case 1:
				out.WriteString(s.String.Render(run.String()))
			default:
				out.WriteString(s.Number.Render(run.String()))
			}
			run.Reset()
		}
		kind = next
	}
	for i := range f.per {
		if i%8 == 0 {
			run.WriteByte(' ')
		}
		run.WriteByte(' ')
		if i >= len(b) {
			run.WriteString("  ")
			continue
		}
		if c := class(b[i]); c != kind {
			flush(c)
		}
		run.WriteByte(digits[b[i]>>4])
		run.WriteByte(digits[b[i]&15])
	}
	run.WriteString("  ")
	for _, c := range b {
		if k := class(c); k != kind {
			flush(k)
		}
		if class(c) == 1 {
			run.WriteByte(c)
		} else {
			run.WriteString("·")
		}
	}
	flush(0)
	return out.String()
}

// class of a byte: 0 nothing, 1 printable, 2 anything else.
func class(c byte) int {
	switch {
	case c == 0:
		return 0
	case 0x20 <= c && c < 0x7f:
		return 1
	}
	return 2
}

func (f *hexForm) place(k int) string {
	from := k * f.per
	return fmt.Sprintf("byte %s of %s", kit.Number(from), kit.Number(len(f.b)))
}
