package cli

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcploupe/session/demo"
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
