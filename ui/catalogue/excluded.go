package catalogue

import (
	"mcploupe/inspect"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// excluded are the reasons for which a client must leave a tool out: over HTTP, since 2026-07-28. We show it struck through, and
// ask once before it is called.
func excluded(b *book.Book, it *book.Item) []inspect.Exclusion {
	if it.Kind != book.Tools || b.Server.Kind != "http" || b.Server.Era != "modern" {
		return nil
	}
	return inspect.Exclusions(it.Def)
}

// exclusionLines say it on the page about a tool.
func (c *Call) exclusionLines(w int) []string {
	reasons := excluded(c.book, &c.st.item)
	if len(reasons) == 0 {
		return nil
	}
	s := c.env.Styles
	lines := []string{s.Must.Render(kit.Cut(kit.SignExcluded+" Clients over HTTP must leave this tool out.", w))}
	for _, e := range reasons {
		for _, l := range kit.Paragraph(kit.Escape(e.Rule+" at "+string(e.At)+": "+e.Text), w-2) {
			lines = append(lines, "  "+s.Text.Render(l))
		}
	}
	return append(lines, "")
}

// confirmed is an intent to use the item, after a question where clients must leave it out. Who said yes is not asked again
// while the definition stays.
func (c *Call) confirmed(use kit.Intent) kit.Intent {
	st := c.st
	reasons := excluded(c.book, &st.item)
	if len(reasons) == 0 || st.agreed {
		return use
	}
	text := []string{"Clients over HTTP must leave " + st.item.Label + " out:"}
	for _, e := range reasons {
		text = append(text, kit.Escape(e.Rule+" at "+string(e.At)+": "+e.Text))
	}
	return kit.Confirm{Title: "A tool to leave out", Text: append(text, "A proper client would never call it."), Words: "call it all the same",
		Then: func() kit.Intent { st.agreed = true; return use }}
}
