package story

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/task"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

// mostText bounds one detail, in bytes before escaping; mostDetails how many an entry has.
const (
	mostText    = 300
	mostDetails = 12
)

// line is a text of anybody in one line, cut and escaped.
func line(text string) string {
	cut := ""
	if len(text) > mostText {
		text, cut = strings.ToValidUTF8(text[:mostText], ""), "…"
	}
	return visible.Escape(text) + cut
}

// short is a value in one line.
func short(v jsondoc.Value) string {
	raw := v.Raw()
	if len(raw) > 20*mostText { // it will be cut anyway
		return line(string(bytes.ToValidUTF8(raw[:2*mostText], nil)))
	}
	return line(string(jsondoc.Compact(nil, raw)))
}

// title names what a story is about.
func title(x *wire.Exchange) string {
	name := x.Method()
	switch {
	case x.Fetch != nil && name == "":
		name = x.Fetch.For
	case isHandshake(x):
		return "the opening"
	case name == "":
		name = "a message without method"
	}
	if of := x.Name(); of != "" {
		name += " " + of
	}
	return line(name)
}

// asked is what a request says beside its method and name.
func asked(m *wire.Message) []string {
	p := m.Params()
	var out []string
	switch m.Method {
	case mcp.ToolsCall, mcp.PromptsGet:
		if args := p.Get("arguments"); args.Len() > 0 || args.Exists() && !args.Is(jsondoc.Object) {
			out = append(out, short(args))
		}
	case mcp.Initialize:
		out = append(out, "protocolVersion "+line(p.Get("protocolVersion").Text()))
	case mcp.ElicitationCreate, mcp.SamplingCreate:
		if text := p.Get("message"); text.Exists() {
			return append(out, line(text.Text()))
		}
		fallthrough
	default:
		if text := without(p, "_meta", "inputResponses", "requestState", "uri", "taskId"); text != "" {
			out = append(out, text)
		}
	}
	for name, v := range p.Get("inputResponses").Members() {
		if len(out) == mostDetails {
			break
		}
		out = append(out, "answers "+line(name)+": "+short(v))
	}
	if state := p.Get("requestState"); state.Exists() {
		out = append(out, "requestState, "+strconv.Itoa(len(state.Raw()))+" bytes")
	}
	return out
}

// without is an object in one line, but for some members; "" when nothing is left.
func without(v jsondoc.Value, names ...string) string {
	if !v.Is(jsondoc.Object) {
		if !v.Exists() {
			return ""
		}
		return short(v)
	}
	var b strings.Builder
	for name, m := range v.Members() {
		if slices.Contains(names, name) {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(jsondoc.AppendQuote(nil, name)) + ":" + string(jsondoc.Compact(nil, m.Raw()[:min(len(m.Raw()), 4*mostText)])))
		if b.Len() > mostText {
			break
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return line("{" + b.String() + "}")
}

// answered is what an answer brings, in a few lines.
func answered(m *wire.Message) []string {
	if e := m.Err(); e.Exists() {
		out := []string{line(e.Get("message").Text())}
		if data := e.Get("data"); data.Exists() {
			out = append(out, short(data))
		}
		return out
	}
	r := m.Result()
	var out []string
	if r.Get("resultType").Text() == mcp.ResultInputRequired {
		out = questions(r, mostDetails)
		if state := r.Get("requestState"); state.Exists() {
			out = append(out, "requestState, "+strconv.Itoa(len(state.Raw()))+" bytes")
		}
		return out
	}
	if now := task.Read(r); now.ID != "" && now.Status != "" && r.Get("resultType").Text() != mcp.ResultTask {
		name, payload := now.Payload()
		if out = append(out, "task: "+state(now)); name == "error" {
			return append(out, line(payload.Get("message").Text()))
		}
		return append(append(out, questions(r, mostDetails-len(out))...), content(payload)...)
	}
	if made, ok := task.Of(r); ok {
		return []string{"task " + line(made.ID) + ": " + state(made)}
	}
	if v := r.Get("protocolVersion"); v.Is(jsondoc.String) {
		return []string{"protocolVersion " + line(v.Text())}
	}
	if v := r.Get("supportedVersions"); v.Exists() {
		return []string{"supportedVersions " + short(v)}
	}
	for _, list := range [...]string{"tools", "resources", "resourceTemplates", "prompts"} {
		if v := r.Get(list); v.Is(jsondoc.Array) {
			out = append(out, fmt.Sprintf("%d %s", v.Len(), list))
			if next := r.Get("nextCursor"); next.Exists() {
				out = append(out, "nextCursor "+short(next))
			}
			return out
		}
	}
	return content(r)
}

// questions are the first entries of inputRequests.
func questions(r jsondoc.Value, most int) []string {
	var out []string
	for name, q := range r.Get("inputRequests").Members() {
		if len(out) == most {
			break
		}
		text := "asks " + line(name) + ": " + line(q.Get("method").Text())
		if msg := q.Get("params").Get("message"); msg.Exists() {
			text += " — " + line(msg.Text())
		}
		out = append(out, text)
	}
	return out
}

// content is how a result's content begins.
func content(r jsondoc.Value) []string {
	for _, list := range [...]string{"content", "contents", "messages"} {
		for _, c := range r.Get(list).Elements() {
			if list == "messages" {
				c = c.Get("content")
			}
			if text := c.Get("text"); text.Is(jsondoc.String) {
				return []string{line(text.Text())}
			}
			if kind := c.Get("type").Text(); kind != "" {
				return []string{line(kind + " " + c.Get("mimeType").Text())}
			}
		}
	}
	if v := r.Get("structuredContent"); v.Exists() {
		return []string{short(v)}
	}
	return nil
}

func state(t task.Task) string {
	if t.Message != "" {
		return line(t.Status + ", " + t.Message)
	}
	return line(t.Status)
}

// noted is what a notification says: a head, what is worth reading of it, and what folds it with others.
func noted(m *wire.Message) (head string, detail []string, fold string) {
	p := m.Params()
	head = line(m.Method)
	switch m.Method {
	case mcp.Progress:
		head = "progress"
		if v := p.Get("progress"); v.Exists() {
			head += " " + line(string(v.Raw()))
			if total := p.Get("total"); total.Exists() {
				head += " of " + line(string(total.Raw()))
			}
		}
		if text := p.Get("message").Text(); text != "" {
			detail = append(detail, line(text))
		}
		return head, detail, "progress " + string(p.Get("progressToken").Raw())
	case mcp.LogMessage:
		text := short(p.Get("data"))
		if data := p.Get("data"); data.Is(jsondoc.String) {
			text = line(data.Text())
		}
		if logger := p.Get("logger").Text(); logger != "" {
			text = line(logger) + ": " + text
		}
		level := line(p.Get("level").Text())
		return "log " + level, []string{text}, "log " + level + p.Get("logger").Text()
	case mcp.Cancelled:
		head = "cancelled " + line(string(p.Get("requestId").Raw()))
		if why := p.Get("reason").Text(); why != "" {
			detail = []string{line(why)}
		}
		return head, detail, ""
	case mcp.TasksNotification, mcp.TaskStatus:
		now := task.Read(p)
		return head + ": " + state(now), nil, "task " + now.ID + now.Status
	}
	text := without(p, "_meta")
	if text != "" {
		detail = []string{text}
	}
	return head, detail, m.Method + string(p.Get("uri").Raw())
}
