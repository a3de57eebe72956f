package inspect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// withSchemas adds an inputSchema to the tools that have none.
func withSchemas(tools string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i, t := range jsondoc.Parse([]byte(tools)).Root().Elements() {
		if i > 0 {
			b.WriteByte(',')
		}
		raw := string(t.Raw())
		if t.Is(jsondoc.Object) && !t.Get("description").Exists() {
			raw = addMember(raw, `"description":"`+t.Get("name").Text()+` does its work"`)
		}
		if t.Is(jsondoc.Object) && !t.Get("inputSchema").Exists() {
			raw = addMember(raw, `"inputSchema":{"type":"object"}`)
		}
		b.WriteString(raw)
	}
	b.WriteByte(']')
	return b.String()
}

// addMember adds a member to the end of a JSON object's text.
func addMember(object, member string) string {
	inside := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(object), "}"))
	if inside == "{" {
		return inside + member + "}"
	}
	return inside + "," + member + "}"
}

// firstMember adds a member to the beginning of a JSON object's text.
func firstMember(object, member string) string {
	rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(object), "{"))
	if rest == "}" {
		return "{" + member + rest
	}
	return "{" + member + "," + rest
}

func (s *scene) send(text string) error {
	if text == "GET" {
		s.get()
		return nil
	}
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		root := jsondoc.Parse([]byte(text)).Root()
		s.sendBody(text, string(root.Get("id").Raw()), root.Get("method").Text(), root.Get("params"))
		return nil
	}
	method, params, _ := strings.Cut(text, " ")
	params = strings.TrimSpace(params)
	v := jsondoc.Parse([]byte(params)).Root()
	id := ""
	if !mcp.IsNotification(method) {
		id = strconv.Itoa(s.next)
		s.next++
		if s.modern() && method != "initialize" && (params == "" || v.Is(jsondoc.Object)) {
			params = s.withMeta(params, v)
		}
	}
	body := `{"jsonrpc":"2.0"`
	if id != "" {
		body += `,"id":` + id
	}
	body += `,"method":` + jsondoc.Quote(method)
	if params != "" {
		body += `,"params":` + params
	}
	s.sendBody(body+"}", id, method, v)
	return nil
}

// withMeta adds to params the _meta keys that every modern request has, except those that are there.
func (s *scene) withMeta(params string, v jsondoc.Value) string {
	if params == "" {
		params = "{}"
	}
	given := v.Get("_meta")
	if given.Exists() && !given.Is(jsondoc.Object) {
		return params
	}
	meta := "{}"
	if given.Exists() {
		meta = string(given.Raw())
	}
	for _, m := range [][2]string{
		{mcp.MetaProtocolVersion, jsondoc.Quote(s.revision())}, {mcp.MetaClientInfo, clientInfo}, {mcp.MetaClientCapabilities, s.client},
	} {
		if !given.Get(m[0]).Exists() {
			meta = addMember(meta, jsondoc.Quote(m[0])+":"+m[1])
		}
	}
	if given.Exists() {
		return strings.Replace(params, string(given.Raw()), meta, 1)
	}
	return addMember(params, `"_meta":`+meta)
}

// sendText sends exact text.
func (s *scene) sendText(body string) { s.sendBody(body, "", "", jsondoc.Value{}) }

func (s *scene) sendBody(body, id, method string, params jsondoc.Value) {
	if s.http {
		s.lane++
	}
	m, _ := mcp.Lookup(method)
	seq := s.frame(wire.Sent, []byte(body), method, params.Get(cmpOr(m.NameParam, "name")).Text())
	s.noted = nil
	switch a := (asked{id: id, method: method, lane: s.lane, seq: seq}); {
	case id != "" && method != "":
		s.pending = append(s.pending, a)
	case s.http:
		s.noted = &a
	}
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

func (s *scene) receive(text string) error {
	to := s.latest()
	if rest, ok := strings.CutPrefix(text, "#get "); ok && s.stream != nil {
		to, text = s.stream, strings.TrimSpace(rest)
	} else if n, rest, ok := strings.Cut(text, " "); ok && strings.HasPrefix(n, "#") {
		i := slices.IndexFunc(s.pending, func(a asked) bool { return a.id == n[1:] })
		if i < 0 {
			return fmt.Errorf("no request %s is waiting", n[1:])
		}
		to, text = &s.pending[i], strings.TrimSpace(rest)
	}
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		root := jsondoc.Parse([]byte(text)).Root()
		reply := root.Get("result").Exists() || root.Get("error").Exists()
		if id := string(root.Get("id").Raw()); reply && !strings.HasPrefix(text, "[") {
			if i := slices.IndexFunc(s.pending, func(a asked) bool { return a.id == id }); i >= 0 && (to == nil || to != s.stream) {
				to = &s.pending[i]
			} else if to != nil && !s.http {
				reply = false // an answer to nobody leaves the others waiting
			}
		}
		s.answer(to, []byte(text), reply)
		return nil
	}
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "complete", "result", "error":
		if to == nil {
			return fmt.Errorf("no request is waiting")
		}
		if word == "complete" {
			rest = s.faithful(rest, to.method)
			word = "result"
		}
		s.answer(to, []byte(`{"jsonrpc":"2.0","id":`+to.id+`,"`+word+`":`+rest+`}`), true)
	case "nothing":
		return s.nothing(to)
	case "request":
		s.asks++
		method, params, _ := strings.Cut(rest, " ")
		s.answer(to, note(fmt.Sprintf(`,"id":"s%d"`, s.asks), method, params), false)
	default:
		if !strings.Contains(word, "/") {
			return fmt.Errorf("%q is neither complete, result, error, nothing, request nor a method", word)
		}
		s.answer(to, note("", word, rest), false)
	}
	return nil
}

func note(id, method, params string) []byte {
	body := `{"jsonrpc":"2.0"` + id + `,"method":` + jsondoc.Quote(method)
	if params = strings.TrimSpace(params); params != "" {
		body += `,"params":` + params
	}
	return []byte(body + "}")
}

// faithful makes a result what a good server sends.
func (s *scene) faithful(text, method string) string {
	if text == "" {
		text = "{}"
	}
	if !s.modern() {
		return text
	}
	v := jsondoc.Parse([]byte(text)).Root()
	m, _ := mcp.Lookup(method)
	if v.Is(jsondoc.Object) && !v.Get("resultType").Exists() {
		text = firstMember(text, `"resultType":"complete"`)
	}
	for _, add := range []struct {
		name, value string
		due         bool
	}{
		{"ttlMs", "60000", m.Cacheable}, {"cacheScope", `"private"`, m.Cacheable},
		{"_meta", `{"` + mcp.MetaServerInfo + `":` + serverInfo + `}`, true},
	} {
		if add.due && !v.Get(add.name).Exists() {
			text = addMember(text, jsondoc.Quote(add.name)+":"+add.value)
		}
	}
	return text
}
