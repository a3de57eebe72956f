package fields

import (
	"fmt"
	"slices"
	"strings"
)

// shapes is what stands in what, as shapes.txt has it.
type shapes struct {
	order   []string                     // names of definitions
	defs    map[string]map[string]string // definition → member → what its value is, "" for a plain value
	methods map[string][2]string         // method → definitions of the request (or notification) and of the result
}

func parseShapes(text string) (shapes, error) {
	s := shapes{defs: map[string]map[string]string{}, methods: map[string][2]string{}}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		words := strings.Fields(line)
		switch {
		case line == "" || line[0] == '#':
		case words[0] == "method" && len(words) == 4:
			s.methods[words[1]] = [2]string{words[2], words[3]}
		case words[0] == "notification" && len(words) == 3:
			s.methods[words[1]] = [2]string{words[2]}
		default:
			name, members, ok := strings.Cut(line, ": ")
			if _, twice := s.defs[name]; !ok || twice {
				return s, fmt.Errorf("shapes: %q", line)
			}
			s.order = append(s.order, name)
			s.defs[name] = map[string]string{}
			for m := range strings.FieldsSeq(members) {
				member, what, _ := strings.Cut(m, "=")
				s.defs[name][member] = what
			}
		}
	}
	return s, nil
}

// Members lists the members of a definition by name, or nil when there is no such definition.
func Members(def string) []string {
	ms := load().shapes.defs[def]
	out := make([]string, 0, len(ms))
	for m := range ms {
		out = append(out, m)
	}
	slices.Sort(out)
	return out
}

// Definitions lists the objects whose members have entries: "Tool", "CallToolResult", in the order of a learner.
func Definitions() []string { return slices.Clone(load().shapes.order) }

// In is the entry about a member of a definition, nil when there is none. It knows definitions by their patterns too, which shapes.txt
// does not name one by one: "CallToolResultResponse".
func In(def, member string) *Entry {
	c := load()
	if e := c.member[def+"."+member]; e != nil {
		return e
	}
	return c.heaviest(def, member, Member, Schema)
}
