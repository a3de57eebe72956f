package meaning

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/inspect"
	"mcploupe/inspect/fields"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/themes"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// rowOf is the exchange of a script, judged.
func rowOf(t testing.TB, script string) *book.Row {
	t.Helper()
	entries, err := wire.ParseScript(script)
	if err != nil {
		t.Fatal(err)
	}
	fold, in := wire.NewFold(), inspect.New(inspect.Options{})
	var row *book.Row
	for _, e := range entries {
		for _, x := range fold.Add(e) {
			v := in.See(&x)
			row = &book.Row{Ref: x.Ref(), X: x, V: v, Findings: v.All(), Method: x.Method()}
		}
	}
	return row
}

func page(t testing.TB, row *book.Row, ask kit.ExplainField) (*Pane, string) {
	t.Helper()
	p := New(&kit.Env{Styles: themes.Plain(), Now: time.Now}, row, ask)
	w, _ := p.Size(100, 2000)
	return p, ansi.Strip(p.Draw(w-4, 200, true))
}

const listed = `
> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
< {"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","annotations":{"readOnlyHint":true}},{"name":"b","annotations":{"readOnlyHint":true}},{"name":"c\u001b[31m"},{"name":"d","x\u202e":"\u001b]0;evil\u0007"}]}}
`

// What stands there is shown with what stands at the same place of its neighbours.
func TestSeenInTheList(t *testing.T) {
	row := rowOf(t, listed)
	_, text := page(t, row, kit.ExplainField{Row: row.Ref, Frame: 2, Path: "/result/tools/0/annotations/readOnlyHint"})
	for _, want := range []string{"ToolAnnotations.readOnlyHint · /result/tools/0/annotations/readOnlyHint · #1", "here         true", "in the list  true 2×  absent 2×", "Says that the tool changes nothing."} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if _, text := page(t, row, kit.ExplainField{Row: row.Ref, Frame: 2, Path: "/result/tools/0/name"}); !strings.Contains(text, "4 values, all different") {
		t.Error(text)
	}
}

// Of a very long list the beginning is counted, and nothing is said of the rest.
func TestSeenInALongList(t *testing.T) {
	var b strings.Builder
	for i := range mostSeen + 1 {
		fmt.Fprintf(&b, `,{"name":"tool%d","title":"same"}`, i)
	}
	row := rowOf(t, `
> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
< {"jsonrpc":"2.0","id":1,"result":{"tools":[`+b.String()[1:]+`]}}
`)
	for path, want := range map[jsondoc.Pointer]string{
		"/result/tools/7/name":  "in the list  2,000 values, all different, in the first 2,000 of 2,001",
		"/result/tools/7/title": `in the list  "same" 2000×, in the first 2,000 of 2,001`,
	} {
		if _, text := page(t, row, kit.ExplainField{Row: row.Ref, Frame: 2, Path: path}); !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

// Nothing that a server wrote reaches the terminal as it is.
func TestHostileNamesAndValues(t *testing.T) {
	row := rowOf(t, listed)
	for _, path := range []jsondoc.Pointer{"/result/tools/2/name", "/result/tools/3/x\u202e", "/result/tools/3"} {
		p, _ := page(t, row, kit.ExplainField{Row: row.Ref, Frame: 2, Path: path})
		raw := p.Draw(88, 60, true)
		head, right := p.Head(true)
		for _, bad := range []string{"\x1b]", "\x1b[31m", "\u202e", "\x07"} {
			if strings.Contains(raw+head+right, bad) {
				t.Errorf("%s: %q came through:\n%q", path, bad, raw)
			}
		}
	}
}

// Every entry can be set at any width, with everything of its text.
func TestEveryEntryCanBeSet(t *testing.T) {
	for _, e := range fields.All() {
		p, text := page(t, nil, kit.ExplainField{Name: e.Name})
		words := strings.Join(strings.Fields(text), "")
		for sentence := range strings.SplitSeq(e.Text, ". ") {
			plain := strings.Join(strings.Fields(strings.ReplaceAll(sentence, "`", "")), "")
			if !strings.Contains(words, plain) {
				t.Errorf("%s: the page lacks %q", e.Name, sentence)
			}
		}
		for _, w := range []int{20, 76} {
			for line := range strings.SplitSeq(ansi.Strip(p.Draw(w, 30, true)), "\n") {
				if kit.Width(line) > w {
					t.Errorf("%s at %d: %q", e.Name, w, line)
				}
			}
		}
	}
}

// A long list of long values is looked at in part only.
func BenchmarkSeen(b *testing.B) {
	row := rowOf(b, `
> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
< {"jsonrpc":"2.0","id":1,"result":{"tools":[`+strings.Repeat(`{"name":"x","description":"`+strings.Repeat("long ", 200)+`"},`, 5000)+`{"name":"y"}]}}`)
	b.ReportAllocs()
	for b.Loop() {
		page(b, row, kit.ExplainField{Row: row.Ref, Frame: 2, Path: "/result/tools/17/description"})
	}
}
