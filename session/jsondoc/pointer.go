package jsondoc

import (
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Join extends p by unescaped reference tokens: Join("/a", "b/c") is "/a/b~1c".
func Join(p Pointer, tokens ...string) Pointer {
	var b strings.Builder
	b.WriteString(string(p))
	for _, t := range tokens {
		b.WriteByte('/')
		for i := 0; i < len(t); i++ {
			switch t[i] {
			case '~':
				b.WriteString("~0")
			case '/':
				b.WriteString("~1")
			default:
				b.WriteByte(t[i])
			}
		}
	}
	return Pointer(b.String())
}

// Tokens are the unescaped reference tokens; none for the root.
func (p Pointer) Tokens() []string {
	if p == "" {
		return nil
	}
	tokens := strings.Split(strings.TrimPrefix(string(p), "/"), "/")
	for i, t := range tokens {
		tokens[i] = unescape(t)
	}
	return tokens
}

// unescape replaces ~1 before ~0, so that ~01 becomes ~1 (RFC 6901 §4).
func unescape(t string) string {
	if !strings.Contains(t, "~") {
		return t
	}
	return strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~")
}

// Parent is the pointer without its last token; the root's parent is the root.
func (p Pointer) Parent() Pointer {
	return p[:max(strings.LastIndexByte(string(p), '/'), 0)]
}

// Last is the last token, unescaped; "" for the root.
func (p Pointer) Last() string {
	return unescape(string(p[strings.LastIndexByte(string(p), '/')+1:]))
}

// At is the value that p leads to, Missing when it leads nowhere. Of members with the same name the
// last counts. Array indices are decimal without leading zeros; "-" leads nowhere (RFC 6901 §4).
func (d *Document) At(p Pointer) Value {
	v := d.Root()
	if p != "" && p[0] != '/' {
		return Value{}
	}
	for _, t := range p.Tokens() {
		if v = v.Step(t); !v.ok {
			break
		}
	}
	return v
}

// Step is the value one token of a pointer further on, Missing when it leads nowhere; see Document.At.
func (v Value) Step(token string) Value {
	if v.Kind() != Array {
		return v.Get(token)
	}
	i, err := strconv.Atoi(token)
	if err != nil || i < 0 || strconv.Itoa(i) != token {
		return Value{}
	}
	return v.Index(i)
}

// Pointer leads from the root to the node; "" for the root and for nodes that do not exist. Far inside an array the indices of all
// nodes are counted, once for the document: who asks for one place of a long list asks for the next as well.
func (d *Document) Pointer(node int32) Pointer {
	var tokens []string
	v := d.Value(node)
	for v.ok && v.node().Parent >= 0 {
		parent := v.Parent()
		if parent.node().Kind == Object {
			tokens = append(tokens, v.Name())
		} else {
			tokens = append(tokens, strconv.Itoa(d.index(v.id, parent.id)))
		}
		v = parent
	}
	slices.Reverse(tokens)
	return Join("", tokens...)
}

// farIndex is how many elements are counted for one place.
const farIndex = 1000

// index is the place of a node in its array.
func (d *Document) index(node, array int32) int {
	if places := d.places.Load(); places != nil {
		return int((*places)[node])
	}
	i := 0
	for c := array + 1; c < node && i < farIndex; c = d.Nodes[c].Next {
		i++
	}
	if i < farIndex {
		return i
	}
	places := make([]int32, len(d.Nodes))
	for a := range d.Nodes {
		if d.Nodes[a].Kind == Array {
			n := int32(0)
			for c := int32(a) + 1; c < d.Nodes[a].Next; c = d.Nodes[c].Next {
				places[c] = n
				n++
			}
		}
	}
	d.places.Store(&places) // several may do this at once: it is the same
	return int(places[node])
}

// NodeAt is the innermost node whose name or value holds the byte at offset, -1 when none does.
// It takes time logarithmic in the nodes, plus the depth.
func (d *Document) NodeAt(offset int) int32 {
	node := int32(sort.Search(len(d.Nodes), func(i int) bool {
		n := &d.Nodes[i]
		if n.Key.From < n.Key.To {
			return int(n.Key.From) > offset
		}
		return int(n.Value.From) > offset
	})) - 1
	for ; node >= 0; node = d.Nodes[node].Parent {
		n := &d.Nodes[node]
		if n.Key.holds(offset) || n.Value.holds(offset) {
			break
		}
	}
	return node
}

func (s Span) holds(offset int) bool { return int(s.From) <= offset && offset < int(s.To) }
