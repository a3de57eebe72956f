package content

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/highlight/media"
	"mcploupe/ui/kit"
)

// Picture is a pane with one picture in cells, as large as it has room.
type Picture struct {
	env   *kit.Env
	title string
	thumb image.Image
	w, h  int // pixels
	err   error

	lines []string
	key   [4]any // what they were made for
}

// NewPicture is the pane for the bytes of a picture; they are decoded beside the screen. The title is escaped.
func NewPicture(env *kit.Env, data []byte, title string) *Picture {
	p := &Picture{env: env, title: title}
	env.Later(func() func() {
		m, err := media.Decode(data)
		var thumb image.Image
		var w, h int
		if err == nil {
			w, h = m.Bounds().Dx(), m.Bounds().Dy()
			tw, th := media.Fit(w, h, thumbSide, thumbSide)
			thumb = media.Scale(m, tw, th)
		}
		return func() { p.thumb, p.w, p.h, p.err = thumb, w, h, err }
	})
	return p
}

// Rows implements kit.Pane.
func (p *Picture) Rows() []kit.Row { return nil }

// Typing implements kit.Pane.
func (p *Picture) Typing() bool { return false }

// Text implements kit.Pane.
func (p *Picture) Text(tea.Msg) (kit.Intent, bool) { return nil, false }

// Click implements kit.Pane.
func (p *Picture) Click(int, int, tea.MouseMsg) kit.Intent { return nil }

// Beat implements kit.Lively.
func (p *Picture) Beat() time.Duration { return 0 }

// Head implements kit.Framed.
func (p *Picture) Head(bool) (title, right string) {
	s := p.env.Styles
	if p.w > 0 {
		right = s.Muted.Render(kit.Number(p.w) + " × " + kit.Number(p.h))
	}
	return s.Title.Render(p.title), right
}

// Scroll implements kit.Framed.
func (p *Picture) Scroll() kit.Scroll { return kit.Scroll{} }

// maxEnlarged bounds how much larger than it is a small picture is drawn.
const maxEnlarged = 4

// Draw implements kit.Pane.
func (p *Picture) Draw(w, h int, _ bool) string {
	s := p.env.Styles
	switch {
	case p.err != nil:
		return kit.Block([]string{s.Should.Render(kit.Cut(kit.SignShould+" "+kit.Escape(p.err.Error()), w))}, w, h)
	case p.thumb == nil:
		return kit.Block([]string{s.Running.Render("reading …")}, w, h)
	}
	if key := [4]any{w, h, s, p.env.Pictures}; key != p.key {
		p.key = key
		zoom := min(maxEnlarged, max(1, w/p.w), max(1, 2*h/p.h))
		cols, rows := p.env.PictureSize(p.w*zoom, p.h*zoom, w, h)
		p.lines = make([]string, (h-rows)/2, h)
		for _, l := range p.env.Picture(p.thumb, cols, rows) {
			p.lines = append(p.lines, kit.Blank((w-cols)/2)+l)
		}
	}
	return kit.Block(p.lines, w, h)
}
