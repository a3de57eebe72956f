package schema

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	lib "github.com/santhosh-tekuri/jsonschema/v6"

	"mcploupe/session/jsondoc"
)

// ErrTooComplex says that a schema or a value is over a limit of this package. Nothing is wrong with
// it; it is not checked.
type ErrTooComplex struct {
	Pointer  jsondoc.Pointer // where, when one place can be named
	What     string          // what there is too much of, or (Max 0) what happened, in words
	Got, Max int
}

func (e *ErrTooComplex) Error() string {
	if e.Max == 0 {
		return "not checked: " + e.What + at(e.Pointer)
	}
	return fmt.Sprintf("not checked: %d %s%s, the limit is %d", e.Got, e.What, at(e.Pointer), e.Max)
}

// ErrRemoteRef says that a schema refers to another document, which is never fetched.
type ErrRemoteRef struct {
	URI     string          // the reference, resolved
	Pointer jsondoc.Pointer // the subschema that holds the reference
}

func (e *ErrRemoteRef) Error() string {
	return fmt.Sprintf("the schema refers to %q%s, which is not fetched", e.URI, at(e.Pointer))
}

// ErrUnresolvedRef says that a reference within the schema leads nowhere.
type ErrUnresolvedRef struct {
	Ref     string
	Pointer jsondoc.Pointer // the subschema that holds the reference
}

func (e *ErrUnresolvedRef) Error() string {
	return fmt.Sprintf("the reference %q%s leads nowhere", e.Ref, at(e.Pointer))
}

// ErrCycle says that a subschema refers back to itself for one and the same value, so that it can never
// be decided. Recursion through properties or items is fine and no cycle.
type ErrCycle struct {
	Pointer jsondoc.Pointer   // a subschema of the cycle, the first in reading order
	Through []jsondoc.Pointer // the whole way round, beginning with Pointer
}

func (e *ErrCycle) Error() string {
	return "the schema refers back to itself without end" + at(e.Pointer)
}

// ErrInvalid says that a schema is not valid in its dialect.
type ErrInvalid struct {
	Pointer jsondoc.Pointer // the offending place in the schema
	Text    string
}

func (e *ErrInvalid) Error() string { return "invalid schema" + at(e.Pointer) + ": " + e.Text }

// ErrDialect says that $schema names a dialect that is not understood.
type ErrDialect struct {
	URI     string
	Pointer jsondoc.Pointer
}

func (e *ErrDialect) Error() string {
	return fmt.Sprintf("the schema's dialect %q is not understood", e.URI)
}

func at(p jsondoc.Pointer) string {
	if p == "" {
		return ""
	}
	return " at " + string(p)
}

// compileFault gives an error of the compiler one of our types. Most of what it can say has been found
// by the survey before; what is left are the finer rules of the dialects.
func compileFault(err error) error {
	var (
		invalid *lib.SchemaValidationError
		load    *lib.LoadURLError
		nowhere *lib.JSONPointerNotFoundError
		bad     *lib.InvalidJsonPointerError
		anchor  *lib.AnchorNotFoundError
		regex   *lib.InvalidRegexError
		draft   *lib.UnsupportedDraftError
		meta    *lib.InvalidMetaSchemaURLError
		verr    *lib.ValidationError
	)
	switch {
	case errors.As(err, &invalid) && errors.As(invalid.Err, &verr):
		problems := translate(verr, nil, nil)
		if len(problems) == 0 {
			return &ErrInvalid{Text: "it breaks its meta-schema"}
		}
		p := problems[0]
		return &ErrInvalid{Pointer: place(invalid.URL) + p.Instance, Text: p.Text}
	case errors.As(err, &load):
		if strings.HasPrefix(load.URL, "mem:") {
			return &ErrUnresolvedRef{Ref: strings.TrimPrefix(load.URL, "mem:///")}
		}
		return &ErrRemoteRef{URI: load.URL}
	case errors.As(err, &nowhere):
		return &ErrUnresolvedRef{Ref: "#" + string(place(nowhere.URL))}
	case errors.As(err, &bad):
		return &ErrUnresolvedRef{Ref: "#" + string(place(bad.URL))}
	case errors.As(err, &anchor):
		return &ErrUnresolvedRef{Ref: anchor.Reference}
	case errors.As(err, &regex):
		return &ErrInvalid{Pointer: place(regex.URL), Text: fmt.Sprintf("%q is no regular expression: %v", regex.Regex, regex.Err)}
	case errors.As(err, &draft):
		return &ErrDialect{URI: draft.URL}
	case errors.As(err, &meta):
		return &ErrDialect{URI: meta.URL, Pointer: place(meta.URL)}
	}
	return &ErrInvalid{Text: strings.ReplaceAll(err.Error(), root, "the schema")}
}

// place is the pointer in a location of the compiler, "mem:///schema.json#/properties/a%20b". A location
// in another document (a meta-schema) has no place in ours.
func place(location string) jsondoc.Pointer {
	doc, frag, _ := strings.Cut(location, "#")
	if doc != root {
		return ""
	}
	if p, err := url.PathUnescape(frag); err == nil {
		return jsondoc.Pointer(p)
	}
	return jsondoc.Pointer(frag)
}

// schemaFault turns a value that could not be converted into a fault of the schema.
func schemaFault(err error) error {
	var odd *ErrNotJSON
	if errors.As(err, &odd) {
		return &ErrInvalid{Pointer: odd.Pointer, Text: "it is not JSON: " + odd.Text}
	}
	return err
}
