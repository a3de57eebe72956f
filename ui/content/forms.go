package content

import (
	"image"

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
	slow   interface {                             // making its rows takes long
		pending() bool // they are not made for how it was laid last
		draw() func() (take func())
	}
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
	text   []byte
	w, x   int
	styles *themes.Styles
	found  textFound
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
func (f *textForm) wide() bool               { return len(f.text) > kit.Heavy }
func (f *textForm) side(d int)               { f.x = min(max(f.x+8*d, 0), max(len(f.text)-8, 0)) }

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

// pictureForm is a picture in cells, whole within the view.
type pictureForm struct {
	m     image.Image
	w, h  int // pixels that it really has
	cols  int // cells that it takes
	high  int
	lines []string // nil until it comes into view: an answer may hold hundreds of pictures
	env   *kit.Env
	key   [4]any // what the lines are made for
}

func (f *pictureForm) name() string { return "picture" }
func (f *pictureForm) inked()       {}
func (f *pictureForm) rows() int    { return max(f.high, 1) }
func (f *pictureForm) lay(e *kit.Env, w, h int) {
	key := [4]any{w, h, e.Styles, e.Pictures}
	if f.key == key {
		return
	}
	f.key, f.env, f.lines = key, e, nil
	f.cols, f.high = e.PictureSize(f.w, f.h, w, max(h-4, 4))
}
func (f *pictureForm) row(k int, _ bool) string {
	if f.lines == nil {
		f.lines = f.env.Picture(f.m, f.cols, f.high)
	}
	if f.lines == nil {
		return f.env.Styles.Ghost.Render(kit.Cut("pictures are not drawn (--images none)", f.key[0].(int)))
	}
	return f.lines[k]
}
