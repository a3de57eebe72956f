package fields_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"mcploupe/inspect"
	"mcploupe/inspect/fields"
	"mcploupe/session/mcp"
)

// sentences counts what ends with a full stop, an exclamation or a question mark before a blank or the end.
func sentences(text string) int {
	n := 0
	for i, r := range text {
		if strings.ContainsRune(".!?", r) && (i+1 == len(text) || text[i+1] == ' ') {
			n++
		}
	}
	return n
}

// Every text has two to six sentences, a source, a sender and a kind; nothing is said twice.
func TestTexts(t *testing.T) {
	kinds := map[fields.Kind]bool{fields.Member: true, fields.Method: true, fields.Notification: true, fields.Code: true, fields.Header: true, fields.Status: true,
		fields.Challenge: true, fields.Schema: true, fields.Event: true, fields.Value: true, fields.Verdict: true}
	texts, places := map[string]string{}, map[string]bool{}
	for _, e := range fields.All() {
		where := e.Name + " (" + e.Group + ")"
		if n := sentences(e.Text); n < 2 || n > 6 {
			t.Errorf("%s: %d sentences: %s", where, n, e.Text)
		}
		if n := len(e.Text); n > 800 {
			t.Errorf("%s: %d characters", where, n)
		}
		if e.Source == "" || e.From == "" || !kinds[e.Kind] {
			t.Errorf("%s: source %q, from %q, kind %q", where, e.Source, e.From, e.Kind)
		}
		if e.Kind == fields.Member && (len(e.In) == 0 || e.Values == "") {
			t.Errorf("%s: stands in %v, values %q", where, e.In, e.Values)
		}
		for _, r := range []string{e.Since, e.Until} {
			if r != "" && !mcp.Known(r) {
				t.Errorf("%s: no revision: %s", where, r)
			}
		}
		if e.Until != "" && e.Until < e.Since {
			t.Errorf("%s: from %s until %s", where, e.Since, e.Until)
		}
		if other := texts[e.Text]; other != "" {
			t.Errorf("%s has the text of %s", where, other)
		}
		texts[e.Text] = where
		for _, in := range e.In {
			key := string(e.Kind) + " " + in + " " + e.Name
			if places[key] {
				t.Errorf("%s is explained twice", key)
			}
			places[key] = true
		}
	}
	if len(texts) < 400 {
		t.Errorf("only %d entries", len(texts))
	}
}

// words that texts may put in back quotes although they are no entry: keys of this program.
var ours = map[string]bool{"a": true, "--login": true, "--timeout": true}

// Every rule, SEP and name that a text mentions exists.
func TestNamesInTextsExist(t *testing.T) {
	seps := map[string]bool{}
	list, err := os.ReadFile("testdata/seps.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		number, _, _ := strings.Cut(line, " ")
		seps[number] = true
	}
	inCatalogue := map[string]bool{}
	sep, quoted := regexp.MustCompile(`SEP-(\d+)`), regexp.MustCompile("`([^`]+)`")
	for _, r := range inspect.Catalogue() {
		for _, m := range sep.FindAllStringSubmatch(r.Source, -1) {
			inCatalogue[m[1]] = true
		}
	}
	known := func(name string) bool {
		return len(fields.Ask(name)) > 0 || fields.Definition(name) != "" || ours[name]
	}
	dated, ruleLike := regexp.MustCompile(`\b20\d\d-\d\d-\d\d\b`), regexp.MustCompile(`\b(?:tool-error|jsonrpc|cache|http|mrtr|tasks|auth)-[a-z]+-[a-z-]+\b`)
	mentioned := map[string]bool{}
	for _, e := range fields.All() {
		for _, id := range e.Rules {
			mentioned[id] = true
			if _, ok := inspect.Lookup(id); !ok {
				t.Errorf("%s: no rule %s", e.Name, id)
			}
		}
		for _, name := range e.See {
			if !known(name) {
				t.Errorf("%s: see %s: nothing of that name", e.Name, name)
			}
		}
		all := e.Text + " " + e.Source + " " + e.Values
		for _, m := range sep.FindAllStringSubmatch(all, -1) {
			if !seps[m[1]] && !inCatalogue[m[1]] {
				t.Errorf("%s: SEP-%s is not known here", e.Name, m[1])
			}
		}
		for _, m := range quoted.FindAllStringSubmatch(e.Text, -1) {
			if !known(m[1]) {
				t.Errorf("%s: `%s`: nothing of that name", e.Name, m[1])
			}
		}
		for _, rev := range dated.FindAllString(all, -1) {
			if !mcp.Known(rev) && !strings.Contains(e.Values, rev) {
				t.Errorf("%s: %s is no revision", e.Name, rev)
			}
		}
		for _, id := range ruleLike.FindAllString(e.Text, -1) {
			if _, ok := inspect.Lookup(id); !ok {
				t.Errorf("%s: %s is no rule", e.Name, id)
			}
		}
	}
	if n := len(inspect.Catalogue()); len(mentioned) < n*3/4 {
		t.Errorf("only %d of %d rules are named by an entry", len(mentioned), n)
	}
}

// Every word of the verdict strip is explained.
func TestVerdictWords(t *testing.T) {
	for part, words := range map[string]string{
		"resultType": "complete input_required task unknown none",
		"outcome":    "success tool-error protocol-error input-required task invalid transport-failure",
		"freshness":  "fresh stale stale-at-once no-hint not-cacheable invalidated",
		"kind": `unknown-tool not-callable input-validation output-validation output-missing execution header capability version parse invalid-request
			method-not-found meta malformed-call invalid-params not-found internal retired-code legacy-code application-code envelope result-type shape
			connect timeout cancelled crash truncated not-json id-mismatch auth http-status`,
	} {
		for word := range strings.FieldsSeq(words) {
			if fields.ForVerdict(part, word) == nil {
				t.Errorf("%s %s is not explained", part, word)
			}
		}
	}
}
