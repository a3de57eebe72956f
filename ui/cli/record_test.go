package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// The secrets of the stories. A server that is told one may say it again in any place.
const (
	envSecret    = "swordfish-31337-\"quoted\""
	bearerSecret = "tok_4f9c2a77e1b05d"
	keySecret    = "key/with+signs=0123456789"
)

// chattyChild is a server that says what it finds in its environment: on stderr, between messages, in its name, in results and errors.
func chattyChild() {
	secret := os.Getenv("STORY_TOKEN")
	fmt.Fprintf(os.Stderr, "using %s\n", secret)
	fmt.Printf("token is %s\n", secret)
	answerChatty(os.Stdin, os.Stdout, secret)
	fmt.Fprintf(os.Stderr, "forgetting %s\n", secret)
}

func answerChatty(in io.Reader, out io.Writer, secret string) {
	for line := range lines(in) {
		m := wire.Read(1, time.Time{}, &wire.Frame{Dir: wire.Received, Body: line})
		if m.ID != "" {
			fmt.Fprintf(out, "%s\n", chatty(&m, secret))
		}
	}
}

func lines(in io.Reader) func(func([]byte) bool) {
	return func(yield func([]byte) bool) {
		text, rest := make([]byte, 0, 4096), make([]byte, 4096)
		for {
			n, err := in.Read(rest)
			for _, b := range rest[:n] {
				if b != '\n' {
					text = append(text, b)
				} else {
					if !yield(text) {
						return
					}
					text = text[:0]
				}
			}
			if err != nil {
				return
			}
		}
	}
}

func chatty(m *wire.Message, secret string) string {
	q := jsondoc.Quote(secret)
	meta := `"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":` + q + `,"version":"1"}}`
	switch m.Method {
	case mcp.Discover:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{%s,"ttlMs":0,"cacheScope":"public","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"instructions":%s}}`, m.ID, meta, q)
	case mcp.ToolsList:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{%s,"ttlMs":-1,"cacheScope":"public","tools":[{"name":"tell","description":%s,"inputSchema":{"type":"object"}}]}}`, m.ID, meta, q)
	case mcp.ToolsCall:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{%s,"content":[{"type":"text","text":%s}]}}`, m.ID, meta, q)
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":%s}}`, m.ID, q)
}

// chattyHTTP says again what it is told in headers: in its own headers, in results.
func chattyHTTP(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := wire.Read(1, time.Time{}, &wire.Frame{Dir: wire.Received, Body: body})
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		w.Header().Set("Set-Cookie", "session="+token)
		w.Header().Set("X-Api-Key", r.Header.Get("X-Api-Key"))
		w.Header().Set("X-Echo", r.Header.Get("X-Api-Key"))
		w.Header().Set("Content-Type", "application/json")
		if m.Method == mcp.ToolsCall {
			_, _ = io.WriteString(w, chatty(&m, r.Header.Get("X-Api-Key")))
			return
		}
		_, _ = io.WriteString(w, chatty(&m, token))
	}))
	t.Cleanup(server.Close)
	return server.URL + "/mcp"
}

// silentAbout holds every place where a person or a script may look against the promise that no secret stands there.
func silentAbout(t *testing.T, where, text string, secrets ...string) {
	t.Helper()
	for _, s := range secrets {
		quoted := strings.Trim(jsondoc.Quote(s), `"`)
		for _, spelling := range []string{s, quoted, strings.Trim(jsondoc.Quote(quoted), `"`)} {
			if i := strings.Index(text, spelling); i >= 0 {
				t.Errorf("%s tells the secret %s: …%q…", where, s, text[max(0, i-80):min(len(text), i+len(spelling)+20)])
				break
			}
		}
	}
}

func TestSecretsStaySecret(t *testing.T) {
	url := chattyHTTP(t)
	for _, c := range []struct {
		name    string
		secrets []string
		target  []string
	}{
		{"env", []string{envSecret}, append([]string{"--env", "STORY_TOKEN=" + envSecret}, childArgv(t, "child:chatty")...)},
		{"headers", []string{bearerSecret, keySecret}, []string{"--header", "Authorization: Bearer " + bearerSecret, "--header", "X-Api-Key: " + keySecret, url}},
	} {
		for _, args := range [][]string{{"call", "tell"}, {"call", "tell", "--json"}, {"list", "tools"}, {"send", "no/such"}, {"check", "--probe", "--json", "--call", "tell"}, {"check", "--probe"}} {
			file := filepath.Join(t.TempDir(), "journal.jsonl")
			r := program(t, append(append(slices.Clone(args), "--record", file), c.target...)...)
			if r.code > 1 || r.out == "" {
				t.Errorf("%s %v: %s", c.name, args, r)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), "****") {
				t.Errorf("%s %v: the journal shows no mask", c.name, args)
			}
			silentAbout(t, fmt.Sprintf("%s %v: the journal", c.name, args), string(text), c.secrets...)
			silentAbout(t, fmt.Sprintf("%s %v: stdout", c.name, args), r.out, c.secrets...)
			silentAbout(t, fmt.Sprintf("%s %v: stderr", c.name, args), r.err, c.secrets...)
		}
	}
	// A server that cannot be reached: the target is named, its password is not.
	r := program(t, "list", "tools", "--env", "STORY_TOKEN="+envSecret, "--", "sh", "-c", `echo "bad token $STORY_TOKEN" >&2; exit 4`)
	silentAbout(t, "the last words", r.err, envSecret)
	if r.code != 3 || !strings.Contains(r.err, "bad token ****") {
		t.Errorf("a child that dies with the secret on its lips: %s", r)
	}
	r = program(t, "list", "tools", "--timeout", "1s", "http://me:"+bearerSecret+"@127.0.0.1:1/mcp?access_token="+bearerSecret)
	silentAbout(t, "an address", r.err+r.out, bearerSecret)
}

// findingsOf are the findings of lines of --json without what depends on the moment.
func findingsOf(lines []jsonLine) []string {
	var out []string
	for _, l := range lines {
		for _, f := range l.Findings {
			out = append(out, fmt.Sprintf("%d #%d %s %s %s %s %s got %s want %s %v", l.Seq, f.Seq, f.Rule, f.Level, f.Profile, f.Part, f.Pointer, f.Got, f.Want, f.Also))
		}
	}
	return out
}

// A recorded journal is for its owner alone, is judged like the live session, and is usable wherever it was cut.
func TestJournals(t *testing.T) {
	for _, p := range slices.Concat(sdkPeers()[:2], sdkPeers()[3:4], []peer{
		{name: "demo with faults", words: func(t *testing.T) []string {
			return childArgv(t, "child:demo", "--fault", "cache-ttl-negative", "--fault", "result-type-missing")
		}},
		{name: "hostile", words: func(t *testing.T) []string { return childArgv(t, "child:hostile", "ansi") }},
		{name: "crash", words: func(t *testing.T) []string {
			return append([]string{"--call", "go"}, childArgv(t, "child:hostile", "crash")...)
		}},
	}) {
		t.Run(p.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "journal.jsonl")
			live := program(t, append([]string{"check", "--probe", "--json", "--record", file}, p.words(t)...)...)
			before, liveSummary := contract(t, live.out)
			info, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
				t.Errorf("the journal's mode is %v", info.Mode())
			}
			recorded := program(t, "check", "--json", file)
			after, summary := contract(t, recorded.out)
			if a, b := findingsOf(before), findingsOf(after); !slices.Equal(a, b) {
				for i := range max(len(a), len(b)) {
					if i >= len(a) || i >= len(b) || a[i] != b[i] {
						t.Errorf("finding %d differs:\nlive  %v\nfile  %v", i, a[min(i, len(a)):min(i+1, len(a))], b[min(i, len(b)):min(i+1, len(b))])
						break
					}
				}
			}
			if want := min(liveSummary.Count.Must, 1); recorded.code != want {
				t.Errorf("exit %d, want %d", recorded.code, want)
			}
			if string(summary.Server) != string(liveSummary.Server) || summary.Era != liveSummary.Era || summary.ProtocolVersion != liveSummary.ProtocolVersion || summary.Exchanges != liveSummary.Exchanges {
				t.Errorf("live %s %s %s %d, from the file %s %s %s %d", liveSummary.Server, liveSummary.Era, liveSummary.ProtocolVersion, liveSummary.Exchanges,
					summary.Server, summary.Era, summary.ProtocolVersion, summary.Exchanges)
			}

			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, share := range []int{9, 5, 2} { // tenths
				cut := len(text) * share / 10
				for text[cut-1] == '\n' || text[cut] == '\n' {
					cut-- // in the middle of a line, not between two
				}
				if err := os.WriteFile(file, text[:cut], 0o600); err != nil {
					t.Fatal(err)
				}
				r := program(t, "check", "--json", file)
				part, _ := contract(t, r.out)
				if r.code > 1 || len(part) == 0 || len(part) > len(after)+1 || !strings.Contains(r.err, "the rest is used") {
					t.Errorf("cut at %d0 %%: %s", share, r)
				}
			}
			if r := program(t, "check", "--record", file, "--", "true"); r.code != 2 || !strings.Contains(r.err, "--force") {
				t.Errorf("a journal is not written over: %s", r)
			}
		})
	}
	for name, text := range map[string]string{"empty": "", "something else": "hello\nworld\n", "JSON, but no journal": `{"a":1}`} {
		file := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := program(t, "check", file); r.code != 2 || r.err == "" {
			t.Errorf("%s: %s", name, r)
		}
	}
}
