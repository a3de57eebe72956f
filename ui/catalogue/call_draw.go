package catalogue

import (
	"bytes"
	"fmt"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Draw implements kit.Pane.
func (c *Call) Draw(w, h int, focused bool) string {
	s := c.env.Styles
	c.scroll, c.w, c.look = kit.Scroll{}, w, 0
	var lines []string
	switch c.tab() {
	case tabCall, tabFill:
		if c.st.form != nil && !c.st.raw { // the form says itself what is wrong
			lines = c.formAndMore(w, h, focused)
			break
		}
		n := max(h-1, 1)
		lines = append(strings.Split(c.st.json.Draw(w, n, focused), "\n"), c.status(w))
	case tabSchema:
		lines = c.st.schema.Draw(w, h, focused)
		c.scroll = c.st.schema.Scroll()
	case tabAbout:
		c.describe(w)
		lines = c.st.about.Draw(w, h)
		c.scroll = c.st.about.Scroll()
	case tabMeta:
		lines = c.drawMeta(w, h, focused)
	case tabBefore:
		lines = c.st.before.List.Draw(w, h, focused)
		c.scroll = c.st.before.Scroll()
	default:
		lines = []string{s.Ghost.Render("Nothing is selected.")}
	}
	return kit.Block(lines, w, h)
}

// status is the line under the JSON: what is wrong with it, or that all is well.
func (c *Call) status(w int) string {
	s := c.env.Styles
	if in, ok := c.st.json.(kit.Stating); ok {
		return in.Status(w)
	}
	if problem := c.st.json.Problem(); problem != "" {
		return kit.Fit(s.Should.Render(kit.SignShould+" "+problem), w)
	}
	return kit.Fit(s.OK.Render(kit.SignOK)+s.Muted.Render(" fits the schema"), w)
}

// Head implements kit.Framed.
func (c *Call) Head(focused bool) (title, right string) {
	if c.st == nil {
		return c.env.Styles.Muted.Render("Nothing selected"), ""
	}
	title = c.env.Styles.Title.Render(c.st.item.Label)
	if c.editing() && c.st.history > 0 {
		title += c.env.Styles.Muted.Render(fmt.Sprintf(" %d of %d", c.st.history, c.st.past))
	}
	if c.editing() && c.st.from != 0 {
		title += c.env.Styles.Should.Render(fmt.Sprintf(" editing #%d", c.st.from))
	}
	if level := c.book.List(c.kind).WorstOf(&c.st.item); level > 0 {
		sign, style := c.env.Level(level)
		title += " " + style.Render(sign)
	}
	if len(excluded(c.book, &c.st.item)) > 0 {
		title += " " + c.env.Styles.Must.Render(kit.SignExcluded+" to leave out")
	}
	if c.editing() && c.kind != book.Resources {
		right = c.env.Styles.Muted.Render(map[bool]string{true: "JSON", false: "form"}[c.st.raw])
		if l := c.env.LogLevel; l != "" {
			right = c.env.Styles.Accent.Render("log "+l) + " " + right
		}
	}
	if c.metaWords() != "" {
		if right != "" {
			right += c.env.Styles.Faint.Render(" " + kit.SignDot + " ")
		}
		right += c.env.Styles.Should.Render("_meta altered")
	}
	return title, right
}

// Scroll implements kit.Framed.
func (c *Call) Scroll() kit.Scroll { return c.scroll }

// Want is how many lines the pane would like, 0 for as many as there are.
func (c *Call) Want() int {
	switch {
	case c.st == nil:
		return 3
	case c.editing() && !c.st.raw && c.st.form != nil:
		c.preview()
		return c.st.room(c.st.form.Lines() + 2 + c.st.look.Lines())
	case c.editing():
		return c.st.room(max(c.st.input().Lines()+3, 12) + 1) // with room for a list at the cursor
	case c.tab() == tabMeta:
		return max(c.meta().input.Lines(), 6) + 2
	case c.kind == book.Resources && c.w > 0:
		c.describe(c.w)
		return c.st.about.Len()
	}
	return 0
}

// formAndMore is the form, and below it, where there is room, what will be sent, and what the item says of itself.
func (c *Call) formAndMore(w, h int, focused bool) []string {
	s := c.env.Styles
	st := c.st
	n := min(h, st.form.Lines())
	c.preview()
	spare := h - n - 2
	if spare < 1 {
		lines := strings.Split(st.form.Draw(w, h, focused), "\n")
		if in, ok := st.form.(interface{ Scroll() kit.Scroll }); ok {
			c.scroll = in.Scroll()
		}
		return lines
	}
	lines := append(strings.Split(st.form.Draw(w, n, focused), "\n"), "", c.env.Section("What is sent", w))
	c.look = len(lines)
	lines = append(lines, st.look.Draw(w, min(spare, st.look.Lines()), false)...)
	if spare = h - len(lines) - 2; spare >= 6 {
		c.describe(w)
		st.about.Top()
		lines = append(lines, "", c.env.Section("About", w))
		lines = append(lines, st.about.Draw(w, spare)...)
		if st.about.Len() > spare {
			lines[len(lines)-1] = s.Faint.Render("…")
		}
	}
	return lines
}

// room is what the arguments want, and never less than they wanted before: the line below them must not move with each letter.
func (st *state) room(lines int) int {
	st.roomy = max(st.roomy, lines)
	return st.roomy
}

// previewed is how large a text may be to be shown beside the form.
const previewed = 128 << 10

// preview brings the document of what is sent up to date.
func (c *Call) preview() {
	text := c.st.input().Value()
	if c.st.shown == nil || !bytes.Equal(c.st.shown, text) {
		c.st.shown = bytes.Clone(text)
		if len(text) > previewed {
			c.st.look.SetText([]byte(kit.Size(int64(len(text)))+", too much to be shown with each key; ctrl+t shows it"), "text/plain")
			return
		}
		c.st.look.SetJSON(jsondoc.Parse(c.st.shown), nil)
	}
}
