package editor

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// Whatever is typed, in whatever text: the drawing fits and holds no control character, the list can be taken without harm,
// and undo leads back to the beginning.
func FuzzKeys(f *testing.F) {
	f.Add(`{"customer": "A", "items": [{"sku": "a-1"}]|}`, []byte(",\"g\x02\x00\x01"))
	f.Add("{|", []byte("\x00\x02\x00\x03\"\x02}\x06\x06"))
	f.Add("{\"a\x1b\": \"日本|\u202e\x9b\"}", []byte("\x05\x05[{\"\x02\x04]"))
	f.Fuzz(func(t *testing.T, text string, keys []byte) {
		if len(text) > 1000 || len(keys) > 60 {
			return
		}
		play(t, text, keys)
	})
}

func TestAnyKeys(t *testing.T) {
	const useful = "{}[]\":,,\"\"scgpn1t \x00\x00\x01\x01\x02\x02\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b"
	texts := []string{"{|}", `{"pay": {"method": "card"|}}`, "{\n  \"items\": [\n    {|}\n  ]\n}", "", "|]}\n\"é\x1b", `{"speed":|}`}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 80 {
		keys := make([]byte, 40)
		for k := range keys {
			keys[k] = useful[rnd.IntN(len(useful))]
		}
		play(t, texts[rnd.IntN(len(texts))], keys)
	}
}

func play(t *testing.T, text string, keys []byte) {
	t.Helper()
	in := begin(t, text)
	start := in.editor.Text()
	special := []string{"enter", "ctrl+space", "tab", "backspace", "down", "left", "up", "esc", "ctrl+f", "ctrl+l", "right", "end"}
	for _, k := range keys {
		name := string(rune(k & 0x7f))
		if k < 32 {
			name = special[int(k)%len(special)]
		} else if k >= 0x7f {
			name = "é"
		}
		in.Text(keyOf(name))
		lines := strings.Split(ansi.Strip(in.Draw(40, 8, true)), "\n")
		if len(lines) != 8 {
			t.Fatalf("%q in %q: %d lines", keys, text, len(lines))
		}
		for _, l := range append(lines, ansi.Strip(in.Status(40))) {
			if ansi.StringWidth(l) != 40 || strings.ContainsFunc(l, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x202e }) {
				t.Fatalf("%q in %q: line %q", keys, text, l)
			}
		}
		if c := in.editor.buf.cur; c.line >= len(in.editor.buf.lines) || c.col > len(in.editor.buf.lines[c.line]) {
			t.Fatalf("%q in %q: the cursor is at %v", keys, text, c)
		}
	}
	for in.editor.buf.Undo() {
	}
	// The first change was the one that set the text.
	in.editor.buf.Redo()
	if got := in.editor.Text(); got != start && start != "{}" {
		t.Fatalf("%q in %q: undo led to %q, not %q", keys, text, got, start)
	}
}
