package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/oauth"
	"mcploupe/session/oauth/oauthtest"
	"mcploupe/session/wire"
)

// guarded is an MCP server behind a login, and a session that logs in by itself.
func guarded(t *testing.T, cfg oauth.Config, change func(*oauthtest.World)) (*oauthtest.World, *Session) {
	t.Helper()
	w := oauthtest.New(t)
	w.Endpoint = &endpoint{rules: rules{
		mcp.Discover:  answers(200, "result", discoverResult),
		mcp.ToolsList: answers(200, "result", `{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}`),
		mcp.ToolsCall: answers(200, "result", `{"resultType":"complete","content":[]}`),
	}}
	if change != nil {
		change(w)
	}
	cfg.Auto = cfg.Visit == nil
	c, err := oauth.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := New(Target{URL: w.URL()}, Options{Authorize: c, ProbeTimeout: 5 * time.Second})
	t.Cleanup(func() { _ = s.Close(context.Background()) })
	return w, s
}

// journal is all that was logged, as one text.
func journal(s *Session) string {
	entries, _ := s.Log().After(0)
	var b strings.Builder
	for _, e := range entries {
		switch {
		case e.Note != nil:
			b.WriteString(e.Note.Text)
		case e.State != nil:
			b.WriteString(e.State.Text)
		case e.Fetch != nil:
			fmt.Fprintf(&b, "%s %s %+v %s %+v %s", e.Fetch.For, e.Fetch.Text, e.Fetch.Request, e.Fetch.Sent, e.Fetch.Response, e.Fetch.Body)
		case e.Frame != nil:
			b.Write(e.Frame.Body)
			if h := e.Frame.HTTP; h != nil {
				for _, f := range h.Header {
					b.WriteString(f.Name + ": " + f.Value + "\n")
				}
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestLoginWhileConnecting(t *testing.T) {
	w, s := guarded(t, oauth.Config{}, nil)
	if err := s.Connect(t.Context()); err != nil {
		t.Fatalf("%v\n%s", err, journal(s))
	}
	if info := s.Info(); info.Era != Modern || info.Phase != wire.Ready {
		t.Errorf("%+v", info)
	}
	if a, err := s.CallTool(t.Context(), "x", nil, CallOptions{}); err != nil || !a.OK() {
		t.Errorf("%+v, %v", a, err)
	}
	if w.Count("as GET /authorize") != 1 {
		t.Errorf("asked %v", w.Log())
	}
	// Every step is in the journal, no secret is.
	text := journal(s)
	for _, step := range []string{oauth.StepChallenge, oauth.StepResource, oauth.StepServer, oauth.StepRegister, oauth.StepAuthorize, oauth.StepRedirect, oauth.StepToken} {
		if !strings.Contains(text, "authorization, "+step+": ") {
			t.Errorf("no step %q in\n%s", step, text)
		}
	}
	for _, secret := range []string{"access-token-", "refresh-token-", "code-number-", w.Forms()[1].Get("code_verifier")} {
		if strings.Contains(text, secret) {
			t.Errorf("%q is in the journal:\n%s", secret, text)
		}
	}
	if !strings.Contains(text, "Authorization: Bearer ***") {
		t.Errorf("no masked token in\n%s", text)
	}
}

// A token that expires while we work is renewed within the call; the caller sees one answer.
func TestTokenExpiresDuringACall(t *testing.T) {
	w, s := guarded(t, oauth.Config{}, nil)
	if err := s.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Revoke(false)
	c, err := s.StartTool(t.Context(), "x", nil, CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Wait(t.Context())
	if err != nil || !a.OK() || a.Exchange.Request.Why != "" || w.Count("as POST /token") != 2 {
		t.Errorf("%+v, %v, asked %v", a, err, w.Log())
	}
	if len(s.Pending()) != 0 {
		t.Errorf("pending %v", s.Pending())
	}
	// Several calls at once lead to one renewal.
	w.Revoke(false)
	var calls []*Call
	for range 5 {
		c, err := s.Start(t.Context(), Request{Method: mcp.ToolsCall, Params: []byte(`{"name":"x"}`)})
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, c)
	}
	for _, c := range calls {
		if a, err := c.Wait(t.Context()); err != nil || !a.OK() {
			t.Errorf("%+v, %v", a, err)
		}
	}
	if n := w.Count("as POST /token"); n != 3 {
		t.Errorf("%d token requests", n)
	}
}

func TestStepUpDuringACall(t *testing.T) {
	w, s := guarded(t, oauth.Config{}, func(w *oauthtest.World) {
		w.Need = func(r *http.Request, _ string) []string {
			if r.Header.Get("Mcp-Method") == mcp.ToolsCall {
				return []string{"write"}
			}
			return []string{"read"}
		}
	})
	if err := s.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a, err := s.CallTool(t.Context(), "x", nil, CallOptions{}); err != nil || !a.OK() {
		t.Fatalf("%+v, %v\n%s", a, err, journal(s))
	}
	if w.Count("as GET /authorize") != 2 {
		t.Errorf("asked %v", w.Log())
	}
}

// What goes wrong is told by the error of connecting, or of the call; nothing hangs and nothing loops.
func TestLoginFails(t *testing.T) {
	_, s := guarded(t, oauth.Config{}, func(w *oauthtest.World) {
		w.Resource = func(doc map[string]any) any { doc["resource"] = "https://evil.example"; return doc }
	})
	err := s.Connect(t.Context())
	e, ok := errors.AsType[*ConnectError](err)
	if !ok || !e.Auth || e.Status != 401 || !strings.Contains(e.Text, "evil.example") {
		t.Errorf("%+v", err)
	}

	w, s := guarded(t, oauth.Config{}, nil)
	if err := s.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.Revoke(true)
	w.Iss = "https://evil.example"
	_, err = s.CallTool(t.Context(), "x", nil, CallOptions{})
	n, ok := errors.AsType[*NoReply](err)
	if !ok || n.Status != 401 || !strings.Contains(n.Text, "evil.example") || len(s.Pending()) != 0 {
		t.Errorf("%+v, pending %v", err, s.Pending())
	}
	if s.Info().Phase != wire.Ready {
		t.Errorf("%+v", s.Info())
	}
}

// The person does not come: the call can be cancelled, and closing the session does not wait for them.
func TestLoginIsCancelled(t *testing.T) {
	waiting := make(chan string, 4)
	cfg := oauth.Config{Visit: func(_ context.Context, address, _ string) (string, error) { waiting <- address; return "", nil }}
	w, s := guarded(t, cfg, nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Connect(ctx) }()
	address := <-waiting
	if text := s.Info().Text; !strings.Contains(text, address) {
		t.Errorf("the state does not say where to go: %q", text)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	go func() { done <- s.Connect(t.Context()) }()
	<-waiting
	if err := s.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-done; err == nil {
		t.Error("connected without a token")
	}
	if w.Count("as POST /token") != 0 {
		t.Errorf("asked %v", w.Log())
	}
}

// Credentials of the person's own win, and what was sent wrong on purpose is left alone.
func TestOwnCredentials(t *testing.T) {
	w, s := guarded(t, oauth.Config{}, nil)
	s.target.Header = []wire.Field{{Name: "authorization", Value: "Bearer by-hand-token"}}
	if err := s.Connect(t.Context()); err == nil || w.Count("as GET /authorize") != 0 {
		t.Errorf("%v, asked %v", err, w.Log())
	}
	w, s = guarded(t, oauth.Config{}, nil)
	if err := s.Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := w.Count("as GET /authorize")
	a, err := s.Do(t.Context(), Request{Method: mcp.ToolsList, Header: []wire.Field{{Name: "Authorization", Value: "Bearer garbage"}}})
	if err != nil || a.Exchange.Head == nil || a.Exchange.Head.Status != 401 || w.Count("as GET /authorize") != before {
		t.Errorf("%+v, %v, asked %v", a, err, w.Log())
	}
}

// HTTP+SSE asks for its token when the stream is opened.
func TestLoginOpensEventStream(t *testing.T) {
	w := oauthtest.New(t)
	stream := make(chan string, 8)
	w.Endpoint = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			rw.WriteHeader(http.StatusAccepted)
			e := &endpoint{}
			e.ServeHTTP(&pen{nothing{}, r.Context()}, r)
			for _, asked := range e.log() {
				if strings.Contains(asked, mcp.Initialize) {
					stream <- `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"old","version":"1"}}}`
				}
			}
			return
		}
		rw.Header().Set("Content-Type", "text/event-stream")
		_, _ = rw.Write([]byte("event: endpoint\ndata: /mcp\n\n"))
		flush(rw)
		for {
			select {
			case m := <-stream:
				_, _ = rw.Write([]byte("data: " + m + "\n\n"))
				flush(rw)
			case <-r.Context().Done():
				return
			}
		}
	})
	c, err := oauth.New(oauth.Config{Auto: true, Store: oauth.NewStore(filepath.Join(t.TempDir(), "tokens"))})
	if err != nil {
		t.Fatal(err)
	}
	s := New(Target{URL: w.URL()}, Options{Authorize: c, Transport: "sse"})
	defer func() { _ = s.Close(context.Background()) }()
	if err := s.Connect(t.Context()); err != nil || s.Info().Kind != "sse" || w.Count("as GET /authorize") != 1 {
		t.Errorf("%v, asked %v\n%s", err, w.Log(), journal(s))
	}
}

// nothing is a ResponseWriter that keeps nothing.
type nothing struct{}

func (nothing) Header() http.Header         { return http.Header{} }
func (nothing) Write(p []byte) (int, error) { return len(p), nil }
func (nothing) WriteHeader(int)             {}
