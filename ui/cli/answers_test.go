package cli

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcploupe/session/demo"
	"mcploupe/session/jsondoc"
)

// answersFile is a file for --answers.
func answersFile(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// The demo server over HTTP: a retry in the modern era, a request on the stream of the call in the legacy one.
func TestQuestionsOverHTTP(t *testing.T) {
	s := demo.New(demo.Options{Era: demo.Both})
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	answers := answersFile(t, `{"elicitation/create":{"action":"accept","content":{"sky":"clear","visibility":3}}}`)
	for era, calls := range map[string]int{"modern": 2, "legacy": 1} {
		r := program(t, "call", "log_observation", "--json", "--era", era, "--answers", answers, server.URL)
		lines, summary := contract(t, r.out)
		got := exchangesOf(lines, "tools/call")
		if r.code != 0 || len(got) != calls || !strings.Contains(string(got[calls-1].Response), "is in the log book") || summary.Era != era {
			t.Errorf("%s: %s", era, r)
		}
		if g := grave(lines); len(g) > 0 {
			t.Errorf("%s: %v", era, g)
		}
		r = program(t, "call", "log_observation", "--era", era, server.URL)
		if r.code != 0 || !strings.Contains(r.out, "Nothing was written") || !strings.Contains(r.err, "declined") {
			t.Errorf("%s, nobody there: %s", era, r)
		}
	}
}

// A server that asks forever: a few rounds, and it is said.
func TestAServerThatAsksForever(t *testing.T) {
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := jsondoc.Parse(body).Root()
		result := `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"tools":[],"ttlMs":0,"cacheScope":"public"}`
		if m.Get("method").Text() == "tools/call" {
			n++
			switch m.Get("params").Get("name").Text() {
			case "state":
				result = fmt.Sprintf(`{"resultType":"input_required","requestState":"%d"}`, n)
			case "sampling":
				result = `{"resultType":"input_required","inputRequests":{"s":{"method":"sampling/createMessage","params":{"messages":[],"maxTokens":1}}}}`
			case "odd":
				result = `{"resultType":"input_required","inputRequests":{"s":{"method":"shell/run"}}}`
			default:
				result = fmt.Sprintf(`{"resultType":"input_required","requestState":"%d","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"Again\u001b[2J?","requestedSchema":{"type":"object","properties":{}}}}}}`, n)
			}
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.Get("id").Raw(), result)
	}))
	t.Cleanup(server.Close)
	answers := answersFile(t, `{"*":{"action":"accept"}}`)
	for tool, want := range map[string]struct {
		calls int
		say   string
	}{
		"forever":  {6, "no more than 5 rounds are answered"},
		"state":    {6, "no more than 5 rounds are answered"},
		"sampling": {1, "no client can say no to it"},
		"odd":      {1, `asks for "shell/run", which no client can answer`},
	} {
		n = 0
		r := program(t, "call", tool, "--era", "modern", "--answers", answers, server.URL)
		if r.code != 1 || n != want.calls || !strings.Contains(r.err, want.say) || strings.Contains(r.err, "\x1b[2J") {
			t.Errorf("%s, %d calls: %s", tool, n, r)
		}
	}
	n = 0
	r := program(t, "check", "--json", "--era", "modern", "--call", "forever", "--answers", answers, server.URL)
	lines, _ := contract(t, r.out)
	if n != 6 || !strings.Contains(r.out, "mrtr-loop") {
		t.Errorf("check, %d calls: %s", n, r)
	}
	for rule := range grave(lines) {
		if strings.Contains(rule, "mrtr-retry") {
			t.Errorf("our own retries break a rule: %s", rule)
		}
	}
}

// The official SDK's server asks for every kind, in both eras and on both transports: what it understood of the answers is
// an independent reading of them.
func TestTheSDKUnderstandsTheAnswers(t *testing.T) {
	legacy := func(ctx context.Context, ss *sdk.ServerSession) (string, error) {
		e, err := ss.Elicit(ctx, &sdk.ElicitParams{Message: "Who?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}}})
		if err != nil {
			return "", err
		}
		//lint:ignore SA1019 legacy revisions have roots, and we answer them
		roots, err := ss.ListRoots(ctx, nil)
		if err != nil {
			return "", err
		}
		//lint:ignore SA1019 legacy revisions have sampling, and we answer it
		m, err := ss.CreateMessage(ctx, &sdk.CreateMessageParams{MaxTokens: 5, Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: "hi"}}}})
		if err != nil {
			return "", err
		}
		return fmt.Sprint(e.Action, e.Content["name"], roots.Roots[0].URI, m.Content.(*sdk.TextContent).Text), nil
	}
	s := sdk.NewServer(&sdk.Implementation{Name: "asker", Version: "1"}, nil)
	s.AddTool(&sdk.Tool{Name: "ask", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		text, err := legacy(ctx, r.Session)
		if err != nil {
			return nil, err
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, nil
	})
	server := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, nil))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	answers := answersFile(t, `{"elicitation/create":{"action":"accept","content":{"name":"Ada"}},"roots/list":{"roots":[{"uri":"file:///tmp","name":"t"}]},
		"sampling/createMessage":{"role":"assistant","content":{"type":"text","text":"hello"},"model":"person","stopReason":"endTurn"}}`)
	r := program(t, "call", "ask", "--era", "legacy", "--answers", answers, server.URL)
	if r.code != 0 || !strings.Contains(r.out, `acceptAdafile:///tmphello`) {
		t.Errorf("%s", r)
	}
	// Without answers the first question is declined, and what was not declared is not asked for.
	r = program(t, "call", "ask", "--era", "legacy", server.URL)
	if !strings.Contains(r.err, "declined, nobody is here to ask") {
		t.Errorf("%s", r)
	}
}
