package query

import (
	"slices"
	"strings"
	"time"

	"mcploupe/inspect"
	"mcploupe/session/fresh"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
)

// Facts is what some words need beside the exchange: is:fresh and is:stale the book and the time, is:mark who tells what is
// marked (nil: nothing is).
type Facts struct {
	Book   *book.Book
	Now    time.Time
	Marked func(wire.Ref) bool
}

// Fits tells that the word, which has a key, is true of the exchange; what Not says is left to the caller.
func (w *Word) Fits(r *book.Row, f *Facts) bool {
	switch w.Key {
	case Method:
		return Glob(w.Value, strings.ToLower(r.X.Method()))
	case Tool:
		return r.Of != "" && Glob(w.Value, strings.ToLower(r.Of))
	case Type:
		t := r.V.ResultType
		if w.Value == "absent" {
			return t.From == inspect.FromAssumed || t.From == inspect.FromMissing
		}
		return t.From != inspect.FromNone && Glob(w.Value, strings.ToLower(t.Value))
	case Rule:
		return slices.ContainsFunc(r.Findings, func(x inspect.Finding) bool { return Glob(w.Value, x.Rule.ID) })
	case Dir:
		return r.Sent() == (w.Value == "out")
	}
	return f.state(r, w.Value)
}

// state answers the words behind "is:".
func (f *Facts) state(r *book.Row, value string) bool {
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
		switch f.Book.FreshnessOf(r, f.Now).Name {
		case fresh.Stale, fresh.StaleAtOnce, fresh.Invalidated:
			return true
		}
		return false
	case "fresh":
		return f.Book.FreshnessOf(r, f.Now).Name == fresh.Fresh
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
	return f.Marked != nil && f.Marked(r.Ref)
}

// Help is what may follow what was typed.
func Help(line string) string {
	last := ""
	if tokens := split(line); len(tokens) > 0 && !strings.HasSuffix(line, " ") {
		last = strings.TrimPrefix(strings.ToLower(tokens[len(tokens)-1].text), "!")
	}
	key, value, ok := strings.Cut(last, ":")
	switch list := Values(key); {
	case !ok:
	case list != nil && !slices.Contains(list, value):
		return key + ": " + strings.Join(list, " ")
	case value != "":
	case key == Type:
		return "rt: complete input_required task absent"
	case key == Method:
		return "m: a method; * is anything: tools/*"
	case key == Tool:
		return "tool: a tool, URI or prompt: get_*"
	case key == Rule:
		return "rule: of a finding: cache-*"
	}
	return `m:tools/* tool:get_* is:err is:viol is:stale rt:task rule:cache-* dir:in !not "two words" text`
}
