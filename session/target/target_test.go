package target

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func env(name string) (string, bool) {
	v, ok := map[string]string{"TOKEN": "s3cret", "EMPTY": ""}[name]
	return v, ok
}

func TestWords(t *testing.T) {
	for _, story := range []struct {
		words   []string
		command bool
		want    Target
		err     string
	}{
		{words: []string{"https://example.com/mcp"}, want: Target{URL: "https://example.com/mcp"}},
		{words: []string{"node", "My Files/server.js"}, command: true, want: Target{Argv: []string{"node", "My Files/server.js"}}},
		{words: []string{"https://x"}, command: true, want: Target{Argv: []string{"https://x"}}},
		{words: []string{"ftp://x"}, err: "http and https"},
		{words: []string{"server"}, err: "-- server"},
		{words: []string{"localhost:3000"}, err: "http://localhost:3000"},
		{err: "a URL, or -- COMMAND"},
	} {
		got, err := Resolve(story.words, story.command, Options{})
		if story.err != "" {
			e, ok := errors.AsType[*Error](err)
			if !ok || !strings.Contains(e.Text+e.Hint, story.err) {
				t.Errorf("%q: error %v, want %q", story.words, err, story.err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(got, story.want) {
			t.Errorf("%q: got %+v, %v", story.words, got, err)
		}
	}
}

// Cases C14 and C16: each argument stays one element, a ~ is the home directory in cwd only, braced variables are replaced everywhere and
// one that is not set stops. Case C15, other dialects: TestDialects, TestInputsAreAskedFor.
func TestConfig(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mcp.json")
	text := `// team servers
{"mcpServers": {
  "demo": {"command": "sh", "args": ["-c", "env >&2; exec my-server", "~/notes", "/tmp/My Files"], "env": {"TOKEN": "${TOKEN}", "N": 3}, "cwd": "~/proj"},
  "api": {"type": "http", "url": "${BASE_URL:-https://example.test}/mcp", "headers": {"Authorization": "Bearer ${env:TOKEN}"}},
  "unset": {"url": "https://x", "headers": {"Authorization": "Bearer ${NO_SUCH}"}},
  "bare": {"command": "echo", "args": ["$TOKEN", "${#TOKEN} ${TOKEN%x}"], "environment": {}},
  "input": {"command": "echo", "args": ["${input:key}"]},
  "string": {"command": "npx", "args": "-y server"}, "list": {"command": "x", "env": ["A=b"]}, "text": "npx",
  "none": {}, "both": {"command": "a", "url": "https://b"},
}}`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	get := func(name string) (Target, error) {
		return Resolve([]string{name}, false, Options{Config: file, Getenv: env})
	}

	demo, err := get("demo")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"sh", "-c", "env >&2; exec my-server", "~/notes", "/tmp/My Files"}; !reflect.DeepEqual(demo.Argv, want) {
		t.Errorf("argv %q, want %q", demo.Argv, want)
	}
	if want := []string{"TOKEN=s3cret", "N=3"}; !reflect.DeepEqual(demo.Env, want) {
		t.Errorf("env %q, want %q", demo.Env, want)
	}
	if strings.HasPrefix(demo.Dir, "~") || !strings.HasSuffix(demo.Dir, "proj") {
		t.Errorf("directory %q: the ~ should be the home directory", demo.Dir)
	}
	if len(demo.Notes) != 1 || !strings.Contains(demo.Notes[0], "passed literally") {
		t.Errorf("notes %q, want one about ~/notes", demo.Notes)
	}

	api, err := get("api")
	if err != nil || api.URL != "https://example.test/mcp" || api.Header[0].Value != "Bearer s3cret" {
		t.Errorf("api: %+v, %v", api, err)
	}
	bare, err := get("bare")
	if err != nil || bare.Argv[1] != "$TOKEN" || bare.Argv[2] != "${#TOKEN} ${TOKEN%x}" || len(bare.Notes) != 1 || !strings.Contains(bare.Notes[0], `"env"`) {
		t.Errorf("bare: %+v, %v", bare, err)
	}
	if url, err := Resolve([]string{"HTTPS://x/mcp"}, false, Options{Config: file}); err != nil || url.URL != "HTTPS://x/mcp" {
		t.Errorf("a URL stays one with a configuration: %+v, %v", url, err)
	}
	for name, want := range map[string]string{
		"string": `args of server "string" is not a list`, "list": `env of server "list" is not an object`, "text": `server "text" is not an object`,
		"unset": "headers/Authorization of server \"unset\" needs the environment variable NO_SUCH",
		"none":  "neither command nor url", "both": "both command and url", "input": "${input:key}", "other": "no server \"other\"",
	} {
		if _, err := get(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", name, err, want)
		}
	}
}

// The file of VS Code has another name for the same, and may begin with a byte order mark.
func TestServersOfVSCode(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mcp.json")
	text := "\xEF\xBB\xBF// team servers\n{\"inputs\": [], \"servers\": {\"demo\": {\"type\": \"stdio\", \"command\": \"npx\", \"args\": [\"-y\", \"some-server\"],},},}"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Resolve([]string{"demo"}, false, Options{Config: file})
	if want := []string{"npx", "-y", "some-server"}; err != nil || !reflect.DeepEqual(got.Argv, want) || len(got.Notes) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]string{"{": "reading", "{}": "has no mcpServers", `{"mcpServers": []}`: "has no mcpServers", `{"mcpServers": {"b": {}, "a": {}}}`: `no server "demo"`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Resolve([]string{"demo"}, false, Options{Config: file}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
	}
	if _, err := Resolve([]string{"demo"}, false, Options{Config: file + ".none"}); err == nil {
		t.Error("a file that is not there was read")
	}
}

// Text without "${" stays as it is, and no variable's value is read again for variables.
func FuzzExpand(f *testing.F) {
	for _, s := range []string{"", "$TOKEN", "${TOKEN}", "a${env:TOKEN}b", "${NO:-x}y", "${", "${}", "${TOKEN", "${input:x}", "${EMPTY:-d}", "}${TOKEN}{"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := reader{name: "x", o: Options{Getenv: func(name string) (string, bool) { return "${TOKEN}", name == "TOKEN" }}}
		got := r.expand("args/0", s)
		if !strings.Contains(s, "${") && (got != s || r.err != nil) {
			t.Fatalf("%q became %q, %v", s, got, r.err)
		}
		if s == "a${TOKEN}b" && got != "a${TOKEN}b" {
			t.Fatalf("a value was expanded again: %q", got)
		}
		if r.err != nil && !strings.Contains(r.err.Error(), "args/0") {
			t.Fatalf("%q: the error names no field: %v", s, r.err)
		}
	})
}
