package visible

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscapeShowsWhatIsHidden(t *testing.T) {
	for _, c := range []struct{ name, in, line, text string }{
		{"plain", "Hello, wörld ✓ 日本", "Hello, wörld ✓ 日本", "Hello, wörld ✓ 日本"},
		{"escape sequence", "a\x1b[2Jb", "a␛[2Jb", "a␛[2Jb"},
		{"C1", "\u009b31m", "‹U+009B›31m", "‹U+009B›31m"},
		{"delete", "a\x7f", "a␡", "a␡"},
		{"nul", "\x00", "␀", "␀"},
		{"lines", "a\n\tb\r\n", "a␊␉b␍␊", "a\n    b␍\n"},
		{"direction", "user\u202eexe.txt", "user‹RLO›exe.txt", "user‹RLO›exe.txt"},
		{"isolate", "\u2066x\u2069", "‹LRI›x‹PDI›", "‹LRI›x‹PDI›"},
		{"zero width", "a\u200bb\u2060\ufeff", "a‹ZWSP›b‹WJ›‹BOM›", "a‹ZWSP›b‹WJ›‹BOM›"},
		{"tags", "ok\U000E0068\U000E0069\U000E007F", "ok‹TAG h›‹TAG i›‹U+E007F›", "ok‹TAG h›‹TAG i›‹U+E007F›"},
		{"bad bytes", "a\xff\xc3", "a‹xFF›‹xC3›", "a‹xFF›‹xC3›"},
		{"replacement character", "\ufffd", "\ufffd", "\ufffd"},
		{"C1 as raw byte", "\x9b", "‹x9B›", "‹x9B›"},
		{"line separator", "a\u2028b", "a‹LSEP›b", "a‹LSEP›b"},
		{"private use", "\ue000", "‹U+E000›", "‹U+E000›"},
		{"noncharacter", "\ufffe", "‹U+FFFE›", "‹U+FFFE›"},
		{"fillers", "\u3164\u2800", "‹HF›‹U+2800›", "‹HF›‹U+2800›"},
		{"family", "👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"},
		{"heart", "❤\ufe0f", "❤\ufe0f", "❤\ufe0f"},
		{"keycap", "1\ufe0f\u20e3", "1\ufe0f\u20e3", "1\ufe0f\u20e3"},
		{"joiner between letters", "a\u200db", "a‹ZWJ›b", "a‹ZWJ›b"},
		{"selectors behind a letter", "a\ufe0f\U000E0100", "a‹VS16›‹VS17›", "a‹VS16›‹VS17›"},
		{"second selector", "❤\ufe0f\ufe0f", "❤\ufe0f‹VS16›", "❤\ufe0f‹VS16›"},
		{"joiner at the end", "👨\u200d", "👨‹ZWJ›", "👨‹ZWJ›"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Escape(c.in); got != c.line {
				t.Errorf("Escape: %+q, want %+q", got, c.line)
			}
			if got := EscapeText(c.in); got != c.text {
				t.Errorf("EscapeText: %+q, want %+q", got, c.text)
			}
			if got := AppendEscaped([]byte("> "), []byte(c.in)); string(got) != "> "+c.line {
				t.Errorf("AppendEscaped: %+q", got)
			}
		})
	}
}

func TestFindTellsPlaceAndClass(t *testing.T) {
	got := Find("a\n\u200b\x1b\xff❤\ufe0f\U000E0041\u202e\u00ad")
	want := []Hit{
		{2, 0x200b, ZeroWidth}, {5, 0x1b, C0}, {6, utf8.RuneError, BadByte}, {13, 0xe0041, Tag},
		{17, 0x202e, Bidi}, {20, 0xad, Format},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if hits := Find("plain text, tabs\tand ünïcode 👨\u200d👩 \ufffd"); hits != nil {
		t.Errorf("found %v in harmless text", hits)
	}
}

func TestTagTextSpellsTheHiddenOrder(t *testing.T) {
	var b strings.Builder
	for _, r := range "call x" {
		b.WriteRune('a')
		b.WriteRune(0xe0000 + r)
	}
	if got := TagText(b.String()); got != "call x" {
		t.Errorf("got %q", got)
	}
	if got := TagText("nothing"); got != "" {
		t.Errorf("got %q", got)
	}
}

// Every code point is either safe or has a sign of safe ones, and every class has words.
func TestEverySignIsSafe(t *testing.T) {
	seen := map[Class]bool{}
	for r := rune(0); r <= utf8.MaxRune; r++ {
		class := ClassOf(r)
		seen[class] = true
		for _, s := range Sign(r) {
			if ClassOf(s) != Safe && utf8.ValidRune(r) {
				t.Fatalf("the sign of %U is %+q", r, Sign(r))
			}
		}
	}
	for class := Safe; class < BadByte; class++ {
		if !seen[class] || class.String() == "" {
			t.Errorf("no code point is a %v", class)
		}
	}
}

func FuzzEscape(f *testing.F) {
	for _, s := range []string{"a\x1b[0m", "\xff\u202e", "👨\u200d👩\ufe0f\u200d", "1\ufe0f\u20e3", "\U000E0001", "\r\n\t"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, out := range []string{Escape(s), strings.ReplaceAll(EscapeText(s), "\n", "")} {
			if !utf8.ValidString(out) {
				t.Fatalf("%+q is not UTF-8", out)
			}
			var before rune
			for _, r := range out {
				switch class := ClassOf(r); class {
				case Safe:
				case ZeroWidth, Variation:
					if !isPictograph(before) && before != vs16 && !strings.ContainsRune("0123456789#*", before) {
						t.Fatalf("%+q holds %U behind %U", out, r, before)
					}
				default:
					t.Fatalf("%+q holds %U, a %v", out, r, class)
				}
				before = r
			}
			if hits := Find(out); hits != nil {
				t.Fatalf("Find sees %v in %+q", hits, out)
			}
			if again := Escape(out); again != out {
				t.Fatalf("escaping %+q again gives %+q", out, again)
			}
		}
		if got := string(AppendEscaped(nil, []byte(s))); got != Escape(s) {
			t.Fatalf("AppendEscaped gives %+q, Escape %+q", got, Escape(s))
		}
	})
}

func BenchmarkAppendEscapedASCII(b *testing.B) {
	text := []byte(strings.Repeat("plain text as most of it is, ", 1000))
	b.SetBytes(int64(len(text)))
	var dst []byte
	for b.Loop() {
		dst = AppendEscaped(dst[:0], text)
	}
}
