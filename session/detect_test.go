package session

import (
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// A dialogue is a story of one detection: what we do, and what comes of it, in turns. The last line is
// the verdict.
type turn struct {
	we   string // "discover 2026-07-28", "initialize 2025-11-25", "respawn", "sse", "list 2026-07-28", "ready …", "fail …"
	came outcome
}

func says(text string) outcome {
	return outcome{request: 1, frame: 2, end: wire.Replied, message: jsondoc.Parse([]byte(text)).Root()}
}

func resultOf(text string) outcome { return says(`{"jsonrpc":"2.0","id":1,"result":` + text + `}`) }
func errorOf(text string) outcome  { return says(`{"jsonrpc":"2.0","id":1,"error":` + text + `}`) }

func (o outcome) with(status int) outcome { o.status = status; return o }

func page(status int, mediaType string) outcome {
	return outcome{request: 1, frame: 2, end: wire.Replied, status: status, mediaType: mediaType}
}

func silence() outcome { return outcome{request: 1, end: wire.TimedOut, text: "no answer within 10s"} }

func death(code int) outcome {
	return outcome{request: 1, end: wire.Dropped, exit: &wire.Exit{Code: code}}
}

func unreachable() outcome {
	return outcome{request: 1, end: wire.Dropped, refused: true, text: "connection refused"}
}

func deedWords(m move) string {
	switch m.do {
	case doDiscover:
		s := "discover " + m.version
		if m.capabilities != "" {
			s += " with " + m.capabilities
		}
		return s
	case doInitialize:
		return "initialize " + m.version
	case doRespawn:
		return "respawn"
	case doOpenSSE:
		return "sse"
	case doList:
		return "list " + m.version
	case doWait:
		return "wait"
	case doReady:
		return "ready " + m.era + " " + m.version
	case doFail:
		if m.auth {
			return "fail auth"
		}
		return "fail"
	}
	return "?"
}

const (
	discoverResult = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{},"ttlMs":0,"cacheScope":"public"}`
	initResult     = `{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`
	noMethod       = `{"code":-32601,"message":"Method not found"}`
)

func TestDetection(t *testing.T) {
	stdio := plan{kind: "stdio"}
	web := plan{kind: "http", sse: true}
	for name, story := range map[string]struct {
		plan    plan
		turns   []turn
		verdict string
		text    string // part of the last sentence
	}{
		"stdio: modern": {stdio, []turn{{"discover 2026-07-28", resultOf(discoverResult)}}, "ready modern 2026-07-28", "supportedVersions 2026-07-28"},
		"stdio: the newest version in common": {stdio, []turn{
			{"discover 2026-07-28", resultOf(`{"supportedVersions":["2025-11-25","2026-07-28","2031-01-01",7]}`)},
		}, "ready modern 2026-07-28", "2031-01-01"},
		"stdio: an empty list is modern with our own version": {stdio, []turn{
			{"discover 2026-07-28", resultOf(`{"supportedVersions":[]}`)},
		}, "ready modern 2026-07-28", "without a list"},
		"stdio: a resultType without the list is modern": {stdio, []turn{
			{"discover 2026-07-28", resultOf(`{"resultType":"complete"}`)},
		}, "ready modern 2026-07-28", "our own"},
		"stdio: capabilities with ttlMs are modern": {stdio, []turn{
			{"discover 2026-07-28", resultOf(`{"capabilities":{},"ttlMs":5}`)},
		}, "ready modern 2026-07-28", ""},
		"stdio: only legacy versions in common": {stdio, []turn{
			{"discover 2026-07-28", resultOf(`{"resultType":"complete","supportedVersions":["2024-11-05","2025-06-18"]}`)},
			{"initialize 2025-06-18", resultOf(initResult)},
		}, "ready legacy 2025-06-18", ""},
		"stdio: a list without anything of ours": {stdio, []turn{
			{"discover 2026-07-28", resultOf(`{"supportedVersions":["2031-01-01"]}`)},
		}, "ready modern 2026-07-28", "none of which"},
		"stdio: -32022 with versions asks again": {stdio, []turn{
			{"discover 2026-07-28", errorOf(`{"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"2026-07-28"}}`)},
		}, "ready modern 2026-07-28", "was refused"},
		"stdio: -32022 with only legacy versions": {stdio, []turn{
			{"discover 2026-07-28", errorOf(`{"code":-32022,"message":"no","data":{"supported":["2025-06-18"],"requested":"2026-07-28"}}`)},
			{"initialize 2025-06-18", resultOf(initResult)},
		}, "ready legacy 2025-06-18", ""},
		"stdio: -32022 with nothing in common": {stdio, []turn{
			{"discover 2026-07-28", errorOf(`{"code":-32022,"message":"no","data":{"supported":["2031-01-01"],"requested":"2026-07-28"}}`)},
		}, "fail", "no version in common"},
		"stdio: -32022 without a list is no evidence": {stdio, []turn{
			{"discover 2026-07-28", errorOf(`{"code":-32022,"message":"no"}`)},
			{"initialize 2025-11-25", resultOf(initResult)},
		}, "ready legacy 2025-06-18", ""},
		"stdio: -32021 asks again with the capability": {stdio, []turn{
			{"discover 2026-07-28", errorOf(`{"code":-32021,"message":"no","data":{"requiredCapabilities":{"sampling":{}}}}`)},
			{`discover 2026-07-28 with {"sampling":{}}`, resultOf(discoverResult)},
		}, "ready modern 2026-07-28", ""},
		"stdio: -32021 twice is modern without discover": {stdio, []turn{
			{"discover 2026-07-28", errorOf(`{"code":-32021,"message":"no","data":{"requiredCapabilities":{"sampling":{}}}}`)},
			{`discover 2026-07-28 with {"sampling":{}}`, errorOf(`{"code":-32021,"message":"no","data":{"requiredCapabilities":{"sampling":{}}}}`)},
		}, "ready modern 2026-07-28", ""},
		"stdio: -32020 means nothing without headers": {stdio, []turn{
			{"discover 2026-07-28", errorOf(`{"code":-32020,"message":"no"}`)},
			{"initialize 2025-11-25", resultOf(initResult)},
		}, "ready legacy 2025-06-18", ""},
		"stdio: a code of a draft with a modern list": {stdio, []turn{
			{"discover 2026-07-28", errorOf(`{"code":-32004,"message":"no","data":{"supported":["2026-07-28"]}}`)},
		}, "ready modern 2026-07-28", "pre-release"},
		"stdio: method not found, then initialize": {stdio, []turn{
			{"discover 2026-07-28", errorOf(noMethod)},
			{"initialize 2025-11-25", resultOf(initResult)},
		}, "ready legacy 2025-06-18", "protocolVersion 2025-06-18"},
		"stdio: any other code, then initialize": {stdio, []turn{
			{"discover 2026-07-28", errorOf(`{"code":-32000,"message":"Server not initialized"}`)},
			{"initialize 2025-11-25", resultOf(initResult)},
		}, "ready legacy 2025-06-18", ""},
		"stdio: a result of another shape, then initialize": {stdio, []turn{
			{"discover 2026-07-28", resultOf(`{"serverInfo":{"name":"x"}}`)},
			{"initialize 2025-11-25", resultOf(initResult)},
		}, "ready legacy 2025-06-18", ""},
		"stdio: silence, then initialize": {stdio, []turn{
			{"discover 2026-07-28", silence()},
			{"initialize 2025-11-25", resultOf(initResult)},
		}, "ready legacy 2025-06-18", ""},
		"stdio: a late DiscoverResult wins": {stdio, []turn{
			{"discover 2026-07-28", silence()},
			{"initialize 2025-11-25", func() outcome { o := resultOf(discoverResult); o.late = true; return o }()},
		}, "ready modern 2026-07-28", "late"},
		"stdio: a late DiscoverResult with legacy versions lets initialize go on": {stdio, []turn{
			{"discover 2026-07-28", silence()},
			{"initialize 2025-11-25", func() outcome {
				o := resultOf(`{"supportedVersions":["2025-06-18"]}`)
				o.late = true
				return o
			}()},
			{"wait", resultOf(initResult)},
		}, "ready legacy 2025-06-18", ""},
		"stdio: death on the probe": {stdio, []turn{
			{"discover 2026-07-28", death(1)},
			{"respawn", outcome{}},
			{"initialize 2025-11-25", resultOf(initResult)},
		}, "ready legacy 2025-06-18", ""},
		"stdio: death on initialize after an error for the probe": {stdio, []turn{
			{"discover 2026-07-28", errorOf(noMethod)},
			{"initialize 2025-11-25", death(1)},
			{"respawn", outcome{}},
			{"initialize 2025-11-25", resultOf(initResult)},
		}, "ready legacy 2025-06-18", ""},
		"stdio: death again": {stdio, []turn{
			{"discover 2026-07-28", death(3)},
			{"respawn", outcome{}},
			{"initialize 2025-11-25", death(3)},
		}, "fail", "exit code 3"},
		"stdio: cannot be started again": {stdio, []turn{
			{"discover 2026-07-28", death(3)},
			{"respawn", outcome{refused: true, text: "no such file"}},
		}, "fail", "no such file"},
		"stdio: both refused, tools/list shows a resultType": {stdio, []turn{
			{"discover 2026-07-28", errorOf(noMethod)},
			{"initialize 2025-11-25", errorOf(noMethod)},
			{"list 2026-07-28", resultOf(`{"resultType":"complete","tools":[]}`)},
		}, "ready modern 2026-07-28", "without server/discover"},
		"stdio: everything refused tells both answers": {stdio, []turn{
			{"discover 2026-07-28", errorOf(noMethod)},
			{"initialize 2025-11-25", errorOf(`{"code":-32000,"message":"busy"}`)},
			{"list 2026-07-28", errorOf(noMethod)},
		}, "fail", "server/discover got the error -32601 method not found “Method not found”; initialize got the error -32000 “busy”"},
		"stdio: silent all along": {stdio, []turn{
			{"discover 2026-07-28", silence()},
			{"initialize 2025-11-25", silence()},
		}, "fail", "the server answers nothing: server/discover got no answer within 10s; initialize got no answer within 10s"},
		"stdio: initialize lists other legacy versions": {stdio, []turn{
			{"discover 2026-07-28", errorOf(noMethod)},
			{"initialize 2025-11-25", errorOf(`{"code":-32602,"message":"Unsupported protocol version","data":{"supported":["2024-11-05"],"requested":"2025-11-25"}}`)},
			{"initialize 2024-11-05", resultOf(`{"protocolVersion":"2024-11-05"}`)},
		}, "ready legacy 2024-11-05", ""},
		"stdio: initialize without a version": {stdio, []turn{
			{"discover 2026-07-28", errorOf(noMethod)},
			{"initialize 2025-11-25", resultOf(`{"capabilities":{}}`)},
		}, "ready legacy 2025-11-25", "without a protocolVersion"},
		"stdio: initialize answered in modern form": {stdio, []turn{
			{"discover 2026-07-28", errorOf(noMethod)},
			{"initialize 2025-11-25", resultOf(`{"resultType":"complete"}`)},
		}, "ready modern 2026-07-28", ""},
		"stdio: initialize shows the modern error": {stdio, []turn{
			{"discover 2026-07-28", silence()},
			{"initialize 2025-11-25", errorOf(`{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}`)},
		}, "ready modern 2026-07-28", ""},

		"stdio: a closed output is as good as an end": {stdio, []turn{
			{"discover 2026-07-28", outcome{request: 1, end: wire.Dropped, deaf: true, text: "the server closed its output"}},
			{"respawn", outcome{}},
			{"initialize 2025-11-25", resultOf(initResult)},
		}, "ready legacy 2025-06-18", ""},

		"told modern: no fallback": {plan{kind: "stdio", era: Modern}, []turn{
			{"discover 2026-07-28", errorOf(noMethod)},
		}, "ready modern 2026-07-28", "as asked"},
		"told modern: silence fails": {plan{kind: "stdio", era: Modern}, []turn{
			{"discover 2026-07-28", silence()},
		}, "fail", "no answer to server/discover"},
		"told modern: death fails without another start": {plan{kind: "stdio", era: Modern}, []turn{
			{"discover 2026-07-28", death(1)},
		}, "fail", "exit code 1"},
		"told modern: only legacy versions listed": {plan{kind: "stdio", era: Modern}, []turn{
			{"discover 2026-07-28", resultOf(`{"supportedVersions":["2025-06-18"]}`)},
		}, "ready modern 2026-07-28", ""},
		"told legacy: initialize at once": {plan{kind: "stdio", era: Legacy}, []turn{
			{"initialize 2025-11-25", resultOf(initResult)},
		}, "ready legacy 2025-06-18", ""},
		"told legacy: no fallback": {plan{kind: "stdio", era: Legacy}, []turn{
			{"initialize 2025-11-25", errorOf(noMethod)},
		}, "fail", "legacy opening"},
		"told a version: it is kept whatever is listed": {plan{kind: "stdio", era: Modern, protocol: "2099-01-01"}, []turn{
			{"discover 2099-01-01", errorOf(`{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}`)},
		}, "ready modern 2099-01-01", "as asked"},
		"told a legacy version": {plan{kind: "stdio", era: Legacy, protocol: "2024-11-05"}, []turn{
			{"initialize 2024-11-05", resultOf(initResult)},
		}, "ready legacy 2025-06-18", "the server chose"},

		"http: modern": {web, []turn{{"discover 2026-07-28", resultOf(discoverResult).with(200)}}, "ready modern 2026-07-28", ""},
		"http: a login first": {web, []turn{
			{"discover 2026-07-28", outcome{request: 1, end: wire.Dropped, status: 401, challenge: "Bearer"}},
		}, "fail auth", "HTTP 401"},
		"http: a scope first": {web, []turn{
			{"discover 2026-07-28", outcome{request: 1, end: wire.Dropped, status: 403, challenge: `Bearer error="insufficient_scope"`}},
		}, "fail auth", "HTTP 403"},
		"http: a modern error counts whatever the status": {web, []turn{
			{"discover 2026-07-28", errorOf(`{"code":-32020,"message":"no"}`).with(500)},
		}, "ready modern 2026-07-28", "-32020"},
		"http: a server error is no verdict": {web, []turn{
			{"discover 2026-07-28", page(503, "text/html")},
			{"discover 2026-07-28", page(503, "text/html")},
			{"discover 2026-07-28", resultOf(discoverResult).with(200)},
		}, "ready modern 2026-07-28", ""},
		"http: a server error that stays goes on to initialize": {web, []turn{
			{"discover 2026-07-28", page(500, "")},
			{"discover 2026-07-28", page(500, "")},
			{"discover 2026-07-28", page(500, "")},
			{"initialize 2025-11-25", resultOf(initResult).with(200)},
		}, "ready legacy 2025-06-18", ""},
		"http: unreachable": {web, []turn{
			{"discover 2026-07-28", unreachable()}, {"discover 2026-07-28", unreachable()}, {"discover 2026-07-28", unreachable()},
		}, "fail", "connection refused"},
		"http: a redirect that was not followed": {web, []turn{
			{"discover 2026-07-28", outcome{request: 1, end: wire.Dropped, status: 308, location: "https://elsewhere.example/"}},
		}, "fail", "https://elsewhere.example/"},
		"http: 400 with a session error, then initialize": {web, []turn{
			{"discover 2026-07-28", errorOf(`{"code":-32000,"message":"Bad Request: no session"}`).with(400)},
			{"initialize 2025-11-25", resultOf(initResult).with(200)},
		}, "ready legacy 2025-06-18", ""},
		"http: 404 html, then initialize": {web, []turn{
			{"discover 2026-07-28", page(404, "text/html")},
			{"initialize 2025-11-25", resultOf(initResult).with(200)},
		}, "ready legacy 2025-06-18", ""},
		"http: an empty 202, then initialize": {web, []turn{
			{"discover 2026-07-28", outcome{request: 1, end: wire.Dropped, status: 202}},
			{"initialize 2025-11-25", resultOf(initResult).with(200)},
		}, "ready legacy 2025-06-18", ""},
		"http: a cut answer is tried again": {web, []turn{
			{"discover 2026-07-28", outcome{request: 1, end: wire.Dropped, status: 200, cut: true}},
			{"discover 2026-07-28", resultOf(discoverResult).with(200)},
		}, "ready modern 2026-07-28", ""},
		"http+sse": {web, []turn{
			{"discover 2026-07-28", page(404, "")},
			{"initialize 2025-11-25", page(404, "")},
			{"sse", outcome{opened: true}},
			{"initialize 2025-11-25", resultOf(`{"protocolVersion":"2024-11-05"}`)},
		}, "ready legacy 2024-11-05", ""},
		"http: no event stream either, tools/list decides": {web, []turn{
			{"discover 2026-07-28", page(404, "")},
			{"initialize 2025-11-25", page(405, "")},
			{"sse", outcome{refused: true, text: "HTTP 405"}},
			{"list 2026-07-28", resultOf(`{"resultType":"complete","tools":[]}`).with(200)},
		}, "ready modern 2026-07-28", ""},
		"http: nothing works": {web, []turn{
			{"discover 2026-07-28", page(404, "text/html")},
			{"initialize 2025-11-25", page(404, "text/html")},
			{"sse", outcome{refused: true, text: "HTTP 404"}},
			{"list 2026-07-28", page(404, "text/html")},
		}, "fail", "server/discover got HTTP 404 Not Found with text/html; initialize got HTTP 404 Not Found with text/html"},
		"http alone: the event stream is not tried": {plan{kind: "http"}, []turn{
			{"discover 2026-07-28", page(404, "")},
			{"initialize 2025-11-25", page(404, "")},
			{"list 2026-07-28", page(404, "")},
		}, "fail", "era unknown"},
		"http: a refusal in a JSON-RPC error keeps off the event stream": {web, []turn{
			{"discover 2026-07-28", errorOf(noMethod).with(200)},
			{"initialize 2025-11-25", errorOf(noMethod).with(200)},
			{"list 2026-07-28", errorOf(noMethod).with(200)},
		}, "fail", "era unknown"},
		"sse: asked for": {plan{kind: "sse"}, []turn{
			{"sse", outcome{opened: true}},
			{"initialize 2025-11-25", resultOf(`{"protocolVersion":"2024-11-05"}`)},
		}, "ready legacy 2024-11-05", ""},
		"sse: asked for and not there": {plan{kind: "sse"}, []turn{
			{"sse", outcome{refused: true, text: "HTTP 404"}},
		}, "fail", "HTTP 404"},
	} {
		t.Run(name, func(t *testing.T) {
			d, m := begin(story.plan)
			for i, turn := range story.turns {
				if got := deedWords(m); got != turn.we {
					t.Fatalf("turn %d: did %q, want %q (%s)", i+1, got, turn.we, m.text)
				}
				if m.text == "" {
					t.Errorf("turn %d: %q has no sentence", i+1, turn.we)
				}
				d, m = d.next(turn.came)
			}
			if got := deedWords(m); got != story.verdict {
				t.Fatalf("verdict %q, want %q (%s)", got, story.verdict, m.text)
			}
			if !strings.Contains(m.text, story.text) {
				t.Errorf("sentence %q lacks %q", m.text, story.text)
			}
		})
	}
}

func TestExcerpt(t *testing.T) {
	for body, want := range map[string]string{
		"":                   "",
		"plain  text\n here": "plain text here",
		"<html><head><TITLE lang=en>Log in</Title></head><body>x</body>": "Log in",
		"<h1>Not</h1><p>found": "Not found",
		"<title>unfinished":    "unfinished",
		"<title":               "",
		"a < b":                "a",
		"\xff\xfe":             "\uFFFD",
	} {
		if got := excerpt([]byte(body)); got != want {
			t.Errorf("%q: %q, want %q", body, got, want)
		}
	}
	if got := excerpt([]byte(strings.Repeat("x", 200))); got != strings.Repeat("x", 80)+"…" {
		t.Errorf("long: %q", got)
	}
}

// Whatever comes, a detection ends: no server can keep it going round.
func FuzzDetectionEnds(f *testing.F) {
	f.Add(uint8(0), []byte(`{"result":{"supportedVersions":["2025-06-18"]}}`), uint16(0), []byte(`{"error":{"code":-32022,"data":{"supported":["2026-07-28","2025-06-18"]}}}`), uint16(400))
	f.Add(uint8(1), []byte(`{"error":{"code":-32021,"data":{"requiredCapabilities":{"sampling":{}}}}}`), uint16(503), []byte(`x`), uint16(404))
	f.Fuzz(func(t *testing.T, kind uint8, a []byte, statusA uint16, b []byte, statusB uint16) {
		p := plan{kind: []string{"stdio", "http", "sse"}[kind%3], sse: kind&4 != 0, era: []string{"", Modern, Legacy}[kind/8%3]}
		said := func(text []byte, status uint16) outcome {
			o := outcome{request: 1, end: wire.Dropped, status: int(status % 600)}
			if r := jsondoc.Parse(text).Root(); r.Is(jsondoc.Object) {
				o.message, o.frame, o.end = r, 2, wire.Replied
			}
			if status >= 60000 {
				o.exit = &wire.Exit{Code: 1}
			}
			if status >= 50000 && p.kind != "stdio" {
				o.refused = true
			}
			return o
		}
		d, m := begin(p)
		for n := 0; m.do != doReady && m.do != doFail; n++ {
			if n > 40 {
				t.Fatalf("still going after %d moves: %s", n, deedWords(m))
			}
			if m.pause > time.Second {
				t.Fatalf("a person waits %s", m.pause)
			}
			o := said(a, statusA)
			if n%2 == 1 {
				o = said(b, statusB)
			}
			switch m.do {
			case doOpenSSE:
				o = outcome{opened: statusA%2 == 0, refused: statusA%2 == 1}
			case doRespawn:
				o = outcome{}
			}
			d, m = d.next(o)
		}
	})
}
