package app

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/inspect"
	"mcploupe/ui/findings"
	"mcploupe/ui/kit"
)

// The first line and the last one. Both note where their parts stand, so that these can be pressed.

// part is words of the header that can be pressed; do nil: nothing happens.
type part struct {
	text string // styled
	key  string
	do   func() tea.Cmd
}

// laid is the parts in a line, and the columns where they stand.
func laid(parts []part, gap string, x int) (line string, at []spot) {
	var b strings.Builder
	for _, p := range parts {
		if ansi.Strip(p.text) == "" {
			continue
		}
		free := 1
		if b.Len() > 0 {
			b.WriteString(gap)
			x += len(gap)
			free = len(gap)
		}
		b.WriteString(p.text)
		w := kit.Width(p.text)
		if p.do != nil {
			at = append(at, spot{x: x, w: w, free: free, key: p.key, do: p.do, at: places})
		}
		x += w
	}
	return b.String(), at
}

// header is the first line: who, where, how, and what was found. What does not fit becomes shorter, the
// least telling first.
func (m *Model) header(w int) string {
	s := m.env.Styles
	sv := &m.book.Server
	name := sv.Name()
	if v := sv.ServerVersion(); name != "" && v != "" {
		name += " " + kit.Cut(v, 20)
	}
	target := strings.TrimSpace(sv.Kind + " " + sv.Target)
	if m.o.Session == nil {
		target = "journal " + kit.Escape(m.o.Title)
	}
	if m.faultsOf() != nil {
		target = "built in" // how we start ourselves tells nobody anything
	}
	era := strings.TrimSpace(sv.Version + " " + sv.Era)
	phase, waiting := m.env.Standing(sv), ""
	if n := len(m.aside); n > 0 {
		waiting = s.Should.Render(kit.SignQuestion + " " + kit.Number(n) + " to answer")
	}
	if m.o.Session == nil {
		phase = s.Muted.Render(kit.SignWaiting + " recorded")
	}
	brand := true
	to := func(p place) func() tea.Cmd { return func() tea.Cmd { m.setFocus(p); return nil } }
	line := func() (string, []spot) {
		parts := []part{{m.which(), "which", func() tea.Cmd { return m.act(openServers{}) }}, {s.Title.Render(name), "name", to(atServer)}, {s.Muted.Render(target), "target", to(atServer)},
			{s.Text.Render(era), "era", func() tea.Cmd { return m.act(kit.OpenEra{}) }}, {phase, "phase", func() tea.Cmd { return m.act(kit.OpenLog{}) }},
			{waiting, "waiting", m.answerWaiting}, {m.faultSign(), "faults", m.pressFaults}}
		if brand {
			parts = slices.Insert(parts, 0, part{s.Accent.Bold(true).Render("mcploupe"), "brand", func() tea.Cmd { return m.act(kit.OpenHelp{}) }})
		}
		return laid(parts, "   ", 1)
	}
	width := func() int {
		text, _ := line()
		return 1 + kit.Width(text)
	}
	// What there is room for, the best first: words for the counts, the target at least so long (0: none of
	// it), a name of at most so many cells, our own name, the version of the protocol.
	whole, fullName := target, name
	counts, long := "", false
	var countsAt []spot
	for i, try := range []struct {
		long, brand, version bool
		target, name         int
	}{
		{true, true, true, 24, 80}, {true, true, true, 24, 40}, {false, true, true, 16, 80}, {false, true, true, 16, 40}, {false, true, true, 0, 80},
		{false, true, true, 0, 40}, {false, false, true, 0, 80}, {false, false, true, 0, 24}, {false, false, false, 0, 24},
	} {
		brand, target, name = try.brand, "", kit.CutMiddle(fullName, try.name)
		if !try.version {
			era = sv.Era
		}
		if i == 0 || long != try.long {
			counts, countsAt = m.counts(try.long)
		}
		long = try.long
		room := w - width() - kit.Width(counts) - 3
		if n := kit.Width(whole); try.target > 0 && (room-3 >= n || room-3 >= try.target) {
			target = kit.CutMiddle(whole, room-3)
			break
		} else if room >= 0 && (try.target == 0 || n == 0) {
			break
		}
	}
	if spare := w - width() - kit.Width(counts) - 3; spare > 0 && name != fullName {
		name = kit.CutMiddle(fullName, kit.Width(name)+spare)
	}
	left, spots := line()
	x := w - 1 - kit.Width(counts)
	for i := range countsAt {
		countsAt[i].x += x
	}
	m.head = m.head[:0]
	for _, sp := range append(spots, countsAt...) {
		if sp.x >= x || sp.x+sp.w < x { // what was cut away cannot be pressed
			m.head = append(m.head, sp)
		}
	}
	return kit.Ends(" "+left, counts+" ", w)
}

// counts is the findings in the header: by level, and how many are muted; and where they stand in it.
func (m *Model) counts(long bool) (string, []spot) {
	var parts []part
	level := func(l inspect.Level) func() tea.Cmd {
		return func() tea.Cmd { m.openFindings(); m.overs[len(m.overs)-1].pane.(*findings.Pane).Gravest(l); return nil }
	}
	c := m.book.Findings.Count
	for _, one := range []struct {
		count inspect.Count
		key   string
		do    func() tea.Cmd
	}{
		{inspect.Count{Must: c.Must}, "must", level(inspect.Must)}, {inspect.Count{Should: c.Should}, "should", level(inspect.Should)},
		{inspect.Count{SEP2145: c.SEP2145}, "sep", level(inspect.Must)}, {inspect.Count{Advice: c.Advice}, "advice", level(inspect.Advice)},
	} {
		parts = append(parts, part{m.env.Counts(one.count, long), one.key, one.do})
	}
	gap := " "
	if long {
		gap = "  "
	}
	text, at := laid(parts, gap, 0)
	if len(at) > 0 {
		at[0].free = 2 // there is room before the right end of the line
	}
	n := m.book.Findings.Muted
	if n == 0 {
		return text, at
	}
	free := 2
	if text != "" {
		text += "  "
	} else {
		free = 1
	}
	muted := m.env.Styles.Muted.Render(kit.Number(n) + " muted")
	at = append(at, spot{x: kit.Width(text), w: kit.Width(muted), free: free, key: "muted", at: places, do: func() tea.Cmd { return m.act(kit.OpenFindings{}) }})
	return text + muted, at
}

// answerWaiting opens the first of the questions that were put aside.
func (m *Model) answerWaiting() tea.Cmd {
	for _, r := range m.book.Timeline.Rows {
		for _, a := range m.aside {
			if a.of(r) {
				return m.answer(r.Ref)
			}
		}
	}
	return nil
}

// tailRows are what stands at the right end of the last line, whatever else there is room for.
func (m *Model) tailRows() []kit.Row {
	row := func(key, words string) kit.Row { return kit.Row{Keys: []string{key}, Words: words} }
	switch n := len(m.overs); {
	case n > 0 && m.overs[n-1].name != "question":
		return []kit.Row{row("esc", "close")}
	case n > 0, m.listener().Typing(): // a question is answered, not closed
		return []kit.Row{row("ctrl+c", "quit")}
	}
	ends := []kit.Row{row("?", "help"), row("q", "quit")}
	if m.game.on() {
		ends = append([]kit.Row{row("F", "guess")}, ends...)
	}
	return ends
}

// footer is the last line: what works now, or what there is to say.
func (m *Model) footer(w int) string {
	s := m.env.Styles
	m.foot = m.foot[:0]
	note := func(at []kit.Hinted, x int) {
		for _, h := range at {
			key := h.Row.Keys[0]
			m.foot = append(m.foot, spot{x: x + h.X, y: m.h - 1, w: h.W, free: 2, key: key, at: places, do: func() tea.Cmd { return m.key(pressOf(key)) }})
		}
	}
	rows := m.rows()
	ends := m.tailRows()
	if m.labels != nil { // any other key is a letter of a label
		rows, ends = []kit.Row{{Keys: []string{"esc"}, Words: "no jump"}}, nil
	}
	if r := kit.Find(rows, "esc"); r != nil && !r.Quiet && r.Off == "" && m.labels == nil {
		ends = slices.DeleteFunc(ends, func(r kit.Row) bool { return r.Keys[0] == "esc" }) // it says better what that does
	}
	tail, tailAt := kit.Hints(s, ends, w)
	room := w - kit.Width(tail) - 4
	left := ""
	if t := m.said; m.labels == nil && t.text != "" && m.o.Now().Before(t.until) {
		style := &s.OK
		if t.bad {
			style = &s.Should
		}
		left = style.Render(t.text)
	} else {
		if m.listener().Typing() {
			shown := rows[:0:0]
			for _, r := range rows {
				if len(r.Keys) > 0 && r.Words != "quit at once" {
					shown = append(shown, r)
				}
			}
			rows = shown
		}
		var at []kit.Hinted
		left, at = kit.Hints(s, rows, room)
		note(at, 1)
		if m.labels != nil {
			left += s.Muted.Render("   type the letters of where to go")
		}
	}
	note(tailAt, w-1-kit.Width(tail))
	return kit.Ends(" "+left, tail+" ", w)
}

// pressFaults opens what the words about faults in the header are about.
func (m *Model) pressFaults() tea.Cmd {
	if m.game.on() {
		return m.act(openGame{})
	}
	m.openFaults()
	return nil
}
