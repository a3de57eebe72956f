package content

import (
	"slices"

	"mcploupe/highlight"
	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// markdownForm is Markdown, rendered. What is rendered stays until it is rendered anew, as far as it fits, and the last few ways are
// kept: who makes a window larger and smaller again has it rendered once.
type markdownForm struct {
	text  string
	want  drawnFor
	drawn drawn // as it is shown
	kept  []drawn
	count int // how often it was drawn
	w     int
	found linesFound
	env   *kit.Env
}

// drawnFor is what lines are rendered for.
type drawnFor struct {
	w      int
	styles *themes.Styles
}

type drawn struct {
	drawnFor
	lines []string
}

// Bounds of rendering.
const (
	longMarkdown = 8 << 10  // bytes of one part that are rendered between a key and its screen,
	soonMarkdown = 16 << 10 // and of all parts; the rest beside the screen, one part at a time
	keptMarkdown = 3        // ways in which one part is kept
)

func (f *markdownForm) name() string { return "rendered" }
func (f *markdownForm) rows() int    { return max(len(f.drawn.lines), 1) }

func (f *markdownForm) lay(e *kit.Env, w, _ int) {
	f.env, f.w = e, w
	f.want = drawnFor{w, e.Styles}
	if f.drawn.drawnFor == f.want {
		return
	}
	if i := slices.IndexFunc(f.kept, func(d drawn) bool { return d.drawnFor == f.want }); i >= 0 {
		d := f.kept[i]
		f.kept = slices.Delete(f.kept, i, i+1)
		f.show(d)
	}
}

func (f *markdownForm) pending() bool { return f.drawn.drawnFor != f.want }

func (f *markdownForm) draw() func() func() {
	text, want := f.text, f.want
	return func() func() {
		d := drawn{want, highlight.Markdown(text, want.w, want.styles)}
		return func() { f.show(d) }
	}
}

// show shows lines, and keeps those that were shown.
func (f *markdownForm) show(d drawn) {
	if f.drawn.lines != nil {
		f.kept = append(f.kept, f.drawn)
		f.kept = f.kept[max(len(f.kept)-keptMarkdown+1, 0):]
	}
	f.drawn = d
	f.count++
}

func (f *markdownForm) row(k int, _ bool) string {
	if k >= len(f.drawn.lines) {
		if len(f.drawn.lines) > 0 || !f.pending() {
			return ""
		}
		return f.env.Styles.Running.Render(kit.Cut("rendering …", f.w))
	}
	return kit.Cut(f.found.mark(f.drawn.lines[k], k, f.env.Styles), f.w)
}

// render makes the rows of forms that take long, what is in view first: at once as far as that is not felt, the rest beside the screen,
// one at a time. It tells that some were made.
func (v *View) render() (made bool) {
	if now := (drawnFor{v.w, v.env.Styles}); v.soon != now {
		v.soon, v.room = now, soonMarkdown
	}
	first, _ := v.find(v.top)
	for k := range v.blocks {
		b := v.blocks[(max(first, 0)+k)%len(v.blocks)]
		f, ok := b.form().(slow)
		switch {
		case !ok || !f.pending():
		case b.size() <= min(longMarkdown, v.room):
			v.room -= b.size()
			f.draw()()()
			made = true
		case v.rendering == nil:
			job := new(int)
			v.rendering = job
			work := f.draw()
			v.env.Later(func() func() {
				take := work()
				return func() {
					take()
					if v.rendering == job { // else something else is shown by now
						v.rendering = nil
					}
				}
			})
			made = made || v.rendering == nil
		}
	}
	return made
}
