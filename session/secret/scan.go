package secret

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
)

// scan collects the secrets of a text.
type scan struct{ parts []Part }

func (s *scan) add(from int, value string) {
	s.parts = append(s.parts, Part{from, from + len(value), value})
}

// deepest is how far words within words are taken apart.
const deepest = 6

// word looks at a word that begins at a place of the whole text.
func (s *scan) word(w string, at, depth int) {
	if depth > deepest || w == "" {
		return
	}
	if name, value, from, ok := header(w); ok {
		if Named(name) {
			s.value(w[from:], value, at+from)
			return
		}
		s.word(w[from:], at+from, depth+1)
		return
	}
	if m := schemed.FindStringSubmatchIndex(w); m != nil && random(w[m[2]:m[3]]) {
		s.add(at+m[2], w[m[2]:m[3]])
		return
	}
	if w[0] == '{' || w[0] == '[' {
		if doc := jsondoc.Parse([]byte(w)); len(doc.Faults) == 0 {
			s.json(doc.Root(), w, at, depth)
			return
		}
	}
	if strings.ContainsAny(w, " \t\r\n") {
		if all := tokens(w); len(all) != 1 || all[0] != [2]int{0, len(w)} {
			s.line(w, all, at, depth)
			return
		}
	}
	equals, scheme := strings.IndexByte(w, '='), strings.Index(w, "://")
	switch {
	case equals > 0 && (scheme < 0 || equals < scheme):
		s.pairs(w, at, depth)
	case scheme > 0:
		s.url(w, at)
	default:
		if m := unschemed.FindStringSubmatchIndex(w); m != nil && !has(aliases, strings.ToLower(w[m[2]:m[3]])) {
			s.add(at+m[4], w[m[4]:m[5]])
		}
	}
}

var (
	fielded = regexp.MustCompile(`^([A-Za-z][\w-]*):[ \t]*`)
	// schemed is what stands in an Authorization header.
	schemed = regexp.MustCompile(`^(?i:bearer|basic|token|apikey)[ \t]+([^\s]+)$`)
	schemes = regexp.MustCompile(`^(?i:bearer|basic|digest|negotiate|token|api-?key|dpop)[ \t]+`)
	// unschemed is user:password@tcp(host) or user:password@host/base, as drivers of databases have it.
	unschemed = regexp.MustCompile(`^([\w.-]+):([^\s/@]+)@(?:(?:tcp|unix)\(|[\w.-]+(?::\d+)?/)`)
)

// random tells that a text is no word of a language.
func random(s string) bool { return strings.ContainsAny(s, "0123456789=") || len(s) >= 20 }

// aliases stand before a colon, and are no users.
const aliases = " npm jsr git github gitlab file pkg workspace mailto docker oci http https "

// header takes "Name: value" apart; value is what of it is secret if the name says so: it goes to the end.
func header(w string) (name, value string, from int, ok bool) {
	m := fielded.FindStringSubmatchIndex(w)
	if m == nil || strings.HasPrefix(w[m[1]:], "//") {
		return "", "", 0, false
	}
	name, from = w[m[2]:m[3]], m[1]
	if spaced := m[1] > m[3]+1; !spaced && !Named(name) {
		return "", "", 0, false // C:\x, npm:name, host:port
	}
	from += len(schemes.FindString(w[from:]))
	return name, w[from:], from, true
}

// value hides what a name has announced, if it is one worth hiding. all is the text, value the same.
func (s *scan) value(all, value string, at int) {
	if secretive(value) {
		s.add(at, strings.TrimRight(value, " \t\r\n"))
		return
	}
	if strings.Contains(all, "://") {
		s.url(all, at)
	}
}

// json looks at the members of a document that stands in a word.
func (s *scan) json(v jsondoc.Value, w string, at, depth int) {
	switch v.Kind() {
	case jsondoc.Object:
		for name, m := range v.Members() {
			switch {
			case !Named(name):
				s.json(m, w, at, depth)
			case m.Is(jsondoc.Array) && !plural(name):
				for one := range m.Children() {
					s.announced(one, w, at, depth)
				}
			default:
				s.announced(m, w, at, depth)
			}
		}
	case jsondoc.Array:
		for m := range v.Children() {
			s.json(m, w, at, depth)
		}
	case jsondoc.String:
		from, to := inside(v)
		text := v.Text()
		if w[from:to] == text {
			s.word(text, at+from, depth+1)
			return
		}
		inner := scan{} // escapes are in the way of places
		inner.word(text, 0, depth+1)
		if len(inner.parts) > 0 {
			s.parts = append(s.parts, Part{at + from, at + to, text})
		}
	}
}

// announced hides a value of a document whose name says that it is secret.
func (s *scan) announced(v jsondoc.Value, w string, at, depth int) {
	from, to := inside(v)
	switch {
	case v.Is(jsondoc.String) && secretive(v.Text()) && !strings.Contains(v.Text(), "://"):
		text := v.Text()
		if n := len(schemes.FindString(text)); n > 0 && w[from:to] == text {
			from, text = from+n, text[n:]
		}
		s.parts = append(s.parts, Part{at + from, at + to, text})
	case v.Is(jsondoc.Number) && secretive(string(v.Raw())):
		s.add(at+from, string(v.Raw()))
	default:
		s.json(v, w, at, depth)
	}
}

// inside is where the text of a scalar stands, within its quotes.
func inside(v jsondoc.Value) (from, to int) {
	span := v.Document().Nodes[v.Node()].Value
	from, to = int(span.From), int(span.To)
	if v.Is(jsondoc.String) {
		from, to = from+1, to-1
	}
	return from, to
}

// line looks at several words in one, as a shell gets them with -c, or as a variable holds them.
func (s *scan) line(w string, all [][2]int, at, depth int) {
	var words []string
	var from []int
	for _, t := range all {
		words, from = append(words, w[t[0]:t[1]]), append(from, t[0])
	}
	for i, word := range words {
		if n, ok := announced(words[:i], word); ok {
			s.add(at+from[i]+n, word[n:])
		} else if fieldBefore(words[:i], word) && secretive(word) {
			s.add(at+from[i], word)
		} else {
			s.word(word, at+from[i], depth+1)
		}
	}
}

// fieldBefore tells that a word of a line stands behind "Authorization:", or behind that and a scheme.
func fieldBefore(before []string, word string) bool {
	n := len(before)
	if n > 1 && schemes.MatchString(before[n-1]+" ") {
		n--
	} else if schemes.MatchString(word + " ") {
		return false
	}
	if n == 0 {
		return false
	}
	name, ok := strings.CutSuffix(before[n-1], ":")
	return ok && Named(name)
}

// tokens are the places of the words of a line: apart by blanks and what ends a command, without the quotes around them.
func tokens(w string) (out [][2]int) {
	const ends = " \t\r\n;|&()"
	for i := 0; i < len(w); {
		switch c := w[i]; {
		case strings.IndexByte(ends, c) >= 0:
			i++
		case c == '"' || c == '\'':
			end := strings.IndexByte(w[i+1:], c)
			if end < 0 {
				end = len(w) - i - 1
			}
			out = append(out, [2]int{i + 1, i + 1 + end})
			i += end + 2
		default:
			from, quote := i, byte(0)
			for ; i < len(w) && (quote != 0 || strings.IndexByte(ends, w[i]) < 0 || w[i] == '&' && strings.Contains(w[from:i], "?")); i++ {
				switch c := w[i]; {
				case quote == 0 && (c == '"' || c == '\''):
					quote = c
				case c == quote:
					quote = 0
				}
			}
			out = append(out, [2]int{from, i})
		}
	}
	return out
}

// pairs looks at name=value, and at several of them: apart by ; or by commas.
func (s *scan) pairs(w string, at, depth int) {
	equals := strings.IndexByte(w, '=')
	name := w[:equals]
	if i := strings.LastIndexFunc(name, func(r rune) bool { return !strings.ContainsRune("-._[]", r) && !isWord(r) }); i >= 0 {
		name = name[i+1:]
	}
	from := equals + 1
	value := w[from:]
	if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
		value, from = value[1:n-1], from+1
	}
	if Named(name) && !(plural(name) && number(value)) {
		if n := len(schemes.FindString(value)); n > 0 {
			value, from = value[n:], from+n
		}
		s.value(value, value, at+from)
		return
	}
	for _, sep := range []string{";", ","} {
		parts := strings.Split(w, sep)
		if len(parts) < 2 || strings.Contains(parts[0], "://") || !slices.ContainsFunc(parts[1:], func(p string) bool { return strings.Contains(p, "=") }) {
			continue
		}
		for _, p := range parts {
			s.word(p, at, depth+1)
			at += len(p) + 1
		}
		return
	}
	s.word(value, at+from, depth+1)
}

func isWord(r rune) bool {
	return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}

// url looks at an address that begins at a place of the whole text.
func (s *scan) url(raw string, at int) {
	head, rest, ok := strings.Cut(raw, "//")
	begin := 0
	if ok {
		begin = len(head) + 2
		if n := userinfo(rest); n > 0 {
			user, password, both := strings.Cut(rest[:n], ":")
			switch {
			case both && password != "" && !reference.MatchString(password):
				s.add(at+begin+len(user)+1, password)
			case !both && !reference.MatchString(user) && strings.HasPrefix(strings.ToLower(head[max(0, strings.LastIndexByte(head, '=')+1):]), "http"):
				s.add(at+begin, user)
			}
			begin += n
		}
	}
	query := strings.IndexByte(raw[begin:], '?')
	if hash := strings.IndexByte(raw[begin:], '#'); query < 0 || hash >= 0 && hash < query {
		return
	}
	from := begin + query + 1
	text, _, _ := strings.Cut(raw[from:], "#")
	for part := range strings.SplitSeq(text, "&") {
		name, value, ok := strings.Cut(part, "=")
		if plain, err := url.QueryUnescape(name); err == nil {
			name = plain
		}
		if ok && (Named(name) || name == "code" || name == "sig") && !(plural(name) && number(value)) && value != "" && !reference.MatchString(value) {
			s.add(at+from+len(part)-len(value), value)
		} else if ok && strings.Contains(value, "%3A%2F%2F") { // an address within the address
			if plain, err := url.QueryUnescape(value); err == nil && len(URL(plain)) > 0 {
				s.add(at+from+len(part)-len(value), value)
			}
		}
		from += len(part) + 1
	}
}

// userinfo is how long what stands before the @ of an address is, 0 when there is none. A password may hold what it should have
// escaped, so an @ behind the first / ? or # counts too when what stands before that is no host with a port.
func userinfo(rest string) int {
	end := strings.IndexAny(rest, "/?# \t\r\n\"'")
	if end < 0 {
		end = len(rest)
	}
	if i := strings.LastIndexByte(rest[:end], '@'); i >= 0 {
		return i
	}
	if end == len(rest) {
		return 0
	}
	colon := strings.IndexByte(rest[:end], ':')
	if colon < 0 || rest[0] == '[' || strings.Trim(rest[colon+1:end], "0123456789") == "" {
		return 0
	}
	return max(0, strings.IndexByte(rest, '@'))
}

// spellings are a value as it stands, and as an address spells it.
func spellings(value string) []string {
	if plain, err := url.PathUnescape(value); err == nil && plain != value {
		return []string{value, plain}
	}
	return []string{value}
}
