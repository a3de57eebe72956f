//go:build unix

package transport

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("my-server3", "#!/bin/sh\n", 0o755)
	write("weather", "#!/bin/sh\n", 0o755)
	write("data.txt", "x", 0o644)
	noInterpreter := write("bad", "#!/no/such/interpreter\n", 0o755)
	noProgram := write("noise", "no program\n", 0o755)
	path := []string{"PATH=" + dir + ":/no/such/dir:.:"}
	for _, c := range []struct {
		name     string
		o        StdioOptions
		contains string
		near     []string
		searched bool
		hint     string
	}{
		{"not on the PATH", StdioOptions{Argv: []string{"weahter"}, Env: path}, "starting weahter: command not found", []string{"weather"}, true, ""},
		{"another version", StdioOptions{Argv: []string{"my-server"}, Env: path}, "command not found", []string{"my-server3"}, true, ""},
		{"well-known", StdioOptions{Argv: []string{"npx", "-y", "x"}, Env: path}, "command not found", nil, true, "Node.js"},
		{"a whole command line", StdioOptions{Argv: []string{"node server.js"}, Env: path}, "starting 'node server.js': command not found", nil, true, "node, then server.js"},
		{"not executable", StdioOptions{Argv: []string{"data.txt"}, Env: path}, "not executable", []string{"data.txt"}, true, ""},
		{"a path", StdioOptions{Argv: []string{dir + "/wether"}}, "no such file", []string{"weather"}, false, ""},
		{"nothing like it", StdioOptions{Argv: []string{dir + "/qqq"}}, "starting " + dir + "/qqq: no such file", nil, false, "there is a directory " + dir + ","},
		{"no such directory", StdioOptions{Argv: []string{dir + "/none/of/these"}}, "no such file", nil, false, "there is no directory " + dir + "/none"},
		{"a directory", StdioOptions{Argv: []string{dir}}, "is a directory", nil, false, ""},
		{"relative to its directory", StdioOptions{Argv: []string{"./weathr"}, Dir: dir}, filepath.Join(dir, "weathr") + ": no such file", []string{"weather"}, false, ""},
		{"no interpreter", StdioOptions{Argv: []string{noInterpreter}}, "", nil, false, "interpreter"},
		{"no program", StdioOptions{Argv: []string{noProgram}}, "", nil, false, "#!/bin/sh"},
		{"no directory", StdioOptions{Argv: []string{"sh"}, Dir: dir + "/none"}, "working directory " + dir + "/none: there is no such directory", nil, false, ""},
		{"a file for a directory", StdioOptions{Argv: []string{"sh"}, Dir: noProgram}, "not a directory", nil, false, ""},
		{"nothing", StdioOptions{}, "no command", nil, false, ""},
		{"empty", StdioOptions{Argv: []string{""}}, "command is empty", nil, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tap, l := listen(t)
			conn, err := StartStdio(background(t), c.o, tap)
			var e *StartError
			if conn != nil || !errors.As(err, &e) {
				t.Fatalf("%v, %v", conn, err)
			}
			if !strings.Contains(err.Error(), c.contains) || !strings.Contains(e.Hint, c.hint) || c.hint == "" && e.Hint != "" {
				t.Errorf("%v; hint %q", err, e.Hint)
			}
			if !slices.Equal(e.Near, c.near) {
				t.Errorf("near %q, want %q", e.Near, c.near)
			}
			if want := []string{dir, "/no/such/dir"}; c.searched && !slices.Equal(e.Searched, want) || !c.searched && e.Searched != nil {
				t.Errorf("searched %q", e.Searched)
			}
			if s := l.story(); s != "" {
				t.Errorf("logged\n%s", s)
			}
		})
	}
}

// A child that gets no PATH is found by ours, and gets none all the same; one that gets an empty PATH is not found.
func TestACleanChildIsFound(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "weather")
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	vars := Environ(StdioOptions{CleanEnv: true, Env: []string{"TOKEN=x"}})
	if got, err := findProgram("weather", "", vars); got != program || err != nil {
		t.Errorf("found %q: %v", got, err)
	}
	if len(vars) != 1 {
		t.Errorf("it gets %v", vars)
	}
	if got, err := findProgram("weather", "", Environ(StdioOptions{CleanEnv: true, Env: []string{"PATH="}})); err == nil {
		t.Errorf("found %q by an empty PATH", got)
	}
}
