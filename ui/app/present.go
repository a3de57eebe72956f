package app

import (
	tea "charm.land/bubbletea/v2"

	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/handout"
	"mcploupe/ui/kit"
	"mcploupe/ui/slow"
)

// presentCommands are the commands for who shows the protocol to others.
func (m *Model) presentCommands() []kit.Row {
	none := ""
	if m.exchange.Ref() == (wire.Ref{}) {
		none = "none is on the screen"
	}
	words := "present: larger rows, words beside signs, keys shown"
	if m.env.Present {
		words = "present: as it was before"
	}
	light := "spotlight: only what is under the cursor"
	if m.env.Spotlight {
		light = "spotlight off"
	}
	return []kit.Row{
		{Words: words, Group: "teach", Do: func() kit.Intent { return present{} }},
		{Words: light, Group: "teach", Do: func() kit.Intent { return kit.Spotlight{} }},
		{Words: "handout: this story as Markdown with Mermaid", Group: "teach", Off: none, Do: func() kit.Intent { return m.storyText(m.exchange.Ref()) }},
		{Words: "handout: this story as one HTML file", Group: "teach", Off: none, Do: func() kit.Intent { return kit.HandOut{Ref: m.exchange.Ref()} }},
		{Words: "slow motion: play this frame by frame", Group: "teach", Off: none, Do: func() kit.Intent { return kit.OpenSlow{Ref: m.exchange.Ref()} }},
	}
}

// rowOf is an exchange that something is asked of; when the book has let go of it, that is said.
func (m *Model) rowOf(ref wire.Ref) *book.Row {
	row := m.book.Timeline.Row(ref)
	if row == nil {
		m.say("that exchange is not kept any more", true)
	}
	return row
}

// openSlow plays an exchange frame by frame.
func (m *Model) openSlow(ref wire.Ref) {
	row := m.rowOf(ref)
	if row == nil {
		return
	}
	m.open("slow", slow.New(m.env, m.book, row, m.o.Now), func(w, h int) (int, int) { return w - 4, h - 2 })
}

// handOut writes the story of an exchange as a page to hand out.
func (m *Model) handOut(ref wire.Ref) tea.Cmd {
	row := m.rowOf(ref)
	if row == nil {
		return nil
	}
	c := m.env.Chapter(m.book, row)
	for i, r := range c.Rows { // as they are now: the page is made beside the screen, while the book goes on
		now := *r
		c.Rows[i] = &now
	}
	page := handout.Handout{Server: m.book.Server.About(), Chapters: []handout.Chapter{c}}
	name := kit.StoryFile(ref, &c.Story)
	return func() tea.Msg {
		return writeFile(kit.Write{Name: name, Ext: ".html", Text: page.HTML(), What: "the handout"})()
	}
}

// storyText writes the story of an exchange as Markdown.
func (m *Model) storyText(ref wire.Ref) kit.Intent {
	row := m.rowOf(ref)
	if row == nil {
		return nil
	}
	s, _ := m.env.Story(m.book, row)
	return kit.WriteStory(ref, &s)
}
