package inspect

import (
	"embed"
	"fmt"
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// Page is what people read about a rule: the text of `explain`, of a finding's detail, and of lessons; its examples are
// also the rule's tests. A page is the file pages/<rule-id>.txtar:
//
//	A final result says for how long it may be kept
//	-- why --
//	Text for a person who does not know the specification. Blank lines separate paragraphs.
//	-- fix --
//	What to do.
//	-- bad --
//	> tools/list
//	< result {"resultType":"complete","tools":[],"cacheScope":"public"}
//	-- want --
//	2 /result
//	-- good --
//	> tools/list
//	< complete {"tools":[]}
//
// The first line is the title: one sentence without a full stop that says how it should be. Level, source and revisions
// are the rule's and are not repeated. Further examples are bad-2 with want-2, bad-3 …, and good-2 …
//
// # Examples
//
// An example is a conversation. Lines beginning with > are ours, with < the server's; a line that begins with a blank
// continues the one before; # begins a comment. Short forms spare the envelope:
//
//	> tools/call {"name":"add"}     a request: next id (1, 2, …), and in a modern era the usual _meta is added
//	> notifications/initialized     a notification (no id)
//	< complete {"tools":[]}         a faithful result of the latest unanswered request: resultType, serverInfo and, where
//	                                the method is cacheable, ttlMs and cacheScope are added unless given
//	< result {"tools":[]}           a result exactly as written; only the envelope is added
//	< error {"code":-32602,"message":"…"}   an error, likewise
//	< notifications/progress {…}    a notification; "< request METHOD {…}" is a request of the server with id "s1", "s2", …
//	> {"jsonrpc":"2.0",…}           a whole message as written; likewise with <
//	<< text\n\xff                   exact bytes, with Go escapes (stdio); >> likewise
//	< #2 complete {…}               the answer to request 2 rather than to the latest
//	< nothing                       an HTTP response without a body (with "<h status=202")
//	@ +20s                          time passes (else 10 ms a line)
//	~ eof | cut | failed | closed   the channel of the latest waiting request ends
//	> GET                           a request for an event stream; the next < is its answer, "< #get …" a later message on it
//	* server https://as.example/.well-known/oauth-authorization-server 200 {…}   a document fetched on the way to a token: what for
//	                                (resource, server, registration, token, redirect), where, and the status and body that came (or nothing)
//	~ exit 1                        the child exits ("ours": after we closed stdin; "late": only by a signal)
//	~ cancel 1 | timeout 1          we give request 1 up
//	~ bare GET 405                  we send an HTTP request without a body, and this is the status of the response
//	~ saw also reachable at …       a probe saw something that is no message
//	! text                          a stderr line
//
// Over HTTP the heads are written by the short forms, right for the message. A line ">h" or "<h" before it changes the
// head of the next one: `>h Mcp-Name=other -Mcp-Method why=probe-name` sets, removes, and names the reason for sending (url= is the address);
// `<h status=404 Content-Type=text/plain` likewise (values with blanks in Go quotes). `<h sse` begins an event stream: the
// server's lines that follow are its events, and it ends with the reply; `<h sse open` keeps it open until a line "~ eof".
// Of an event, `<h event=NAME event-id=ID retry=MS comment=TEXT nodata` set the fields. Works on stdio too: `>h why=NAME`, and
// the framing facts that the transport records, `<h shape=crlf,noise lines=3 before="\xef\xbb\xbf"` (see shapes in scenehttp.go).
//
// Lines beginning with = set the scene, in the title's part for all examples of the page or at the top of one:
//
//	= era 2025-06-18       the revision (default 2026-07-28); "= era none": nothing is known of the server beforehand
//	= over http            default stdio; "sse" is the transport of 2024-11-05: answers come on the stream of "> GET"
//	= at URL               over HTTP, and where the server is; default http://127.0.0.1:8080/mcp
//	= profile 2026-07-28   default: the default profile; for rules with !SEP-2145 the published one
//	= declare {"tools":{}} capabilities of the server; default: all, with listChanged and subscribe
//	= client {"roots":{}}  capabilities that our requests declare; default {"elicitation":{"form":{}}}
//	= tools [{"name":"add"}]   a complete tools/list came before; an inputSchema {"type":"object"} is added where none is
//	= id 10                the first id of our requests (default 1)
//
// Unless the era is none, the server's discover (or initialize) exchange comes first; it and the tool list are faultless and
// are not counted. Entries of the example itself (messages, and lane events and the like) are not numbered: want counts the
// message lines only (> and <, and documents *), from 1.
//
// A line of want is one finding of the page's own rule, in order: `LINE [PART] POINTER`, PART being body (left out), key,
// header, status, timing or stream; the pointer "" is left out, a header's name stands in its place; then, optionally,
// "likely" or "guess" and "also LINE POINTER". A bad example must give exactly these; a good one nothing, by no rule.
type Page struct {
	Rule            *Rule
	Title, Why, Fix string
	Bad, Good       []Example
}

// Example is one conversation of a page.
type Example struct {
	Script  string // as written
	Profile string // judged by this one
	Want    []Want // bad examples: the findings of the page's own rule

	scenery string // the page's own settings
}

// Want is a finding that a bad example must give. Line counts the message lines of the script from 1.
type Want struct {
	Line       int
	Part       Part
	Path       jsondoc.Pointer
	Confidence Confidence
	Also       []Want
}

//go:embed pages/*.txtar
var pageFiles embed.FS

// Explain is the page of a rule, of the catalogue or beside it. ok is false when there is no such rule; an error is a broken page, a fault of ours.
func Explain(id string) (page *Page, ok bool, err error) {
	r, ok := Lookup(id)
	if !ok {
		return explainBeside(id)
	}
	text, err := pageFiles.ReadFile("pages/" + id + ".txtar")
	if err != nil {
		return nil, true, fmt.Errorf("reading the page of %s: %w", id, err)
	}
	page, err = parsePage(r, string(text))
	if err != nil {
		return nil, true, fmt.Errorf("reading the page of %s: %w", id, err)
	}
	return page, true, nil
}

// Title is the title of a rule's page, "" when it has none.
func Title(r *Rule) string {
	text, err := pageFiles.ReadFile("pages/" + r.ID + ".txtar")
	if err != nil {
		text, err = besideFiles.ReadFile("beside/" + r.ID + ".txtar")
	}
	if err != nil {
		return ""
	}
	title, _, _ := strings.Cut(string(text), "\n")
	return title
}

type section struct{ name, text string }

// sections cuts a txtar text: what stands before the first "-- name --" line has the name "".
func sections(text string) []section {
	all := []section{{}}
	for line := range strings.Lines(text) {
		name, is := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "-- ")
		if name, ok := strings.CutSuffix(name, " --"); is && ok {
			all = append(all, section{name: strings.TrimSpace(name)})
			continue
		}
		all[len(all)-1].text += line
	}
	return all
}

func parsePage(r *Rule, text string) (*Page, error) {
	p, err := readPage(r, text)
	if err != nil {
		return nil, err
	}
	if p.Title == "" || p.Why == "" || p.Fix == "" || len(p.Bad) == 0 || len(p.Good) == 0 {
		return nil, fmt.Errorf("title, why, fix, bad or good is missing")
	}
	for _, e := range p.Bad {
		if len(e.Want) == 0 {
			return nil, fmt.Errorf("a bad example has no want")
		}
	}
	return p, nil
}

// readPage reads the parts of a page, whichever there are.
func readPage(r *Rule, text string) (*Page, error) {
	p := &Page{Rule: r}
	var scene string
	for _, s := range sections(text) {
		kind, _, _ := strings.Cut(s.name, "-")
		switch kind {
		case "":
			title, rest, _ := strings.Cut(s.text, "\n")
			p.Title, scene = strings.TrimSpace(title), rest
		case "why":
			p.Why = strings.TrimSpace(s.text)
		case "fix":
			p.Fix = strings.TrimSpace(s.text)
		case "bad", "good":
			e, err := newExample(r, scene, s.text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			if kind == "bad" {
				p.Bad = append(p.Bad, e)
			} else {
				p.Good = append(p.Good, e)
			}
		case "want":
			if len(p.Bad) == 0 {
				return nil, fmt.Errorf("%s stands before any bad", s.name)
			}
			want, err := parseWant(s.text)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			p.Bad[len(p.Bad)-1].Want = want
		default:
			return nil, fmt.Errorf("part %q is unknown", s.name)
		}
	}
	return p, nil
}

func parseWant(text string) ([]Want, error) {
	var all []Want
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		w, rest, err := parsePlace(fields)
		for err == nil && len(rest) > 0 {
			switch rest[0] {
			case "likely":
				w.Confidence, rest = Likely, rest[1:]
			case "guess":
				w.Confidence, rest = Guess, rest[1:]
			case "also":
				var also Want
				also, rest, err = parsePlace(rest[1:])
				w.Also = append(w.Also, also)
			default:
				err = fmt.Errorf("cannot read %q", rest[0])
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%q: %w", strings.TrimSpace(line), err)
		}
		all = append(all, w)
	}
	return all, nil
}

func parsePlace(fields []string) (w Want, rest []string, err error) {
	if len(fields) == 0 {
		return w, nil, fmt.Errorf("a line number is missing")
	}
	if w.Line, err = strconv.Atoi(fields[0]); err != nil {
		return w, nil, fmt.Errorf("reading the line number: %w", err)
	}
	rest = fields[1:]
	if len(rest) > 0 {
		if part, ok := parsePart(rest[0]); ok {
			w.Part, rest = part, rest[1:]
		}
	}
	if len(rest) > 0 && (w.Part == Header || strings.HasPrefix(rest[0], "/")) {
		w.Path, rest = jsondoc.Pointer(rest[0]), rest[1:]
	}
	return w, rest, nil
}

// Entries is the example as a journal, with what comes before it. own are the numbers of the example's own frames: the
// first message line of the script is own[0].
func (e *Example) Entries() (entries []wire.Entry, own []wire.Seq, err error) {
	s, err := e.stage()
	if err != nil {
		return nil, nil, fmt.Errorf("reading the example: %w", err)
	}
	return s.entries, s.frames, nil
}

// Played is what judging an example gave.
type Played struct {
	Findings []Finding // about the example's own frames, and of the end of the session
	Before   []Finding // about what comes before it: should be none
	Verdicts []Verdict // in the order in which they came
	Own      []wire.Seq
}

// Line is the message line of the script that a frame is, counted from 1; the line before it for other entries.
func (p *Played) Line(seq wire.Seq) int {
	n := 0
	for _, own := range p.Own {
		if own <= seq {
			n++
		}
	}
	return n
}

// Play judges the example: every exchange as it shows, then the end of the session. Options.Profile is the example's.
func (e *Example) Play(opts Options) (*Played, error) {
	entries, own, err := e.Entries()
	if err != nil {
		return nil, err
	}
	opts.Profile = e.Profile
	in, fold, p := New(opts), wire.NewFold(), &Played{Own: own}
	var broken []string
	take := func(v Verdict) {
		p.Verdicts = append(p.Verdicts, v)
		broken = append(broken, v.Broken...)
		for _, f := range v.Findings {
			if len(own) > 0 && f.At.Frame >= own[0] {
				p.Findings = append(p.Findings, f)
			} else {
				p.Before = append(p.Before, f)
			}
		}
	}
	for i := range entries {
		in.Observe(&entries[i])
		exchanges := fold.Add(entries[i])
		for j := range exchanges {
			take(in.See(&exchanges[j]))
		}
	}
	take(in.End())
	if len(broken) > 0 {
		return p, fmt.Errorf("%s", strings.Join(broken, "; "))
	}
	return p, nil
}
