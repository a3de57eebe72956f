package question

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/ui/kit"
)

// The answer to a sampling request is a message of a model (client/sampling, CreateMessageResult). The person writes it
// in a small form: the text, who answered, and why it ended; where the request brings tools, the use of one instead. The
// form is a reading of the result; what it cannot say is written as JSON.

// samplingSchema is the schema of the small form, for a request with these params.
func samplingSchema(params jsondoc.Value) jsondoc.Value {
	b := []byte(`{"type":"object","properties":{"text":{"type":"string","description":"what the model says"}`)
	required := `"model","role"`
	if names := toolNames(params); len(names) > 0 {
		b = append(b, `,"tool":{"type":"string","description":"the tool that the model wants to use","enum":[`...)
		for i, n := range names {
			if i > 0 {
				b = append(b, ',')
			}
			b = jsondoc.AppendQuote(b, n)
		}
		b = append(b, `]},"input":{"type":"object","description":"the input of the tool, as JSON"}`...)
	} else {
		required = `"text",` + required
	}
	b = append(b, `,"model":{"type":"string","minLength":1,"description":"who answered"}`+
		`,"stopReason":{"type":"string","enum":["endTurn","stopSequence","maxTokens","toolUse"]}`+
		`,"role":{"type":"string","enum":["assistant","user"]}},"required":[`...)
	return jsondoc.Parse(append(append(b, required...), `]}`...)).Root()
}

const samplingStart = `{"text":"","model":"a person","stopReason":"endTurn","role":"assistant"}`

// maxTools bounds the tools that a form offers and the dialog lists.
const maxTools = 50

func toolNames(params jsondoc.Value) []string {
	var names []string
	for _, t := range params.Get("tools").Elements() {
		if n := t.Get("name"); n.Is(jsondoc.String) && len(names) < maxTools && !slices.Contains(names, n.Text()) {
			names = append(names, n.Text())
		}
	}
	return names
}

// samplingResult is the result that the small form stands for. Members that the form does not know stay.
func samplingResult(form []byte) []byte {
	v := jsondoc.Parse(form).Root()
	if !v.Is(jsondoc.Object) {
		return form
	}
	text, tool := v.Get("text"), v.Get("tool")
	block := append(append([]byte(`{"type":"text","text":`), or(text, `""`)...), '}')
	content, stop := block, v.Get("stopReason").Raw()
	if tool.Exists() {
		use := append(append([]byte(`{"type":"tool_use","id":"call-1","name":`), tool.Raw()...), `,"input":`...)
		use = append(append(use, or(v.Get("input"), "{}")...), '}')
		content = append([]byte{'['}, use...)
		if text.Text() != "" {
			content = append(append(append([]byte{'['}, block...), ','), use...)
		}
		content = append(content, ']')
		stop = []byte(`"toolUse"`)
	}
	var out []byte
	add := func(name string, raw []byte) {
		if len(raw) > 0 {
			out = append(append(append(jsondoc.AppendQuote(append(out, ','), name), ':'), raw...), ' ')
			out = out[:len(out)-1]
		}
	}
	add("role", v.Get("role").Raw())
	add("content", content)
	add("model", v.Get("model").Raw())
	add("stopReason", stop)
	for name, m := range v.Members() {
		switch name {
		case "text", "tool", "input", "role", "model", "stopReason":
		default:
			add(name, m.Raw())
		}
	}
	if len(out) == 0 {
		return []byte("{}")
	}
	out[0] = '{'
	return append(out, '}')
}

func or(v jsondoc.Value, otherwise string) []byte {
	if v.Exists() {
		return v.Raw()
	}
	return []byte(otherwise)
}

// samplingForm is the small form for a result; false when the result says more than the form can.
func samplingForm(result []byte) ([]byte, bool) {
	v := jsondoc.Parse(result).Root()
	content := v.Get("content")
	if !v.Is(jsondoc.Object) || !v.Document().Valid() {
		return nil, false
	}
	var text, tool, input jsondoc.Value
	blocks := []jsondoc.Value{content}
	if content.Is(jsondoc.Array) {
		blocks = blocks[:0]
		for _, b := range content.Elements() {
			blocks = append(blocks, b)
		}
	}
	for _, b := range blocks {
		switch {
		case b.Get("type").Text() == mcp.ContentText && !text.Exists() && !tool.Exists() && b.Len() == 2:
			text = b.Get("text")
		case b.Get("type").Text() == mcp.ContentToolUse && !tool.Exists() && b.Get("id").Text() == "call-1" && b.Len() == 4:
			tool, input = b.Get("name"), b.Get("input")
		default:
			return nil, false
		}
	}
	out := []byte(`{"text":`)
	out = append(out, or(text, `""`)...)
	add := func(name string, v jsondoc.Value) {
		if v.Exists() {
			out = append(append(jsondoc.AppendQuote(append(out, ','), name), ':'), v.Raw()...)
		}
	}
	add("tool", tool)
	add("input", input)
	for _, name := range []string{"model", "stopReason", "role"} {
		add(name, v.Get(name))
	}
	out = append(out, '}')
	return out, jsondoc.Parse(samplingResult(out)).Root().Same(v)
}

// conversation is the messages of a sampling request as people read them, and what is wanted of the model.
func (p *Pane) conversation(params jsondoc.Value, w int) []string {
	s := p.env.Styles
	var out []string
	say := func(who, text string, muted bool) {
		style := &s.Text
		if muted {
			style = &s.Muted
		}
		label := s.Keycap.Render(kit.Fit(who, 9)) + " "
		if len(text) > 4096 {
			text = strings.ToValidUTF8(text[:4096], "") + fmt.Sprintf(" … %s more", kit.Size(int64(len(text)-4096)))
		}
		for _, l := range kit.Paragraph(text, max(w-10, 10)) {
			out = append(out, label+style.Render(l))
			label = kit.Blank(10)
		}
	}
	if sys := params.Get("systemPrompt"); sys.Exists() {
		say("system", sys.Text(), true)
	}
	messages := params.Get("messages")
	if !messages.Is(jsondoc.Array) {
		return append(out, s.Must.Render(kit.SignMust+" messages is no array: "+kit.Cut(kit.Escape(string(messages.Raw())), w/2)))
	}
	n := 0
	for _, m := range messages.Elements() {
		if n++; n > 200 {
			say("", fmt.Sprintf("… %d messages more", messages.Len()-200), true)
			break
		}
		content := m.Get("content")
		if !content.Is(jsondoc.Array) {
			say(kit.Cut(kit.Escape(m.Get("role").Text()), 9), block(content), false)
			continue
		}
		for _, b := range content.Elements() {
			say(kit.Cut(kit.Escape(m.Get("role").Text()), 9), block(b), false)
		}
	}
	var wants []string
	for _, name := range []string{"maxTokens", "temperature", "stopSequences", "modelPreferences", "includeContext", "toolChoice"} {
		if v := params.Get(name); v.Exists() {
			wants = append(wants, name+" "+string(jsondoc.Compact(nil, v.Raw())))
		}
	}
	if len(wants) > 0 {
		say("wants", strings.Join(wants, ", "), true)
	}
	n = 0
	for _, t := range params.Get("tools").Elements() {
		if n++; n > maxTools {
			say("tool", fmt.Sprintf("… %d more", params.Get("tools").Len()-maxTools), true)
			break
		}
		say("tool", strings.TrimSpace(t.Get("name").Text()+"  "+t.Get("description").Text()), true)
	}
	return out
}

// block is a content block of a message in words.
func block(b jsondoc.Value) string {
	switch b.Get("type").Text() {
	case mcp.ContentText:
		return b.Get("text").Text()
	case mcp.ContentImage, mcp.ContentAudio:
		return fmt.Sprintf("[%s, %s, %s of Base64]", b.Get("type").Text(), b.Get("mimeType").Text(), kit.Size(int64(len(b.Get("data").Text()))))
	case mcp.ContentToolUse:
		return "uses " + b.Get("name").Text() + " " + string(jsondoc.Compact(nil, b.Get("input").Raw())) + "  (" + b.Get("id").Text() + ")"
	case mcp.ContentToolResult:
		var parts []string
		for _, c := range b.Get("content").Elements() {
			parts = append(parts, block(c))
		}
		what := "result of " + b.Get("toolUseId").Text()
		if failed, _ := b.Get("isError").Bool(); failed {
			what = "error of " + b.Get("toolUseId").Text()
		}
		if v := b.Get("structuredContent"); v.Exists() {
			parts = append(parts, string(jsondoc.Compact(nil, v.Raw())))
		}
		return what + ": " + strings.Join(parts, " ")
	}
	return string(bytes.TrimSpace(jsondoc.Compact(nil, b.Raw())))
}
