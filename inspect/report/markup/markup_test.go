package markup

import (
	"strings"
	"testing"
)

func TestProse(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "",
		"\n\n  \n\n":               "",
		"one\nline\n\nand <two>\n": "<p>one line</p>\n<p>and &lt;two&gt;</p>\n",
		"so:\n\n    {\n      \"a\": 1\n    }\n\nand on": "<p>so:</p>\n<pre><span>    {</span><span>      &#34;a&#34;: 1</span><span>    }</span></pre>\n<p>and on</p>\n",
	} {
		var p Page
		if p.Prose(text); p.String() != want {
			t.Errorf("%q is written as %q, want %q", text, p.String(), want)
		}
	}
}

func TestWordsOfNobodyAreMarkup(t *testing.T) {
	var p Page
	p.Class("muted", "")
	p.Tag("b", "a\x1b[2J</b>")
	p.Class("must", `"x" & y`)
	p.Text("1\n2\u202e")
	want := `<b>a␛[2J&lt;/b&gt;</b><span class="must">&#34;x&#34; &amp; y</span>1␊2‹RLO›`
	if got := p.String(); got != want {
		t.Errorf("written: %q, want %q", got, want)
	}
}

// Whatever is said, no tag and no end of an attribute comes of it, and each entity ends.
func FuzzEscape(f *testing.F) {
	f.Add("<script>")
	f.Add("a\x00\xff\u202e\"'&amp;")
	f.Fuzz(func(t *testing.T, s string) {
		out := Escape(s)
		if strings.ContainsAny(out, "<>\"'\n\x1b") {
			t.Errorf("%q becomes %q", s, out)
		}
		if strings.Count(out, "&") != strings.Count(out, ";")-strings.Count(s, ";") {
			t.Errorf("%q becomes %q: an entity that does not end", s, out)
		}
	})
}
