package session

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"mcploupe/session/demo"
)

// Servers that are killed: the demo server with a knife at its output. The knife counts the messages that the server says, and
// at a given one it falls: before it, or in the midst of it. Then the process is gone, or the connection is cut. It falls once;
// what is started afterwards lives.

// knife says where the server is killed.
type knife struct {
	at   int  // at the nth message, from 1; 0 for never
	half bool // in the midst of it
	down bool // HTTP: afterwards nobody is there any more, until revived
}

// mortality is a server under a knife, over one transport.
type mortality struct {
	target Target
	said   func() []string // the whole messages that it said, in order
	fallen func() bool
	revive func()
}

func era(legacy bool) demo.Era {
	if legacy {
		return demo.Legacy
	}
	return demo.Modern
}

// killedChild is a child on stdio. It writes what it says into a file first, so that the file holds all that can have crossed.
func killedChild(t *testing.T, legacy bool, k knife) mortality {
	t.Helper()
	file := filepath.Join(t.TempDir(), "said")
	role := fmt.Sprintf("killed\n%s\n%d\n%v\n%v", file, k.at, k.half, legacy)
	read := func(name string) string {
		text, _ := os.ReadFile(name)
		return string(text)
	}
	return mortality{
		target: child(role),
		said: func() []string {
			return strings.FieldsFunc(read(file), func(r rune) bool { return r == '\n' })
		},
		fallen: func() bool { return read(file+".fallen") != "" },
		revive: func() {},
	}
}

// runKilled is the child: see killedChild.
func runKilled(words string) error {
	part := strings.Split(words, "\n")
	var k knife
	fmt.Sscan(part[1], &k.at)
	k.half = part[2] == "true"
	said, err := os.OpenFile(part[0], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err := os.Stat(part[0] + ".fallen"); err == nil {
		k.at = 0
	}
	return demo.ServeStdio(context.Background(), os.Stdin, &block{knife: k, said: said, fallen: part[0] + ".fallen"}, os.Stderr, demo.Options{Era: era(part[3] == "true")})
}

// block is a child's output under the knife. Each Write is one line.
type block struct {
	knife
	n      int
	said   io.Writer
	fallen string
}

func (b *block) Write(line []byte) (int, error) {
	if b.n++; b.n == b.at {
		_ = os.WriteFile(b.fallen, []byte("x"), 0o600)
		if b.half {
			_, _ = os.Stdout.Write(line[:len(line)/2])
		}
		os.Exit(9)
	}
	_, _ = b.said.Write(line)
	return os.Stdout.Write(line)
}

// killedHTTP is a server over HTTP.
func killedHTTP(t *testing.T, legacy bool, k knife) mortality {
	t.Helper()
	station := demo.New(demo.Options{Era: era(legacy)})
	g := &guillotine{knife: k, next: station.Handler()}
	server := httptest.NewServer(g)
	t.Cleanup(func() { server.CloseClientConnections(); station.Close(); server.Close() })
	return mortality{
		target: Target{URL: server.URL},
		said:   func() []string { g.mu.Lock(); defer g.mu.Unlock(); return bytesToTexts(g.said) },
		fallen: func() bool { g.mu.Lock(); defer g.mu.Unlock(); return g.fell },
		revive: func() { g.mu.Lock(); defer g.mu.Unlock(); g.gone = false },
	}
}

// guillotine is a handler under the knife.
type guillotine struct {
	knife
	next http.Handler

	mu         sync.Mutex
	n          int
	said       [][]byte
	fell, gone bool
}

func (g *guillotine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	gone := g.gone
	g.mu.Unlock()
	if gone {
		cutOff(w)
		return
	}
	g.next.ServeHTTP(&neck{w, g, false}, r)
}

// cutOff closes the connection of a response where it stands.
func cutOff(w http.ResponseWriter) {
	if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
		c.Close()
	}
}

// neck is one response. Each Write that holds a JSON object is one message.
type neck struct {
	http.ResponseWriter
	g   *guillotine
	off bool
}

func (n *neck) FlushError() error {
	if n.off {
		return io.ErrClosedPipe
	}
	return http.NewResponseController(n.ResponseWriter).Flush()
}

func (n *neck) Write(text []byte) (int, error) {
	g := n.g
	if n.off {
		return 0, io.ErrClosedPipe
	}
	i := bytes.IndexByte(text, '{')
	if i < 0 {
		return n.ResponseWriter.Write(text)
	}
	g.mu.Lock()
	g.n++
	falls := g.n == g.at
	if falls {
		g.fell, g.gone = true, g.down
	} else {
		g.said = append(g.said, bytes.TrimSpace(bytes.Clone(text[i:])))
	}
	g.mu.Unlock()
	if !falls {
		return n.ResponseWriter.Write(text)
	}
	if g.half {
		_, _ = n.ResponseWriter.Write(text[:len(text)/2])
		_ = http.NewResponseController(n.ResponseWriter).Flush()
	}
	n.off = true
	cutOff(n.ResponseWriter)
	return 0, io.ErrClosedPipe
}

func bytesToTexts(list [][]byte) []string {
	var out []string
	for _, b := range list {
		out = append(out, string(b))
	}
	return out
}
