package transport

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/session/wire"
)

// The token goes with every request to the endpoint, as it is at that moment; it yields to what a message
// says, follows no redirect to another origin, and is not in the log.
func TestBearer(t *testing.T) {
	var mu sync.Mutex
	var got []string
	note := func(who string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			got = append(got, who+" "+r.Header.Get("Authorization"))
			mu.Unlock()
		}
	}
	other := httptest.NewServer(note("other"))
	defer other.Close()
	mine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note("mine")(w, r)
		if r.Header.Get("Go") == "away" {
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		}
	}))
	defer mine.Close()
	token := ""
	log := wire.NewLog(wire.LogOptions{})
	secrets := NewSecrets()
	ended := make(chan struct{}, 8)
	tap := &Tap{Log: log, Secrets: secrets, Sink: func(e wire.Entry) {
		if e.Lane != nil && e.Lane.Kind == wire.LaneEOF {
			ended <- struct{}{}
		}
	}}
	c, err := NewHTTP(HTTPOptions{URL: mine.URL + "/mcp", Bearer: func() string { return token }}, tap)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close(t.Context()) }()
	send := func(fields ...wire.Field) {
		t.Helper()
		if _, err := c.Send(t.Context(), Outgoing{Body: []byte(`{"say":"first-token"}`), Header: fields}); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ended:
		case <-time.After(60 * time.Second):
			t.Fatal("no answer")
		}
	}
	send()
	token = "first-token"
	send()
	send(wire.Field{Name: "authorization", Value: "Bearer of-the-message"})
	token = "second-token"
	send(wire.Field{Name: "Go", Value: "away"})
	mu.Lock()
	defer mu.Unlock()
	want := []string{"mine ", "mine Bearer first-token", "mine Bearer of-the-message", "mine Bearer second-token"}
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Errorf("sent %q", got)
	}
	entries, _ := log.After(0)
	for i, e := range entries {
		if e.Frame == nil {
			continue
		}
		if v := e.Frame.HTTP.Get("Authorization"); strings.Contains(v, "-token") {
			t.Errorf("entry %d shows %q", i, v)
		}
		if i > 2 && strings.Contains(string(e.Frame.Body), "first-token") {
			t.Errorf("entry %d shows a token in its body: %s", i, e.Frame.Body)
		}
	}
}
