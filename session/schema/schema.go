// Package schema is bounded JSON Schema: the schemas of tools and forms as a server sent them, compiled,
// applied to values, and read for what a form or an HTTP header needs.
//
// A schema is hostile until shown otherwise. Nothing is ever fetched or read from disk; size, depth,
// expansion of references, patterns and the work of one validation have limits, and what goes over a
// limit ends as a typed error, "not checked", never as a pass and never as a hang. Dialects: drafts 4,
// 6, 7, 2019-09 and 2020-12, the last when a schema names none. "format" is an annotation here in every
// dialect: what counts as an e-mail address is a matter of taste, and an inspector's findings are not.
//
// It must never know: MCP messages, the network, files, screens.
package schema

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	lib "github.com/santhosh-tekuri/jsonschema/v6"

	"mcploupe/session/jsondoc"
)

// Limits of Compile and Validate. They are far above what tools use and low enough that reaching them
// takes about a second at most on a slow machine.
const (
	MaxBytes      = 1 << 20 // text of a schema
	MaxNodes      = 20_000  // JSON values in a schema
	MaxDepth      = 64      // nesting of a schema's JSON
	MaxSubschemas = 5_000   // the compiler's work grows with their square
	MaxExpansion  = 100_000 // subschemas that meet one and the same value, references followed
	MaxIDs        = 100     // $id: each makes the compiler look at all the others
	MaxStrayRefs  = 200     // $ref to places that are no subschema: each makes the compiler copy its tables
	MaxPattern    = 16 << 10

	MaxExponent    = 10_000  // of a number, in schemas and values
	MaxDigits      = 10_000  // of a number, in schemas and values
	MaxValueDepth  = 512     // nesting of a value that is validated
	MaxValueNodes  = 300_000 // JSON values in a value that is validated
	MaxWork        = 1_000_000
	MaxProblems    = 100 // problems that Validate reports
	maxUniqueItems = 2_000
)

// root is the address under which a schema is known to the compiler. Nothing is behind it.
const root = "mem:///schema.json"

// Schema is a compiled schema. It is safe for use by many goroutines; they validate one at a time.
type Schema struct {
	mu       sync.Mutex // guards meter, which the compiled schema's own checks write to
	meter    *meter
	compiled *lib.Schema
	quick    *quick // nil: only the slow way
	unique   bool   // uniqueItems stands somewhere in it
}

// Compile compiles a schema. v is the schema itself (an object, true or false); pointers in errors and
// problems are relative to it. Errors are *ErrTooComplex, *ErrRemoteRef, *ErrUnresolvedRef, *ErrCycle,
// *ErrInvalid or *ErrDialect. Only what the root leads to is compiled: a fault in an unused definition
// is no error here; see Survey for those.
func Compile(v jsondoc.Value) (s *Schema, err error) {
	sv, err := limited(v)
	if err != nil {
		return nil, err
	}
	if err := sv.reachableFaults(); err != nil {
		return nil, err
	}
	doc, err := (&converter{digits: MaxDigits, exponent: MaxExponent}).convert(v)
	if err != nil {
		return nil, schemaFault(err)
	}
	defer func() { // the library is not ours: whatever it stumbles over is a schema that is not checkable
		if r := recover(); r != nil {
			s, err = nil, &ErrTooComplex{What: fmt.Sprintf("the compiler gave up: %v", r)}
		}
	}()
	m := &meter{}
	c := lib.NewCompiler()
	c.UseLoader(refuser{})
	c.UseRegexpEngine(m.engine)
	if err := c.AddResource(root, doc); err != nil {
		return nil, compileFault(err)
	}
	compiled, err := c.Compile(root)
	if err != nil {
		return nil, compileFault(err)
	}
	q := newQuick(compiled)
	h := hooks{meter: m, seen: map[*lib.Schema]bool{}}
	h.install(compiled)
	// A dynamic reference may lead to an anchor that no other path leads to.
	for _, p := range sv.dynamic {
		if sub, err := c.Compile(root + "#" + fragment(p)); err == nil {
			h.install(sub)
		}
	}
	return &Schema{meter: m, compiled: compiled, quick: q, unique: sv.unique}, nil
}

// limited surveys a schema and refuses what is over a limit.
func limited(v jsondoc.Value) (*Survey, error) {
	switch {
	case !v.Exists():
		return nil, &ErrInvalid{Text: "there is no schema"}
	case !v.Is(jsondoc.Object) && !v.Is(jsondoc.Bool):
		return nil, &ErrInvalid{Text: "a schema is an object, true or false, not " + article(v.Kind())}
	case len(v.Raw()) > MaxBytes:
		return nil, &ErrTooComplex{What: "bytes", Got: len(v.Raw()), Max: MaxBytes}
	}
	sv := Look(v)
	for _, l := range []struct {
		what     string
		got, max int
	}{
		{"JSON values", sv.Nodes, MaxNodes},
		{"levels of nesting", sv.Depth, MaxDepth},
		{"subschemas", sv.Subschemas, MaxSubschemas},
		{"identifiers ($id)", sv.ids, MaxIDs},
		{"references to places that are no subschema", sv.stray, MaxStrayRefs},
		{"subschemas for one value, references followed", sv.Expansion, MaxExpansion},
	} {
		if l.got > l.max {
			return nil, &ErrTooComplex{What: l.what, Got: l.got, Max: l.max}
		}
	}
	return sv, nil
}

// refuser is the compiler's loader: it loads nothing.
type refuser struct{}

func (refuser) Load(url string) (any, error) { return nil, refused(url) }

type refused string

func (r refused) Error() string { return "not fetched: " + string(r) }

// fragment is a pointer as a URL fragment.
func fragment(p jsondoc.Pointer) string {
	var b strings.Builder
	for i := range len(p) {
		c := p[i]
		if c == '%' || c == '#' || c <= ' ' || c >= 0x7F {
			fmt.Fprintf(&b, "%%%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

// Dialects lists the $schema URIs that are understood, newest first.
func Dialects() []string {
	return []string{
		"https://json-schema.org/draft/2020-12/schema",
		"https://json-schema.org/draft/2019-09/schema",
		"http://json-schema.org/draft-07/schema#",
		"http://json-schema.org/draft-06/schema#",
		"http://json-schema.org/draft-04/schema#",
	}
}

// Dialect is the dialect that a schema names: its place in Dialects, 0 when it names none, and false
// for a URI that is not understood. Scheme and an empty fragment do not matter.
func Dialect(v jsondoc.Value) (int, bool) {
	d := v.Get("$schema")
	if !d.Is(jsondoc.String) {
		return 0, true
	}
	named := bareDialect(d.Text())
	if named == "json-schema.org/schema" { // "the latest"
		return 0, true
	}
	i := slices.IndexFunc(Dialects(), func(known string) bool { return bareDialect(known) == named })
	return i, i >= 0
}

func bareDialect(uri string) string {
	uri = strings.TrimPrefix(strings.TrimPrefix(uri, "https://"), "http://")
	return strings.TrimSuffix(uri, "#")
}
