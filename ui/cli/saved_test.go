package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestSavedCallsFromTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	server := childArgv(t, "child:demo")
	tool := file("tool.json", `{"kind":"tool","name":"calibrate","arguments":{"steps":1,"stepMs":1}}`)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"call", "--saved", tool}, "after 1 steps"},
		{[]string{"call", "--saved", tool, "--arg", "steps:=2"}, "after 2 steps"},
		{[]string{"prompt", "--saved", file("prompt.json", `{"kind":"prompt","name":"morning_briefing"}`)}, "messages"},
		{[]string{"read", "--saved", file("res.json", `{"kind":"resource","name":"station://skerry/none"}`)}, "station://skerry/none"},
	} {
		if r := program(t, append(c.args, server...)...); !strings.Contains(r.out, c.want) {
			t.Errorf("%q: no %q in %s", c.args, c.want, r)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"prompt", "--saved", tool}, "mcploupe call --saved"},
		{[]string{"call", "--saved", tool, "--args", "{}"}, "exclude each other"},
		{[]string{"call", "--saved", tool, "extra"}, "unexpected"},
		{[]string{"call", "--saved", file("bad.json", `{"name":}`)}, "docs/calls.md"},
		{[]string{"call", "--saved", filepath.Join(dir, "none.json")}, "reading the saved call"},
	} {
		if r := program(t, append(c.args, server...)...); r.code != exitUsage || !strings.Contains(r.err, c.want) {
			t.Errorf("%q: want exit 2 and %q: %s", c.args, c.want, r)
		}
	}
}
