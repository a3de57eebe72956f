package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

// hostile is everything that a terminal would obey, turn round or hide, and a byte that is no UTF-8.
const (
	hostile     = "\x1b[31mred\x1b[0m\x1b]0;title\x07\u009b2J\u202eevil\u2066iso\u200bzero\U000e0041tag\x7f\r\b\ufeff"
	hostileJSON = `\u001b[31mred\u001b]0;title\u0007\u009b2J\u202eevil\u2066iso\u200bzero\udb40\udc41tag\u007f\r\b\ufeff`
)

// hostileChild is a modern server on stdio that goes wrong in the way its argument names: from the start, or in
// the answer to tools/call.
func hostileChild(args []string) {
	mode := args[0]
	out := bufio.NewWriter(os.Stdout)
	say := func(format string, a ...any) {
		fmt.Fprintf(out, format+"\n", a...)
		out.Flush()
	}
	switch mode {
	case "exit":
		fmt.Fprintln(os.Stderr, "FATAL: no database")
		os.Exit(7)
	case "hang":
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	case "garbage":
		for range 50 {
			say("%s \x00\x01\xff<not JSON> %s", "Listening…", hostile)
		}
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	case "cut":
		fmt.Fprint(os.Stderr, "last words, without an end")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n')
		fmt.Fprint(out, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"comp`)
		out.Flush()
		os.Exit(3)
	case "ansi":
		fmt.Fprintf(os.Stderr, "%s\n", hostile)
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		m := wire.Read(1, time.Time{}, &wire.Frame{Dir: wire.Received, Body: line})
		if m.ID == "" {
			continue
		}
		hostileAnswer(mode, &m, out, say)
	}
}

const hints = `"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"hostile","version":"1"}}`

func hostileAnswer(mode string, m *wire.Message, out *bufio.Writer, say func(string, ...any)) {
	result := func(format string, a ...any) {
		say(`{"jsonrpc":"2.0","id":%s,"result":{%s,%s}}`, m.ID, hints, fmt.Sprintf(format, a...))
	}
	text := func(s string) { result(`"content":[{"type":"text","text":%s}]`, s) }
	evil := "plain"
	if mode == "ansi" {
		evil = hostileJSON
	}
	switch m.Method {
	case mcp.Discover:
		if mode == "pretty" {
			say("{\n  \"jsonrpc\": \"2.0\",\n  \"id\": %s,\n  \"result\": {\n    %s,\n    \"ttlMs\": 0, \"cacheScope\": \"public\",\n\n    \"supportedVersions\": [\"2026-07-28\"],\n    \"capabilities\": {\"tools\": {}}\n  }\n}", m.ID, hints)
			return
		}
		if mode == "ansi" {
			say("noise %s", hostile)
			say(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"%s","version":"%s"}},"ttlMs":0,"cacheScope":"%s","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{}},"instructions":"%s"}}`,
				m.ID, evil, evil, evil, evil)
			return
		}
		result(`"ttlMs":0,"cacheScope":"public","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{}}`)
	case mcp.ToolsList:
		result(`"ttlMs":0,"cacheScope":"public","tools":[{"name":"%s","description":"%s","inputSchema":{"type":"object"}},{"name":"go","inputSchema":{"type":"object"}}]`, evil, evil)
	case mcp.ResourcesList:
		result(`"ttlMs":0,"cacheScope":"public","resources":[{"name":"%s","uri":"x://%s"}]`, evil, evil)
	case mcp.PromptsList:
		result(`"ttlMs":0,"cacheScope":"public","prompts":[{"name":"%s","description":"%s"}]`, evil, evil)
	case mcp.ToolsCall:
		hostileCall(mode, m, out, say, text)
	case mcp.PromptsGet:
		result(`"description":"%s","messages":[{"role":"user","content":{"type":"text","text":"%s"}}]`, evil, evil)
	default:
		say(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"%s","data":%s}}`, m.ID, evil, jsondoc.Quote(m.Method))
	}
}

func hostileCall(mode string, m *wire.Message, out *bufio.Writer, say func(string, ...any), text func(string)) {
	switch mode {
	case "flood":
		for i := range 10_000 {
			fmt.Fprintf(out, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":%d}}`+"\n", jsondoc.Quote(m.ID), i+1)
		}
		text(`"after the flood"`)
	case "crash":
		fmt.Fprintln(os.Stderr, "panic: out of cheese")
		os.Exit(9)
	case "noise":
		say("DEBUG: about to answer")
		say("")
		say("[1,2")
		text(`"after the noise"`)
		say("DEBUG: answered")
	case "pretty":
		say("{\n  \"jsonrpc\": \"2.0\",\n  \"id\": %s,\n  \"result\": {\n    %s,\n    \"content\": [\n      {\"type\": \"text\", \"text\": \"pretty\"}\n    ]\n  }\n}", m.ID, hints)
	case "wrong-id":
		say(`{"jsonrpc":"2.0","id":%s000,"result":{%s,"content":[{"type":"text","text":"lost"}]}}`, m.ID, hints)
	case "string-id":
		say(`{"jsonrpc":"2.0","id":"%s","result":{%s,"content":[{"type":"text","text":"lost"}]}}`, m.ID, hints)
	case "utf8":
		text("\"caf\xe9 \xff\xfe\"")
	case "deep":
		text(`"x"}],"structuredContent":` + strings.Repeat(`[`, 100_000) + strings.Repeat(`]`, 100_000) + `,"more":[{"a":"b"`)
	case "deep-open":
		say(`{"jsonrpc":"2.0","id":%s,"result":{%s,"content":%s`, m.ID, hints, strings.Repeat(`[`, 100_000))
	case "big":
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{%s,"content":[{"type":"text","text":"`, m.ID, hints)
		chunk := strings.Repeat("0123456789abcdef", 4096)
		for range 50 << 20 / len(chunk) {
			_, _ = out.WriteString(chunk)
		}
		say(`"}]}}`)
	case "ansi":
		say(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%s"}}`, hostileJSON)
		say(`{"jsonrpc":"2.0","method":"notifications/%s","params":{"%s":"%s"}}`, hostileJSON, hostileJSON, hostileJSON)
		say("%s", hostile)
		say(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"%s","%s":"%s","content":[{"type":"text","text":"%s"},{"type":"%s"}],"isError":true}}`,
			m.ID, hostileJSON, hostileJSON, hostileJSON, hostile, hostileJSON)
	default:
		text(`"fine"`)
	}
}

// harmless holds output against the promise that no character of a server commands, turns or hides anything.
func harmless(t *testing.T, where, text string) {
	t.Helper()
	if !utf8.ValidString(text) {
		t.Errorf("%s is not UTF-8", where)
	}
	for i, r := range text {
		if r == '\n' {
			continue
		}
		switch class := visible.ClassOf(r); class {
		case visible.Safe, visible.PrivateUse, visible.Variation:
		default:
			t.Errorf("%s holds %U (class %d): …%q…", where, r, class, text[max(0, i-60):min(len(text), i+20)])
			return
		}
	}
}

// On a terminal --json says the same in escapes.
func TestLinesForATerminal(t *testing.T) {
	line := []byte(`{"a":"` + hostileText() + ` Grüße 日本 👩‍🚀"}`)
	got := forTerminal(line)
	harmless(t, "a line for a terminal", string(got))
	if !jsondoc.Parse(got).Root().Same(jsondoc.Parse(line).Root()) {
		t.Errorf("%q does not say what %q says", got, line)
	}
	if !strings.Contains(string(got), "Grüße 日本") {
		t.Errorf("harmless letters are escaped: %q", got)
	}
}

// hostileText is hostile without what JSON forbids in a string.
func hostileText() string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return -1
		}
		return r
	}, hostile)
}

// story is one meeting with a server that goes wrong.
type story struct {
	name string
	args []string // of the command, without the target
	code int
	out  string // stands in what people read on standard output
	err  string // stands on standard error
	line string // stands in the lines of --json
}

// tell runs a story for people and for scripts.
func (s story) tell(t *testing.T, target ...string) {
	t.Helper()
	r := program(t, append(slices.Clone(s.args), target...)...)
	if r.code != s.code || !strings.Contains(r.out, s.out) || !strings.Contains(r.err, s.err) {
		t.Errorf("%s: want exit %d, %q on stdout, %q on stderr; %s", s.name, s.code, s.out, s.err, r)
	}
	harmless(t, s.name+": stdout", r.out)
	harmless(t, s.name+": stderr", r.err)
	r = program(t, append(append(slices.Clone(s.args), "--json"), target...)...)
	lines, summary := contract(t, r.out)
	if r.code != s.code || !strings.Contains(r.out, s.line) || summary.Type == "" || len(lines) == 0 {
		t.Errorf("%s, --json: want exit %d, %q in the lines; %s", s.name, s.code, s.line, r)
	}
	harmless(t, s.name+", --json: stderr", r.err)
	if r.took > 25*time.Second {
		t.Errorf("%s took %s", s.name, r.took)
	}
}

func TestHostileChildren(t *testing.T) {
	soon := func(words ...string) []string { return append(words, "--timeout", "300ms") }
	call := []string{"call", "go"}
	for _, c := range []struct {
		mode string
		story
	}{
		{"exit", story{"exits at once", []string{"list", "tools"}, 3, "", "FATAL: no database", `"outcome":{"class":"transport-failure","kind":"crash"`}},
		{"exit", story{"exits at once: its code", []string{"check"}, 3, "", "exit code 7", ""}},
		{"hang", story{"never answers", soon("list", "tools"), 3, "", "child:hostile", `"kind":"timeout"`}},
		{"garbage", story{"prints garbage", soon("list", "tools"), 3, "", "Listening", `"messageText":"Listening…`}},
		{"cut", story{"ends in the middle of a line", []string{"list", "tools"}, 3, "", "exit code 3", `"resultType\":\"comp`}},
		{"cut", story{"ends in the middle of a line, its last words", []string{"list", "tools"}, 3, "", "last words, without an end", ""}},
		{"flood", story{"floods", call, 0, "after the flood", "", `"progress":10000`}},
		{"crash", story{"dies while it is asked", call, 3, "", "panic: out of cheese", `"kind":"crash"`}},
		{"noise", story{"prints between its messages", call, 0, "after the noise", "", `"messageText":"DEBUG: about to answer"`}},
		{"pretty", story{"prints messages over many lines", call, 0, "pretty", "", `"text":"pretty"`}},
		{"wrong-id", story{"answers somebody else", soon("call", "go"), 3, "", `"text":"lost"`, `"text":"lost"`}},
		{"string-id", story{"answers with the id as a string", soon("call", "go"), 3, "", `"text":"lost"`, `"text":"lost"`}},
		{"utf8", story{"sends what is no UTF-8", call, 0, "‹xE9›", "", `"responseText":"`}},
		{"deep", story{"nests 100,000 deep", call, 0, "", "", `[[[[[[[[[[`}},
		{"deep-open", story{"nests 100,000 deep and never closes", soon("call", "go"), 3, "", "[[[[[[[[", `[[[[[[[[[[`}},
		{"ansi", story{"commands the terminal: call", call, 1, "␛[31mred", "", `"messageText":"`}},
		{"ansi", story{"commands the terminal: list", []string{"list", "tools"}, 0, "␛[31mred", "", ""}},
		{"ansi", story{"commands the terminal: resources", []string{"list", "resources"}, 0, "␛[31mred", "", ""}},
		{"ansi", story{"commands the terminal: prompt", []string{"prompt", "x"}, 0, `\u001b[31mred`, "", ""}},
		{"ansi", story{"commands the terminal: send", []string{"send", "what/ever"}, 1, "␛[31mred", "", ""}},
		{"ansi", story{"commands the terminal: check", []string{"check", "--probe", "--call", "go"}, 1, "", "", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.tell(t, childArgv(t, "child:hostile", c.mode)...)
		})
	}
}

// 50 MB on one line are read, judged and printed whole.
func TestFiftyMegabytes(t *testing.T) {
	if raced {
		t.Skip("a story about size")
	}
	r := program(t, append([]string{"call", "go"}, childArgv(t, "child:hostile", "big")...)...)
	const size = 50 << 20
	if r.code != 0 || len(r.out) < size || len(r.out) > size+4096 || strings.Count(r.out, "0123456789abcdef") != size/16 {
		t.Errorf("exit %d, %d bytes on stdout, %d chunks, stderr %q", r.code, len(r.out), strings.Count(r.out, "0123456789abcdef"), r.err)
	}
}

// Of a flood none is lost.
func TestFloodLosesNone(t *testing.T) {
	lines, _ := contract(t, program(t, append([]string{"call", "go", "--json"}, childArgv(t, "child:hostile", "flood")...)...).out)
	call := exchangesOf(lines, mcp.ToolsCall)
	if len(call) != 1 || len(call[0].Notifications) != 10_000 {
		t.Fatalf("%d calls", len(call))
	}
	for i, n := range call[0].Notifications {
		if !strings.Contains(string(n.Message), fmt.Sprintf(`"progress":%d}`, i+1)) {
			t.Fatalf("notification %d is %s", i, n.Message)
		}
	}
}
