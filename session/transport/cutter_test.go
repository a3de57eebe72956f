package transport

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/session/ratiotest"
	"mcploupe/session/wire"
)

// cutAll feeds text in pieces of the given size and ends it.
func cutAll(text string, piece int, max int64) []*wire.Frame {
	c := newCutter(max)
	var out []*wire.Frame
	for p := []byte(text); len(p) > 0; {
		n := min(piece, len(p))
		out = append(out, c.Feed(p[:n])...)
		p = p[n:]
	}
	return append(out, c.End()...)
}

var shapeNames = []struct {
	shape wire.Shape
	name  string
}{
	{wire.ShapeCRLF, "crlf"}, {wire.ShapeBlank, "blank"}, {wire.ShapePretty, "pretty"}, {wire.ShapeGlued, "glued"}, {wire.ShapeLSP, "lsp"},
	{wire.ShapeNoise, "noise"}, {wire.ShapeUnterminated, "unterminated"}, {wire.ShapeCut, "cut"}, {wire.ShapeTruncated, "truncated"}, {wire.ShapeEncoding, "encoding"},
}

// tell writes a frame as a test reads it: "shapes [before] body".
func tell(f *wire.Frame) string {
	var shapes []string
	for _, s := range shapeNames {
		if f.Shape&s.shape != 0 {
			shapes = append(shapes, s.name)
		}
	}
	if f.Lines > 1 {
		shapes = append(shapes, fmt.Sprintf("%d lines", f.Lines))
	}
	if f.Dropped > 0 {
		shapes = append(shapes, fmt.Sprintf("%d dropped", f.Dropped))
	}
	before := ""
	if len(f.Before) > 0 {
		before = fmt.Sprintf("%q ", f.Before)
	}
	return strings.TrimSpace(strings.Join(shapes, ",") + ": " + before + string(f.Body))
}

func tellAll(frames []*wire.Frame) []string {
	var out []string
	for _, f := range frames {
		out = append(out, tell(f))
	}
	return out
}

const (
	one = `{"jsonrpc":"2.0","id":1,"result":{}}`
	two = `{"jsonrpc":"2.0","id":2,"result":{}}`
)

func TestCutterDeliversWhateverServersWrite(t *testing.T) {
	pretty := "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": {}\n}"
	lsp := func(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"two lines", one + "\n" + two + "\n", []string{": " + one, ": " + two}},
		{"nothing", "", nil},
		{"a banner", "weather-server 0.3 listening\n" + one + "\n", []string{"noise: weather-server 0.3 listening", ": " + one}},
		{"CRLF and blank lines", one + "\r\n\r\n  \r\n" + two + "\r\n", []string{"crlf: " + one, "crlf,blank:", "crlf,blank:", "crlf: " + two}},
		{"byte order mark", "\xEF\xBB\xBF" + one + "\n", []string{`: "\ufeff" ` + one}},
		{"no newline at the end", one + "\n" + two, []string{": " + one, "unterminated: " + two}},
		{"cut off at the end", one + "\n" + two[:20], []string{": " + one, "unterminated,truncated: " + two[:20]}},
		{"pretty-printed", pretty + "\n" + two + "\n", []string{"pretty,5 lines: " + pretty, ": " + two}},
		{"pretty-printed with CRLF", "{\r\n\"id\":1}\r\n" + two + "\n", []string{"crlf,pretty,2 lines: {\r\n\"id\":1}", ": " + two}},
		{"pretty-printed, no newline at the end", pretty, []string{"pretty,unterminated,5 lines: " + pretty}},
		{"pretty-printed, cut off", pretty[:30] + "\n", []string{"pretty,truncated,3 lines: " + pretty[:29]}},
		{"a raw newline in a string", "{\"jsonrpc\":\"2.0\",\"method\":\"a\nb\"}\n" + two + "\n", []string{"pretty,2 lines: {\"jsonrpc\":\"2.0\",\"method\":\"a\nb\"}", ": " + two}},
		{"glued", one + two + "\n", []string{"glued: " + one, "glued: " + two}},
		{"glued by a blank", one + " " + two + "\n", []string{"glued: " + one, "glued: " + two}},
		{"glued to a pretty one", one + pretty + "\n" + two + "\n", []string{"glued: " + one, "pretty,glued,5 lines: " + pretty, ": " + two}},
		{"pretty with one glued to it", pretty + two + "\n", []string{"pretty,glued,5 lines: " + pretty, "glued: " + two}},
		{"text behind a message", one + " done\n" + two + "\n", []string{"glued: " + one, "glued,noise: done", ": " + two}},
		{"text without newline before a message", "ready." + one + "\n" + two + "\n", []string{"noise,unterminated: ready.", ": " + one, ": " + two}},
		{"a logged message is none", "sent: " + one + "\n" + two + "\n", []string{"noise: sent: " + one, ": " + two}},
		{"log lines in brackets", "[INFO] starting [x]\n[12:00:01] up\n[1] one\n" + one + "\n", []string{"noise: [INFO] starting [x]", "noise: [12:00:01] up", "noise: [1] one", ": " + one}},
		{"an object that is no message", `{"ok":true}` + "\n" + one + "\n", []string{`: {"ok":true}`, ": " + one}},
		{"values that are no objects", "42\nnull\n\"x\"\n", []string{"noise: 42", "noise: null", `noise: "x"`}},
		{"a batch", "[" + one + "," + two + "]\n", []string{": [" + one + "," + two + "]"}},
		{"a pretty batch", "[\n" + one + ",\n" + two + "\n]\n", []string{"pretty,4 lines: [\n" + one + ",\n" + two + "\n]"}},
		{"broken JSON in one line", `{"jsonrpc":"2.0","id":1,"result":NaN}` + "\n" + two + "\n", []string{`: {"jsonrpc":"2.0","id":1,"result":NaN}`, ": " + two}},
		{"an object printed by a script", "{\n  name: 'x',\n}\n" + one + "\n", []string{"noise: {", "noise:   name: 'x',", "noise: }", ": " + one}},
		{"an open brace hides nothing", "{\n" + one + "\n" + two + "\n", []string{"noise: {", ": " + one, ": " + two}},
		{"an open bracket hides nothing", "[\n" + one + "\n" + two + "\n", []string{"noise: [", ": " + one, ": " + two}},
		{"a message cut off in a string hides nothing", one[:18] + "\n" + two + "\n", []string{"noise: " + one[:18], ": " + two}},
		{"a message cut off before a value hides nothing", `{"jsonrpc":"2.0","id":` + "\n" + two + "\n" + one + "\n", []string{`noise: {"jsonrpc":"2.0","id":`, ": " + two, ": " + one}},
		{"noise that opens, then a pretty message", "{\n" + pretty + "\n" + two + "\n", []string{"noise: {", "pretty,5 lines: " + pretty, ": " + two}},
		{"LSP framing", lsp(one) + lsp(two), []string{`lsp: "Content-Length: 36\r\n\r\n" ` + one, `lsp: "Content-Length: 36\r\n\r\n" ` + two}},
		{"LSP framing with newlines between", lsp(one) + "\n" + lsp(two) + "\n", []string{`lsp: "Content-Length: 36\r\n\r\n" ` + one, `lsp: "Content-Length: 36\r\n\r\n" ` + two}},
		{"LSP framing with more fields", "Content-Length: 36\nContent-Type: application/json\n\n" + one, []string{`lsp: "Content-Length: 36\nContent-Type: application/json\n\n" ` + one}},
		{"LSP length too great", "Content-Length: 99\n\n" + one + "\n" + two + "\n", []string{`lsp,truncated: "Content-Length: 99\n\n" ` + one, ": " + two}},
		{"LSP length in characters", "Content-Length: 20\n\n" + `{"x":"日本語日本語日本"}` + lsp(two), []string{`lsp: "Content-Length: 20\n\n" ` + `{"x":"日本語日本語日本"}`, `lsp: "Content-Length: 36\r\n\r\n" ` + two}},
		{"LSP body cut off", "Content-Length: 36\r\n\r\n" + one[:20], []string{`lsp,unterminated,truncated: "Content-Length: 36\r\n\r\n" ` + one[:20]}},
		{"LSP framing around broken JSON", lsp(`{"jsonrpc":NaN}`) + lsp(two), []string{"crlf,noise: Content-Length: 15", "crlf,blank:", `unterminated: {"jsonrpc":NaN}`, `lsp: "Content-Length: 36\r\n\r\n" ` + two}},
		{"a log line like an LSP header", "Content-Length: 5\n" + one + "\n", []string{"noise: Content-Length: 5", ": " + one}},
		{"HTTP headers in a log", "Content-Length: 500\n\n" + one + "\n" + two + "\n", []string{`lsp,truncated: "Content-Length: 500\n\n" ` + one, ": " + two}},
		{"NUL bytes before a message", "\x00" + one + "\n", []string{"noise,unterminated: \x00", ": " + one}},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}\n", []string{": {\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, piece := range []int{1 << 20, 1, 3, 7} {
				got := tellAll(cutAll(c.in, piece, 0))
				if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
					t.Errorf("in pieces of %d:\n got %q\nwant %q", piece, got, c.want)
				}
			}
		})
	}
}

// A message is delivered with its newline, not when something comes behind it.
func TestCutterDeliversAtOnce(t *testing.T) {
	c := newCutter(0)
	for i, step := range []struct{ in, want string }{
		{one[:5], ""}, {one[5:], ""}, {"\n", ": " + one},
		{"{\n", ""}, {"\"id\":1\n", ""}, {"}\n", "pretty,3 lines: {\n\"id\":1\n}"},
		{"[\n", ""}, {"garbage\n", "noise: [|noise: garbage"},
		{"Content-Length: 2\n", ""}, {"\n{", ""}, {"}", `lsp: "Content-Length: 2\n\n" {}`}, {"\n", ""},
		{"Content-Length: 2\n", ""}, {"\n{", ""}, {"}" + one + "\n", `lsp: "Content-Length: 2\n\n" {}|: ` + one},
	} {
		if got := strings.Join(tellAll(c.Feed([]byte(step.in))), "|"); got != step.want {
			t.Errorf("step %d, %q: got %q, want %q", i, step.in, got, step.want)
		}
	}
}

// A server that writes no newlines and then waits for us would wait for ever.
func TestCutterDeliversWithoutNewlineWhenIdle(t *testing.T) {
	type step struct{ in, want string } // in "" is a pause
	for name, steps := range map[string][]step{
		"a message":           {{one, ""}, {"", "unterminated: " + one}, {"\n" + two + "\n", ": " + two}},
		"never a newline":     {{one, ""}, {"", "unterminated: " + one}, {two, ""}, {"", "glued,unterminated: " + two}},
		"two":                 {{one + two, ""}, {"", "glued,unterminated: " + one + "|glued,unterminated: " + two}},
		"half a message":      {{one[:20], ""}, {"", ""}, {one[20:] + "\n", ": " + one}},
		"text":                {{"Password: ", ""}, {"", ""}},
		"pretty":              {{"{\n\"jsonrpc\":1\n}", ""}, {"", "pretty,unterminated,3 lines: {\n\"jsonrpc\":1\n}"}, {"\n" + two + "\n", ": " + two}},
		"an open bracket":     {{"[\n" + one + "\n", ""}, {"", "noise: [|: " + one}},
		"LSP, too long":       {{"Content-Length: 500\n\n" + one, ""}, {"", `lsp,truncated: "Content-Length: 500\n\n" ` + one}, {"\n" + two + "\n", ": " + two}},
		"LSP, not closed":     {{"Content-Length: 500\n\n{\"a\":\n" + one + "\n", ""}, {"", "noise: Content-Length: 500|blank:|noise: {\"a\":|: " + one}},
		"CR before the pause": {{one + "\r", ""}, {"", "unterminated: " + one + "\r"}, {"\n" + two + "\n", ": " + two}},
	} {
		c := newCutter(0)
		for i, s := range steps {
			var frames []*wire.Frame
			if s.in == "" {
				if waiting := c.Waiting(); waiting != (s.want != "") && s.want != "" {
					t.Errorf("%s, step %d: waiting %v", name, i, waiting)
				}
				frames = c.Idle()
			} else {
				frames = c.Feed([]byte(s.in))
			}
			if got := strings.TrimSpace(strings.Join(tellAll(frames), "|")); got != strings.TrimSpace(s.want) {
				t.Errorf("%s, step %d: got %q, want %q", name, i, got, s.want)
			}
		}
	}
}

func TestCutterKeepsHeadAndTailOfWhatIsTooLong(t *testing.T) {
	long := `{"jsonrpc":"2.0","id":1,"result":{"text":"` + strings.Repeat("é", 2000) + `"}}`
	big := func(f *wire.Frame, total int) {
		t.Helper()
		if f.Shape&wire.ShapeCut == 0 || f.Dropped <= 0 || len(f.Body)+int(f.Dropped) != total {
			t.Errorf("%s: %d bytes kept and %d dropped of %d", tell(f)[:60], len(f.Body), f.Dropped, total)
		}
		if len(f.Body) > 1000 || !bytes.HasPrefix(f.Body, []byte(`{`)) || !bytes.HasSuffix(f.Body, []byte(`}`)) {
			t.Errorf("kept %d bytes: %q … %q", len(f.Body), f.Body[:10], f.Body[len(f.Body)-10:])
		}
	}
	pretty := "{\n\"jsonrpc\":\"2.0\",\"result\":[\n" + strings.Repeat("1,\n", 2000) + "1]\n}"
	for _, piece := range []int{1 << 20, 1, 7, 997} {
		got := cutAll(long+"\r\n"+two+"\n", piece, 1000)
		if len(got) != 2 || tell(got[1]) != ": "+two || got[0].Shape&wire.ShapeCRLF == 0 || got[0].Shape&wire.ShapeNoise != 0 {
			t.Fatalf("one line: %q", tellAll(got))
		}
		big(got[0], len(long))
		if !strings.Contains(string(got[0].Body), "é") || strings.ContainsRune(string(got[0].Body), '\uFFFD') {
			t.Errorf("cut inside a character: %q", got[0].Body)
		}

		got = cutAll(pretty+"\n"+two+"\n", piece, 1000)
		if len(got) != 2 || tell(got[1]) != ": "+two || got[0].Lines != 2004 || got[0].Shape&wire.ShapePretty == 0 {
			t.Fatalf("many lines: %q", tellAll(got))
		}
		big(got[0], len(pretty))

		got = cutAll(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(long), long)+"Content-Length: 36\r\n\r\n"+two, piece, 1000)
		if len(got) != 2 || got[0].Shape != wire.ShapeCut|wire.ShapeLSP || !strings.HasSuffix(tell(got[1]), two) {
			t.Fatalf("LSP: %q", tellAll(got))
		}
		big(got[0], len(long))

		got = cutAll(strings.Repeat("x", 5000)+"\n"+two+"\n", piece, 1000)
		if len(got) != 2 || got[0].Shape != wire.ShapeCut|wire.ShapeNoise || tell(got[1]) != ": "+two {
			t.Fatalf("noise: %q", tellAll(got))
		}

		// A text that is too long and then turns out to be no JSON ends with its line.
		got = cutAll(pretty[:3000]+"!\n"+two+"\n", piece, 1000)
		if len(got) != 2 || tell(got[1]) != ": "+two {
			t.Fatalf("no JSON: %q", tellAll(got))
		}
	}
	if got := cutAll(strings.Repeat("y", 1000)+"\n", 1, 1000); len(got) != 1 || got[0].Shape != wire.ShapeNoise {
		t.Errorf("a line as long as the limit is whole: %q", tellAll(got))
	}
}

// Cutting costs no more than a check of the JSON, which everybody pays who reads it.
func TestCutterIsCheap(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	line := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"` + strings.Repeat("words and words, ", 100) + `"}],"structuredContent":{"temperature":22.5,"tags":["a","b"]}}}`
	text := strings.Repeat(line+"\n", 500)
	ratiotest.AtMost(t, 2, 100, func() (cut, check time.Duration) {
		check = ratiotest.Timed(func() {
			for l := range strings.Lines(text) {
				if !json.Valid([]byte(l)) {
					t.Error("not valid")
				}
			}
		})
		return ratiotest.Timed(func() { cutAll(text, 64<<10, 0) }), check
	})
}

// Nothing makes the cutter read the same bytes again and again.
func TestCutterIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	for name, unit := range map[string]string{
		"open brackets":       "[\n",
		"open objects":        "{\"a\":\n",
		"headers":             "Content-Length: 9\n",
		"empty LSP bodies":    "Content-Length: 9\n\n",
		"messages in noise":   "x" + one + "y",
		"braces in noise":     `x{"a":` + one,
		"cut messages":        one[:18] + "\n",
		"broken batches":      "[\n" + one + "\n",
		"batches in brackets": "[\n" + one + ",\n",
	} {
		small, large := strings.Repeat(unit, 500)+"!\n", strings.Repeat(unit, 8000)+"!\n"
		t.Run(name, func(t *testing.T) {
			ratiotest.AtMost(t, 80, 40, func() (much, little time.Duration) { // 16 times the text
				little = ratiotest.Timed(func() { cutAll(small, 64<<10, 0) })
				return ratiotest.Timed(func() { cutAll(large, 64<<10, 0) }), max(little, 250*time.Microsecond)
			})
		})
	}
}
