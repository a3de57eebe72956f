package editor

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/themes"
	"mcploupe/ui/kit"
)

const orderSchema = `{"type":"object","required":["pay","customer"],"properties":{
  "note":{"type":["string","null"],"description":"for the kitchen"},
  "customer":{"type":"string","examples":["Ada"]},
  "gift":{"type":"boolean"},
  "speed":{"oneOf":[{"const":1,"title":"Slow boat"},{"const":5,"title":"Express"}],"default":1},
  "items":{"type":"array","items":{"$ref":"#/$defs/item"}},
  "pay":{"oneOf":[{"properties":{"method":{"const":"card"},"number":{"type":"string"}},"required":["method"]},
                  {"properties":{"method":{"const":"invoice"},"address":{"type":"string"}},"required":["method"]}]}},
  "$defs":{"item":{"type":"object","properties":{"sku":{"enum":["a-1","a-2","b"]},"parts":{"type":"array","items":{"$ref":"#/$defs/item"}}},"required":["sku"]}}}`

// sizes of the pane on screens of 120×36 and 80×24.
var sizes = [][2]int{{81, 20}, {78, 11}}

// begin is an input with the order's schema; | in the text is the cursor.
func begin(t *testing.T, text string) *Input {
	t.Helper()
	before, after, _ := strings.Cut(text, "|")
	env := &kit.Env{Styles: themes.Plain(), Now: func() time.Time { return time.Unix(0, 0) }}
	in := NewInput(env, "order", jsondoc.Parse([]byte(orderSchema)).Root()).(*Input)
	in.SetValue([]byte(before + after))
	in.editor.Go(len(before))
	return in
}

func keyOf(k string) tea.KeyPressMsg {
	for name, msg := range map[string]tea.KeyPressMsg{"enter": {Code: tea.KeyEnter}, "esc": {Code: tea.KeyEscape}, "tab": {Code: tea.KeyTab}, "up": {Code: tea.KeyUp},
		"down": {Code: tea.KeyDown}, "left": {Code: tea.KeyLeft}, "right": {Code: tea.KeyRight}, "backspace": {Code: tea.KeyBackspace}, "end": {Code: tea.KeyEnd},
		"ctrl+f": {Code: 'f', Mod: tea.ModCtrl}, "ctrl+space": {Code: tea.KeySpace, Mod: tea.ModCtrl}, "ctrl+z": {Code: 'z', Mod: tea.ModCtrl},
		"ctrl+y": {Code: 'y', Mod: tea.ModCtrl}, "ctrl+l": {Code: 'l', Mod: tea.ModCtrl}, "f3": {Code: tea.KeyF3}, "f2": {Code: tea.KeyF2}} {
		if k == name {
			return msg
		}
	}
	return tea.KeyPressMsg{Text: k, Code: []rune(k)[0]}
}

// press plays keys as the app does: text first, else the row that the key means.
func press(t *testing.T, in *Input, keys ...string) {
	t.Helper()
	for _, k := range keys {
		if _, used := in.Text(keyOf(k)); used {
			continue
		}
		row := kit.Find(in.Rows(), k)
		if row == nil || row.Off != "" {
			t.Fatalf("key %q means nothing now", k)
		}
		row.Do()
	}
}

func write(t *testing.T, in *Input, text string) {
	t.Helper()
	for _, r := range text {
		press(t, in, string(r))
	}
}

func holds(t *testing.T, in *Input, want string) {
	t.Helper()
	if got := shown(in.editor.buf); got != want {
		t.Errorf("the text is\n%s\nwant\n%s", got, want)
	}
}

// sees holds both sizes of the pane, with the line below it, against words.
func sees(t *testing.T, in *Input, words ...string) {
	t.Helper()
	for _, size := range sizes {
		screen := ansi.Strip(in.Draw(size[0], size[1]-1, true) + "\n" + in.Status(size[0]))
		for _, l := range strings.Split(screen, "\n") {
			if ansi.StringWidth(l) != size[0] {
				t.Errorf("%v: a line of %d cells: %q", size, ansi.StringWidth(l), l)
			}
		}
		for _, word := range words {
			if !strings.Contains(screen, word) {
				t.Errorf("%v: the editor does not show %q:\n%s", size, word, screen)
			}
		}
	}
}

func seesNot(t *testing.T, in *Input, words ...string) {
	t.Helper()
	screen := ansi.Strip(in.Draw(81, 20, true))
	for _, word := range words {
		if strings.Contains(screen, word) {
			t.Errorf("the editor shows %q:\n%s", word, screen)
		}
	}
}

// Names that are not there yet are offered where a name is written, those that must be first.
func TestNamesAreCompleted(t *testing.T) {
	in := begin(t, `{|}`)
	press(t, in, "enter")
	sees(t, in, "customer", "required · string", "pay", "note", "for the kitchen")
	lines := strings.Split(ansi.Strip(in.Draw(81, 20, true)), "\n")
	if !strings.Contains(lines[2], "customer") && !strings.Contains(lines[2], "pay") {
		t.Errorf("the required ones are not first:\n%s", strings.Join(lines, "\n"))
	}
	press(t, in, "tab")
	if got := in.editor.Text(); got != "{\n  \"customer\": \"\"\n}" {
		t.Errorf("taken: %s", got)
	}
	write(t, in, `Ada",`)
	holds(t, in, "{\n  \"customer\": \"Ada\",|\n}")
	press(t, in, "enter")
	write(t, in, `"g`)
	sees(t, in, "gift", "boolean")
	seesNot(t, in, "required · string", "note")
	press(t, in, "enter")
	sees(t, in, " true", " false") // its values follow at once
	press(t, in, "down", "enter")
	holds(t, in, "{\n  \"customer\": \"Ada\",\n  \"gift\": false|\n}")
	press(t, in, "ctrl+z", "ctrl+z")
	holds(t, in, "{\n  \"customer\": \"Ada\",\n  \"g|\n}")
}

func TestValuesAreCompleted(t *testing.T) {
	in := begin(t, `{"speed":|}`)
	press(t, in, "ctrl+space")
	sees(t, in, "1  Slow boat", "5  Express")
	press(t, in, "down", "enter")
	holds(t, in, `{"speed":5|}`)
	in = begin(t, `{"items":[{"sku": "b", "parts":[{"sku":|}]}]}`)
	press(t, in, `"`, "a")
	sees(t, in, `"a-1"`, `"a-2"`)
	press(t, in, "enter")
	holds(t, in, `{"items":[{"sku": "b", "parts":[{"sku":"a-1"|}]}]}`)
	in = begin(t, `{"note": |}`)
	write(t, in, "n")
	press(t, in, "tab")
	holds(t, in, `{"note": null|}`)
}

// A branch that the members there speak against offers nothing; a comma that is missing is written.
func TestCompletionKnowsTheBranch(t *testing.T) {
	in := begin(t, `{"pay": {"method": "invoice"|}}`)
	press(t, in, "ctrl+space")
	sees(t, in, "address")
	seesNot(t, in, "number")
	press(t, in, "enter")
	holds(t, in, `{"pay": {"method": "invoice", "address": "|"}}`)
	in = begin(t, "{\n  \"gift\": true\n  |\n}")
	press(t, in, "ctrl+space", "down", "down", "enter")
	if got := in.editor.Text(); !strings.HasPrefix(got, "{\n  \"gift\": true,\n  \"") || !in.editor.Document().Valid() && !strings.Contains(got, `: `) {
		t.Errorf("taken: %s", got)
	}
	in = begin(t, "{\n  \"customer\": \"\"\n  |\n}")
	write(t, in, `"gi`)
	press(t, in, "enter", "esc")
	holds(t, in, "{\n  \"customer\": \"\",\n  \"gift\": |\n}")
	in = begin(t, `{"|", "gift": true}`)
	write(t, in, "cu")
	press(t, in, "tab")
	holds(t, in, `{"customer": "|", "gift": true}`)
	in = begin(t, `{"cu|": 1}`)
	write(t, in, "s")
	press(t, in, "tab")
	holds(t, in, `{"customer"|: 1}`)
}

func TestWhatFollowsGetsItsComma(t *testing.T) {
	in := begin(t, "{\n  |\n  \"note\": null\n}")
	press(t, in, "ctrl+space", "down")
	write(t, in, `"gi`)
	press(t, in, "enter", "enter")
	holds(t, in, "{\n  \"gift\": true|,\n  \"note\": null\n}")
	in = begin(t, "{\n  |\n  \"note\": null\n}")
	write(t, in, `"cu`)
	press(t, in, "tab")
	holds(t, in, "{\n  \"customer\": \"|\",\n  \"note\": null\n}")
}

// The list belongs to the keys only once somebody types a word or asks: a break after a comma is a break.
func TestTheListIsNotInTheWay(t *testing.T) {
	in := begin(t, "{\n  \"gift\": true,|\n}")
	press(t, in, "enter")
	sees(t, in, "customer")
	press(t, in, "enter")
	holds(t, in, "{\n  \"gift\": true,\n  \n  |\n}")
	press(t, in, "esc")
	seesNot(t, in, "customer")
	press(t, in, "up", "up")
	holds(t, in, "{\n  |\"gift\": true,\n  \n  \n}")
}

func TestSearch(t *testing.T) {
	in := begin(t, "|{\n  \"Note\": \"note\",\n  \"x\": [\"NOTE\"]\n}")
	press(t, in, "ctrl+f")
	write(t, in, "note")
	sees(t, in, "find note", "1 of 3")
	press(t, in, "enter", "enter")
	sees(t, in, "3 of 3")
	press(t, in, "enter", "up")
	sees(t, in, "3 of 3")
	press(t, in, "backspace", "backspace", "backspace", "backspace")
	write(t, in, "NO")
	sees(t, in, "1 of 1")
	write(t, in, "X")
	sees(t, in, "not found")
	press(t, in, "backspace", "esc", "f3")
	if in.editor.buf.cur.line != 2 {
		t.Errorf("the cursor is at %v", in.editor.buf.cur)
	}
	write(t, in, "y") // letters are text again
	if !strings.Contains(in.editor.Text(), "yNOTE") {
		t.Errorf("typed: %s", in.editor.Text())
	}
}

// What is wrong is marked at its place while typing, with its words below, and walked through.
func TestProblemsStandBelowAndAreWalked(t *testing.T) {
	in := begin(t, "{\n  \"customer\": 5,\n  \"gift\": \"no\",\n  \"pay\": {\"method\":\"card\"}\n}|")
	sees(t, in, "✖ 2   \"customer\"", "✖ 3   \"gift\"", "line 2: customer: want a string, got 5 (1 more: f2)")
	press(t, in, "f2")
	sees(t, in, "✖ customer: want a string, got 5", "2:15")
	press(t, in, "f2")
	sees(t, in, `✖ gift: want a boolean, got "no"`)
	in.ShowProblem()
	if in.editor.buf.cur.line != 1 {
		t.Errorf("the first problem is not shown: %v", in.editor.buf.cur)
	}
	in = begin(t, `{"customer":"x","pay":{"method":"card"}|}`)
	sees(t, in, "✔ fits the schema", "1:40")
	write(t, in, ",")
	sees(t, in, "trailing comma")
}

func TestLayingOutKeepsTheCursorAtItsValue(t *testing.T) {
	in := begin(t, `{"customer":"A|da","n":1.50,"pay":{"method":"card"}}`)
	press(t, in, "ctrl+l")
	holds(t, in, "{\n  \"customer\": \"|Ada\",\n  \"n\": 1.50,\n  \"pay\": {\n    \"method\": \"card\"\n  }\n}")
	press(t, in, "ctrl+z")
	if got := in.editor.Text(); got != `{"customer":"Ada","n":1.50,"pay":{"method":"card"}}` {
		t.Errorf("undone: %s", got)
	}
}

// A closing bracket on a line of its own goes back to its level; a quote at the end of its string types over it.
func TestClosing(t *testing.T) {
	in := begin(t, "{\n  \"items\": [\n    1\n    |")
	write(t, in, "]")
	holds(t, in, "{\n  \"items\": [\n    1\n  ]|")
	press(t, in, "enter")
	write(t, in, "}")
	holds(t, in, "{\n  \"items\": [\n    1\n  ]\n}|")
	in = begin(t, `{"a": "x|"}`)
	write(t, in, `"`)
	holds(t, in, `{"a": "x"|}`)
	in = begin(t, `{"a": |"x"}`)
	write(t, in, `"`)
	holds(t, in, `{"a": "|"x"}`)
}

// The bracket at the cursor and its partner are found on other lines, and none inside of strings.
func TestBracketsMatch(t *testing.T) {
	b := at("{\n  \"a}\": [ 1, {|\"]\": 2 } ]\n}")
	p, q, ok := b.bracket()
	if !ok || b.offset(p) != 15 || b.offset(q) != 23 {
		t.Errorf("%v %v %v", b.offset(p), b.offset(q), ok)
	}
	b.Bottom()
	if p, q, ok = b.bracket(); !ok || q != (pos{0, 0}) || p != (pos{2, 0}) {
		t.Errorf("%v %v %v", p, q, ok)
	}
	if _, _, ok := at(`{"a|[": 1`).bracket(); ok {
		t.Error("a bracket in a string is none")
	}
	if _, _, ok := at(`|{"a": 1`).bracket(); ok {
		t.Error("a bracket that nothing closes has no partner")
	}
}

// A large text is read beside the screen: marks move with the text until then, and what was typed meanwhile counts.
func TestALargeTextIsReadBesideTheScreen(t *testing.T) { synctest.Test(t, largeText) }

func largeText(t *testing.T) {
	var jobs []func() func()
	in := begin(t, "")
	e := in.editor
	e.Later = func(work func() func()) { jobs = append(jobs, work) }
	run := func() {
		for len(jobs) > 0 {
			next := jobs[0]
			jobs = jobs[1:]
			next()()
		}
	}
	filler := strings.Repeat("    {\"sku\": \"b\"},\n", 8000)
	e.SetText("{\n  \"customer\": \"\", \"pay\": {\"method\": \"card\"}, \"items\": [\n" + filler + "    {\"sku\": \"b\"}\n  ],\n  \"gift\": 7\n}")
	sees(t, in, "reading…")
	run()
	sees(t, in, "line 8005: gift: want a boolean, got 7")
	e.buf.Top()
	e.buf.End()
	press(t, in, "enter")
	sees(t, in, "reading… ✖ line 8006: gift")
	e.buf.Bottom()
	e.buf.Left()
	e.buf.Left()
	press(t, in, "backspace")
	write(t, in, "true")
	in.Check() // sending does not wait for the pause
	if p := in.Problem(); strings.Contains(p, "gift") {
		t.Errorf("still %s", p)
	}
	run()
	if !e.settled() || e.check.running {
		t.Error("the reading does not come to an end")
	}
}

// The list fits what is drawn wherever the cursor stands, and no control character gets out of a schema.
func TestTheListFits(t *testing.T) {
	env := &kit.Env{Styles: themes.Plain()}
	in := NewInput(env, "", jsondoc.Parse([]byte("{\"properties\":{\"a\\u001b[2J\\u202e\":{\"description\":\"x\\u0007日本語日本語日本語日本語日本語日本語日本語日本語\"},\"ab\":{},\"ac\":{},\"ad\":{}}}")).Root()).(*Input)
	for _, size := range [][2]int{{81, 20}, {30, 4}, {12, 2}, {9, 1}} {
		for lines := range 6 {
			in.SetValue([]byte("{" + strings.Repeat("\n", lines)))
			in.editor.buf.Bottom()
			press(t, in, "ctrl+space")
			drawn := strings.Split(ansi.Strip(in.Draw(size[0], size[1], true)), "\n")
			if len(drawn) != size[1] {
				t.Fatalf("%d lines", len(drawn))
			}
			for _, l := range drawn {
				if ansi.StringWidth(l) != size[0] || strings.ContainsFunc(l, func(r rune) bool { return r < 0x20 || r == 0x7f || r == 0x202e }) {
					t.Errorf("%v: %q", size, l)
				}
			}
		}
	}
}

func TestWhatIsNotCheckedSaysSoOnce(t *testing.T) {
	in := NewInput(&kit.Env{Styles: themes.Plain()}, "", jsondoc.Parse([]byte(`{"properties":{"n":{"not":{"type":"string"}}},"required":["m"]}`)).Root()).(*Input)
	in.SetValue([]byte(`{"n":` + strings.Repeat("9", schema.MaxDigits+1) + `}`))
	if got := ansi.Strip(in.Status(80)); !strings.HasPrefix(got, "▲ not checked: ") || strings.Count(got, "not checked") != 1 {
		t.Error(got)
	}
	if got := in.Problem(); got != "" {
		t.Errorf("it keeps from sending: %s", got)
	}
	if got := ansi.Strip(in.Draw(80, 3, true)); strings.Contains(got, "✖") {
		t.Errorf("a line is marked:\n%s", got)
	}
}

// A paste may hold bytes that are no text: backspace takes them away one by one.
func TestSearchForWhatIsNoText(t *testing.T) {
	in := begin(t, `|{"note":"x"}`)
	press(t, in, "ctrl+f")
	in.Text(tea.PasteMsg{Content: "x\xff"})
	press(t, in, "backspace")
	sees(t, in, "find x", "1 of 1")
}
