package drive

import (
	"net/http/httptest"
	"testing"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/demo"
	"mcploupe/session/mcp"
)

// The built-in server is as faithful to older revisions, probes included.
func TestTheFaithfulOlderServerIsSilent(t *testing.T) {
	server := demo.New(demo.Options{Era: demo.Both})
	web := httptest.NewServer(server.Handler())
	defer web.Close()
	defer server.Close()
	for _, revision := range []string{mcp.R20241105, mcp.R20250326, mcp.R20250618, mcp.R20251125} {
		for _, id := range found(walk(t, session.Target{URL: web.URL + demo.Path}, session.Options{Era: session.Legacy, Protocol: revision, Capabilities: []byte(`{"elicitation":{},"sampling":{"tools":{}},"roots":{}}`)}, 10)) {
			if r, _ := inspect.Lookup(id); r.Level >= inspect.Should {
				t.Errorf("%s: %s", revision, id)
			}
		}
	}
}
