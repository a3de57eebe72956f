// Package subs is what a server is subscribed to: which notifications were asked for, what of it was granted,
// what came, and how it ended. It is the one place for that; the session and the screen each keep a List
// fed by the same log, so that they cannot disagree.
//
// It is pure: time comes with the exchanges. It must never know: the wall clock, sockets, rules, screens.
package subs

import (
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
)

// Filter says what a subscription is to bring (schema SubscriptionFilter, 2026-07-28).
type Filter struct {
	Tools, Prompts, Resources bool     // their list_changed
	URIs                      []string // updates of these resources
	Tasks                     []string // states of the tasks with these ids (tasks extension)
	// Raw is the raw JSON to send as params.notifications instead, wrong on purpose or beyond what we know; nil
	// for what the other members say.
	Raw []byte
}

// Read is the filter that a value says, as far as it says one: what has another shape counts as absent.
func Read(v jsondoc.Value) Filter {
	on := func(name string) bool { yes, _ := v.Get(name).Bool(); return yes }
	f := Filter{Tools: on("toolsListChanged"), Prompts: on("promptsListChanged"), Resources: on("resourcesListChanged")}
	f.URIs, f.Tasks = texts(v.Get("resourceSubscriptions")), texts(v.Get("taskIds"))
	return f
}

func texts(v jsondoc.Value) []string {
	var out []string
	for _, e := range v.Elements() {
		if e.Is(jsondoc.String) {
			out = append(out, e.Text())
		}
	}
	return out
}

// JSON is the filter as params.notifications has it: Raw, when there is one.
func (f Filter) JSON() []byte {
	if f.Raw != nil {
		return f.Raw
	}
	text := []byte{'{'}
	member := func(name string) {
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(jsondoc.AppendQuote(text, name), ':')
	}
	for _, kind := range f.kinds() {
		if kind.on {
			member(kind.member)
			text = append(text, "true"...)
		}
	}
	list := func(name string, texts []string) {
		for i, t := range texts {
			if i == 0 {
				member(name)
				text = append(text, '[')
			} else {
				text = append(text, ',')
			}
			text = jsondoc.AppendQuote(text, t)
		}
		if len(texts) > 0 {
			text = append(text, ']')
		}
	}
	list("resourceSubscriptions", f.URIs)
	list("taskIds", f.Tasks)
	return append(text, '}')
}

type kind struct {
	word, member string
	on           bool
}

func (f Filter) kinds() [3]kind {
	return [3]kind{{"tools", "toolsListChanged", f.Tools}, {"prompts", "promptsListChanged", f.Prompts}, {"resources", "resourcesListChanged", f.Resources}}
}

// Value is the filter as a value.
func (f Filter) Value() jsondoc.Value { return jsondoc.Parse(f.JSON()).Root() }

// Empty tells that it asks for nothing.
func (f Filter) Empty() bool {
	return !f.Tools && !f.Prompts && !f.Resources && len(f.URIs)+len(f.Tasks) == 0 && f.Raw == nil
}

// Without is what f has and g does not have.
func (f Filter) Without(g Filter) Filter {
	out := Filter{Tools: f.Tools && !g.Tools, Prompts: f.Prompts && !g.Prompts, Resources: f.Resources && !g.Resources}
	out.URIs, out.Tasks = without(f.URIs, g.URIs), without(f.Tasks, g.Tasks)
	return out
}

func without(f, g []string) []string {
	var out []string
	for _, s := range f {
		if !slices.Contains(g, s) {
			out = append(out, s)
		}
	}
	return out
}

// Words are what it asks for, in short: the lists by name, resources by their URIs, tasks by their ids. Not escaped.
func (f Filter) Words() []string {
	var words []string
	for _, kind := range f.kinds() {
		if kind.on {
			words = append(words, kind.word)
		}
	}
	words = append(words, f.URIs...)
	for _, id := range f.Tasks {
		words = append(words, "task "+id)
	}
	return words
}

// String is the words in a row, "nothing" for none. Not escaped.
func (f Filter) String() string {
	words := f.Words()
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}
