package demo

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

const forecastCall = `tools/call {"name":"get_forecast","arguments":{"region":"Amber Bay","days":3,"gales":false,"style":{"language":"sœ"}}}`

// paramHeaders are what forecastCall has to repeat in headers.
func paramHeaders(but ...string) []string {
	all := []string{"Mcp-Param-Region: Amber Bay", "Mcp-Param-Days: 3", "Mcp-Param-Gales-Only: false", "Mcp-Param-Language: =?base64?c8WT?="}
	return append(all, but...)
}

func TestStatusesAndCodes(t *testing.T) {
	_, url := overHTTP(t, Options{})
	const header, params = "-32020", "-32602"
	for _, c := range []struct {
		what, send string
		changes    []string
		status     int
		code       string // of the error; "" for a result
	}{
		{"a request", "tools/list", nil, 200, ""},
		{"without clientInfo", "-info tools/list", nil, 200, ""},
		{"an unknown method", "no/such/method", nil, 404, "-32601"},
		{"a removed method", "ping", nil, 404, "-32601"},
		{"initialize with modern _meta", "initialize", nil, 404, "-32601"},
		{"an unknown version", "as=1900-01-01 tools/list", nil, 400, "-32022"},
		{"a legacy version", "as=2025-11-25 tools/list", nil, 400, "-32022"},
		{"no version in _meta", "-version tools/list", []string{"MCP-Protocol-Version: 2026-07-28"}, 400, params},
		{"no capabilities", "-caps tools/list", nil, 400, params},
		{"a missing resource", nowhere, nil, 200, params},
		{"a garbage cursor", `tools/list {"cursor":"inspector-invalid-cursor"}`, nil, 200, params},
		{"an empty cursor", `tools/list {"cursor":""}`, nil, 200, params},
		{"a cursor that is no string", `tools/list {"cursor":1}`, nil, 200, params},
		{"an unknown log level", "level=verbose tools/list", nil, 200, params},
		{"no elicitation declared", "-elicitation " + ask1, nil, 400, "-32021"},
		{"no name", `tools/call {"arguments":{}}`, nil, 200, params},
		{"arguments in a list", `tools/call {"name":"tide_table","arguments":[]}`, nil, 200, params},

		{"method differs", "tools/list", []string{"Mcp-Method: prompts/list"}, 400, header},
		{"method in capitals", "tools/list", []string{"Mcp-Method: Tools/List"}, 400, header},
		{"method missing", "tools/list", []string{"-Mcp-Method"}, 400, header},
		{"version header differs", "tools/list", []string{"MCP-Protocol-Version: 2025-11-25"}, 400, header},
		{"version header missing", "tools/list", []string{"-MCP-Protocol-Version"}, 400, header},
		{"name differs", tide, []string{"Mcp-Name: get_weather"}, 400, header},
		{"name missing", tide, []string{"-Mcp-Name"}, 400, header},
		{"uri differs", about, []string{"Mcp-Name: station://skerry/weather"}, 400, header},
		{"prompt differs", brief, []string{"Mcp-Name: compare_places"}, 400, header},
		{"name in Base64", tide, []string{"Mcp-Name: =?base64?dGlkZV90YWJsZQ==?="}, 200, ""},
		{"name in broken Base64", tide, []string{"Mcp-Name: =?base64?dGlkZV90YWJsZQ?="}, 400, header},
		{"Base64 in capitals is a plain value", tide, []string{"Mcp-Name: =?BASE64?dGlkZV90YWJsZQ==?="}, 400, header},
		{"header names in lower case", "tools/list", []string{"-Mcp-Method", "mcp-method: tools/list"}, 200, ""},
		{"blanks around a value", tide, []string{"Mcp-Name:   tide_table  "}, 200, ""},

		{"mirrored arguments", forecastCall, paramHeaders(), 200, ""},
		{"an integer spelt otherwise", forecastCall, paramHeaders("Mcp-Param-Days: 3.0"), 200, ""},
		{"an integer that differs", forecastCall, paramHeaders("Mcp-Param-Days: 4"), 400, header},
		{"a boolean in capitals", forecastCall, paramHeaders("Mcp-Param-Gales-Only: False"), 400, header},
		{"a mirrored argument missing", forecastCall, paramHeaders("-Mcp-Param-Region"), 400, header},
		{"a nested one that differs", forecastCall, paramHeaders("Mcp-Param-Language: en"), 400, header},
		{"an argument that is not there", `tools/call {"name":"get_forecast","arguments":{"region":"Amber Bay","days":null}}`, []string{"Mcp-Param-Region: Amber Bay", "Mcp-Param-Days: 2"}, 400, header},
		{"nothing demanded for what is not there", `tools/call {"name":"get_forecast","arguments":{"region":"Amber Bay"}}`, []string{"Mcp-Param-Region: Amber Bay"}, 200, ""},
		{"headers of other tools", tide, []string{"Mcp-Param-Region: Amber Bay"}, 200, ""},
	} {
		t.Run(c.what, func(t *testing.T) {
			got := post(t, url, request(5, c.send), c.changes...)
			if got.status != c.status || got.header.Get("Content-Type") != "application/json" {
				t.Fatalf("want %d, got %s", c.status, got)
			}
			m := got.json(t)
			want(t, m, "/id", "5")
			if c.code == "" {
				at(t, m, "/result")
				return
			}
			want(t, m, "/error/code", c.code)
			switch c.code {
			case header:
				at(t, m, "/error/data/header")
			case "-32021":
				want(t, m, "/error/data", `{"requiredCapabilities":{"elicitation":{"form":{}}}}`)
			case "-32022":
				at(t, m, "/error/data/requested")
				want(t, m, "/error/data/supported", `["2026-07-28"]`)
			}
		})
	}
}

func TestWhatIsNoRequest(t *testing.T) {
	_, url := overHTTP(t, Options{})
	json := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	for _, c := range []struct {
		what, method, body string
		changes            []string
		status             int
	}{
		{"a notification", "POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`, nil, 202},
		{"GET", "GET", "", nil, 405},
		{"DELETE", "DELETE", "", nil, 405},
		{"PUT", "PUT", "{}", nil, 405},
		{"half a message", "POST", "{", nil, 400},
		{"no method", "POST", `{"jsonrpc":"2.0","id":1}`, nil, 400},
		{"text", "POST", "hello", []string{"Content-Type: text/plain"}, 415},
		{"a client that takes pictures only", "POST", request(1, "tools/list"), []string{"Accept: image/png"}, 406},
		{"too much", "POST", strings.Repeat(" ", maxMessage+1), nil, 413},
		{"a foreign page", "POST", request(1, "tools/list"), []string{"Origin: http://evil.example"}, 403},
		{"no page at all", "POST", request(1, "tools/list"), []string{"Origin: null"}, 403},
		{"a rebound name", "POST", request(1, "tools/list"), []string{"Host: evil.example"}, 403},
		{"a page of this machine", "POST", `{"jsonrpc":"2.0","method":"notifications/x"}`, []string{"Origin: http://localhost:5173"}, 202},
		{"localhost by name", "POST", `{"jsonrpc":"2.0","method":"notifications/x"}`, []string{"Host: localhost:1234"}, 202},
	} {
		t.Run(c.what, func(t *testing.T) {
			got := send(t, c.method, url, c.body, json.Clone(), c.changes...)
			if got.status != c.status {
				t.Errorf("want %d, got %s", c.status, got)
			}
			if c.status == 202 && got.body != "" {
				t.Errorf("202 with a body: %q", got.body)
			}
			if c.status == 405 && got.header.Get("Allow") != "POST" {
				t.Errorf("405 without Allow: %s", got)
			}
		})
	}
}

func TestAStreamWhenThereIsMoreToSayThanTheAnswer(t *testing.T) {
	_, url := overHTTP(t, Options{})
	plain := post(t, url, request(1, `tools/call {"name":"calibrate","arguments":{"steps":2,"stepMs":1}}`))
	if plain.header.Get("Content-Type") != "application/json" {
		t.Errorf("nobody asked for progress: %s", plain)
	}
	got := post(t, url, request(1, "level=info "+slow))
	if got.header.Get("Content-Type") != "text/event-stream" || got.header.Get("X-Accel-Buffering") != "no" || !strings.Contains(got.header.Get("Cache-Control"), "no-cache") {
		t.Errorf("headers: %s", got)
	}
	var methods []string
	all := events(got.body)
	for _, e := range all {
		m := answer{body: e}.json(t)
		methods = append(methods, m.Get("method").Text())
	}
	if strings.Join(methods, " ") != "notifications/message notifications/message notifications/progress notifications/progress notifications/message notifications/message " {
		t.Errorf("events: %q", methods)
	}
	only := post(t, url, request(1, slow), "Accept: application/json")
	if only.header.Get("Content-Type") != "application/json" || strings.Contains(only.body, "progress\"") {
		t.Errorf("a client that takes no streams: %s", only)
	}
	stream := post(t, url, request(1, "tools/list"), "Accept: text/event-stream")
	if len(events(stream.body)) != 1 || stream.header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("a client that takes only streams: %s", stream)
	}
	if got := post(t, url, request(1, askListen), "Accept: application/json"); got.status != 406 {
		t.Errorf("a subscription without a stream: %s", got)
	}
}

func TestHangingUpCancels(t *testing.T) {
	s := New(Options{})
	running := make(chan context.Context, 1)
	s.table = append(s.table, fault{Fault: Fault{Name: "watch"}, progress: func(c *call, _ *object) {
		select {
		case running <- c.ctx:
		default:
		}
	}})
	s.on.Store(&faultSet{"watch": true})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- s.Serve(ctx, listener) }()
	defer func() { stop(); <-served }()

	stream := open(t, "http://"+listener.Addr().String()+Path,
		request(1, `token tools/call {"name":"calibrate","arguments":{"steps":100,"stepMs":20}}`))
	call := <-running
	stream.hangUp()
	select {
	case <-call.Done():
	case <-time.After(60 * time.Second):
		t.Error("the call goes on")
	}
}

func TestServingEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	said, words := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- ListenAndServe(ctx, "0", words, Options{}) }()
	line := make([]byte, 200)
	n, err := said.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(line[:n]), "http://")
	url, _, _ := strings.Cut(rest, ",")
	url = "http://" + url
	if !strings.HasPrefix(url, "http://127.0.0.1:") || !strings.HasSuffix(url, Path) {
		t.Fatalf("it says %q", line[:n])
	}
	if got := post(t, url, request(1, "server/discover")); got.status != 200 {
		t.Errorf("%s", got)
	}
	if got := post(t, strings.TrimSuffix(url, Path)+"/elsewhere", request(1, "server/discover")); got.status != 404 {
		t.Errorf("elsewhere: %s", got)
	}
	stream := open(t, url, request(2, askListen))
	want(t, stream.event(), "/method", `"notifications/subscriptions/acknowledged"`)
	stop()
	if err := <-ended; err != nil {
		t.Errorf("it ended with %v", err)
	}
	want(t, stream.event(), "/id", "2")
}

func TestOnlyThisMachineUnlessTold(t *testing.T) {
	for addr, bound := range map[string]string{
		"8080": "127.0.0.1:8080", ":8080": "127.0.0.1:8080", "localhost:8080": "localhost:8080",
		"0.0.0.0:8080": "0.0.0.0:8080", "[::1]:80": "[::1]:80", "": "127.0.0.1:",
	} {
		if got := Bind(addr); got != bound {
			t.Errorf("Bind(%q) = %q, want %q", addr, got, bound)
		}
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if err := ListenAndServe(context.Background(), taken.Addr().String(), io.Discard, Options{}); err == nil || !strings.Contains(err.Error(), "serving the station") {
		t.Errorf("a place that is taken: %v", err)
	}
}
