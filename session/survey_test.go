package session

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"mcploupe/session/oauth/oauthtest"
	"mcploupe/session/wire"
)

// fetches are the documents that were recorded, as "what for, status".
func fetches(s *Session) []string {
	entries, _ := s.Log().After(0)
	var all []string
	for _, e := range entries {
		if f := e.Fetch; f != nil {
			status := "nothing"
			if f.Response != nil {
				status = http.StatusText(f.Response.Status)
			}
			all = append(all, f.For+" "+f.Request.Method+" "+status)
		}
	}
	return all
}

// Nobody logs in, and yet it is seen where a login would lead: documents are fetched, nothing else is asked for.
func TestSurveyOfAGuardedServer(t *testing.T) {
	w := oauthtest.New(t)
	s := New(Target{URL: w.URL()}, Options{})
	defer func() { _ = s.Close(t.Context()) }()
	if err := s.Connect(t.Context()); err == nil || !s.Challenged() {
		t.Fatalf("connected: %v", err)
	}
	if err := s.Survey(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if got, want := fetches(s), []string{"resource metadata GET OK", "server metadata GET OK"}; !slices.Equal(got, want) {
		t.Errorf("fetched %q, want %q", got, want)
	}
	for _, asked := range w.Log() {
		if strings.HasPrefix(asked, "as POST") || strings.Contains(asked, "/authorize") {
			t.Errorf("asked: %s", asked)
		}
	}
	before := w.Count("mcp POST /mcp")
	if err := s.Survey(t.Context(), "made-up-token"); err != nil {
		t.Fatal(err)
	}
	entries, _ := s.Log().After(0)
	tried := 0
	for _, e := range entries {
		if f := e.Frame; f != nil && f.Why == "made-up-token" {
			if tried++; f.HTTP.Get("Authorization") != "Bearer ***" {
				t.Errorf("sent with %q", f.HTTP.Get("Authorization"))
			}
		}
	}
	if tried != 1 || w.Count("mcp POST /mcp") != before+1 || s.Info().Phase != wire.Failed {
		t.Errorf("tried %d times, asked %v, %+v", tried, w.Log(), s.Info())
	}
}

// A survey goes on where a login would stop, and is bounded by what a server names.
func TestSurveyGoesOnBehindFaults(t *testing.T) {
	w := oauthtest.New(t)
	w.Challenge = "-"
	w.Resource = func(doc map[string]any) any {
		doc["resource"] = "https://evil.example"
		doc["authorization_servers"] = []any{"http://10.1.2.3:1", 7, w.AS.URL, w.AS.URL, w.AS.URL, w.AS.URL}
		return doc
	}
	s := New(Target{URL: w.URL()}, Options{})
	defer func() { _ = s.Close(t.Context()) }()
	_ = s.Connect(t.Context())
	if err := s.Survey(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if got, want := fetches(s), []string{"resource metadata GET OK", "server metadata GET OK", "server metadata GET OK"}; !slices.Equal(got, want) {
		t.Errorf("fetched %q, want %q\n%s", got, want, journal(s))
	}

	// Without a 401 there is nothing to look at.
	open := New(Target{URL: w.URL()}, Options{})
	defer func() { _ = open.Close(t.Context()) }()
	if err := open.Survey(t.Context(), "x"); err != nil || open.Challenged() || len(fetches(open)) != 0 {
		t.Errorf("%v, %q", err, fetches(open))
	}
}
