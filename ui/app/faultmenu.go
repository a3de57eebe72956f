package app

import (
	"slices"
	"strings"

	"mcploupe/ui/kit"
)

// openFaults opens the menu of all faults.
func (m *Model) openFaults() {
	f := m.faultsOf()
	rows := &faultRows{env: m.env, f: f}
	p := &faultMenu{m: m, f: f, rows: rows}
	p.ListPane = &kit.ListPane{List: kit.NewList(m.env, rows), Open: "on or off"}
	p.Heading = func(bool) (string, string) {
		right := "all as it should be"
		if n := len(f.On); n > 0 {
			right = kit.Number(n) + " on"
		}
		return m.env.Styles.Title.Render("Faults of the built-in server"), m.env.Styles.Muted.Render(right)
	}
	p.Opened = p.toggle
	p.Keys = p.keys
	p.Select(firstFault)
	if len(f.On) > 0 {
		p.Select(f.On[0])
	}
	m.open("faults", p, func(w, h int) (int, int) { return min(w-4, 110), h - 2 })
}

// firstFault is where the cursor stands: a fault that shows at the value itself, and that anybody understands.
const firstFault = "output-invalid"

// faultMenu is the list of faults with what the one under the cursor is about below it.
type faultMenu struct {
	*kit.ListPane
	m    *Model
	f    *Faults
	rows *faultRows
}

func (p *faultMenu) at() *Fault {
	if i := p.Selected(); i >= 0 {
		return &p.f.All[i]
	}
	return nil
}

func (p *faultMenu) toggle() kit.Intent {
	x := p.at()
	if x == nil {
		return nil
	}
	p.rows.version++
	if i := slices.Index(p.f.On, x.Name); i >= 0 {
		return setFaults{slices.Delete(slices.Clone(p.f.On), i, i+1)}
	}
	if x.Off != "" {
		return kit.Say{Text: x.Name + ": " + x.Off, Bad: true}
	}
	return setFaults{append(slices.Clone(p.f.On), x.Name)}
}

func (p *faultMenu) keys() []kit.Row {
	off, none := "", ""
	x := p.at()
	if x == nil {
		off = "nothing is selected"
	}
	if len(p.f.On) == 0 {
		none = "none is on"
	}
	return []kit.Row{
		{Keys: []string{"space"}, Words: "on or off", Group: "faults", Off: off, Quiet: true, Do: p.toggle},
		{Keys: []string{"t"}, Words: "try it", Group: "faults", Off: off, Do: func() kit.Intent { return tryFault{x.Name} }},
		{Keys: []string{"i"}, Words: "its rule", Group: "faults", Off: off, Do: func() kit.Intent { return kit.Explain{Rule: x.Rule} }},
		{Keys: []string{"x"}, Words: "all off", Group: "faults", Off: none, Do: func() kit.Intent { p.rows.version++; return setFaults{} }},
	}
}

// faultRows is the menu's source.
type faultRows struct {
	env     *kit.Env
	f       *Faults
	version int
}

// Widths of the columns: the longest areas and names fit.
const (
	faultGroup = 13
	faultName  = 23
)

func (r *faultRows) Len() int         { return len(r.f.All) }
func (r *faultRows) Version() int     { return r.version }
func (r *faultRows) Key(i int) string { return r.f.All[i].Name }

// Text implements kit.Source: what the filter looks at, as it stands in the row.
func (r *faultRows) Text(i int) string {
	x := &r.f.All[i]
	return kit.Fit(x.Group, faultGroup) + kit.Fit(x.Name, faultName) + " " + x.What + "  " + x.Rule
}

func (r *faultRows) Line(i, w int, match []int) string {
	s := r.env.Styles
	x := &r.f.All[i]
	sign, name, what := s.Faint.Render(kit.SignWaiting), &s.Text, &s.Muted
	switch {
	case slices.Contains(r.f.On, x.Name):
		sign, name, what = s.Should.Render(kit.SignReady), &s.Should, &s.Text
	case x.Off != "":
		name, what = &s.Faint, &s.Faint
	}
	if len(match) > 0 {
		return sign + " " + r.env.Matched(r.Text(i), match, name)
	}
	group := &s.Faint
	if i == 0 || r.f.All[i-1].Group != x.Group {
		group = &s.Title
	}
	return sign + " " + group.Render(kit.Fit(x.Group, faultGroup)) + name.Render(kit.Fit(x.Name, faultName)) + " " + what.Render(x.What+"  "+x.Rule)
}

// Draw implements kit.Pane: the list, and below it what the selected one is about.
func (p *faultMenu) Draw(w, h int, focused bool) string {
	const below = 5
	if h < 3*below {
		return kit.Block(p.List.Draw(w, h, focused), w, h)
	}
	lines := kit.Lines(p.List.Draw(w, h-below, focused), w, h-below)
	return kit.Block(append(lines, p.about(w, below)...), w, h)
}

func (p *faultMenu) about(w, h int) []string {
	s := p.m.env.Styles
	out := []string{s.Border.Render(strings.Repeat("─", w))}
	x := p.at()
	if x == nil {
		return out
	}
	title, level := p.m.ruleLine(x.Rule)
	out = append(out, s.Text.Render(kit.Cut(x.What, w)))
	out = append(out, kit.Cut(level+" "+s.Title.Render(x.Rule)+"  "+s.Muted.Render(title), w))
	shows := "shows by  " + x.Try
	switch {
	case x.Off != "":
		shows = x.Off
	case x.Opening:
		shows = "shows while connecting: the server is started again"
	case x.Use == nil:
		shows = "shows by more than one request: mcploupe " + x.Try
	case x.Use.Probe:
		shows = "shows by the probes (" + x.Try + "); t asks before it sends them"
	}
	return append(out, s.Muted.Render(kit.Cut(shows, w)))[:min(h, 4)]
}
