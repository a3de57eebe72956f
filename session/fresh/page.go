package fresh

import (
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// page is where a result stands in the walk over a list. Cursors are compared as texts; an empty cursor
// is a cursor.
type page struct {
	list   bool
	cursor string // the request's
	first  bool   // it had none
	next   string // the result's nextCursor
	last   bool   // it had none, or one that is no string (null is read as the end)
	aside  bool   // sent on purpose (probe, by hand): no page of the list as it is shown
}

func pageOf(m mcp.Method, x *wire.Exchange) page {
	if m.List == "" {
		return page{}
	}
	p := page{list: true, first: true, last: true, aside: x.Request.Aside()}
	if c := x.Request.Params().Get("cursor"); c.Is(jsondoc.String) {
		p.cursor, p.first = c.Text(), false
	}
	if x.Reply != nil {
		if n := x.Reply.Result().Get("nextCursor"); n.Is(jsondoc.String) {
			p.next, p.last = n.Text(), false
		}
	}
	return p
}

// chain is the pages of one list as one caller walked it, by the cursor that asked for them.
type chain struct {
	first *entry
	pages map[string]*entry
	at    wire.Seq // of the newest first page
}

// chainKey is what all pages of a list have in common.
func chainKey(k Key) Key {
	k.Params = ""
	return k
}

func (c *chain) put(e *entry) {
	if e.hint.page.first {
		c.first, c.at = e, e.hint.Ref.Seq
		return
	}
	if c.pages == nil {
		c.pages = map[string]*entry{}
	}
	c.pages[e.hint.page.cursor] = e
}

// handedOut says whether a page of the chain led to the cursor. One that was made up did not.
func (c *chain) handedOut(cursor string) bool {
	if c.first != nil && !c.first.hint.page.last && c.first.hint.page.next == cursor {
		return true
	}
	for _, e := range c.pages {
		if !e.hint.page.last && e.hint.page.next == cursor {
			return true
		}
	}
	return false
}

// drop ends every page of the chain: one of its cursors was rejected, so the list behind it has changed.
func (c *chain) drop(by wire.Seq) {
	for _, e := range c.pages {
		e.end(by, "cursor")
	}
	if c.first != nil {
		c.first.end(by, "cursor")
	}
}

// state is that of the list as a whole: that of its worst page, and the least time left.
func (c *chain) state(now time.Time) State {
	if c.first == nil {
		return State{}
	}
	worst := c.first.at(now)
	seen := map[string]bool{}
	for e := c.first; !e.hint.page.last; {
		next := e.hint.page.next
		if seen[next] {
			break // the walk goes in a circle; a rule says so
		}
		seen[next] = true
		if e = c.pages[next]; e == nil {
			worst.Partial = true
			break
		}
		worst = worse(worst, e.at(now))
	}
	return worst
}

// rank orders states by how little they allow.
func rank(name string) int {
	switch name {
	case Invalidated:
		return 5
	case NotCacheable:
		return 4
	case StaleAtOnce:
		return 3
	case Stale:
		return 2
	case NoHint:
		return 1
	}
	return 0
}

func worse(a, b State) State {
	switch {
	case rank(b.Name) > rank(a.Name):
		return b
	case rank(b.Name) < rank(a.Name):
		return a
	case a.Name == Fresh && b.Left < a.Left, a.Name != Fresh && b.Age > a.Age:
		return b
	}
	return a
}
