package highlight

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
	"mcploupe/themes"
)

func table(t testing.TB, text string, width int) *Table {
	t.Helper()
	tab := NewTable(jsondoc.Parse([]byte(text)).Root(), themes.Plain())
	if tab == nil {
		t.Fatalf("no table of %.80s", text)
	}
	tab.SetWidth(width)
	return tab
}

func drawn(t *Table) string {
	lines := []string{t.Head()}
	for k := range t.Rows() {
		lines = append(lines, t.Row(k, false))
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestAnArrayOfObjectsIsATable(t *testing.T) {
	tab := table(t, `[{"at":"12:00","value":8.3,"good":true},{"at":"12:01","value":-10,"good":false,"note":""},
		{"value":null,"at":"a\nb","note":{"deep":[1, 2]}},{"at":"x","at":"last wins"}]`, 60)
	compare(t, drawn(tab), `
   at         value  good   note
1  12:00        8.3  true   –
2  12:01        -10  false  ""
3  a␊b         null  –      {"deep":[1,2]}
4  last wins      –  –      –
`)
}

func TestATableThatIsTooWideScrollsByColumns(t *testing.T) {
	var b strings.Builder
	for i := range 12 {
		fmt.Fprintf(&b, `,"column %d":"%s"`, i, strings.Repeat("x", 30))
	}
	tab := table(t, `[{`+b.String()[1:]+`}]`, 60)
	if all, from, shown := tab.Columns(); all != 12 || from != 0 || shown >= 12 {
		t.Fatalf("%d of %d from %d", shown, all, from)
	}
	for range 20 {
		tab.Side(1)
		for _, l := range []string{tab.Head(), tab.Row(0, false), tab.Row(0, true)} {
			if w := ansi.StringWidth(l); w > 60 {
				t.Fatalf("%d cells: %q", w, l)
			}
		}
	}
	if !strings.Contains(tab.Head(), "column 11") {
		t.Errorf("the last column cannot be reached: %q", tab.Head())
	}
	for range 20 {
		tab.Side(-1)
	}
	if !strings.Contains(tab.Head(), "column 0") {
		t.Errorf("there is no way back: %q", tab.Head())
	}
	tab.SetWidth(1000)
	if _, from, shown := tab.Columns(); from != 0 || shown != 12 {
		t.Errorf("with room for all, %d are shown from %d", shown, from)
	}
}

func TestWhatIsNoTable(t *testing.T) {
	for _, text := range []string{``, `{}`, `[]`, `[1]`, `[{}]`, `[{"a":1},2]`, `"x"`} {
		if NewTable(jsondoc.Parse([]byte(text)).Root(), themes.Plain()) != nil {
			t.Errorf("%s is a table", text)
		}
	}
}

func TestATableObeysNobody(t *testing.T) {
	evil := jsondoc.Quote("\x1b[2J\u202e\x00日本\U000e0041" + strings.Repeat(`\`, 300) + strings.Repeat("é\x1b", 400))
	text := `[{` + evil + `:` + evil + `,"b":` + evil + `},{"b":[` + evil + `],"c":` + evil + `}]`
	for _, w := range []int{0, 1, 17, 40, 300} {
		tab := table(t, text, w)
		for _, l := range []string{tab.Head(), tab.Row(0, false), tab.Row(1, true), tab.Row(2, true), tab.Row(-1, false)} {
			if hits := visible.Find(l); len(hits) > 0 {
				t.Fatalf("width %d: %+v", w, hits[0])
			}
			if n := ansi.StringWidth(l); n > max(w, 40) {
				t.Errorf("width %d: %d cells", w, n)
			}
		}
	}
	var many strings.Builder
	for i := range maxColumns + 50 {
		fmt.Fprintf(&many, `,"c%d":1`, i)
	}
	if tab := table(t, `[{`+many.String()[1:]+`}]`, 80); tab.More() != 50 {
		t.Errorf("%d names without a column", tab.More())
	}
}

// readings is a table of n rows as JSON.
func readings(n int) []byte {
	b := []byte("[")
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"at":"2026-11-30T11:46:%02dZ","value":%d.3,"good":true,"note":"row %d with some words behind it, as notes have them"}`, i%60, i%40, i)
	}
	return append(b, ']')
}

func BenchmarkTableOf50000Rows(b *testing.B) {
	doc := jsondoc.Parse(readings(50_000))
	b.Run("open", func(b *testing.B) {
		for b.Loop() {
			NewTable(doc.Root(), themes.Plain())
		}
	})
	tab := NewTable(doc.Root(), themes.Plain())
	tab.SetWidth(120)
	b.Run("screen", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			for k := range 30 {
				tab.Row((i*97+k)%50_000, k == 3)
			}
		}
	})
}

func BenchmarkTableOf20MB(b *testing.B) {
	doc := jsondoc.Parse(readings(160_000))
	b.SetBytes(int64(len(doc.Text)))
	for b.Loop() {
		NewTable(doc.Root(), themes.Plain())
	}
}

func FuzzTable(f *testing.F) {
	f.Add(`[{"a":1,"b":"x"},{"b":null,"c":[1]}]`, 40)
	f.Add(`[{"\u0061":1,"a":2}]`, 3)
	f.Fuzz(func(t *testing.T, text string, width int) {
		tab := NewTable(jsondoc.Parse([]byte(text)).Root(), themes.Plain())
		if tab == nil {
			return
		}
		width = min(max(width, 0), 500)
		tab.SetWidth(width)
		for range 3 {
			for _, l := range []string{tab.Head(), tab.Row(0, true), tab.Row(tab.Rows()-1, false)} {
				if hits := visible.Find(l); len(hits) > 0 {
					t.Fatalf("%+v in %q", hits[0], l)
				}
			}
			tab.Side(1)
		}
	})
}

// A value must be found under its name however the name is written, also where its bytes are no text.
func TestAColumnOfABadNameHoldsItsValues(t *testing.T) {
	tab := table(t, "[{\"a\xff\":11},{\"a\xff\":22}]", 40)
	if all, _, _ := tab.Columns(); all != 1 {
		t.Errorf("%d columns", all)
	}
	if text := drawn(tab); !strings.Contains(text, "11") || !strings.Contains(text, "22") {
		t.Errorf("%s", text)
	}
}
