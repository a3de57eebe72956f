package demo

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// The official Go SDK's client, as a polite stranger: it must get along with the faithful server in every
// era and over both transports. It decodes what it gets, so it would stumble over what we got wrong alike
// in the server and in our own tests.

type heard struct{ tools, updated, progress, logs chan string }

func connect(t *testing.T, transport sdk.Transport, revision string) (*sdk.ClientSession, heard) {
	t.Helper()
	h := heard{make(chan string, 100), make(chan string, 100), make(chan string, 100), make(chan string, 100)}
	client := sdk.NewClient(&sdk.Implementation{Name: "polite", Version: "1"}, &sdk.ClientOptions{
		ElicitationHandler: func(_ context.Context, r *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
			if strings.Contains(r.Params.Message, "safe") {
				return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"open": true}}, nil
			}
			if strings.Contains(r.Params.Message, "guest book") {
				return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
			}
			return &sdk.ElicitResult{Action: "accept", Content: map[string]any{"sky": "fog", "visibility": 3, "remark": r.Params.Message}}, nil
		},
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { h.tools <- "changed" },
		ResourceUpdatedHandler: func(_ context.Context, r *sdk.ResourceUpdatedNotificationRequest) { h.updated <- r.Params.URI },
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
			h.progress <- r.Params.Message
		},
	})
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	t.Cleanup(cancel)
	session, err := client.Connect(ctx, transport, &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session, h
}

func piped(t *testing.T, opt Options) sdk.Transport {
	t.Helper()
	inR, inW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := ServeStdio(context.Background(), inR, outW, io.Discard, opt); err != nil {
			t.Error(err)
		}
		outW.Close()
		inR.Close()
	}()
	t.Cleanup(func() { inW.Close(); <-done })
	return &sdk.IOTransport{Reader: outR, Writer: inW}
}

func TestThePoliteClient(t *testing.T) {
	eras := []struct {
		name, revision string
		era            Era
	}{
		{"modern", "2026-07-28", Modern},
		{"modern of both", "2026-07-28", Both},
		{"legacy", "2025-11-25", Legacy},
		{"legacy of both", "2025-11-25", Both},
		{"older legacy", "2025-06-18", Both},
	}
	for _, e := range eras {
		for _, kind := range []string{"stdio", "http"} {
			t.Run(kind+" "+e.name, func(t *testing.T) {
				opt := Options{Era: e.era, PageSize: 5}
				var transport sdk.Transport
				if kind == "stdio" {
					transport = piped(t, opt)
				} else {
					s := New(opt)
					server := httptest.NewServer(s.Handler())
					t.Cleanup(func() { s.Close(); server.CloseClientConnections(); server.Close() })
					transport = &sdk.StreamableClientTransport{Endpoint: server.URL, HTTPClient: http.DefaultClient}
				}
				session, h := connect(t, transport, e.revision)
				if got := session.InitializeResult(); got.ProtocolVersion != e.revision || got.ServerInfo != nil && got.ServerInfo.Name != Name {
					t.Fatalf("agreed on %q with %+v", got.ProtocolVersion, got.ServerInfo)
				}
				politely(t, session, h)
			})
		}
	}
}

func politely(t *testing.T, session *sdk.ClientSession, h heard) {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	var tools []string
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		tools = append(tools, tool.Name)
	}
	if len(tools) != len(readCatalogue().tools) || tools[0] != "get_weather" || slices.Index(tools, "ring_bell") != len(tools)-1 {
		t.Errorf("tools: %v", tools)
	}
	for r, err := range session.Resources(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		got, err := session.ReadResource(ctx, &sdk.ReadResourceParams{URI: r.URI})
		if err != nil || len(got.Contents) != 1 || got.Contents[0].URI != r.URI || got.Contents[0].MIMEType != r.MIMEType {
			t.Errorf("%s: %v %+v", r.URI, err, got)
			continue
		}
		if size := int64(len(got.Contents[0].Text) + len(got.Contents[0].Blob)); r.Size != 0 && r.Size != size {
			t.Errorf("%s: %d bytes announced, %d came", r.URI, r.Size, size)
		}
	}
	for p, err := range session.Prompts(ctx, nil) {
		if err != nil {
			t.Fatal(err)
		}
		args := map[string]string{}
		for _, a := range p.Arguments {
			args[a.Name] = "Amber Bay"
		}
		if got, err := session.GetPrompt(ctx, &sdk.GetPromptParams{Name: p.Name, Arguments: args}); err != nil || len(got.Messages) == 0 {
			t.Errorf("%s: %v %+v", p.Name, err, got)
		}
	}
	suggested, err := session.Complete(ctx, &sdk.CompleteParams{
		Ref:      &sdk.CompleteReference{Type: "ref/prompt", Name: "sea_area_forecast"},
		Argument: sdk.CompleteParamsArgument{Name: "region", Value: "a"},
	})
	if err != nil || !slices.Equal(suggested.Completion.Values, []string{"Amber Bay"}) {
		t.Errorf("completion: %v %+v", err, suggested)
	}

	call := func(name string, args map[string]any) *sdk.CallToolResult {
		t.Helper()
		if args == nil {
			args = map[string]any{} // the SDK would write null, which is no object
		}
		params := &sdk.CallToolParams{Name: name, Arguments: args}
		params.SetProgressToken("p-" + name)
		got, err := session.CallTool(ctx, params)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return got
	}
	if got := call("get_weather", map[string]any{"location": "Gannet Rock"}); got.IsError || got.StructuredContent.(map[string]any)["location"] != "Gannet Rock" {
		t.Errorf("get_weather: %+v", got)
	}
	if got := call("get_forecast", map[string]any{"region": "Outer Skerries", "days": 3, "gales": false, "style": map[string]any{"language": "føroyskt"}}); got.IsError {
		t.Errorf("get_forecast with mirrored headers: %+v", got)
	}
	if got := call("draw_barograph", nil); len(got.Content) != 2 {
		t.Errorf("draw_barograph: %+v", got)
	}
	if got := call("read_sensor", map[string]any{"sensor": "hygrometer"}); !got.IsError {
		t.Error("the broken sensor works")
	}
	// SEP-2145 changes 2026-07-28: only there an unknown tool is a result.
	unknown, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "no_such_tool", Arguments: map[string]any{}})
	if modern := session.InitializeResult().ProtocolVersion >= "2026-07-28"; modern != (err == nil) || modern && !unknown.IsError {
		t.Errorf("an unknown tool: %+v, %v", unknown, err)
	}
	if got := call("calibrate", map[string]any{"steps": 2, "stepMs": 5}); got.IsError {
		t.Errorf("calibrate: %+v", got)
	}
	for _, want := range []string{"step 1 of 2", "step 2 of 2"} {
		if got := receive(t, h.progress); got != want {
			t.Errorf("progress %q, want %q", got, want)
		}
	}
	if got := call("log_observation", nil); got.IsError || !strings.Contains(got.Content[0].(*sdk.TextContent).Text, "is in the log book") {
		t.Errorf("log_observation after the question: %+v", got.Content[0])
	}
	if _, err := session.ReadResource(ctx, &sdk.ReadResourceParams{URI: "station://skerry/nowhere"}); err == nil {
		t.Error("a missing resource was read")
	}
	call("ring_bell", map[string]any{"about": "tools"})
	receive(t, h.tools)
}

func receive(t *testing.T, from <-chan string) string {
	t.Helper()
	select {
	case s := <-from:
		return s
	case <-time.After(60 * time.Second):
		t.Fatal("nothing was heard")
		return ""
	}
}
