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
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// notebook is a memory that a story looks into.
type notebook struct {
	mu     sync.Mutex
	past   Past
	doubt  string
	kept   []string
	forgot int
	asked  int
}

func (n *notebook) Recall() (Past, string, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.asked++
	return n.past, n.doubt, n.past.Era != "" && n.doubt == ""
}

func (n *notebook) Keep(p Past) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.past, n.doubt = p, ""
	n.kept = append(n.kept, p.Era+" "+p.Kind)
}

func (n *notebook) Forget() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.past = Past{}
	n.forgot++
}

func (n *notebook) say() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return fmt.Sprintf("kept %v, forgot %d", n.kept, n.forgot)
}

// openings are what was sent until the session was ready, over all channels; a new channel is "|".
type openings struct {
	mu  sync.Mutex
	all []string
	of  *fake
}

func (o *openings) see(f *fake, m wire.Message) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of != nil && o.of != f {
		o.all = append(o.all, "|")
	}
	o.of = f
	o.all = append(o.all, strings.TrimPrefix(m.Method, "notifications/"))
}

func (o *openings) say() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return strings.Join(o.all, " ")
}

// What is remembered is tried first, and only that; when it does not work the era is detected as ever.
func TestTheEraIsRemembered(t *testing.T) {
	old := Past{Era: Legacy, Version: "2025-11-25", Kind: "stdio", At: time.Now().Add(-2 * time.Hour)}
	onHTTP := old
	onHTTP.Kind = "http"
	modernPast := Past{Era: Modern, Version: "2026-07-28", Kind: "stdio"}
	dies := func(f *fake, m wire.Message) {
		if m.Method == mcp.Initialize {
			f.exit(wire.Exit{Code: 1})
			return
		}
		modern(nil)(f, m)
	}
	mute := func(f *fake, m wire.Message) {
		if m.Method != mcp.Initialize {
			modern(nil)(f, m)
		}
	}
	refuses := func(f *fake, m wire.Message) {
		if m.Method == mcp.Initialize {
			f.error(m, -32601, "Method not found")
			return
		}
		modern(nil)(f, m)
	}
	for name, c := range map[string]struct {
		past  Past
		doubt string
		kind  string
		serve func(*fake, wire.Message)
		o     Options
		sent  string
		era   string
		notes string
		said  string
	}{
		"nothing yet":        {Past{}, "", "stdio", legacy(nil), Options{}, "server/discover initialize initialized", Legacy, "kept [legacy stdio], forgot 0", "asking with server/discover"},
		"legacy":             {old, "", "stdio", legacy(nil), Options{}, "initialize initialized", Legacy, "kept [], forgot 0", "remembered from 2 h ago: legacy 2025-11-25; sending initialize at once"},
		"legacy over HTTP":   {onHTTP, "", "http", legacy(nil), Options{}, "initialize initialized", Legacy, "kept [], forgot 0", "sending initialize at once"},
		"modern":             {modernPast, "", "stdio", modern(nil), Options{}, "server/discover", Modern, "kept [modern stdio], forgot 0", "remembered: modern 2026-07-28; asking with server/discover"},
		"modern became old":  {modernPast, "", "stdio", legacy(nil), Options{}, "server/discover initialize initialized", Legacy, "kept [legacy stdio], forgot 0", ""},
		"legacy became new":  {old, "", "stdio", refuses, Options{}, "initialize | server/discover", Modern, "kept [modern stdio], forgot 1", "what was remembered (legacy) does not work any more, the error -32601"},
		"it dies of it":      {old, "", "stdio", dies, Options{}, "initialize | server/discover", Modern, "kept [modern stdio], forgot 1", "does not work any more, the end of the process"},
		"it is silent":       {old, "", "stdio", mute, Options{ProbeTimeout: time.Second}, "initialize | server/discover", Modern, "kept [modern stdio], forgot 1", "no answer"},
		"new over HTTP":      {onHTTP, "", "http", refuses, Options{}, "initialize | server/discover", Modern, "kept [modern http], forgot 1", ""},
		"doubted":            {old, "it was seen a day ago", "stdio", legacy(nil), Options{}, "server/discover initialize initialized", Legacy, "kept [legacy stdio], forgot 0", "it was seen a day ago: asking with server/discover"},
		"told otherwise":     {old, "", "stdio", modern(nil), Options{Era: Modern}, "server/discover", Modern, "kept [], forgot 0", "modern was asked for"},
		"a version is told":  {old, "", "stdio", modern(nil), Options{Protocol: "2026-07-28"}, "server/discover", Modern, "kept [], forgot 0", ""},
		"nonsense":           {Past{Era: "younger", Kind: "stdio"}, "", "stdio", modern(nil), Options{}, "server/discover", Modern, "kept [modern stdio], forgot 0", "what is remembered makes no sense"},
		"of another channel": {old, "", "http", modern(nil), Options{}, "server/discover", Modern, "kept [modern http], forgot 0", "makes no sense"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				book, seen := &notebook{past: c.past, doubt: c.doubt}, &openings{}
				if !c.past.At.IsZero() { // time is another one in here
					book.past.At = time.Now().Add(-2 * time.Hour)
				}
				c.o.Memory = book
				s, _, err := converse(t, c.kind, c.o, func(f *fake, m wire.Message) { seen.see(f, m); c.serve(f, m) })
				if err != nil || s.Info().Era != c.era {
					t.Errorf("%s: %v", s.Info().Era, err)
				}
				if got := seen.say(); got != c.sent {
					t.Errorf("sent %s, want %s", got, c.sent)
				}
				if got := book.say(); got != c.notes {
					t.Errorf("%s, want %s", got, c.notes)
				}
				if got := strings.Join(states(s), "\n"); !strings.Contains(got, c.said) {
					t.Errorf("said:\n%s\nwant: %s", got, c.said)
				}
				shut(t, s)
			})
		})
	}
}

// Within a run a restart does not probe again what was found before.
func TestARestartRemembersTheEra(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := &openings{}
		s, _, err := converse(t, "stdio", Options{Memory: &notebook{}}, func(f *fake, m wire.Message) { seen.see(f, m); legacy(nil)(f, m) })
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.Forget()
		if err := s.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got, want := seen.say(), "server/discover initialize initialized | initialize initialized | server/discover initialize initialized"; got != want {
			t.Errorf("sent %s, want %s", got, want)
		}
		shut(t, s)
	})
}

// A server that answers nothing at all is given up with what was found in the end, not with what was remembered.
func TestARememberedServerThatIsDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		book := &notebook{past: Past{Era: Legacy, Kind: "stdio"}}
		s, _, err := converse(t, "stdio", Options{Memory: book}, func(f *fake, m wire.Message) { f.exit(wire.Exit{Code: 3}) })
		if e, ok := errors.AsType[*ConnectError](err); !ok || e.Exit == nil || !strings.Contains(e.Error(), "the process ended") {
			t.Errorf("%v", err)
		}
		if got := book.say(); got != "kept [], forgot 1" {
			t.Error(got)
		}
		shut(t, s)
	})
}

// HTTP+SSE is opened at once when it was so before, and detected anew where it is gone; a login is asked for in any case.
func TestAnEventStreamIsRemembered(t *testing.T) {
	t.Parallel()
	past := Past{Era: Legacy, Version: "2024-11-05", Kind: "sse", At: time.Now()}
	asked := make(chan string, 100)
	handler := sdk.NewSSEHandler(func(*http.Request) *sdk.Server { return politeServer() }, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked <- r.Method
		handler.ServeHTTP(w, r)
	}))
	o := quick()
	o.Memory = &notebook{past: past}
	s, err := open(t, Target{URL: server.URL}, o)
	if first := <-asked; err != nil || s.Info().Kind != "sse" || s.Info().Era != Legacy || first != "GET" {
		t.Errorf("%s %s, asked %q first: %v", s.Info().Kind, s.Info().Era, first, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	_ = s.Close(ctx)
	server.CloseClientConnections()
	server.Close()

	e := &endpoint{rules: rules{mcp.Discover: answers(200, "result", discoverResult)}}
	book := &notebook{past: past}
	o.Memory = book
	s, err = open(t, listen(t, e), o)
	if err != nil || s.Info().Era != Modern || s.Info().Kind != "http" || book.say() != "kept [modern http], forgot 1" {
		t.Errorf("%s %s, %s: %v", s.Info().Kind, s.Info().Era, book.say(), err)
	}
	if log := e.log(); !slices.Equal(log, []string{"GET", "POST server/discover"}) {
		t.Errorf("asked %q", log)
	}

	e = &endpoint{rules: rules{"*": plain(401, "", "")}}
	book = &notebook{past: Past{Era: Legacy, Version: "2025-11-25", Kind: "http"}}
	o.Memory = book
	_, err = open(t, listen(t, e), o)
	if ce, ok := errors.AsType[*ConnectError](err); !ok || !ce.Auth || book.say() != "kept [], forgot 0" {
		t.Errorf("%s: %v", book.say(), err)
	}
}
