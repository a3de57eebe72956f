package book

import (
	"testing"

	"mcploupe/inspect"
	"mcploupe/session/fresh"
	"mcploupe/session/wire"
	"mcploupe/ui/feed"
)

const oldSession = `
= connecting +kind=http +target="http://127.0.0.1:9/mcp" connecting
> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"m","version":"1"}}}
< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}}
= ready +era=legacy +version=2025-11-25 +kind=http initialize was answered
> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
< {"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}}
`

// A new HTTP session is a boundary like a restart: what was read before is stale, what the server says of itself is new.
func TestANewSessionIsABoundary(t *testing.T) {
	log := wire.NewLog(wire.LogOptions{})
	f := feed.New(log, inspect.New(inspect.Options{}))
	b := New()
	now := tell(t, b, log, f, oldSession)
	if st, known := b.Freshness(Tools, now); !known || st.Name != fresh.NoHint {
		t.Fatalf("before: %+v", st)
	}
	v, n := b.List(Tools).Version(), b.Server.Beginnings()
	now = tell(t, b, log, f, `
> +why="retry: in a new session" {"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"m","version":"1"}}}
< {"jsonrpc":"2.0","id":3,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{}},"serverInfo":{"name":"new","version":"2"}}}
= ready +era=legacy +version=2025-11-25 +kind=http +session=1 a new session has begun
`)
	if st, _ := b.Freshness(Tools, now); st.Name != fresh.Invalidated || st.Because != fresh.BecauseSession {
		t.Errorf("the list is %+v", st)
	}
	if b.List(Tools).Version() == v || b.Server.Beginnings() != n+1 || b.Server.Sessions != 1 || b.Server.Starts != 1 {
		t.Errorf("version %d, beginnings %d, sessions %d", b.List(Tools).Version(), b.Server.Beginnings(), b.Server.Sessions)
	}
	if b.Server.Name() != "new" || !b.Server.Capabilities.Get("prompts").Exists() {
		t.Errorf("the server is %s with %s", b.Server.Name(), b.Server.Capabilities.Raw())
	}
	now = tell(t, b, log, f, `
> {"jsonrpc":"2.0","id":4,"method":"tools/list"}
< {"jsonrpc":"2.0","id":4,"result":{"tools":[]}}
`)
	if st, _ := b.Freshness(Tools, now); st.Name != fresh.NoHint {
		t.Errorf("listed again: %+v", st)
	}
}
