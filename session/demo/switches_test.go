package demo

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file switches faults of a running server from the next message on, beside those that were on from the start.
func TestAFileSwitchesFaults(t *testing.T) {
	file := filepath.Join(t.TempDir(), "on")
	s := New(Options{Faults: []string{"scope-odd"}, FaultsFile: file})
	list := func() string {
		var out bytes.Buffer
		s.Handle(context.Background(), []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`),
			func(text []byte) { out.Write(text) })
		return out.String()
	}
	write := func(text string) {
		t.Helper()
		next := file + "-next"
		if err := os.WriteFile(next, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(next, file); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		step, file   string
		ttl, negated bool // ttlMs is there, and negative
	}{
		{"no file", "", true, false},
		{"one fault, by its name, beside a remark and a stranger", "ttl-negative # the payroll mistake\nno-such-fault\n\n", true, true},
		{"the same number of bytes, another fault", strings.Replace("ttl-negative # the payroll mistake\nno-such-fault\n\n", "ttl-negative", "ttl-gone    ", 1), false, false},
		{"by the id of its rule", "cache-ttl-negative", true, true},
		{"all off", "\n", true, false},
	} {
		if c.file != "" {
			write(c.file)
		}
		got := list()
		if strings.Contains(got, `"ttlMs"`) != c.ttl || strings.Contains(got, `"ttlMs":-5`) != c.negated || !strings.Contains(got, `"cacheScope":"shared"`) {
			t.Errorf("%s: %.300s", c.step, got)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if got := list(); !strings.Contains(got, `"ttlMs":300000`) {
		t.Errorf("the file is gone: %.300s", got)
	}
}

// What is written to people when a server starts does not name what a file switches: it may be meant to be found.
func TestTheGreetingDoesNotTell(t *testing.T) {
	file := filepath.Join(t.TempDir(), "on")
	if err := os.WriteFile(file, []byte("ttl-gone\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var errOut bytes.Buffer
	if err := ServeStdio(context.Background(), strings.NewReader(""), &bytes.Buffer{}, &errOut, Options{FaultsFile: file}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(errOut.String(), "ttl-gone") {
		t.Errorf("it says %q", errOut.String())
	}
}

func TestFaultsOfTheOpening(t *testing.T) {
	for name, want := range map[string]bool{"versions-gone": true, "instructions-list": true, "task-unadvertised": true, "ttl-gone": false, "version-code": false, "exit-early": false} {
		f, ok := Lookup(name)
		if !ok || f.Opening() != want {
			t.Errorf("%s: %v, %v", name, f.Opening(), ok)
		}
	}
}

// What shows on the newest revision alone is said by the fault itself; a name that is none would say nothing.
func TestFaultsOfTheNewestRevisionAlone(t *testing.T) {
	n := 0
	for _, f := range Faults() {
		if f.ModernOnly() {
			n++
		}
	}
	if f, _ := Lookup("ttl-gone"); n != 5 || f.ModernOnly() {
		t.Errorf("%d faults show on the newest revision alone by what they spoil", n)
	}
}
