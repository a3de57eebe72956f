package cli

import (
	"bytes"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
)

// argumentFlags are --args and --arg of the commands that send arguments.
type argumentFlags struct {
	whole string
	pairs []string
}

func (a *argumentFlags) register(c *cobra.Command, one string) {
	c.Flags().StringVar(&a.whole, "args", "", "arguments as a `JSON` object, @file, or - for standard input")
	c.Flags().StringArrayVar(&a.pairs, "arg", nil, one)
}

// read is the text of --args, byte for byte.
func (a *argumentFlags) read(io streams) ([]byte, error) { return jsonFlag("args", a.whole, io.in) }

// jsonFlag reads a flag's value that is JSON, @file or - (standard input). The bytes are kept as they are; what is no JSON
// is refused before anything is started.
func jsonFlag(flag, value string, stdin io.Reader) ([]byte, error) {
	var text []byte
	var err error
	switch {
	case value == "-":
		text, err = io.ReadAll(stdin)
	case strings.HasPrefix(value, "@"):
		text, err = os.ReadFile(value[1:])
	default:
		text = []byte(value)
	}
	if err != nil {
		return nil, usage("", "reading --%s: %w", flag, err)
	}
	text = bytes.TrimSpace(text)
	if value != "" && !jsondoc.Parse(text).Valid() {
		return nil, usage("to send something else on purpose: mcploupe send METHOD --raw BYTES", "--%s is not JSON: %s", flag, startOf(string(text)))
	}
	return text, nil
}

// arguments builds the arguments object of a call: the members of base in their order and spelling,
// then each k=v or k:=JSON of pairs, which win over a member of the same name. A plain k=v is typed by
// the property's schema: digits are sent as typed, a string stays a string. Names that the schema does
// not know are strings. Without base and pairs the object is empty.
func arguments(base []byte, pairs []string, inputSchema jsondoc.Value) ([]byte, error) {
	if len(pairs) == 0 {
		if len(base) == 0 {
			return []byte("{}"), nil
		}
		return base, nil
	}
	type member struct {
		name string
		raw  []byte
	}
	var members []member
	if len(base) > 0 {
		doc := jsondoc.Parse(base)
		if !doc.Root().Is(jsondoc.Object) || !doc.Valid() {
			return nil, usage("give the whole object in --args, or only --arg", "--arg adds to --args only when that is a JSON object")
		}
		for name, v := range doc.Root().Members() {
			members = append(members, member{name, v.Raw()})
		}
	}
	for _, pair := range pairs {
		name, raw, err := argument(pair, inputSchema)
		if err != nil {
			return nil, err
		}
		kept := members[:0]
		for _, m := range members {
			if m.name != name {
				kept = append(kept, m)
			}
		}
		members = append(kept, member{name, raw})
	}
	out := []byte{'{'}
	for i, m := range members {
		if i > 0 {
			out = append(out, ',')
		}
		out = jsondoc.AppendQuote(out, m.name)
		out = append(out, ':')
		out = append(out, m.raw...)
	}
	return append(out, '}'), nil
}

// argument reads one k=v or k:=JSON. The first = decides, so values may hold more of them.
func argument(pair string, inputSchema jsondoc.Value) (name string, raw []byte, err error) {
	name, value, ok := strings.Cut(pair, "=")
	if !ok || name == "" || name == ":" {
		return "", nil, usage("write it as name=value, or name:=JSON", "--arg %q has no name and value", pair)
	}
	if key, is := strings.CutSuffix(name, ":"); is {
		doc := jsondoc.Parse([]byte(value))
		if !doc.Valid() {
			return "", nil, usage("a string needs quotes in JSON; name=value sends one without", "--arg %s:= is not JSON: %q", key, value)
		}
		return key, []byte(strings.TrimSpace(value)), nil
	}
	raw, err = typed(name, value, inputSchema)
	return name, raw, err
}

// typed spells a word from the command line as the JSON that the property's schema asks for.
func typed(name, value string, inputSchema jsondoc.Value) ([]byte, error) {
	property := schema.Resolve(inputSchema, inputSchema.Get("properties").Get(name))
	types := typeNames(property)
	if len(types) == 0 || types["string"] {
		if !types["null"] || value != "null" {
			return jsondoc.AppendQuote(nil, value), nil
		}
	}
	doc := jsondoc.Parse([]byte(value))
	v := doc.Root()
	if doc.Valid() && (types[kindName(v)] || v.Is(jsondoc.Number) && types["integer"]) {
		return []byte(strings.TrimSpace(value)), nil
	}
	want := strings.Join(slices.Sorted(maps.Keys(types)), " or ")
	return nil, usage(`to send something else on purpose write `+name+`:=JSON`, "argument %s wants %s, not %q", name, want, value)
}

func typeNames(s jsondoc.Value) map[string]bool {
	names := map[string]bool{}
	t := s.Get("type")
	if t.Is(jsondoc.String) {
		names[t.Text()] = true
	}
	for _, e := range t.Elements() {
		names[e.Text()] = true
	}
	return names
}

func kindName(v jsondoc.Value) string {
	switch v.Kind() {
	case jsondoc.Null:
		return "null"
	case jsondoc.Bool:
		return "boolean"
	case jsondoc.Number:
		return "number"
	case jsondoc.String:
		return "string"
	case jsondoc.Array:
		return "array"
	case jsondoc.Object:
		return "object"
	}
	return ""
}
