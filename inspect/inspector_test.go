package inspect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"mcploupe/session/fresh"
	"mcploupe/session/wire"
)

// told is a rule that reports every message it is called for, so that tests see when and for what rules are called.
func told(id string, on On) *Rule {
	return &Rule{ID: id, Level: Must, Eras: "all", Source: "test", On: on, eras: eras{all: true},
		Check: func(p *Pass) { p.Report(p.At(p.Root()), p.Method(), "nothing") }}
}

func TestEachFrameIsJudgedOnce(t *testing.T) {
	e := Example{Profile: ProfileDefault, Script: `= era none
> tools/call {"name":"a","_meta":{"progressToken":"p"}}
< notifications/progress {"progressToken":"p","progress":1}
< notifications/progress {"progressToken":"p","progress":2}
< complete {"content":[]}
< notifications/progress {"progressToken":"p","progress":3}
< {"jsonrpc":"2.0","id":1,"result":{}}
< notifications/tools/list_changed
`}
	entries, own, err := e.Entries()
	if err != nil {
		t.Fatal(err)
	}
	in := New(Options{Rules: []*Rule{told("message", Messages()), told("exchange", Exchanges()), told("sent", Sent()), told("end", AtEnd())}})
	fold := wire.NewFold()
	var log strings.Builder
	for i := range entries {
		for _, x := range fold.Add(entries[i]) {
			for range 2 { // seeing the same again finds nothing new
				v := in.See(&x)
				for _, f := range v.Findings {
					fmt.Fprintf(&log, "%s@%d ", f.Rule.ID, f.At.Frame-own[0]+1)
				}
				if len(v.Findings) > 0 {
					fmt.Fprintf(&log, "(%d of %d, ended %v)\n", len(v.Findings), len(v.All()), v.Ended)
				}
			}
		}
	}
	for _, f := range in.End().Findings {
		fmt.Fprintf(&log, "%s@%d\n", f.Rule.ID, f.At.Frame)
	}
	want := `sent@1 (1 of 1, ended false)
message@2 (1 of 2, ended false)
message@3 (1 of 3, ended false)
message@4 exchange@4 (2 of 5, ended true)
message@5 (1 of 1, ended true)
message@6 (1 of 1, ended true)
message@7 (1 of 1, ended false)
end@7
`
	if log.String() != want {
		t.Errorf("got\n%swant\n%s", log.String(), want)
	}
}

func TestARuleThatBreaksIsNamedAndItsNeighboursGoOn(t *testing.T) {
	broken := told("broken", Messages())
	broken.Check = func(*Pass) { panic("out of paper") }
	in := New(Options{Rules: []*Rule{broken, told("sound", Messages())}})
	m := wire.Read(1, time.Time{}, (&wire.Frame{Dir: wire.Received, Body: []byte(`{}`)}).Seal())
	v := in.See(&wire.Exchange{Lone: &m, End: wire.Alone})
	if len(v.Findings) != 1 || len(v.Broken) != 1 || !strings.Contains(v.Broken[0], "broken: out of paper") {
		t.Errorf("findings %v, broken %q", v.Findings, v.Broken)
	}
}

// The same journal gives the same findings and verdicts, whoever reads it and how often.
func TestJudgingIsDeterministic(t *testing.T) {
	for _, p := range pagesOf(t) {
		for i := range p.Bad {
			var runs [2]string
			for n := range runs {
				played, err := p.Bad[i].Play(Options{})
				if err != nil {
					t.Fatal(err)
				}
				var b strings.Builder
				for _, v := range played.Verdicts {
					line, _ := json.Marshal(struct {
						V *VerdictJSON
						F []FindingJSON
					}{v.JSON(fresh.State{}, sceneStart()), FindingsJSON(v.Findings)})
					b.Write(line)
				}
				runs[n] = b.String()
			}
			if runs[0] != runs[1] {
				t.Errorf("%s: two runs differ:\n%s\n%s", p.Rule.ID, runs[0], runs[1])
			}
		}
	}
}

func TestSEP2145IsCountedApart(t *testing.T) {
	const script = `= tools [{"name":"a"}]
> tools/call {"name":"b"}
< error {"code":%d,"message":"Unknown tool: b"}`
	find := func(code int, profile string) ([]Finding, Count) {
		e := Example{Profile: profile, Script: fmt.Sprintf(script, code)}
		played, err := e.Play(Options{Rules: []*Rule{must(t, "tool-error-unknown-tool-protocol"), must(t, "tool-error-unknown-tool-code")}})
		if err != nil {
			t.Fatal(err)
		}
		var c Count
		c.Add(played.Findings...)
		return played.Findings, c
	}
	// What the published text asks for: counted apart, fails nothing unless asked to.
	f, c := find(-32602, ProfileDefault)
	if c != (Count{SEP2145: 1}) || f[0].Profile != ProfileSEP2145 || f[0].Fails(Must, false) || f[0].Fails(Advice, false) || !f[0].Fails(Must, true) {
		t.Errorf("by the default profile: %+v %+v", c, f)
	}
	// Wrong by both: it fails by what the published text says of it.
	f, c = find(-32603, ProfileDefault)
	if c != (Count{SEP2145: 1}) || f[0].Fails(Must, false) || !f[0].Fails(Should, false) {
		t.Errorf("wrong by both: %+v %+v", c, f)
	}
	if f, c = find(-32602, ProfilePublished); c != (Count{}) {
		t.Errorf("by the published text: %+v %+v", c, f)
	}
	if _, c = find(-32603, ProfilePublished); c != (Count{Should: 1}) {
		t.Errorf("by the published text, wrong code: %+v", c)
	}
}

func must(t *testing.T, id string) *Rule {
	t.Helper()
	r, ok := Lookup(id)
	if !ok {
		t.Fatalf("no rule %s", id)
	}
	return r
}

// A legacy server is judged by its own revision, without SEP-2145, under both profiles.
func TestLegacyServersAreJudgedByTheirRevision(t *testing.T) {
	for _, profile := range Profiles() {
		e := Example{Profile: profile, Script: "= era 2025-06-18\n= tools [{\"name\":\"a\"}]\n> tools/call {\"name\":\"b\"}\n< error {\"code\":-32602,\"message\":\"Unknown tool: b\"}"}
		played, err := e.Play(Options{})
		if err != nil || len(played.Findings) > 0 {
			t.Errorf("%s: %v %+v", profile, err, played.Findings)
		}
	}
}

func TestVerdictJSON(t *testing.T) {
	v := judgeScript(t, ProfileDefault, "= tools [{\"name\":\"a\"}]\n> tools/list\n< complete {\"tools\":[],\"ttlMs\":60000,\"cacheScope\":\"public\"}")
	encode := func(v any) string {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(b.String())
	}
	got := encode(v.JSON(fresh.State{}, v.Freshness.Received.Add(12*time.Millisecond)))
	want := `{"resultType":{"value":"complete","from":"wire"},"outcome":{"class":"success","kind":"","confidence":"certain","evidence":[]},` +
		`"freshness":{"state":"fresh","ttlMs":60000,"remainingMs":59988,"scope":"public","because":""}}`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	got = encode(v.JSON(fresh.State{Name: fresh.Invalidated, By: 21}, time.Time{}).Freshness)
	if want := `{"state":"invalidated","ttlMs":60000,"remainingMs":null,"scope":"public","because":"21"}`; got != want {
		t.Errorf("invalidated: got %s", got)
	}
	v = judgeScript(t, ProfileDefault, "= tools [{\"name\":\"a\"}]\n> tools/call {\"name\":\"b\"}\n< error {\"code\":-32602,\"message\":\"Unknown tool: b\"}")
	got = encode(v.JSON(fresh.State{}, v.Freshness.Received))
	want = `{"resultType":{"value":null,"from":"none"},"outcome":{"class":"protocol-error","kind":"unknown-tool","confidence":"certain",` +
		`"evidence":["\"b\" is absent from the complete list of 1","“Unknown tool: b”","code -32602 (invalid params)"],"published":"conforms","sep2145":"deviates"},` +
		`"freshness":{"state":"not-cacheable","ttlMs":null,"remainingMs":null,"scope":null,"because":"method"}}`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if v.Ended = false; v.JSON(fresh.State{}, time.Time{}) != nil {
		t.Error("an open exchange has a verdict")
	}
	f := Finding{Rule: must(t, "cache-ttl-negative"), At: Place{Frame: 9, Path: "/result/ttlMs"}, Got: "-5", Want: "an integer of at least 0"}
	got = encode(f.JSON())
	want = `{"seq":9,"rule":"cache-ttl-negative","level":"must","source":"server/utilities/caching §TTL Field; schema minimum 0","profile":"",` +
		`"confidence":"certain","part":"body","pointer":"/result/ttlMs","got":"-5","want":"an integer of at least 0","also":[]}`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestGotIsOneEscapedLineOfAtMost200Characters(t *testing.T) {
	long := strings.Repeat("é\x1b", 5000)
	shown := display(long)
	if n := len([]rune(shown)); n != 200 || !strings.HasSuffix(shown, "…") || strings.ContainsRune(shown, 0x1b) {
		t.Errorf("%d characters: %q", n, shown)
	}
}

func TestErasFilter(t *testing.T) {
	for _, c := range []struct {
		text, version string
		sep, want     bool
	}{
		{"all", "", true, true}, {"", "2024-11-05", false, true},
		{">=2025-06-18", "2025-03-26", false, false}, {">=2025-06-18", "2026-07-28", true, true}, {">=2025-06-18", "", false, false},
		{"<=2025-11-25", "2025-11-25", false, true}, {"<=2025-11-25", "2026-07-28", false, false},
		{"2025-03-26..2025-11-25", "2025-06-18", false, true}, {"2025-03-26..2025-11-25", "2024-11-05", false, false},
		{"2024-11-05", "2024-11-05", false, true}, {"2024-11-05", "2025-03-26", false, false},
		{"SEP-2145", "2026-07-28", true, true}, {"SEP-2145", "2026-07-28", false, false},
		{"all !SEP-2145", "2026-07-28", true, false}, {"all !SEP-2145", "2025-06-18", false, true},
		{">=2026-07-28 +tasks", "2026-07-28", false, true},
	} {
		e, err := parseEras(c.text)
		if err != nil || e.hold(c.version, c.sep) != c.want {
			t.Errorf("%q with %q, SEP-2145 %v: %v, %v", c.text, c.version, c.sep, e.hold(c.version, c.sep), err)
		}
	}
	for _, bad := range []string{">=2026-07-29", "soon", "all 2025-06-18"} {
		if _, err := parseEras(bad); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// Extension rules are for requests that declared the extension.
func TestExtensionRulesNeedTheExtension(t *testing.T) {
	r := told("tasks", Messages("tools/list"))
	r.eras = eras{all: true, extension: "tasks"}
	for client, want := range map[string]int{`{}`: 0, `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`: 1} {
		e := Example{Profile: ProfileDefault, Script: "= client " + client + "\n> tools/list\n< complete {\"tools\":[]}"}
		played, err := e.Play(Options{Rules: []*Rule{r}})
		if err != nil || len(played.Findings) != want {
			t.Errorf("client %s: %d findings, %v", client, len(played.Findings), err)
		}
	}
}

func TestProbesAreWellFormed(t *testing.T) {
	safe := true
	for _, p := range Probes() {
		if p.Name == "" || p.Why == "" || (len(p.Requests) == 0) != p.Built {
			t.Errorf("probe %q says too little", p.Name)
		}
		if p.Safe && !safe {
			t.Errorf("safe probe %s stands behind an unsafe one", p.Name)
		}
		safe = p.Safe
		for _, r := range p.Requests {
			if r.Method == "" || r.Params != "" && !json.Valid([]byte(r.Params)) {
				t.Errorf("probe %s: request %+v", p.Name, r)
			}
		}
	}
}

// Rules are shared by all inspectors and must not change.
func TestCatalogueIsShared(t *testing.T) {
	if a, b := Catalogue(), Catalogue(); len(a) == 0 || !reflect.DeepEqual(ids(a), ids(b)) || a[0] != b[0] {
		t.Error("two catalogues")
	}
}

func ids(rules []*Rule) []string {
	var all []string
	for _, r := range rules {
		all = append(all, r.ID)
	}
	return all
}

// A session of many hours does not fill the memory with what nobody will ask for again.
func TestWhatIsRememberedIsBounded(t *testing.T) {
	in := New(Options{Rules: []*Rule{told("late", Notifications())}})
	frame := func(seq wire.Seq, dir wire.Dir, body string) *wire.Message {
		m := wire.Read(seq, sceneStart(), (&wire.Frame{Dir: dir, Body: []byte(body)}).Seal())
		return &m
	}
	open := &wire.Exchange{Request: frame(1, wire.Sent, `{"id":0,"method":"subscriptions/listen"}`)}
	in.See(open)
	var last *wire.Exchange
	for i := range 3 * keepPast {
		seq := wire.Seq(2 + 2*i)
		last = &wire.Exchange{Request: frame(seq, wire.Sent, fmt.Sprintf(`{"id":%d,"method":"a"}`, i+1)),
			Reply: frame(seq+1, wire.Received, `{"result":{}}`), End: wire.Replied, Ended: sceneStart()}
		in.See(last)
	}
	if n := len(in.history.past); n > 2*keepPast+1 || len(in.history.ids) != n || len(in.seen) > 2*keepPast+1 {
		t.Errorf("%d requests, %d ids, %d exchanges are remembered", n, len(in.history.ids), len(in.seen))
	}
	if p := in.history.Past(1); p == nil || !p.Open() {
		t.Error("the open request is forgotten")
	}
	last.Late = []wire.Message{*frame(1<<30, wire.Received, `{"method":"notifications/x"}`)}
	if v := in.See(last); len(v.Findings) != 1 || !v.Ended {
		t.Errorf("a late frame: %+v", v)
	}
}

// --era says what the server is; the revision is still learned, unless it was given too.
func TestAGivenEraStands(t *testing.T) {
	const answer = "= era none\n> initialize {\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}\n" +
		"< result {\"protocolVersion\":\"2025-03-26\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}\n> ping\n< result {}"
	for _, c := range []struct {
		opts Options
		want string
	}{
		{Options{Era: EraLegacy}, "legacy 2025-03-26"},
		{Options{Era: EraLegacy, Version: "2025-11-25"}, "legacy 2025-11-25"},
		{Options{Era: EraModern}, "modern 2026-07-28"},
		{Options{}, "legacy 2025-03-26"},
	} {
		e := Example{Script: answer, Profile: ProfileDefault}
		c.opts.Rules = []*Rule{}
		played, err := e.Play(c.opts)
		if err != nil {
			t.Fatal(err)
		}
		v := played.Verdicts[len(played.Verdicts)-1]
		if got := v.Era + " " + v.Version; got != c.want {
			t.Errorf("%+v: %s, want %s", c.opts, got, c.want)
		}
	}
}
