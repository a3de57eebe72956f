package content

import (
	"sort"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// View shows the blocks of one answer below each other, each in the form that a person chose for it. It keeps how they look (cursor,
// forms, folds); what they are is the answer's.
type View struct {
	env    *kit.Env
	blocks []*block
	left   int  // blocks beyond maxBlocks
	raw    bool // parts of bytes, in hex alone
	marks  []Mark
	liked  bool // texts were held against structuredContent

	at, top int   // rows of all
	starts  []int // first row of each block, and the number of rows
	w, h    int
	laidW   int // the width that rows were laid out for

	search    search
	rendering *int     // what is rendered beside the screen
	soon      drawnFor // what parts were rendered for at once,
	room      int      // and how many bytes more may be
}

// New is a view of nothing yet.
func New(env *kit.Env) *View { return &View{env: env} }

// Set shows the blocks of a result.
func (v *View) Set(result jsondoc.Value) {
	v.reset()
	v.blocks, v.left = blocksOf(result)
	v.settle()
}

// reset begins anew. What is searched for stays.
func (v *View) reset() {
	was := v.search
	*v = View{env: v.env, w: v.w, h: v.h, marks: v.marks}
	v.search.Search, v.search.latest, v.search.on = was.Search, was.latest, -1
}

// Bytes are shown as they are; the title is escaped.
type Bytes struct {
	Title string
	Data  []byte
}

// SetBytes shows parts in hex.
func (v *View) SetBytes(parts []Bytes) {
	v.reset()
	v.raw, v.left = true, max(len(parts)-maxBlocks, 0)
	for _, p := range parts[:len(parts)-v.left] {
		v.blocks = append(v.blocks, &block{title: p.Title, from: fromBytes, raw: p.Data})
	}
	v.settle()
}

// form is the form in which a block is shown; nil when it is not ready, or folded.
func (b *block) form() form {
	if b.state != ready || b.folded || len(b.made.forms) == 0 {
		return nil
	}
	return b.made.forms[b.at]
}

// lead is the number of rows over the form: title, card, notes.
func (v *View) lead(b *block) int {
	switch {
	case b.folded:
		return 1 + len(b.notes)
	case b.state != ready:
		return 2 + len(b.cardLines(v.env, v.w))
	}
	return 1 + len(b.cardLines(v.env, v.w)) + len(b.notes)
}

// cardLines is the card for a width, made once: where each part begins is asked for with every key.
func (b *block) cardLines(e *kit.Env, w int) []string {
	if len(b.card) == 0 {
		return nil
	}
	if key := (cardKey{w, len(b.card), e.Styles}); key != b.linesFor {
		b.linesFor, b.lines = key, e.Labelled(b.card, w)
	}
	return b.lines
}

// cardKey is what the lines of a card were made for.
type cardKey struct {
	w, n   int
	styles *themes.Styles
}

func (v *View) total() int {
	if len(v.starts) == 0 {
		return 0
	}
	n := v.starts[len(v.starts)-1]
	if v.left > 0 {
		n += 2
	}
	return n
}

// find is the block of a row, and the row in it; -1 for none.
func (v *View) find(row int) (i, k int) {
	if len(v.blocks) == 0 || row < 0 || row >= v.starts[len(v.blocks)] {
		return -1, 0
	}
	i = sort.SearchInts(v.starts, row+1) - 1
	return i, row - v.starts[i]
}

// here is the block under the cursor, its form if it is shown, and the row of the form: below 0 over it.
func (v *View) here() (*block, form, int) {
	i, k := v.find(v.at)
	if i < 0 {
		return nil, nil, 0
	}
	b := v.blocks[i]
	return b, b.form(), k - v.lead(b)
}

// Draw is h lines of w cells or fewer.
func (v *View) Draw(w, h int, focused bool) []string {
	all := h
	if v.search.Shown() {
		h--
	}
	inView := v.top <= v.at && v.at < v.top+max(v.h, 1)
	v.w, v.h = w, max(h, 0)
	v.arrange()
	v.ScrollTo(v.top)
	if inView {
		v.reveal()
	}
	v.keepFinding()
	if len(v.blocks) == 0 {
		return []string{v.env.Styles.Ghost.Render("the content is empty")}
	}
	out := make([]string, 0, h)
	for row := v.top; row < v.total() && len(out) < h; row++ {
		line := v.row(row, focused && row == v.at)
		if row == v.top {
			if head := v.sticky(); head != "" {
				line = head
			}
		}
		out = append(out, line)
	}
	if v.search.Shown() && all > 0 {
		for len(out) < v.h {
			out = append(out, "")
		}
		out = append(out, v.searchLine(w))
	}
	return out
}

// sticky is the head of the table that the first row in view is inside of, "" for none.
func (v *View) sticky() string {
	i, k := v.find(v.top)
	if i < 0 {
		return ""
	}
	if f, ok := v.blocks[i].form().(topped); ok && k >= v.lead(v.blocks[i]) {
		return f.top(k - v.lead(v.blocks[i]))
	}
	return ""
}

// row paints one row.
func (v *View) row(row int, on bool) string {
	s := v.env.Styles
	i, k := v.find(row)
	if i < 0 {
		if v.left > 0 && row == v.total()-1 {
			where := "the Response has them all"
			if v.raw {
				where = "as text they are all there"
			}
			return s.Muted.Render(kit.Cut(kit.Number(v.left)+" more parts are left out here; "+where, v.w))
		}
		return ""
	}
	b := v.blocks[i]
	f := b.form()
	line := ""
	switch lead := v.lead(b); {
	case k < lead:
		line = v.over(b, k, lead)
	case f != nil && k-lead < f.rows():
		line = f.row(k-lead, on)
		if _, coloured := f.(inked); coloured {
			return line
		}
		if _, table := f.(*tablesForm); table && on && f.(holder).value(k-lead).Exists() {
			return line
		}
	}
	if on {
		return kit.Under(line, s.SelectedUp, v.w)
	}
	return line
}

// over paints what stands over a form.
func (v *View) over(b *block, k, lead int) string {
	s := v.env.Styles
	if k == 0 {
		return v.title(b)
	}
	k--
	if !b.folded {
		card := b.cardLines(v.env, v.w)
		if k < len(card) {
			return b.cardFound.marked(v.env, card[k], k)
		}
		k -= len(card)
	}
	if b.state != ready {
		return s.Running.Render(kit.Cut("reading "+kit.Size(int64(b.size()))+" …", v.w))
	}
	return s.Should.Render(kit.Cut(kit.SignShould+" "+b.notes[k], v.w))
}

// title is the line over a block: what it is, and at the right the forms that it has.
func (v *View) title(b *block) string {
	s := v.env.Styles
	fold := kit.SignUnfolded
	if b.folded {
		fold = kit.SignFolded
	}
	var forms strings.Builder
	if b.state == ready && len(b.made.forms) > 1 {
		for i, f := range b.made.forms {
			if i > 0 {
				forms.WriteString(s.Faint.Render(" " + kit.SignDot + " "))
			}
			if i == b.at {
				forms.WriteString(s.Accent.Underline(true).Render(f.name()))
			} else {
				forms.WriteString(s.Muted.Render(f.name()))
			}
		}
	}
	right := forms.String()
	room := v.w - kit.Width(right) - 5
	marks := v.marked(b, room-kit.Width(b.title)-1)
	left := s.Muted.Render(fold) + " " + s.Title.Render(kit.Cut(b.title, max(room-kit.Width(marks), 8))) + marks
	if n := v.w - kit.Width(left) - kit.Width(right) - 2; n > 0 {
		left += " " + s.Border.Render(strings.Repeat("─", n)) + " "
	}
	return kit.Cut(left+right, v.w)
}

// Scroll is the part in view after a drawing.
func (v *View) Scroll() kit.Scroll { return kit.Scroll{From: v.top, Shown: v.h, Total: v.total()} }

// Where is the place of the cursor, for the status line.
func (v *View) Where() string {
	v.arrange() // a frame without room for a line is not drawn, and has a foot all the same
	b, f, k := v.here()
	if b == nil {
		return ""
	}
	path := kit.Escape(string(v.pathHere()))
	if p, ok := f.(placed); ok && k >= 0 {
		if words := p.place(k); words != "" && path != "" {
			return path + "  " + words
		} else if words != "" {
			return words
		}
	}
	return path
}

// pathHere leads to what is under the cursor, as far as it has a path in the message.
func (v *View) pathHere() jsondoc.Pointer {
	b, f, k := v.here()
	if b == nil {
		return ""
	}
	if h, ok := f.(holder); ok && k >= 0 && b.inset {
		if x := h.value(k); x.Exists() {
			if t, ok := f.(*tablesForm); ok {
				return b.inner + t.pointer(k)
			}
			return b.inner + x.Pointer()
		}
	}
	return b.path
}

// Click puts the cursor where the mouse is; a second click on a title folds; the wheel scrolls.
func (v *View) Click(x, y int, msg tea.MouseMsg) {
	v.arrange()
	if d, ok := msg.(kit.DoubleClickMsg); ok {
		msg = tea.MouseClickMsg(d)
	}
	switch m := msg.(type) {
	case tea.MouseWheelMsg:
		right, down := kit.Turned(m)
		if right != 0 {
			v.side(right)
			return
		}
		v.ScrollTo(v.top + 3*down)
	case tea.MouseClickMsg:
		if m.Button != tea.MouseLeft || y >= v.h || v.top+y >= v.total() {
			return
		}
		if v.pressForm(x, y) {
			return
		}
		again := v.at == v.top+y
		v.at = v.top + y
		if again {
			v.fold()
		}
	}
}

// Top goes back to the beginning.
func (v *View) Top() { v.at, v.top = 0, 0 }
