//lint:file-ignore SA1019 what the SDK calls deprecated is what older revisions have

package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcploupe/session/demo"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// oldFriend is a server on the official SDK with what only older revisions have.
func oldFriend() *sdk.Server {
	s := sdk.NewServer(&sdk.Implementation{Name: "old friend", Version: "1"}, &sdk.ServerOptions{
		SubscribeHandler:   func(context.Context, *sdk.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *sdk.UnsubscribeRequest) error { return nil },
	})
	s.AddResource(&sdk.Resource{Name: "note", URI: "note://one"}, func(context.Context, *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: "note://one", Text: "hello"}}}, nil
	})
	say := func(text string) (*sdk.CallToolResult, any, error) {
		return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}, nil, nil
	}
	sdk.AddTool(s, &sdk.Tool{Name: "leave", Description: "ends its stream before it is done"}, func(_ context.Context, r *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
		r.Extra.CloseSSEStream(sdk.CloseSSEStreamArgs{RetryAfter: 120 * time.Millisecond})
		return say("back again")
	})
	sdk.AddTool(s, &sdk.Tool{Name: "ask", Description: "asks everything"}, func(ctx context.Context, r *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
		if err := r.Session.Ping(ctx, nil); err != nil {
			return nil, nil, fmt.Errorf("ping: %w", err)
		}
		form, err := r.Session.Elicit(ctx, &sdk.ElicitParams{Message: "Who?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}}})
		if err != nil {
			return nil, nil, fmt.Errorf("elicitation: %w", err)
		}
		roots, err := r.Session.ListRoots(ctx, nil)
		if err != nil {
			return nil, nil, fmt.Errorf("roots: %w", err)
		}
		message, err := r.Session.CreateMessage(ctx, &sdk.CreateMessageParams{MaxTokens: 5, Messages: []*sdk.SamplingMessage{{Role: "user", Content: &sdk.TextContent{Text: "hm"}}}})
		if err != nil {
			return nil, nil, fmt.Errorf("sampling: %w", err)
		}
		return say(fmt.Sprint(form.Action, " ", form.Content["name"], " ", len(roots.Roots), " ", message.Model))
	})
	sdk.AddTool(s, &sdk.Tool{Name: "touch", Description: "changes the note"}, func(ctx context.Context, _ *sdk.CallToolRequest, _ struct{}) (*sdk.CallToolResult, any, error) {
		if err := s.ResourceUpdated(ctx, &sdk.ResourceUpdatedNotificationParams{URI: "note://one"}); err != nil {
			return nil, nil, fmt.Errorf("telling it: %w", err)
		}
		return say("done")
	})
	return s
}

// everything answers whatever is asked.
func everything(_ context.Context, r Round) (Replies, error) {
	var out Replies
	for _, q := range r.Questions {
		result := map[string]string{
			mcp.ElicitationCreate: `{"action":"accept","content":{"name":"Ada"}}`,
			mcp.RootsList:         `{"roots":[{"uri":"file:///a"},{"uri":"file:///b"}]}`,
			mcp.SamplingCreate:    `{"role":"assistant","content":{"type":"text","text":"ok"},"model":"m1"}`,
		}[q.Method]
		out.List = append(out.List, Reply{Key: q.Key, Result: []byte(result)})
	}
	return out, nil
}

func text(a Answer) string { return a.Result().Get("content").Index(0).Get("text").Text() }

// heardOf waits until a notification has come.
func heardOf(t *testing.T, s *Session, method string) {
	t.Helper()
	var last wire.Seq
	deadline := time.After(60 * time.Second)
	for {
		some, more := s.Log().After(last)
		for _, e := range some {
			last = e.Seq
			if e.Frame != nil && e.Frame.Dir == wire.Received && strings.Contains(string(e.Frame.Body), method) {
				return
			}
		}
		select {
		case <-more:
		case <-deadline:
			t.Fatalf("%s never came", method)
		}
	}
}

// The official SDK's server with an event store, over both transports of old.
func TestAnOldFriend(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(*sdk.Server) http.Handler{
		"http": func(s *sdk.Server) http.Handler {
			return sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return s }, &sdk.StreamableHTTPOptions{EventStore: sdk.NewMemoryEventStore(nil)})
		},
		"sse": func(s *sdk.Server) http.Handler {
			return sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return s }, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := quick()
			o.Era, o.Ask, o.Transport = Legacy, everything, name
			o.Capabilities = []byte(`{"elicitation":{},"sampling":{},"roots":{}}`)
			s, err := open(t, listen(t, make(oldFriend())), o)
			if err != nil {
				t.Fatal(err)
			}
			if s.Info().Kind != name {
				t.Errorf("kind %s", s.Info().Kind)
			}
			a, err := s.CallTool(t.Context(), "ask", nil, CallOptions{})
			if err != nil || text(a) != "accept Ada 2 m1" {
				t.Errorf("asking: %v %s", err, text(a))
			}
			if a, err := s.Subscribe(t.Context(), "note://one"); err != nil || !a.OK() || !slices.Equal(s.Watched(), []string{"note://one"}) {
				t.Errorf("subscribing: %v %v", err, s.Watched())
			}
			if _, err := s.CallTool(t.Context(), "touch", nil, CallOptions{}); err != nil {
				t.Error(err)
			}
			heardOf(t, s, mcp.ResourcesUpdated)
			if a, err := s.Unsubscribe(t.Context(), "note://one"); err != nil || !a.OK() || len(s.Watched()) != 0 {
				t.Errorf("unsubscribing: %v", err)
			}
			if a, err := s.SetLevel(t.Context(), "info"); err != nil || !a.OK() {
				t.Errorf("the log level: %v", err)
			}
			if name == "http" {
				a, err := s.CallTool(t.Context(), "leave", nil, CallOptions{})
				if err != nil || text(a) != "back again" || !strings.Contains(notes(s), "going on with it in 120ms") {
					t.Errorf("a stream that ends early: %v %s\n%s", err, text(a), notes(s))
				}
			}
		})
	}
}

// The server is started anew and knows no session: the call goes out again, in a new one.
func TestAnOldFriendThatWasRestarted(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var now http.Handler
	start := func() {
		mu.Lock()
		defer mu.Unlock()
		one := oldFriend()
		now = sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return one }, nil)
	}
	start()
	o := quick()
	o.Era = Legacy
	s, err := open(t, listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		h := now
		mu.Unlock()
		h.ServeHTTP(w, r)
	})), o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.List(t.Context(), Tools, ListOptions{}); err != nil {
		t.Fatal(err)
	}
	start()
	if a, err := s.CallTool(t.Context(), "touch", nil, CallOptions{}); err != nil || text(a) != "done" {
		t.Errorf("after the restart: %v %s", err, text(a))
	}
	if all := strings.Join(states(s), "\n"); !strings.Contains(all, "the server ended the session") || !strings.Contains(all, "has begun") {
		t.Errorf("no boundary in\n%s", all)
	}
}

// The demo over each revision: what is agreed on, and which headers go with it.
func TestEachRevisionWithTheDemo(t *testing.T) {
	t.Parallel()
	for _, version := range []string{mcp.R20251125, mcp.R20250618, mcp.R20250326, mcp.R20241105} {
		for _, kind := range []string{"http", "sse"} {
			t.Run(version+" "+kind, func(t *testing.T) {
				t.Parallel()
				server := demo.New(demo.Options{Era: demo.Both, Poll: 50 * time.Millisecond})
				defer server.Close()
				mux := http.NewServeMux()
				mux.Handle("/mcp", server.Handler())
				mux.Handle("/", server.SSEHandler())
				target := listen(t, mux)
				if kind == "sse" {
					target.URL = strings.TrimSuffix(target.URL, demo.Path) + demo.SSEPath
				}
				o := quick()
				o.Protocol, o.Transport = version, kind
				s, err := open(t, target, o)
				if err != nil {
					t.Fatal(err)
				}
				if i := s.Info(); i.Version != version || i.Kind != kind || i.Has("completions") != (version != mcp.R20241105) {
					t.Errorf("%s over %s", i.Version, i.Kind)
				}
				a, err := s.CallTool(t.Context(), "calibrate", []byte(`{"steps":3,"stepMs":40}`), CallOptions{})
				if err != nil || !strings.Contains(text(a), "agrees") || len(a.Exchange.During) < 3 {
					t.Errorf("calibrate: %v %s, %d messages before", err, a.Result().Raw(), len(a.Exchange.During))
				}
				for _, e := range entries(s) {
					if e.Frame == nil || e.Frame.Dir != wire.Sent || e.Frame.HTTP == nil || strings.Contains(string(e.Frame.Body), `"initialize"`) {
						continue
					}
					if got := e.Frame.HTTP.Get(mcp.HeaderProtocolVersion); got != "" && version < mcp.R20250618 || got != version && version >= mcp.R20250618 {
						t.Errorf("%s with the version %q", e.Frame.Body, got)
					}
				}
			})
		}
	}
}

// A batch: each answer is that of its own request, in one body, over a stream, and on a line.
func TestBatchesByHand(t *testing.T) {
	t.Parallel()
	server := demo.New(demo.Options{Era: demo.Legacy})
	defer server.Close()
	o := quick()
	o.Protocol = mcp.R20250326
	s, err := open(t, listen(t, server.Handler()), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{
		`[{"jsonrpc":"2.0","id":50,"method":"ping"},{"jsonrpc":"2.0","id":"x","method":"no/such"},{"jsonrpc":"2.0","method":"notifications/x"}]`,
		`[{"jsonrpc":"2.0","id":50,"method":"ping"},{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{}}]`,
	} {
		a, err := s.Raw(t.Context(), Raw{Body: []byte(body)})
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		fold, got := wire.NewFold(), map[string]wire.Kind{}
		for _, e := range entries(s) {
			for _, x := range fold.Add(e) {
				if x.Request != nil && x.Seq() == a.Seq() && x.Reply != nil {
					got[x.Request.ID] = x.Reply.Kind
					if x.Reply.ID != x.Request.ID {
						t.Errorf("%s answered by %s", x.Request.ID, x.Reply.Body)
					}
				}
			}
		}
		if len(got) != 2 || got["50"] != wire.Result || got[`"x"`] != wire.Error {
			t.Errorf("%s: %v", body, got)
		}
		if n := len(fold.Pending()); n != 0 {
			t.Errorf("%d requests are still open", n)
		}
	}
}

// The event stream of HTTP+SSE ends: the call under way ends, and the connection is lost.
func TestTheOldTransportLosesItsStream(t *testing.T) {
	t.Parallel()
	station := demo.New(demo.Options{Era: demo.Legacy})
	defer station.Close()
	server := httptest.NewServer(station.SSEHandler())
	defer server.Close()
	o := quick()
	o.Transport = "sse"
	s, err := open(t, Target{URL: server.URL + demo.SSEPath}, o)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Start(t.Context(), Request{Method: mcp.ToolsCall, Params: []byte(`{"name":"calibrate","arguments":{"steps":20,"stepMs":1000}}`)})
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(50*time.Millisecond, server.CloseClientConnections)
	a, err := c.Wait(t.Context())
	if no, ok := errors.AsType[*NoReply](err); !ok || a.Exchange.End != wire.Dropped || no.Text == "" {
		t.Errorf("end %d, %v", a.Exchange.End, err)
	}
	for changed := s.Changed(); s.Info().Phase == wire.Ready; changed = s.Changed() {
		<-changed
	}
	if i := s.Info(); i.Phase != wire.Lost || !strings.Contains(i.Text, "event stream") {
		t.Errorf("%d %s", i.Phase, i.Text)
	}
}
