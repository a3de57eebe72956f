package kit

import "cmp"

// Source is what a List shows. Only rows in view are asked for their line.
type Source interface {
	Len() int
	// Version grows whenever rows come, go or change their texts.
	Version() int
	// Key tells a row from the others for as long as it exists: the cursor stays on it when rows move.
	Key(i int) string
	// Text is what the filter looks at: plain, escaped, as it stands in the row.
	Text(i int) string
	// Line is the row in w cells or fewer; match are the runes of Text that the filter found.
	Line(i, w int, match []int) string
}

// List is a windowed list: cursor, scrolling, filter. It keeps how the list looks; what is in it is the
// source's. Ten thousand rows cost no more than those in view.
type List struct {
	env    *Env
	source Source
	Quiet  bool   // without focus the cursor does not show: its row is not what the rest of the screen is about
	Follow bool   // the cursor stays at the end while it is there (a log); moving up lets go
	Empty  string // what an empty list says
	None   string // what it says when the filter leaves nothing; "nothing matches" when empty
	Finder Finder // finds the rows; nil: by a fuzzy match of their texts
	Exact  bool   // the filter finds the words as they are, and the order stays: for a log, whose order is its time

	at        int    // cursor, an index into rows
	key       string // of the row under the cursor
	gone      string // of the row that was under it and went; the cursor returns to it when it comes back before somebody moves
	top       int
	h         int // lines of the last drawing
	head      int // lines above the rows then
	step      int // lines that a row took then: 2 with room between rows
	following bool
	version   int
	synced    bool

	filter  prompt
	typing  bool
	shown   []int   // rows that pass the filter, in order; nil without filter
	matches [][]int // their matched runes
	texts   []string
}

// NewList shows a source.
func NewList(env *Env, source Source) *List {
	return &List{env: env, source: source, following: true}
}

// sync brings cursor and filter up to date with the source.
func (l *List) sync() {
	v := l.source.Version()
	if l.synced && v == l.version {
		return
	}
	fresh := !l.synced
	l.version, l.synced = v, true
	l.texts = nil
	l.refilter()
	n := l.Len()
	switch {
	case n == 0:
		l.at, l.top = 0, 0
		return
	case l.Follow && l.following, fresh && l.Follow:
		l.at = n - 1
	case l.gone != "" && l.find(l.gone):
		l.gone = ""
	case l.key != "" && (l.at >= n || l.keyAt(l.at) != l.key):
		if !l.find(l.key) && l.gone == "" {
			l.gone = l.key // a list that is read again comes page by page
		}
	}
	l.at = min(max(l.at, 0), n-1)
	l.key = l.keyAt(l.at)
}

// find puts the cursor on the row with this key: near the cursor first, rows mostly move a little.
func (l *List) find(key string) bool {
	n := l.Len()
	for d := 1; d < n+l.at; d++ {
		for _, i := range [2]int{l.at - d, l.at + d} {
			if 0 <= i && i < n && l.keyAt(i) == key {
				l.at = i
				return true
			}
		}
	}
	return false
}

func (l *List) keyAt(i int) string { return l.source.Key(l.row(i)) }

// row is the source's index of the i-th shown row.
func (l *List) row(i int) int {
	if l.shown != nil {
		return l.shown[i]
	}
	return i
}

// Len is the number of rows that pass the filter.
func (l *List) Len() int {
	if l.shown != nil {
		return len(l.shown)
	}
	return l.source.Len()
}

// Row is the source's index of the i-th row that passes the filter.
func (l *List) Row(i int) int { return l.row(i) }

// Following tells that the cursor stays at the end while rows are added.
func (l *List) Following() bool { return l.Follow && l.following }

// Selected is the source's index of the row under the cursor; -1 in an empty list.
func (l *List) Selected() int {
	l.sync()
	if l.Len() == 0 {
		return -1
	}
	return l.row(l.at)
}

// Select puts the cursor on the row with this key, if it is there. A filter that hides it is dropped.
func (l *List) Select(key string) bool {
	l.sync()
	ok := func() bool {
		return l.Len() > 0 && (l.keyAt(l.at) == key || l.find(key))
	}
	found := ok()
	if !found && l.Filter() != "" {
		l.setFilter("")
		found = ok()
	}
	if found {
		l.moved(l.at)
	}
	return found
}

// Move moves the cursor by d rows.
func (l *List) Move(d int) { l.sync(); l.moved(l.at + d) }

// Home and End move to the first and last row.
func (l *List) Home() { l.sync(); l.moved(0) }

// End moves to the last row; a following list follows again from there.
func (l *List) End() { l.sync(); l.moved(l.Len() - 1) }

// Page moves by parts of a page: 1 and -1 are a whole one, 0.5 a half.
func (l *List) Page(part float64) {
	d := int(part * float64(max(l.h-1, 1)))
	if d == 0 && part > 0 {
		d = 1
	} else if d == 0 {
		d = -1
	}
	l.Move(d)
}

func (l *List) moved(to int) {
	n := l.Len()
	if n == 0 {
		return
	}
	l.at = min(max(to, 0), n-1)
	l.key, l.gone = l.keyAt(l.at), ""
	l.following = l.at == n-1
	l.reveal()
}

func (l *List) reveal() {
	if l.h <= 0 {
		return
	}
	l.top = min(max(l.top, l.at-l.h+1), l.at)
}

// Rows is the keys that every list has. change is called after the cursor moved, and gives the intent.
func (l *List) Rows(change func() Intent) []Row {
	do := func(f func()) func() Intent {
		return func() Intent { f(); return change() }
	}
	nothing := ""
	if l.Len() == 0 && l.Filter() == "" {
		nothing = "there is nothing to filter"
	}
	rows := []Row{
		{Keys: []string{"up", "k"}, Words: "up", Group: "move", Quiet: true, Do: do(func() { l.Move(-1) })},
		{Keys: []string{"down", "j"}, Words: "down", Group: "move", Quiet: true, Do: do(func() { l.Move(1) })},
		{Keys: []string{"g", "home"}, Words: "first", Group: "move", Quiet: true, Do: do(l.Home)},
		{Keys: []string{"G", "end"}, Words: "last", Group: "move", Quiet: true, Do: do(l.End)},
		{Keys: []string{"ctrl+u", "pgup"}, Words: "half a page up", Group: "move", Quiet: true, Do: do(func() { l.Page(-0.5) })},
		{Keys: []string{"ctrl+d", "pgdown"}, Words: "half a page down", Group: "move", Quiet: true, Do: do(func() { l.Page(0.5) })},
		{Keys: []string{"/"}, Words: "filter", Group: "list", Off: nothing, Do: func() Intent { l.OpenFilter(); return nil }},
	}
	if l.Filter() != "" && !l.typing {
		rows = append(rows, Row{Keys: []string{"esc"}, Words: "drop filter", Group: "list", Do: do(func() { l.ClearFilter() })})
	}
	return rows
}

// Draw is at most h lines of w cells: the filter line when there is one, then the rows in view.
func (l *List) Draw(w, h int, focused bool) []string {
	l.sync()
	s := l.env.Styles
	var out []string
	if l.typing || l.Filter() != "" {
		out = append(out, Ends(l.filter.draw(s, l.typing),
			s.Muted.Render(Number(l.Len())+" of "+Number(l.source.Len())), w))
		out = append(out, l.noteLines(w, h)...)
		h -= len(out)
	}
	l.head = len(out)
	n, step := l.Len(), 1
	if l.env.Present && focused && (h >= roomyFrom || 2*n-1 <= h) {
		step = 2
	}
	l.h = (max(h, 0) + step - 1) / step
	if n == 0 && h > 0 {
		empty := l.Empty
		if l.Filter() != "" {
			empty = cmp.Or(l.None, "nothing matches")
		}
		if empty != "" {
			out = append(out, s.Ghost.Render(Cut(empty, w)))
		}
		return out
	}
	l.top = min(l.top, max(n-l.h, 0))
	if l.Follow && l.following {
		l.top = max(n-l.h, 0)
	}
	if l.h > 0 && (l.at < l.top || l.at >= l.top+l.h) && (!focused || l.step != step) {
		l.reveal()
	}
	l.step = step
	for i := l.top; i < n && i < l.top+l.h; i++ {
		var match []int
		switch {
		case l.matches != nil:
			match = l.matches[i]
		case l.Finder != nil && l.Filter() != "":
			match = l.Finder.Match(l.Filter(), l.row(i))
		}
		line := l.source.Line(l.row(i), w-2, match)
		switch {
		case i == l.at && focused:
			line = Under(SignPointer+" "+Fit(line, w-2), s.Selected, w)
		case i == l.at && !l.Quiet:
			line = Under(SignPointer+" "+Fit(line, w-2), s.SelectedUp, w)
		default:
			line = "  " + Fit(line, w-2)
			if focused && l.env.Spotlight {
				line = l.env.Dim(line)
			}
		}
		out = append(out, line)
		if step > 1 && len(out)-l.head < h {
			out = append(out, "")
		}
	}
	return out
}

// roomyFrom is the lines from which a list that is shown to others leaves room between its rows, though not all fit then.
const roomyFrom = 8

// Scroll is the part in view after a drawing, for the frame.
func (l *List) Scroll() Scroll { return Scroll{l.top, l.h, l.Len()} }

// Wheel scrolls by lines without moving the cursor.
func (l *List) Wheel(d int) {
	l.sync()
	l.top = min(max(l.top+d, 0), max(l.Len()-l.h, 0))
	l.following = false
	if l.top+l.h >= l.Len() && l.at == l.Len()-1 {
		l.following = true
	}
}

// ClickAt puts the cursor on the row of a line of the last drawing; false where there is none.
func (l *List) ClickAt(y int) bool {
	l.sync()
	y -= l.head
	row := y / max(l.step, 1)
	i := l.top + row
	if y < 0 || i >= l.Len() || row >= l.h {
		return false
	}
	l.moved(i)
	return true
}
