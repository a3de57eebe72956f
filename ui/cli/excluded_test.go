package cli

import (
	"net/http/httptest"
	"strings"
	"testing"

	"mcploupe/session/demo"
)

// Case C35: a tool whose x-mcp-header no header can be made of. It is listed as left out with rule and place, a call is wrong
// usage unless it is asked for in so many words, and on stdio, where there are no headers, nothing of this holds.
func TestCaseAToolThatClientsMustLeaveOut(t *testing.T) {
	t.Parallel()
	s := demo.New(demo.Options{Faults: []string{"header-name-odd"}})
	defer s.Close()
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	const at = "/inputSchema/properties/region/x-mcp-header"

	r := program(t, "list", "tools", server.URL)
	if r.code != 0 || !strings.Contains(r.out, "excluded: ") || !strings.Contains(r.out, "  get_forecast  tools-xheader-token at "+at+`: "Sea Region" cannot`) {
		t.Errorf("list: %s", r)
	}
	if strings.Contains(r.out, "\x1b") {
		t.Errorf("styles where there is no terminal: %q", r.out)
	}

	r = program(t, "list", "tools", "--json", server.URL)
	lines, _ := contract(t, r.out)
	last := lines[len(lines)-1]
	if last.Type != "excluded" || last.Name != "get_forecast" || len(last.Reasons) != 1 || last.Reasons[0].Rule != "tools-xheader-token" ||
		last.Reasons[0].Pointer != "/result/tools/1"+at || last.Seq != seqOf(lines, at) {
		t.Errorf("list --json: %+v", last)
	}

	call := []string{"call", "get_forecast", "--arg", "region=Amber Bay", "--arg", "days=1"}
	r = program(t, append(call, server.URL)...)
	if r.code != 2 || !strings.Contains(r.err, "must leave out the tool get_forecast: tools-xheader-token at "+at) || !strings.Contains(r.err, "--excluded") {
		t.Errorf("call: %s", r)
	}
	r = program(t, append(call, "--json", server.URL)...)
	lines, _ = contract(t, r.out)
	if r.code != 2 || len(exchangesOf(lines, "tools/call")) != 0 {
		t.Errorf("call --json: %s", r)
	}
	r = program(t, append(call, "--json", "--excluded", server.URL)...)
	if lines, _ = contract(t, r.out); len(exchangesOf(lines, "tools/call")) != 1 {
		t.Errorf("call --excluded: %s", r)
	}

	stdio := childArgv(t, "child:demo", "--fault", "header-name-odd")
	r = program(t, append([]string{"list", "tools"}, stdio...)...)
	if r.code != 0 || strings.Contains(r.out, "excluded") {
		t.Errorf("list on stdio: %s", r)
	}
	if r = program(t, append(append(call, "--json"), stdio...)...); r.code != 0 {
		t.Errorf("call on stdio: %s", r)
	}
}

// seqOf is the frame that a finding at a place was made in.
func seqOf(lines []jsonLine, at string) int64 {
	for _, l := range lines {
		for _, f := range l.Findings {
			if strings.HasSuffix(f.Pointer, at) {
				return f.Seq
			}
		}
	}
	return 0
}

// A tool whose headers changed since it was listed: the refused call is sent once more, with the headers of the list read again.
func TestACallIsSentAgainWithOtherHeaders(t *testing.T) {
	t.Parallel()
	s := demo.New(demo.Options{Faults: []string{"header-renamed"}})
	defer s.Close()
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	r := program(t, "call", "get_forecast", "--arg", "region=Amber Bay", "--json", server.URL)
	lines, _ := contract(t, r.out)
	calls := exchangesOf(lines, "tools/call")
	if r.code != 0 || len(calls) != 2 || calls[0].Verdict.Outcome.Kind != "header" || calls[1].Verdict.Outcome.Class != "success" ||
		!strings.HasPrefix(calls[1].Why, "retry: ") {
		t.Fatalf("%s", r)
	}
	if lists := exchangesOf(lines, "tools/list"); !strings.HasPrefix(lists[len(lists)-1].Why, "retry: ") {
		t.Errorf("the second listing says why %q", lists[len(lists)-1].Why)
	}
	if g := grave(lines); len(g) > 0 {
		t.Errorf("found %v", g)
	}
}
