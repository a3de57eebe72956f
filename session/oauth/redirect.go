package oauth

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const callbackPath = "/callback"

// listener waits on this machine for the browser to come back (RFC 8252 §7.3). Only an answer with the
// right state counts: anybody on this machine, and any web page, can make requests to it.
type listener struct {
	server *http.Server
	uri    string // the redirect URI
	state  string
	start  string      // a short address that leads to the authorization page: the whole one does not fit a line of a screen
	page   chan string // holds the authorization page once it is known
	got    chan url.Values
}

// listen opens the listener on a port of the loopback address, 0 for any.
func listen(port int, state string) (*listener, error) {
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("listening for the browser to come back: %w", err)
	}
	r := &listener{state: state, got: make(chan url.Values, 1), page: make(chan string, 1)}
	r.uri = "http://" + l.Addr().String() + callbackPath
	// Whoever starts the login decides whose account it is: the address cannot be guessed.
	r.start = "http://" + l.Addr().String() + "/" + strings.ToLower(rand.Text()[:12])
	r.server = &http.Server{Handler: r, ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	go func() { _ = r.server.Serve(l) }()
	return r, nil
}

func (r *listener) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second) // the page has to reach the browser
	defer cancel()
	if r.server.Shutdown(ctx) != nil {
		_ = r.server.Close()
	}
}

func (r *listener) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Cache-Control", "no-store")
	if req.Method == http.MethodGet && strings.HasSuffix(r.start, req.URL.Path) && req.URL.Path != "/" {
		select {
		case page := <-r.page:
			r.page <- page
			w.Header().Set("Location", page)
			w.WriteHeader(http.StatusFound)
			return
		default:
		}
	}
	q := req.URL.Query()
	if req.Method != http.MethodGet || req.URL.Path != callbackPath || q.Get("state") != r.state {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintln(w, "This is not the login that mcploupe waits for.")
		return
	}
	fmt.Fprintln(w, "mcploupe has the answer. You can close this page.")
	select {
	case r.got <- q:
	default:
	}
}

// redirected reads the address that a browser came back to.
func redirected(address, uri string) (url.Values, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("what came back is no address")
	}
	want, err := url.Parse(uri)
	if err != nil || !sameOrigin(u, want) || u.Path != want.Path {
		return nil, fmt.Errorf("the login came back to %s instead of %s", maskURL(address), uri)
	}
	return u.Query(), nil
}

// Fetch visits the page of the authorization server by itself, without a browser, and gives the address
// it is sent back to. It is for test servers that ask nobody: it follows redirects between pages of that
// server, and nothing is sent but the address. It is a Config.Visit.
func Fetch(network http.RoundTripper) func(ctx context.Context, address, back string) (string, error) {
	return func(ctx context.Context, address, back string) (string, error) {
		ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
		defer cancel()
		for range maxHops + 1 {
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
			if err != nil {
				return "", fmt.Errorf("visiting the authorization page: no usable address")
			}
			resp, err := network.RoundTrip(req)
			if err != nil {
				return "", fmt.Errorf("visiting the authorization page: %s", reason(ctx, err))
			}
			_ = resp.Body.Close()
			location, err := resp.Location()
			if err != nil {
				return "", fmt.Errorf("visiting the authorization page: HTTP %s instead of a redirect; it wants to be seen by a person", statusText(resp.StatusCode))
			}
			if _, err := redirected(location.String(), back); err == nil {
				return location.String(), nil
			}
			if !sameOrigin(req.URL, location) {
				return "", fmt.Errorf("visiting the authorization page: it leads to %s, which is another origin", maskURL(location.String()))
			}
			address = location.String()
		}
		return "", fmt.Errorf("visiting the authorization page: too many redirects")
	}
}
