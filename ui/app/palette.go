package app

import (
	"slices"

	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// The palette is every command that means something now, by its words, with its key. It is printed from
// the same rows as footer and help.

func (m *Model) openPalette(typed string) {
	var fixed, moves []kit.Row
	for _, r := range append(m.gathered(false, true), m.commands()...) { // also what has no key while somebody types
		switch {
		case r.Words == "" || r.Do == nil || r.Words == "commands":
		case r.Group == "move": // they have keys that everybody knows
			moves = append(moves, r)
		default:
			fixed = append(fixed, r)
		}
	}
	fixed = append(fixed, moves...)
	src := &commands{env: m.env}
	fill := func(typed string) {
		src.rows = append(fixed[:len(fixed):len(fixed)], slices.Concat(m.openCommands(typed), m.taskCommands(typed), m.callCommands(typed), m.fieldCommands(typed))...)
		src.version++
	}
	fill(typed)
	p := &kit.ListPane{List: kit.NewList(m.env, src), Open: "do it"}
	p.Heading = func(bool) (string, string) {
		return m.env.Styles.Title.Render("Commands"), m.env.Styles.Muted.Render("type to find one")
	}
	p.TypeFilter(typed)
	pal := &palette{src: src}
	pal.chooser = chooser{ListPane: p, take: pal.do, typed: fill}
	m.open("palette", pal, func(w, h int) (int, int) { return min(w-8, 84), min(len(src.rows)+3, h*2/3) })
}

// commands are those that have no key of their own.
func (m *Model) commands() []kit.Row {
	off := ""
	if m.o.Session == nil {
		off = "this is a recorded journal"
	}
	rows := []kit.Row{{Words: "log level to ask for", Group: "log", Off: off, Do: func() kit.Intent { return kit.OpenLevels{} }},
		{Words: "roots: what the server may be told about", Group: "server", Off: off, Do: func() kit.Intent { return openRoots{} }}}
	rows = append(rows, m.themeCommands()...)
	rows = append(rows, m.serverCommands()...)
	rows = append(rows, m.probeCommands()...)
	rows = append(rows, m.faultCommands()...)
	rows = append(rows, m.learnCommands()...)
	rows = append(rows, m.presentCommands()...)
	for _, k := range book.Kinds() {
		rows = append(rows,
			kit.Row{Words: "refresh the list of " + k.Noun() + "s", Group: "list", Off: off, Do: func() kit.Intent { return kit.Refresh{Kind: k} }},
			kit.Row{Words: "refetch the list of " + k.Noun() + "s past the cache", Group: "list", Off: off, Do: func() kit.Intent { return kit.Refresh{Kind: k, Past: true} }})
	}
	return rows
}

// palette chooses a command and does it.
type palette struct {
	chooser
	src *commands
}

func (p *palette) do() kit.Intent {
	i := p.Selected()
	if i < 0 {
		return nil
	}
	r := &p.src.rows[i]
	if r.Off != "" {
		return kit.Say{Text: r.Words + ": " + r.Off, Bad: true}
	}
	return kit.Several{kit.Back{}, command{r.Do}}
}

// command is a row's deed, to be done once the palette is gone.
type command struct{ do func() kit.Intent }

// commands is the palette's source.
type commands struct {
	env     *kit.Env
	rows    []kit.Row
	version int

	keys     int // how wide the column of keys is, at the right
	measured int // rows that were looked at for that
}

// measure finds out how wide the column of keys is.
func (s *commands) measure() {
	if s.measured == len(s.rows) {
		return
	}
	s.keys, s.measured = 0, len(s.rows)
	for i := range s.rows {
		if r := &s.rows[i]; len(r.Keys) > 0 {
			s.keys = max(s.keys, kit.Width(kit.KeyName(r.Keys[0])))
		}
	}
}

func (s *commands) Len() int          { return len(s.rows) }
func (s *commands) Version() int      { return s.version }
func (s *commands) Key(i int) string  { return s.rows[i].Group + "/" + s.rows[i].Words }
func (s *commands) Text(i int) string { return s.rows[i].Words }

func (s *commands) Line(i, w int, match []int) string {
	st := s.env.Styles
	r := &s.rows[i]
	key := ""
	if len(r.Keys) > 0 {
		key = kit.KeyName(r.Keys[0])
	}
	s.measure()
	right := st.Faint.Render(r.Group) + "  " + kit.Blank(s.keys-kit.Width(key)) + st.Keycap.Render(key)
	if w < 50 || r.Off != "" { // its words matter more
		right = st.Keycap.Render(key)
	}
	style := &st.Text
	left := s.env.Matched(r.Words, match, style)
	if r.Off != "" {
		left = st.Faint.Render(r.Words + " — " + r.Off)
	}
	return kit.Ends(left, right, w)
}
