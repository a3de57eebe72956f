package shell

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

// evil is what somebody might try.
func evil() []string {
	return []string{
		"", "plain", "two words", "it's", "'", `\`, `'; rm -rf ~; '`, "$(touch /tmp/x)", "`id`", "$HOME", "a\nb", "\n", "a\n\n", "~", "*", "!!", "#x", "-n", "a=b",
		"ü 日本", "\x1b]52;c;eA==\a", "\x1b[201~\nid\n", "\u202eevil", "tab\there", "\r", "\x7f", "\xff\xfe", "\u200b", "%s %n", "a\x1b1", "{a,b}", "[x]", "a;b&c|d>e<f(g)", "\U000e0041",
	}
}

// sh is what a real shell makes of a word.
func sh(t testing.TB, script string) string {
	t.Helper()
	path, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh here")
	}
	cmd := exec.Command(path, "-c", script)
	cmd.Env = []string{"TOKEN=s e'c", "HOME=/nowhere"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v", script, err)
	}
	return string(out)
}

func TestAShellReadsBackWhatWasQuoted(t *testing.T) {
	for _, s := range evil() {
		word := Quote(s)
		if got := sh(t, "printf '%s.' "+word); got != s+"." {
			t.Errorf("%q is quoted as %s and read as %q", s, word, got)
		}
		if hits := visible.Find(strings.ReplaceAll(word, "\n", "")); len(hits) > 0 || strings.ContainsAny(word, "\t\r") {
			t.Errorf("%q keeps %v", word, hits)
		}
	}
	all := strings.Join(evil(), "")
	if got := sh(t, "printf '%s.' "+Quote(all)); got != all+"." {
		t.Errorf("read as %q", got)
	}
	if got := sh(t, "printf '%s.' "+Masked("Bearer *** and *****", "TOKEN").String()); got != "Bearer s e'c and s e'c." {
		t.Errorf("variables are read as %q", got)
	}
	if got := Quote("a\x00b"); got != "ab" {
		t.Errorf("a zero byte became %q", got)
	}
}

func TestWhatIsNoArgumentIsPrinted(t *testing.T) {
	for _, s := range []string{strings.Repeat("it's %d\\ \x1b", 20_000), "a\x00b'%s\\1\x1b2", "\x00"} {
		line, ok := printed(s)
		if !ok {
			t.Fatalf("%.20q is an argument", s)
		}
		if len(line) < 100_000 { // a longer one is too much for -c
			if got := sh(t, line); got != s {
				t.Errorf("%q is printed as %q", s, got)
			}
		}
	}
	if _, ok := printed("short"); ok {
		t.Error("a short text is printed")
	}
}

func FuzzQuote(f *testing.F) {
	for _, s := range evil() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.Contains(s, "\x00") {
			return
		}
		word := Quote(s)
		if hits := visible.Find(strings.ReplaceAll(word, "\n", "")); len(hits) > 0 {
			t.Errorf("%q keeps %v", word, hits)
		}
		if got := sh(t, "printf '%s.' "+word); got != s+"." {
			t.Errorf("%q is quoted as %s and read as %q", s, word, got)
		}
		if !strings.Contains(word, "$(") {
			if words, ok := Split("x " + word); s != "" && (!ok || !slices.Equal(words, []string{"x", s})) {
				t.Errorf("%q is split into %q", word, words)
			}
		}
		Split(s)
	})
}

func TestSplit(t *testing.T) {
	for line, want := range map[string][]string{
		"node server.js":        {"node", "server.js"},
		`'/a b/x' 'it'\''s' ''`: {"/a b/x", "it's", ""},
		"x; rm":                 nil,
		"x $HOME":               nil,
		"x 'open":               nil,
		"":                      nil,
		"日本 --key=*** x":        {"日本", "--key=***", "x"}, // a secret
		"cat *.js":              nil,                      // a star would be for the shell to read
	} {
		got, ok := Split(line)
		if ok != (want != nil) || ok && !slices.Equal(got, want) {
			t.Errorf("%q is %q, %v", line, got, ok)
		}
	}
}

// exchange is the first one of a script.
func exchange(t *testing.T, script string) *wire.Exchange {
	t.Helper()
	entries, err := wire.ParseScript(script)
	if err != nil {
		t.Fatal(err)
	}
	fold := wire.NewFold()
	var last *wire.Exchange
	for _, e := range entries {
		for _, x := range fold.Add(e) {
			last = &x
		}
	}
	return last
}

func TestCurl(t *testing.T) {
	x := exchange(t, `> http POST https://host/{mcp} Content-Type=application/json Accept="application/json, text/event-stream" Authorization="Bearer ***" Mcp-Session-Id=abcd**** Content-Length=9 Accept-Encoding=gzip X-Empty="" User-Agent=mcploupe
> +masked {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"it's","arguments":{"q":"$(id)"}}}
`)
	got, err := Curl(x)
	want := `curl -sS -i -g \
  'https://host/{mcp}' \
  -H 'Content-Type: application/json' \
  -H 'Accept: application/json, text/event-stream' \
  -H 'Authorization: Bearer '"$TOKEN" \
  -H 'Mcp-Session-Id: '"$MCP_SESSION_ID" \
  --compressed \
  -H 'X-Empty;' \
  -H 'User-Agent: mcploupe' \
  --data-raw '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"it'\''s","arguments":{"q":"$(id)"}}}'`
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
	if _, err := Curl(exchange(t, `> {"jsonrpc":"2.0","id":1,"method":"ping"}`)); err == nil || !strings.Contains(err.Error(), "stdio") {
		t.Errorf("stdio: %v", err)
	}
	if _, err := Curl(exchange(t, `< {"jsonrpc":"2.0","method":"notifications/x"}`)); err == nil {
		t.Error("what the server said has a curl")
	}
}

func TestOurs(t *testing.T) {
	target := append(Texts("--header"), Word{{Text: "Authorization: Bearer "}, {Env: "TOKEN"}}, Text("https://host/mcp"))
	const tail = ` --header 'Authorization: Bearer '"$TOKEN" https://host/mcp`
	for script, want := range map[string]string{
		`> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a": 1.50},"_meta":{"x":1}}}`: `call echo --args '{"a": 1.50}'`,
		`> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}`:                                         `call echo`,
		`> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"-x","_meta":{}}}`:                                `send tools/call --params '{"name":"-x"}'`,
		`> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","inputResponses":{},"_meta":{}}}`:             `send tools/call --params '{"name":"a","inputResponses":{}}'`,
		`> {"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"it's","arguments":{"who":"Ada"}}}`:              `prompt 'it'\''s' --args '{"who":"Ada"}'`,
		`> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///a b"}}`:                               `read 'file:///a b'`,
		`> {"jsonrpc":"2.0","id":1,"method":"resources/templates/list","params":{"_meta":{}}}`:                              `list templates`,
		`> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}`:                                          `send tools/list --params '{"cursor":"2"}'`,
		`> {"jsonrpc":"2.0","id":1,"method":"ping"}`:                                                                        `send ping`,
		`> {"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}`:                                                           `send ping --params '[1]'`,
		`> +why=raw {"jsonrpc":"1.0","id":1,"method":"ping"}`:                                                               `send ping --raw '{"jsonrpc":"1.0","id":1,"method":"ping"}'`,
	} {
		got, err := Ours(exchange(t, script), target)
		if err != nil || got != "mcploupe "+want+tail {
			t.Errorf("%s\nis  %s, %v\nnot %s", script, got, err, want)
		}
	}
	large := `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"a":"` + strings.Repeat("x", mostWord) + `"}}}`
	if got, err := Ours(exchange(t, large), target); err != nil || !strings.HasPrefix(got, "printf %s '{") || !strings.HasSuffix(got, " | mcploupe call echo --args -"+tail) {
		t.Errorf("a large one: %v", err)
	}
	if _, err := Ours(exchange(t, `< {"jsonrpc":"2.0","method":"notifications/x"}`), target); err == nil {
		t.Error("what the server said has a command")
	}
}

func TestJSONOfAnExchange(t *testing.T) {
	got := JSON(exchange(t, `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":"1"}}}
< {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"1","progress":1}}
< {"jsonrpc":"2.0","id":1,"result":{"n":1.50}}`))
	want := `{"request":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a","_meta":{"progressToken":"1"}}},"between":[{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"1","progress":1}}],"response":{"jsonrpc":"2.0","id":1,"result":{"n":1.50}}}`
	if got != want {
		t.Errorf("%s", got)
	}
	if got := JSON(exchange(t, "< Server listening")); got != `"Server listening"` {
		t.Errorf("noise is %s", got)
	}
}
