package era

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
	"mcploupe/themes"
)

func sides() (Side, Side) {
	modern := Side{mcp.Latest, []Message{{"tools/call", "POST", []wire.Field{{Name: "Accept", Value: "a"}, {Name: "Mcp-Method", Value: "tools/call"}},
		[]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a\u001b","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","progressToken":"1"}}}`)}}}
	legacy := Side{mcp.R20250618, []Message{
		{"initialize", "POST", []wire.Field{{Name: "Accept", Value: "a"}}, []byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)},
		{"tools/call", "POST", []wire.Field{{Name: "Accept", Value: "a"}, {Name: "Mcp-Session-Id", Value: "x\x1b[2J"}},
			[]byte(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a\u001b","_meta":{"progressToken":"2"}}}`)},
	}}
	return modern, legacy
}

// What differs has a number, what is the same has none, and every number has a reason.
func TestDifferencesHaveReasons(t *testing.T) {
	a, b := sides()
	c := Compare("tools/call", a, b)
	want := map[string]bool{"Accept: a": false, "Mcp-Method: tools/call": true, "Mcp-Session-Id: x\x1b[2J": true, `  "jsonrpc": "2.0",`: false, `  "id": 1,`: true,
		`    "name": "a\u001b",`: false, `      "io.modelcontextprotocol/protocolVersion": "2026-07-28",`: true, "POST  initialize": true, "POST  tools/call": false}
	for text, differs := range want {
		found := false
		for _, lines := range c.Lines {
			for _, l := range lines {
				if l.Text == text {
					found = true
					if (l.Reason > 0) != differs && !(text == `  "id": 1,` && l.Reason == 0) {
						t.Errorf("%q has reason %d", text, l.Reason)
					}
				}
				if l.Reason < 0 || l.Reason > len(c.Reasons) {
					t.Errorf("%q has reason %d of %d", l.Text, l.Reason, len(c.Reasons))
				}
			}
		}
		if !found {
			t.Errorf("there is no line %q in %+v", text, c.Lines)
		}
	}
	for _, r := range c.Reasons {
		if r == "" || r == "another value" {
			t.Errorf("reason %q", r)
		}
	}
}

func TestDrawnAtEveryWidth(t *testing.T) {
	a, b := sides()
	c := Compare("tools/call", a, b)
	for _, w := range []int{200, 120, 96, 95, 60, 30} {
		lines := c.Draw(themes.Plain(), w)
		for _, l := range lines {
			if n := ansi.StringWidth(l); n > w {
				t.Errorf("at %d a line has %d cells: %q", w, n, l)
			}
			if strings.ContainsAny(ansi.Strip(l), "\x1b\x07") {
				t.Errorf("a control character is left: %q", l)
			}
		}
	}
	text := Text(&c, 120)
	if strings.Index(text, "initialize") > strings.Index(text, "POST  tools/call") {
		t.Errorf("the handshake does not come first:\n%s", text)
	}
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "tools/call") && strings.Contains(line, "POST") && strings.Count(line, "POST  tools/call") != 2 {
			t.Errorf("the requests do not stand beside each other: %q", line)
		}
	}
}

func TestWhatARevisionLacksIsSaid(t *testing.T) {
	for method, want := range map[string]string{
		"subscriptions/listen": "2025-06-18 has no subscriptions/listen: it came with 2026-07-28",
		"initialize":           "2026-07-28 has no initialize: instead there is server/discover",
		"ping":                 "2026-07-28 has no ping",
		"tasks/update":         "2025-06-18 has no tasks/update",
		"no/such":              "",
	} {
		c := Compare(method, Side{Version: mcp.Latest}, Side{Version: mcp.R20250618})
		if text := Text(&c, 400); want != "" && !strings.Contains(text, want) || want == "" && strings.Contains(text, "has no") {
			t.Errorf("%s:\n%s", method, text)
		}
	}
}
