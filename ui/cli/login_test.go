package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/oauth/oauthtest"
	"mcploupe/session/wire"
)

// guardedServer is a modern server with one tool behind a login.
func guardedServer(t *testing.T) *oauthtest.World {
	t.Helper()
	w := oauthtest.New(t)
	w.Endpoint = http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := wire.Read(1, time.Time{}, &wire.Frame{Dir: wire.Received, Body: body})
		result := map[string]string{
			mcp.Discover:  `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"guarded","version":"1"}}}`,
			mcp.ToolsList: `{"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"private"}`,
			mcp.ToolsCall: `{"resultType":"complete","content":[{"type":"text","text":"let in"}]}`,
		}[m.Method]
		rw.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(rw, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	})
	return w
}

func TestLogin(t *testing.T) {
	w := guardedServer(t)
	dir := t.TempDir()
	tokens, record := filepath.Join(dir, "tokens.json"), filepath.Join(dir, "journal.jsonl")

	r := program(t, "call", "t", w.URL(), "--token-store", tokens)
	if r.code != exitAuth || !strings.Contains(r.err, "--login") {
		t.Errorf("without --login: %s", r)
	}
	r = program(t, "call", "t", w.URL(), "--login", "--oauth-callback", "auto", "--token-store", tokens, "--json", "--record", record)
	if r.code != exitOK || !strings.Contains(r.out, "let in") {
		t.Fatal(r)
	}
	kept, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"access-token-", "refresh-token-", "code-number-"} {
		if strings.Contains(r.out+r.err+string(kept), secret) {
			t.Errorf("%q is shown: %s\nrecorded:\n%s", secret, r, clipText(string(kept)))
		}
	}
	if !strings.Contains(string(kept), "authorization, token: ") {
		t.Errorf("the steps are not recorded:\n%s", clipText(string(kept)))
	}
	logins := w.Count("as GET /authorize")
	r = program(t, "call", "t", w.URL(), "--login", "--token-store", tokens)
	if r.code != exitOK || w.Count("as GET /authorize") != logins {
		t.Errorf("with the token kept: %s", r)
	}
}

// The person opens the address that is printed; the browser comes back to us.
func TestLoginByAPerson(t *testing.T) {
	w := guardedServer(t)
	var out, errOut locked
	done := make(chan int, 1)
	go func() {
		done <- Main([]string{"call", "t", w.URL(), "--login", "--token-store", "none"}, strings.NewReader(""), &out, &errOut)
	}()
	address := regexp.MustCompile(`(?m)^  (http\S+/authorize\?\S+)$`)
	deadline := time.Now().Add(time.Minute)
	for !address.MatchString(errOut.String()) && time.Now().Before(deadline) {
		time.Sleep(2 * time.Millisecond)
	}
	found := address.FindStringSubmatch(errOut.String())
	if found == nil {
		t.Fatalf("no address in %q", errOut.String())
	}
	resp, err := http.Get(found[1]) // follows the redirect to the listener
	if err != nil {
		t.Fatal(err)
	}
	page, _ := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if code := <-done; code != exitOK || !strings.Contains(string(page), "close this page") {
		t.Errorf("exit %d, page %q\n%s\n%s", code, page, out.String(), errOut.String())
	}
}

func TestLoginFails(t *testing.T) {
	w := guardedServer(t)
	w.Metadata = func(doc map[string]any) any { delete(doc, "registration_endpoint"); return doc }
	r := program(t, "call", "t", w.URL(), "--login", "--oauth-callback", "auto", "--token-store", "none")
	if r.code != exitAuth || !strings.Contains(r.err, "hint") || !strings.Contains(r.err, "--client-id") {
		t.Errorf("nobody to be: %s", r)
	}
	w = guardedServer(t)
	w.Client("robot", "robot-secret")
	t.Setenv("TEST_ROBOT_SECRET", "robot-secret")
	r = program(t, "call", "t", w.URL(), "--login", "--client-credentials", "--client-id", "robot", "--client-secret", "TEST_ROBOT_SECRET", "--scope", "a b", "--token-store", "none", "--json")
	if r.code != exitOK || w.Count("as GET /authorize") != 0 || w.Forms()[0].Get("scope") != "a b" || strings.Contains(r.out+r.err, "robot-secret") {
		t.Errorf("client credentials: %s", r)
	}
}

func TestLoginFlags(t *testing.T) {
	for _, words := range [][]string{
		{"--client-id", "x"},
		{"--scope", "x"},
		{"--login", "--client-id", "x", "--client-secret", "a-secret-itself"},
		{"--login", "--client-credentials"},
		{"--login", "--client-metadata", "http://x/y"},
		{"--login", "--oauth-callback", "browser"},
		{"--login", "--header", "Authorization: Bearer x"},
		{"--login", "--client-id", "x", "--client-key", "@" + filepath.Join(t.TempDir(), "none.pem")},
	} {
		r := program(t, append([]string{"call", "t", "http://127.0.0.1:1/mcp", "--token-store", "none"}, words...)...)
		if r.code != exitUsage || strings.Contains(r.err, "a-secret-itself") {
			t.Errorf("%q: %s", words, r)
		}
	}
	if r := program(t, "list", "tools", "--login", "--token-store", "none", "http://user:password@127.0.0.1:1/mcp"); r.code != exitUsage || strings.Contains(r.err, "password") {
		t.Errorf("a user in the URL: %s", r)
	}
	if r := program(t, append([]string{"list", "tools", "--login", "--token-store", "none"}, childArgv(t, "child:demo")...)...); r.code != exitUsage {
		t.Errorf("a child: %s", r)
	}
}

// A call that wants more than the person gives ends with the reason, and with the code for it.
func TestStepUpIsRefused(t *testing.T) {
	w := guardedServer(t)
	w.Need = func(r *http.Request, _ string) []string {
		if r.Header.Get(mcp.HeaderMethod) == mcp.ToolsCall {
			return []string{"write"}
		}
		return []string{"read"}
	}
	w.Back = func(q url.Values) {
		if w.Count("as GET /authorize") > 1 {
			q.Del("code")
			q.Set("error", "access_denied")
		}
	}
	r := program(t, "call", "t", w.URL(), "--login", "--oauth-callback", "auto", "--token-store", "none")
	if r.code != exitAuth || !strings.Contains(r.err, "access_denied") {
		t.Error(r)
	}
}
