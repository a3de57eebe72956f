package catalogue

import (
	"mcploupe/inspect"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// shadowed is the sign of a tool that can be taken for one of another open server.
func (p *Panel) shadowed(it *book.Item) string {
	if it.Kind != book.Tools || len(p.env.Shadows.About(it.ID)) == 0 {
		return ""
	}
	return p.env.Styles.Should.Render(kit.SignShadow) + " "
}

// shadowLines say for which, on the page about a tool.
func (c *Call) shadowLines(w int) []string {
	it := &c.st.item
	lines := c.env.Shadows.About(it.ID)
	if it.Kind != book.Tools || len(lines) == 0 {
		return nil
	}
	s := c.env.Styles
	out := []string{s.Should.Render(kit.Cut(kit.SignShadow+" A model that is given all open servers can be misled here.", w))}
	for _, line := range lines {
		for _, l := range kit.Wrap(line, w-2) {
			out = append(out, "  "+s.Text.Render(l))
		}
	}
	return append(out, s.Muted.Render(kit.Cut("  "+inspect.ToolShadowing+": the command “tool shadowing” lists all, and i there explains it", w)), "")
}
