package snap

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

func TestPictureOfAScreen(t *testing.T) {
	bold := lipgloss.NewStyle().Bold(true).Foreground(lipgloss.Color("#ff0000")).Background(lipgloss.Color("#001122"))
	screen := "ab " + bold.Render("red") + " end\n" + lipgloss.NewStyle().Underline(true).Render("漢字") + "<&>"
	p := Parse(screen, 12, 3)
	svg := p.SVG(`a "title" <b>`)
	for _, want := range []string{
		`aria-label="a &#34;title&#34; &lt;b&gt;"`,
		`fill="#001122"/>`, // the box behind
		`fill="#ff0000" textLength="25.2" lengthAdjust="spacingAndGlyphs" font-weight="bold">red</text>`,
		`text-decoration="underline">漢字</text>`,
		`&lt;&amp;&gt;`,
		`<rect width="100%" height="100%" rx="8" fill="#16181d"/>`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	readXML(t, svg)
	text := p.ANSI()
	if got := ansi.Strip(text); got != "ab red end\n漢字<&>\n\n" {
		t.Errorf("as text: %q", got)
	}
	if again := Parse(text, 12, 3).SVG(`a "title" <b>`); again != svg {
		t.Errorf("what is printed is another picture:\n%s\n%s", again, svg)
	}
	p.Fore, p.Back = lipgloss.Color("#111111"), lipgloss.Color("#eeeeee")
	if light := p.SVG(""); !strings.Contains(light, `rx="8" fill="#eeeeee"`) || !strings.Contains(light, `fill="#111111"`) {
		t.Errorf("the terminal's own colours are not in it:\n%s", light)
	}
}

// A screen that holds more than text and styles becomes a picture without it.
func TestHostileScreen(t *testing.T) {
	for _, hostile := range []string{
		"\x1b]0;title\x07x", "\x1b]52;c;aGk=\x07", "\x1b[2J\x1b[Hx", "\x1b[?1049h", "a\x00b\x9bc\x7f", "\x1bPq\x1b\\", "\u202ex\u2066", "</text><script>alert(1)</script>", "\x1b]8;;javascript:alert(1)\x07link\x1b]8;;\x07", "\xff\xfe", "a\rb\x08c\tc",
	} {
		p := Parse(hostile, 40, 2)
		svg, text := p.SVG(hostile), p.ANSI()
		readXML(t, svg)
		if strings.Contains(svg, "<script") || strings.Contains(svg, "javascript:alert(1)") && !strings.Contains(svg, `aria-label`) {
			t.Errorf("%q: %s", hostile, svg)
		}
		if rest := style.ReplaceAllString(text, ""); strings.ContainsFunc(rest, func(r rune) bool {
			return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
		}) {
			t.Errorf("%q is printed as %q", hostile, text)
		}
	}
}

// style is the only escape sequence that a picture prints.
var style = regexp.MustCompile(`\x1b\[[0-9;:]*m`)

// readXML fails the test unless the picture is well-formed and made of our elements.
func readXML(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok && !strings.Contains(" svg rect g text ", " "+e.Name.Local+" ") {
			t.Errorf("element %s", e.Name.Local)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a\x1b[1mb\x1b[0m\n漢", 3, 2)
	f.Fuzz(func(t *testing.T, screen string, w, h int) {
		w, h = 1+(w&63), 1+(h&15)
		p := Parse(screen, w, h)
		readXML(t, p.SVG(screen))
		if n := strings.Count(p.ANSI(), "\n"); n != h {
			t.Errorf("%d lines of %d", n, h)
		}
	})
}

func BenchmarkSVG(b *testing.B) {
	screen := strings.Repeat(strings.Repeat("\x1b[31mred\x1b[0m plain ", 20)+"\n", 60)
	for b.Loop() {
		Parse(screen, 200, 60).SVG("x")
	}
}
