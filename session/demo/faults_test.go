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

// Faults that need a life of their own to show; their stories are below and in child_test.go. Those of answers need a client that
// comes back with what it was given, and those of older revisions one that holds a session: ui/drive has one, and tries each of them.
func ownStories() []string {
	names := []string{"exit-early", "no-exit", "one-at-a-time", "input-schema-gone", "cancel-ignored"}
	for _, f := range append(answerFaults(), legacyFaults()...) {
		names = append(names, f.Name)
	}
	return names
}

func TestEveryFaultShows(t *testing.T) {
	told := append(ownStories(), taskStories()...)
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
	if err := s.SetFault("cache-ttl-huge", true); err != nil || !slices.Contains(s.ActiveFaults(), "ttl-century") {
		t.Errorf("by the id of its rule: %v, %v", err, s.ActiveFaults())
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

func TestACancellationThatIsIgnored(t *testing.T) {
	p := overPipes(t, Options{Faults: []string{"cancel-ignored"}})
	p.send(request(1, `token tools/call {"name":"calibrate","arguments":{"steps":2,"stepMs":30,"total":false}}`))
	m := p.message()
	want(t, m, "/params/progress", "1")
	if m.Get("params").Get("total").Exists() {
		t.Error("the progress has a total that was not wanted")
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	for {
		if m = p.message(); m.Get("id").Exists() {
			want(t, m, "/id", "1")
			return
		}
	}
}

func TestManySuggestionsComeInPart(t *testing.T) {
	p := overPipes(t, Options{})
	p.send(request(1, `completion/complete {"ref":{"type":"ref/resource","uri":"station://skerry/readings/{instrument}/{date}"},"argument":{"name":"date","value":""}}`))
	m := p.message()
	want(t, m, "/result/completion/total", "365")
	want(t, m, "/result/completion/hasMore", "true")
	if n := at(t, m, "/result/completion/values").Len(); n != 100 {
		t.Errorf("%d values", n)
	}
}
