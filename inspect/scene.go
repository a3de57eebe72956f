package inspect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// scene writes an example out into a journal. The notation is described at Page.
type scene struct {
	era      string // a revision, or "none"
	http     bool
	declare  string
	client   string
	tools    string
	profile  string
	next     int // next request id
	asks     int // ids of server requests
	begun    bool
	entries  []wire.Entry
	frames   []wire.Seq // the example's own message lines
	now      time.Time
	lane     uint32
	pending  []asked
	sendEdit *edit
	recvEdit *edit
}

// asked is a request that is waiting for its answer.
type asked struct {
	id, method string
	lane       uint32
	seq        wire.Seq
	sse, open  bool
}

// edit is what a line ">h" or "<h" changes about the next message.
type edit struct {
	set       []wire.Field
	remove    []string
	why       string
	status    int
	sse, open bool
	shape     wire.Shape
	event     *wire.Event
	before    string
	lines     int
}

const (
	allDeclared = `{"completions":{},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"tools":{"listChanged":true}}`
	serverInfo  = `{"name":"example-server","version":"1.0.0"}`
	clientInfo  = `{"name":"mcploupe","version":"1.0.0"}`
)

// sceneStart is when every example begins.
func sceneStart() time.Time { return time.Date(2026, time.August, 3, 9, 0, 0, 0, time.UTC) }

// newExample reads an example far enough to know that it can be played.
func newExample(r *Rule, scenery, script string) (Example, error) {
	e := Example{Script: strings.TrimRight(script, "\n"), scenery: scenery, Profile: ProfileDefault}
	if r.eras.sep < 0 {
		e.Profile = ProfilePublished
	}
	s, err := e.stage()
	if err != nil {
		return e, err
	}
	if s.profile != "" {
		e.Profile = s.profile
	}
	return e, nil
}

// stage plays the script into a journal.
func (e *Example) stage() (*scene, error) {
	s := &scene{era: mcp.Latest, declare: allDeclared, client: `{"elicitation":{"form":{}}}`, next: 1, now: sceneStart()}
	for n, line := range joined(e.scenery + "\n" + e.Script) {
		if err := s.line(line); err != nil {
			return nil, fmt.Errorf("line %d %q: %w", n+1, line, err)
		}
	}
	s.begin()
	return s, nil
}

// joined cuts a script into lines, with continuation lines added to the line before and without comments.
func joined(script string) []string {
	var lines []string
	for line := range strings.Lines(script) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.TrimSpace(line) == "" || line[0] == '#':
		case (line[0] == ' ' || line[0] == '\t') && len(lines) > 0:
			lines[len(lines)-1] += "\n" + line
		default:
			lines = append(lines, line)
		}
	}
	return lines
}

func (s *scene) line(line string) error {
	mark, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if mark == "=" {
		return s.set(rest)
	}
	s.begin()
	switch mark {
	case ">h", "<h":
		e, err := parseEdit(rest)
		if mark == ">h" {
			s.sendEdit = e
		} else {
			s.recvEdit = e
		}
		return err
	case ">":
		return s.send(rest)
	case "<":
		return s.receive(rest)
	case ">>", "<<":
		body, err := strconv.Unquote(`"` + strings.ReplaceAll(rest, `"`, `\"`) + `"`)
		if err != nil {
			return fmt.Errorf("reading the escapes: %w", err)
		}
		if mark == ">>" {
			s.frame(wire.Sent, []byte(body), "", "")
		} else {
			s.answer(s.latest(), []byte(body), false)
		}
		return nil
	case "@":
		d, err := time.ParseDuration(strings.TrimPrefix(rest, "+"))
		if err != nil {
			return fmt.Errorf("reading the duration: %w", err)
		}
		s.now = s.now.Add(d)
		return nil
	case "~":
		return s.ends(rest)
	case "!":
		s.add(wire.Entry{Note: &wire.Note{From: "stderr", Text: rest}})
		return nil
	}
	return fmt.Errorf("a line begins with > < >> << >h <h @ ~ ! = or #")
}

func (s *scene) set(text string) error {
	name, value, _ := strings.Cut(text, " ")
	value = strings.TrimSpace(value)
	switch name {
	case "era":
		s.era = value
		if value != "none" && !mcp.Known(value) {
			return fmt.Errorf("%q is no revision", value)
		}
	case "over":
		s.http = value == "http"
	case "profile":
		s.profile = value
		if !slices.Contains(Profiles(), value) {
			return fmt.Errorf("%q is no profile", value)
		}
	case "declare":
		s.declare = value
	case "client":
		s.client = value
	case "tools":
		s.tools = value
	case "id":
		n, err := strconv.Atoi(value)
		if err != nil {
			return err
		}
		s.next = n
	default:
		return fmt.Errorf("%q is no setting", name)
	}
	if s.begun && name != "client" && name != "id" {
		return fmt.Errorf("%s stands behind the first message", name)
	}
	return nil
}

// modern tells whether requests carry the modern _meta: also towards a server of which nothing is known.
func (s *scene) modern() bool { return s.era == "none" || mcp.Modern(s.era) }

func (s *scene) revision() string {
	if s.era == "none" {
		return mcp.Latest
	}
	return s.era
}

// begin plays what comes before the example.
func (s *scene) begin() {
	if s.begun {
		return
	}
	s.begun = true
	first := s.next
	switch {
	case s.era == "none":
	case s.modern():
		s.must(s.send("server/discover"), s.receive(`complete {"supportedVersions":["`+s.era+`"],"capabilities":`+s.declare+`}`))
	default:
		s.must(s.send(`initialize {"protocolVersion":"`+s.era+`","capabilities":`+s.client+`,"clientInfo":`+clientInfo+`}`),
			s.receive(`result {"protocolVersion":"`+s.era+`","capabilities":`+s.declare+`,"serverInfo":`+serverInfo+`}`),
			s.send("notifications/initialized"))
	}
	if s.tools != "" {
		s.must(s.send("tools/list"), s.receive(`complete {"tools":`+withSchemas(s.tools)+`}`))
	}
	s.next, s.frames = first, nil
	for i := range s.entries {
		// Ids of the example begin where it says; those before it must not meet them.
		if f := s.entries[i].Frame; f != nil {
			f.Body = []byte(strings.Replace(string(f.Body), `"id":`, `"id":90`, 1))
		}
	}
}

// must is for lines that are our own: a fault in them is a fault of this program.
func (s *scene) must(errs ...error) {
	for _, err := range errs {
		if err != nil {
			panic(fmt.Sprintf("the scene before an example: %v", err))
		}
	}
}

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

func (s *scene) sendBody(body, id, method string, params jsondoc.Value) {
	if s.http {
		s.lane++
	}
	m, _ := mcp.Lookup(method)
	seq := s.frame(wire.Sent, []byte(body), method, params.Get(cmpOr(m.NameParam, "name")).Text())
	if id != "" && method != "" {
		s.pending = append(s.pending, asked{id: id, method: method, lane: s.lane, seq: seq})
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
	if n, rest, ok := strings.Cut(text, " "); ok && strings.HasPrefix(n, "#") {
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
			if i := slices.IndexFunc(s.pending, func(a asked) bool { return a.id == id }); i >= 0 {
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
