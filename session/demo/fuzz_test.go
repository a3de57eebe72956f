package demo

import (
	"context"
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
)

// Whatever comes in, what goes out is JSON-RPC, and at most one response.
func FuzzHandle(f *testing.F) {
	for _, short := range []string{"server/discover", "tools/list", askWeather, badArgs, slow, ask1, about, brief, suggest, askListen, "-caps tools/list", "as=1 ping",
		calling("set_alert", `{"name":"x","when":{"all":[{"measure":"wind","above":1e400},{"measure":"rain","below":0}]}}`)} {
		f.Add([]byte(request(1, short)))
	}
	f.Add([]byte(hello("2025-11-25")))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}`))
	f.Add([]byte(`[{"id":1}]`))
	servers := []*Server{New(Options{Now: noon}), New(Options{Now: noon, Era: Both})}
	for _, s := range servers {
		s.Close() // subscriptions end at once
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, s := range servers {
			responses := 0
			ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond) // so do slow calls
			defer cancel()
			s.Handle(ctx, text, func(m []byte) {
				doc := jsondoc.Parse(m)
				if !doc.Valid() || doc.At("/jsonrpc").Text() != "2.0" {
					t.Fatalf("%q got %q", text, m)
				}
				if !doc.At("/method").Exists() {
					responses++
				}
			})
			if responses > 1 {
				t.Fatalf("%d responses to %q", responses, text)
			}
		}
	})
}

// Whatever a path is: what leads to a world has a name that may stand in an address, a file and a terminal, and its own address leads
// to the same world.
func FuzzPlaceOf(f *testing.F) {
	for _, path := range []string{"/", "/mcp", "/anna/mcp", "/Anna+output-invalid+ttl-negative/sse", "/a.b-c_9/messages", "/anna+no/mcp", "//mcp", "/\x00/mcp", "/ſ/mcp", "/K/mcp"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		p, ok := placeOf(path)
		if !ok || p.wrong != "" || p.name == "" {
			return
		}
		for _, c := range []byte(p.key) {
			if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || strings.IndexByte("-._+", c) >= 0) {
				t.Fatalf("%q leads to the world %q", path, p.key)
			}
		}
		if again, ok := placeOf(p.at(p.rest)); len(p.name) > longestName || !ok || again.key != p.key || again.rest != p.rest {
			t.Fatalf("%q leads to %q, and that to %q", path, p.at(p.rest), again.key)
		}
	})
}
