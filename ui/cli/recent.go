package cli

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"mcploupe/session"
	"mcploupe/session/secret"
	"mcploupe/ui/app"
	"mcploupe/ui/shell"
	"mcploupe/ui/store"
)

// What leads to a target is kept as flags and words. Secrets are not kept: a variable stands in their place, and a value for it is
// asked for when the target is opened again.

func recentsPath() string { return store.RecentsFile(os.Getenv, runtime.GOOS, home()) }

// lasting is the flags and words with which the target is reached in a later run, from wherever that is started; nil for the
// built-in server as it is, which is always at hand.
func (f *flags) lasting(t session.Target) []shell.Word {
	if builtIn(t) {
		return nil
	}
	login := f.login.words()
	if f.named != "" {
		path, err := filepath.Abs(f.config)
		if err != nil {
			return nil
		}
		own := session.Target{URL: "x", Env: f.env, CleanEnv: t.CleanEnv, CAFile: absolute(t.CAFile), Insecure: t.Insecure}
		own.Header, _ = headerFields("header", f.headers) // they were read before
		if f.cwd != "" {
			own.Dir = absolute(f.cwd)
		}
		words := append(login, f.reaching(own)...)
		return append(words[:len(words)-1], shell.Texts("--config", path, f.named)...)
	}
	t.CAFile = absolute(t.CAFile)
	t.Env = slices.DeleteFunc(slices.Clone(t.Env), func(kv string) bool { return strings.HasPrefix(kv, faultsVariable+"=") }) // of this run
	if len(t.Argv) > 0 {
		t.Dir = absolute(t.Dir) // what its command means depends on it
		if t.Dir == "" {
			t.Dir, _ = os.Getwd()
		}
	}
	return append(login, f.reaching(t)...)
}

// builtIn tells that a target is the built-in server as it is.
func builtIn(t session.Target) bool {
	plain, err := self("--serve", "both")
	return err == nil && slices.Equal(t.Argv, plain)
}

// words are the flags about logging in, but for --login itself. Secrets are given to them by the name of a file or variable.
func (l *loginFlags) words() (out []shell.Word) {
	if !l.on {
		return nil
	}
	given := func(name, value string) {
		if value != "" {
			out = append(out, shell.Texts("--"+name, value)...)
		}
	}
	file := func(value string) string {
		if path, ok := strings.CutPrefix(value, "@"); ok {
			return "@" + absolute(path)
		}
		return value
	}
	given("client-id", l.clientID)
	given("client-secret", file(l.secret))
	given("client-key", file(l.key))
	given("client-issuer", l.issuer)
	given("client-metadata", l.document)
	for _, s := range l.scopes {
		given("scope", s)
	}
	if l.credentials {
		out = append(out, shell.Text("--client-credentials"))
	}
	if l.port != 0 {
		given("oauth-port", strconv.Itoa(l.port))
	}
	if l.store == "none" {
		given("token-store", l.store)
	} else {
		given("token-store", absolute(l.store))
	}
	return out
}

func absolute(path string) string {
	if path == "" {
		return ""
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return abs
}

// filledIn is a command line with its secrets, each asked for at the screen. What is left empty is left out with its flag.
func filledIn(ctx context.Context, words []shell.Word, ask app.Asker) (line, secrets []string, err error) {
	for i, w := range words {
		flag := ""
		if i > 0 && len(words[i-1]) == 1 && strings.HasPrefix(words[i-1][0].Text, "--") && !slices.ContainsFunc(words[:i], isDashes) {
			flag = words[i-1][0].Text
		}
		var text strings.Builder
		missing := false
		for _, p := range w {
			if p.Env == "" {
				text.WriteString(p.Text)
				continue
			}
			if v, set := os.LookupEnv(p.Env); set && flag == "--env" { // the child would have it anyway
				text.WriteString(v)
				continue
			}
			v, err := ask(ctx, notKept(flag, before(words, i), w, p.Env))
			if err != nil {
				return nil, nil, err
			}
			if missing = v == ""; v != "" {
				secrets = append(secrets, v)
			}
			text.WriteString(v)
		}
		if missing && (flag == "--env" || flag == "--header" || len(w) == 1 && before(words, i) != "") {
			line = line[:len(line)-1]
			continue
		}
		if missing && len(w) == 1 {
			continue
		}
		line = append(line, text.String())
	}
	return line, secrets, nil
}

func isDashes(w shell.Word) bool { return len(w) == 1 && w[0].Text == "--" }

// before is the flag of a server's command that stands before one of its words, "" for none.
func before(words []shell.Word, i int) string {
	if i == 0 || len(words[i-1]) != 1 || !strings.HasPrefix(words[i-1][0].Text, "-") || isDashes(words[i-1]) || !slices.ContainsFunc(words[:i], isDashes) {
		return ""
	}
	return words[i-1][0].Text
}

// notKept asks for a secret that stood in a word: behind a flag of ours, or of the server's command.
func notKept(flag, theirs string, w shell.Word, name string) app.Wanted {
	shown := strings.TrimSpace(theirs + " " + withDots(w))
	if len(w) > 1 {
		shown = withDots(w)
	}
	title, where := name, "Its command held a secret, "+shown
	if named, _, ok := strings.Cut(shown, "…"); ok && name == "SECRET" {
		if named = strings.Trim(named, "-= :"); secret.Named(named) {
			title = named // --api-key …, --token=…, API_KEY=…
		}
	}
	switch flag {
	case "--env":
		where = "It was given the variable " + name
	case "--header":
		title, _, _ = strings.Cut(shown, ":")
		where = "It was sent the header " + title
	default:
		if strings.Contains(shown, "://") {
			where = "Its address held a secret, " + shown
		}
	}
	return app.Wanted{Title: title, Text: where + ". Values like that are not kept. Type it, or leave it empty to go without.", Secret: true, Empty: true}
}

// withDots is a word with dots where a secret stood.
func withDots(w shell.Word) string {
	var b strings.Builder
	for _, p := range w {
		if p.Env != "" {
			b.WriteString("…")
		} else {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}

// briefly is what a target is, for a line: its command, its address, or its name in a file.
func briefly(words []shell.Word) string {
	dashes := slices.IndexFunc(words, isDashes)
	from := dashes + 1
	if dashes < 0 {
		from = len(words) - 1
	}
	var parts []string
	for _, w := range words[from:] {
		parts = append(parts, withDots(w))
	}
	text := strings.Join(parts, " ")
	if n := len(words); n >= 3 && dashes < 0 && len(words[n-3]) == 1 && words[n-3][0].Text == "--config" {
		text = "in " + words[n-2][0].Text
		if dir := home(); dir != "" {
			if rest, ok := strings.CutPrefix(text, "in "+dir+string(filepath.Separator)); ok {
				text = "in " + filepath.Join("~", rest)
			}
		}
	}
	return clip(strings.ReplaceAll(text, "\n", " "), 200)
}

// shortName is what a target is called before it has said its name. It is kept and shown: what is secret is no part of it.
func (f *flags) shortName(t session.Target) string {
	switch {
	case f.named != "":
		return f.named
	case t.URL != "":
		_, rest, _ := strings.Cut(t.URL, "://")
		host := rest
		if i := strings.IndexAny(host, "/?#"); i >= 0 {
			host = host[:i]
		}
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			host = host[at+1:]
		}
		return host
	case len(t.Argv) == 0:
		return ""
	}
	argv := t.Words(f.secrets...)
	name := filepath.Base(argv[0])
	if strings.Contains(" node npx python python3 uv uvx deno bun bunx docker podman sh bash go java ruby php dotnet ", " "+strings.TrimSuffix(name, ".exe")+" ") {
		for _, a := range argv[1:] { // a word with = gives a value to something: -e NAME=value
			if !strings.HasPrefix(a, "-") && a != "run" && a != "exec" && !strings.Contains(a, secret.Stars) && !strings.Contains(a, "=") {
				return filepath.Base(a)
			}
		}
	}
	return name
}
