package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcploupe/session/demo"
	"mcploupe/session/jsondoc"
)

// Prompts and resources ask over HTTP too: by a result in the modern era, on the stream of the request in the legacy one.
func TestPromptsAndResourcesAskOverHTTP(t *testing.T) {
	s := demo.New(demo.Options{Era: demo.Both})
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	answers := answersFile(t, `{"elicitation/create":{"action":"accept","content":{"name":"Ada","open":true}}}`)
	for _, era := range []string{"modern", "legacy"} {
		for _, c := range [][]string{{"prompt", "guest_book", "in the name of Ada"}, {"read", "station://skerry/safe", "brass key"}, {"call", "log_observation", "sky is required"}} {
			r := program(t, c[0], c[1], "--json", "--era", era, "--answers", answers, server.URL)
			lines, _ := contract(t, r.out)
			if !strings.Contains(r.out, c[2]) || len(grave(lines)) > 0 {
				t.Errorf("%s %s: %v %s", era, c[1], grave(lines), r)
			}
		}
	}
}

// HTTP+SSE of 2024-11-05, served by the official SDK: questions come on the one stream, answers are posted.
func TestQuestionsOverHTTPWithSSE(t *testing.T) {
	s := sdk.NewServer(&sdk.Implementation{Name: "asker", Version: "1"}, nil)
	s.AddPrompt(&sdk.Prompt{Name: "who"}, func(ctx context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		e, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Who?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}}})
		if err != nil {
			return nil, err
		}
		name, _ := e.Content["name"].(string)
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: e.Action + " " + name}}}}, nil
	})
	server := httptest.NewServer(sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return s }, nil))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	answers := answersFile(t, `{"elicitation/create":{"action":"accept","content":{"name":"Ada"}}}`)
	r := program(t, "prompt", "who", "--transport", "sse", "--answers", answers, server.URL)
	if r.code != 0 || !strings.Contains(r.out, "accept Ada") || !strings.Contains(r.err, "the server asks: Who?") {
		t.Errorf("%s", r)
	}
	r = program(t, "prompt", "who", "--transport", "sse", server.URL)
	if r.code != 0 || !strings.Contains(r.out, "decline") {
		t.Errorf("nobody there: %s", r)
	}
}

// What a hostile server may ask back: it is judged, never fatal, and nothing is sent that nobody confirmed.
func TestHostileResultsThatAskBack(t *testing.T) {
	var many strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&many, `,"k\u001b]0;%d":{"method":"elicitation/create","params":{"message":"?","requestedSchema":{"type":"object","properties":{}}}}`, i)
	}
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 300) + `{}` + strings.Repeat(`}}`, 300)
	form := func(schema string) string {
		return `{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"?","requestedSchema":` + schema + `}}}}`
	}
	results := map[string]struct {
		result string
		calls  int // with the answers that were confirmed in the file
		rule   string
	}{
		"many":      {`{"resultType":"input_required","inputRequests":{` + many.String()[1:] + `}}`, 1, ""},
		"deep":      {form(deep), 6, "elicitation-schema-nested"},
		"recursive": {form(`{"type":"object","properties":{"a":{"$ref":"#"}}}`), 6, ""},
		"types":     {`{"resultType":"input_required","inputRequests":{"k":{"method":{"a":1},"params":[]}},"requestState":[1]}`, 1, "mrtr-request-state-type"},
		"numbers":   {`{"resultType":"input_required","inputRequests":{"k":7,"l":null,"m":"x"}}`, 1, "mrtr-input-requests-type"},
		"array":     {`{"resultType":"input_required","inputRequests":[{"method":"roots/list"}]}`, 1, "mrtr-input-requests-type"},
		"state":     {`{"resultType":"input_required","requestState":"` + strings.Repeat("0123456789", 1<<15) + `"}`, 6, ""},
		"address":   {`{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"mode":"url","message":"?","url":"javascript:alert(1)"}}}}`, 6, "elicitation-url-invalid"},
	}
	calls := 0
	var last string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := jsondoc.Parse(body).Root()
		result := `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"tools":[],"ttlMs":0,"cacheScope":"public"}`
		if m.Get("method").Text() == "tools/call" {
			calls++
			last = string(m.Get("params").Get("inputResponses").Raw())
			result = results[m.Get("params").Get("name").Text()].result
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.Get("id").Raw(), result)
	}))
	t.Cleanup(server.Close)
	answers := answersFile(t, `{"*":{"action":"accept"}}`)
	for name, want := range results {
		calls = 0
		r := program(t, "call", name, "--json", "--era", "modern", "--answers", answers, server.URL)
		if r.code != 1 || calls != want.calls || strings.Contains(r.out, "\x1b") || strings.Contains(r.err, "\x1b") || !strings.Contains(r.out, want.rule) {
			t.Errorf("%s: exit %d, %d calls, want rule %s\n%.300s", name, r.code, calls, want.rule, r.err)
		}
		if name == "address" && last != `{"k":{"action":"decline"}}` {
			t.Errorf("an address was agreed to by *: %s", last)
		}
	}
}
