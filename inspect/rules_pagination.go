package inspect

import (
	"bytes"
	"slices"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// paginationRules are about lists that come in pages. A cursor is the text by which a client asks for the next page.
func paginationRules() []*Rule {
	return []*Rule{{
		ID:     "pagination-cursor-type",
		Level:  Must,
		Eras:   "all",
		Source: "schema PaginatedResult.nextCursor",
		On:     Complete(lists()...),
		Check: func(p *Pass) {
			if v := p.Result().Get("nextCursor"); v.Exists() && !v.Is(jsondoc.String) {
				p.Report(p.At(v), "", "a string, or no nextCursor on the last page")
			}
		},
	}, {
		ID:     "pagination-empty-cursor-note",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/pagination §Implementation Guidelines",
		On:     Complete(lists()...),
		Check: func(p *Pass) {
			if v := p.Result().Get("nextCursor"); v.Is(jsondoc.String) && v.Text() == "" {
				p.Report(p.At(v), "", "a cursor that is not empty: many clients stop here")
			}
		},
	}, {
		ID:     "pagination-loop",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice; server/utilities/pagination (a cursor is a position)",
		On:     Exchanges(lists()...),
		Check:  checkPageLoop,
	}, {
		ID:     "pagination-invalid-cursor-code",
		Level:  Should,
		Eras:   "all",
		Source: "server/utilities/pagination §Error Handling",
		On:     Replies(lists()...),
		Probe:  "garbage-cursor",
		Check:  checkGarbageCursor,
	}, {
		ID:     "pagination-unstable-cursor",
		Level:  Should,
		Eras:   "all",
		Source: "server/utilities/pagination §Implementation Guidelines",
		On:     Exchanges(lists()...),
		Check:  checkUnstableCursor,
	}, {
		ID:     "pagination-duplicate-items",
		Level:  Advice,
		Eras:   "all",
		Source: "server/utilities/caching §Interaction with Pagination",
		On:     Exchanges(lists()...),
		Check:  checkDuplicateItems,
	}, {
		ID:     "pagination-empty-page",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice",
		On:     Complete(lists()...),
		Check: func(p *Pass) {
			m, _ := mcp.Lookup(p.Method())
			if items := p.Result().Get(m.List); items.Is(jsondoc.Array) && items.Len() == 0 && p.Result().Get("nextCursor").Is(jsondoc.String) {
				p.Report(p.At(items), "", "a page with something on it, or no nextCursor")
			}
		},
	}}
}

// pagesMax is how many pages a list may have before the walk looks endless.
const pagesMax = 1000

// checkPageLoop compares a page with those before it. A walk that goes round is said once.
func checkPageLoop(p *Pass) {
	g := p.lastPage()
	if g == nil || !g.Next.Is(jsondoc.String) {
		return
	}
	w, k := p.Walk(), Keep[loopSeen](p)
	if k.walk == w {
		return
	}
	for i, old := range w.Pages {
		again := old.Cursor.Exists() && old.Cursor.Same(g.Next)
		same := old != g && g.Items.Len() > 0 && bytes.Equal(old.Items.Raw(), g.Items.Raw())
		switch {
		case again:
			p.Reportf(p.At(g.Next), "", "a cursor that leads on: this one was followed by page %d", i+1).Also(p.At(old.Cursor))
		case same:
			p.Reportf(p.At(g.Items), "the same items again", "other items than on page %d", i+1).Also(p.At(old.Items))
		default:
			continue
		}
		k.walk = w
		return
	}
	if len(w.Pages) > pagesMax {
		k.walk = w
		p.Report(p.At(g.Next), "", "an end: the list has more than 1000 pages").Guess()
	}
}

// loopSeen is the memory of pagination-loop: the walk that it has spoken of.
type loopSeen struct{ walk *Walk }

func checkGarbageCursor(p *Pass) {
	cursor := p.Request().Get("cursor")
	if cursor.Text() != ProbeCursor || p.version == "" || p.refusal() {
		return
	}
	const want = "the error -32602: no page gave out this cursor"
	m, _ := mcp.Lookup(p.Method())
	code, ok := p.Code()
	switch {
	case p.Result().Exists():
		p.Report(p.At(orElse(p.Result().Get(m.List), p.Result())), "a page", want).Also(p.At(cursor))
	case !ok || code == mcp.CodeInvalidParams || code <= mcp.CodeHeaderMismatch && code >= mcp.CodeUnsupportedVersion:
	case code == mcp.CodeMethodNotFound: // the list is not there at all, which is another rule's
	default:
		p.Report(p.At(p.Error().Get("code")), "", want).Also(p.At(cursor))
	}
}

// checkUnstableCursor compares a walk with the one before it: when the list is the same but a page of the same cursor is not, the
// cursor is no position. Lists that have changed prove nothing.
func checkUnstableCursor(p *Pass) {
	w := p.Walk()
	if p.lastPage() == nil || !w.Done || w.Before == nil || !w.Before.Done {
		return
	}
	var old, now *ListPage
	for _, g := range w.Pages {
		for _, b := range w.Before.Pages {
			if old == nil && g.Cursor.Exists() && g.Cursor.Same(b.Cursor) && !bytes.Equal(g.Items.Raw(), b.Items.Raw()) &&
				!slices.Equal(itemKeys(w.Method, g), itemKeys(w.Method, b)) {
				old, now = b, g
			}
		}
	}
	if old != nil && slices.Equal(itemTexts(w.Before), itemTexts(w)) {
		p.Report(p.At(now.Items), "other items than before", "the page that the same cursor gave before: the list has not changed").
			Also(p.At(old.Items)).Likely()
	}
}

// itemKeys are the names (URIs, templates) on a page, sorted.
func itemKeys(method string, g *ListPage) []string {
	var all []string
	for _, item := range g.Items.Elements() {
		all = append(all, item.Get(keyOf(method)).Text())
	}
	return sorted(all)
}

// pageKeys is the memory of pagination-duplicate-items: where each item of the walk under way was first seen.
type pageKeys struct {
	walk *Walk
	seen map[string]jsondoc.Value
}

func checkDuplicateItems(p *Pass) {
	g := p.lastPage()
	if g == nil {
		return
	}
	w, k := p.Walk(), Keep[pageKeys](p)
	if k.walk != w {
		*k = pageKeys{w, map[string]jsondoc.Value{}}
	}
	key := keyOf(w.Method)
	var mine []jsondoc.Value
	repeated := 0
	var first, before jsondoc.Value
	for _, item := range g.Items.Elements() {
		v := item.Get(key)
		if !v.Is(jsondoc.String) {
			continue
		}
		if old, there := k.seen[v.Text()]; there {
			if repeated++; repeated == 1 {
				first, before = v, old
			}
			continue
		}
		mine = append(mine, v)
	}
	for _, v := range mine {
		k.seen[v.Text()] = v
	}
	// A page that repeats another one whole is a loop, which has a rule of its own.
	if repeated > 0 && (len(mine) > 0 || !g.Next.Is(jsondoc.String)) {
		p.Reportf(p.At(first), "", "each item on one page: %d of this page stood on an earlier one", repeated).Also(p.At(before))
	}
}
