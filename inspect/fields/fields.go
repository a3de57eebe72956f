// Package fields says what everything in a message means: every member, header, status, method, notification and error code of
// MCP 2026-07-28, of the tasks extension and of older revisions, and the words of our own verdicts. An Entry is a text of a few
// sentences for somebody who has not read the specification; At finds the entry for a place in a message, Ask those for a word
// that somebody typed. The texts are data (pages/*.txt), and so is what stands in what (shapes.txt).
//
// It is pure, and must never know: rules (it names them by their ids only), verdicts, sessions, screens, the clock.
package fields

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Kind is what an entry is about.
type Kind string

// The kinds. Schema is a keyword of JSON Schema, Challenge a parameter of WWW-Authenticate, Event a field or an event of
// Server-Sent Events, Value a value that a member may have, Verdict a word of our own.
const (
	Member       Kind = "member"
	Method       Kind = "method"
	Notification Kind = "notification"
	Code         Kind = "error code"
	Header       Kind = "header"
	Status       Kind = "HTTP status"
	Challenge    Kind = "challenge parameter"
	Schema       Kind = "schema keyword"
	Event        Kind = "event"
	Value        Kind = "value"
	Verdict      Kind = "verdict"
)

// Entry is what is said of one thing. Fields but Name, Kind, Group and Text may be empty.
type Entry struct {
	Name   string   // as it stands on the wire: "ttlMs", "tools/call", "-32602", "Mcp-Name", "404"
	Title  string   // what people call it, where that is another word: "Invalid params"
	Kind   Kind     // what it is
	Group  string   // the heading of its page
	In     []string // where it may stand: definitions of shapes.txt for members ("Tool", "*Request"), else free words ("resultType")
	From   string   // who sends it: "client", "server", "client or server", "authorization server", "mcploupe"
	Values string   // what it may be
	Since  string   // the first revision that has it
	Until  string   // the last one, "" while it is still there
	Source string   // where the specification says so
	Rules  []string // ids of rules about it
	See    []string // names of entries that belong beside it
	Text   string   // two to six sentences; `names` in back quotes
}

// Places lists what a person sees of where the thing stands: "Tool.name"; "…Request.id" for all that end so.
func (e *Entry) Places() []string {
	out := make([]string, len(e.In))
	for i, def := range e.In {
		if e.Kind == Verdict {
			out[i] = "the verdict's " + def
			continue
		}
		out[i] = strings.Replace(def, "*", "…", 1)
		if e.Kind == Member {
			out[i] += "." + e.Name
		}
	}
	return out
}

// Heading is the name with the title: "-32602 Invalid params".
func (e *Entry) Heading() string {
	if e.Title == "" {
		return e.Name
	}
	return e.Name + " " + e.Title
}

// Life says since when and until when in words; "" when nothing is known.
func (e *Entry) Life() string {
	switch {
	case e.Since != "" && e.Since == e.Until:
		return e.Since + " only"
	case e.Since != "" && e.Until != "":
		return e.Since + " to " + e.Until
	case e.Until != "":
		return "until " + e.Until
	case e.Since != "":
		return "since " + e.Since
	}
	return ""
}

// Stands says how the entry stands to a revision: "" when the revision has it (or either is unknown), else a sentence.
func (e *Entry) Stands(revision string) string {
	switch {
	case revision == "" || e.Kind == Verdict:
	case e.Since != "" && revision < e.Since:
		return "The revision spoken here, " + revision + ", does not have this yet: it came with " + e.Since + "."
	case e.Until != "" && revision > e.Until:
		return "The revision spoken here, " + revision + ", does not have this any more: " + e.Until + " was the last one with it."
	}
	return ""
}

//go:embed pages/*.txt
var pageFiles embed.FS

//go:embed shapes.txt
var shapeText string

type catalogue struct {
	entries []*Entry
	shapes  shapes
	member  map[string]*Entry   // "Tool.name" → its entry
	named   map[string][]*Entry // lower case name → entries, in order of the pages
}

// load reads the pages on first use. A broken page is a fault of ours that no input can cause, so it panics.
var load = sync.OnceValue(func() *catalogue {
	c := &catalogue{member: map[string]*Entry{}, named: map[string][]*Entry{}}
	var err error
	if c.shapes, err = parseShapes(shapeText); err != nil {
		panic("fields: " + err.Error())
	}
	for _, name := range pageNames() {
		text, err := pageFiles.ReadFile("pages/" + name + ".txt")
		if err != nil {
			panic("fields: " + err.Error())
		}
		entries, err := parsePage(string(text))
		if err != nil {
			panic(fmt.Sprintf("fields: page %s: %v", name, err))
		}
		c.entries = append(c.entries, entries...)
	}
	for _, e := range c.entries {
		key := strings.ToLower(e.Name)
		c.named[key] = append(c.named[key], e)
	}
	c.settle()
	return c
})

// pageNames is the order of the groups: as somebody would learn them.
func pageNames() []string {
	return []string{"methods", "base", "discover", "caching", "tools", "content", "resources", "prompts", "completion", "questions",
		"elicitation", "sampling", "roots", "subscriptions", "progress", "tasks", "schema", "errors", "headers", "statuses", "auth", "legacy", "verdicts"}
}

// heaviest is the entry whose pattern says most about a member of a definition, nil when none is about it.
func (c *catalogue) heaviest(def, member string, kinds ...Kind) *Entry {
	var best *Entry
	for _, e := range c.named[strings.ToLower(member)] {
		if e.Name != member || !slices.Contains(kinds, e.Kind) {
			continue
		}
		if w := e.weight(def); w > 0 && (best == nil || w > best.weight(def)) {
			best = e
		}
	}
	return best
}

// settle finds for each member of each definition the entry about it: the one whose pattern says most.
func (c *catalogue) settle() {
	for def, members := range c.shapes.defs {
		for m := range members {
			if e := c.heaviest(def, m, Member); e != nil {
				c.member[def+"."+m] = e
			}
		}
	}
}

// weight is how much the entry's pattern says about a definition, 0 when it is not about it.
func (e *Entry) weight(def string) int {
	best := 0
	for _, in := range e.In {
		switch rest, glob := strings.CutPrefix(in, "*"); {
		case in == def:
			return 1000
		case glob && strings.HasSuffix(def, rest):
			best = max(best, len(in))
		}
	}
	return best
}

// All lists every entry, page by page.
func All() []*Entry { return slices.Clone(load().entries) }

// named are the entries of this name, whatever case it is written in.
func named(name string) []*Entry { return load().named[strings.ToLower(name)] }

// of is the first entry of a name and one of these kinds, nil when there is none.
func of(name string, kinds ...Kind) *Entry {
	for _, e := range named(name) {
		if slices.Contains(kinds, e.Kind) {
			return e
		}
	}
	return nil
}
