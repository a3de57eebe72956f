package secret

import (
	"regexp"
	"strings"
)

// shell is a flag behind which a line for a shell stands.
var shell = regexp.MustCompile(`^(?:-[a-z]*c|/[cCkK]|-(?i:command))$`)

// announced tells that the words before a word make it, or its end from a place on, a secret: a flag by its name, or one that wants
// a user and a password.
func announced(before []string, word string) (at int, ok bool) {
	if len(before) == 0 {
		return 0, false
	}
	if at, ok := login(before, word); ok {
		return at, true
	}
	flag := before[len(before)-1]
	name := strings.TrimLeft(flag, "-")
	if name == flag || len(name) < 2 || strings.ContainsAny(name, "=: ") || strings.HasPrefix(word, "-") || !Named(name) {
		return 0, false
	}
	at = len(schemes.FindString(word))
	return at, secretive(word[at:]) && !strings.Contains(word, "://") && !(plural(name) && number(word))
}

// login is where the password begins in user:password behind a flag that wants both.
func login(before []string, word string) (at int, ok bool) {
	switch flag := before[len(before)-1]; flag {
	case "--basic-auth", "--userpwd", "--proxy-user", "--http-auth":
	case "-u", "--user": // of containers they are numbers or names
		if !strings.HasSuffix(before[0], "curl") && !strings.HasSuffix(before[0], "http") {
			return 0, false
		}
	default:
		return 0, false
	}
	user, password, both := strings.Cut(word, ":")
	return len(user) + 1, both && secretive(password)
}

// plural tells that a name may count what it names.
func plural(name string) bool { return strings.HasSuffix(strings.ToLower(name), "tokens") }

// number tells that a value is a short one.
func number(value string) bool { return len(value) <= 8 && strings.Trim(value, "0123456789_") == "" }

// secretive tells that the value of what is secret by its name is the secret itself: not the way to it, and not a word that
// switches something.
func secretive(value string) bool {
	value = strings.TrimSpace(value)
	switch strings.ToLower(value) {
	case "", "true", "false", "yes", "no", "on", "off", "none", "null", "0", "1", "auto", "basic", "bearer", "digest", "ntlm", "oauth", "oauth2", "token",
		"apikey", "api-key", "api_key", "jwt", "required", "optional", "env", "file", "stdin", "-":
		return false
	}
	return !reference.MatchString(value) && !Path(value)
}

var (
	// reference is a name for a value that stands elsewhere, or a place to be filled in, or what we have put there.
	reference = regexp.MustCompile(`^(?:\$\w+|\$\{[^}]*\}|\$\([^)]*\)|%\w+%|<[^<>]*>|\*{3,}|env:\w+|op://.*)$`)
	// anchored begins like a path of a system.
	anchored = regexp.MustCompile(`^@?(?:\.{1,2}/|~[\w-]*/|[A-Za-z]:[\\/]|\\\\|file:|/(?:etc|home|Users|usr|var|opt|tmp|run|root|mnt|srv|private|proc|dev|app|data|secrets?|workspaces?|Library|Volumes|nix|media)(?:/|$))`)
	// extended ends like one.
	extended = regexp.MustCompile(`^@?[\w./\\~ -]*\w\.(?i:pem|key|crt|cer|der|p8|p12|pfx|jks|json|jsonc|ya?ml|toml|ini|conf|cfg|txt|env|pub|asc|gpg|kdbx|js|ts|py)$`)
)

// Path tells that a value is a path to a file by its look.
func Path(value string) bool {
	return anchored.MatchString(value) && !strings.ContainsAny(value, "+=") || extended.MatchString(value)
}

// Random tells that a value is long and looks as if nobody had thought of it. That is a guess, for places where nothing else tells.
func Random(value string) bool {
	if len(value) < 20 || strings.ContainsAny(value, " \t/:;,()<>") {
		return false
	}
	digits := strings.IndexFunc(value, func(r rune) bool { return '0' <= r && r <= '9' }) >= 0
	letters := strings.IndexFunc(value, func(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' }) >= 0
	return digits && letters
}

// shaped is what looks like a key of a well-known service, where a word may begin.
var shaped = regexp.MustCompile(`(?:^|[^A-Za-z0-9_-])(` +
	`(?:sk|pk|rk)[-_][\w-]{16,}|gh[pousr]_\w{10,}|github_pat_\w{10,}|glpat-[\w-]{10,}|xox[abeprs]-[\w-]{10,}|xapp-[\w-]{10,}|` +
	`AKIA[A-Z0-9]{12,}|ASIA[A-Z0-9]{12,}|AIza[\w-]{20,}|ya29\.[\w-]{10,}|eyJ[\w-]{10,}(?:\.[\w-]+){0,2}|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|` +
	`pypi-[\w-]{20,}|dop_v1_\w{20,}|lin_api_\w{20,}|ntn_\w{20,}|secret_\w{20,}|figd_[\w-]{20,}|tvly-[\w-]{16,}|pplx-\w{20,}|gsk_\w{20,}|xai-\w{20,}|` +
	`nvapi-[\w-]{20,}|SG\.[\w-]{10,}\.[\w-]{10,}|whsec_\w{16,}|shp(?:at|ss|ca)_\w{16,}|AGE-SECRET-KEY-\w{20,})`)

// shapes looks for keys of well-known services anywhere. What has no digit is a name that happens to begin like one.
func (s *scan) shapes(text string) {
	for _, m := range shaped.FindAllStringSubmatchIndex(text, -1) {
		if value := text[m[2]:m[3]]; strings.ContainsAny(value, "0123456789") {
			s.add(m[2], value)
		}
	}
}
