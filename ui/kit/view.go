package kit

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/highlight"
	"mcploupe/session/jsondoc"
)

// View shows one document: JSON that folds, or other text. It keeps how the document looks (cursor, folds,
// wrapping, search); the document itself is immutable and may be shown by others at the same time.
type View struct {
	env    *Env
	styles any // the styles that the painters were made with

	doc    *jsondoc.Document // nil for other text
	text   []byte
	mime   string
	layout *jsondoc.Layout
	pretty *highlight.Painter // JSON laid out; nil for other text
	raw    *highlight.Painter // the bytes by lines; made when first asked for

	Bare    bool // without signs and line numbers at the left
	showRaw bool
	wrap    bool
	marks   []highlight.Mark
	mark    int // the one a person is looking at, -1

	at, top, x int   // rows of the painter that is shown, columns scrolled away
	node       int32 // under the cursor, -1 unknown
	w, h       int

	depth  bool // z was pressed: a digit follows
	search Search
	hits   []highlight.Hit
	hit    int
	sought string // what hits are of; the pattern is another when they are of another document
	seek   Latest // a search through a long text
	jump   bool   // go to what it finds
}

// NewView is a view of nothing yet.
func NewView(env *Env) *View {
	return &View{env: env, wrap: true, mark: -1, hit: -1, node: -1}
}

// SetJSON shows a document with marks. The same document keeps cursor and folds.
func (v *View) SetJSON(d *jsondoc.Document, marks []highlight.Mark) {
	if v.doc != d {
		v.reset(d)
	}
	if !sameMarks(v.marks, marks) {
		v.marks = marks
		v.mark = -1
		if v.pretty != nil {
			v.pretty.SetMarks(marks)
		}
		if v.raw != nil {
			v.raw.SetMarks(marks)
		}
		v.follow()
	}
}

// reset begins with another document. How it is looked at stays.
func (v *View) reset(d *jsondoc.Document) {
	raw, wrap, search := v.showRaw, v.wrap, v.search
	*v = View{env: v.env, Bare: v.Bare, w: v.w, h: v.h, mark: -1, hit: -1, node: -1, showRaw: raw, wrap: wrap, search: search, seek: v.seek}
	v.doc, v.text = d, d.Text
	if d.Root().Exists() {
		v.node = d.Root().Node()
	}
}

// Ahead is a document laid out before it is shown.
type Ahead struct {
	doc    *jsondoc.Document
	layout *jsondoc.Layout
	pretty *highlight.Painter
}

// Ahead gives the function that lays a document out as this view would show it. The function may run on any goroutine; what it
// gives is for Use.
func (v *View) Ahead() func(d *jsondoc.Document) *Ahead {
	look, styles := v.looks(), v.env.Styles
	return func(d *jsondoc.Document) *Ahead {
		a := &Ahead{doc: d}
		if len(d.Nodes) > 0 {
			a.layout = jsondoc.NewLayout(d)
			a.pretty = highlight.JSON(a.layout, styles)
			a.pretty.SetLook(look)
			a.pretty.Rows() // this is what takes its time
		}
		return a
	}
}

// Use shows a document that was laid out ahead.
func (v *View) Use(a *Ahead, marks []highlight.Mark) {
	if v.doc != a.doc {
		v.reset(a.doc)
		v.layout, v.pretty = a.layout, a.pretty // styles may be others by now: painter sets them
		if v.pretty != nil {
			v.pretty.SetHits(nil, -1)
			v.pretty.SetMarks(nil)
			v.look(v.pretty)
		}
	}
	v.SetJSON(a.doc, marks)
}

// SetText shows other text, coloured by its MIME type.
func (v *View) SetText(text []byte, mime string) {
	if v.doc == nil && len(text) == len(v.text) && (len(text) == 0 || &text[0] == &v.text[0]) && mime == v.mime {
		return
	}
	*v = View{env: v.env, Bare: v.Bare, w: v.w, h: v.h, mark: -1, hit: -1, node: -1, wrap: v.wrap, search: v.search, seek: v.seek}
	v.text, v.mime = text, mime
}

func sameMarks(a, b []highlight.Mark) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		a, b := a[i], b[i]
		a.On, b.On = false, false
		if a != b {
			return false
		}
	}
	return true
}

// painter is the one that is shown.
func (v *View) painter() *highlight.Painter {
	if v.styles != any(v.env.Styles) {
		v.styles = v.env.Styles
		for _, p := range []*highlight.Painter{v.pretty, v.raw} {
			if p != nil {
				p.SetStyles(v.env.Styles)
			}
		}
	}
	if v.doc == nil || v.showRaw || len(v.doc.Nodes) == 0 {
		if v.raw == nil {
			if v.doc != nil {
				v.raw = highlight.Raw(v.doc, v.env.Styles)
				v.raw.SetMarks(v.marks)
			} else {
				v.raw = highlight.Text(v.text, v.mime, "", v.env.Styles)
			}
			v.look(v.raw)
		}
		return v.raw
	}
	if v.pretty == nil {
		v.layout = jsondoc.NewLayout(v.doc)
		v.pretty = highlight.JSON(v.layout, v.env.Styles)
		v.pretty.SetMarks(v.marks)
		v.look(v.pretty)
	}
	return v.pretty
}

func (v *View) look(p *highlight.Painter) { p.SetLook(v.looks()) }

func (v *View) looks() highlight.Look {
	return highlight.Look{Width: max(v.w, 20), Wrap: v.wrap, Gutter: !v.Bare}
}

// isPretty tells that the painter that is shown knows nodes.
func (v *View) isPretty() bool { return v.pretty != nil && v.painter() == v.pretty }

// follow finds the row of the cursor's node again after rows have moved.
func (v *View) follow() {
	p := v.painter()
	if v.isPretty() && v.node >= 0 {
		if row := p.RowOf(v.node); row >= 0 {
			v.at = row
		}
	}
	v.at = min(max(v.at, 0), max(p.Rows()-1, 0))
	v.reveal()
}

func (v *View) reveal() {
	if v.h > 0 {
		v.top = min(max(v.top, v.at-v.h+1), v.at)
	}
}

// goTo puts the cursor on a row; over notes it goes on in direction d.
func (v *View) goTo(row, d int) {
	p := v.painter()
	n := p.Rows()
	row = min(max(row, 0), max(n-1, 0))
	for r := row; 0 <= r && r < n; r += d {
		if p.Row(r, v.x).Mark < 0 {
			row = r
			break
		}
		if d == 0 {
			break
		}
	}
	v.at = row
	if v.isPretty() {
		v.node = p.Row(row, v.x).Node
	}
	v.reveal()
}

// Lines is the number of rows at the present width.
func (v *View) Lines() int { return v.painter().Rows() }

// Node is the value under the cursor; Missing in other text.
func (v *View) Node() jsondoc.Value {
	if v.doc == nil || v.node < 0 {
		return jsondoc.Value{}
	}
	return v.doc.Value(v.node)
}

// Path is the pointer of the value under the cursor, "" at the root and in other text.
func (v *View) Path() jsondoc.Pointer {
	if v.doc == nil || v.node < 0 {
		return ""
	}
	return v.doc.Pointer(v.node)
}

// Goto puts the cursor on a value and shows it, or the nearest one above it that exists.
func (v *View) Goto(path jsondoc.Pointer) {
	if v.doc == nil {
		return
	}
	for {
		if x := v.doc.At(path); x.Exists() {
			v.gotoNode(x.Node())
			return
		}
		if path == "" {
			return
		}
		path = path.Parent()
	}
}

func (v *View) gotoNode(node int32) {
	v.showRaw = false
	p := v.painter()
	if v.layout != nil {
		v.layout.Reveal(node)
	}
	v.node = node
	if row := p.RowOf(node); row >= 0 {
		v.at = row
		v.center()
	}
}

// center brings the cursor into view, away from the edges when it was not in view.
func (v *View) center() {
	if v.h > 0 && (v.at < v.top || v.at >= v.top+v.h-1) {
		v.top = max(0, min(v.at-v.h/3, v.painter().Rows()-v.h))
	}
}

// Marks is the number of marks.
func (v *View) Marks() int { return len(v.marks) }

// AtMark is the mark that a person is looking at, -1 for none.
func (v *View) AtMark() int { return v.mark }

// GotoMark puts the cursor on a marked value.
func (v *View) GotoMark(i int) {
	if i < 0 || i >= len(v.marks) {
		return
	}
	v.mark = i
	marks := append([]highlight.Mark(nil), v.marks...)
	marks[i].On = true
	p := v.painter()
	if v.layout != nil {
		v.layout.Reveal(v.marks[i].Node)
	}
	p.SetMarks(marks)
	row, col := p.RowOfMark(i)
	if row < 0 {
		return
	}
	v.goTo(row, 0)
	if v.isPretty() {
		v.node = v.marks[i].Node
	}
	v.center()
	// The note under the value should be in view too.
	if v.h > 2 && v.at == v.top+v.h-1 {
		v.top++
	}
	v.showColumn(col)
}

// showColumn scrolls sideways so that a column is in view.
func (v *View) showColumn(col int) {
	room := v.w - 8
	if v.wrap || room < 8 {
		return
	}
	if col < v.x || col >= v.x+room {
		v.x = max(0, col-room/3)
	}
}

// Typing tells that keys go into the search line, or that a digit is awaited.
func (v *View) Typing() bool { return v.search.Typing() || v.depth }

// Text takes keys for the search line and the digit after z.
func (v *View) Text(msg tea.Msg) bool {
	switch {
	case v.depth:
		key, ok := msg.(tea.KeyPressMsg)
		if !ok {
			return false
		}
		v.depth = false
		if s := key.String(); len(s) == 1 && '0' <= s[0] && s[0] <= '9' && v.isPretty() {
			depth := int(s[0] - '0')
			if depth == 0 {
				depth = -1
			}
			v.layout.FoldDepth(depth)
			v.follow()
		}
		return true
	case v.search.Typing():
		did := v.search.Text(msg)
		if did == Changed || did == Ended {
			v.find(did == Changed)
		}
		return did != Unused
	}
	return false
}

// Beat implements Lively: a document does not change by itself.
func (v *View) Beat() time.Duration { return 0 }
