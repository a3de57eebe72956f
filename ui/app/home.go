package app

import (
	"mcploupe/session/wire"
	"mcploupe/ui/kit"
)

// The page that stands there while no server is open: what can be opened, and how to open anything else.

// newHome is a screen without a server.
func (d *Deck) newHome() (*card, error) {
	o := d.o
	o.Session, o.Log, o.Desk, o.Start = nil, wire.NewLog(wire.LogOptions{}), nil, nil
	o.Faults = nil
	o.Learning = o.Learning.others()
	o.Closed, o.Seek = nil, false // these are of the first server
	o.Log.Close()
	c, err := d.newCard(o)
	if err != nil {
		return nil, err
	}
	m := c.m
	m.env.Now = m.o.Now // nothing is recorded here: time goes on
	m.home = newServers(d, m.env, true)
	m.focus, m.driver, m.before = atMain, atServer, atMain
	return c, nil
}

// homeWidth is how wide the list is at most: longer lines are hard to follow.
const homeWidth = 116

// arrangeHome gives the list its place: below the greeting, in the middle, as high as it has use for.
func (m *Model) arrangeHome() {
	m.lay = layout{w: m.w, h: m.h, divider: -1, cut: -1}
	if m.w < minWidth || m.h < minHeight {
		return
	}
	greeting := len(m.greeting(m.w))
	w := min(m.w-2, homeWidth)
	h := min(m.h-2-greeting, max(m.home.src.Len(), 5)+3)
	m.lay.at[atMain] = rect{(m.w - w) / 2, 1 + greeting, w, h}
	m.lay.columns = []column{{atMain}}
}

// greeting is what stands over the list.
func (m *Model) greeting(w int) []string {
	s := m.env.Styles
	pad := kit.Blank(max((w-homeWidth)/2, 1) + 1)
	say := func(text string) string { return pad + text }
	if m.h < 18 {
		return []string{say(s.Text.Render("Which server shall we look at?"))}
	}
	out := make([]string, max((m.h-30)/4, 0)+1)
	out = append(out, say(s.Title.Render("Which server shall we look at?")))
	lines := []string{"Choose one, or type a URL, or -- and the command that starts a server, or the file of a recorded journal.", "New here? The built-in server needs nothing to be installed, and the lessons teach the protocol on it."}
	if m.o.Title != "" {
		lines = []string{"Those of " + kit.Escape(m.o.Title) + " come first. tab marks several, which are then opened together.", lines[0]}
	}
	for _, l := range lines {
		for _, part := range kit.Wrap(l, min(w, homeWidth)-6) {
			out = append(out, say(s.Muted.Render(part)))
		}
	}
	return append(out, "")
}

// homeLines draws the page, but for the footer.
func (m *Model) homeLines(lines []string) {
	s := m.env.Styles
	lines[0] = kit.Fit(" "+s.Accent.Bold(true).Render("mcploupe")+"   "+s.Muted.Render("a loupe for MCP: look at a server, call it, read what it says"), m.w)
	for i, l := range m.greeting(m.w) {
		lines[1+i] = kit.Fit(l, m.w)
	}
	at := m.lay.at[atMain]
	for i, l := range m.column(m.lay.columns[0]) {
		lines[at.y+i] = kit.Fit(kit.Blank(at.x)+l, m.w)
	}
	for i := range m.h - 1 {
		if lines[i] == "" {
			lines[i] = kit.Blank(m.w)
		}
	}
}
