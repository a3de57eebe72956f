package target

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"mcploupe/session/jsondoc"
)

// File is a configuration file of some client that lists servers.
type File struct {
	Path    string
	Dialect string // which member holds the servers: "mcpServers", "servers" (VS Code), "mcp.servers", "context_servers" (Zed)
	Servers []Entry

	root, servers jsondoc.Value
}

// Entry is one server of a file, as it is written there: nothing is filled in.
type Entry struct {
	Name     string
	Kind     string   // "stdio", "http", "sse"; "" when it is neither
	What     string   // the URL, or the command and its arguments; may hold secrets of the file's author
	Argv     []string // the command and its arguments, as they are written there
	Disabled bool
	Project  string // of Claude Code's file: the directory that the server belongs to
	value    jsondoc.Value
}

// mostConfig is how large a configuration file may be.
const mostConfig = 16 << 20

// Read reads a configuration file in any dialect; comments and trailing commas are allowed. cwd picks the servers of a project in
// files that hold several projects.
func Read(path, cwd string) (*File, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > mostConfig {
		return nil, &Error{fmt.Sprintf("reading the configuration: %s is larger than %d MiB", path, mostConfig>>20), ""}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, &Error{fmt.Sprintf("reading the configuration: %v", err), ""}
	}
	text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")) // editors on Windows put it there
	standard, err := hujson.Standardize(text)
	if err != nil {
		return nil, &Error{fmt.Sprintf("reading %s: %v", path, err), ""}
	}
	f := &File{Path: path, root: jsondoc.Parse(standard).Root()}
	for _, d := range []struct{ name, outer, inner string }{
		{"mcpServers", "mcpServers", ""}, {"servers", "servers", ""}, {"mcp.servers", "mcp", "servers"}, {"context_servers", "context_servers", ""},
	} {
		v := f.root.Get(d.outer)
		if d.inner != "" {
			v = v.Get(d.inner)
		}
		if v.Is(jsondoc.Object) {
			f.Dialect, f.servers = d.name, v
			break
		}
	}
	seen := map[string]bool{}
	project := f.root.Get("projects").Get(cwd).Get("mcpServers") // Claude Code: what belongs to this directory wins
	for name, v := range project.Members() {
		if !seen[name] {
			seen[name] = true
			f.Servers = append(f.Servers, entry(name, cwd, v))
		}
	}
	for name := range f.servers.Members() {
		if !seen[name] {
			seen[name] = true
			f.Servers = append(f.Servers, entry(name, "", f.servers.Get(name))) // of a duplicate the last one counts
		}
	}
	if f.Dialect == "" && len(f.Servers) == 0 {
		return nil, &Error{path + " has no mcpServers", `it should look like {"mcpServers": {"name": {"command": "…", "args": […]}}}`}
	}
	if f.Dialect == "" {
		f.Dialect = "mcpServers"
	}
	return f, nil
}

func entry(name, project string, v jsondoc.Value) Entry {
	e := Entry{Name: name, Project: project, value: v}
	e.Disabled, _ = v.Get("disabled").Bool()
	if on, ok := v.Get("enabled").Bool(); ok && !on {
		e.Disabled = true
	}
	switch url, command := v.Get("url").Text(), commandOf(v); {
	case url != "":
		e.Kind, e.What = "http", url
		if v.Get("type").Text() == "sse" || v.Get("transport").Text() == "sse" {
			e.Kind = "sse"
		}
	case command.Text() != "":
		e.Kind = "stdio"
		e.Argv = []string{command.Text()}
		for _, a := range argsOf(v).Elements() {
			e.Argv = append(e.Argv, a.Text())
		}
		e.What = strings.Join(e.Argv, " ")
	}
	return e
}

// commandOf is the command of an entry; Zed once put it into an object.
func commandOf(v jsondoc.Value) jsondoc.Value {
	if c := v.Get("command"); c.Is(jsondoc.Object) {
		return c.Get("path")
	}
	return v.Get("command")
}

func argsOf(v jsondoc.Value) jsondoc.Value {
	if c := v.Get("command"); c.Is(jsondoc.Object) {
		return c.Get("args")
	}
	return v.Get("args")
}

// Place is where a client keeps its servers.
type Place struct{ Client, Path string }

// Places are the files in which common clients keep their servers, nearest first: of the directory, then of the person. They need not
// exist. dir looks up "home" and "config" (os.UserHomeDir, os.UserConfigDir), "" for nowhere.
func Places(cwd string, dir func(name string) string) []Place {
	var out []Place
	add := func(client, base string, parts ...string) {
		if base != "" {
			out = append(out, Place{client, filepath.Join(append([]string{base}, parts...)...)})
		}
	}
	home, config := dir("home"), dir("config")
	add("Claude Code", cwd, ".mcp.json")
	add("VS Code", cwd, ".vscode", "mcp.json")
	add("Cursor", cwd, ".cursor", "mcp.json")
	add("Claude Code", home, ".claude.json")
	add("Claude Desktop", config, "Claude", "claude_desktop_config.json")
	add("VS Code", config, "Code", "User", "mcp.json")
	add("Cursor", home, ".cursor", "mcp.json")
	add("Windsurf", home, ".codeium", "windsurf", "mcp_config.json")
	add("Zed", config, "zed", "settings.json")
	return out
}

// find is the entry with a name.
func (f *File) find(name string) (Entry, error) {
	var names []string
	for _, e := range f.Servers {
		if e.Name == name {
			return e, nil
		}
		names = append(names, e.Name)
	}
	slices.Sort(names)
	return Entry{}, &Error{fmt.Sprintf("no server %q in %s", name, f.Path), "it has " + strings.Join(names, ", ")}
}

// Input is a value that a file asks a person for, as VS Code does.
type Input struct {
	ID, Description, Default string
	Password                 bool     // not to be shown
	Choices                  []string // "" for anything
}

// input is what a file says about an input; files may use one that they do not describe.
func (f *File) input(id string) Input {
	in := Input{ID: id}
	for _, v := range f.root.Get("inputs").Elements() {
		if v.Get("id").Text() != id {
			continue
		}
		in.Description, in.Default = v.Get("description").Text(), v.Get("default").Text()
		in.Password, _ = v.Get("password").Bool()
		for _, o := range v.Get("options").Elements() {
			in.Choices = append(in.Choices, o.Text())
		}
	}
	return in
}
