package content

import (
	"slices"

	"mcploupe/session/jsondoc"
	"mcploupe/ui/kit"
)

// Rows is the keys of the content.
func (v *View) Rows() []kit.Row {
	if v.search.Typing() {
		return v.search.Rows("content")
	}
	v.arrange()
	do := func(f func()) func() kit.Intent { return func() kit.Intent { f(); return nil } }
	b, f, _ := v.here()
	var rows []kit.Row
	if !v.raw {
		rows = append(rows,
			kit.Row{Keys: []string{"t"}, Words: v.nextForm(), Group: "content", Off: v.noForms(b), Do: do(func() { v.turn(b, 1) })},
			kit.Row{Keys: []string{"x"}, Words: v.hexWords(b), Group: "content", Quiet: true, Off: v.noForms(b), Do: do(func() { v.hex(b) })},
			kit.Row{Keys: []string{"v"}, Words: "view the picture", Group: "content", Quiet: !b.hasPicture(), Off: b.noPicture(), Do: func() kit.Intent {
				return kit.ShowPicture{Data: b.made.bytes, Title: b.title}
			}},
			kit.Row{Keys: []string{"O"}, Words: "read the link", Group: "content", Quiet: b == nil || b.link == "", Off: b.noLink(), Do: func() kit.Intent { return kit.FollowLink{URI: b.link} }},
			kit.Row{Keys: []string{"W"}, Words: "write it to a file", Group: "content", Quiet: true, Off: b.noBytes(), Do: func() kit.Intent { return b.write() }},
		)
	}
	wide := "it has no columns"
	if s, ok := f.(sider); ok && s.wide() {
		wide = ""
	}
	next, before := []string{"n", ")"}, []string{"N", "("}
	if v.search.Pattern() != "" {
		next, before = next[1:], before[1:] // n and N go through what was found
		rows = append(rows,
			kit.Row{Keys: []string{"n"}, Words: "next hit", Group: "content", Do: do(func() { v.nextHit(1) })},
			kit.Row{Keys: []string{"N"}, Words: "previous hit", Group: "content", Quiet: true, Do: do(func() { v.nextHit(-1) })},
			kit.Row{Keys: []string{"esc"}, Words: "end search", Group: "content", Quiet: true, Do: do(func() { v.search.End(); v.seek(false) })})
	}
	return append(rows,
		kit.Row{Keys: []string{"/"}, Words: "search", Group: "content", Off: v.none(), Do: do(v.search.Open)},
		kit.Row{Keys: []string{"space"}, Words: "fold", Group: "content", Quiet: true, Do: do(v.fold)},
		kit.Row{Keys: next, Words: "next part", Group: "content", Quiet: true, Off: v.single(), Do: do(func() { v.part(1) })},
		kit.Row{Keys: before, Words: "part before", Group: "content", Quiet: true, Off: v.single(), Do: do(func() { v.part(-1) })},
		kit.Row{Keys: []string{"up", "k"}, Words: "up", Group: "move", Quiet: true, Do: do(func() { v.move(-1) })},
		kit.Row{Keys: []string{"down", "j"}, Words: "down", Group: "move", Quiet: true, Do: do(func() { v.move(1) })},
		kit.Row{Keys: []string{"left", "h"}, Words: "columns to the left", Group: "move", Quiet: true, Off: wide, Do: do(func() { v.side(-1) })},
		kit.Row{Keys: []string{"right", "l"}, Words: "columns to the right", Group: "move", Quiet: true, Off: wide, Do: do(func() { v.side(1) })},
		kit.Row{Keys: []string{"ctrl+u", "pgup"}, Words: "half a page up", Group: "move", Quiet: true, Do: do(func() { v.page(-1) })},
		kit.Row{Keys: []string{"ctrl+d", "pgdown"}, Words: "half a page down", Group: "move", Quiet: true, Do: do(func() { v.page(1) })},
		kit.Row{Keys: []string{"g", "home"}, Words: "first line", Group: "move", Quiet: true, Do: do(func() { v.move(-v.at) })},
		kit.Row{Keys: []string{"G", "end"}, Words: "last line", Group: "move", Quiet: true, Do: do(func() { v.move(v.total()) })},
	)
}

// Copies is what can be copied of what is under the cursor: by y, p and n.
func (v *View) Copies() []kit.Row {
	v.arrange()
	b, f, k := v.here()
	if b == nil || b.state != ready {
		return nil
	}
	whole := kit.Row{Keys: []string{"y"}, Words: "this part", Off: b.noBytes(), Do: func() kit.Intent {
		return kit.Copy{Text: string(b.made.bytes), What: "this part, " + kit.Size(int64(len(b.made.bytes)))}
	}}
	rows := []kit.Row{whole}
	if h, ok := f.(holder); ok && k >= 0 {
		if x := h.value(k); x.Exists() {
			rows[0].Keys = []string{"n"}
			rows = append([]kit.Row{{Keys: []string{"y"}, Words: "the value in this line", Do: func() kit.Intent {
				return kit.Copy{Text: string(x.Raw()), What: "value, " + kit.Size(int64(len(x.Raw())))}
			}}}, rows...)
		}
	}
	if path := v.pathHere(); path != "" {
		rows = append(rows, kit.Row{Keys: []string{"p"}, Words: "path of it", Do: func() kit.Intent { return kit.Copy{Text: string(path), What: "path"} }})
	}
	return rows
}

// Path leads to what is under the cursor in the message; "" where there is nothing.
func (v *View) Path() jsondoc.Pointer { v.arrange(); return v.pathHere() }

func (v *View) noForms(b *block) string {
	switch {
	case b == nil:
		return "there is nothing"
	case b.state != ready:
		return "it is still being read"
	case len(b.made.forms) < 2:
		return "there is only one way to show it"
	}
	return ""
}

func (v *View) none() string {
	if len(v.blocks) == 0 {
		return "the content is empty"
	}
	return ""
}

func (v *View) single() string {
	if len(v.blocks) < 2 {
		return "there is only one part"
	}
	return ""
}

// nextForm names what t does.
func (v *View) nextForm() string {
	b, _, _ := v.here()
	if v.noForms(b) != "" {
		return "show otherwise"
	}
	return "as " + b.made.forms[(b.at+1)%len(b.made.forms)].name()
}

func (v *View) hexWords(b *block) string {
	if b != nil && b.state == ready && len(b.made.forms) > 0 && b.made.forms[b.at].name() == "hex" {
		return "as it is"
	}
	return "as hex"
}

// turn shows a block in its next form; the cursor goes to its title.
func (v *View) turn(b *block, d int) {
	b.at = kit.Step(b.at, d, len(b.made.forms))
	v.shown(b)
}

// hex shows a block in hex, or in its first form again.
func (v *View) hex(b *block) {
	last := len(b.made.forms) - 1
	if b.at == last {
		b.at = 0
	} else {
		b.at = last
	}
	v.shown(b)
}

// shown unfolds a block that was turned, and keeps the cursor in it.
func (v *View) shown(b *block) {
	b.folded = false
	v.arrange()
	if i := slices.Index(v.blocks, b); i >= 0 { // else something else is shown by now
		v.at = min(max(v.at, v.starts[i]), v.starts[i+1]-1)
	}
	v.reveal()
}

// fold folds what is under the cursor: a value of JSON, else the whole part.
func (v *View) fold() {
	b, f, k := v.here()
	if b == nil {
		return
	}
	if x, ok := f.(folder); ok && k >= 0 && x.toggle(k) {
		v.arrange()
		v.reveal()
		return
	}
	b.folded = !b.folded
	v.arrange()
	v.at = v.starts[slices.Index(v.blocks, b)]
	v.reveal()
}

// part goes to the next part, or the one before.
func (v *View) part(d int) {
	i, _ := v.find(v.at)
	v.at = v.starts[kit.Step(i, d, len(v.blocks))]
	v.ScrollTo(v.at)
}

func (v *View) move(d int) {
	v.at = min(max(v.at+d, 0), max(v.total()-1, 0))
	v.reveal()
}

func (v *View) page(d int) {
	step := max(v.h/2, 1) * d
	v.ScrollTo(v.top + step)
	v.move(step)
}

func (v *View) side(d int) {
	if _, f, _ := v.here(); f != nil {
		if s, ok := f.(sider); ok && s.wide() {
			s.side(d)
		}
	}
}

// reveal brings the cursor into view, below a head that stays there.
func (v *View) reveal() {
	if v.h <= 0 {
		return
	}
	v.top = min(max(v.top, v.at-v.h+1), v.at)
	if v.top == v.at && v.top > 0 && v.sticky() != "" {
		v.top--
	}
}

func (b *block) noLink() string {
	if b == nil || b.link == "" {
		return "this part is no link to a resource"
	}
	return ""
}

func (b *block) hasPicture() bool { return b != nil && b.made.whole }

func (b *block) noPicture() string {
	switch {
	case b.hasPicture():
		return ""
	case b != nil && b.state != ready:
		return "it is still being read"
	}
	return "this part is no picture that could be drawn"
}

func (b *block) noBytes() string {
	switch {
	case b == nil || b.from == fromCard:
		return "there are no bytes in it"
	case b.state != ready:
		return "it is still being read"
	}
	return ""
}

// write is the block as a file.
func (b *block) write() kit.Intent {
	name := b.uri
	if name == "" {
		name = b.title
	}
	return kit.Write{Name: name, Ext: ending(b), Text: string(b.made.bytes), What: "this part"}
}
