package transport

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"mcploupe/session/wire"
)

func TestHTTPRedirects(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { t.Error("another origin was asked") }))
	defer other.Close()
	tap, l := listen(t)
	var mu sync.Mutex
	var last *http.Request
	var body string
	conn, s := serve(t, tap, func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		mu.Lock()
		last, body = r, string(b)
		mu.Unlock()
		if to := r.Header.Get("X-To"); to != "" && (r.URL.Path == "/mcp" || to == "/loop") {
			var status int
			_, _ = fmt.Sscan(r.Header.Get("X-Status"), &status)
			if to != "none" {
				w.Header().Set("Location", to)
			}
			w.WriteHeader(status)
			return
		}
		_, _ = io.WriteString(w, two)
	}, HTTPOptions{Header: []wire.Field{{Name: "Authorization", Value: "Bearer t0ken-t0ken"}}})
	for _, c := range []struct{ name, status, to, method, want string }{
		{"307", "307", "/mcp/", "POST", "head 307 following the redirect to /mcp/\n200 < : " + two + "\neof"},
		{"308, absolute", "308", s.URL + "/mcp/?a=1", "POST", "head 308 following the redirect to " + s.URL + "/mcp/?a=1\n200 < : " + two + "\neof"},
		{"302", "302", "/mcp/", "POST", "note did not follow the redirect (HTTP 302) to /mcp/: only 307 and 308 keep method and body\nhead 302\neof"},
		{"302 for a GET", "302", "/mcp/", "GET", "head 302 following the redirect to /mcp/\n200 < : " + two + "\neof"},
		{"another origin", "307", other.URL + "/mcp", "POST", "note did not follow the redirect (HTTP 307) to " + other.URL + "/mcp: it leads to another origin, which is not to get our credentials\nhead 307\neof"},
		{"another scheme", "308", strings.Replace(s.URL, "http:", "https:", 1), "POST", "it leads to another origin"},
		{"no location", "307", "none", "POST", "it names no location\nhead 307\neof"},
		{"no URL", "307", "http://[::1", "POST", "the location is no URL"},
		{"a loop", "307", "/loop", "POST", "6 redirects in a row"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l.mu.Lock()
			l.entries = nil
			l.mu.Unlock()
			o := Outgoing{HTTPMethod: c.method, Header: []wire.Field{{Name: "X-Status", Value: c.status}, {Name: "X-To", Value: c.to}}}
			if c.method == "GET" {
				o.Body = []byte{}
			}
			_, got := post(t, conn, l, o)
			if c.method == "GET" {
				_, got, _ = strings.Cut(got, "\n")
			}
			if !strings.Contains(got, c.want) || strings.HasPrefix(c.want, "head") && got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
			mu.Lock()
			defer mu.Unlock()
			if strings.HasPrefix(c.want, "head") && (last.URL.Path != "/mcp/" || last.Header.Get("Authorization") == "" || last.Method != c.method || body != string(o.Body) && body != one) {
				t.Errorf("followed with %s %s, body %q", last.Method, last.URL, body)
			}
		})
	}
}
