package inspect

import (
	"iter"
	"strings"
	"unicode"

	"mcploupe/session/jsondoc"
)

// Facts that the rules about tools, schemas and content share.

// tools is every entry of a tools/list result that is an object, in order.
func (p *Pass) tools() iter.Seq[jsondoc.Value] {
	return func(yield func(jsondoc.Value) bool) {
		for _, t := range p.Result().Get("tools").Elements() {
			if t.Is(jsondoc.Object) && !yield(t) {
				return
			}
		}
	}
}

// reportSame is ReportSame with a confidence.
func (p *Pass) reportSame(key string, at Place, got, want string, sure Confidence) {
	n := len(p.found)
	p.ReportSame(key, at, got, want)
	if len(p.found) > n {
		p.found[n].Confidence = sure
	}
}

// wrongKind reports a value that is absent (at the object that should hold it) or of the wrong kind. It tells whether it did.
func (p *Pass) wrongKind(object jsondoc.Value, member string, kind jsondoc.Kind, want string) bool {
	v := object.Get(member)
	switch {
	case v.Is(kind):
		return false
	case v.Exists():
		p.ReportSame(member, p.At(v), "", want)
	default:
		p.ReportSame(member, p.At(object), "no "+member, want)
	}
	return true
}

// given tells that a member is there and not null. null where a member is optional is the business of
// result-null-optional.
func given(v jsondoc.Value) bool { return v.Exists() && !v.Is(jsondoc.Null) }

// wordsOf cuts a name into lower-case words: at everything that is no letter or digit, and where a capital follows a small
// letter. "apiKey", "api_key" and "API-Key" are all "api key".
func wordsOf(name string) []string {
	var words []string
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			words = append(words, b.String())
			b.Reset()
		}
	}
	small := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			small = false
			continue
		case unicode.IsUpper(r) && small:
			flush()
		}
		small = unicode.IsLower(r) || unicode.IsDigit(r)
		b.WriteRune(unicode.ToLower(r))
	}
	flush()
	return words
}

// isSecretName tells whether a name of a parameter surely means something secret. Names that only hold such a word
// (max_tokens, pageToken, password_policy_id) do not count: the word has to end the name.
func isSecretName(name string) bool {
	words := wordsOf(name)
	if len(words) == 0 {
		return false
	}
	last, before := words[len(words)-1], ""
	if len(words) > 1 {
		before = words[len(words)-2]
	}
	switch last {
	case "password", "passwd", "passphrase", "secret", "apikey", "apitoken", "accesstoken", "privatekey", "credentials", "ssn":
		return true
	case "key":
		return before == "api" || before == "private" || before == "secret"
	case "token":
		return before == "" || before == "access" || before == "auth" || before == "api" || before == "bearer" || before == "refresh"
	}
	return false
}

// toolNames are the names on a walk, in order; entries without a name are left out.
func toolNames(w *Walk) []string {
	var names []string
	for _, item := range w.Items {
		if name := item.Get("name"); name.Is(jsondoc.String) {
			names = append(names, name.Text())
		}
	}
	return names
}

// nthTool is the name of the i-th named tool of a walk.
func nthTool(w *Walk, i int) jsondoc.Value {
	for _, item := range w.Items {
		if name := item.Get("name"); name.Is(jsondoc.String) {
			if i == 0 {
				return name
			}
			i--
		}
	}
	return jsondoc.Value{}
}
