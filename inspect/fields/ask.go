package fields

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"mcploupe/session/slips"
)

// Ask finds the entries for what somebody typed: a name in any case ("ttlMs", "mcp-name", "-32602"), a member of a definition
// ("Tool.inputSchema"), a header of a family ("Mcp-Param-Region"), or a code in a reserved range.
func Ask(word string) []*Entry {
	word = strings.TrimSpace(word)
	if def, member, ok := cutPlace(word); ok {
		if e := In(def, member); e != nil {
			return []*Entry{e}
		}
	}
	if found := named(word); len(found) > 0 {
		return slices.Clone(found)
	}
	lower := strings.ToLower(word)
	if strings.HasPrefix(lower, "mcp-param-") || strings.HasPrefix(lower, "access-control-") {
		return some(ForHeader(word).Entry)
	}
	if code, err := strconv.ParseInt(word, 10, 64); err == nil && code < 0 && len(word) <= 16 {
		return some(ForCode(code))
	}
	return nil
}

// Definition is the name of a definition in the spelling of the schema, for what somebody typed; "" when there is none of this name.
func Definition(word string) string {
	for _, def := range load().shapes.order {
		if strings.EqualFold(def, word) {
			return def
		}
	}
	return ""
}

// cutPlace cuts "Tool.inputSchema" into the definition, as the schema spells it, and the member. Keys of _meta have dots of their own.
func cutPlace(word string) (def, member string, ok bool) {
	for i := len(word) - 1; i > 0; i-- {
		if word[i] != '.' {
			continue
		}
		if def := Definition(word[:i]); def != "" {
			for _, m := range Members(def) {
				if strings.EqualFold(m, word[i+1:]) {
					return def, m, true
				}
			}
		}
	}
	return "", "", false
}

// Names lists everything that can be asked for: names of entries, and members with their definitions. Sorted, without doubles.
func Names() []string {
	out := make([]string, 0, len(names()))
	for _, n := range names() {
		out = append(out, n.Name)
	}
	return out
}

// Name is something that can be asked for, and what kind of thing it is.
type Name struct {
	Name string
	Kind Kind // "" for a definition
}

// Index is Names with their kinds.
func Index() []Name { return slices.Clone(names()) }

var names = sync.OnceValue(func() []Name {
	c := load()
	var out []Name
	for _, e := range c.entries {
		out = append(out, Name{e.Name, e.Kind})
	}
	for _, def := range c.shapes.order {
		if !strings.Contains(def, ".") {
			out = append(out, Name{def, ""})
		}
		for m := range c.shapes.defs[def] {
			out = append(out, Name{def + "." + m, Member})
		}
	}
	slices.SortStableFunc(out, func(a, b Name) int { return strings.Compare(a.Name, b.Name) })
	return slices.CompactFunc(out, func(a, b Name) bool { return a.Name == b.Name })
})

// Near lists names that somebody may have meant, nearest first, at most so many.
func Near(word string, most int) []string {
	type near struct {
		name string
		far  int
	}
	lower := strings.ToLower(word)
	var found []near
	for _, n := range names() {
		name := n.Name
		l := strings.ToLower(name)
		far := slips.Count(lower, l, 3)
		if _, last, ok := strings.Cut(l, "."); ok && far > 1 {
			if d := slips.Count(lower, last, 1); d <= 1 {
				far = min(far, d+1)
			}
		}
		if len(lower) > 3 && far > 2 && (strings.Contains(l, lower) || len(l) > 3 && strings.Contains(lower, l)) {
			far = 3
		}
		if limit := max(1, min(len(lower)/3, 3)); far <= limit || far == 3 && strings.Contains(l, lower) && len(lower) > 3 {
			found = append(found, near{name, far*100 + len(name)})
		}
	}
	slices.SortStableFunc(found, func(a, b near) int { return a.far - b.far })
	var out []string
	for _, f := range found[:min(most, len(found))] {
		out = append(out, f.name)
	}
	return out
}
