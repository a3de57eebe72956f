package highlight

import (
	"bytes"
	"strings"
	"testing"

	"github.com/charmbracelet/colorprofile"

	"mcploupe/themes"
)

// readAll reads a text to its end.
func readAll(l *lexing) []run {
	l.look(int32(l.size) - 1)
	return l.runs
}

// A text in each language, with a word and the look that it must get.
func TestEveryLexerColoursItsLanguage(t *testing.T) {
	samples := map[string]struct {
		text, word string
		look       ink
	}{
		"python":     {"def f(x):\n  return 'a' # c\n", "def", inkKeyword},
		"javascript": {"const a = function() { return 'x' }\n", "'x'", inkString},
		"typescript": {"interface A { b: string }\n", "interface", inkKeyword},
		"go":         {"package main\nfunc main() { x := \"a\\n\" }\n", "func", inkKeyword},
		"rust":       {"fn main() { let x = 1; }\n", "fn", inkKeyword},
		"java":       {"public class A { int x = 1; }\n", "public", inkKeyword},
		"c":          {"int main() { return 0; /* c */ }\n", "/* c */", inkComment},
		"sh":         {"if [ -f x ]; then echo \"y\"; fi\n", "then", inkKeyword},
		"sql":        {"SELECT a FROM b WHERE c = 1\n", "SELECT", inkKeyword},
		"yaml":       {"a: b\n# c\n", "# c", inkComment},
		"toml":       {"[a]\nb = \"c\"\n", "\"c\"", inkString},
		"ini":        {"[a]\nb = c\n; d\n", "; d", inkComment},
		"diff":       {"--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n", "+new", inkAdded},
		"css":        {"a { color: red; } /* c */\n", "/* c */", inkComment},
		"html":       {"<p class=\"x\">y<script>var z = 1</script></p>\n", "p", inkKey},
		"xml":        {"<a b=\"c\">d</a>\n", "a", inkKey},
	}
	if len(samples) != len(languages) {
		t.Errorf("%d samples for %d languages", len(samples), len(languages))
	}
	for _, l := range languages {
		name, _, _ := strings.Cut(l.names, " ")
		s, ok := samples[name]
		if !ok {
			t.Errorf("no sample of %s", name)
			continue
		}
		src := newText([]byte(s.text), nil)
		src.lexing = lex(src.t, "text/x-"+name, "")
		if runs := readAll(src.lexing); len(runs) == 0 || int(runs[len(runs)-1].end) != len(s.text) {
			t.Errorf("%s: runs %v for %d bytes", name, runs, len(s.text))
			continue
		}
		if look, _ := src.look(int32(strings.Index(s.text, s.word))); look != s.look {
			t.Errorf("%s: %q has look %d, want %d", name, s.word, look, s.look)
		}
	}
	// Lexers inside lexers work too.
	html := samples["html"].text
	src := newText([]byte(html), nil)
	src.lexing = lex(src.t, "text/html", "")
	if look, _ := src.look(int32(strings.Index(html, "var"))); look != inkKeyword {
		t.Errorf("script inside HTML has look %d", look)
	}
}

func TestTheLexerFollowsTypeAndName(t *testing.T) {
	for _, c := range []struct{ mime, name, want string }{
		{"text/x-python; charset=utf-8", "", "Python"}, {"TEXT/HTML", "", "HTML"}, {"application/javascript", "", "JavaScript"}, {"image/svg+xml", "", "XML"},
		{"application/vnd.x+xml", "", "XML"}, {"text/plain", "file:///src/main.rs?x#y", "Rust"}, {"", "A.YAML", "YAML"}, {"text/plain", "notes", ""}, {"", "", ""},
		{"application/octet-stream", "x.bin", ""}, {"broken;;", "a.go", "Go"},
	} {
		got := ""
		if l := lexerFor(c.mime, c.name); l != nil {
			got = l.Config().Name
		}
		if got != c.want {
			t.Errorf("%q %q: %q, want %q", c.mime, c.name, got, c.want)
		}
	}
	for mime, want := range map[string]bool{"application/json": true, "text/json; charset=utf-8": true, "application/ld+json": true, "application/jsonl": false, "": false} {
		if IsJSON(mime) != want {
			t.Errorf("IsJSON(%q) is %v", mime, !want)
		}
	}
	if !IsMarkdown("text/markdown; variant=GFM") || IsMarkdown("text/plain") {
		t.Error("Markdown is not known by its type")
	}
}

func TestColoursKeepOffsets(t *testing.T) {
	for _, text := range []string{"x = 1\r\ny = 2\r\n", "x = '\xff\xfe' # ü\xc3", "s = \"日本\"", "\ufeffx = 1"} {
		runs := readAll(lex([]byte(text), "text/x-python", ""))
		if len(runs) == 0 || int(runs[len(runs)-1].end) != len(text) {
			t.Errorf("%q: runs %v for %d bytes", text, runs, len(text))
		}
	}
	big := bytes.Repeat([]byte("x = 'ü' # comment\n"), 20_000)
	theme, err := themes.Load("dark", "")
	if err != nil {
		t.Fatal(err)
	}
	styles := theme.Styles(colorprofile.TrueColor)
	p := Text(big, "text/x-python", "", styles)
	if first := p.Row(0, 0).Text; !strings.Contains(first, styles.String.Render("'ü'")) {
		t.Errorf("the first row is %q", first)
	}
	if src := p.src.(*text); src.lexing.end > 4096 {
		t.Errorf("%d bytes were read for one row", src.lexing.end)
	}
	if last := p.Row(p.Rows()-1, 0).Text; last != "x = 'ü' # comment" {
		t.Errorf("the last row, beyond the bound, is %q", last)
	}
}

func TestTextShowsTabsAsBlanks(t *testing.T) {
	p := Text([]byte("a\tb\r\n\x1b[31m\tend"), "text/plain", "", themes.Plain())
	p.SetLook(Look{Width: 30})
	compare(t, screen(p, 0), "a    b\n␛[31m    end\n")
	if got := p.Row(0, 2).Text; got != "   b" {
		t.Errorf("scrolled into the tab: %q", got)
	}
}
