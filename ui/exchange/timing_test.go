package exchange

import (
	"strings"
	"testing"
)

const slow = `
= ready +era=modern +version=2026-07-28 there
@ 2026-03-01T12:00:00Z
> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"m","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}
@ +50ms
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"m","version":"1"},"io.modelcontextprotocol/clientCapabilities":{},"progressToken":"2"}}}
@ +100ms
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"2","progress":1}}
@ +300ms
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"2","progress":2}}
@ +600ms
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[]}}
`

func TestTimesOfAnExchange(t *testing.T) {
	p := shown(t, slow)
	text := p.open(t, tabStory)
	holds(t, text, "sent", ":00.050", "1 other request had no answer yet; on one pipe, a server may answer in turn",
		"first      +100 ms  notifications/progress", "between    2 messages until +400 ms, the longest pause 300 ms", "answer     +1.0 s", ":01.050",
		"bytes out  "+"2", "bytes in   2", "in 3 messages", strings.Repeat("╌", 6)+strings.Repeat("━", 54))
	p = shown(t, strings.Replace(http, "< http 200 ", "< http 200 +waited=5ms +dialed=2ms ", 1))
	text = p.open(t, tabHeaders)
	holds(t, text, "head       +5.0 ms  status 200, over a connection that was made for it in 2.0 ms")
	holds(t, text, "Timing ──", "and a head of about", "answer     +", "POST http://h/mcp", "Mcp-Name")
}

func TestALoneMessageHasATimeToo(t *testing.T) {
	p := shown(t, "= ready +era=modern +version=2026-07-28 there\n"+`< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	holds(t, p.open(t, tabStory), "came", "bytes  61 B")
}

func TestAFindingAboutTimeStandsThere(t *testing.T) {
	p := shown(t, `
= ready +era=legacy +version=2025-11-25 there
@ 2026-03-01T12:00:00Z
> {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}
@ +1s
~ cancel 2 because
@ +1ms
> {"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}
@ +10s
< {"jsonrpc":"2.0","id":2,"result":{"content":[]}}
`)
	for _, r := range p.book.Timeline.Rows {
		if r.X.Method() == "tools/call" {
			p.Set(r)
		}
	}
	found := false
	text := p.open(t, tabStory)
	for i := range p.row.Findings {
		if p.row.Findings[i].Rule.ID == "cancel-answered" || strings.HasPrefix(p.row.Findings[i].Rule.ID, "cancel") {
			found = true
		}
	}
	holds(t, text, "ended", "without an answer", "late", "1 message after the end")
	if found {
		holds(t, text, "▲ cancel-response-after: want no answer to a cancelled request")
	} else {
		t.Errorf("nothing was found about time: %+v", p.row.Findings)
	}
}
