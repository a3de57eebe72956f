package calls

import (
	"bytes"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
)

// mostPasted bounds what is looked at: a larger paste is only text.
const mostPasted = 4 << 20

// Pasted finds a call in text that was copied from somewhere, a chat say: arguments alone, a call with name and arguments, a
// whole JSON-RPC request, a model's tool call; in code fences, with prose around, with trailing commas or comments. did says
// what was done to it, in a few words each. ok is false when there is no JSON object in it. Arguments are as they were
// spelled; where nothing had to be done and nothing stood around them they are the text itself.
func Pasted(text string) (c Call, did []string, ok bool) {
	if len(text) > mostPasted {
		return Call{}, nil, false
	}
	for _, t := range places(text) {
		d, done := read(t.text)
		if d == nil {
			continue
		}
		root := d.Root()
		if root.Is(jsondoc.Array) && root.Len() == 1 {
			root = root.Index(0)
		}
		if !root.Is(jsondoc.Object) {
			continue
		}
		if c, ok = shape(root); !ok {
			continue
		}
		if c.Arguments == nil { // they are the object itself
			c.Arguments = root.Raw()
		}
		return c, append(slices.Clone(t.did), done...), true
	}
	return Call{}, nil, false
}

// place is a part of a text that may be JSON.
type place struct {
	text string
	did  []string
}

// places are the parts of a text to be tried, the likeliest first.
func places(text string) []place {
	text = strings.TrimPrefix(text, "\ufeff")
	out := []place{{strings.TrimSpace(text), nil}}
	if pieces := strings.Split(text, "```"); len(pieces) > 1 {
		for i := 1; i < len(pieces) && i < 40; i += 2 {
			body := pieces[i]
			if first, rest, ok := strings.Cut(body, "\n"); ok && !strings.ContainsAny(first, "{[") { // the language
				body = rest
			}
			out = append(out, place{strings.TrimSpace(body), []string{"out of the code fence"}})
		}
	}
	if from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}'); from >= 0 && to > from {
		out = append(out, place{text[from : to+1], []string{"without the words around it"}})
	}
	return out
}

// read is the document of a text, made JSON where little is missing; nil when it cannot be.
func read(text string) (d *jsondoc.Document, did []string) {
	if text == "" || text[0] != '{' && text[0] != '[' {
		return nil, nil
	}
	b := []byte(text)
	if d = jsondoc.Parse(b); d.Valid() {
		return d, nil
	}
	if !bytes.ContainsRune(b, '"') && bytes.ContainsAny(b, "“”„") {
		b = []byte(strings.NewReplacer("“", `"`, "”", `"`, "„", `"`).Replace(text))
		did = append(did, "with straight quotes")
	}
	b, done := tidy(b)
	if d = jsondoc.Parse(b); !d.Valid() {
		return nil, nil
	}
	return d, append(did, done...)
}

// shape finds name and arguments in an object. ok is false when it is a call of something that has no arguments to take.
func shape(o jsondoc.Value) (c Call, ok bool) {
	c.Kind = Tool
	if m := o.Get("method"); m.Is(jsondoc.String) && o.Get("params").Is(jsondoc.Object) {
		switch m.Text() {
		case "tools/call":
		case "prompts/get":
			c.Kind = Prompt
		default:
			return c, false
		}
		o = o.Get("params")
		c.Name = o.Get("name").Text()
		c.Arguments = arguments(o.Get("arguments"))
		if c.Arguments == nil {
			c.Arguments = []byte("{}")
		}
		return c, true
	}
	if p := o.Get("params"); p.Is(jsondoc.Object) && o.Len() == 1 {
		o = p
	}
	if f := o.Get("function"); f.Is(jsondoc.Object) && f.Get("name").Is(jsondoc.String) {
		o = f
	}
	if !o.Get("name").Is(jsondoc.String) {
		return c, true
	}
	args := arguments(o.Get("arguments"))
	if o.Get("type").Text() == "tool_use" {
		args = arguments(o.Get("input"))
	}
	if args == nil {
		return c, true // a tool may well have an argument called name
	}
	if k := o.Get("kind").Text(); k == Prompt {
		c.Kind = k
	}
	c.Name, c.Arguments = o.Get("name").Text(), args
	return c, true
}

// arguments is an object, or one that stands in a string as some models' calls have it; nil for anything else.
func arguments(v jsondoc.Value) []byte {
	if v.Is(jsondoc.Object) {
		return v.Raw()
	}
	if v.Is(jsondoc.String) {
		if d := jsondoc.Parse([]byte(v.Text())); d.Valid() && d.Root().Is(jsondoc.Object) {
			return d.Root().Raw()
		}
	}
	return nil
}

// tidy takes away what JSON has not but people and models write: commas before a closing bracket, comments; and spells the
// words of Python as JSON does. What stands in strings is not touched.
func tidy(b []byte) (out []byte, did []string) {
	note := func(what string) {
		if !slices.Contains(did, what) {
			did = append(did, what)
		}
	}
	for i := 0; i < len(b); {
		switch c := b[i]; {
		case c == '"':
			n := stringEnd(b, i)
			out = append(out, b[i:n]...)
			i = n
		case comment(b, i) > i:
			i = comment(b, i)
			note("without comments")
		case c == ',' && closes(b, i+1):
			i++
			note("without a trailing comma")
		case letter(c):
			n := i
			for n < len(b) && (letter(b[n]) || b[n] >= '0' && b[n] <= '9') {
				n++
			}
			word := string(b[i:n])
			if json, ok := map[string]string{"True": "true", "False": "false", "None": "null"}[word]; ok {
				word = json
				note("with JSON's words for Python's")
			}
			out = append(out, word...)
			i = n
		default:
			out = append(out, c)
			i++
		}
	}
	return out, did
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }

// stringEnd is where the string that begins at i is over.
func stringEnd(b []byte, i int) int {
	for n := i + 1; n < len(b); n++ {
		switch b[n] {
		case '\\':
			n++
		case '"':
			return n + 1
		}
	}
	return len(b)
}

// comment is where a comment at i is over; i when none begins there.
func comment(b []byte, i int) int {
	rest := b[i:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		if n := bytes.IndexByte(rest, '\n'); n >= 0 {
			return i + n
		}
		return len(b)
	case bytes.HasPrefix(rest, []byte("/*")):
		if n := bytes.Index(rest, []byte("*/")); n >= 0 {
			return i + n + 2
		}
		return len(b)
	}
	return i
}

// closes tells that the next thing from i on closes an object or array.
func closes(b []byte, i int) bool {
	for i < len(b) {
		if n := comment(b, i); n > i {
			i = n
			continue
		}
		switch b[i] {
		case ' ', '\t', '\r', '\n':
			i++
		case '}', ']':
			return true
		default:
			return false
		}
	}
	return false
}

// Blank tells that arguments hold nothing that somebody typed: no members, or none with a value. Text that is no object is
// blank only when nothing stands in it.
func Blank(args []byte) bool {
	if len(bytes.TrimSpace(args)) == 0 {
		return true
	}
	d := jsondoc.Parse(args)
	if !d.Valid() || !d.Root().Is(jsondoc.Object) {
		return false
	}
	for _, v := range d.Root().Members() {
		if !(v.Is(jsondoc.Null) || v.Is(jsondoc.String) && v.Text() == "" || (v.Is(jsondoc.Object) || v.Is(jsondoc.Array)) && v.Len() == 0) {
			return false
		}
	}
	return true
}

// Took says in one line what was taken from a paste.
func Took(c Call, did []string) string {
	what := "took the arguments"
	if c.Name != "" {
		what += " of " + c.Name
	}
	if len(did) > 0 {
		what += ", " + strings.Join(did, ", ")
	}
	return what
}
