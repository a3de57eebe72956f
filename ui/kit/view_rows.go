package kit

import (
	"cmp"

	tea "charm.land/bubbletea/v2"

	"mcploupe/highlight"
	"mcploupe/session/jsondoc"
)

// Rows is the keys of a document. copied turns what is copied into an intent of the pane around.
func (v *View) Rows() []Row {
	if v.depth {
		return []Row{{Keys: []string{"1", "2", "3", "4", "5", "6", "7", "8", "9"}, Words: "fold to this depth", Group: "document"},
			{Keys: []string{"0"}, Words: "unfold all", Group: "document"}}
	}
	if v.search.Typing() {
		return v.search.Rows("document")
	}
	do := func(f func()) func() Intent { return func() Intent { f(); return nil } }
	json := ""
	if !v.isPretty() {
		json = "this text does not fold"
	}
	found := ""
	if v.search.Pattern() == "" {
		found = "search for something first: /"
	}
	rows := []Row{
		{Keys: []string{"space"}, Words: "fold", Group: "document", Off: json, Do: do(v.toggle)},
		{Keys: []string{"/"}, Words: "search", Group: "document", Do: do(v.search.Open)},
		{Keys: []string{"n"}, Words: "next hit", Group: "document", Off: found, Do: do(func() { v.nextHit(1) })},
		{Keys: []string{"N"}, Words: "previous hit", Group: "document", Off: found, Quiet: true, Do: do(func() { v.nextHit(-1) })},
		{Keys: []string{"z"}, Words: "fold to depth", Group: "document", Off: json, Quiet: true, Do: do(func() { v.depth = true })},
		{Keys: []string{"*"}, Words: "spotlight", Group: "document", Quiet: true, Do: func() Intent { return Spotlight{} }},
		{Keys: []string{"w"}, Words: "wrap long lines", Group: "document", Quiet: true, Do: do(v.toggleWrap)},
		{Keys: []string{"b"}, Words: "raw bytes", Group: "document", Quiet: true, Off: v.rawOff(), Do: do(v.toggleRaw)},
		{Keys: []string{"y"}, Words: "copy", Group: "copy", Do: v.copyValue},
		{Keys: []string{"Y"}, Words: "copy path", Group: "copy", Quiet: true, Off: cmp.Or(json, v.noPath()), Do: func() Intent { return Copy{string(v.Path()), "path"} }},
		{Words: "copy name", Group: "copy", Quiet: true, Off: cmp.Or(json, v.noName()), Do: func() Intent { return Copy{v.Node().Name(), "name"} }},
		{Keys: []string{"ctrl+y"}, Words: "copy all", Group: "copy", Quiet: true, Do: func() Intent { return Copy{string(v.text), "all of it, " + Size(int64(len(v.text)))} }},
		{Keys: []string{"up", "k"}, Words: "up", Group: "move", Quiet: true, Do: do(func() { v.goTo(v.at-1, -1) })},
		{Keys: []string{"down", "j"}, Words: "down", Group: "move", Quiet: true, Do: do(func() { v.goTo(v.at+1, 1) })},
		{Keys: []string{"left", "h"}, Words: "fold, or go to what is around", Group: "move", Quiet: true, Do: do(v.left)},
		{Keys: []string{"right", "l"}, Words: "unfold, or go inside", Group: "move", Quiet: true, Do: do(v.right)},
		{Keys: []string{"g", "home"}, Words: "first line", Group: "move", Quiet: true, Do: do(func() { v.goTo(0, 1) })},
		{Keys: []string{"G", "end"}, Words: "last line", Group: "move", Quiet: true, Do: do(func() { v.goTo(v.Lines()-1, -1) })},
		{Keys: []string{"ctrl+u", "pgup"}, Words: "half a page up", Group: "move", Quiet: true, Do: do(func() { v.page(-1) })},
		{Keys: []string{"ctrl+d", "pgdown"}, Words: "half a page down", Group: "move", Quiet: true, Do: do(func() { v.page(1) })},
	}
	if v.search.Pattern() != "" {
		rows = append(rows, Row{Keys: []string{"esc"}, Words: "end search", Group: "document", Quiet: true, Do: do(func() { v.search.End(); v.find(false) })})
	}
	return rows
}

func (v *View) rawOff() string {
	if v.doc == nil {
		return "this is the raw text"
	}
	return ""
}

// Copies is what can be copied of what is under the cursor, for a menu: by y, p and n.
func (v *View) Copies() []Row {
	if !v.isPretty() {
		return []Row{{Keys: []string{"y"}, Words: "all of this text", Do: v.copyValue}}
	}
	return []Row{
		{Keys: []string{"y"}, Words: "value at " + v.Where(), Do: v.copyValue},
		{Keys: []string{"p"}, Words: "path of it", Off: v.noPath(), Do: func() Intent { return Copy{string(v.Path()), "path"} }},
		{Keys: []string{"n"}, Words: "name of it", Off: v.noName(), Do: func() Intent { return Copy{v.Node().Name(), "name"} }},
	}
}

// noPath and noName say why there is none to copy: the path of the whole is an empty text, and would leave the clipboard as it was.
func (v *View) noPath() string {
	if v.Path() == "" {
		return "this is all of it: its path is empty"
	}
	return ""
}

func (v *View) noName() string {
	if v.Node().Name() == "" {
		return "this has no name"
	}
	return ""
}

func (v *View) copyValue() Intent {
	if n := v.Node(); n.Exists() && v.isPretty() {
		return Copy{string(n.Raw()), "value, " + Size(int64(len(n.Raw())))}
	}
	return Copy{string(v.text), "text, " + Size(int64(len(v.text)))}
}

func (v *View) page(d int) {
	step := max(v.h/2, 1) * d
	v.top = min(max(v.top+step, 0), max(v.Lines()-v.h, 0))
	v.goTo(v.at+step, d)
}

// toggle folds or unfolds the container under the cursor, or the one around a scalar.
func (v *View) toggle() {
	n := v.Node()
	if !n.Exists() || v.layout == nil {
		return
	}
	if v.layout.Folded(n.Node()) {
		v.layout.Fold(n.Node(), false)
	} else if !v.fold(n) {
		v.fold(n.Parent())
	}
	v.follow()
}

// fold folds a container and puts the cursor on it; it tells whether there was something to fold.
func (v *View) fold(n jsondoc.Value) bool {
	if !n.Exists() || !n.Is(jsondoc.Array) && !n.Is(jsondoc.Object) {
		return false
	}
	v.layout.Fold(n.Node(), true)
	if !v.layout.Folded(n.Node()) {
		return false // it is on one line anyway
	}
	v.node = n.Node()
	return true
}

func (v *View) left() {
	if !v.isPretty() || !v.wrap && v.x > 0 {
		v.x = max(0, v.x-8)
		return
	}
	n := v.Node()
	switch {
	case !v.layout.Folded(n.Node()) && v.fold(n):
	case n.Parent().Exists():
		v.node = n.Parent().Node()
	}
	v.follow()
}

func (v *View) right() {
	if !v.isPretty() {
		v.sideways(8)
		return
	}
	n := v.Node()
	switch {
	case v.layout.Folded(n.Node()):
		v.layout.Fold(n.Node(), false)
		v.follow()
	case n.Len() > 0:
		v.goTo(v.at+1, 1)
	default:
		v.sideways(8)
	}
}

func (v *View) sideways(d int) {
	if v.wrap {
		return
	}
	room := max(v.w-8, 8)
	v.x = min(max(v.x+d, 0), max(v.painter().Columns(v.top, v.top+v.h)-room, 0))
}

func (v *View) toggleWrap() {
	v.wrap, v.x = !v.wrap, 0
	for _, p := range []*highlight.Painter{v.pretty, v.raw} {
		if p != nil {
			v.look(p)
		}
	}
	v.follow()
}

// toggleRaw changes between the laid out document and its bytes; the cursor stays on its value.
func (v *View) toggleRaw() {
	v.showRaw = !v.showRaw
	v.top, v.x = 0, 0
	p := v.painter()
	v.look(p)
	p.SetHits(v.hits, v.hit)
	if row := p.RowOf(v.node); v.node >= 0 && row >= 0 {
		v.at = row
	}
	v.at = min(v.at, max(p.Rows()-1, 0))
	v.center()
	v.reveal()
}

// find looks for the pattern, and goes to the first hit from the cursor on. Through a long text it is looked beside the screen.
func (v *View) find(jump bool) {
	pattern, doc, text := v.search.Pattern(), v.doc, v.text
	if jump && pattern == v.sought && !v.seek.Busy() {
		v.jump = true
		v.found(v.hits)
		return
	}
	v.hits, v.hit, v.sought, v.jump = nil, -1, pattern, jump
	v.painter().SetHits(nil, -1)
	if pattern == "" {
		return
	}
	look := func() []highlight.Hit {
		if doc != nil {
			return highlight.Find(doc, pattern)
		}
		return highlight.FindText(text, pattern)
	}
	if len(text) <= Heavy {
		v.found(look())
		return
	}
	v.seek.Do(v.env, func() func() {
		hits := look()
		return func() {
			if v.doc == doc && v.sought == pattern {
				v.found(hits)
			}
		}
	})
}

// found takes what was found.
func (v *View) found(hits []highlight.Hit) {
	v.hits = hits
	v.painter().SetHits(v.hits, -1)
	if !v.jump || len(v.hits) == 0 {
		return
	}
	first := 0
	if v.doc != nil && v.node >= 0 {
		from := v.doc.Nodes[v.node].Value.From
		if k := v.doc.Nodes[v.node].Key; k.To > k.From {
			from = k.From
		}
		for first < len(v.hits)-1 && v.hits[first].From < from {
			first++
		}
	}
	v.gotoHit(first)
}

func (v *View) nextHit(d int) {
	if len(v.hits) == 0 {
		v.find(true)
		return
	}
	v.gotoHit(Step(v.hit, d, len(v.hits)))
}

func (v *View) gotoHit(i int) {
	v.hit = i
	p := v.painter()
	if v.layout != nil && v.isPretty() {
		v.layout.Reveal(v.hits[i].Node)
	}
	p.SetHits(v.hits, i)
	row, col := p.RowOfHit(i)
	if row < 0 {
		return
	}
	v.goTo(row, 0)
	if v.hits[i].Node >= 0 {
		v.node = v.hits[i].Node
	}
	v.center()
	v.reveal()
	v.showColumn(col)
}

// Draw is h lines of w cells or fewer.
func (v *View) Draw(w, h int, focused bool) []string {
	if w != v.w {
		v.w = w
		for _, p := range []*highlight.Painter{v.pretty, v.raw} {
			if p != nil {
				v.look(p)
			}
		}
		v.h = h
		v.follow()
	}
	if v.search.Shown() {
		h--
	}
	if v.search.Pattern() != v.sought {
		v.find(false) // another document is searched for the same
	}
	v.h = max(h, 0)
	p := v.painter()
	n := p.Rows()
	v.at = min(v.at, max(n-1, 0))
	v.top = min(max(v.top, 0), max(n-v.h, 0))
	if v.isPretty() {
		on := int32(-1)
		if focused {
			on = v.node
		}
		p.Select(on)
	}
	out := make([]string, 0, h+1)
	for k := v.top; k < n && k < v.top+v.h; k++ {
		row := p.Row(k, v.x)
		line := row.Text
		if k == v.at && focused && !v.isPretty() {
			line = Under(line, v.env.Styles.SelectedUp, w)
		} else if focused && v.env.Spotlight && !(v.isPretty() && v.lit(&row)) {
			line = v.env.Dim(line)
		}
		out = append(out, line)
	}
	for len(out) < v.h {
		out = append(out, "")
	}
	if v.search.Shown() {
		n := len(v.hits)
		if v.seek.Busy() {
			n = -1
		}
		out = append(out, v.search.Draw(v.env, v.hit, n, w))
	}
	return out
}

// Scroll is the part in view after a drawing.
func (v *View) Scroll() Scroll { return Scroll{v.top, v.h, v.Lines()} }

// Click puts the cursor where the mouse is; a click on the fold sign or on the bracket under the cursor
// folds; the wheel scrolls.
func (v *View) Click(x, y int, msg tea.MouseMsg) {
	if d, ok := msg.(DoubleClickMsg); ok {
		msg = tea.MouseClickMsg(d)
	}
	switch m := msg.(type) {
	case tea.MouseWheelMsg:
		right, down := Turned(m)
		if right != 0 {
			v.sideways(8 * right)
			return
		}
		v.top = min(max(v.top+3*down, 0), max(v.Lines()-v.h, 0))
	case tea.MouseClickMsg:
		if m.Button != tea.MouseLeft || y >= v.h {
			return
		}
		row := v.top + y
		again := row == v.at
		v.goTo(row, 0)
		if !v.isPretty() {
			return
		}
		if again || x < 8 && v.layout.Folded(v.node) {
			v.toggle()
			return
		}
		if n := v.painter().NodeAt(row, x, v.x); n >= 0 {
			v.node = n
		}
	}
}

// Where is the path of the cursor for the status line, escaped: "/result/tools/3 › name".
func (v *View) Where() string {
	if v.doc == nil {
		if v.mime != "" {
			return Escape(v.mime)
		}
		return ""
	}
	if p := v.Path(); p != "" {
		return Escape(string(p))
	}
	return "/"
}
