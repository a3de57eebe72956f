package timeline

import (
	"slices"
	"strings"
	"time"

	"mcploupe/inspect"
	"mcploupe/session/fresh"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// finder is the filter of the panel: words about an exchange, and text in its messages.
type finder struct {
	p        *Panel
	line     string
	q        query
	patterns []pattern // of the words that are text, "" keys; in the order of q.words
	memory   memory
}

// set takes the filter line apart, once.
func (f *finder) set(line string) {
	if line == f.line && f.memory != nil {
		return
	}
	f.line, f.q, f.patterns = line, parse(line), nil
	for _, w := range f.q.words {
		f.patterns = append(f.patterns, newPattern(w.value))
	}
	if f.memory == nil {
		f.memory = memory{}
	}
	if line == "" {
		f.memory = nil // nobody asks any more
	}
}

// Find implements kit.Finder.
func (f *finder) Find(line string) []int {
	f.set(line)
	now := f.p.env.Now()
	rows := source{f.p}
	n := rows.Len()
	if len(f.memory) > 2*n+1000 {
		f.memory = memory{} // of rows that are gone
	}
	out := []int{}
	for i := range n {
		if f.fits(rows.at(i), now) {
			out = append(out, i)
		}
	}
	return out
}

// fits tells that every word fits. Words that are quick to tell come before text.
func (f *finder) fits(r *book.Row, now time.Time) bool {
	for i := range f.q.words {
		if w := &f.q.words[i]; w.key != "" && f.is(r, w, now) == w.not {
			return false
		}
	}
	for i := range f.q.words {
		if w := &f.q.words[i]; w.key == "" && f.memory.find(r, &f.patterns[i]) == w.not {
			return false
		}
	}
	return true
}

func (f *finder) is(r *book.Row, w *word, now time.Time) bool {
	switch w.key {
	case keyMethod:
		return glob(w.value, strings.ToLower(r.X.Method()))
	case keyTool:
		return r.Of != "" && glob(w.value, strings.ToLower(r.Of))
	case keyType:
		t := r.V.ResultType
		if w.value == "absent" {
			return t.From == inspect.FromAssumed || t.From == inspect.FromMissing
		}
		return t.From != inspect.FromNone && glob(w.value, strings.ToLower(t.Value))
	case keyRule:
		return slices.ContainsFunc(r.Findings, func(x inspect.Finding) bool { return glob(w.value, x.Rule.ID) })
	case keyDir:
		return r.Sent() == (w.value == "out")
	}
	return f.state(r, w.value, now)
}

// state answers the words behind "is:".
func (f *finder) state(r *book.Row, value string, now time.Time) bool {
	class := r.V.Outcome.Class
	switch value {
	case "ok":
		return !r.Running() && (class == inspect.Success || r.X.End == wire.Posted)
	case "err":
		if r.Running() || r.X.End == wire.Cancelled {
			return false
		}
		switch class {
		case inspect.ToolError, inspect.ProtocolError, inspect.Invalid, inspect.TransportFailure:
			return true
		}
		return false
	case "viol":
		return r.Count.Must+r.Count.Should+r.Count.SEP2145 > 0
	case "stale":
		switch f.p.book.FreshnessOf(r, now).Name {
		case fresh.Stale, fresh.StaleAtOnce, fresh.Invalidated:
			return true
		}
		return false
	case "fresh":
		return f.p.book.FreshnessOf(r, now).Name == fresh.Fresh
	case "run":
		return r.Running() && !r.Listens()
	case "ask":
		return r.Asks()
	case "edited":
		_, edited := r.EditedFrom()
		return edited
	case "late":
		_, late := r.LateAnswer()
		return late
	}
	return f.p.marks.has(r.Ref)
}

// Match implements kit.Finder: what plain words found in the row's own text.
func (f *finder) Match(line string, row int) []int {
	f.set(line)
	text := []byte(source{f.p}.Text(row))
	var out []int
	for i := range f.q.words {
		if w := &f.q.words[i]; w.key == "" && !w.not {
			if at := f.patterns[i].in(text); at >= 0 {
				for k := range len(w.value) {
					out = append(out, at+k)
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Note implements kit.Finder: what is wrong with the words, else, while somebody types, which words there are.
func (f *finder) Note(line string, typing bool, w int) []string {
	f.set(line)
	s := f.p.env.Styles
	var out []string
	for _, why := range f.q.wrong {
		for _, l := range kit.Wrap(kit.Escape(why)+": looked for as text", w) {
			out = append(out, s.Should.Render(l))
		}
	}
	if !typing || len(out) > 0 {
		return out
	}
	for _, l := range kit.Wrap(help(line), w) {
		out = append(out, s.Faint.Render(l))
	}
	return out
}

// help is what may follow what was typed.
func help(line string) string {
	last := ""
	if tokens := split(line); len(tokens) > 0 && !strings.HasSuffix(line, " ") {
		last = strings.TrimPrefix(strings.ToLower(tokens[len(tokens)-1].text), "!")
	}
	key, value, ok := strings.Cut(last, ":")
	switch list := values(key); {
	case !ok:
	case list != nil && !has(list, value):
		return key + ": " + strings.Join(list, " ")
	case value != "":
	case key == keyType:
		return "rt: complete input_required task absent"
	case key == keyMethod:
		return "m: a method; * is anything: tools/*"
	case key == keyTool:
		return "tool: a tool, URI or prompt: get_*"
	case key == keyRule:
		return "rule: of a finding: cache-*"
	}
	return `m:tools/* tool:get_* is:err is:viol is:stale rt:task rule:cache-* dir:in !not "two words" text`
}
