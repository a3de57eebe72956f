package form

import (
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/ratiotest"
)

// kindRow puts the cursor on a row that stands for a choice: the nth of an object, from 0.
func kindRow(t *testing.T, f *Form, at jsondoc.Pointer, nth int) {
	t.Helper()
	f.stop()
	for i := range f.rows {
		if f.rows[i].kind == branch && f.rows[i].at == at {
			if nth--; nth < 0 {
				f.cur = i
				return
			}
		}
	}
	t.Fatalf("no such choice at %s in\n%s", at, f.shown(100, 60))
}

// A union within the branch of another: each level of an object has a row, one below the other, and nothing is lost when
// the outer one is changed and changed back.
func TestAUnionWithinABranch(t *testing.T) {
	f := story(t, "nested", `{"filter":{"property":"Price","x":1.50}}`)
	kindRow(t, f, "/filter", 1)
	sees(t, f, "  kind        Property ▾", "    kind      ‹ not chosen ›")
	press(t, f, "right") // below the field of the outer branch stands the inner choice
	has(t, f, `{"filter":{"property":"Price","x":1.50}}`)
	sees(t, f, "kind      ‹ Number ›", "number *    ‹absent› ▾", "✖ required", "x           1.50")
	on(t, f, "/filter/number")
	press(t, f, "enter", "enter") // the list of its own kinds
	has(t, f, `{"filter":{"property":"Price","x":1.50, "number": {"equals":0}}}`)
	on(t, f, "/filter/number/equals")
	press(t, f, "enter", "backspace", "7", ".", "0", "esc")
	has(t, f, `{"filter":{"property":"Price","x":1.50, "number": {"equals": 7.0}}}`)
	kindRow(t, f, "/filter", 0)
	press(t, f, "left")
	has(t, f, `{"filter":{"x":1.50}}`)
	sees(t, f, "‹ All of ›", "and *", "✖ required")
	press(t, f, "left")
	has(t, f, `{"filter":{"x":1.50, "property": "Price", "number": {"equals": 7.0}}}`)
	sees(t, f, "‹ Property ›", "kind      Number ▾")
	if f.Problem() != "" {
		t.Error(f.Problem())
	}
	press(t, f, "u", "u", "u", "u", "u")
	has(t, f, `{"filter":{"property":"Price","x":1.50}}`)
}

// What is wrong is said of the branch that was chosen, on each level, not of the one that comes nearest.
func TestChecksFollowTheBranchesChosen(t *testing.T) {
	f := story(t, "nested", `{"filter":{"property":"Price"}}`)
	kindRow(t, f, "/filter", 1)
	press(t, f, "right", "right")
	sees(t, f, "kind      ‹ Checkbox ›", "checkbox *  ‹absent› ▾", "✖ required")
	if got := f.Problem(); got != "filter/checkbox: required" {
		t.Errorf("the problem is %q", got)
	}
	on(t, f, "/filter/checkbox")
	press(t, f, "=", "backspace")
	typed(t, f, `"x"`)
	press(t, f, "esc")
	sees(t, f, `✖ want a boolean, got "x"`)
	if n := strings.Count(f.shown(100, 30), "✖"); n != 3 { // the field's, beside send, and about the field under the cursor
		t.Errorf("%d marks:\n%s", n, f.shown(100, 30))
	}
}

// What is no object has its levels in one list: typed text chooses among single values, and what was typed for one kind is
// there again.
func TestAUnionWithinABranchOfSingleValues(t *testing.T) {
	f := story(t, "nested", `{}`)
	on(t, f, "/limit")
	sees(t, f, "string | Count · how much")
	press(t, f, "enter")
	sees(t, f, "string", "Count: integer", "Count: array of integers")
	press(t, f, "down", "enter", "7")
	has(t, f, `{"limit": 7}`)
	press(t, f, "esc", "N")
	has(t, f, `{"limit": null}`)
	if f.Problem() != "" {
		t.Error(f.Problem())
	}
	press(t, f, "t", "down", "down", "enter")
	has(t, f, `{"limit": []}`)
	press(t, f, "a")
	typed(t, f, "12")
	press(t, f, "esc")
	on(t, f, "/limit")
	press(t, f, "t", "up", "up", "enter")
	has(t, f, `{"limit": "[12]"}`)
	press(t, f, "esc", "t", "down", "down", "enter")
	has(t, f, `{"limit": [12]}`)
	press(t, f, "t", "i", "n", "t", "e", "g", "enter")
	typed(t, f, "0")
	sees(t, f, "✖ want at least 1, got 0")
}

// Elements and members of a nested union are chosen when they are added, through references, with the constants of their form.
func TestNestedUnionsAsElementsAndMembers(t *testing.T) {
	f := story(t, "nested", `{"steps":[{"do":"wait","s":1e0}]}`)
	on(t, f, "/steps")
	press(t, f, "a")
	sees(t, f, "Wait", "File: Read", "File: Write")
	press(t, f, "down", "down", "enter")
	has(t, f, `{"steps":[{"do":"wait","s":1e0}, {"do":"write","path":""}]}`)
	on(t, f, "/steps/1/path")
	press(t, f, "enter", "p", "esc")
	kindRow(t, f, "/steps/1", 1)
	sees(t, f, "kind    File ▾", "kind  ‹ Write ›")
	press(t, f, "left")
	has(t, f, `{"steps":[{"do":"wait","s":1e0}, {"do":"read","path":"p"}]}`)
	if f.Problem() != "" {
		t.Error(f.Problem())
	}
	kindRow(t, f, "/steps/1", 0)
	press(t, f, "left") // Wait: the file's members are put aside
	has(t, f, `{"steps":[{"do":"wait","s":1e0}, {"do":"wait"}]}`)
	press(t, f, "left")
	has(t, f, `{"steps":[{"do":"wait","s":1e0}, {"do":"read", "path": "p"}]}`)
	on(t, f, "/named")
	press(t, f, "a", "x", "enter", "down", "enter")
	has(t, f, `{"steps":[{"do":"wait","s":1e0}, {"do":"read", "path": "p"}], "named": {"x": {"do":"read","path":""}}}`)
	on(t, f, "/named/x")
	press(t, f, "t")
	sees(t, f, "▸ File: Read")
	press(t, f, "down", "enter")
	has(t, f, `{"steps":[{"do":"wait","s":1e0}, {"do":"read", "path": "p"}], "named": {"x": {"do":"write","path":""}}}`)
}

// A union that holds itself opens one level at a time.
func TestARecursiveUnion(t *testing.T) {
	f := story(t, "nested", `{}`)
	on(t, f, "/filter")
	press(t, f, "enter")
	sees(t, f, "All of", "Property: Number", "Property: Checkbox")
	press(t, f, "enter")
	has(t, f, `{"filter": {"and":[]}}`)
	on(t, f, "/filter/and")
	press(t, f, "a", "down", "down", "enter")
	has(t, f, `{"filter": {"and":[{"property":"","checkbox":false}]}}`)
	on(t, f, "/filter/and")
	press(t, f, "a", "enter")
	has(t, f, `{"filter": {"and":[{"property":"","checkbox":false}, {"and":[]}]}}`)
	if f.Problem() != "" {
		t.Error(f.Problem())
	}
	f = form(t, `{"type":"object","properties":{"x":{"$ref":"#/$defs/u"}},"$defs":{"u":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/u"},{"anyOf":[{"type":"integer"},{"$ref":"#/$defs/u"}]}]}}}`, `{"x":5}`)
	on(t, f, "/x")
	press(t, f, "t")
	f.shown(80, 20)
	press(t, f, "esc")
	has(t, f, `{"x":5}`)
}

// Several choices for one object at once, by several parts of an allOf or a oneOf beside an anyOf, have a row each.
func TestChoicesBesideEachOther(t *testing.T) {
	f := form(t, `{"type":"object","properties":{"x":{"allOf":[
		{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]},
		{"oneOf":[{"title":"Red","properties":{"red":{"type":"integer"}},"required":["red"]},{"title":"Blue","properties":{"blue":{"type":"integer"}},"required":["blue"]}]},
		{"anyOf":[{"title":"Big","properties":{"size":{"const":"big"}},"required":["size"]},{"title":"Small","properties":{"size":{"const":"small"}},"required":["size"]}]}]}}}`, `{}`)
	press(t, f, "enter", "enter")
	has(t, f, `{"x": {"id":"","red":0}}`)
	kindRow(t, f, "/x", 1)
	press(t, f, "right", "right")
	has(t, f, `{"x": {"id":"","red":0, "size": "small"}}`)
	sees(t, f, "kind    Red ▾", "red *", "kind    ‹ Small ›", "size *")
	kindRow(t, f, "/x", 0)
	press(t, f, "right")
	has(t, f, `{"x": {"id":"", "size": "small"}}`)
	if got := f.Problem(); got != "x/blue: required" {
		t.Error(got)
	}
}

// Enums tell forms apart as constants do, and choosing another form is no dead end when a shared member has other choices there.
func TestFormsToldApartByEnums(t *testing.T) {
	f := form(t, `{"type":"object","oneOf":[
		{"title":"Text","properties":{"op":{"enum":["contains","starts"]},"text":{"type":"string"}},"required":["op"]},
		{"title":"Date","properties":{"op":{"enum":["before","after"]},"date":{"type":"string"}},"required":["op"]}]}`, `{"op":"starts","text":"x"}`)
	kindRow(t, f, "", 0)
	sees(t, f, "‹ Text ›")
	press(t, f, "right")
	has(t, f, `{}`)
	sees(t, f, "‹ Date ›", "op *", "date")
	press(t, f, "right")
	has(t, f, `{"op": "starts", "text": "x"}`)
}

// A letter among elements that may be of many kinds costs little more than among those of few: what a kind is was read once, and
// its constants rule the others out.
func TestALetterAmongManyKinds(t *testing.T) {
	many, few := ofKinds(t, 40), ofKinds(t, 2)
	letter := func(f *Form) time.Duration {
		return ratiotest.Timed(func() {
			f.Text(keyOf("1"))
			f.Text(keyOf("backspace"))
		})
	}
	ratiotest.AtMost(t, 6, 40, func() (work, measure time.Duration) { return letter(many), letter(few) })
}
