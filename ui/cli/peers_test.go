package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The official Go SDK's server is an independent reading of the specification. Everything that we say of it
// must hold up against the text: docs/servers.md lists each finding with its judgement.

type sum struct {
	A int `json:"a" jsonschema:"the first"`
	B int `json:"b" jsonschema:"the second"`
}

type total struct {
	Sum int `json:"sum"`
}

func sdkServer() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "polite", Version: "3"}, &sdk.ServerOptions{
		Instructions: "Adds numbers.",
		PageSize:     2,
		CompletionHandler: func(_ context.Context, r *sdk.CompleteRequest) (*sdk.CompleteResult, error) {
			return &sdk.CompleteResult{Completion: sdk.CompletionResultDetails{Values: []string{r.Params.Argument.Value + "bc"}}}, nil
		},
		SubscribeHandler:   func(context.Context, *sdk.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
	})
	sdk.AddTool(s, &sdk.Tool{Name: "add", Description: "adds two numbers", Annotations: &sdk.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *sdk.CallToolRequest, in sum) (*sdk.CallToolResult, total, error) {
			return nil, total{in.A + in.B}, nil
		})
	sdk.AddTool(s, &sdk.Tool{Name: "slow", Description: "reports three steps"}, func(ctx context.Context, r *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
		for i := range 3 {
			// An answer that is one JSON document has no room for it: then it is lost, which is no failure.
			_ = r.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3})
		}
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "done"}}}, nil, nil
	})
	sdk.AddTool(s, &sdk.Tool{Name: "fail", Description: "fails"}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
		return nil, nil, errors.New("the disk is full")
	})
	s.AddTool(&sdk.Tool{Name: "ask", Description: "asks back", InputSchema: map[string]any{"type": "object"}}, func(_ context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		if len(r.Params.InputResponses) > 0 {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "thank you"}}}, nil
		}
		return &sdk.CallToolResult{RequestState: "state-1", InputRequests: sdk.InputRequestMap{"name": &sdk.ElicitParams{
			Message: "Who are you?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}},
		}}}, nil
	})
	s.AddTool(&sdk.Tool{Name: "show", Description: "shows every kind of content", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{
			&sdk.ImageContent{MIMEType: "image/png", Data: []byte("\x89PNG\r\n\x1a\n")}, &sdk.AudioContent{MIMEType: "audio/wav", Data: []byte("RIFF")},
			&sdk.ResourceLink{URI: "note://one", Name: "note", MIMEType: "text/plain"},
			&sdk.EmbeddedResource{Resource: &sdk.ResourceContents{URI: "note://one", MIMEType: "text/plain", Text: "hello"}},
		}}, nil
	})
	note := func(_ context.Context, r *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		if r.Params.URI == "note://missing" {
			return nil, sdk.ResourceNotFoundError(r.Params.URI)
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: r.Params.URI, MIMEType: "text/plain", Text: "hello"}}}, nil
	}
	s.AddResource(&sdk.Resource{Name: "note", URI: "note://one", MIMEType: "text/plain"}, note)
	s.AddResource(&sdk.Resource{Name: "picture", URI: "note://two", MIMEType: "image/png"}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: "note://two", MIMEType: "image/png", Blob: []byte("\x89PNG")}}}, nil
	})
	s.AddResource(&sdk.Resource{Name: "third", URI: "note://three", MIMEType: "text/plain"}, note)
	s.AddResourceTemplate(&sdk.ResourceTemplate{Name: "notes", URITemplate: "note://by/{name}", MIMEType: "text/plain"}, note)
	s.AddPrompt(&sdk.Prompt{Name: "greet", Description: "greets", Arguments: []*sdk.PromptArgument{{Name: "who", Required: true}}},
		func(_ context.Context, r *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: "hi " + r.Params.Arguments["who"]}}}}, nil
		})
	s.AddPrompt(&sdk.Prompt{Name: "plain", Description: "needs nothing"}, func(context.Context, *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		return &sdk.GetPromptResult{Messages: []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: "hello"}}}}, nil
	})
	return s
}

// sdkChild serves on stdio until its input ends.
func sdkChild() {
	if err := sdkServer().Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func sdkHTTP(t *testing.T, o sdk.StreamableHTTPOptions) string {
	t.Helper()
	shared := sdkServer()
	server := httptest.NewServer(sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return shared }, &o))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL
}

// peer is one way to meet a server: words for the command line, and what is to come of it.
type peer struct {
	name, era, version, kind string
	steps                    int // of progress that reach us
	words                    func(t *testing.T) []string
}

func sdkPeers() []peer {
	stdio := func(more ...string) func(*testing.T) []string {
		return func(t *testing.T) []string { return append(more, childArgv(t, "child:sdk")...) }
	}
	overHTTP := func(o sdk.StreamableHTTPOptions, more ...string) func(*testing.T) []string {
		return func(t *testing.T) []string { return append(more, sdkHTTP(t, o)) }
	}
	return []peer{
		{"stdio modern", "modern", "2026-07-28", "stdio", 3, stdio()},
		{"stdio legacy", "legacy", "2025-11-25", "stdio", 3, stdio("--era", "legacy")},
		{"stdio older legacy", "legacy", "2025-06-18", "stdio", 3, stdio("--protocol", "2025-06-18")},
		{"http modern", "modern", "2026-07-28", "http", 3, overHTTP(sdk.StreamableHTTPOptions{Stateless: true})},
		{"http modern, JSON answers", "modern", "2026-07-28", "http", 0, overHTTP(sdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true})},
		{"http legacy with sessions", "legacy", "2025-11-25", "http", 3, overHTTP(sdk.StreamableHTTPOptions{}, "--era", "legacy")},
	}
}

func TestSDKServer(t *testing.T) {
	for _, p := range sdkPeers() {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			words := p.words(t)
			run := func(args ...string) result { return program(t, append(args, words...)...) }

			r := run("list", "tools")
			if r.code != 0 || !strings.Contains(r.out, "add") || !strings.Contains(r.out, "adds two numbers") || !strings.Contains(r.err, "5 tools, 3 pages") {
				t.Errorf("list tools: %s", r)
			}
			r = run("list", "resources", "--json")
			lines, summary := contract(t, r.out)
			if r.code != 0 || len(exchangesOf(lines, "resources/list")) != 2 || summary.Era != p.era || summary.ProtocolVersion != p.version || !strings.Contains(string(summary.Server), `"polite"`) {
				t.Errorf("list resources: %s", r)
			}

			// Digits are sent as typed; the answer is judged with the tool's schema.
			r = run("call", "add", "--arg", "a=2", "--arg", "b=40", "--json")
			lines, _ = contract(t, r.out)
			call := exchangesOf(lines, "tools/call")
			if r.code != 0 || len(call) != 1 || !strings.Contains(string(call[0].Request), `"arguments":{"a":2,"b":40}`) || !strings.Contains(string(call[0].Response), `"sum":42`) ||
				call[0].Name != "add" || call[0].Verdict.Outcome.Class != "success" || call[0].MS == nil || call[0].Transport.Kind != p.kind {
				t.Errorf("call add: %s", r)
			}
			r = run("call", "fail")
			if r.code != 1 || !strings.Contains(r.out, "the disk is full") {
				t.Errorf("call fail: %s", r)
			}
			r = run("call", "slow", "--json")
			lines, _ = contract(t, r.out)
			call = exchangesOf(lines, "tools/call")
			if r.code != 0 || len(call) != 1 || len(call[0].Notifications) != p.steps {
				t.Errorf("%d steps of progress belong to call slow: %s", p.steps, r)
			}
			// Input that is asked for is declined when nobody answers. Older revisions have the server ask by a request of its own.
			r = run("call", "ask", "--json")
			lines, _ = contract(t, r.out)
			call = exchangesOf(lines, "tools/call")
			if p.era == "modern" && (r.code != 0 || len(call) != 2 || call[0].Verdict.Outcome.Class != "input-required" || call[1].Why != "retry" ||
				!strings.Contains(string(call[1].Request), `"inputResponses":{"name":{"action":"decline"}},"requestState":"state-1"`) || !strings.Contains(string(call[1].Response), "thank you")) {
				t.Errorf("call ask: %s", r)
			}
			if p.era == "legacy" && (len(call) != 1 || call[0].Verdict.Outcome.Class == "input-required") {
				t.Errorf("call ask: %s", r)
			}
			r = run("call", "nope", "--json")
			lines, _ = contract(t, r.out)
			call = exchangesOf(lines, "tools/call")
			if r.code != 1 || len(call) != 1 || call[0].Verdict.Outcome.Class != "protocol-error" || call[0].Verdict.Outcome.Kind != "unknown-tool" {
				t.Errorf("call of an unknown tool: %s", r)
			}
			if r = run("read", "note://one"); r.code != 0 || !strings.Contains(r.out, `"hello"`) {
				t.Errorf("read: %s", r)
			}
			r = run("read", "note://by/missing-one", "--json")
			contract(t, r.out)
			if r.code != 0 {
				t.Errorf("read by template: %s", r)
			}
			r = run("read", "other://nowhere", "--json")
			lines, _ = contract(t, r.out)
			read := exchangesOf(lines, "resources/read")
			if r.code != 1 || len(read) != 1 || read[0].Verdict.Outcome.Kind != "not-found" {
				t.Errorf("read of what is not there: %s", r)
			}
			if r = run("prompt", "greet", "--arg", "who=Ada"); r.code != 0 || !strings.Contains(r.out, "hi Ada") {
				t.Errorf("prompt: %s", r)
			}
			// With sessions the SDK answers an unknown method by HTTP 400 and plain text: no message, so the transport failed.
			want := 1
			if p.era == "legacy" && p.kind == "http" {
				want = 3
			}
			if r = run("send", "no/such/method", "--json"); r.code != want {
				t.Errorf("an unknown method: %s", r)
			}
		})
	}
}

// judgedFindings reads from docs/servers.md which rules were found to hold on a server: the rows of the table
// below its heading, "| `rule` | level | …".
func judgedFindings(t *testing.T, heading string) map[string]bool {
	t.Helper()
	page, err := os.ReadFile("../../docs/servers.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, ok := strings.Cut(string(page), "\n## "+heading+"\n")
	if !ok {
		t.Fatalf("docs/servers.md has no section %q", heading)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	judged := map[string]bool{}
	for line := range strings.Lines(section) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		rule := strings.TrimSpace(cells[1])
		if strings.HasPrefix(rule, "`") {
			judged[strings.TrimSpace(cells[2])+" "+strings.Trim(rule, "`")] = true
		}
	}
	return judged
}

// Each finding at must or should that check --probe has on the SDK's server is judged in docs/servers.md. One
// more is a false alarm, or a row to write; one that nobody has any more is a row to take out.
func TestCheckOfTheSDKServer(t *testing.T) {
	judged := judgedFindings(t, "The official Go SDK")
	for _, p := range sdkPeers() {
		words := p.words(t)
		calls := []string{"--call", `add={"a":1,"b":2}`, "--call", "slow={}", "--call", "fail={}", "--call", "ask", "--call", "show", "--call", `add={"a":"x"}`}
		r := program(t, append(append([]string{"check", "--probe", "--json"}, calls...), words...)...)
		lines, summary := contract(t, r.out)
		found := grave(lines)
		for _, key := range slices.Sorted(maps.Keys(found)) {
			if _, ok := judged[key]; !ok {
				_, rule, _ := strings.Cut(key, " ")
				t.Errorf("%s: %s ×%d is not judged in docs/servers.md: %s", p.name, key, found[key], describeFinding(lines, rule))
				continue
			}
			judged[key] = false // seen
		}
		if want := min(summary.Count.Must, 1); r.code != want {
			t.Errorf("%s: exit %d with %d findings at must", p.name, r.code, summary.Count.Must)
		}
		if summary.Era != p.era || summary.Exchanges < 15 {
			t.Errorf("%s: a walk of %d exchanges in the era %s", p.name, summary.Exchanges, summary.Era)
		}
	}
	for key, unseen := range judged {
		if unseen {
			t.Errorf("docs/servers.md judges %s, which was not found", key)
		}
	}
}

func describeFinding(lines []jsonLine, rule string) string {
	for _, l := range lines {
		for _, f := range l.Findings {
			if f.Rule == rule {
				return fmt.Sprintf("%s %s got %s, want %s\n  request %s\n  response %s", f.Part, f.Pointer, f.Got, f.Want, clipText(string(l.Request)), clipText(string(l.Response)))
			}
		}
	}
	return ""
}
