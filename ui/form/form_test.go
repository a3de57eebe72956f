package form

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/themes"
	"mcploupe/ui/kit"
)

const weather = `{"type":"object","required":["location"],"properties":{
  "location":{"type":"string","description":"city name or postcode"},
  "units":{"enum":["metric","imperial"],"default":"metric"},
  "days":{"type":"integer","minimum":1,"maximum":14},
  "alerts":{"type":"boolean"},
  "near":{"type":"object","properties":{"lat":{"type":"number"},"lon":{"type":"number"}}},
  "tags":{"type":"array","items":{"type":"string"}},
  "note":{"type":["string","null"]}}}`

func form(t *testing.T, schema, value string) *Form {
	t.Helper()
	env := &kit.Env{Styles: themes.Plain(), Now: func() time.Time { return time.Unix(0, 0) }}
	f := New(env, "tool", jsondoc.Parse([]byte(schema)).Root()).(*Form)
	f.SetValue([]byte(value))
	return f
}

// press plays keys as the app does: text first while typing, else the row that the key means.
func press(t *testing.T, f *Form, keys ...string) kit.Intent {
	t.Helper()
	var last kit.Intent
	for _, k := range keys {
		msg := keyOf(k)
		if f.Typing() {
			if _, used := f.Text(msg); used {
				continue
			}
		}
		row := kit.Find(f.Rows(), msg.String())
		if row == nil {
			t.Fatalf("key %q means nothing", k)
		}
		if row.Off != "" {
			t.Fatalf("key %q is off: %s", k, row.Off)
		}
		last = row.Do()
	}
	return last
}

func keyOf(k string) tea.KeyPressMsg {
	for name, code := range map[string]rune{"enter": tea.KeyEnter, "up": tea.KeyUp, "down": tea.KeyDown, "tab": tea.KeyTab, "left": tea.KeyLeft, "right": tea.KeyRight, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete} {
		if k == name {
			return tea.KeyPressMsg{Code: code}
		}
	}
	return tea.KeyPressMsg{Text: k, Code: []rune(k)[0]}
}

func (f *Form) shown(w, h int) string { return ansi.Strip(f.Draw(w, h, true)) }

func TestFieldsHaveFourStates(t *testing.T) {
	f := form(t, weather, `{"location":"","note":null,"days":3}`)
	got := f.shown(120, 9)
	for _, want := range []string{
		"location *  ‹empty›", "units       ‹absent› ▾", "days        3", "note        null", "near        ‹absent›",
		"metric | imperial · default metric", "integer · 1 to 14", "city name or postcode", "[ send ]",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the form lacks %q:\n%s", want, got)
		}
	}
}

func TestTypingSplicesIntoTheText(t *testing.T) {
	f := form(t, weather, `{"x-own": 1.50e+3, "location": "Madrid"}`)
	press(t, f, "enter", "!", "enter") // type behind Madrid, and go to the field below: a choice
	press(t, f, "right", "down", "enter", "7", "esc")
	if got, want := string(f.Value()), `{"x-own": 1.50e+3, "location": "Madrid!", "units": "metric", "days": 7}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	press(t, f, "enter", "backspace", "esc")
	if got := string(f.Value()); strings.Contains(got, "days") {
		t.Errorf("a number with nothing left should be absent: %s", got)
	}
	press(t, f, "up", "x")
	if got, want := string(f.Value()), `{"x-own": 1.50e+3, "location": "Madrid!"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWhatIsWrongIsSaidAtTheField(t *testing.T) {
	f := form(t, weather, `{}`)
	if got := f.shown(100, 9); !strings.Contains(got, "✖ required") {
		t.Errorf("nothing says that location is required:\n%s", got)
	}
	f.SetValue([]byte(`{"location":"x","days": 99}`))
	if f.Problem() == "" || !strings.Contains(f.shown(100, 9), "✖") {
		t.Errorf("99 days pass: %q\n%s", f.Problem(), f.shown(100, 9))
	}
	press(t, f, "down", "down", "enter", "backspace", "backspace", "a", "esc")
	if got := string(f.Value()); !strings.Contains(got, `"days": "a"`) {
		t.Errorf("what does not fit is lost: %s", got)
	}
	if !strings.Contains(f.shown(100, 9), "want an integer") {
		t.Errorf("nothing says what is wanted:\n%s", f.shown(100, 9))
	}
}

func TestNestedPartsOpenInPlace(t *testing.T) {
	f := form(t, weather, `{"location":"x"}`)
	for f.row().label != "near" {
		press(t, f, "down")
	}
	press(t, f, "enter", "down", "enter", "4", "0", ".", "5", "esc")
	if got, want := string(f.Value()), `{"location":"x", "near": {"lat": 40.5}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for f.row().label != "tags" {
		press(t, f, "down")
	}
	press(t, f, "enter", "down", "enter", "a", "enter", "enter", "b", "esc")
	if got, want := string(f.Value()), `{"location":"x", "near": {"lat": 40.5}, "tags": ["a", "b"]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Case C31: a union at the root offers its branches, and writes the constants that tell them apart.
func TestAUnionOffersItsBranches(t *testing.T) {
	f := form(t, `{"type":"object","oneOf":[
	  {"properties":{"kind":{"const":"mail"},"to":{"type":"string"}},"required":["kind","to"]},
	  {"properties":{"kind":{"const":"sms"},"phone":{"type":"string"}},"required":["kind","phone"]}]}`, `{}`)
	if got := f.shown(80, 3); !strings.Contains(got, "not chosen") {
		t.Fatalf("no branch is offered:\n%s", got)
	}
	press(t, f, "right")
	if got, want := string(f.Value()), `{"kind": "mail"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := f.shown(80, 5); !strings.Contains(got, "to *") || strings.Contains(got, "phone") {
		t.Errorf("the fields are not the branch's:\n%s", got)
	}
	press(t, f, "right")
	if got, want := string(f.Value()), `{"kind": "sms"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestTheLastRowSends(t *testing.T) {
	f := form(t, `{"type":"object"}`, `{}`)
	if _, ok := press(t, f, "enter").(kit.Submit); !ok {
		t.Error("enter on a form without fields does not send")
	}
}

func TestRecursionEndsWhereNobodyOpens(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"root":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/n"}}}}}}`, `{}`)
	press(t, f, "enter", "down", "enter", "down", "enter")
	if got, want := string(f.Value()), `{"root": {"kids": [{}]}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestDrawIsExactlyAsLargeAsAsked(t *testing.T) {
	f := form(t, weather, "{\"location\":\"\\u001b[2J\\u202e日本\",\"days\":1e400,\"\\u0007odd\\n\":[1,{\"a\":\"\\u009b\"}]}")
	for _, size := range [][2]int{{120, 20}, {76, 6}, {40, 3}, {20, 2}} {
		lines := strings.Split(f.Draw(size[0], size[1], true), "\n")
		if len(lines) != size[1] {
			t.Errorf("%v: %d lines", size, len(lines))
		}
		for _, l := range lines {
			l = ansi.Strip(l)
			if ansi.StringWidth(l) != size[0] {
				t.Errorf("%v: %q is %d wide", size, l, ansi.StringWidth(l))
			}
			for _, r := range l {
				if r < 0x20 || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x202e {
					t.Errorf("%v: %q holds %U", size, l, r)
				}
			}
		}
	}
}

// Suggestions stand below their field, are walked through and taken by keys or the mouse, and never hide the field.
func TestSuggestionsStandBelowTheirField(t *testing.T) {
	f := form(t, weather, `{}`)
	press(t, f, "enter", "M")
	if name, text, ok := f.Typed(); name != "location" || text != "M" || !ok {
		t.Errorf("typed are %q %q %v", name, text, ok)
	}
	many := []string{"Madrid", "Malaga", "Mainz", "M\u202e4", "Minsk", "Muscat", "Mumbai"}
	f.Suggest(&kit.Suggestions{Values: many, Note: "7 of 900"})
	for _, h := range []int{1, 2, 3, 8, 20} {
		lines := strings.Split(f.shown(80, h), "\n")
		if len(lines) != h || !strings.Contains(lines[0], "location") {
			t.Errorf("at height %d:\n%s", h, strings.Join(lines, "\n"))
		}
		if h > 2 && !strings.Contains(lines[1], "Madrid") || h == 20 && !strings.Contains(lines[6], "7 of 900") {
			t.Errorf("at height %d the suggestions are not below:\n%s", h, strings.Join(lines, "\n"))
		}
	}
	for range 6 {
		f.offers.walk(1)
	}
	if got := f.shown(80, 12); !strings.Contains(got, "▸ Muscat") || strings.Contains(got, "Madrid") || !strings.Contains(got, "M‹RLO›4") {
		t.Errorf("after walking:\n%s", got)
	}
	press(t, f, "tab")
	if got := string(f.Value()); got != `{"location": "Muscat"}` || !f.Typing() {
		t.Errorf("taken: %s", got)
	}
	f.Suggest(&kit.Suggestions{Values: many})
	f.Click(20, 3, tea.MouseClickMsg{Button: tea.MouseLeft})
	if got := string(f.Value()); got != `{"location": "Mainz"}` {
		t.Errorf("clicked: %s", got)
	}
	f.Suggest(&kit.Suggestions{Values: many})
	press(t, f, "esc")
	if got := f.shown(80, 12); strings.Contains(got, "Minsk") {
		t.Errorf("suggestions are left when nobody types:\n%s", got)
	}
}

func TestASchemaThatIsNotCheckedSaysSoOnce(t *testing.T) {
	f := form(t, `{"type":"object","description":"`+strings.Repeat("x", schema.MaxBytes)+`"}`, `{}`)
	if !strings.HasPrefix(f.unchecked, "not checked: ") || strings.Count(f.unchecked, "not checked") != 1 {
		t.Error(f.unchecked)
	}
}

// A condition may refer to definitions. One that refers to anything else is not decided, and neither its then nor its else is
// shown to hold.
func TestConditionsThatReferElsewhere(t *testing.T) {
	for ref, want := range map[string]string{"#/$defs/yes": "/b", "#/properties/a": ""} {
		for value, want := range map[string]string{`{"a":"x"}`: want, `{"a":"y"}`: map[string]string{"/b": "/c"}[want]} {
			f := form(t, `{"type":"object","properties":{"a":{"type":"string"}},"if":{"$ref":"`+ref+`"},"then":{"properties":{"b":{"type":"string"}},"required":["b"]},
				"else":{"properties":{"c":{"type":"string"}},"required":["c"]},"$defs":{"yes":{"properties":{"a":{"const":"x"}},"required":["a"]}}}`, value)
			got := ""
			for _, r := range f.rows {
				if r.at == "/b" || r.at == "/c" {
					got += string(r.at)
				}
			}
			if got != want {
				t.Errorf("%s, %s: %q, want %q", ref, value, got, want)
			}
		}
	}
}

// What was chosen for one element is not taken for another that comes to stand in its place.
func TestRemovingAnElementLeavesTheKindsOfOthersAlone(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"x":{"type":"array","items":{"anyOf":[
		{"title":"One","type":"object","properties":{"a":{"type":"string"}}},{"title":"Two","type":"object","properties":{"b":{"type":"string"}}}]}}}}`, `{"x":[{},{},{"b":"v"}]}`)
	if !f.find("/x/1", container) {
		t.Fatal("no element")
	}
	f.goWay(f.row(), f.ways(f.describe(f.row()))[0])
	if !f.find("/x/0", container) {
		t.Fatal("no element")
	}
	f.leaveOut()
	for i := range f.rows {
		if r := &f.rows[i]; r.at == "/x/1" && r.kind == container && r.kindWords() != "Two" {
			t.Errorf("%s is shown as kind %q", r.value.Raw(), r.kindWords())
		}
	}
}
