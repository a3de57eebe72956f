package kit

import "strings"

// Tabbed is a pane with several views of the same thing. The root draws their names in the frame and
// turns clicks there into SetTab.
type Tabbed interface {
	Tabs() []string
	Tab() int
	SetTab(i int)
}

// TabLine is the names of the tabs, the current one standing out. Without colours it stands in brackets of its own style.
func (e *Env) TabLine(t Tabbed, focused bool) string {
	s := e.Styles
	var b strings.Builder
	for i, name := range t.Tabs() {
		if i > 0 {
			b.WriteString(s.Faint.Render(" " + SignDot + " "))
		}
		switch {
		case i == t.Tab() && focused:
			b.WriteString(s.Accent.Bold(true).Underline(true).Render(name))
		case i == t.Tab():
			b.WriteString(s.Title.Underline(true).Render(name))
		default:
			b.WriteString(s.Muted.Render(name))
		}
	}
	return b.String()
}

// TabAt is the tab at a column of the line, -1 for none.
func TabAt(t Tabbed, x int) int {
	at := 0
	for i, name := range t.Tabs() {
		w := Width(name)
		if at <= x && x < at+w {
			return i
		}
		at += w + 3
	}
	return -1
}

// TabRows is the keys that change tabs.
func TabRows(t Tabbed) []Row {
	step := func(d int) func() Intent {
		return func() Intent {
			t.SetTab(Step(t.Tab(), d, len(t.Tabs())))
			return nil
		}
	}
	if len(t.Tabs()) < 2 {
		return nil
	}
	return []Row{
		{Keys: []string{">", "ctrl+right"}, Words: "next view", Group: "view", Do: step(1)},
		{Keys: []string{"<", "ctrl+left"}, Words: "view before", Group: "view", Quiet: true, Do: step(-1)},
	}
}
