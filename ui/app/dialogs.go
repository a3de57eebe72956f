package app

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// text is an overlay of lines that scroll.
type text struct {
	title, right string
	body         kit.Page
	lines        func(w int) []string
	rows         []kit.Row
	buttons      *kit.Env // the rows stand below the text, to be pressed; nil: they do not
	w            int
	top          int // line of the last drawing with the buttons
}

// Rows implements kit.Pane. That there is more than is in view is said where everything is said.
func (t *text) Rows() []kit.Row {
	rows := append(t.rows[:len(t.rows):len(t.rows)], t.body.Rows()...)
	if s := t.body.Scroll(); s.Total > s.Shown {
		if r := kit.Find(rows, "down"); r != nil {
			r.Quiet, r.Words = false, "scroll"
		}
	}
	return rows
}

func (t *text) Typing() bool                    { return false }
func (t *text) Text(tea.Msg) (kit.Intent, bool) { return nil, false }
func (t *text) Head(bool) (string, string)      { return t.title, t.right }
func (t *text) Scroll() kit.Scroll              { return t.body.Scroll() }
func (t *text) Draw(w, h int, _ bool) string {
	if w != t.w {
		t.w = w
		t.body.SetLines(t.all(w))
	}
	lines := t.body.Draw(w, h)
	t.top = t.body.Len() - 1 - t.body.Scroll().From
	return kit.Block(lines, w, h)
}

// all is the text, and below it the buttons.
func (t *text) all(w int) []string {
	lines := t.lines(w)
	if t.buttons != nil {
		line, _ := kit.Hints(t.buttons.Styles, t.rows, w)
		lines = append(lines, line)
	}
	return lines
}

// Spots implements kit.Spotted: the buttons.
func (t *text) Spots() []kit.Spot {
	if t.buttons == nil {
		return nil
	}
	var out []kit.Spot
	_, at := kit.Hints(t.buttons.Styles, t.rows, t.w)
	for _, h := range at {
		out = append(out, kit.Spot{X: h.X, Y: t.top, W: h.W, Free: 2, Key: h.Row.Words, Do: h.Row.Do})
	}
	return out
}

// Click implements kit.Pane.
func (t *text) Click(x, y int, msg tea.MouseMsg) kit.Intent {
	if _, press := msg.(tea.MouseClickMsg); press {
		for _, s := range t.Spots() {
			if s.Y == y && s.X <= x && x < s.X+s.W {
				return s.Do()
			}
		}
	}
	t.body.Click(msg)
	return nil
}

// fitted is as high as its lines are, at most the screen.
func (t *text) fitted(width int) func(w, h int) (int, int) {
	return func(w, h int) (int, int) {
		w = min(w-8, width)
		return w, min(len(t.all(w-4))+2, h-4)
	}
}

// openHelp shows every key that means something now, by group, and what the signs mean.
func (m *Model) openHelp() {
	rows := m.rows()
	s := m.env.Styles
	t := &text{title: s.Title.Render("Help"), right: s.Muted.Render("what works now")}
	t.lines = func(w int) []string { return m.helpLines(rows, w) }
	m.open("help", t, t.fitted(112))
}

func (m *Model) helpLines(rows []kit.Row, w int) []string {
	s := m.env.Styles
	var groups []string
	by := map[string][]string{}
	for i := range rows {
		r := &rows[i]
		if len(r.Keys) == 0 || r.Words == "" {
			continue
		}
		keys := make([]string, len(r.Keys))
		for j, k := range r.Keys {
			keys[j] = kit.KeyName(k)
		}
		if len(keys) > 3 {
			keys = []string{keys[0] + "–" + keys[len(keys)-1]}
		}
		line := s.Keycap.Render(kit.Fit(strings.Join(keys, " "), 15)) + " " + s.Text.Render(r.Words)
		if r.Off != "" {
			line = s.Faint.Render(kit.Fit(strings.Join(keys, " "), 15) + " " + r.Words + " — " + r.Off)
		}
		if by[r.Group] == nil {
			groups = append(groups, r.Group)
		}
		by[r.Group] = append(by[r.Group], line)
	}
	var blocks [][]string
	for _, g := range groups {
		blocks = append(blocks, append([]string{s.Title.Render(strings.ToUpper(g[:1]) + g[1:])}, append(by[g], "")...))
	}
	blocks = append(blocks, m.legend())
	if w < 72 {
		var out []string
		for _, b := range blocks {
			out = append(out, b...)
		}
		return out
	}
	var left, right []string
	for _, b := range blocks {
		if len(left) <= len(right) {
			left = append(left, b...)
		} else {
			right = append(right, b...)
		}
	}
	var out []string
	half := w/2 - 1
	for i := range max(len(left), len(right)) {
		l, r := "", ""
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		out = append(out, kit.Fit(l, half)+"  "+kit.Cut(r, half))
	}
	return out
}

// legend says what the signs mean.
func (m *Model) legend() []string {
	s := m.env.Styles
	out := []string{s.Title.Render("Signs")}
	for _, x := range []struct {
		style interface{ Render(...string) string }
		sign  string
		words string
	}{
		{&s.OK, kit.SignOK, "all well"},
		{&s.Must, kit.SignMust, "breaks a MUST of the specification"},
		{&s.Should, kit.SignShould, "breaks a SHOULD"},
		{&s.Should, kit.SignSEP, "breaks SEP-2145 alone"},
		{&s.Advice, kit.SignAdvice, "advice: our opinion, no rule"},
		{&s.Fresh, kit.SignFresh, "how long a result may be kept"},
		{&s.Should, "!", "an error that breaks no rule"},
		{&s.Muted, kit.SignSchema, "declares an output schema"},
		{&s.Muted, kit.SignReadOnly, "says that it only reads"},
		{&s.Should, kit.SignDestructive, "says that it may destroy"},
		{&s.Muted, kit.SignHeader, "repeats arguments in HTTP headers"},
		{&s.Must, kit.SignHidden, "hidden characters in its texts"},
		{&s.Must, kit.SignExcluded, "clients must leave it out"},
		{&s.Should, kit.SignShadow, "like, or named with, a tool of another server"},
	} {
		out = append(out, x.style.Render(kit.Fit(x.sign, 2))+" "+s.Text.Render(x.words))
	}
	return append(out, "")
}

// openQuit asks before running requests are cut off.
func (m *Model) openQuit(n, servers int) {
	s := m.env.Styles
	what := "A request is running. Quit and cut it off?"
	if n > 1 {
		what = kit.Number(n) + " requests are running. Quit and cut them off?"
	}
	if servers > 1 {
		what = kit.Number(n) + " requests are running in " + kit.Number(servers) + " servers. Quit and cut them off?"
	}
	t := &text{title: s.Title.Render("Quit"), buttons: m.env, lines: func(w int) []string {
		out := []string{""}
		for _, l := range kit.Wrap(what, w) {
			out = append(out, s.Text.Render(l))
		}
		return append(out, "")
	}}
	t.rows = []kit.Row{
		{Keys: []string{"enter", "y", "q"}, Words: "quit", Group: "program", Do: func() kit.Intent { return leave{} }},
		{Keys: []string{"esc", "n"}, Words: "stay", Group: "program", Do: func() kit.Intent { return kit.Back{} }},
	}
	m.open("quit", t, t.fitted(56))
}

// words is a list's source of fixed texts.
type words struct {
	env   *kit.Env
	texts []string
}

func (s *words) Len() int          { return len(s.texts) }
func (s *words) Version() int      { return 0 }
func (s *words) Key(i int) string  { return s.texts[i] }
func (s *words) Text(i int) string { return kit.Escape(s.texts[i]) }
func (s *words) Line(i, w int, match []int) string {
	return s.env.Matched(s.Text(i), match, &s.env.Styles.Text)
}

// ScrollTo implements kit.Scroller.
func (t *text) ScrollTo(from int) { t.body.ScrollTo(from) }
