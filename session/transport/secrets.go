package transport

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strings"
	"sync"

	"mcploupe/session/secret"
)

// MinSecret is the length from which a known secret is masked in bodies and texts. A shorter one
// would also hit words that have nothing to do with it. In the words of a command that we show, it
// is looked for from minShort on.
const (
	MinSecret = 8
	minShort  = 4
)

// Secrets are values that must not reach the log. Header fields that are secret by their name are
// masked without being known here; see mask.go for what is replaced and by what. A nil *Secrets
// knows none. It is safe for many goroutines.
type Secrets struct {
	mu       sync.Mutex
	patterns []pattern
	finder   *finder  // of patterns; nil until it is needed
	short    []string // too short to be patterns
}

// pattern is one spelling of a secret.
type pattern struct {
	text    string
	escaped bool // as it may stand inside a JSON string; other spellings cannot stand there
}

// NewSecrets knows the values given.
func NewSecrets(values ...string) *Secrets {
	s := &Secrets{}
	for _, v := range values {
		s.Add(v)
	}
	return s
}

// Add makes a value known. It is masked in what is logged from now on: as it is, as JSON and URLs write it, as JSON within a string
// of JSON, and as Base64 wherever it begins there. Of several lines each is known, for they may be told one by one. What of the
// value is a secret by its place (the password of an address, a member of JSON) is known by itself. Values shorter than MinSecret
// are looked for in the words of commands alone.
func (s *Secrets) Add(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.add(value)
	s.add(strings.TrimSpace(value))
	if strings.ContainsAny(value, "\r\n") {
		for line := range strings.Lines(value) {
			if line = strings.TrimSpace(line); len(line) >= 2*MinSecret && !strings.HasPrefix(line, "-----") {
				s.add(line)
			}
		}
	}
}

// add is called with the lock held.
func (s *Secrets) add(value string) {
	if len(value) < MinSecret {
		if len(value) >= minShort && !slices.Contains(s.short, value) {
			s.short = append(s.short, value)
		}
		return
	}
	for _, p := range patternsOf(value) {
		if !slices.Contains(s.patterns, p) {
			s.patterns = append(s.patterns, p)
			s.finder = nil
		}
	}
}

// shorts are the values that are too short to be looked for everywhere.
func (s *Secrets) shorts() []string {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.short[:len(s.short):len(s.short)]
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

// AddHeader makes the value of a header field known when the field is secret by its name: of
// Authorization the credentials behind the scheme, with the password in them, of Cookie each cookie's value. Of another
// field what is secret by its look is known, and a value that looks as if nobody had thought of it.
func (s *Secrets) AddHeader(name, value string) {
	switch headerClass(name) {
	case headerAuth:
		s.Add(value)
		if scheme, credentials, ok := strings.Cut(value, " "); ok {
			credentials = strings.TrimSpace(credentials)
			s.Add(credentials)
			if strings.EqualFold(scheme, "Basic") {
				if plain, err := base64.StdEncoding.DecodeString(credentials); err == nil {
					_, password, _ := strings.Cut(string(plain), ":")
					s.Add(password)
				}
			}
		}
	case headerCookie:
		for part := range strings.SplitSeq(value, ";") {
			if _, v, ok := strings.Cut(part, "="); ok {
				s.Add(strings.TrimSpace(v))
			}
		}
	case headerSecret:
		s.Add(value)
	default:
		s.addParts(secret.Text(value))
		if !secret.Tells(name) && !strings.HasPrefix(strings.ToLower(name), "mcp-") && secret.Random(value) {
			s.Add(value) // a header of somebody's own may well be a key
		}
	}
}

// AddURL makes known what is secret in an address, and what is sent for its user and password.
func (s *Secrets) AddURL(raw string) {
	s.AddWords([]string{raw})
	if u, err := url.Parse(strings.TrimSpace(raw)); err == nil && u.User != nil {
		if password, ok := u.User.Password(); ok {
			s.Add(base64.StdEncoding.EncodeToString([]byte(u.User.Username() + ":" + password)))
		}
	}
}

// AddWords makes known what is secret among the words of a command, so that it is masked where a server repeats it.
func (s *Secrets) AddWords(argv []string) {
	for _, v := range secret.Values(argv) {
		s.Add(v)
	}
}

func (s *Secrets) addParts(parts []secret.Part) {
	for _, p := range parts {
		if !secret.Common(p.Value) {
			s.Add(p.Value)
		}
	}
}

// AddEnv makes the values of K=V entries known, but for those that are no secrets by their nature: of variables like PATH, HOME,
// LANG and NODE_ENV, paths to files, and words that anybody uses.
func (s *Secrets) AddEnv(env []string) {
	for _, kv := range env {
		name, value, ok := strings.Cut(kv, "=")
		if !ok || publicEnv(name) {
			continue
		}
		s.addParts(secret.Text(value))
		named := secret.Named(name)
		if secret.Common(value) || !named && (len(value) < MinSecret || secret.Path(value)) {
			continue
		}
		s.Add(value)
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
