package cli

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"hash/crc32"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
)

// toldChild is a server that repeats what it was told among its words and in STORY_TOLD: as it is, as JSON in a log, within an
// address, in Base64, and in its answers.
func toldChild(args []string) {
	secret := os.Getenv("STORY_TOLD")
	say := strings.Join(args, " ") + " " + secret
	fmt.Fprintf(os.Stderr, "using sum %s\n", toldSum(args))
	fmt.Fprintf(os.Stderr, "started with %s\n", say)
	fmt.Fprintf(os.Stderr, "{\"level\":\"info\",\"argv\":%s}\n", jsondoc.Quote(say))
	fmt.Fprintf(os.Stderr, "Authorization: Basic %s\n", base64.StdEncoding.EncodeToString([]byte("someone:"+secret)))
	fmt.Printf("[info] started with %s\n", say)
	within := "{\"config\":" + jsondoc.Quote(say) + "} https://there.test/?q=" + url.QueryEscape(secret) + " " + base64.RawURLEncoding.EncodeToString([]byte("x:"+secret))
	answerChatty(os.Stdin, os.Stdout, say+"\n"+within)
}

// toldSum tells words apart without telling them.
func toldSum(words []string) string {
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE([]byte(strings.Join(words, "\x00"))))
}

// Every secret is told once by its place; none is known otherwise. All of them are at least eight bytes long: what is shorter is
// masked in its place alone.
var toldWords = []string{
	"--api-key", "zztold-key-1", "--token=zztold-token-2", "--header", "Authorization: Bearer zztold-bearer-3", "API_SECRET=zztold-secret-4",
	"https://someone:zztold-pass-5@there.test/mcp?api_key=zztold-query-6&lang=en", "postgres://me:zztold-pg-7@db.test/app",
	`{"apiKey":"zztold \"json\" 8","maxTokens":100}`, "--max-tokens", "100", "--key-file", "/etc/ssl/server.key",
}

const (
	toldMark = "zztold"
	toldPEM  = "-----BEGIN PRIVATE KEY-----\nzztoldMIIEvQIBADANBgkqhkiG9w0BAQ\nzztoldEFAASCBKcwggSjAgEAAoIBAQDY\n-----END PRIVATE KEY-----"
)

// noneTold holds a text against the promise that nothing of what was told stands there, in any spelling.
func noneTold(t *testing.T, where, text string) {
	t.Helper()
	for _, mark := range []string{toldMark, base64.StdEncoding.EncodeToString([]byte(toldMark))[:8], "enp0b2xk", "p6dG9sZ", "enRvbG"} {
		if i := strings.Index(text, mark); i >= 0 {
			t.Errorf("%s tells a secret: …%q…", where, text[max(0, i-100):min(len(text), i+60)])
			return
		}
	}
}

// noneKept does so with every file below a directory.
func noneKept(t *testing.T, dir string) (files int) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files++
		noneTold(t, path, string(text))
		return err
	}))
	return files
}

// What a person types for a process among secrets reaches the process, and is nowhere else.
func TestWordsOfACommandKeepTheirSecrets(t *testing.T) {
	remembering(t)
	state := os.Getenv("HOME")
	target := append(childArgv(t, "child:told"), toldWords...)
	for _, args := range [][]string{
		{"call", "tell"}, {"call", "tell", "--json"}, {"list", "tools"}, {"send", "no/such"}, {"read", "story://x"}, {"prompt", "x"},
		{"check", "--probe", "--json", "--call", "tell", "--sarif", "OUT.sarif", "--junit", "OUT.xml", "--markdown", "OUT.md", "--html", "OUT.html"},
		{"check"},
	} {
		dir := t.TempDir()
		args = append([]string{}, args...)
		for i := range args {
			args[i] = strings.Replace(args[i], "OUT", filepath.Join(dir, "report"), 1)
		}
		file := filepath.Join(dir, "journal.jsonl")
		env := []string{"--record", file, "--env", "STORY_TOLD=" + toldPEM, "--env", "DB=postgres://me:zztold-env-9@db.test/app"}
		r := program(t, append(append(args, env...), target...)...)
		if r.code > 1 {
			t.Errorf("%v: %s", args, r)
		}
		text := read(t, file)
		// The process got the true words.
		for _, want := range []string{"using sum " + toldSum(toldWords), "--api-key ***", "--max-tokens 100", "/etc/ssl/server.key", "lang=en"} {
			if !strings.Contains(text, want) {
				t.Errorf("%v: the journal has no %q", args, want)
			}
		}
		for _, extra := range [][]string{{"story", file}, {"story", file, "--markdown"}, {"story", file, "--html", filepath.Join(dir, "handout.html")}, {"check", "--json", file}} {
			again := program(t, extra...)
			noneTold(t, fmt.Sprint(extra), again.out+again.err)
		}
		noneTold(t, fmt.Sprintf("%v: stdout", args), r.out)
		noneTold(t, fmt.Sprintf("%v: stderr", args), r.err)
		noneKept(t, dir)
	}
	noneKept(t, state)
}

// A command that cannot be started, or is not understood, is named without its secrets.
func TestACommandThatFailsKeepsItsSecrets(t *testing.T) {
	remembering(t)
	for _, args := range [][]string{
		append([]string{"list", "tools", "--"}, append([]string{"no-such-server"}, toldWords...)...),
		append([]string{"list", "tools", "--"}, append([]string{"sh", "-c", "exit 3", "x"}, toldWords...)...),
		append([]string{"list", "tools", "npx"}, "server", "API_KEY=zztold-key-1"),
		{"list", "tools", "npx", "server", "https://u:zztold@h/"},
		{"list", "tools", "API_KEY=zztold", "server"},
		{"list", "tools", "API_KEY=zztold"},
		{"list", "tools", "--", "API_KEY=zztold", "server"},
		{"list", "tools", "--", "API_KEY=zz told", "server"},
		{"list", "tools", "npx", "server", "--api-key", "zztold"},
		{"list", "tools", "npx", "server", "--api-key=zztold"},
		{"list", "tools", "--timeout", "1s", "http://u:zztold@127.0.0.1:1/mcp?token=zztold"},
		{"list", "tools", "ftp://u:zztold@127.0.0.1:1/mcp?token=zztold"},
		{"list", "tools", "http://u:zztold@[::1/mcp?token=zztold"},
		{"list", "tools", "u:zztold@127.0.0.1:1/mcp"},
		{"list", "tools", "--header", "Authorization zztold", "http://127.0.0.1:1/"},
		{"list", "tools", "--env", "zztold", "--", "x"},
		{"demo", "--http", "127.0.0.1:1", "--header", "Authorization: zztold"},
		{"http://u:zztold@127.0.0.1:1/mcp?token=zztold"}, {"--", "server", "--token", "zztold"},
	} {
		r := program(t, args...)
		if r.code < 1 {
			t.Errorf("%v: %s", args, r)
		}
		noneTold(t, fmt.Sprint(args), r.out+r.err)
	}
}

func TestToldIsLookedForInBase64Too(t *testing.T) {
	for before := range 3 {
		text := base64.StdEncoding.EncodeToString(append(bytes.Repeat([]byte("x"), before), toldMark...))
		if !strings.Contains(text, "enp0b2xk") && !strings.Contains(text, "p6dG9sZ") && !strings.Contains(text, "enRvbG") {
			t.Errorf("%s is not found", text)
		}
	}
}
