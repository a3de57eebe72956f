package cli

import (
	"strings"

	"mcploupe/session"
	"mcploupe/session/transport"
	"mcploupe/ui/shell"
)

// reaching is the flags and words with which a command of ours reaches the same server in the same way, to be copied from the
// screen. What is secret is a variable: of a header $TOKEN or one with its name, of --env the one with the same name.
func (f *flags) reaching(t session.Target) []shell.Word {
	var out []shell.Word
	flag := func(name string, value shell.Word) { out = append(out, shell.Text("--"+name), value) }
	given := func(name, value, usual string) {
		if value != "" && value != usual {
			flag(name, shell.Text(value))
		}
	}
	given("era", f.era, "auto")
	given("protocol", f.protocol, "")
	given("transport", f.transport, "auto")
	given("capabilities", f.caps, "")
	given("cacert", t.CAFile, "")
	given("cwd", t.Dir, "")
	for _, is := range []struct {
		name string
		on   bool
	}{{"insecure", t.Insecure}, {"clean-env", t.CleanEnv}, {"login", f.login.on}} {
		if is.on {
			out = append(out, shell.Text("--"+is.name))
		}
	}
	for _, h := range t.Header {
		value := transport.MaskHeader(h.Name, h.Value)
		for _, secret := range f.secrets {
			if secret != "" {
				value = strings.ReplaceAll(value, secret, "***")
			}
		}
		flag("header", shell.Masked(h.Name+": "+value, shell.Variable(h.Name)))
	}
	for _, kv := range t.Env {
		name, _, _ := strings.Cut(kv, "=")
		if isVariable(name) && name != faultsVariable {
			flag("env", shell.Word{{Text: name + "="}, {Env: name}})
		}
	}
	if t.URL != "" {
		return append(out, shell.Masked(transport.MaskURL(t.URL), "SECRET"))
	}
	out = append(out, shell.Text("--"))
	for _, a := range t.Words(f.secrets...) {
		out = append(out, shell.Masked(a, "SECRET"))
	}
	return out
}

// isVariable tells that a shell knows variables of this name.
func isVariable(name string) bool {
	for i := range len(name) {
		c := name[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || i > 0 && '0' <= c && c <= '9') {
			return false
		}
	}
	return name != ""
}
