package inspect

import (
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// keepWalks is how many walks of one list are remembered: the one under way, the one before, and what calls that are
// still open were made with.
const keepWalks = 3

// Walk is one walk over all pages of a list.
type Walk struct {
	Method string
	Pages  []*ListPage
	Done   bool     // the last page had no nextCursor
	Failed wire.Seq // the request with the last page's cursor that was answered by an error, 0 if none
	Before *Walk    // the walk of the same list before this one, nil if none is remembered
	tools  map[string]*Tool
}

// ListPage is one page of a list.
type ListPage struct {
	Request, Reply wire.Seq
	Asked, Came    time.Time
	Cursor, Next   jsondoc.Value // as sent and as received; Missing when absent
	Result         jsondoc.Value
	Items          jsondoc.Value // the array of tools, prompts, …; Missing or of any kind when the server is wrong
}

// TTL is how long the page may be kept, 0 when it does not say so or says it wrongly.
func (g *ListPage) TTL() time.Duration {
	ms, ok := g.Result.Get("ttlMs").Int()
	if !ok || ms <= 0 {
		return 0
	}
	const most = int64(1<<63-1) / int64(time.Millisecond)
	return time.Duration(min(ms, most)) * time.Millisecond
}

// Last is the walk's latest page.
func (w *Walk) Last() *ListPage { return w.Pages[len(w.Pages)-1] }

// Items calls yield for every item of every page, in order, with the page it stands on.
func (w *Walk) Items(yield func(*ListPage, jsondoc.Value) bool) {
	for _, g := range w.Pages {
		for _, item := range g.Items.Elements() {
			if !yield(g, item) {
				return
			}
		}
	}
}

// FreshUntil is the moment at which the first page becomes stale.
func (w *Walk) FreshUntil() time.Time {
	var until time.Time
	for _, g := range w.Pages {
		if t := g.Came.Add(g.TTL()); until.IsZero() || t.Before(until) {
			until = t
		}
	}
	return until
}

// Tool is the tool of this name on the walk so far, nil when there is none. With duplicates the last one counts.
func (w *Walk) Tool(name string) *Tool { return w.tools[name] }

// Tools is the number of different tool names on the walk so far.
func (w *Walk) Tools() int { return len(w.tools) }

// page records a page of a list.
func (h *History) page(x *wire.Exchange) {
	m, ok := mcp.Lookup(x.Method())
	if !ok || m.List == "" || x.Request == nil || x.Request.Aside() {
		return // what was sent on purpose, perhaps as another caller, is no page of the list as it is shown
	}
	cursor := x.Request.Params().Get("cursor")
	walks := h.walks[m.Name]
	var walk *Walk
	if cursor.Exists() {
		for i := len(walks) - 1; i >= 0 && walk == nil; i-- {
			if w := walks[i]; !w.Done && w.Last().Next.Same(cursor) {
				walk = w
			}
		}
		if walk == nil {
			return // a cursor that no page gave out
		}
	}
	if x.Reply.Kind != wire.Result {
		if walk != nil {
			walk.Failed = x.Seq()
			h.pages[x.Seq()] = walk
		}
		return
	}
	result := x.Reply.Result()
	g := &ListPage{
		Request: x.Seq(), Reply: x.Reply.Seq, Asked: x.Request.At, Came: x.Reply.At,
		Cursor: cursor, Next: result.Get("nextCursor"), Result: result, Items: result.Get(m.List),
	}
	if walk == nil {
		walk = &Walk{Method: m.Name, tools: map[string]*Tool{}}
		if len(walks) > 0 {
			walk.Before = walks[len(walks)-1]
		}
		walks = append(walks, walk)
		if len(walks) > keepWalks {
			for _, old := range walks[0].Pages {
				delete(h.pages, old.Request)
				delete(h.pages, walks[0].Failed)
				h.forget(old.Reply)
				h.forget(old.Request)
			}
			walks = append([]*Walk(nil), walks[1:]...)
			walks[0].Before = nil
		}
		h.walks[m.Name] = walks
	}
	walk.Pages = append(walk.Pages, g)
	// A nextCursor that is no string ends the walk: nobody can send it back (notes on pagination, stance 27).
	walk.Done = !g.Next.Is(jsondoc.String)
	h.pages[g.Request] = walk
	h.keep(x.Reply)
	if m.Name != "tools/list" {
		return
	}
	for _, item := range g.Items.Elements() {
		name := item.Get("name")
		if !name.Is(jsondoc.String) {
			continue
		}
		t := &Tool{Name: name.Text(), Value: item, Page: g}
		var old *Tool
		if walk.Before != nil {
			old = walk.Before.tools[t.Name]
		}
		t.same(old)
		walk.tools[t.Name] = t
	}
}

func (h *History) walkOf(request wire.Seq) *Walk { return h.pages[request] }

// Walk is the latest complete walk of a list method that was over before the given frame (0: at all), nil if none is
// remembered. A complete walk reached a page without nextCursor.
func (h *History) Walk(method string, before wire.Seq) *Walk {
	walks := h.walks[method]
	for i := len(walks) - 1; i >= 0; i-- {
		if w := walks[i]; w.Done && (before == 0 || w.Last().Reply < before) {
			return w
		}
	}
	return nil
}

// Tool is the definition of a tool in force when the given frame was sent (0: now): the latest one seen before it, on a
// complete walk or not. nil when none was seen.
func (h *History) Tool(name string, before wire.Seq) *Tool {
	walks := h.walks["tools/list"]
	for i := len(walks) - 1; i >= 0; i-- {
		if t := walks[i].tools[name]; t != nil && (before == 0 || t.Page.Reply < before) {
			return t
		}
	}
	return nil
}

// staleList is how old a list may be and still prove that a name is not on it, when it says nothing itself.
const staleList = 60 * time.Second

// Absent tells whether an item is surely not offered at the time of a frame: a complete walk of the list, fresh or at
// most a minute old, not invalidated since, does not hold it. known is false when no such walk exists.
func (h *History) absent(method string, at wire.Seq, now time.Time, has func(*Walk) bool) (absent, known bool) {
	w := h.Walk(method, at)
	if w == nil {
		return false, false
	}
	if now.After(w.FreshUntil()) && now.Sub(w.Pages[0].Came) > staleList {
		return false, false
	}
	for _, c := range h.changes[method] {
		if c.Seq > w.Pages[0].Request && c.Seq < at {
			return false, false
		}
	}
	return !has(w), true
}
