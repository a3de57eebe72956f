package target

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestDialects(t *testing.T) {
	for name, story := range map[string]struct {
		text, dialect string
		want          []string
	}{
		"Claude Desktop": {`{"mcpServers":{"fs":{"command":"npx","args":["-y","My Files"]}}}`, "mcpServers", []string{"fs stdio npx -y My Files"}},
		"VS Code": {"// team servers\n{\"inputs\":[],\"servers\":{\"api\":{\"type\":\"http\",\"url\":\"https://x/mcp\"},\"old\":{\"type\":\"sse\",\"url\":\"https://y/sse\"},},}",
			"servers", []string{"api http https://x/mcp", "old sse https://y/sse"}},
		"settings of VS Code": {`{"editor.fontSize":12,"mcp":{"servers":{"a":{"command":"x"}}}}`, "mcp.servers", []string{"a stdio x"}},
		"Zed":                 {`{"context_servers":{"z":{"command":{"path":"zed-server","args":["--fast"]}},"n":{"command":"y","enabled":false}}}`, "context_servers", []string{"z stdio zed-server --fast", "n stdio y off"}},
		"Claude Code": {`{"mcpServers":{"all":{"command":"a"},"both":{"command":"b"}},"projects":{"/project":{"mcpServers":{"both":{"command":"nearer"}}},"/else":{"mcpServers":{"far":{"command":"f"}}}}}`,
			"mcpServers", []string{"both stdio nearer", "all stdio a"}},
		"odd":        {`{"mcpServers":{"none":{},"text":"npx","twice":{"command":"1"},"twice":{"command":"2"}}}`, "mcpServers", []string{"none  ", "text  ", "twice stdio 2"}},
		"byte order": {"\xEF\xBB\xBF" + `{"servers":{"a":{"command":"x"}}}`, "servers", []string{"a stdio x"}},
	} {
		f, err := Read(write(t, story.text), "/project")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []string
		for _, e := range f.Servers {
			line := e.Name + " " + e.Kind + " " + e.What
			if e.Disabled {
				line += " off"
			}
			got = append(got, line)
		}
		if f.Dialect != story.dialect || !reflect.DeepEqual(got, story.want) {
			t.Errorf("%s: dialect %s, %q; want %s, %q", name, f.Dialect, got, story.dialect, story.want)
		}
	}
	for _, bad := range []string{"", "[]", `{"mcpServers": []}`, "{", "nonsense"} {
		if f, err := Read(write(t, bad), ""); err == nil {
			t.Errorf("%q was read: %+v", bad, f)
		} else if _, ours := errors.AsType[*Error](err); !ours {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// Case C15: VS Code's file asks for a key, which is typed in and never stands in the file.
func TestInputsAreAskedFor(t *testing.T) {
	file := write(t, `// team servers
{
  "inputs": [{"id":"key","type":"promptString","password":true,"description":"Key of the team"}, {"id":"env","type":"pickString","options":["dev","prod"],"default":"dev"}],
  "servers": {
    "api": {"type":"http","url":"https://example.test/${input:env}/mcp","headers":{"Authorization":"Bearer ${input:key}","X-Key":"${input:key}"}},
    "here": {"command":"x","cwd":"${workspaceFolder}/sub","args":["${input:new}"]},
  }
}`)
	var asked []Input
	answer := func(in Input) (string, error) {
		asked = append(asked, in)
		switch in.ID {
		case "key":
			return "s3cret-key", nil
		case "env":
			return in.Default, nil
		}
		return "", errors.New("nobody knows " + in.ID)
	}
	got, err := Resolve([]string{"api"}, false, Options{Config: file, Getenv: env, Input: answer})
	if err != nil {
		t.Fatal(err)
	}
	if got.URL != "https://example.test/dev/mcp" || len(got.Header) != 2 || got.Header[0].Value != "Bearer s3cret-key" || got.Header[1].Value != "s3cret-key" {
		t.Errorf("target %+v", got)
	}
	if want := []Input{{ID: "env", Default: "dev", Choices: []string{"dev", "prod"}}, {ID: "key", Description: "Key of the team", Password: true}}; !reflect.DeepEqual(asked, want) {
		t.Errorf("asked %+v, want each once: %+v", asked, want)
	}
	if !slices.Contains(got.Secrets, "s3cret-key") {
		t.Errorf("what was typed is no secret: %q", got.Secrets)
	}
	if slices.Contains(got.Secrets, "dev") {
		t.Errorf("what was chosen from a list in the file is a secret: %q", got.Secrets)
	}
	if _, err := Resolve([]string{"here"}, false, Options{Config: file, Dir: "/project", Getenv: env, Input: answer}); err == nil || !strings.Contains(err.Error(), "nobody knows new") {
		t.Errorf("an answer that is refused: %v", err)
	}
	here, err := Resolve([]string{"here"}, false, Options{Config: file, Dir: "/project", Getenv: env, Input: func(Input) (string, error) { return "v", nil }})
	if err != nil || here.Dir != "/project/sub" {
		t.Errorf("the workspace: %+v, %v", here, err)
	}
	if _, err := Resolve([]string{"api"}, false, Options{Config: file, Getenv: env}); err == nil {
		t.Error("without anybody to ask the target stands all the same")
	}
	if text, _ := os.ReadFile(file); strings.Contains(string(text), "s3cret-key") {
		t.Error("the answer was written into the file")
	}
}

func TestPlacesOfClients(t *testing.T) {
	got := Places("/project", func(name string) string { return map[string]string{"home": "/home/ada"}[name] })
	var paths []string
	for _, p := range got {
		paths = append(paths, p.Client+" "+filepath.ToSlash(p.Path))
	}
	for _, want := range []string{"Claude Code /project/.mcp.json", "VS Code /project/.vscode/mcp.json", "Claude Code /home/ada/.claude.json"} {
		if !slices.Contains(paths, want) {
			t.Errorf("%q is not in %q", want, paths)
		}
	}
	if slices.ContainsFunc(paths, func(p string) bool { return strings.Contains(p, "claude_desktop") }) {
		t.Errorf("a place below nowhere: %q", paths)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"mcpServers":{"a":{"command":"x","args":["${input:k}","${X:-y}"]}}}`)
	f.Add(`{"context_servers":{"z":{"command":{"path":"p","args":[1,null]}}},"inputs":[{"id":1}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		path := filepath.Join(t.TempDir(), "c.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Skip()
		}
		file, err := Read(path, "/project")
		if err != nil {
			return
		}
		for _, e := range file.Servers {
			// Whatever stands there is a target or an error of ours.
			if _, err := Resolve([]string{e.Name}, false, Options{Config: path, Dir: "/project", Getenv: env, Input: func(Input) (string, error) { return "v", nil }}); err != nil {
				if _, ours := errors.AsType[*Error](err); !ours {
					t.Errorf("%q: %v", e.Name, err)
				}
			}
		}
	})
}

// A variable whose name says that it is secret is one wherever the file puts it; others, and paths, are none.
func TestVariablesOfASecretsNameAreSecrets(t *testing.T) {
	file := write(t, `{"mcpServers":{"x":{"command":"x","args":["${API_KEY}","${env:DB_PASSWORD}","${MODE}","${TOKEN_FILE}","${SECRET:-by default}","${KEY}"]}}}`)
	vars := map[string]string{"API_KEY": "abcdefgh", "DB_PASSWORD": "hunter2", "MODE": "fast", "TOKEN_FILE": "x", "KEY": "/etc/ssl/x.key"}
	got, err := Resolve([]string{"x"}, false, Options{Config: file, Getenv: func(name string) (string, bool) { v, ok := vars[name]; return v, ok }})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"abcdefgh", "hunter2", "by default"}; !slices.Equal(got.Secrets, want) {
		t.Errorf("secret are %q, want %q", got.Secrets, want)
	}
	if want := []string{"x", "abcdefgh", "hunter2", "fast", "x", "by default", "/etc/ssl/x.key"}; !slices.Equal(got.Argv, want) {
		t.Errorf("the process gets %q", got.Argv)
	}
}
