package era

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/mcp"
	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// Ask makes the comparison for a revision to hold the latest one against, over HTTP or stdio.
type Ask func(against string, http bool) Comparison

// Pane shows a comparison, and lets a person choose the older revision and the transport.
type Pane struct {
	env     *kit.Env
	name    string // of the request; escaped
	ask     Ask
	against string
	http    bool
	shown   Comparison
	page    kit.Page
	w       int
	styles  *themes.Styles
}

// New is the pane. against is the revision to begin with; the latest one is held against it.
func New(env *kit.Env, name, against string, http bool, ask Ask) *Pane {
	p := &Pane{env: env, name: kit.Escape(name), ask: ask, against: against, http: http}
	p.again()
	return p
}

func (p *Pane) again() {
	p.shown = p.ask(p.against, p.http)
	p.w = 0
	p.page.Top()
}

// older goes to another revision before the latest.
func (p *Pane) older(by int) {
	var all []string
	at := 0
	for _, r := range mcp.Revisions() {
		if !mcp.Modern(r) {
			if r == p.against {
				at = len(all)
			}
			all = append(all, r)
		}
	}
	p.against = all[((at+by)%len(all)+len(all))%len(all)]
	p.again()
}

// Rows implements kit.Pane.
func (p *Pane) Rows() []kit.Row {
	do := func(f func()) func() kit.Intent { return func() kit.Intent { f(); return nil } }
	other := "over HTTP"
	if p.http {
		other = "over stdio"
	}
	return append([]kit.Row{
		{Keys: []string{"left", "h"}, Words: "older revision", Group: "era", Do: do(func() { p.older(-1) })},
		{Keys: []string{"right", "l"}, Words: "newer revision", Group: "era", Do: do(func() { p.older(1) })},
		{Keys: []string{"t"}, Words: other, Group: "era", Do: do(func() { p.http = !p.http; p.again() })},
		{Keys: []string{"y"}, Words: "copy", Group: "copy", Do: func() kit.Intent {
			return kit.Copy{Text: Text(&p.shown, 120), What: "comparison"}
		}},
	}, p.page.Rows()...)
}

// Typing implements kit.Pane.
func (p *Pane) Typing() bool { return false }

// Text implements kit.Pane.
func (p *Pane) Text(tea.Msg) (kit.Intent, bool) { return nil, false }

// Click implements kit.Pane.
func (p *Pane) Click(_, _ int, msg tea.MouseMsg) kit.Intent { p.page.Click(msg); return nil }

// Scroll implements kit.Framed.
func (p *Pane) Scroll() kit.Scroll { return p.page.Scroll() }

// Head implements kit.Framed.
func (p *Pane) Head(bool) (title, right string) {
	s := p.env.Styles
	how := "stdio"
	if p.http {
		how = "HTTP"
	}
	return s.Title.Render("One request, two revisions") + " " + s.Text.Render(p.name), s.Muted.Render("over " + how)
}

// Draw implements kit.Pane.
func (p *Pane) Draw(w, h int, _ bool) string {
	if p.w != w || p.styles != p.env.Styles {
		p.w, p.styles = w, p.env.Styles
		p.page.SetLines(p.shown.Draw(p.styles, w))
	}
	return kit.Block(p.page.Draw(w, h), w, h)
}

// Text is a comparison as plain text of w cells.
func Text(c *Comparison, w int) string {
	var b strings.Builder
	for _, l := range c.Draw(themes.Plain(), w) {
		b.WriteString(strings.TrimRight(ansi.Strip(l), " ") + "\n")
	}
	return b.String()
}

// ScrollTo implements kit.Scroller.
func (p *Pane) ScrollTo(from int) { p.page.ScrollTo(from) }
