package transport

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"

	"mcploupe/session/jsondoc"
)

// MinSecret is the length from which a known secret is masked in bodies and texts. A shorter one
// would also hit words that have nothing to do with it.
const MinSecret = 8

// Secrets are values that must not reach the log. Header fields that are secret by their name are
// masked without being known here; see mask.go for what is replaced and by what. A nil *Secrets
// knows none. It is safe for many goroutines.
type Secrets struct {
	mu       sync.Mutex
	patterns []pattern
	finder   *finder // of patterns; nil until it is needed
}

// pattern is one spelling of a secret.
type pattern struct {
	text    string
	escaped bool // as it stands inside a JSON string; the plain spelling cannot stand there
	plain   bool // as it is
}

// NewSecrets knows the values given.
func NewSecrets(values ...string) *Secrets {
	s := &Secrets{}
	for _, v := range values {
		s.Add(v)
	}
	return s
}

// Add makes a value known. It is masked in what is logged from now on, in its plain spelling and as
// JSON and URLs write it. Values shorter than MinSecret are ignored.
func (s *Secrets) Add(value string) {
	if len(value) < MinSecret {
		return
	}
	quoted := jsondoc.Quote(value)
	quoted = quoted[1 : len(quoted)-1]
	add := []pattern{{text: value, plain: true, escaped: quoted == value}}
	if quoted != value {
		add = append(add, pattern{text: quoted, escaped: true})
	}
	for _, other := range jsonSpellings(quoted) {
		add = append(add, pattern{text: other, escaped: true})
	}
	for _, u := range urlSpellings(value) {
		add = append(add, pattern{text: u, plain: true, escaped: true})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range add {
		if !slices.Contains(s.patterns, p) {
			s.patterns = append(s.patterns, p)
			s.finder = nil
		}
	}
}

// find is the finder of what is known, nil for nothing.
func (s *Secrets) find() *finder {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.finder == nil && len(s.patterns) > 0 {
		s.finder = newFinder(s.patterns)
	}
	return s.finder
}

// jsonSpellings are other ways in which programs write the text of a JSON string: with \/ (PHP), in
// ASCII alone (Python), safe for HTML (Go).
func jsonSpellings(quoted string) []string {
	var ascii strings.Builder
	for _, r := range quoted {
		if r < 0x80 {
			ascii.WriteRune(r)
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&ascii, `\u%04x`, u)
		}
	}
	html := strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`)
	var out []string
	for _, s := range []string{strings.ReplaceAll(quoted, "/", `\/`), ascii.String(), strings.ReplaceAll(ascii.String(), "/", `\/`), html.Replace(quoted)} {
		if s != quoted && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// AddHeader makes the value of a header field known when the field is secret by its name: of
// Authorization the credentials behind the scheme, of Cookie each cookie's value.
func (s *Secrets) AddHeader(name, value string) {
	switch headerClass(name) {
	case headerAuth:
		s.Add(value)
		if _, credentials, ok := strings.Cut(value, " "); ok {
			s.Add(strings.TrimSpace(credentials))
		}
	case headerCookie:
		for part := range strings.SplitSeq(value, ";") {
			if _, v, ok := strings.Cut(part, "="); ok {
				s.Add(strings.TrimSpace(v))
			}
		}
	case headerSecret:
		s.Add(value)
	}
}

// AddEnv makes the values of K=V entries known, but for variables whose values are no secrets by
// their nature (PATH, HOME, LANG, NODE_ENV and the like).
func (s *Secrets) AddEnv(env []string) {
	for _, kv := range env {
		if name, value, ok := strings.Cut(kv, "="); ok && !publicEnv(name) {
			s.Add(value)
		}
	}
}

func publicEnv(name string) bool {
	name = strings.ToUpper(name)
	switch name {
	case "PATH", "PATHEXT", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "TMP", "TEMP",
		"NODE_ENV", "NODE_PATH", "NODE_OPTIONS", "PYTHONPATH", "PYTHONUNBUFFERED", "VIRTUAL_ENV", "GOPATH", "JAVA_HOME",
		"DEBUG", "VERBOSE", "LOG_LEVEL", "LOGLEVEL", "RUST_LOG", "NO_COLOR", "FORCE_COLOR", "CI", "PORT", "HOST":
		return true
	}
	return strings.HasPrefix(name, "LC_") || strings.HasPrefix(name, "XDG_")
}
