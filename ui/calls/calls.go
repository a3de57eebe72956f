// Package calls is calls as JSON that people hand around: small files of a workshop, and what was copied from a chat. It must
// never know: servers, sessions, screens.
package calls

import (
	"fmt"
	"strings"

	"mcploupe/session/jsondoc"
)

// Kinds of calls.
const (
	Tool     = "tool"
	Prompt   = "prompt"
	Resource = "resource"
)

// Call is what to ask a server: a tool with arguments, a prompt with arguments, or a resource by its URI.
type Call struct {
	Kind      string
	Name      string // of a tool or prompt, or the URI; "" when only arguments are known
	Arguments []byte // raw JSON object; nil for none
	Note      string // for people
}

// Bounds of a file.
const (
	mostBytes = 1 << 20
	mostName  = 2000
)

// Parse reads the text of a file (docs/calls.md). It is strict where a slip would send something else: it wants JSON without
// faults, a known kind and a name. Members that it does not know are passed over.
func Parse(text []byte) (Call, error) {
	d := jsondoc.Parse(text)
	root := d.Root()
	if !d.Valid() || !root.Is(jsondoc.Object) {
		return Call{}, fmt.Errorf("a saved call is a JSON object, and this is none%s", firstFault(d))
	}
	c := Call{Kind: root.Get("kind").Text(), Name: root.Get("name").Text(), Note: root.Get("note").Text()}
	switch {
	case !root.Get("kind").Exists():
		c.Kind = Tool
	case c.Kind != Tool && c.Kind != Prompt && c.Kind != Resource:
		return Call{}, fmt.Errorf("kind is tool, prompt or resource, not %s", cut(string(root.Get("kind").Raw())))
	}
	if c.Name == "" || len(c.Name) > mostName {
		return Call{}, fmt.Errorf("name is missing: what to use, as the server lists it")
	}
	args := root.Get("arguments")
	switch {
	case args.Is(jsondoc.Object) && c.Kind == Resource && args.Len() > 0:
		return Call{}, fmt.Errorf("a resource has no arguments")
	case args.Is(jsondoc.Object):
		c.Arguments = args.Raw()
	case args.Exists():
		return Call{}, fmt.Errorf("arguments are a JSON object, not %s", cut(string(args.Raw())))
	}
	return c, nil
}

func cut(s string) string {
	if len(s) > 60 {
		return strings.ToValidUTF8(s[:60], "") + "…"
	}
	return s
}

func firstFault(d *jsondoc.Document) string {
	for _, f := range d.Faults {
		if f.Kind != jsondoc.DuplicateKey {
			return ": " + f.Kind.String()
		}
	}
	return ""
}

// Format is the text of a file for a call. Arguments that are a JSON object keep every token as it is spelled.
func (c Call) Format() []byte {
	var b strings.Builder
	b.WriteString("{\n  \"kind\": " + jsondoc.Quote(c.Kind) + ",\n  \"name\": " + jsondoc.Quote(c.Name))
	if d := jsondoc.Parse(c.Arguments); d.Root().Is(jsondoc.Object) && d.Valid() {
		b.WriteString(",\n  \"arguments\": " + string(jsondoc.Indent(nil, d.Root(), "  ", "  ")))
	}
	if c.Note != "" {
		b.WriteString(",\n  \"note\": " + jsondoc.Quote(c.Note))
	}
	b.WriteString("\n}\n")
	return []byte(b.String())
}
