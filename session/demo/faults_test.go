package demo

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
)

const (
	askWeather = `tools/call {"name":"get_weather","arguments":{"location":"Skerry Light"}}`
	badArgs    = `tools/call {"name":"get_weather","arguments":{"location":7}}`
	broken     = `tools/call {"name":"read_sensor","arguments":{"sensor":"hygrometer"}}`
	unknown    = `tools/call {"name":"no_such_tool"}`
	tide       = `tools/call {"name":"tide_table"}`
	slow       = `token tools/call {"name":"calibrate","arguments":{"steps":2,"stepMs":1}}`
	ask1       = `tools/call {"name":"log_observation"}`
	about      = `resources/read {"uri":"station://skerry/about"}`
	nowhere    = `resources/read {"uri":"station://skerry/nowhere"}`
	brief      = `prompts/get {"name":"morning_briefing"}`
	suggest    = `completion/complete {"ref":{"type":"ref/prompt","name":"compare_places"},"argument":{"name":"first","value":"p"}}`
	askListen  = `subscriptions/listen {"notifications":{"toolsListChanged":true}}`
)

// How each fault shows on the wire: what to send, and a pattern that the faulty server's output matches
// and the faithful server's does not ("!" before it: the other way round).
func faultCases() []struct {
	name, pattern string
	send          []string
} {
	type c = struct {
		name, pattern string
		send          []string
	}
	return []c{
		{"result-type-gone", `!"resultType"`, []string{askWeather, about, brief}},
		{"result-type-odd", `"resultType":"galaxy"`, []string{askWeather}},
		{"result-type-number", `"resultType":1,`, []string{about}},
		{"input-required-completion", `"resultType":"input_required"`, []string{suggest}},
		{"prompts-member-gone", `!"prompts"`, []string{"prompts/list"}},
		{"server-info-gone", `!serverInfo`, []string{"server/discover", "tools/list", askWeather}},
		{"server-info-no-version", `serverInfo":\{"name":"skerry-light"\}`, []string{"tools/list"}},
		{"request-state-on-complete", `"requestState"`, []string{askWeather}},
		{"ttl-gone", `!"ttlMs"`, []string{"server/discover", "tools/list", about}},
		{"ttl-negative", `"ttlMs":-5`, []string{"tools/list"}},
		{"ttl-text", `"ttlMs":"300000"`, []string{"tools/list"}},
		{"ttl-seconds", `"ttlMs":300,`, []string{"tools/list"}},
		{"ttl-century", `"ttlMs":3155760000000`, []string{"tools/list"}},
		{"scope-gone", `!"cacheScope"`, []string{"server/discover", "tools/list", about}},
		{"scope-odd", `"cacheScope":"shared"`, []string{"tools/list"}},
		{"scope-differs", `(?s)"cacheScope":"public".*"cacheScope":"private"`, []string{"tools/list", "next"}},
		{"hints-on-call", `"ttlMs":60000`, []string{askWeather}},
		{"hints-on-question", `"ttlMs":60000`, []string{ask1}},

		{"versions-gone", `"supportedVersions":\[\]`, []string{"server/discover"}},
		{"capabilities-gone", `!"capabilities"`, []string{"server/discover"}},
		{"capability-true", `"tools":true`, []string{"server/discover"}},
		{"capability-hidden", `!"prompts":\{"listChanged":true\}`, []string{"server/discover"}},
		{"capability-unserved", `-32601`, []string{"prompts/list"}},
		{"extension-bare", `"extensions":\{"tides"`, []string{"server/discover"}},
		{"extension-true", `"org.example/tides":true`, []string{"server/discover"}},
		{"tasks-leftover", `"tasks":`, []string{"server/discover"}},
		{"initialize-leftover", `"serverInfo":`, []string{"server/discover"}},
		{"instructions-list", `"instructions":\[`, []string{"server/discover"}},
		{"version-accepted", `"tools":`, []string{"as=1900-01-01 tools/list"}},
		{"version-code", `"code":-32602`, []string{"as=1900-01-01 tools/list"}},
		{"version-data", `!"supported"`, []string{"as=1900-01-01 tools/list"}},
		{"meta-accepted", `"tools":`, []string{"-caps tools/list"}},
		{"meta-code", `"code":-32600`, []string{"-caps tools/list"}},
		{"client-info-demanded", `"code":-32602`, []string{"-info tools/list"}},
		{"capability-code", `"code":-32602`, []string{"-elicitation " + ask1}},
		{"capability-data", `!requiredCapabilities`, []string{"-elicitation " + ask1}},

		{"tool-null", `,null\]`, []string{"tools/list"}},
		{"tool-nameless", `!"name":"tide_table"`, []string{"tools/list"}},
		{"tool-name-odd", `"name":"tide table!"`, []string{"tools/list"}},
		{"tool-twice", `"name":"get_weather".*"name":"get_weather"`, []string{"tools/list"}},
		{"tool-undescribed", `!landing stage, as plain text`, []string{"tools/list"}},
		{"annotation-text", `"readOnlyHint":"true"`, []string{"tools/list"}},
		{"annotation-contradiction", `"readOnlyHint":true,"openWorldHint":false,"destructiveHint":true`, []string{"tools/list"}},
		{"icon-script", `"src":"javascript:`, []string{"tools/list"}},
		{"order-unstable", `(?s)^.{0,80}"get_weather".*\n.{0,80}"ring_bell"`, []string{"tools/list", "tools/list"}},
		{"hidden-unicode", "\u200b\u2060\U000e0061", []string{"tools/list"}},
		{"ansi-escape", `\\u001b\[8m`, []string{"tools/list"}},
		{"poisoned-description", `<IMPORTANT>`, []string{"tools/list"}},
		{"secret-in-description", `AKIA`, []string{"tools/list"}},
		{"cursor-loop", `(?s)"nextCursor":"([^"]*)".*"nextCursor":"([^"]*)".*"nextCursor":"([^"]*)".*"nextCursor":"`, []string{"tools/list", "next", "next", "next"}},
		{"cursor-null", `"nextCursor":null`, []string{"prompts/list"}},
		{"cursor-empty", `(?s)"nextCursor":"".*"name":"barograph"`, []string{"resources/list", "next"}},
		{"cursor-accepted", `"tools":`, []string{`tools/list {"cursor":"inspector-invalid-cursor"}`}},
		{"page-overlap", `(?s)"name":"approach".*"name":"approach"`, []string{"resources/list", "next"}},
		{"page-empty", `"resources":\[\],"nextCursor":"`, []string{"resources/list", "next"}},

		{"input-schema-gone", `"plain text."`, nil},
		{"input-schema-array", `"inputSchema":\{"type":"array"`, []string{"tools/list"}},
		{"output-schema-true", `"outputSchema":true`, []string{"tools/list"}},
		{"schema-type-typo", `"type":"strin"`, []string{"tools/list"}},
		{"schema-ref-lost", `"#/\$defs/day"`, []string{"tools/list"}},
		{"schema-ref-network", `"\$ref":"https:`, []string{"tools/list"}},
		{"schema-ref-cycle", `"day":\{"\$ref":"#/\$defs/day"\}`, []string{"tools/list"}},
		{"schema-pattern-broken", `"pattern":"\(\[0-9\]\{4\}"`, []string{"tools/list"}},
		{"schema-required-unknown", `"required":\["harbour"\]`, []string{"tools/list"}},
		{"header-name-odd", `"x-mcp-header":"Sea Region"`, []string{"tools/list"}},
		{"header-name-empty", `"x-mcp-header":""`, []string{"tools/list"}},
		{"header-name-twice", `"x-mcp-header":"days"`, []string{"tools/list"}},
		{"header-number", `"type":"number","description":"Height in metres.","x-mcp-header"`, []string{"tools/list"}},
		{"header-in-items", `"items":\{"type":"string","x-mcp-header":"Port"`, []string{"tools/list"}},
		{"header-secret", `"x-mcp-header":"Password"`, []string{"tools/list"}},

		{"unknown-tool-protocol", `"code":-32602,"message":"Unknown tool: no_such_tool"`, []string{unknown}},
		{"unknown-tool-code", `"code":-32603`, []string{unknown}},
		{"unknown-tool-success", `!"isError":true`, []string{unknown}},
		{"input-protocol", `"code":-32602`, []string{badArgs}},
		{"input-accepted", `"structuredContent"`, []string{badArgs}},
		{"malformed-as-result", `"isError":true`, []string{`tools/call {"arguments":{}}`}},
		{"exception-protocol", `"code":-32603`, []string{broken}},
		{"masked-failure", `!"isError"`, []string{broken}},
		{"is-error-text", `"isError":"false"`, []string{askWeather}},
		{"is-error-elsewhere", `"isError":false`, []string{about}},
		{"error-without-words", `"content":\[\],"isError":true`, []string{broken}},
		{"error-vague", `"text":"error"`, []string{broken}},
		{"error-leak", `Traceback`, []string{broken}},
		{"error-names-tools", `Available tools: get_weather`, []string{unknown}},
		{"output-gone", `!"structuredContent"`, []string{askWeather}},
		{"output-invalid", `"structuredContent":\{.*"temperature":"22"`, []string{askWeather}},
		{"output-on-error", `"structuredContent":\{"failed":true\}`, []string{badArgs}},

		{"content-object", `"content":\{"type":"text"`, []string{askWeather}},
		{"content-odd", `"type":"hologram"`, []string{askWeather}},
		{"text-number", `"text":42`, []string{tide}},
		{"image-data-url", `"data":"data:image/png;base64,`, []string{`tools/call {"name":"draw_barograph"}`}},
		{"image-mime-lie", `"mimeType":"image/jpeg"`, []string{`tools/call {"name":"draw_barograph"}`}},
		{"link-nameless", `"type":"resource_link","uri":"station://skerry/charts/tides.csv","title"`, []string{`tools/call {"name":"find_chart","arguments":{"name":"tides"}}`}},
		{"annotation-priority", `"priority":5`, []string{askWeather}},
		{"null-optional", `"annotations":null`, []string{askWeather}},
		{"structured-no-text", `The data has it all`, []string{askWeather}},
		{"structured-differs", `elsewhere`, []string{askWeather}},
		{"number-unsafe", `"structuredContent":\{.*"reading":9007199254740993`, []string{askWeather}},
		{"success-says-nothing", `"content":\[\]`, []string{tide}},

		{"resource-nameless", `!"name":"logbook"`, []string{"resources/list"}},
		{"resource-uri-blank", `about us`, []string{"resources/list"}},
		{"resource-size-lie", `"size":7[,}]`, []string{"resources/list"}},
		{"resource-mime-lie", `!"text/markdown"`, []string{"resources/list"}},
		{"template-broken", `\{callsign"`, []string{"resources/templates/list"}},
		{"contents-no-uri", `"contents":\[\{"mimeType"`, []string{about}},
		{"contents-text-and-blob", `"blob"`, []string{about}},
		{"blob-url-safe", `"blob":"[^"]*[_-]`, []string{`resources/read {"uri":"station://skerry/charts/barograph.png"}`}},
		{"not-found-empty", `"contents":\[\]`, []string{nowhere}},
		{"not-found-code", `"code":-32603`, []string{nowhere}},
		{"not-found-no-data", `!"data"`, []string{nowhere}},
		{"prompt-nameless", `!"name":"letter_to_the_keeper"`, []string{"prompts/list"}},
		{"prompt-content-list", `"content":\[`, []string{brief}},
		{"prompt-no-mime", `!"mimeType"`, []string{brief}},
		{"prompt-empty", `"messages":\[\]`, []string{brief}},
		{"prompt-unknown-code", `"code":-32603`, []string{`prompts/get {"name":"no_such_prompt"}`}},
		{"prompt-argument-code", `"code":-32603`, []string{`prompts/get {"name":"compare_places"}`}},
		{"completion-flood", `"place 101"`, []string{suggest}},
		{"completion-text", `"values":"Port Amber"`, []string{suggest}},
		{"completion-count-lie", `"values":\["Fairhaven","Port Amber"\],"total":1`, []string{suggest}},

		{"question-empty", `!"inputRequests"|"requestState"`, []string{ask1}},
		{"question-list", `"inputRequests":\[`, []string{ask1}},
		{"question-method", `"method":"shell/run"`, []string{ask1}},
		{"question-envelope", `"jsonrpc":"2.0","id":1\}`, []string{ask1}},
		{"question-undeclared", `"elicitation/create"`, []string{"-elicitation " + ask1}},
		{"state-object", `"requestState":\{`, []string{ask1}},
		{"form-no-message", `!"message"`, []string{ask1}},
		{"form-nested", `"ship":\{"type":"object"`, []string{ask1}},
		{"form-password", `"title":"Password"`, []string{ask1}},

		{"ack-missing", `!acknowledged`, []string{askListen}},
		{"ack-late", `^\{"jsonrpc":"2.0","method":"notifications/tools/list_changed"`, []string{askListen}},
		{"ack-superset", `"promptsListChanged":true`, []string{askListen}},
		{"subscription-id-gone", `"method":"notifications/subscriptions/acknowledged","params":\{"notifications":\{"toolsListChanged":true\}\}\}`, []string{askListen}},
		{"subscription-id-odd", `"nobody"`, []string{askListen}},
		{"event-unasked", `"notifications/prompts/list_changed"`, []string{askListen}},
		{"listen-ends", `!"result"`, []string{askListen}},
		{"progress-stuck", `(?s)"progress":1,.*"progress":1,`, []string{slow}},
		{"progress-foreign", `"progressToken":"somebody-else"`, []string{slow}},
		{"progress-text", `"progress":"half"`, []string{slow}},
		{"progress-over", `"progress":2,"total":1,`, []string{slow}},
		{"progress-late", `(?s)"result".*notifications/progress`, []string{slow}},
		{"log-unasked", `notifications/message`, []string{slow}},
		{"log-below-level", `"level":"debug"`, []string{"level=error " + slow}},

		{"jsonrpc-gone", `!"jsonrpc"`, []string{"tools/list"}},
		{"result-and-error", `"result":.*,"error":`, []string{askWeather}},
		{"neither-result-nor-error", `^\{"jsonrpc":"2.0","id":\d+\}\n$`, []string{askWeather}},
		{"result-null", `"result":null`, []string{askWeather}},
		{"id-wrong", `"id":990001`, []string{askWeather}},
		{"id-as-text", `"id":"\d+"`, []string{askWeather}},
		{"answered-twice", `(?s)"result".*\n.*"result"`, []string{askWeather}},
		{"no-answer", `!"id"`, []string{askWeather}},
		{"batch", `^\[\{`, []string{askWeather}},
		{"server-request", `"id":"station-1","method":"elicitation/create"`, []string{askWeather}},
		{"unknown-notification", `tide_turned`, []string{askWeather}},
		{"error-without-id", `!"id"`, []string{nowhere}},
		{"error-code-text", `"code":"E_NOT_HERE"`, []string{nowhere}},
		{"error-no-message", `!"message"`, []string{nowhere}},
		{"error-trace", `\\n  at Keeper`, []string{nowhere}},
		{"code-reserved", `-32050`, []string{nowhere}},
		{"code-retired", `-32002`, []string{nowhere}},
		{"code-frozen", `-32000`, []string{nowhere}},
		{"code-zero", `"code":0,`, []string{nowhere}},
		{"method-code", `"code":-32603`, []string{"no/such/method"}},
		{"duplicate-keys", `"ttlMs":0,"ttlMs":300000`, []string{"tools/list"}},
		{"bad-utf8", "\uFFFD\\(", []string{askWeather}},
		{"bom", "^\xef\xbb\xbf\\{", []string{"tools/list"}},

		{"noise", `(?m)^\[skerry\]`, []string{"tools/list"}},
		{"pretty", `(?m)^  "jsonrpc": "2.0",$`, []string{"tools/list"}},
		{"glued", `"params":.*\}\}\{"jsonrpc".*\} -- sent by the keeper\n`, []string{slow}},
		{"lsp", `^Content-Length: \d+\r\n\r\n\{`, []string{"tools/list"}},
		{"crlf", `\}\r\n`, []string{"tools/list"}},

		{"content-type", `Content-Type: text/plain`, []string{"tools/list"}},
		{"two-objects", `\}\n\{`, []string{askWeather}},
		{"request-202", `HTTP 202`, []string{askWeather}},
		{"encoding-odd", `Content-Encoding: br`, []string{askWeather}},
		{"method-status", `HTTP 200`, []string{"no/such/method"}},
		{"404-empty", `!-32601`, []string{"no/such/method"}},
		{"error-500", `HTTP 500`, []string{nowhere}},
		{"version-status", `HTTP 200`, []string{"as=1900-01-01 tools/list"}},
		{"capability-status", `HTTP 200`, []string{"-elicitation " + ask1}},
		{"meta-status", `HTTP 200`, []string{"-caps tools/list"}},
		{"header-status", `HTTP 200`, []string{"tools/list | Mcp-Method: prompts/list"}},
		{"header-code", `"code":-32600`, []string{"tools/list | Mcp-Method: prompts/list"}},
		{"header-mismatch-accepted", `"tools":`, []string{"tools/list | Mcp-Method: prompts/list"}},
		{"header-missing-accepted", `"tools":`, []string{"tools/list | -Mcp-Method"}},
		{"base64-not-decoded", `-32020`, []string{tide + " | Mcp-Name: =?base64?dGlkZV90YWJsZQ==?="}},
		{"param-ignored", `"result"`, []string{`tools/call {"name":"get_forecast","arguments":{"region":"Amber Bay"}} | Mcp-Param-Region: The Narrows`}},
		{"param-demanded", `-32020`, []string{`tools/call {"name":"get_forecast","arguments":{"region":"Amber Bay"}} | Mcp-Param-Region: Amber Bay`}},
		{"session-minted", `Mcp-Session-Id`, []string{"tools/list"}},
		{"origin-accepted", `HTTP 200`, []string{"tools/list | Origin: http://evil.example"}},
		{"host-accepted", `HTTP 200`, []string{"tools/list | Host: evil.example"}},
		{"get-served", `HTTP 200`, []string{"GET"}},
		{"delete-served", `HTTP 204`, []string{"DELETE"}},
		{"notification-200", `HTTP 200`, []string{"NOTIFY"}},
		{"sse-no-response", `!"result"`, []string{askWeather}},
		{"sse-after-response", `(?s)"result".*notifications/progress`, []string{slow}},
		{"sse-bad-data", `data: the light is on\n`, []string{askWeather}},
		{"sse-buffering", `!X-Accel-Buffering: no`, []string{slow}},
		{"sse-event-id", `id: 1\n`, []string{slow}},
	}
}

// Faults that need a life of their own to show; their stories are below and in child_test.go.
func ownStories() []string {
	return []string{"exit-early", "no-exit", "one-at-a-time", "input-schema-gone"}
}

func TestEveryFaultShows(t *testing.T) {
	told := ownStories()
	for _, c := range faultCases() {
		if c.send == nil {
			continue
		}
		told = append(told, c.name)
		f, ok := Lookup(c.name)
		if !ok {
			t.Errorf("there is no fault %s", c.name)
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			pattern, negative := strings.CutPrefix(c.pattern, "!")
			re := regexp.MustCompile(pattern)
			show := func(faults ...string) string {
				return strings.ToValidUTF8(transcript(t, f.Transport, faults, c.send), "\uFFFD")
			}
			faithful, faulty := show(), show(c.name)
			if re.MatchString(faithful) != negative {
				t.Errorf("the faithful server: %q\n%s", c.pattern, faithful)
			}
			if re.MatchString(faulty) == negative {
				t.Errorf("the fault does not show: %q\n%s", c.pattern, faulty)
			}
		})
	}
	for _, f := range Faults() {
		if !slices.Contains(told, f.Name) {
			t.Errorf("no test shows the fault %s", f.Name)
		}
	}
}

// transcript is all that a server says to these requests over a transport.
func transcript(t *testing.T, transport string, faults, shorts []string) string {
	t.Helper()
	opt := Options{Faults: faults, Now: noon}
	var b strings.Builder
	switch {
	case transport == "stdio":
		var in, out bytes.Buffer
		for i, short := range shorts {
			in.WriteString(request(i+1, short) + "\n")
		}
		if err := ServeStdio(context.Background(), &in, &out, io.Discard, opt); err != nil {
			t.Fatal(err)
		}
		return out.String()
	case transport == "http":
		s, url := overHTTP(t, opt)
		s.Close()
		for i, short := range shorts {
			short, changes, _ := strings.Cut(short, " | ")
			var list []string
			if changes != "" {
				list = []string{changes}
			}
			switch short {
			case "GET", "DELETE":
				b.WriteString(send(t, short, url, "", nil).String())
			case "NOTIFY":
				b.WriteString(send(t, http.MethodPost, url, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, http.Header{"Content-Type": {"application/json"}}).String())
			default:
				b.WriteString(post(t, url, request(i+1, short), list...).String())
			}
		}
		return b.String()
	}
	s := New(opt)
	s.Close() // subscriptions end as soon as they are acknowledged
	last, cursor := "", ""
	for i, short := range shorts {
		if short == "next" {
			if cursor == "none" {
				continue
			}
			short = last + ` {"cursor":` + cursor + `}`
		} else {
			last = short
		}
		for _, text := range exchange(t, s, request(i+1, short)) {
			b.WriteString(text + "\n")
			cursor = "none"
			if next := jsondoc.Parse([]byte(text)).At("/result/nextCursor"); next.Exists() {
				cursor = string(next.Raw())
			}
		}
	}
	return b.String()
}

func noon() time.Time { return time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC) }

func TestAToolWithoutSchemaIsOnlyThatTool(t *testing.T) {
	tools := at(t, ask(t, New(Options{Faults: []string{"input-schema-gone"}}), "tools/list"), "/result/tools")
	for tool := range tools.Children() {
		if has := tool.Get("inputSchema").Exists(); has == (tool.Get("name").Text() == "tide_table") {
			t.Errorf("%s: inputSchema %v", tool.Get("name").Text(), has)
		}
	}
}

func TestFaultsAreSwitchedWhileRunning(t *testing.T) {
	s := New(Options{Faults: []string{"ttl-negative"}})
	want(t, ask(t, s, "tools/list"), "/result/ttlMs", "-5")
	if err := s.SetFault("ttl-negative", false); err != nil {
		t.Fatal(err)
	}
	want(t, ask(t, s, "tools/list"), "/result/ttlMs", "300000")
	for _, name := range []string{"scope-odd", "ttl-text"} {
		if err := s.SetFault(name, true); err != nil {
			t.Fatal(err)
		}
	}
	r := ask(t, s, "tools/list")
	want(t, r, "/result/ttlMs", `"300000"`)
	want(t, r, "/result/cacheScope", `"shared"`)
	if got := s.ActiveFaults(); !slices.Equal(got, []string{"ttl-text", "scope-odd"}) {
		t.Errorf("active: %v", got)
	}
	if err := s.SetFault("no-such-fault", true); err == nil {
		t.Error("an unknown fault was switched on")
	}
}

func TestUnknownFaultsAreRefusedBeforeServing(t *testing.T) {
	opt := Options{Faults: []string{"ttl-gone", "no-such-fault"}}
	if err := ServeStdio(context.Background(), strings.NewReader(""), io.Discard, io.Discard, opt); err == nil || !strings.Contains(err.Error(), "no-such-fault") {
		t.Errorf("stdio: %v", err)
	}
	if err := ListenAndServe(context.Background(), "0", io.Discard, opt); err == nil || !strings.Contains(err.Error(), "no-such-fault") {
		t.Errorf("http: %v", err)
	}
}

// Faults may be combined at will: whatever one takes away, the others step over.
func TestAllFaultsTogether(t *testing.T) {
	var names []string
	for _, f := range Faults() {
		names = append(names, f.Name)
	}
	requests := []string{"server/discover", "tools/list", "next", "resources/list", "next", "resources/templates/list", "prompts/list",
		askWeather, badArgs, broken, unknown, tide, slow, ask1, "-elicitation " + ask1, about, nowhere, brief, suggest, "no/such/method", askListen,
		`tools/call {"name":"draw_barograph"}`, `tools/call {"name":"find_chart","arguments":{"name":"tides"}}`}
	leave := []string{"no-answer"} // it would leave nothing to look at
	for _, order := range [][]string{names, reversed(names)} {
		s := New(Options{})
		s.Close()
		for n, name := range order {
			if slices.Contains(leave, name) {
				continue
			}
			if err := s.SetFault(name, true); err != nil {
				t.Fatal(err)
			}
			if n%20 != 0 && n != len(order)-1 {
				continue
			}
			for i, short := range requests {
				if short != "next" {
					exchange(t, s, request(i, short))
				}
			}
		}
	}
	for i, name := range names {
		other := names[(i*37+11)%len(names)]
		if i%3 == 0 && name != "no-answer" && other != "no-answer" {
			transcript(t, "", []string{name, other}, requests)
		}
	}
}

func reversed(names []string) []string {
	names = slices.Clone(names)
	slices.Reverse(names)
	return names
}

func TestFaultNamesAndWords(t *testing.T) {
	name, rule := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`), regexp.MustCompile(`^[a-z]+(-[a-z0-9]+)+$`)
	seen := map[string]bool{}
	for _, f := range Faults() {
		if !name.MatchString(f.Name) || !rule.MatchString(f.Rule) || seen[f.Name] {
			t.Errorf("name %q, rule %q", f.Name, f.Rule)
		}
		seen[f.Name] = true
		if !strings.HasSuffix(f.What, ".") || f.Try == "" || !slices.Contains([]string{"", "stdio", "http"}, f.Transport) {
			t.Errorf("%s: %+v", f.Name, f)
		}
	}
	if len(seen) < 35 {
		t.Errorf("only %d faults", len(seen))
	}
}

func TestExitEarlyLeavesInTheMiddleOfACall(t *testing.T) {
	p := overPipes(t, Options{Faults: []string{"exit-early"}})
	p.send(request(1, "tools/list"))
	want(t, p.message(), "/id", "1")
	p.send(request(2, askWeather))
	if line := p.next(); line != "" {
		t.Errorf("it still said %q", line)
	}
	if err := <-p.ended; !errors.Is(err, ErrExit) {
		t.Errorf("it ended with %v", err)
	}
}

func TestOneAtATimeBlocks(t *testing.T) {
	p := overPipes(t, Options{Faults: []string{"one-at-a-time"}})
	p.send(request(1, `tools/call {"name":"calibrate","arguments":{"steps":2,"stepMs":30}}`))
	p.send(request(2, "tools/list"))
	want(t, p.message(), "/id", "1")
	want(t, p.message(), "/id", "2")
}
