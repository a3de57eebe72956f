package query

import (
	"strings"
	"testing"
)

func TestWordsOfTheFilter(t *testing.T) {
	for _, c := range []struct{ line, want, wrong string }{
		{"", "", ""},
		{"m:tools/call tool:get_*", "m=tools/call tool=get_*", ""},
		{"IS:Err Madrid", "is=err =madrid", ""},
		{`"two words" x`, "=two words =x", ""},
		{`tool:"get weather"`, "tool=get weather", ""},
		{`"is:err"`, "=is:err", ""},
		{"!is:err !madrid", "!is=err !=madrid", ""},
		{"!", "=!", ""},
		{"-32602", "=-32602", ""},
		{"is:", "", ""},                              // begun
		{"is:vi", "", ""},                            // begun
		{"rule: m:", "", ""},                         // begun
		{"is:vi x", "=is:vi =x", "is:vi is none of"}, // not any more
		{"is:odd", "=is:odd", "is:odd is none of ok err"},
		{"dir:sideways", "=dir:sideways", "none of in out"},
		{"foo:bar", "=foo:bar", "foo: is no filter word"},
		{"file:///a.txt", "=file:///a.txt", ""},
		{`{"a":1}`, "={a:1}", ""},
		{"12:30", "=12:30", ""},
	} {
		q := Parse(c.line)
		var got []string
		for _, w := range q.Words {
			not := ""
			if w.Not {
				not = "!"
			}
			got = append(got, not+w.Key+"="+w.Value)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q: %q, want %q", c.line, s, c.want)
		}
		wrong := strings.Join(q.Wrong, "; ")
		if !strings.Contains(wrong, c.wrong) || c.wrong == "" && wrong != "" {
			t.Errorf("%q is said to be wrong as %q, want %q", c.line, wrong, c.wrong)
		}
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"call", "tools/call", true}, {"call*", "tools/call", false}, {"*call", "tools/call", true}, {"tools/*", "tools/call", true},
		{"*", "", true}, {"", "x", true}, {"a*b*c", "aXbYc", true}, {"a*a", "a", false}, {"a**b", "ab", true}, {"*b*", "abc", true}, {"x", "", false},
	} {
		if got := Glob(c.pattern, c.text); got != c.want {
			t.Errorf("glob(%q, %q) is %v", c.pattern, c.text, got)
		}
	}
}
