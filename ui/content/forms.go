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
