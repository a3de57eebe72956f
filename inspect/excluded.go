package inspect

import (
	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
)

// Exclusion is one reason why clients of a modern server over HTTP must leave a tool out (2026-07-28,
// transports/streamable-http, Schema Extension; SEP-2243): an x-mcp-header in its inputSchema that no header can be made of.
// On stdio there are no headers, and the tool may stay.
type Exclusion struct {
	Rule string          // id of the rule that it breaks
	At   jsondoc.Pointer // of the annotation, in the tool's definition: /inputSchema/properties/…
	Text string          // why, for people; holds words of the server, not escaped
}

// Exclusions lists the reasons to leave a tool out; none for a tool that may be called. def is its definition.
func Exclusions(def jsondoc.Value) []Exclusion {
	input := def.Get("inputSchema")
	if !input.Exists() {
		return nil
	}
	var out []Exclusion
	_, problems := schema.Headers(input)
	for _, p := range problems {
		if p.Drops() {
			out = append(out, Exclusion{Rule: headerRule(p.Fault), At: "/inputSchema" + p.Pointer, Text: p.Text})
		}
	}
	return out
}

// headerRule is the rule that a faulty annotation breaks.
func headerRule(f schema.HeaderFault) string {
	switch f {
	case schema.HeaderEmpty:
		return "tools-xheader-empty"
	case schema.HeaderToken:
		return "tools-xheader-token"
	case schema.HeaderDuplicate:
		return "tools-xheader-duplicate"
	case schema.HeaderUnreachable:
		return "tools-xheader-unreachable"
	case schema.HeaderRange:
		return "tools-xheader-integer-range"
	}
	return "tools-xheader-type"
}
