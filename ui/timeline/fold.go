package timeline

import (
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
)

// A form asks for suggestions while somebody types, some ten questions for a word, and a server may log a line for each
// thing it does. In the panel each run of such questions about the same argument, and each run of log messages that came
// on their own, is one row, the newest, with how many it stands for; nothing is hidden, and a key unfolds them. So
// do the polls of a task that were told the same, wherever they stand.

// folded is the rows of the panel.
type folded struct {
	all     bool // every exchange has its row
	rows    []foldedRow
	seen    int // version of the timeline that rows were made of
	made    bool
	open    bool // rows were made with nothing folded
	version int
	any     bool     // something is or could be folded
	only    wire.Seq // of a request: nothing but it and what belongs to it is shown; 0 shows all
}

// foldedRow is an exchange and how many before it are folded into its row.
type foldedRow struct {
	row  *book.Row
	more int
}

// fold brings the rows up to date. Nothing is folded while a filter looks for single exchanges.
func (f *folded) fold(t *book.Timeline, filtered bool) {
	open := f.all || filtered
	if f.made && f.seen == t.Version() && f.open == open {
		return
	}
	f.made, f.seen, f.open = true, t.Version(), open
	f.version++
	f.rows, f.any = f.rows[:0], false
	polls := map[*book.Task]int{} // where the newest poll of a task stands
	for _, r := range t.Rows {
		if f.only != 0 && !belongs(r, f.only) {
			continue
		}
		if poll(r) {
			at, known := polls[r.Task]
			if known && sameState(f.rows[at].row, r) {
				f.any = true
				if !open {
					f.rows[at].more++ // the first one stays: it says since when
					continue
				}
			}
			polls[r.Task] = len(f.rows)
		}
		n := len(f.rows)
		if n > 0 && sameRun(f.rows[n-1].row, r) {
			f.any = true
			if !open {
				f.rows[n-1] = foldedRow{r, f.rows[n-1].more + 1}
				continue
			}
		}
		f.rows = append(f.rows, foldedRow{r, 0})
	}
}

// follow shows nothing but a request and what belongs to it; 0 shows all again.
func (f *folded) follow(only wire.Seq) { f.only, f.made = only, false }

// belongs tells that a row is a request, or what came for it: notifications of a subscription, answers with another id on its
// stream, a retry of it.
func belongs(r *book.Row, request wire.Seq) bool {
	return r.Ref.Seq == request || r.X.Of == request || r.X.Retries == request
}

func (f *folded) toggle() { f.all, f.made = !f.all, false }

// words say what the key does; "" when there is nothing to fold.
func (f *folded) words() string {
	switch {
	case !f.any:
		return ""
	case f.all:
		return "fold what repeats"
	}
	return "unfold what repeats"
}

// sameRun tells that two rows are of the same kind, and that nothing was found about the earlier one that a person has to
// see.
func sameRun(a, b *book.Row) bool {
	if a.Worst > b.Worst || a.Method != b.Method {
		return false
	}
	switch {
	case a.Method == mcp.LogMessage:
		return a.Lone() && b.Lone() && !a.Sent() && !b.Sent()
	case a.Method != mcp.Complete || a.Lone() || b.Lone():
		return false
	}
	x, y := a.X.Request.Params(), b.X.Request.Params()
	return x.Get("ref").Same(y.Get("ref")) && x.Get("argument").Get("name").Same(y.Get("argument").Get("name"))
}

// poll tells that a request asks how a task is, after what began it.
func poll(r *book.Row) bool {
	return r.Task != nil && r.Task.Row != r && r.X.Request != nil && r.X.Request.Method == mcp.TasksGet
}

// sameState tells that a poll was told nothing new, or waits to be told, and that nothing more was found about it.
func sameState(a, b *book.Row) bool {
	return b.Running() || a.State != "" && a.State == b.State && b.Worst <= a.Worst
}
