package app

import (
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"mcploupe/inspect"
	"mcploupe/inspect/fields"
	"mcploupe/session/demo"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
	"mcploupe/ui/lesson"
	"mcploupe/ui/query"
)

// ownWords are names in lessons that are no vocabulary and never cross a wire, each for a reason.
func ownWords() map[string]string {
	return map[string]string{
		"payroll://me":      "a server that is told about",
		"dG9vbHM…":          "the beginning of a cursor",
		"◷ 4:58":            "a clock on the screen",
		"null":              "JSON",
		"{}":                "JSON",
		"0":                 "JSON",
		"complete (absent)": "a word of the strip",
		"‹ZWSP›":            "a sign",
		"%20":               "how a URI spells a blank",
		":fault":            "a command of the palette",
	}
}

// vocabulary is what may be named: keys of the program, and what was said on the wire.
type vocabulary struct{ words map[string]bool }

func newVocabulary(t *testing.T) *vocabulary {
	v := &vocabulary{words: map[string]bool{}}
	code := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(keyTable(t)) {
		if strings.HasPrefix(line, "| `") {
			keys, _, _ := strings.Cut(line[2:], " | ")
			for _, m := range code.FindAllStringSubmatch(keys, -1) {
				v.words[m[1]] = true
			}
		}
	}
	return v
}

// hear takes the keys that mean something now.
func (v *vocabulary) hear(s *story) {
	for _, r := range s.m.rows() {
		for _, k := range r.Keys {
			v.words[k] = true
		}
	}
}

// read takes every name, text and number of what was said, and the headers that it was said with.
func (v *vocabulary) read(s *story) {
	put := func(m *wire.Message) {
		if m == nil {
			return
		}
		d := m.Doc()
		for i := range d.Nodes {
			value := d.Value(int32(i))
			v.words[value.Name()] = true
			switch {
			case value.Is(jsondoc.String):
				v.words[value.Text()] = true
				v.words[jsondoc.Quote(value.Text())] = true
			case value.Is(jsondoc.Number):
				v.words[string(value.Raw())] = true
			}
		}
		if m.HTTP != nil {
			for _, f := range m.HTTP.Header {
				v.words[f.Name] = true
				name, _, _ := strings.Cut(f.Value, " ")
				v.words[f.Name+": "+name] = true
			}
		}
	}
	for _, r := range s.m.book.Timeline.Rows {
		put(r.X.Request)
		put(r.X.Reply)
		put(r.X.Lone)
		for _, more := range [2][]wire.Message{r.X.During, r.X.Late} {
			for i := range more {
				put(&more[i])
			}
		}
	}
}

// knows tells that a name exists.
func (v *vocabulary) knows(name string) bool {
	if code, err := strconv.ParseInt(name, 10, 64); err == nil && code < 0 {
		return mcp.CodeName(code) != "" || mcp.CodeRetired(code) != ""
	}
	if v.words[name] || len(fields.Ask(name)) > 0 {
		return true
	}
	if _, ok := inspect.Lookup(name); ok {
		return true
	}
	if _, ok := demo.Lookup(name); ok {
		return true
	}
	if _, ok := mcp.Lookup(name); ok {
		return true
	}
	for _, sign := range []string{"⊞", "◆", "●", "◌", "◉", "␣"} {
		if name == sign {
			return true
		}
	}
	if _, ok := strings.CutPrefix(name, "mcploupe "); ok {
		return true // the commands are looked at where they are made: ui/cli
	}
	_, own := ownWords()[name]
	return own
}

// check complains about every name in a lesson that nothing is called by, and about conditions that name what is not there.
func (v *vocabulary) check(t *testing.T, l *lesson.Lesson) {
	t.Helper()
	for i := range l.Pages {
		p := &l.Pages[i]
		texts := []string{p.Text}
		if p.Question != nil {
			for _, c := range p.Question.Choices {
				texts = append(texts, c.Text, c.Why)
			}
		}
		if p.Task != nil {
			texts = append(texts, p.Task.Hint, p.Task.Done)
			for _, step := range p.Task.Steps {
				for _, c := range step {
					v.checkWords(t, p.Title, c.Words)
				}
			}
		}
		for _, name := range names(strings.Join(texts, "\n")) {
			if !v.knows(name) {
				t.Errorf("%q names `%s`, which is no key, method, header, member, rule, fault or word of this conversation", p.Title, name)
			}
		}
	}
}

func (v *vocabulary) checkWords(t *testing.T, title string, words []query.Word) {
	t.Helper()
	for _, w := range words {
		if strings.Contains(w.Value, "*") {
			continue
		}
		switch _, rule := inspect.Lookup(w.Value); {
		case w.Key == query.Rule && !rule:
			t.Errorf("%q waits for the rule %s, which does not exist", title, w.Value)
		case w.Key == query.Method:
			if _, ok := mcp.Lookup(w.Value); !ok {
				t.Errorf("%q waits for the method %s, which does not exist", title, w.Value)
			}
		case w.Key == query.Tool && !v.words[w.Value]:
			t.Errorf("%q waits for %s, which this server does not have", title, w.Value)
		}
	}
}

// names are the code spans of a text, without those in fences.
func names(text string) []string {
	text = regexp.MustCompile("(?s)```.*?```").ReplaceAllString(text, "")
	var out []string
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// The test of names finds a name that is made up, so that what it lets pass means something.
func TestANameThatDoesNotExistIsFound(t *testing.T) {
	v := newVocabulary(t)
	for _, name := range []string{"tools/call", "ttlMs", "Mcp-Method", "-32602", "cache-ttl-negative", "ctrl+s", "enter", "order-unstable", "mcploupe explain"} {
		if !v.knows(name) {
			t.Errorf("%s is not known", name)
		}
	}
	for _, name := range []string{"tools/cal", "ttlMillis", "Mcp-Verb", "-32699", "cache-ttl-positive", "ctrl+5", "order-stable", "kirkwall"} {
		if v.knows(name) {
			t.Errorf("%s is known", name)
		}
	}
	if got := names("a `b` c\n```\n`no`\n```\n`d e` `f\n`"); len(got) != 2 || got[1] != "d e" {
		t.Errorf("names are %q", got)
	}
	for name := range maps.Keys(ownWords()) {
		used := false
		for _, l := range lesson.All() {
			for i := range l.Pages {
				p := &l.Pages[i]
				text := p.Text
				if p.Task != nil {
					text += p.Task.Hint + p.Task.Done
				}
				if p.Question != nil {
					for _, c := range p.Question.Choices {
						text += c.Text + c.Why
					}
				}
				used = used || strings.Contains(text, "`"+name+"`")
			}
		}
		if !used {
			t.Errorf("no lesson says `%s`: take it off the list", name)
		}
	}
}
