package report

import (
	"fmt"
	"strings"

	"mcploupe/inspect"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/visible"
)

// Change is one way in which a list of a server differs from a recorded one. All texts are escaped.
type Change struct {
	List string // tools, resources, templates, prompts; "server" for what discovery says
	Name string // of the entry
	Kind string // added, removed, changed
	What string // changed: the place in the entry, "description", "inputSchema.properties.path.type"
	Old  string // what stood there, one line; "" for nothing
	New  string
	// Trust tells that the change is of the kind by which a tool that people agreed to becomes another one: text that a model
	// obeys, or a hint that hosts act by.
	Trust bool
}

// Text is the change in words, on one line.
func (c Change) Text() string {
	entry := strings.TrimSuffix(c.List, "s") + " " + c.Name
	if c.List == "server" {
		entry = "server"
	}
	if c.Kind != "changed" {
		return entry + ": " + c.Kind
	}
	switch {
	case c.Old == "":
		return fmt.Sprintf("%s: %s added: %s", entry, c.What, c.New)
	case c.New == "":
		return fmt.Sprintf("%s: %s removed, was %s", entry, c.What, c.Old)
	}
	return fmt.Sprintf("%s: %s was %s, is %s", entry, c.What, c.Old, c.New)
}

// maxChanges bounds how many changes of one entry are told.
const maxChanges = 50

// Drift compares what a server offers with what it offered when a journal was recorded: instructions and capabilities, and the
// latest complete walk of each list. A list that one side has not walked to its end is left out; unknown tells which.
func Drift(old, now *inspect.History) (changes []Change, unknown []string) {
	for _, side := range []struct {
		name  string
		value func(*inspect.History) jsondoc.Value
	}{
		{"instructions", func(h *inspect.History) jsondoc.Value { return opening(h).Get("instructions") }},
		{"capabilities", (*inspect.History).Capabilities},
	} {
		d := differ{change: Change{List: "server", Kind: "changed"}}
		d.values(side.name, side.value(old), side.value(now))
		changes = append(changes, d.out...)
	}
	for _, l := range []struct{ list, method, name string }{
		{"tools", mcp.ToolsList, "name"}, {"resources", mcp.ResourcesList, "uri"},
		{"templates", mcp.TemplatesList, "uriTemplate"}, {"prompts", mcp.PromptsList, "name"},
	} {
		a, b := old.Walk(l.method, 0), now.Walk(l.method, 0)
		if a == nil || b == nil {
			if a != nil || b != nil {
				unknown = append(unknown, l.list)
			}
			continue
		}
		changes = append(changes, compare(l.list, entries(a, l.name), entries(b, l.name))...)
	}
	return changes, unknown
}

func opening(h *inspect.History) jsondoc.Value {
	if d := h.Discover(); d.Exists() {
		return d
	}
	return h.Initialize()
}

type entry struct {
	name  string
	value jsondoc.Value
}

func entries(w *inspect.Walk, member string) (out []entry) {
	for _, v := range w.Items {
		out = append(out, entry{v.Get(member).Text(), v})
	}
	return out
}

func compare(list string, old, now []entry) (out []Change) {
	was, is := map[string]jsondoc.Value{}, map[string]bool{}
	for _, e := range old {
		was[e.name] = e.value
	}
	for _, e := range now {
		if is[e.name] {
			continue
		}
		is[e.name] = true
		name := clip(visible.Escape(e.name), 120)
		before, there := was[e.name]
		if !there {
			out = append(out, Change{List: list, Name: name, Kind: "added"})
			continue
		}
		d := differ{change: Change{List: list, Name: name, Kind: "changed"}}
		d.values("", before, e.value)
		out = append(out, d.out...)
	}
	gone := map[string]bool{}
	for _, e := range old {
		if !is[e.name] && !gone[e.name] {
			gone[e.name] = true
			out = append(out, Change{List: list, Name: clip(visible.Escape(e.name), 120), Kind: "removed"})
		}
	}
	return out
}

// differ walks two values side by side and notes where they part.
type differ struct {
	change Change // what the changes have in common
	out    []Change
}

func (d *differ) values(at string, a, b jsondoc.Value) {
	switch {
	case !a.Exists() && !b.Exists() || len(d.out) >= maxChanges || a.Same(b):
		return
	case a.Is(jsondoc.Object) && b.Is(jsondoc.Object):
		for name, v := range a.Members() {
			d.values(join2(at, name), v, b.Get(name))
		}
		for name, v := range b.Members() {
			if !a.Get(name).Exists() {
				d.values(join2(at, name), jsondoc.Value{}, v)
			}
		}
		return
	case a.Is(jsondoc.Array) && b.Is(jsondoc.Array) && a.Len() == b.Len():
		for i, v := range a.Elements() {
			d.values(fmt.Sprintf("%s[%d]", at, i), v, b.Index(i))
		}
		return
	}
	c := d.change
	c.What, c.Trust = at, trust(at)
	if a.Exists() {
		c.Old = line("", a)
	}
	if b.Exists() {
		c.New = line("", b)
	}
	d.out = append(d.out, c)
}

// trust tells whether a place holds what models obey or hosts act by.
func trust(at string) bool {
	for _, part := range []string{"description", "title", "instructions", "annotations", "x-mcp-header", "uri"} {
		if at == part || strings.HasPrefix(at, part+".") || strings.HasSuffix(at, "."+part) {
			return true
		}
	}
	return false
}

func join2(at, name string) string {
	name = visible.Escape(name)
	if at == "" {
		return name
	}
	return at + "." + name
}
