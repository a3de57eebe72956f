package demo

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestWhereAPathLeads(t *testing.T) {
	for path, want := range map[string]string{
		"/":                                     "page of ",
		"/mcp":                                  "/mcp of ",
		"/sse":                                  "/sse of ",
		"/messages":                             "/messages of ",
		"/anna/mcp":                             "/mcp of anna",
		"/Anna/mcp":                             "/mcp of anna",
		"/anna":                                 "page of anna",
		"/anna/":                                "page of anna",
		"/anna/sse":                             "/sse of anna",
		"/a.b-c_9/mcp":                          "/mcp of a.b-c_9",
		"/anna+output-invalid/mcp":              "/mcp of anna+output-invalid",
		"/anna+ttl-negative+output-invalid/mcp": "/mcp of anna+output-invalid+ttl-negative",
		"/anna+cache-ttl-negative/mcp":          "/mcp of anna+ttl-negative", // the rule stands for its fault
		"/anna+ttl-negative+ttl-negative/mcp":   "/mcp of anna+ttl-negative",
		"/anna+no-such/mcp":                     `there is no fault named "no-such"`,
		"/anna+noise/mcp":                       "the fault noise is one of stdio, and does not show over HTTP",
		"/anna+/mcp":                            `there is no fault named ""`,
		"/+output-invalid/mcp":                  "nowhere",
		"/mcp/mcp":                              "nowhere",
		"/token/mcp":                            "nowhere",
		"/-anna/mcp":                            "nowhere",
		"/../mcp":                               "nowhere",
		"/.well-known/mcp":                      "nowhere",
		"/änne/mcp":                             "nowhere",
		"/anna\x1b[2J/mcp":                      "nowhere",
		"/anna/mcp/":                            "nowhere",
		"/anna/bob/mcp":                         "nowhere",
		"//mcp":                                 "nowhere",
		"":                                      "nowhere",
		"/" + strings.Repeat("a", 32) + "/mcp":  "/mcp of " + strings.Repeat("a", 32),
		"/" + strings.Repeat("a", 33) + "/mcp":  "nowhere",
		"/.well-known/oauth-authorization-server": "nowhere",
	} {
		p, ok := placeOf(path)
		got := p.rest + " of " + p.key
		switch {
		case !ok:
			got = "nowhere"
		case p.wrong != "":
			got = p.wrong
		case p.rest == "":
			got = "page" + got
		}
		if got != want {
			t.Errorf("%q leads to %s, want %s", path, got, want)
		}
	}
}

// Every word behind a name is looked up among all faults: a path of thousands must not keep the room busy.
func TestAPathNamesAFewFaults(t *testing.T) {
	const eight = "/anna+1+2+3+4+5+6+7+8"
	if p, ok := placeOf(eight + Path); !ok || p.wrong != "" || p.key != eight[1:] {
		t.Errorf("eight faults lead to %+v", p)
	}
	for _, more := range []string{"+9", strings.Repeat("+1", 400_000)} {
		if p, ok := placeOf(eight + more + Path); !ok || p.wrong != "there are more than 8 faults" || p.key != "anna" {
			t.Errorf("%d bytes of faults lead to %t, %q, %q", len(more), ok, p.key, p.wrong)
		}
	}
}

// A world misbehaves as its path says, and as the whole room does; its neighbours do not.
func TestAWorldThatMisbehaves(t *testing.T) {
	_, base := openRoom(t, Options{Faults: []string{"ttl-gone"}}, nil)
	for path, want := range map[string]string{"/mcp": "none", "/anna/mcp": "none", "/bob+ttl-negative/mcp": "negative", "/anna+page-cursor/mcp": "refused"} {
		got := post(t, base+path, request(1, "tools/list"))
		is := "faithful"
		switch {
		case got.status == 404 && strings.Contains(got.body, `"page-cursor"`):
			is = "refused"
		case got.status == 200 && strings.Contains(got.body, `"ttlMs":-`):
			is = "negative"
		case got.status == 200 && !strings.Contains(got.body, `"ttlMs"`):
			is = "none"
		}
		if is != want {
			t.Errorf("%s is %s, want %s: %d %.200s", path, is, want, got.status, got.body)
		}
	}
}

// A number stands for a fault that shows by ordinary use; who came is told whoever runs the room, and so is the answer.
func TestAWorldWithARiddle(t *testing.T) {
	chosen := map[string]bool{}
	for n := range 300 {
		f, ok := riddle(fmt.Sprint(n + 1))
		if !ok || f.Transport == "stdio" || f.Try == "" || strings.Contains(f.Try, "--") || strings.Contains(f.Try, "twice") {
			t.Fatalf("%d is %+v", n+1, f)
		}
		chosen[f.Name] = true
	}
	if len(chosen) < 40 {
		t.Errorf("only %d faults are ever chosen", len(chosen))
	}
	for _, word := range []string{"0", "07", "10000", "-1", "1.5", "x", ""} {
		if f, ok := riddle(word); ok {
			t.Errorf("%q is %s", word, f.Name)
		}
	}
	_, knock, notes := lobby(t, Options{})
	seven, _ := riddle("7")
	if w := knock("POST", "/anna+7/mcp"); w.Code != 200 || strings.Contains(w.Body.String(), seven.Name) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if want := "anna+7: a new world (1 of 200), misbehaving: " + seven.Name; !slices.Equal(*notes, []string{want}) {
		t.Errorf("it says %q, want %q", *notes, want)
	}
	if p, ok := placeOf("/anna+7+ttl-negative/mcp"); !ok || p.key != "anna+7+ttl-negative" || len(p.faults) != 2 && seven.Name != "ttl-negative" {
		t.Errorf("a number and a name: %+v", p)
	}
}

// A room that speaks older revisions alone sets no riddles, since a third of the faults could never be found there; its page names
// a fault that shows, and no request that it refuses.
func TestRiddlesNeedTheModernRevision(t *testing.T) {
	_, knock, notes := lobby(t, Options{Era: Legacy})
	if w := knock("POST", "/anna+7/mcp"); w.Code != 404 || !strings.Contains(w.Body.String(), "this room does not speak") || len(*notes) != 0 {
		t.Errorf("%d %s %q", w.Code, w.Body, *notes)
	}
	if w := knock("GET", "/"); strings.Contains(w.Body.String(), "9999") || strings.Contains(w.Body.String(), "server/discover") || !strings.Contains(w.Body.String(), "/NAME+tool-nameless/mcp") {
		t.Errorf("the page: %s", w.Body)
	}
	_, knock, _ = lobby(t, Options{})
	if w := knock("GET", "/"); !strings.Contains(w.Body.String(), "9999") || !strings.Contains(w.Body.String(), "/NAME+ttl-negative/mcp") {
		t.Errorf("the page: %s", w.Body)
	}
}

// lobby is a room without a network, and a way to knock.
func lobby(t *testing.T, opt Options) (r *Room, knock func(method, path string, change ...func(*http.Request)) *httptest.ResponseRecorder, notes *[]string) {
	notes = new([]string)
	r = NewRoom(opt, func(note string) { *notes = append(*notes, note) })
	h := r.Handler()
	return r, func(method, path string, change ...func(*http.Request)) *httptest.ResponseRecorder {
		q := httptest.NewRequest(method, "http://127.0.0.1:8123"+path, strings.NewReader(request(1, "server/discover")))
		for name, values := range modernHeaders(request(1, "server/discover")) {
			q.Header[http.CanonicalHeaderKey(name)] = values
		}
		for _, c := range change {
			c(q)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, q)
		return w
	}, notes
}

func TestWorldsComeAndGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, knock, notes := lobby(t, Options{})
		defer r.Close()
		r.most = 3
		said := func(want ...string) {
			t.Helper()
			if !slices.Equal(*notes, want) {
				t.Errorf("it says %q, want %q", *notes, want)
			}
			*notes = nil
		}
		for _, name := range []string{"anna", "bob", "carl", "Anna"} {
			if w := knock("POST", "/"+name+"/mcp"); w.Code != 200 {
				t.Fatalf("%s: %d %s", name, w.Code, w.Body)
			}
			time.Sleep(time.Minute)
		}
		said("anna: a new world (1 of 3)", "bob: a new world (2 of 3)", "carl: a new world (3 of 3)")
		if w := knock("POST", "/dora/mcp"); w.Code != 503 || w.Header().Get("Retry-After") == "" {
			t.Errorf("a full room: %d %s", w.Code, w.Body)
		}
		said()
		// Somebody who listens is there, however long nothing is asked; who was quiet longest gives way.
		busy, _ := r.enter(place{key: "bob"}, false)
		time.Sleep(worldQuiet)
		if w := knock("POST", "/dora/mcp"); w.Code != 200 {
			t.Errorf("a room with quiet worlds: %d %s", w.Code, w.Body)
		}
		said("carl: forgotten after 12m0s without a request; to make room for dora", "dora: a new world (3 of 3)")
		time.Sleep(worldIdle - time.Minute)
		knock("POST", "/dora/mcp")
		time.Sleep(time.Minute)
		r.sweep()
		said("anna: forgotten after 3h11m0s without a request; its name begins a new one")
		r.leave(busy)
		time.Sleep(worldIdle)
		r.sweep()
		if len(*notes) != 2 || r.count() != 0 {
			t.Errorf("%d worlds, and it says %q", r.count(), *notes)
		}
	})
}

// What begins no world is answered all the same: a browser that looks, a client that says goodbye, a page from elsewhere.
func TestOnlyAClientBeginsAWorld(t *testing.T) {
	r, knock, _ := lobby(t, Options{Era: Both})
	header := func(name, value string) func(*http.Request) {
		return func(q *http.Request) { q.Header.Set(name, value) }
	}
	local := func(addr string) func(*http.Request) {
		return func(q *http.Request) {
			*q = *q.WithContext(context.WithValue(q.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.ParseIP(addr), Port: 8123}))
		}
	}
	host := func(name string) func(*http.Request) { return func(q *http.Request) { q.Host = name } }
	for _, c := range []struct {
		what, method, path string
		change             []func(*http.Request)
		status             int
	}{
		{"a browser", "GET", "/anna/mcp", nil, 405},
		{"a page", "GET", "/anna", nil, 200},
		{"a message to a page", "POST", "/anna", nil, 404},
		{"goodbye", "DELETE", "/anna/mcp", []func(*http.Request){header("Mcp-Session-Id", "x")}, 404},
		{"a stream without a session", "GET", "/anna/mcp", []func(*http.Request){header("Mcp-Session-Id", "x")}, 404},
		{"a message of no stream", "POST", "/anna/messages?sessionId=x", nil, 404},
		{"a foreign page", "POST", "/anna/mcp", []func(*http.Request){header("Origin", "http://evil.example")}, 403},
		{"a foreign page and the old transport", "GET", "/anna/sse", []func(*http.Request){header("Origin", "http://evil.example")}, 403},
		{"a rebound name", "POST", "/anna/mcp", []func(*http.Request){local("127.0.0.1"), host("evil.example:8123")}, 403},
		{"a rebound name for the page", "GET", "/", []func(*http.Request){local("127.0.0.1"), host("evil.example:8123")}, 403},
		{"a rebound name in the network", "POST", "/anna/mcp", []func(*http.Request){local("192.168.1.5"), host("evil.example:8123")}, 403},
	} {
		if w := knock(c.method, c.path, c.change...); w.Code != c.status || r.count() != 0 {
			t.Errorf("%s: %d, want %d; %d worlds: %s", c.what, w.Code, c.status, r.count(), w.Body)
		}
	}
	own, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	for i, name := range []string{"192.168.1.5:8123", "[fd00::5]:8123", own + ":8123", strings.ToUpper(own)} {
		if w := knock("POST", fmt.Sprintf("/in%d/mcp", i), local("192.168.1.5"), host(name)); w.Code != 200 {
			t.Errorf("by the name %s: %d %s", name, w.Code, w.Body)
		}
	}
	if w := knock("POST", "/odd+host-accepted/mcp", local("127.0.0.1"), host("evil.example")); w.Code != 200 {
		t.Errorf("a world that lets in whoever comes: %d", w.Code)
	}
	_, knock, _ = lobby(t, Options{Hosts: []string{"class.example"}})
	for _, addr := range []string{"127.0.0.1", "192.168.1.5"} {
		if w := knock("POST", "/anna/mcp", local(addr), host("Class.example"), header("Origin", "https://Class.example")); w.Code != 200 {
			t.Errorf("behind a proxy at %s: %d %s", addr, w.Code, w.Body)
		}
	}
}

// A fault that lets in whoever comes begins a world for whoever comes, by whatever it was switched; the old transport knows no such
// fault, and a page from elsewhere does not fill the room with worlds that it is not let into.
func TestWhoIsLetInByAFaultHasAWorld(t *testing.T) {
	file := filepath.Join(t.TempDir(), "on")
	r, knock, _ := lobby(t, Options{Era: Both, FaultsFile: file})
	evil := []func(*http.Request){
		func(q *http.Request) { q.Header.Set("Origin", "http://evil.example") },
		func(q *http.Request) {
			q.Host = "evil.example:8123"
			*q = *q.WithContext(context.WithValue(q.Context(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.ParseIP("127.0.0.1"), Port: 8123}))
		},
	}
	for i, fault := range []string{"origin-accepted", "host-accepted"} {
		for n, switched := range []bool{false, true, false} {
			names := ""
			if switched {
				names = fault + "\n"
			}
			if err := os.WriteFile(file, []byte(names), 0o600); err != nil {
				t.Fatal(err)
			}
			before := r.count()
			path := fmt.Sprintf("/learner%d%d/mcp", i, n)
			w := knock("POST", path, evil[i])
			if begun := r.count() - before; (w.Code == 200) != switched || begun == 1 != switched {
				t.Errorf("%s %v: %d, %d worlds begun", fault, switched, w.Code, begun)
			}
			if w := knock("POST", path, evil[1-i]); w.Code != 403 {
				t.Errorf("%s lets in what another fault would: %d", fault, w.Code)
			}
			before = r.count()
			if w := knock("GET", "/old/sse", evil[i]); w.Code != 403 || r.count() != before {
				t.Errorf("%s and the old transport: %d, %d worlds begun", fault, w.Code, r.count()-before)
			}
		}
	}
	if err := os.WriteFile(file, []byte("get-served\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if w := knock("GET", "/anna/mcp", func(q *http.Request) { q.Header.Set("Accept", "text/html") }); w.Code != 200 || !strings.Contains(w.Body.String(), "The light is on") {
		t.Errorf("GET is served, also to a browser: %d %.200s", w.Code, w.Body)
	}
}

func TestThePageForAPerson(t *testing.T) {
	r, knock, _ := lobby(t, Options{Era: Both})
	knock("POST", "/bob/mcp")
	for path, want := range map[string][]string{
		"/":                    {"http://127.0.0.1:8123/NAME/mcp", "mcploupe list tools http://127.0.0.1:8123/NAME/mcp", "1 of 200 worlds", "/NAME+ttl-negative/mcp", "curl -s"},
		"/anna":                {"mcploupe http://127.0.0.1:8123/anna/mcp", "your own address", "http://127.0.0.1:8123/anna/sse"},
		"/anna+output-invalid": {"mcploupe http://127.0.0.1:8123/anna+output-invalid/mcp"},
	} {
		w := knock("GET", path)
		for _, words := range want {
			if !strings.Contains(w.Body.String(), words) {
				t.Errorf("%s: no %q in %s", path, words, w.Body)
			}
		}
		if strings.Contains(w.Body.String(), "bob") || strings.Contains(w.Body.String(), "<script") || !strings.Contains(w.Header().Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %v %s", path, w.Header(), w.Body)
		}
	}
	tried := knock("GET", "/anna/mcp", func(q *http.Request) { q.Header.Set("Accept", "text/html,*/*;q=0.8") })
	if tried.Code != 405 || tried.Header().Get("Allow") != "POST" || !strings.Contains(tried.Body.String(), "mcploupe http://127.0.0.1:8123/anna/mcp") || r.count() != 1 {
		t.Errorf("a person who tries the address: %d %s", tried.Code, tried.Body)
	}
	if text := NewRoom(Options{Login: true}, nil).pageText("h", place{}); !strings.Contains(text, "mcploupe list tools --login http") || strings.Contains(text, "curl") {
		t.Errorf("with a login: %s", text)
	}
	if text := r.pageText(`evil"><script>alert(1)</script>`, place{}); strings.Contains(text, "<script") || !strings.Contains(text, "&lt;script&gt;") {
		t.Errorf("a host that is markup: %s", text)
	}
}

func TestTheOldTransportInAWorld(t *testing.T) {
	r, base := openRoom(t, Options{Era: Both}, nil)
	stream := opened(t, "GET", base+"/Anna/sse", "", http.Header{"Accept": {"text/event-stream"}})
	line, _ := stream.r.ReadString('\n')
	data, _ := stream.r.ReadString('\n')
	path := strings.TrimSpace(strings.TrimPrefix(data, "data: "))
	if line != "event: endpoint\n" || !strings.HasPrefix(path, "/anna/messages?sessionId=") {
		t.Fatalf("the first event: %q %q", line, data)
	}
	if got := send(t, "POST", base+path, hello("2024-11-05"), plainHeaders()); got.status != 202 {
		t.Errorf("initialize: %s", got)
	}
	want(t, stream.event(), "/result/protocolVersion", `"2024-11-05"`)
	if got := send(t, "POST", base+strings.Replace(path, "anna", "bob", 1), hello("2024-11-05"), plainHeaders()); got.status != 404 {
		t.Errorf("by the neighbour's door: %s", got)
	}
	if r.busy() != 1 {
		t.Errorf("%d are open", r.busy())
	}
}

func TestALoginInAWorld(t *testing.T) {
	r, base := openRoom(t, Options{Era: Both, Login: true}, nil)
	got := post(t, base+"/Anna/mcp", request(1, "tools/list"))
	if at := base + "/.well-known/oauth-protected-resource/Anna/mcp"; got.status != 401 || !strings.Contains(got.header.Get("WWW-Authenticate"), at) || r.count() != 0 {
		t.Fatalf("without a token: %s", got)
	} else if doc := send(t, "GET", at, "", nil).json(t); doc.Get("resource").Text() != base+"/Anna/mcp" {
		t.Errorf("resource metadata: %s", doc.Raw())
	}
	if got := send(t, "GET", base+"/.well-known/oauth-protected-resource/elsewhere", "", nil); got.status != 404 {
		t.Errorf("of nothing: %s", got)
	}
	if err := ListenAndServe(context.Background(), "0.0.0.0:0", new(bytes.Buffer), Options{Login: true}); err == nil || !strings.Contains(err.Error(), "one address") {
		t.Errorf("a login everywhere: %v", err)
	}
}

func TestARoomSaysWhoCanComeIn(t *testing.T) {
	r := NewRoom(Options{Era: Both, Faults: []string{"ttl-negative"}, Hosts: []string{"class.example"}}, nil)
	here := r.greeting("8123", &net.TCPAddr{IP: net.ParseIP("127.0.0.1"), Port: 8123})
	for _, words := range []string{"http://127.0.0.1:8123/mcp, both, misbehaving: ttl-negative\n", "world: http://127.0.0.1:8123/NAME/mcp", "or: http://class.example:8123/NAME/mcp"} {
		if !strings.Contains(here, words) {
			t.Errorf("no %q in %s", words, here)
		}
	}
	if strings.Contains(here, "open to the network") {
		t.Errorf("on this machine alone: %s", here)
	}
	there := r.greeting("192.168.1.5:8123", &net.TCPAddr{IP: net.ParseIP("192.168.1.5"), Port: 8123})
	if !strings.Contains(there, "world: http://192.168.1.5:8123/NAME/mcp") || !strings.Contains(there, "open to the network") {
		t.Errorf("in the network: %s", there)
	}
	all := r.greeting("0.0.0.0:8123", &net.TCPAddr{IP: net.IPv6unspecified, Port: 8123})
	if strings.Contains(all, "[::]") || strings.Contains(all, "0.0.0.0") || !strings.Contains(all, "open to the network") {
		t.Errorf("everywhere: %s", all)
	}
	for _, ip := range ownAddresses() {
		if !strings.Contains(all, net.JoinHostPort(ip, "8123")) {
			t.Errorf("no %s in %s", ip, all)
		}
	}
}

// Names that nobody could count leave no more behind than a full room does.
func TestARoomIsBounded(t *testing.T) {
	r, knock, _ := lobby(t, Options{Era: Both})
	size := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := size()
	for i := range 2 * MostWorlds {
		if w := knock("POST", fmt.Sprintf("/learner%d/mcp", i)); (w.Code == 200) != (i < MostWorlds) {
			t.Fatalf("learner %d: %d", i, w.Code)
		}
	}
	if grown := int64(size()) - int64(before); r.count() != MostWorlds || grown > MostWorlds*32<<10 {
		t.Errorf("%d worlds of %d bytes", r.count(), grown/MostWorlds)
	} else {
		t.Logf("%d bytes a world", grown/MostWorlds)
	}
	runtime.KeepAlive(r)
}

func BenchmarkANewWorld(b *testing.B) {
	r := NewRoom(Options{Era: Both}, nil)
	b.ReportAllocs()
	for b.Loop() {
		r.station(place{name: "anna", key: "anna"})
	}
}
