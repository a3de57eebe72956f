package content

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// shown is a view of the result in a message, everything prepared.
func shown(t testing.TB, result string) *View {
	t.Helper()
	d := jsondoc.Parse([]byte(`{"result":` + result + `}`))
	if !d.Valid() {
		t.Fatalf("%v", d.Faults)
	}
	v := New(&kit.Env{Styles: themes.Plain()})
	v.Set(d.Root().Get("result"))
	return v
}

func (v *View) screen(w, h int) string {
	return ansi.Strip(strings.Join(v.Draw(w, h, false), "\n"))
}

func (v *View) press(t *testing.T, keys ...string) kit.Intent {
	t.Helper()
	var last kit.Intent
	for _, k := range keys {
		r := kit.Find(v.Rows(), k)
		if r == nil || r.Off != "" {
			t.Fatalf("%s does nothing: %+v", k, r)
		}
		last = r.Do()
	}
	return last
}

func holds(t *testing.T, text string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("no %q in\n%s", w, text)
		}
	}
}

// picture is a PNG of w × h pixels, white above and black below, as Base64.
func picture(w, h int) string {
	m := image.NewGray(image.Rect(0, 0, w, h))
	for y := range h / 2 {
		for x := range w {
			m.SetGray(x, y, color.Gray{Y: 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

func TestEachPartIsShownAsWhatItIs(t *testing.T) {
	v := shown(t, `{"content":[
		{"type":"text","text":"plain\ttext\nof two lines","annotations":{"audience":["user","assistant"],"priority":0.5,"lastModified":"2026-01-02"}},
		{"type":"text","text":"# Title\n\n**bold** and a [link](http://x)"},
		{"type":"image","mimeType":"image/jpeg","data":"`+picture(4, 4)+`"},
		{"type":"audio","mimeType":"audio/wav","data":"`+base64.StdEncoding.EncodeToString([]byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00\x01\x00\x08\x00data\x04\x00\x00\x00abcd"))+`"},
		{"type":"resource_link","uri":"file:///x.go","name":"x","title":"The X","description":"What x is","mimeType":"text/x-go","size":1234567},
		{"type":"resource","resource":{"uri":"file:///y.go","mimeType":"text/x-go","text":"package y"}},
		{"type":"resource","resource":{"uri":"file:///z","blob":"AAECfn8="}},
		{"type":"text","text":"[{\"a\":1,\"b\":\"x\"},{\"a\":22,\"b\":\"y\"}]"},
		{"type":"future","what":{"is":"this"}}]}`)
	text := v.screen(100, 80)
	holds(t, text, "▾ 1 text ─", "audience      user, assistant", "priority      0.5", "lastModified  2026-01-02", "plain    text\nof two lines",
		"▾ 2 text ─", "rendered · text · hex", "\nTitle\n", "bold and a link (http://x)",
		"▾ 3 image image/jpeg ─", "picture · hex", "PNG, 4 × 4 pixels", "▲ it is called image/jpeg, its bytes are PNG", "\n▀▀▀▀\n▀▀▀▀\n",
		"recording  WAV, 48 B", "plays for  0.5 ms", "sound      PCM, 8,000 Hz, mono, 8 bits, 64 kbit/s",
		"▾ 5 resource_link text/x-go ─", "URI          file:///x.go", "size         1.2 MB", "description  What x is",
		"▾ 6 resource text/x-go ─", "URI   file:///y.go", "package y",
		"bytes of no kind that is known here", "00000000  00 01 02 7e 7f", "···~·",
		"\n    a  b\n1   1  x\n2  22  y\n", `"what": { "is": "this" }`)
}

func TestATextThatRepeatsTheStructuredContentIsFolded(t *testing.T) {
	v := shown(t, `{"content":[{"type":"text","text":"{\"rows\":[{\"at\":1}],\"of\":\"x\"}"}],"structuredContent":{"of":"x","rows":[{"at":1}]}}`)
	text := v.screen(80, 24)
	holds(t, text, "▸ 1 text", "▾ structuredContent", "of  x", "rows · 1 row", "1   1")
	if strings.Count(text, "rows") != 1 {
		t.Errorf("it stands there twice:\n%s", text)
	}
	v.press(t, "space")
	holds(t, v.screen(80, 24), "▾ 1 text", "says  the same as structuredContent")
}

func TestALargeTextThatRepeatsTheStructuredContentIsFoldedToo(t *testing.T) {
	rows := strings.TrimSuffix(strings.Repeat(`{"at":1},`, 20_000), ",")
	v := shown(t, `{"content":[{"type":"text","text":`+jsondoc.Quote("[ "+rows+"]")+`},{"type":"text","text":`+jsondoc.Quote("["+rows+",1]")+`}],"structuredContent":[`+rows+`]}`)
	text := v.screen(80, 24)
	holds(t, text, "▸ 1 text", "▾ 2 text")
	if strings.Contains(text, "the same as") {
		t.Errorf("the second one is not the same:\n%s", text)
	}
}

func TestKeysTurnFoldAndWalk(t *testing.T) {
	v := shown(t, `{"content":[{"type":"text","text":"[{\"a\":{\"b\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35]}}]"},{"type":"image","mimeType":"image/png","data":"`+picture(2, 2)+`"}]}`)
	v.screen(60, 20)
	holds(t, v.screen(60, 20), "\n1  {")
	v.press(t, "t")
	holds(t, v.screen(60, 20), `"b": [`)
	v.press(t, "down", "down", "down", "space")
	holds(t, v.screen(60, 20), `…`)
	if got := v.Where(); got != "/result/content/0" {
		t.Errorf("where: %s", got)
	}
	v.press(t, "x")
	holds(t, v.screen(60, 20), "00000000  5b 7b 22 61")
	v.press(t, "x")
	holds(t, v.screen(60, 20), "\n1  {")
	if r := kit.Find(v.Rows(), "v"); r.Off == "" {
		t.Error("a table is viewed as a picture")
	}
	v.press(t, "n")
	show, ok := v.press(t, "v").(kit.ShowPicture)
	if !ok || show.Title != "2 image image/png" || !bytes.HasPrefix(show.Data, []byte("\x89PNG")) {
		t.Errorf("%+v", show)
	}
	w, ok := v.press(t, "W").(kit.Write)
	if !ok || w.Ext != ".png" || w.Text != string(show.Data) {
		t.Errorf("%q %q", w.Name, w.Ext)
	}
	v.press(t, "N", "space")
	holds(t, v.screen(60, 20), "▸ 1 text")
	v.Click(3, 0, tea.MouseClickMsg{Button: tea.MouseLeft})
	holds(t, v.screen(60, 20), "▾ 1 text")
	var words []string
	for _, r := range v.Copies() {
		words = append(words, r.Keys[0]+" "+r.Words)
	}
	if got := strings.Join(words, ", "); got != "y this part, p path of it" {
		t.Errorf("to copy: %s", got)
	}
}

func TestATableKeepsItsHeadInView(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, `,{"n":%d,"name":"row %d"}`, i, i)
	}
	v := shown(t, `{"structuredContent":[`+b.String()[1:]+`]}`)
	v.screen(60, 10)
	v.press(t, "G")
	lines := strings.Split(v.screen(60, 10), "\n")
	if !strings.HasPrefix(strings.TrimSpace(lines[0]), "n  name") || !strings.HasPrefix(lines[9], "200  199  row 199") {
		t.Errorf("%s", strings.Join(lines, "\n"))
	}
	if got := v.Where(); got != "/result/structuredContent/199  row 200 of 200" {
		t.Errorf("where: %s", got)
	}
	for range 250 {
		v.press(t, "up")
		v.screen(60, 10)
		if v.sticky() != "" && v.at == v.top {
			t.Fatalf("the cursor is under the head at %d", v.at)
		}
	}
	if v.at != 0 {
		t.Errorf("the cursor is at %d", v.at)
	}
	copied := kit.Copy{}
	v.press(t, "down", "down", "down")
	if r := kit.Find(v.Copies(), "y"); r != nil {
		copied, _ = r.Do().(kit.Copy)
	}
	if copied.Text != `{"n":1,"name":"row 1"}` {
		t.Errorf("copied %+v", copied)
	}
}

func TestWhatIsLargeIsPreparedBesideTheScreen(t *testing.T) {
	d := jsondoc.Parse([]byte(`{"content":[{"type":"text","text":"` + strings.Repeat("word ", 40_000) + `"},{"type":"image","mimeType":"image/png","data":"` + picture(1000, 400) + `"}]}`))
	var aside []func() func()
	v := New(&kit.Env{Styles: themes.Plain(), Aside: func(work func() func()) { aside = append(aside, work) }})
	v.Set(d.Root())
	holds(t, v.screen(80, 24), "reading 200 kB …", "reading")
	if r := kit.Find(v.Rows(), "t"); r.Off != "it is still being read" {
		t.Errorf("%+v", r)
	}
	if len(aside) != 1 {
		t.Fatalf("%d things are done at once", len(aside))
	}
	aside[0]()()
	then := aside[1]()
	holds(t, v.screen(80, 24), "word word")
	then()
	if len(aside) != 2 {
		t.Errorf("%d things were done", len(aside))
	}
	v.screen(80, 24)
	v.press(t, "n")
	holds(t, v.screen(80, 24), "PNG, 1,000 × 400 pixels", "▀▀▀▀")
}

func TestPicturesAreWordsWhereNothingCanBeDrawn(t *testing.T) {
	v := shown(t, `{"content":[{"type":"image","mimeType":"image/png","data":"`+picture(8, 8)+`"}]}`)
	v.env.Pictures = kit.PicturesShades
	holds(t, v.screen(80, 24), "@@@@@@@@")
	v.env.Pictures = kit.PicturesNone
	holds(t, v.screen(80, 24), "8 × 8 pixels", "pictures are not drawn")
}

func TestHostileContentIsNotObeyed(t *testing.T) {
	evil := "\x1b[2J\x1b]52;c;aGk=\a\u009b31m\r\x00\x7f\u202e\u200b\U000e0041\U0010eeee日本"
	q := jsondoc.Quote(evil)
	table := jsondoc.Quote(`[{` + q + `:` + q + `,"b":[` + q + `]},{` + q + `:1}]`)
	prose := jsondoc.Quote("# " + evil + "\n\n**" + evil + "** [" + evil + "](" + evil + ")\n\n| " + evil + " | b |\n|---|---|\n| " + evil + " | `" + evil + "` |\n```python\n" + evil + "\n```\n")
	blob := base64.StdEncoding.EncodeToString([]byte(evil))
	v := shown(t, `{"content":[{"type":`+q+`,"text":`+q+`,"annotations":{`+q+`:`+q+`,"audience":[`+q+`]}},{"type":"text","text":`+table+`},{"type":"text","text":`+prose+`},
		{"type":"image","mimeType":`+q+`,"data":"`+blob+`"},{"type":"image","mimeType":"image/png","data":`+q+`},{"type":"audio","mimeType":`+q+`,"data":"`+base64.StdEncoding.EncodeToString([]byte("RIFF\x1b[2JWAVE\x1b[2J"))+`"},
		{"type":"resource_link","uri":`+q+`,"name":`+q+`,"title":`+q+`,"description":`+q+`,"mimeType":`+q+`,"size":`+q+`},{"type":"resource","resource":{"uri":`+q+`,"mimeType":"application/json","text":`+q+`}},{"type":"resource","resource":{"uri":`+q+`,"mimeType":"text/plain","blob":"`+blob+`"}}],
		"structuredContent":{`+q+`:`+q+`,"t":[{`+q+`:`+q+`}]}}`)
	theme, err := themes.Load("dark", "")
	if err != nil {
		t.Fatal(err)
	}
	v.env.Styles = theme.Styles(colorprofile.TrueColor)
	for range 5 {
		for _, w := range []int{100, 32} {
			for _, line := range v.Draw(w, 400, true) {
				if n := ansi.StringWidth(line); n > w {
					t.Errorf("%d cells of %d: %q", n, w, ansi.Strip(line))
				}
				if hits := visible.Find(ansi.Strip(line)); len(hits) > 0 {
					t.Fatalf("%+v in %q", hits[0], line)
				}
			}
			if hits := visible.Find(v.Where()); len(hits) > 0 {
				t.Errorf("%+v in %q", hits[0], v.Where())
			}
		}
		for _, b := range v.blocks {
			v.turn(b, 1)
			if w, ok := b.write().(kit.Write); ok && strings.ContainsAny(w.Ext, "/\\\x1b") {
				t.Errorf("a file ends with %q", w.Ext)
			}
		}
	}
}

func TestMorePartsThanAreShown(t *testing.T) {
	v := shown(t, `{"content":[`+strings.TrimSuffix(strings.Repeat(`{"type":"text","text":"x"},`, maxBlocks+7), ",")+`]}`)
	v.screen(80, 20)
	v.press(t, "G")
	holds(t, v.screen(80, 20), "7 more parts are left out here; the Response has them all")
	if v.press(t, "N"); v.at != v.starts[maxBlocks-1] {
		t.Errorf("from what is left out part before leads to row %d, not to the last part at %d", v.at, v.starts[maxBlocks-1])
	}
	if n := len(v.Spots()); n < 5 {
		t.Errorf("%d places can be pressed", n)
	}
	holds(t, shown(t, `{"content":[]}`).screen(80, 5), "the content is empty")
}

// table is a result with a table of n rows.
func table(n int) string {
	var b strings.Builder
	b.WriteString(`{"structuredContent":[`)
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"at":"2026-11-30T11:46:%02dZ","value":%d.5,"good":true,"note":"row %d, with some words behind it as notes have them"}`, i%60, i%40, i)
	}
	b.WriteString(`]}`)
	return b.String()
}

func BenchmarkScreenOfATableOf50000Rows(b *testing.B) {
	v := shown(b, table(50_000))
	v.Draw(120, 36, true)
	for b.Loop() {
		v.move(97)
		if v.at >= v.total()-1 {
			v.Top()
		}
		v.Draw(120, 36, true)
	}
}

func BenchmarkScreenOf20MBInHex(b *testing.B) {
	v := New(&kit.Env{Styles: themes.Plain()})
	v.SetBytes([]Bytes{{"all", bytes.Repeat([]byte("0123456789\x00\x1b\xffabc"), 20<<20/16)}})
	for b.Loop() {
		v.move(9973)
		if v.at >= v.total()-1 {
			v.Top()
		}
		v.Draw(120, 36, true)
	}
}

func BenchmarkOpening20MB(b *testing.B) {
	for name, result := range map[string]string{"table": table(160_000), "base64": `{"content":[{"type":"resource","resource":{"uri":"x:/","blob":"` + strings.Repeat("AAECAwQF", 20<<20/8) + `"}}]}`} {
		d := jsondoc.Parse([]byte(result))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				v := New(&kit.Env{Styles: themes.Plain(), Aside: func(func() func()) {}})
				v.Set(d.Root())
				v.Draw(120, 36, true)
			}
		})
	}
}

func BenchmarkScreenOfManyParts(b *testing.B) {
	v := shown(b, `{"content":[`+strings.TrimSuffix(strings.Repeat(`{"type":"resource","resource":{"uri":"file:///a/b/c.txt","mimeType":"text/plain","text":"some words"},"annotations":{"audience":["user"],"priority":0.5}},`, maxBlocks), ",")+`]}`)
	for b.Loop() {
		kit.Find(v.Rows(), "down").Do()
		v.Path()
		v.Where()
		v.Draw(120, 36, true)
	}
}

// Working out how 2 MB of JSON wrap takes too long for a key: its lines are scrolled instead.
func TestLargeJSONIsScrolledSideways(t *testing.T) {
	long := strings.Repeat("x", 100) + "the end"
	v := shown(t, `{"structuredContent":{"rows":[[1]`+strings.Repeat(`,["`+long+`"]`, 20_000)+`]}}`)
	v.screen(60, 10)
	if strings.Contains(v.screen(60, 10), "the end") {
		t.Fatalf("it is wrapped:\n%s", v.screen(60, 10))
	}
	v.press(t, "down", "down", "down", "down", "down", "down")
	for range 10 {
		v.press(t, "right")
	}
	holds(t, v.screen(60, 10), "the end")
	for range 10 {
		v.press(t, "left")
	}
	holds(t, v.screen(60, 10), `"rows": [`)
}

func TestATableSaysThatItShowsOneOfSeveralValuesOfAName(t *testing.T) {
	v := shown(t, `{"content":[{"type":"text","text":"[{\"a\":1,\"b\":2,\"a\":3},{\"a\":4}]"},{"type":"text","text":"[{\"a\":1},{\"a\":1}]"}]}`)
	text := v.screen(100, 24)
	holds(t, text, "1  3  2\n", "a row has the name a more than once; the table shows its last value, JSON all")
	if strings.Count(text, "more than once") != 1 {
		t.Errorf("it is said of another one:\n%s", text)
	}
}

func TestAFootWithoutADrawing(t *testing.T) {
	v := shown(t, `{"content":[{"type":"text","text":"a"}]}`)
	if got := v.Where(); got != "/result/content/0" {
		t.Errorf("where: %s", got)
	}
}

// Only pictures in view are drawn: a change of the width must not cost what all of them cost.
func TestPicturesOutOfViewAreNotDrawn(t *testing.T) {
	v := shown(t, `{"content":[`+strings.TrimSuffix(strings.Repeat(`{"type":"image","mimeType":"image/png","data":"`+picture(40, 40)+`"},`, 20), ",")+`]}`)
	v.screen(80, 24)
	v.screen(60, 24)
	drawn := 0
	for _, b := range v.blocks {
		if f := b.made.forms[0].(*pictureForm); f.lines != nil {
			drawn++
		}
	}
	if drawn == 0 || drawn > 2 {
		t.Errorf("%d of %d are drawn", drawn, len(v.blocks))
	}
	v.press(t, "G")
	holds(t, v.screen(60, 24), "20 image", "▀▀▀")
}
