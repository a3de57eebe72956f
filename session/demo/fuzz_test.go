package demo

import (
	"context"
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
