package form

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/ui/kit"
)

//go:embed testdata/schemas.json
var schemas []byte

// sizes of the pane on screens of 120×36 and 80×24.
var sizes = [][2]int{{81, 24}, {78, 12}}

// story begins with a form of one of the schemas and the text to begin with.
func story(t *testing.T, name, value string) *Form {
	t.Helper()
	s := jsondoc.Parse(schemas).Root().Get(name)
	if !s.Exists() {
		t.Fatalf("no schema %s", name)
	}
	return form(t, string(s.Raw()), value)
}

// on puts the cursor on the row of a place, as keys would.
func on(t *testing.T, f *Form, at string) {
	t.Helper()
	f.stop()
	if !f.find(jsondoc.Pointer(at), scalar) {
		t.Fatalf("no row for %s in\n%s", at, f.shown(100, 60))
	}
}

// typed presses the letters of a text.
func typed(t *testing.T, f *Form, text string) {
	t.Helper()
	for _, r := range text {
		press(t, f, string(r))
	}
}

func has(t *testing.T, f *Form, want string) {
	t.Helper()
	if got := string(f.Value()); got != want {
		t.Errorf("the text is %s\nwant        %s", got, want)
	}
}

func sees(t *testing.T, f *Form, words ...string) {
	t.Helper()
	for _, size := range sizes {
		screen := f.shown(size[0], size[1])
		for _, l := range strings.Split(screen, "\n") {
			if kit.Width(l) != size[0] {
				t.Errorf("%v: a line of %d cells: %q", size, kit.Width(l), l)
			}
		}
		for _, word := range words {
			if !strings.Contains(screen, word) {
				t.Errorf("%v: the form does not show %q:\n%s", size, word, screen)
			}
		}
	}
}

// Every field can be absent, null, empty, or hold a value, by keys, and says which.
func TestEveryStateIsReachedByKeys(t *testing.T) {
	f := story(t, "order", `{"customer":"Ada"}`)
	on(t, f, "/note")
	sees(t, f, "note        ‹absent›")
	press(t, f, "e")
	has(t, f, `{"customer":"Ada", "note": ""}`)
	sees(t, f, "note        ‹empty›")
	press(t, f, "N")
	has(t, f, `{"customer":"Ada", "note": null}`)
	sees(t, f, "note        null")
	press(t, f, "enter", "h", "i", "esc")
	has(t, f, `{"customer":"Ada", "note": "hi"}`)
	press(t, f, "x")
	has(t, f, `{"customer":"Ada"}`)
	// An array and an object have them too, and null goes where the schema does not allow it: provoking errors is the job.
	on(t, f, "/labels")
	press(t, f, "e")
	sees(t, f, "labels      ▾ ‹empty›")
	press(t, f, "N")
	has(t, f, `{"customer":"Ada", "labels": null}`)
	sees(t, f, "✖ want an object, got null")
	press(t, f, "enter") // from null it opens, as from absent
	has(t, f, `{"customer":"Ada", "labels": {}}`)
	press(t, f, "u", "u", "u")
	has(t, f, `{"customer":"Ada"}`)
	on(t, f, "/gift")
	press(t, f, "right")
	has(t, f, `{"customer":"Ada", "gift": true}`)
	press(t, f, "right", "right")
	has(t, f, `{"customer":"Ada"}`)
}

func TestDigitsStayAsTyped(t *testing.T) {
	for _, digits := range []string{"1.0", "1e3", "12345678901234567890", "-0", "0.10", "18446744073709551615"} {
		f := story(t, "order", `{}`)
		on(t, f, "/serial")
		press(t, f, "enter")
		typed(t, f, digits)
		has(t, f, `{"serial": `+digits+`}`)
		sees(t, f, digits)
	}
	f := story(t, "order", `{}`)
	on(t, f, "/serial")
	press(t, f, "enter")
	typed(t, f, "18446744073709551616")
	sees(t, f, "✖ want at most 18446744073709551615")
}

// A choice of few is switched, of many picked from a list that letters narrow; titles stand beside what is sent.
func TestChoices(t *testing.T) {
	f := story(t, "order", `{}`)
	on(t, f, "/speed")
	press(t, f, "enter")
	sees(t, f, "Slow boat", "Express", "1 · default", "leave it out")
	press(t, f, "e", "x", "p", "enter")
	has(t, f, `{"speed": 5}`)
	sees(t, f, "Express · 5")
	press(t, f, "enter", "esc")
	has(t, f, `{"speed": 5}`)
}

func TestArraysOfObjectsInPlace(t *testing.T) {
	f := story(t, "order", `{"x":1.50, "items":[]}`)
	on(t, f, "/items")
	press(t, f, "a")
	has(t, f, `{"x":1.50, "items":[{"sku":"","count":1}]}`)
	on(t, f, "/items/0/sku")
	press(t, f, "enter", "A", "esc")
	on(t, f, "/items/0")
	press(t, f, "left")
	sees(t, f, "▸ 2 members")
	press(t, f, "a") // another of its kind beside it
	has(t, f, `{"x":1.50, "items":[{"sku":"A","count":1}, {"sku":"","count":1}]}`)
	on(t, f, "/items/1")
	press(t, f, "K")
	has(t, f, `{"x":1.50, "items":[{"sku":"","count":1}, {"sku":"A","count":1}]}`)
	if f.row().at != "/items/0" {
		t.Errorf("the cursor stayed at %s", f.row().at)
	}
	press(t, f, "J", "x")
	has(t, f, `{"x":1.50, "items":[{"sku":"A","count":1}]}`)
	press(t, f, "u", "u", "u")
	has(t, f, `{"x":1.50, "items":[{"sku":"A","count":1}, {"sku":"","count":1}]}`)
	press(t, f, "U")
	has(t, f, `{"x":1.50, "items":[{"sku":"","count":1}, {"sku":"A","count":1}]}`)
	f = story(t, "mixed", `{"matrix":[[1,2],[3]]}`)
	on(t, f, "/matrix/1")
	press(t, f, "a")
	typed(t, f, "4")
	has(t, f, `{"matrix":[[1,2],[3, 4]]}`)
}

// What was typed for one branch is there again when it is chosen again, and undo takes the change back.
func TestUnionsKeepWhatWasTyped(t *testing.T) {
	f := story(t, "order", `{"extra": 1e2}`)
	on(t, f, "/pay")
	press(t, f, "enter")
	sees(t, f, "Card", "Invoice", `method = "points"`)
	press(t, f, "enter")
	has(t, f, `{"extra": 1e2, "pay": {"method":"card","number":""}}`)
	on(t, f, "/pay/number")
	press(t, f, "enter", "4", "2", "esc")
	on(t, f, "/pay")
	press(t, f, "t", "down", "enter")
	has(t, f, `{"extra": 1e2, "pay": {"method":"invoice"}}`)
	sees(t, f, "Invoice")
	press(t, f, "t", "up", "enter")
	has(t, f, `{"extra": 1e2, "pay": {"method":"card", "number": "42"}}`)
	press(t, f, "u", "u")
	has(t, f, `{"extra": 1e2, "pay": {"method":"card","number":"42"}}`)
}

// Kinds of single values: what is typed decides, and a key decides otherwise without losing the text.
func TestSingleKinds(t *testing.T) {
	f := story(t, "mixed", `{}`)
	on(t, f, "/id")
	press(t, f, "enter", "7")
	has(t, f, `{"id": 7}`)
	typed(t, f, "a")
	has(t, f, `{"id": "7a"}`)
	press(t, f, "backspace", "esc", "t")
	sees(t, f, "string, uuid", "integer")
	press(t, f, "up", "enter")
	has(t, f, `{"id": "7"}`)
	sees(t, f, "▲ does not look like a UUID")
	press(t, f, "esc", "t", "down", "enter")
	has(t, f, `{"id": 7}`)
	press(t, f, "esc")
	on(t, f, "/filter")
	press(t, f, "t")
	sees(t, f, "array of strings")
	press(t, f, "down", "enter")
	has(t, f, `{"id": 7, "filter": []}`)
	on(t, f, "/anything")
	press(t, f, "enter")
	typed(t, f, "true")
	has(t, f, `{"id": 7, "filter": [], "anything": true}`)
	press(t, f, "esc", "=")
	typed(t, f, "x")
	press(t, f, "esc", "u")
	press(t, f, "=", "backspace", "backspace", "backspace", "backspace")
	sees(t, f, "= ")
	typed(t, f, `{"a":[1.0]}`)
	press(t, f, "esc")
	has(t, f, `{"id": 7, "filter": [], "anything": {"a":[1.0]}}`)
	sees(t, f, "#0", "1.0")
}

func TestARecursiveSchemaOpensLevelByLevel(t *testing.T) {
	f := story(t, "tree", `{"root":{"name":"a"}}`)
	if n := len(f.rows); n != 5 {
		t.Errorf("%d rows for one level:\n%s", n, f.shown(80, 20))
	}
	on(t, f, "/root/left")
	press(t, f, "enter")
	has(t, f, `{"root":{"name":"a", "left": {"name":""}}}`)
	on(t, f, "/root/left/kids")
	press(t, f, "a", "left")
	f = form(t, `{"type":"object","properties":{"n":{"$ref":"#"}},"required":["n"]}`, `{}`)
	press(t, f, "enter")
	has(t, f, `{"n": {"n":{}}}`)
	sees(t, f, "✖ required")
	f = form(t, `{"type":"object","properties":{"n":{"$ref":"#/$defs/a"}},"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, `{}`)
	sees(t, f, "not checked")
}

// The schema's own suggestions stand below the field that is typed into; the clock's too.
func TestDefaultsAndExamplesAreSuggestions(t *testing.T) {
	f := story(t, "order", `{}`)
	on(t, f, "/customer")
	press(t, f, "enter")
	sees(t, f, "Ada  example", "Grace  example")
	press(t, f, "r")
	if screen := f.shown(80, 30); strings.Contains(screen, "Ada  example") {
		t.Errorf("what does not fit is still suggested:\n%s", screen)
	}
	press(t, f, "tab")
	has(t, f, `{"customer": "Grace"}`)
	press(t, f, "esc")
	on(t, f, "/due")
	press(t, f, "enter")
	sees(t, f, "1970-01-01  today")
	typed(t, f, "31.1.")
	sees(t, f, "▲ does not look like a date, as 2026-01")
	if f.Problem() != "" && strings.Contains(f.Problem(), "date") {
		t.Errorf("advice keeps it from being sent: %s", f.Problem())
	}
}

// An object that takes any name: a member is added, renamed and removed.
func TestMembersOfAnyName(t *testing.T) {
	f := story(t, "order", `{"labels":{"a":"1"}}`)
	on(t, f, "/labels")
	press(t, f, "a")
	typed(t, f, "b/c")
	press(t, f, "enter", "2", "esc")
	has(t, f, `{"labels":{"a":"1", "b/c": "2"}}`)
	press(t, f, "r", "backspace", "backspace", "enter")
	has(t, f, `{"labels":{"a":"1", "b": "2"}}`)
	press(t, f, "r", "backspace", "a")
	if say, _ := f.Text(keyOf("enter")); say == nil {
		t.Error("a name that is there already is taken twice")
	}
	press(t, f, "esc", "x")
	has(t, f, `{"labels":{"a":"1"}}`)
	on(t, f, "/metrics")
	press(t, f, "enter", "a")
	typed(t, f, "m_x")
	press(t, f, "enter", "5", "esc")
	has(t, f, `{"labels":{"a":"1"}, "metrics": {"m_x": 5}}`)
	press(t, f, "r", "backspace", "backspace", "enter")
	sees(t, f, `✖ the member "m" is not among`)
}

// Members that hold because of others are fields too.
func TestConditions(t *testing.T) {
	f := story(t, "mixed", `{"shape":{"kind":"circle"}}`)
	on(t, f, "/shape/radius")
	sees(t, f, "radius *", "✖ required")
	on(t, f, "/shape/kind")
	press(t, f, "right")
	on(t, f, "/shape/side")
	sees(t, f, "side *")
	if strings.Contains(f.shown(100, 40), "radius") {
		t.Error("the other case's field is still there")
	}
	on(t, f, "/id")
	press(t, f, "enter", "1", "esc")
	sees(t, f, "when *")
}

// Sending is refused at the field that is wrong, and the next problem is one key away.
func TestProblemsAreShownAndWalked(t *testing.T) {
	f := story(t, "order", `{"customer":"ada","items":[{"sku":"x","count":0}],"bogus":1}`)
	press(t, f, "G")
	f.ShowProblem()
	first := f.row().at
	seen := map[jsondoc.Pointer]bool{}
	for range 8 {
		seen[f.row().at] = true
		press(t, f, "n")
	}
	for _, at := range []jsondoc.Pointer{"/customer", "/items/0/count", "/pay", "/bogus"} {
		if !seen[at] {
			t.Errorf("%s was not walked: %v", at, seen)
		}
	}
	if first != "/customer" {
		t.Errorf("the first is %s", first)
	}
	on(t, f, "/items/0")
	press(t, f, "left")
	sees(t, f, "✖ count: want at least 1")
}

// Two hundred fields: found by letters, and a key costs the fields in view.
func TestAFieldAmongManyIsFound(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, `"f%d":{"type":"string","description":"about %d"},`, i, i)
	}
	f := form(t, `{"type":"object","properties":{`+b.String()+`"last":{"type":"integer"}}}`, `{}`)
	press(t, f, "/", "1", "9", "7")
	sees(t, f, "1 of 201", "f197")
	press(t, f, "enter")
	if f.row().at != "/f197" {
		t.Errorf("the cursor is at %s", f.row().at)
	}
	press(t, f, "G")
	sees(t, f, "[ send ]", "fits the schema")
}

// Large arguments are held against the schema beside the screen; what was found before stands until then, and sending waits.
func TestLargeArgumentsAreCheckedBesideTheScreen(t *testing.T) {
	synctest.Test(t, largeArguments)
}

func largeArguments(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"n":{"type":"integer","maximum":9},"rows":{"type":"array"}}}`, `{}`)
	var jobs []func() func()
	f.env.Aside = func(work func() func()) { jobs = append(jobs, work) }
	f.SetValue([]byte(`{"n":1,"rows":[` + strings.Repeat(`"xxxxxxxxxxxxxxxxxxxx",`, heavy/20) + `1]}`))
	on(t, f, "/n")
	press(t, f, "enter", "0")
	if f.Problem() != "" {
		t.Errorf("it was checked at once: %s", f.Problem())
	}
	for _, job := range jobs {
		job()()
	}
	sees(t, f, "✖ want at most 9, got 10")
	press(t, f, "backspace")
	sees(t, f, "✖ want at most 9")
	f.Check()
	if f.Problem() != "" {
		t.Errorf("after the check: %s", f.Problem())
	}
	f.closed["/rows"] = true
	f.layout()
	if n := len(f.rows); n != 3 {
		t.Errorf("%d rows", n)
	}
}

// Who comes to a form begins to type where something is wanted.
func TestArriving(t *testing.T) {
	f := story(t, "order", `{"customer":"","items":[]}`)
	f.Arrive()
	typed(t, f, "Ada")
	has(t, f, `{"customer":"Ada","items":[]}`)
	press(t, f, "esc", "up")
	f.Arrive()
	if f.Typing() || f.row().at != "/version" {
		t.Errorf("the cursor was moved to %s", f.row().at)
	}
}

// Elements that may be one of several kinds are chosen when they are added; a list is a place for the mouse too.
func TestElementsOfSeveralKinds(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"steps":{"type":"array","items":{"oneOf":[
		{"title":"Wait","type":"object","properties":{"do":{"const":"wait"},"s":{"type":"integer","default":5}},"required":["do","s"]},
		{"title":"Say","type":"object","properties":{"do":{"const":"say"},"text":{"type":"string"}},"required":["do","text"]}]}}}}`, `{}`)
	press(t, f, "a")
	sees(t, f, "Wait", "Say")
	press(t, f, "enter")
	has(t, f, `{"steps": [{"do":"wait","s":5}]}`)
	on(t, f, "/steps/0")
	press(t, f, "left", "a")
	f.shown(80, 20)
	f.Click(20, f.cur+2, tea.MouseClickMsg{Button: tea.MouseLeft})
	has(t, f, `{"steps": [{"do":"wait","s":5}, {"do":"say","text":""}]}`)
	on(t, f, "/steps/1")
	press(t, f, "K")
	on(t, f, "/steps/0")
	sees(t, f, "Say")
	press(t, f, "x", "u", "u")
	has(t, f, `{"steps": [{"do":"wait","s":5}, {"do":"say","text":""}]}`)
}

// The keys that walk through the schema's suggestions leave those for the arguments before alone.
func TestSuggestionsLeaveTheHistoryItsKeys(t *testing.T) {
	f := story(t, "order", `{}`)
	on(t, f, "/customer")
	press(t, f, "enter")
	rows := f.Rows()
	if kit.Find(rows, "ctrl+p") != nil || kit.Find(rows, "ctrl+down") == nil {
		t.Error("the suggestions have the keys of the history")
	}
	kit.Find(rows, "ctrl+down").Do()
	kit.Find(rows, "ctrl+down").Do()
	press(t, f, "tab")
	has(t, f, `{"customer": "Grace"}`)
}

// Undo ends the typing of a name, as it ends that of a value: enter adds again.
func TestUndoEndsNaming(t *testing.T) {
	f := form(t, `{"type":"object","additionalProperties":{"type":"string"}}`, `{}`)
	press(t, f, "enter", "a")
	if words := f.enterWords(); words != "name it" {
		t.Fatalf("while a name is typed enter does %q", words)
	}
	f.Undo()
	if words := f.enterWords(); words != "add" || f.Typing() {
		t.Errorf("after undo enter does %q", words)
	}
}

// The wheel moves up and down; sideways there is nothing to turn to.
func TestTheWheelMoves(t *testing.T) {
	f := form(t, weather, `{}`)
	f.shown(100, 12)
	for _, turn := range []struct {
		button tea.MouseButton
		want   int
	}{{tea.MouseWheelDown, 1}, {tea.MouseWheelRight, 1}, {tea.MouseWheelLeft, 1}, {tea.MouseWheelDown, 2}, {tea.MouseWheelUp, 1}} {
		if f.Click(5, 1, tea.MouseWheelMsg{Button: turn.button}); f.cur != turn.want {
			t.Errorf("after the wheel's %s the cursor is on row %d, not %d", turn.button, f.cur, turn.want)
		}
	}
}
