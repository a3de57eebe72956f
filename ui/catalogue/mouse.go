package catalogue

import (
	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// Click implements kit.Pane.
func (c *Call) Click(x, y int, msg tea.MouseMsg) kit.Intent {
	switch c.tab() {
	case tabCall, tabFill:
		if _, wheel := msg.(tea.MouseWheelMsg); wheel && c.look > 0 && y >= c.look {
			c.st.look.Click(x, y-c.look, msg) // what is sent, below the form
			return nil
		}
		return c.st.input().Click(x, y, msg)
	case tabSchema:
		c.st.schema.Click(x, y, msg)
	case tabAbout:
		c.st.about.Click(msg)
	case tabBefore:
		return c.st.before.Click(x, y, msg)
	case tabMeta:
		return c.meta().input.Click(x, y, msg)
	}
	return nil
}

// Spots implements kit.Spotted: those of what the tab shows.
func (c *Call) Spots() []kit.Spot {
	var from any
	switch c.tab() {
	case tabCall, tabFill:
		from = c.st.input()
	case tabSchema:
		from = c.st.schema
	case tabBefore:
		from = c.st.before
	}
	if s, ok := from.(kit.Spotted); ok {
		return s.Spots()
	}
	return nil
}

// ScrollTo implements kit.Scroller.
func (c *Call) ScrollTo(from int) {
	switch c.tab() {
	case tabCall, tabFill:
		if s, ok := c.st.input().(kit.Scroller); ok {
			s.ScrollTo(from)
		}
	case tabSchema:
		c.st.schema.ScrollTo(from)
	case tabAbout:
		c.st.about.ScrollTo(from)
	case tabBefore:
		c.st.before.ScrollTo(from)
	}
}
