package inspect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// scene writes an example out into a journal. The notation is described at Page.
type scene struct {
	era      string // a revision, or "none"
	http     bool
	sse      bool // the transport of 2024-11-05
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
	at       string // URL of the server, over HTTP
	stream   *asked // the newest GET
	noted    *asked // over HTTP: what we sent last, when it asks for no answer and its response is still to come
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
	url       string // of our request
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
			s.sendText(string(body))
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
	case "*":
		return s.fetch(rest)
	case "!":
		s.add(wire.Entry{Note: &wire.Note{From: "stderr", Text: rest}})
		return nil
	}
	return fmt.Errorf("a line begins with > < >> << >h <h @ ~ * ! = or #")
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
		s.http, s.sse = value == "http" || value == "sse", value == "sse"
	case "at":
		s.http, s.at = true, value
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
	if s.sse {
		s.add(wire.Entry{State: &wire.State{Phase: wire.Detecting, Kind: "sse", Text: "opening the event stream"}})
	}
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
	s.next, s.frames, s.noted = first, nil, nil
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
