package demo

import (
	"fmt"
	"slices"
	"strings"
)

// place is what a path leads to.
type place struct {
	name   string   // of a world, in lower case; "" is the station that all share
	faults []string // of its own, sorted
	riddle bool     // one of them is chosen by a number
	key    string   // name and faults, as in "anna+ttl-negative"
	rest   string   // Path, SSEPath or messagesPath; "" is the page
	wrong  string   // why what should be a fault is none, "" where all is well
}

// at is the path of an endpoint in the same world.
func (p place) at(rest string) string {
	if p.name == "" {
		return rest
	}
	return "/" + p.key + rest
}

// Bounds of what a path may name: the letters of a world, and its faults. Each fault is looked up among all.
const (
	longestName = 32
	mostFaults  = 8
)

// placeOf reads a path. ok is false when it leads nowhere.
func placeOf(path string) (p place, ok bool) {
	if slices.Contains([]string{Path, SSEPath, messagesPath}, path) {
		return place{rest: path}, true
	}
	first, rest, more := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch {
	case path == "/":
		return place{}, true
	case !more || rest == "":
	case slices.Contains([]string{Path, SSEPath, messagesPath}, "/"+rest):
		p.rest = "/" + rest
	default:
		return place{}, false
	}
	name, faults, misbehaves := strings.Cut(strings.ToLower(first), "+")
	if !isName(name) {
		return place{}, false
	}
	p.name, p.key = name, name
	if !misbehaves {
		return p, true
	}
	if strings.Count(faults, "+") >= mostFaults {
		p.wrong = fmt.Sprintf("there are more than %d faults", mostFaults)
		return p, true
	}
	var words []string // a fault by its name, or by a number that does not tell it
	for word := range strings.SplitSeq(faults, "+") {
		f, known := Lookup(word)
		if known {
			word = f.Name
		} else {
			f, known = riddle(word)
			p.riddle = p.riddle || known
		}
		switch {
		case !known:
			p.wrong = fmt.Sprintf("there is no fault named %q", word)
			return p, true
		case f.Transport == "stdio":
			p.wrong = "the fault " + f.Name + " is one of stdio, and does not show over HTTP"
			return p, true
		}
		p.faults, words = append(p.faults, f.Name), append(words, word)
	}
	slices.Sort(p.faults)
	slices.Sort(words)
	p.faults, words = slices.Compact(p.faults), slices.Compact(words)
	p.key += "+" + strings.Join(words, "+")
	return p, true
}

// isName tells whether a world may be called so: letters, digits and - . _ of ASCII, the first a letter or digit, and none of
// the names that stand for something else here.
func isName(name string) bool {
	if name == "" || len(name) > longestName || slices.Contains([]string{"mcp", "sse", "messages", "authorize", "register", "token"}, name) {
		return false
	}
	for i, c := range []byte(name) {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || i > 0 && strings.IndexByte("-._", c) >= 0) {
			return false
		}
	}
	return true
}
