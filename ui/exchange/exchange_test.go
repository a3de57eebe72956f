package exchange

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/inspect"
	"mcploupe/themes"
	"mcploupe/ui/book/booktest"
	"mcploupe/ui/kit"
)

// shown is the pane of the last exchange of a script.
func shown(t *testing.T, script string) *Pane {
	t.Helper()
	entries := booktest.Script(t, script)
	b := booktest.Of(t, entries)
	env := &kit.Env{Styles: themes.Plain(), Now: func() time.Time { return entries[len(entries)-1].At }}
	p := New(env, b)
	p.Set(b.Timeline.Rows[len(b.Timeline.Rows)-1])
	return p
}

func (p *Pane) text() string { return ansi.Strip(p.Draw(100, 40, true)) }

func (p *Pane) open(t *testing.T, tab string) string {
	t.Helper()
	p.Draw(100, 40, true)
	for i, name := range p.Tabs() {
		if name == tab {
			p.SetTab(i)
			return p.text()
		}
	}
	t.Fatalf("there is no tab %s among %v", tab, p.Tabs())
	return ""
}

func holds(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}

const http = `
= ready +era=modern +version=2026-07-28 there
> http POST http://h/mcp MCP-Protocol-Version=2026-07-28 Mcp-Method=tools/call Mcp-Name=t
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"m","version":"1"},"io.modelcontextprotocol/clientCapabilities":{},"progressToken":"1"}}}
< http 200 Content-Type=text/event-stream
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"1","progress":1}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[{"type":"text","text":"a\u001b[1m\n# b"},{"type":"image","mimeType":"image/png","data":"iVBORw0KGgo="},{"type":"image","data":"no base64!"},{"type":"resource","resource":{"uri":"x:/1","mimeType":"application/json","text":"{\"deep\":1}"}}]}}
~ eof
`

func TestAllSidesOfAnExchange(t *testing.T) {
	p := shown(t, http)
	holds(t, p.text(), "✔ complete", "invalid answer: shape", "not cacheable", `"resultType": "complete"`, `a\u001b[1m`)
	holds(t, p.open(t, tabContent), "1 text", "a␛[1m", "# b", "2 image image/png", "PNG, 8 B", "89 50 4e 47", "this is not Base64", "x:/1", `"deep": 1`)
	holds(t, p.open(t, tabRequest), `"method": "tools/call"`)
	holds(t, p.open(t, tabRaw), "POST http://h/mcp", "Mcp-Method: tools/call", "200", `"id":1`, "notifications/progress")
	holds(t, p.open(t, tabHeaders), "Mcp-Name", "text/event-stream", "200 ──")
	holds(t, p.open(t, tabBetween), "notifications/progress", `{"progressToken":"1","progress":1}`, "+")
}

// The server of this exchange streams without the header that the specification asks for: a finding that is
// nowhere in the text.
func TestAFindingOutsideTheTextIsSaidAndLeadsToItsPlace(t *testing.T) {
	p := shown(t, http)
	at := -1
	p.text()
	for i, f := range p.row.Findings {
		if f.At.Part == inspect.Header {
			at = i
		}
	}
	if at < 0 {
		t.Skip("no rule about headers spoke")
	}
	id := p.row.Findings[at].Rule.ID
	holds(t, p.text(), "[Headers] "+id)
	p.look(at, 0)
	if p.Tabs()[p.Tab()] != tabHeaders {
		t.Errorf("the finding leads to %s", p.Tabs()[p.Tab()])
	}
	holds(t, p.text(), id)
	if strings.Count(p.text(), id) != 1 {
		t.Errorf("the tab shows it, and it is said above it too:\n%s", p.text())
	}
}

func TestWithoutAnAnswerItSaysWhy(t *testing.T) {
	p := shown(t, `
> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}
~ exit 7 +stderr="boom \x1b[31m"
`)
	holds(t, p.text(), "no answer", "lost: server ended", "exit code 7", "boom ␛[31m")
	html := shown(t, `
> http POST http://h/mcp
> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}
< http 502 Content-Type=text/html
< <html><body>Bad Gateway</body></html>
`)
	holds(t, html.text(), "no JSON-RPC answer", "HTTP status", "<html>", "Bad Gateway")
}

func TestALoneFrame(t *testing.T) {
	p := shown(t, `< {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"x"}}`)
	holds(t, p.text(), "← received", "notification", `"data": "x"`)
	noise := shown(t, `< Listening on port 3000`)
	holds(t, noise.text(), "not JSON", "Listening on port 3000")
	if got := noise.Tabs(); len(got) != 3 || got[2] != tabStory || got[0] != tabMessage {
		t.Errorf("tabs are %v", got)
	}
}

func TestTheChosenTabStaysFromOneExchangeToTheNext(t *testing.T) {
	p := shown(t, http)
	p.open(t, tabRequest)
	first := p.row
	p.Set(nil)
	p.text()
	p.Set(first)
	p.text()
	if p.Tabs()[p.Tab()] != tabRequest {
		t.Errorf("the tab is %s", p.Tabs()[p.Tab()])
	}
}
