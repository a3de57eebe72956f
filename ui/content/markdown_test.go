package content

import (
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// besides is a view whose slow work waits until it is asked for.
func besides(t *testing.T, result string) (v *View, work func()) {
	t.Helper()
	var aside []func() func()
	v = New(&kit.Env{Styles: themes.Plain(), Aside: func(work func() func()) { aside = append(aside, work) }})
	d := jsondoc.Parse([]byte(`{"result":` + result + `}`))
	if !d.Valid() {
		t.Fatal(d.Faults)
	}
	v.Set(d.Root().Get("result"))
	return v, func() {
		t.Helper()
		if len(aside) != 1 {
			t.Fatalf("%d things are done beside the screen, want one at a time", len(aside))
		}
		next := aside[0]
		aside = aside[1:]
		next()()
	}
}

// However many widths there are while somebody drags, one is rendered at a time, and one that was rendered is not rendered again.
func TestLongMarkdownIsRenderedBesideTheScreen(t *testing.T) {
	long := jsondoc.Quote("# Title\n\n**bold** [a](b)\n\n" + strings.Repeat("words ", 2000))
	v, work := besides(t, `{"content":[{"type":"text","text":`+long+`},{"type":"text","text":`+long+`}]}`)
	holds(t, v.screen(80, 24), "rendering …")
	for w := 79; w >= 40; w-- {
		v.screen(w, 24)
	}
	work()
	holds(t, v.screen(40, 24), "Title", "bold a (b)", "words wor…") // as it was meanwhile
	work()
	if text := v.screen(40, 24); !strings.Contains(text, "Title") || strings.Contains(text, "…") {
		t.Errorf("it is rendered for another width:\n%s", text)
	}
	work() // the second part
	first := v.screen(40, 2000)
	v.screen(60, 24)
	work()
	v.screen(60, 24)
	work()
	if again := v.screen(40, 2000); again != first { // and nothing is left to be done
		t.Errorf("it is another text:\n%s", again)
	}
	v.screen(60, 24)
	v.screen(40, 24)
}

// Many small parts are not all rendered between a resize and its screen.
func TestManySmallMarkdownPartsAreRenderedInTurn(t *testing.T) {
	small := `{"type":"text","text":` + jsondoc.Quote("# Part\n\n**bold** [a](b)\n\n"+strings.Repeat("words ", 1000)) + `},`
	v, work := besides(t, `{"content":[`+strings.TrimSuffix(strings.Repeat(small, 12), ",")+`]}`)
	v.screen(80, 24)
	made := 0
	for _, b := range v.blocks {
		if f := b.form(); f != nil && !f.(*markdownForm).pending() {
			made++
		}
	}
	if made == 0 || made*6000 > soonMarkdown {
		t.Errorf("%d are rendered at once", made)
	}
	for range 12 - made {
		work()
		v.screen(80, 24)
	}
	for _, b := range v.blocks {
		if b.form().(*markdownForm).pending() {
			t.Error("one is left")
		}
	}
}

// What one reads stays under the cursor when all is broken anew.
func TestTheCursorStaysWhereItReads(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		text.WriteString("# Chapter [a](b) **bold** " + string(rune('A'+i%26)) + "\n\n" + strings.Repeat("words of it ", 20) + "\n\n")
	}
	v := shown(t, `{"content":[{"type":"text","text":`+jsondoc.Quote(text.String())+`},{"type":"text","text":"the last part"}]}`)
	v.screen(120, 24)
	v.press(t, "n")
	holds(t, v.screen(120, 24), "▾ 2 text", "the last part")
	holds(t, v.screen(50, 24), "▾ 2 text", "the last part")
	if b, _, _ := v.here(); b != v.blocks[1] {
		t.Error("the cursor is in another part")
	}
	holds(t, v.screen(120, 24), "▾ 2 text", "the last part")
}
