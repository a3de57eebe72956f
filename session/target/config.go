package target

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/secret"
	"mcploupe/session/wire"
)

// fromConfig finds a server by name in a configuration file.
func fromConfig(name string, o Options) (Target, error) {
	f, err := Read(o.Config, o.Dir)
	if err != nil {
		return Target{}, err
	}
	e, err := f.find(name)
	if err != nil {
		return Target{}, err
	}
	r := reader{name: name, file: f, o: o, given: map[string]string{}}
	if r.o.Getenv == nil {
		r.o.Getenv = os.LookupEnv
	}
	t := r.server(e.value)
	if r.err != nil {
		return Target{}, r.err
	}
	t.Secrets = r.secrets
	return t, nil
}

// reader reads one server's entry; the first thing wrong ends it.
type reader struct {
	name    string
	file    *File
	o       Options
	given   map[string]string // inputs that were asked for already
	secrets []string
	err     error
}

// known are the fields that some dialect of these files has and that need no remark.
const known = " command args env cwd url headers type transport disabled autoApprove alwaysAllow timeout description envFile gallery version enabled source settings "

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
	if !v.Get("command").Is(jsondoc.Object) {
		r.is(v, jsondoc.Array, "args", "a list")
	}
	r.is(v, jsondoc.Object, "env", "an object")
	r.is(v, jsondoc.Object, "headers", "an object")
	t.URL = r.text("url", v.Get("url"))
	if command := r.text("command", commandOf(v)); command != "" {
		t.Argv = append(t.Argv, home(command))
	}
	for i, a := range argsOf(v).Elements() {
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

// expand fills in ${VAR}, ${env:VAR}, ${VAR:-default}, ${input:ID}, ${workspaceFolder} and ${userHome}. A bare $VAR stays, and so does what is no name in braces
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
		value, set := r.o.Getenv(name)
		if own, ok := r.own(inner); ok {
			value, set, has = own, true, false
		}
		switch {
		case set && (value != "" || !has):
			out.WriteString(value)
			r.hide(name, value)
		case has:
			out.WriteString(fallback)
			r.hide(name, fallback)
		case !isName(strings.ReplaceAll(name, ":", "_")):
			out.WriteString("${" + inner + "}") // ${#PATH}, ${x%.*}: a shell's business, passed as it is
		case strings.Contains(name, ":"):
			r.fail("%s of server %q uses ${%s}, which is not known here", field, r.name, inner)
		default:
			r.fail("%s of server %q needs the environment variable %s, which is not set", field, r.name, name)
		}
	}
}

// hide keeps the value of a variable that is secret by its name: it may stand where nothing else tells, alone among arguments.
func (r *reader) hide(name, value string) {
	if secret.Named(name) && value != "" && !secret.Path(value) && !secret.Common(value) && !slices.Contains(r.secrets, value) {
		r.secrets = append(r.secrets, value)
	}
}

// own are the words of dialects that are no environment variables.
func (r *reader) own(inner string) (value string, ok bool) {
	switch inner {
	case "workspaceFolder":
		return r.o.Dir, r.o.Dir != ""
	case "userHome":
		dir, err := os.UserHomeDir()
		return dir, err == nil
	case "pathSeparator", "/":
		return string(os.PathSeparator), true
	}
	id, is := strings.CutPrefix(inner, "input:")
	if !is || r.err != nil {
		return "", false
	}
	if v, known := r.given[id]; known {
		return v, true
	}
	if r.o.Input == nil {
		return "", false
	}
	in := r.file.input(id)
	v, err := r.o.Input(in)
	if err != nil {
		r.err = err
		return "", true
	}
	r.given[id] = v
	if v != "" && (in.Password || len(in.Choices) == 0) { // what is chosen from the file's own list tells nothing
		r.secrets = append(r.secrets, v) // what a person types to get in is not to be read in a journal
	}
	return v, true
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
