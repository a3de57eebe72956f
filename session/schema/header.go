package schema

import (
	"fmt"
	"strings"

	"mcploupe/session/jsondoc"
)

// headerKeyword is the annotation that mirrors an argument into an HTTP header (2026-07-28,
// transports/streamable-http, Schema Extension).
const headerKeyword = "x-mcp-header"

// Header is one argument of a tool that its inputSchema mirrors into a header.
type Header struct {
	Name   string          // as the schema writes it, without "Mcp-Param-"
	Path   jsondoc.Pointer // of the argument, in the arguments
	Schema jsondoc.Pointer // of the annotated property, in the schema
	Type   string          // string, integer or boolean
}

// HeaderFault is what is wrong with an annotation.
type HeaderFault uint8

// Faults of annotations. Clients drop a tool for any but HeaderUnion.
const (
	HeaderEmpty       HeaderFault = iota + 1 // empty, or no string
	HeaderToken                              // characters that a header's name cannot have
	HeaderDuplicate                          // another annotation has the name already, but for case
	HeaderType                               // not on a string, integer or boolean
	HeaderUnion                              // on a union of one of these with null: unregulated, the tool stays
	HeaderUnreachable                        // properties alone do not lead there from the root
	HeaderRange                              // an integer that may be beyond ±(2^53-1)
)

// HeaderProblem is one faulty annotation.
type HeaderProblem struct {
	Fault   HeaderFault
	Pointer jsondoc.Pointer // of the annotation itself, in the schema; for HeaderRange of the number
	Other   jsondoc.Pointer // HeaderDuplicate: the annotation that came first
	Text    string
}

// Drops says whether clients leave the tool out because of the fault (over HTTP; on stdio they may
// keep it).
func (p HeaderProblem) Drops() bool { return p.Fault != HeaderUnion }

// Headers lists the mirrored arguments of a tool's inputSchema and what is wrong with annotations in
// it. It walks schemas and not data: a property that is named x-mcp-header is none, nor is one in a
// default.
func Headers(inputSchema jsondoc.Value) ([]Header, []HeaderProblem) {
	h := headers{root: inputSchema, table: applicators(), names: map[string]jsondoc.Pointer{}}
	if inputSchema.Exists() {
		h.base = len(inputSchema.Pointer())
		h.walk(inputSchema, nil, true)
	}
	return h.out, h.problems
}

type headers struct {
	root     jsondoc.Value
	base     int
	table    []applicator
	names    map[string]jsondoc.Pointer // lower case → annotation
	out      []Header
	problems []HeaderProblem
}

// walk looks at a subschema. path is the way to the argument; reachable is false once anything but
// properties was on the way.
func (h *headers) walk(v jsondoc.Value, path []string, reachable bool) {
	if a := v.Get(headerKeyword); a.Exists() {
		h.annotation(v, a, path, reachable)
	}
	subschemas(h.table, v, func(a applicator, w jsondoc.Value) {
		if a.name == "properties" {
			h.walk(w, append(path[:len(path):len(path)], w.Name()), reachable)
			return
		}
		h.walk(w, nil, false)
	})
}

func (h *headers) annotation(v, a jsondoc.Value, path []string, reachable bool) {
	at := a.Pointer()[h.base:]
	name := a.Text()
	fault := func(f HeaderFault, text string) {
		h.problems = append(h.problems, HeaderProblem{Fault: f, Pointer: at, Text: text})
	}
	good := true
	switch {
	case !a.Is(jsondoc.String) || name == "":
		fault(HeaderEmpty, "the annotation is no name: "+cut(string(a.Raw()), 40))
		good = false
	case !token(name):
		fault(HeaderToken, jsondoc.Quote(cut(name, 60))+" cannot be part of a header's name")
		good = false
	}
	if !reachable {
		fault(HeaderUnreachable, "the place cannot be reached through properties alone")
		good = false
	}
	kind, union := headerType(v)
	switch {
	case kind == "" || len(path) == 0 && reachable:
		fault(HeaderType, "only a property that is a string, an integer or a boolean can be mirrored")
		good = false
	case union:
		fault(HeaderUnion, "the specification does not say how a union with null is mirrored")
	}
	if kind == "integer" {
		h.bounds(v)
	}
	if name != "" && a.Is(jsondoc.String) {
		lower := strings.ToLower(name)
		if first, taken := h.names[lower]; taken {
			h.problems = append(h.problems, HeaderProblem{Fault: HeaderDuplicate, Pointer: at, Other: first,
				Text: fmt.Sprintf("the header name %s is taken by another argument", jsondoc.Quote(cut(name, 60)))})
			good = false
		} else {
			h.names[lower] = at
		}
	}
	if good {
		h.out = append(h.out, Header{Name: name, Path: jsondoc.Join("", path...), Schema: v.Pointer()[h.base:], Type: kind})
	}
}

// headerType is the one type of an annotated property, "" when it is none that can be mirrored; union
// says that null stands beside it.
func headerType(v jsondoc.Value) (kind string, union bool) {
	t := v.Get("type")
	if t.Is(jsondoc.Array) {
		for _, x := range t.Elements() {
			switch name := x.Text(); {
			case name == "null":
				union = true
			case kind != "":
				return "", false
			default:
				kind = name
			}
		}
	} else {
		kind = t.Text()
	}
	switch kind {
	case "string", "integer", "boolean":
		return kind, union
	}
	return "", false
}

// safe is the largest integer that everybody on the way can compare, 2^53-1.
const safe = 1<<53 - 1

// bounds looks for numbers in the property's schema that say it may be beyond the safe integers.
func (h *headers) bounds(v jsondoc.Value) {
	check := func(n jsondoc.Value) {
		if !n.Is(jsondoc.Number) {
			return
		}
		if i, ok := n.Int(); ok && i >= -safe && i <= safe {
			return
		}
		if f, ok := n.Float(); ok && f > -safe && f < safe { // a fraction as a bound is no fault of range
			return
		}
		h.problems = append(h.problems, HeaderProblem{Fault: HeaderRange, Pointer: n.Pointer()[h.base:],
			Text: cut(string(n.Raw()), 40) + " is beyond ±(2^53-1)"})
	}
	for _, keyword := range []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "const", "default"} {
		check(v.Get(keyword))
	}
	for _, n := range v.Get("enum").Elements() {
		check(n)
	}
}

// token says whether s can be part of a header's name (RFC 9110, token).
func token(s string) bool {
	for i := range len(s) {
		c := s[i]
		alnum := c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !alnum && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// Value is the text that the argument stands for in its header, before encoding. False when there is
// nothing to mirror: the argument is absent, null, an object or an array. Integers are written in plain
// decimal digits (42.0 is 42); a number that is none is mirrored as written, for the server to refuse.
func (h Header) Value(arguments jsondoc.Value) (string, bool) {
	if !arguments.Exists() {
		return "", false
	}
	v := arguments.Document().At(arguments.Pointer() + h.Path)
	switch v.Kind() {
	case jsondoc.String:
		return v.Text(), true
	case jsondoc.Bool, jsondoc.Number:
		if n, ok := v.Int(); ok {
			return fmt.Sprint(n), true
		}
		return string(v.Raw()), true
	}
	return "", false
}
