package cli

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What nothing answers on stdio ends at once and well: there is no verdict to wait for.
func TestSendWhatNothingAnswers(t *testing.T) {
	for name, raw := range map[string]string{
		"notification":           `{"jsonrpc":"2.0","method":"notifications/foo"}`,
		"stray result":           `{"jsonrpc":"2.0","id":77,"result":{}}`,
		"batch of notifications": `[{"jsonrpc":"2.0","method":"notifications/foo"}]`,
	} {
		t.Run(name, func(t *testing.T) {
			r := program(t, append([]string{"send", "x", "--timeout", "3s", "--raw", raw}, childArgv(t, "child:demo")...)...)
			if r.code != exitOK {
				t.Errorf("want exit 0: %s", r)
			}
		})
	}
}

// A fault of a journal is told once, also with --json.
func TestReplaySaysFaultsOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.jsonl")
	if r := program(t, append([]string{"list", "tools", "--record", file}, childArgv(t, "child:demo")...)...); r.code != exitOK {
		t.Fatal(r)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text[:len(text)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	r := program(t, "replay", "--json", file)
	if n := strings.Count(r.err, "the rest is used"); r.code != exitOK || n != 1 {
		t.Errorf("told %d times: %s", n, r)
	}
}

// On a terminal a payload cannot command it, and what is written counts as written whole.
func TestPayloadOnATerminal(t *testing.T) {
	var out bytes.Buffer
	text := "a\x1b]0;owned\x07\nb\u202e\xff"
	n, err := escaping{&out}.Write([]byte(text))
	if n != len(text) || err != nil {
		t.Fatalf("wrote %d of %d: %v", n, len(text), err)
	}
	if got := out.String(); strings.ContainsAny(got, "\x1b\x07\u202e") || !strings.Contains(got, "\nb") {
		t.Errorf("got %q", got)
	}
	if _, same := payloadOut(&out).(*bytes.Buffer); !same {
		t.Error("what goes to no terminal must stay as it is")
	}
}

// The question before probing tells where, but no credentials.
func TestHostHidesCredentials(t *testing.T) {
	if got := host("https://me:hunter2hunter2@example.com:8443/mcp?token=abc"); got != "example.com:8443" {
		t.Errorf("got %q", got)
	}
}

// A list that is refused with 401 after the connection stood: exit 4, whatever the body says.
func TestListNeedsAuthorization(t *testing.T) {
	for name, body := range map[string]string{
		"an error": `{"jsonrpc":"2.0","id":2,"error":{"code":-32600,"message":"log in"}}`,
		"no JSON":  `who are you?`,
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				sent, _ := io.ReadAll(r.Body)
				w.Header().Set("Content-Type", "application/json")
				if !strings.Contains(string(sent), "server/discover") {
					w.WriteHeader(http.StatusUnauthorized)
					_, _ = io.WriteString(w, body)
					return
				}
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}`)
			}))
			defer server.Close()
			if r := program(t, "list", "tools", server.URL); r.code != exitAuth {
				t.Errorf("want exit 4: %s", r)
			}
		})
	}
}
