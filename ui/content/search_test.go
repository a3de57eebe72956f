package content

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/themes"
)

// typed opens the search and types.
func (v *View) typed(t *testing.T, text string) {
	t.Helper()
	v.press(t, "/")
	for _, r := range text {
		if !v.Text(tea.KeyPressMsg{Code: r, Text: string(r)}) {
			t.Fatalf("%c is not taken", r)
		}
	}
	v.screen(v.w, 20)
}

// under is the line under the cursor.
func (v *View) under(t *testing.T) string {
	t.Helper()
	lines := strings.Split(v.screen(v.w, 20), "\n")
	if v.at < v.top || v.at-v.top >= len(lines) {
		t.Fatalf("the cursor is out of view: %d from %d", v.at, v.top)
	}
	return strings.TrimSpace(lines[v.at-v.top])
}

func TestASearchGoesThroughAllParts(t *testing.T) {
	hex := base64.StdEncoding.EncodeToString([]byte("\x00\x01 of Madrid here\xff\xfe and more of it"))
	v := shown(t, `{"content":[
		{"type":"text","text":"one\ntwo madrid\nthree"},
		{"type":"resource_link","uri":"file:///x","name":"x","description":"the weather in Madrid"},
		{"type":"text","text":"# Title\n\nIt is warm in **Madrid** today, and there is a [link](http://x)."},
		{"type":"text","text":"[{\"at\":\"x\",\"deep\":{\"city\":\"Madrid\"}},{\"at\":\"Madrid\",\"deep\":null}]"},
		{"type":"text","text":"{\"a\":[1,{\"b\":\"in madrid\"}]}"},
		{"type":"resource","resource":{"uri":"x:/1","mimeType":"application/octet-stream","blob":"`+hex+`"}}]}`)
	v.screen(60, 20)
	v.typed(t, "madrid")
	holds(t, v.screen(60, 20), "/madrid", "1 of 7")
	for i, want := range []string{"two madrid", "description  the weather in Madrid", "It is warm in Madrid today, and there is a link (http://x).", `1  x       {"city":"Madrid"}`, "2  Madrid  null", `{ "b": "in madrid" }`, "00000000  00 01 20 6f"} {
		if i == 0 {
			v.Text(tea.KeyPressMsg{Code: tea.KeyEnter})
		} else {
			v.press(t, "n")
		}
		if got := v.under(t); !strings.Contains(got, want) {
			t.Errorf("hit %d is in %q, want %q", i+1, got, want)
		}
		holds(t, v.screen(60, 20), fmt.Sprintf("%d of 7", i+1))
	}
	v.press(t, "n")
	holds(t, v.screen(60, 20), "1 of 7")
	v.press(t, "N")
	holds(t, v.screen(60, 20), "7 of 7")
	v.press(t, ")") // n goes through hits now, and parts have a key all the same
	if b, _, _ := v.here(); b != v.blocks[0] {
		t.Error(") does not go to the next part")
	}
	v.press(t, "esc")
	if strings.Contains(v.screen(60, 20), "/madrid") {
		t.Error("the search does not end")
	}
	v.press(t, "n")
	if b, _, _ := v.here(); b != v.blocks[1] {
		t.Error("n does not go to the next part again")
	}
}

func TestWhatIsFoundIsShown(t *testing.T) {
	dark, err := themes.Load("dark", "")
	if err != nil {
		t.Fatal(err)
	}
	s := dark.Styles(colorprofile.TrueColor)
	v := shown(t, `{"content":[{"type":"text","text":"# A\n\n[l](x) words **of which** needle is one, and a needle"},{"type":"text","text":"[{\"a\":\"a needle here\",\"b\":1}]"},{"type":"text","text":"plain needle"}]}`)
	v.env.Styles = s
	v.screen(60, 20)
	v.typed(t, "needle")
	screen := strings.Join(v.Draw(60, 20, true), "\n")
	if on := s.MatchOn.Render("needle"); strings.Count(screen, on) != 1 {
		t.Errorf("the current hit is not lit:\n%q", screen)
	}
	if n := strings.Count(screen, s.Match.Render("needle")); n != 3 {
		t.Errorf("%d others are lit, want 3:\n%q", n, screen)
	}
}

// A folded part is unfolded, a folded value too, and a column that is out of view comes into it.
func TestWhatIsFoundComesIntoView(t *testing.T) {
	var wide strings.Builder
	for i := range 30 {
		fmt.Fprintf(&wide, `"column %d":"a value of column %d, which is long",`, i, i)
	}
	v := shown(t, `{"content":[{"type":"text","text":"see the needle"},{"type":"text","text":`+jsondoc.Quote(`[{`+wide.String()+`"last":"a needle","nothing":null}]`)+`},{"type":"text","text":"{\"a\":[1,{\"b\":[1,2,3,\"needle\"]}]}"}]}`)
	v.screen(60, 20)
	v.press(t, "space", "n", "n", "down", "down", "space")
	if text := v.screen(60, 20); strings.Contains(text, "needle") {
		t.Fatalf("it is in view:\n%s", text)
	}
	v.press(t, "g")
	v.typed(t, "needle")
	v.Text(tea.KeyPressMsg{Code: tea.KeyEnter})
	holds(t, v.under(t), "see the needle")
	v.press(t, "n")
	holds(t, v.under(t), "a needle")
	holds(t, v.screen(60, 20), "last")
	v.press(t, "n")
	holds(t, v.under(t), `"needle"`)
	holds(t, v.screen(60, 20), "3 of 3")
	v.press(t, "/")
	v.Text(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
	for _, r := range "column 28" {
		v.Text(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	v.Text(tea.KeyPressMsg{Code: tea.KeyEnter})
	holds(t, v.screen(60, 20), "1 of 2", "column 28") // its name, and its value
}

func TestWordsAreFoundOverTheEndsOfLines(t *testing.T) {
	v := shown(t, `{"content":[{"type":"text","text":"# A\n\n`+strings.Repeat("a [l](x) ", 3)+strings.Repeat("some more words ", 30)+`and then the needle in a haystack"}]}`)
	for w := 20; w < 60; w++ {
		v.screen(w, 20)
		if v.search.Pattern() == "" {
			v.typed(t, "needle in a hay")
		}
		holds(t, v.screen(w, 20), "1 of 1")
		for _, l := range v.Draw(w, 20, true) {
			if n := ansi.StringWidth(l); n > w {
				t.Fatalf("%d cells of %d: %q", n, w, l)
			}
		}
	}
}

func TestBytesAreFoundAsTheyAreWritten(t *testing.T) {
	v := shown(t, `{"content":[{"type":"resource","resource":{"uri":"x:/1","mimeType":"application/octet-stream","blob":"AAECA//+/QCJUE5H"}}]}`)
	v.screen(90, 20)
	v.typed(t, "ff fe")
	holds(t, v.screen(90, 20), "1 of 1")
	v.press2("esc")
	v.typed(t, "zz")
	holds(t, v.screen(90, 20), "not found")
}

// press2 gives a key to the search line.
func (v *View) press2(key string) {
	v.Text(tea.KeyPressMsg{Code: map[string]rune{"esc": tea.KeyEscape, "enter": tea.KeyEnter}[key]})
}

// Through much text it is looked beside the screen, one search at a time, whatever is typed meanwhile.
func TestMuchTextIsSearchedBesideTheScreen(t *testing.T) {
	rows := strings.Repeat(`{"at":"some words","value":1},`, 80_000)
	v, work := besides(t, `{"structuredContent":[`+rows+`{"at":"the needle","value":2}]}`)
	v.screen(80, 20)
	work() // it is read
	v.typed(t, "needle")
	holds(t, v.screen(80, 20), "/needle", "searching …")
	work() // for "n", which is not what is meant any more
	holds(t, v.screen(80, 20), "searching …")
	work()
	holds(t, v.screen(80, 20), "1 of 1", "80001  the needle      2")
	if got := v.Where(); got != "/result/structuredContent/80000  row 80,001 of 80,001" {
		t.Errorf("where: %s", got)
	}
	v.press2("enter") // which looks for nothing that is known
	holds(t, v.screen(80, 20), "1 of 1")
	v.press(t, "esc")
	v.screen(80, 20)
	v.typed(t, "words")
	work()
	work()
	holds(t, v.screen(80, 20), "1 of more than 9,999")
}

// What is searched for stays when another answer is shown, and is looked for there.
func TestASearchGoesOnInTheNextAnswer(t *testing.T) {
	v := shown(t, `{"content":[{"type":"text","text":"a needle"}]}`)
	v.screen(60, 20)
	v.typed(t, "needle")
	v.press2("enter")
	v.Set(jsondoc.Parse([]byte(`{"content":[{"type":"text","text":"two needles, needle"}]}`)).Root())
	holds(t, v.screen(60, 20), "2 found")
	v.press(t, "n")
	holds(t, v.screen(60, 20), "1 of 2")
	v.press(t, "t") // the same text in hex
	holds(t, v.screen(60, 20), "2 found")
	v.press(t, "n", "n")
	holds(t, v.screen(60, 20), "2 of 2")
}
