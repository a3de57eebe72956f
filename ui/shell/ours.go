package shell

import (
	"errors"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Ours is an exchange as a command of ours that asks the same again. target is the flags and the words that lead to the
// server. What was sent wrong on purpose is sent as it is, byte for byte. An error says why there is none.
func Ours(x *wire.Exchange, target []Word) (string, error) {
	m := x.Request
	switch {
	case m == nil:
		return "", errors.New("this was no request of ours")
	case m.Dropped > 0:
		return "", errors.New("its body is not kept any more")
	case len(target) == 0:
		return "", errors.New("nobody knows how the server is reached")
	}
	words, input := command(m)
	if input != "" {
		from, ok := printed(input)
		if !ok {
			words = append(words, Text(input))
		} else {
			words = append(words, Text("-"))
			return from + " | " + Line(append(append(Texts("mcploupe"), words...), target...)), nil
		}
	}
	return Line(append(append(Texts("mcploupe"), words...), target...)), nil
}

// command is the words of a request without those of its target. The JSON that belongs behind the last word is given apart:
// it may have to come from standard input.
func command(m *wire.Message) (words []Word, input string) {
	method := m.Method
	params := m.Params()
	if m.Kind != wire.Request || m.Frame.Aside() || !m.Doc().Valid() || method == "" || strings.HasPrefix(method, "-") {
		if method == "" || strings.HasPrefix(method, "-") {
			method = "raw"
		}
		return Texts("send", method, "--raw", string(m.Body)), ""
	}
	if words, input, ok := short(method, params); ok {
		return words, input
	}
	rest := without(params, "_meta")
	if rest == "" {
		return Texts("send", method), ""
	}
	return Texts("send", method, "--params"), rest
}

// short is the command that is made for a method, where it can say all that the params do.
func short(method string, params jsondoc.Value) (words []Word, input string, ok bool) {
	only := func(names ...string) bool {
		for name := range params.Members() {
			if name != "_meta" && !slices.Contains(names, name) {
				return false
			}
		}
		return true
	}
	named := func(member string) (string, bool) {
		v := params.Get(member)
		name := v.Text()
		return name, v.Is(jsondoc.String) && name != "" && !strings.HasPrefix(name, "-")
	}
	switch method {
	case mcp.ToolsCall, mcp.PromptsGet:
		word := map[string]string{mcp.ToolsCall: "call", mcp.PromptsGet: "prompt"}[method]
		name, ok := named("name")
		args := params.Get("arguments")
		if !ok || !only("name", "arguments") || args.Exists() && !args.Is(jsondoc.Object) {
			return nil, "", false
		}
		if args.Len() == 0 {
			return Texts(word, name), "", true
		}
		return Texts(word, name, "--args"), string(args.Raw()), true
	case mcp.ResourcesRead:
		uri, ok := named("uri")
		return Texts("read", uri), "", ok && only("uri")
	case mcp.ToolsList, mcp.ResourcesList, mcp.PromptsList, mcp.TemplatesList:
		kind := strings.TrimSuffix(strings.TrimPrefix(method, "resources/"), "/list")
		if method == mcp.ResourcesList {
			kind = "resources"
		}
		return Texts("list", kind), "", only()
	}
	return nil, "", false
}

// without is an object without one of its members, "" when nothing is left; what is no object as it is.
func without(v jsondoc.Value, name string) string {
	if !v.Is(jsondoc.Object) {
		return string(v.Raw())
	}
	out := []byte("{")
	for n, m := range v.Members() {
		if n == name {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(jsondoc.AppendQuote(out, n), ':')
		out = append(out, m.Raw()...)
	}
	if len(out) == 1 {
		return ""
	}
	return string(append(out, '}'))
}

// JSON is an exchange as one JSON object: request, what came between, response; each as it was sent where it is JSON, else as a
// string.
func JSON(x *wire.Exchange) string {
	var out []byte
	add := func(name string, m *wire.Message) {
		if m == nil {
			return
		}
		if len(out) > 0 {
			out = append(out, ',')
		}
		out = append(jsondoc.AppendQuote(out, name), ':')
		out = text(out, m)
	}
	if x.Lone != nil {
		return string(text(nil, x.Lone))
	}
	add("request", x.Request)
	if len(x.During) > 0 {
		out = append(out, `,"between":[`...)
		for i := range x.During {
			if i > 0 {
				out = append(out, ',')
			}
			out = text(out, &x.During[i])
		}
		out = append(out, ']')
	}
	add("response", x.Reply)
	return "{" + string(out) + "}"
}

func text(out []byte, m *wire.Message) []byte {
	if m.Doc().Valid() {
		return append(out, m.Body...)
	}
	return jsondoc.AppendQuote(out, string(m.Body))
}
