package target

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// fromConfig finds a server by name in a file with "mcpServers" or "servers"; comments and trailing commas are allowed.
func fromConfig(name string, o Options) (Target, error) {
	text, err := os.ReadFile(o.Config)
	if err != nil {
		return Target{}, &Error{fmt.Sprintf("reading the configuration: %v", err), ""}
	}
	text = bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")) // editors on Windows put it there
	standard, err := hujson.Standardize(text)
	if err != nil {
		return Target{}, &Error{fmt.Sprintf("reading %s: %v", o.Config, err), ""}
	}
	root := jsondoc.Parse(standard).Root()
	servers := root.Get("mcpServers")
	if !servers.Is(jsondoc.Object) {
		servers = root.Get("servers") // the name in files of VS Code
	}
	if !servers.Is(jsondoc.Object) {
		return Target{}, &Error{o.Config + " has no mcpServers", `it should look like {"mcpServers": {"name": {"command": "…", "args": […]}}}`}
	}
	server := servers.Get(name)
	if !server.Exists() {
		var names []string
		for n := range servers.Members() {
			names = append(names, n)
		}
		slices.Sort(names)
		return Target{}, &Error{fmt.Sprintf("no server %q in %s", name, o.Config), "it has " + strings.Join(names, ", ")}
	}
	r := reader{name: name, getenv: o.Getenv}
	if r.getenv == nil {
		r.getenv = os.LookupEnv
	}
	t := r.server(server)
	if r.err != nil {
		return Target{}, r.err
	}
	return t, nil
}

// reader reads one server's entry; the first thing wrong ends it.
type reader struct {
	name   string
	getenv func(string) (string, bool)
	err    error
}

// known are the fields that some dialect of these files has and that need no remark.
const known = " command args env cwd url headers type transport disabled autoApprove alwaysAllow timeout description envFile gallery version "

func (r *reader) server(v jsondoc.Value) Target {
	t := Target{Name: r.name}
	for field := range v.Members() {
		if !strings.Contains(known, " "+field+" ") {
			note := fmt.Sprintf("%s: the field %q is not used", r.name, field)
			if field == "environment" {
				note += `; the name is "env"`
			}
			t.Notes = append(t.Notes, note)
		}
	}
	if !v.Is(jsondoc.Object) {
		r.fail("server %q is not an object", r.name)
	}
	r.is(v, jsondoc.Array, "args", "a list")
	r.is(v, jsondoc.Object, "env", "an object")
	r.is(v, jsondoc.Object, "headers", "an object")
	t.URL = r.text("url", v.Get("url"))
	if command := r.text("command", v.Get("command")); command != "" {
		t.Argv = append(t.Argv, home(command))
	}
	for i, a := range v.Get("args").Elements() {
		arg := r.text(fmt.Sprintf("args/%d", i), a)
		if strings.HasPrefix(arg, "~/") {
			t.Notes = append(t.Notes, fmt.Sprintf("%s: the argument %q is passed literally: no shell expands ~", r.name, arg))
		}
		t.Argv = append(t.Argv, arg)
	}
	for key, value := range v.Get("env").Members() {
		t.Env = append(t.Env, key+"="+r.text("env/"+key, value))
	}
	t.Dir = home(r.text("cwd", v.Get("cwd")))
	for key, value := range v.Get("headers").Members() {
		t.Header = append(t.Header, wire.Field{Name: key, Value: r.text("headers/"+key, value)})
	}
	switch {
	case r.err != nil:
	case t.URL == "" && !v.Get("command").Exists():
		r.err = &Error{fmt.Sprintf("server %q has neither command nor url", r.name), ""}
	case t.URL != "" && len(t.Argv) > 0:
		r.err = &Error{fmt.Sprintf("server %q has both command and url", r.name), ""}
	}
	return t
}

// text is a string with its ${…} filled in. Numbers and booleans in env count as their spelling.
func (r *reader) text(field string, v jsondoc.Value) string {
	switch v.Kind() {
	case jsondoc.Missing:
		return ""
	case jsondoc.String:
		return r.expand(field, v.Text())
	case jsondoc.Number, jsondoc.Bool:
		return string(v.Raw())
	}
	r.fail("%s of server %q is not a string", field, r.name)
	return ""
}

// is fails when a field is there and of another kind: its content would be passed over in silence.
func (r *reader) is(v jsondoc.Value, kind jsondoc.Kind, field, what string) {
	if f := v.Get(field); f.Exists() && !f.Is(kind) && !f.Is(jsondoc.Null) {
		r.fail("%s of server %q is not %s", field, r.name, what)
	}
}

func (r *reader) fail(format string, a ...any) {
	if r.err == nil {
		r.err = &Error{Text: fmt.Sprintf(format, a...)}
	}
}

// expand fills in ${VAR}, ${env:VAR} and ${VAR:-default}. A bare $VAR stays, and so does what is no name in braces
// (${#VAR}): shells know them, these files do not. An
// unset variable without a default is an error: an empty bearer token must not be sent.
func (r *reader) expand(field, s string) string {
	var out strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "${")
		out.WriteString(before)
		if !ok {
			return out.String()
		}
		inner, after, closed := strings.Cut(rest, "}")
		if !closed {
			out.WriteString("${" + rest)
			return out.String()
		}
		s = after
		name, fallback, has := strings.Cut(strings.TrimPrefix(inner, "env:"), ":-")
		value, set := r.getenv(name)
		switch {
		case set && (value != "" || !has):
			out.WriteString(value)
		case has:
			out.WriteString(fallback)
		case !isName(strings.ReplaceAll(name, ":", "_")):
			out.WriteString("${" + inner + "}") // ${#PATH}, ${x%.*}: a shell's business, passed as it is
		case strings.Contains(name, ":"):
			r.fail("%s of server %q uses ${%s}, which is not known here", field, r.name, inner)
		default:
			r.fail("%s of server %q needs the environment variable %s, which is not set", field, r.name, name)
		}
	}
}

// isName tells whether a text can be the name of an environment variable (or a dialect's word like input:key).
func isName(s string) bool {
	for i, r := range s {
		letter := r == '_' || r == '-' && i > 0 || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
