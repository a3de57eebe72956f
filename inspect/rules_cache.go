package inspect

import (
	"slices"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// cacheable are the methods whose final results say how long they may be kept.
func cacheable() []string {
	return []string{mcp.Discover, mcp.ToolsList, mcp.PromptsList, mcp.ResourcesList, mcp.TemplatesList, mcp.ResourcesRead}
}

// lists are the methods that answer with a list in pages.
func lists() []string {
	return []string{mcp.ToolsList, mcp.PromptsList, mcp.ResourcesList, mcp.TemplatesList}
}

// cacheRules are about how long a result may be kept, and for whom.
func cacheRules() []*Rule {
	return []*Rule{{
		ID:     "cache-ttl-missing",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/caching §Cacheable Results; schema CacheableResult; SEP-2549",
		On:     Complete(cacheable()...),
		Check: func(p *Pass) {
			if p.Result().Is(jsondoc.Object) && !p.Result().Get("ttlMs").Exists() && p.AskedModern() {
				p.Report(p.At(p.Result()), "no ttlMs", "ttlMs: a whole number of milliseconds, 0 for do not keep")
			}
		},
	}, {
		ID:     "cache-ttl-negative",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/caching §TTL Field; schema minimum 0",
		On:     Results(cacheable()...),
		Check: func(p *Pass) {
			if ttl := p.cacheTTL(); isNegative(ttl) {
				p.Report(p.At(ttl), "", "an integer of at least 0")
			}
		},
	}, {
		ID:     "cache-ttl-not-integer",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/caching §Cacheable Model; schema.json type integer",
		On:     Results(cacheable()...),
		Check: func(p *Pass) {
			if ttl := p.cacheTTL(); ttl.Exists() && !ttl.IsInteger() && !isNegative(ttl) {
				p.Report(p.At(ttl), "", "a whole number of milliseconds")
			}
		},
	}, {
		ID:     "cache-ttl-unit-suspect",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "SEP-2549 (milliseconds)",
		On:     Results(cacheable()...),
		Check: func(p *Pass) {
			ttl := p.cacheTTL()
			if n, ok := ttl.Int(); ok && slices.Contains([]int64{1, 5, 10, 15, 30, 60, 120, 300, 600, 900}, n) {
				p.Reportf(p.At(ttl), "", "%d if seconds were meant: ttlMs is in milliseconds", n*1000).Guess()
			}
		},
	}, {
		ID:     "cache-ttl-huge",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "SEP-2549 §Security",
		On:     Results(cacheable()...),
		Check:  checkHugeTTL,
	}, {
		ID:     "cache-scope-missing",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/caching §Cache Scope; schema CacheableResult; SEP-2549",
		On:     Complete(cacheable()...),
		Check: func(p *Pass) {
			if p.Result().Is(jsondoc.Object) && !p.Result().Get("cacheScope").Exists() && p.AskedModern() {
				p.Report(p.At(p.Result()), "no cacheScope", `cacheScope: "public" or "private"`)
			}
		},
	}, {
		ID:     "cache-scope-invalid",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "schema CacheableResult.cacheScope",
		On:     Results(cacheable()...),
		Check: func(p *Pass) {
			scope := p.Result().Get("cacheScope")
			if t := scope.Text(); scope.Exists() && t != mcp.ScopePublic && t != mcp.ScopePrivate {
				p.Report(p.At(scope), "", `"public" or "private"`)
			}
		},
	}, {
		ID:     "cache-scope-pages-differ",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/caching §Interaction with Pagination",
		On:     Exchanges(lists()...),
		Check: func(p *Pass) {
			w := p.Walk()
			if w == nil || w.Last().Request != p.x.Seq() {
				return
			}
			first, here := w.Pages[0].Result.Get("cacheScope"), w.Last().Result.Get("cacheScope")
			if first.Is(jsondoc.String) && here.Is(jsondoc.String) && first.Text() != here.Text() {
				p.Report(p.At(here), "", string(first.Raw())+" as on the first page").Also(p.At(first))
			}
		},
	}, {
		ID:     "cache-hints-on-input-required",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/caching §Cacheable Results",
		On:     Results(),
		Check: func(p *Pass) {
			if p.Result().Get("resultType").Text() != mcp.ResultInputRequired {
				return
			}
			for _, name := range []string{"ttlMs", "cacheScope"} {
				if v := p.Result().Get(name); v.Exists() {
					p.ReportSame("", p.Key(v), "", "no ttlMs and no cacheScope on a result that asks back")
				}
			}
		},
	}, {
		ID:     "cache-hints-on-other-method",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/caching §Cacheable Results",
		On:     Complete(),
		Check: func(p *Pass) {
			m, ok := mcp.Lookup(p.Method())
			if !ok || m.Cacheable || m.Extension != "" { // a task's ttlMs is how long the task lives
				return
			}
			for _, name := range []string{"ttlMs", "cacheScope"} {
				if v := p.Result().Get(name); v.Exists() {
					p.ReportSame("", p.Key(v), "", "no hint where no client keeps the result")
				}
			}
		},
	}, {
		ID:     "cache-retry-result-reused",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/caching §Cache Key",
		On:     Exchanges(),
		Check: func(p *Pass) {
			if name := servedFromCache(p); name != "" && p.isRetry() {
				p.Report(p.Header(name), "", "an answer from the server: the request carries requestState or inputResponses").Likely()
			}
		},
	}, {
		ID:     "cache-key-mismatch",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/caching §Cache Key",
		On:     Exchanges(mcp.ResourcesRead),
		Check:  checkCacheKey,
	}, {
		ID:     "cache-public-varies-by-auth",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/caching §Security Considerations, §Choosing a Cache Scope",
		On:     Exchanges(cacheable()...),
		Probe:  ProbeOtherCaller,
		Check:  checkPublicVaries,
	}, {
		ID:     "cache-public-personal-data",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/caching §Cache Scope",
		On:     Exchanges(cacheable()...),
		Check:  checkPersonalData,
	}, {
		ID:     "cache-change-without-notice",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: "SEP-2549 §Semantics; server/tools §List Changed Notification",
		On:     Exchanges(lists()...),
		Check:  checkChangeWithoutNotice,
	}, {
		ID:     "cache-cursor-invalid-mid-walk",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "server/utilities/caching §Interaction with Pagination",
		On:     Exchanges(lists()...),
		Check: func(p *Pass) {
			w := p.Walk()
			if w == nil || w.Failed != p.x.Seq() || !p.Error().Exists() {
				return
			}
			if g := w.Last(); p.x.Request.At.Before(g.Came.Add(g.TTL())) {
				p.Reportf(p.At(p.Error()), "", "the next page: the cursor is %s old, its page may be kept for %s",
					p.x.Request.At.Sub(g.Came).Round(time.Millisecond), g.TTL()).Also(p.At(g.Next))
			}
		},
	}}
}

// isNegative tells whether a value is a number below zero, of any size.
func isNegative(v jsondoc.Value) bool {
	if !v.Is(jsondoc.Number) || v.Raw()[0] != '-' {
		return false
	}
	digits, _, _ := strings.Cut(strings.ToLower(string(v.Raw()[1:])), "e")
	return strings.Trim(digits, "0.") != ""
}

// cacheTTL is the ttlMs of a result as a cache hint; Missing for a task, whose ttlMs is how long the task is kept.
func (p *Pass) cacheTTL() jsondoc.Value {
	if p.Result().Get("resultType").Text() == mcp.ResultTask {
		return jsondoc.Value{}
	}
	return p.Result().Get("ttlMs")
}

func checkHugeTTL(p *Pass) {
	const day = 24 * 60 * 60 * 1000
	const safe = 1<<53 - 1 // the largest integer that JavaScript holds exactly
	ttl := p.cacheTTL()
	if !ttl.IsInteger() || isNegative(ttl) {
		return
	}
	n, fits := ttl.Int()
	m, _ := mcp.Lookup(p.Method())
	switch {
	case !fits || n > safe:
		p.Report(p.At(ttl), "", "a number that every client can hold: at most 9007199254740991")
	case m.List != "" && n > day:
		p.Report(p.At(ttl), "", "at most a day (86400000) for a list")
	}
}

// servedFromCache is the response header by which a cache on the way says that it answered itself, "" when none does.
func servedFromCache(p *Pass) string {
	head := p.Head()
	if head == nil {
		return ""
	}
	if age := strings.TrimSpace(head.Get("Age")); age != "" && strings.Trim(age, "0") != "" && digits(age) {
		return "Age"
	}
	for _, name := range []string{"X-Cache", "CF-Cache-Status"} {
		if strings.HasPrefix(strings.ToLower(head.Get(name)), "hit") {
			return name
		}
	}
	return ""
}

// checkCacheKey looks for an answer out of a cache that is about something else than was asked.
func checkCacheKey(p *Pass) {
	uri := p.Request().Get("uri")
	name := servedFromCache(p)
	if name == "" || !uri.Is(jsondoc.String) {
		return
	}
	contents := p.Result().Get("contents")
	for _, c := range contents.Elements() {
		if got := c.Get("uri"); !got.Is(jsondoc.String) || strings.HasPrefix(got.Text(), uri.Text()) {
			return // what was asked for, or a part of it
		}
	}
	if contents.Len() > 0 {
		p.Report(p.At(contents.Index(0).Get("uri")), "", "contents of "+string(uri.Raw())).Also(p.Header(name), p.At(uri)).Likely()
	}
}

// checkChangeWithoutNotice compares a list just walked with the walk before it.
func checkChangeWithoutNotice(p *Pass) {
	w := p.Walk()
	if w == nil || !w.Done || w.Last().Request != p.x.Seq() || w.Before == nil || !w.Before.Done {
		return
	}
	old := w.Before
	if !w.Pages[0].Asked.Before(old.FreshUntil()) {
		return // it had run out: nobody was owed a notice
	}
	m, _ := mcp.Lookup(p.Method())
	if declared, _ := p.History().Declared(m.Capability, "listChanged"); !declared {
		return
	}
	covered := slices.ContainsFunc(p.History().Listens(), func(l *Listen) bool {
		return l.Covers(m.Changed, old.Last().Came, w.Last().Came)
	})
	if !covered || slices.Equal(itemTexts(old), itemTexts(w)) {
		return
	}
	for _, c := range p.History().Changes(m.Name) {
		if c.Seq > old.Pages[0].Request {
			return
		}
	}
	p.Reportf(p.At(w.Last().Items), itemCount(w), "a %s when the list changes: the earlier list was to be kept for another %s",
		m.Changed, old.FreshUntil().Sub(w.Pages[0].Asked).Round(time.Second)).Also(p.At(old.Last().Items)).Likely()
}

// itemTexts are the items of a walk, sorted: equal for lists that differ in order only.
func itemTexts(w *Walk) []string {
	var all []string
	for _, item := range w.Items {
		all = append(all, string(jsondoc.Compact(nil, item.Raw())))
	}
	slices.Sort(all)
	return all
}
