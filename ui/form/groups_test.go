package form

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/ratiotest"
)

const rowsSchema = `{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"name":{"type":"string"}}}},
	"more":{"type":"object","additionalProperties":{"type":"string"}},"last":{"type":"integer"}}}`

// many is a value of so many rows.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":%d,"name":"n%d"},`, i, i)
	}
	return `{"rows":[` + strings.TrimSuffix(b.String(), ",") + `],"last":1}`
}

// Of many elements the first stand there, the others in groups; all of them are reached, and what is wrong in one that is
// closed stands at its group.
func TestManyElementsStandInGroups(t *testing.T) {
	f := form(t, rowsSchema, many(25_000))
	if n := len(f.rows); n > 2*maxOpen {
		t.Errorf("%d rows", n)
	}
	on(t, f, "/last")
	sees(t, f, "last             1 ", "+              add an element", "#20000–#24999  ▸ 5,000 more")
	press(t, f, "up", "up", "up") // over the members that are absent, and the row that adds an element
	if f.row().kind != batch {
		t.Fatalf("the row is %s", f.row().label)
	}
	sees(t, f, "#20000–#24999  ▸ 5,000 more", "enter shows these too")
	press(t, f, "enter")
	sees(t, f, "▾ 5,000 more")
	press(t, f, "enter", "/")
	typed(t, f, "24567")
	sees(t, f, "rows/24567")
	press(t, f, "enter")
	if f.row().at != "/rows/24567" {
		t.Fatalf("found is %s", f.row().at)
	}
	on(t, f, "/rows/24567/name")
	press(t, f, "enter", "!", "esc")
	if got := f.doc.At("/rows/24567").Raw(); string(got) != `{"id":24567,"name":"n24567!"}` {
		t.Errorf("it is %s", got)
	}
	press(t, f, "u")
	if string(f.Value()) != many(25_000) {
		t.Error("undo left something behind")
	}
	on(t, f, "/rows/24567")
	press(t, f, "a")
	if f.row().at != "/rows/25000/id" && f.row().at != "/rows/25000" || f.doc.At("/rows").Len() != 25_001 {
		t.Errorf("added is %s of %d", f.row().at, f.doc.At("/rows").Len())
	}
	f = form(t, rowsSchema, strings.Replace(many(25_000), `"id":15000`, `"id":"x"`, 1))
	press(t, f, "n")
	if r := f.row(); r.kind != batch || r.group.from != 10_000 {
		t.Errorf("the problem stands at %s", r.label)
	}
	sees(t, f, `✖ 15000/id: want an integer, got "x"`)
	f.Seek("/rows/15000/id")
	sees(t, f, `✖ want an integer, got "x"`, "#15000")
}

// Members that nobody has named are many as well.
func TestManyMembersStandInGroups(t *testing.T) {
	var b strings.Builder
	for i := range 350 {
		fmt.Fprintf(&b, `"k/%d":"v",`, i)
	}
	f := form(t, rowsSchema, `{"more":{`+b.String()+`"z":7}}`)
	on(t, f, "/more")
	press(t, f, "/")
	typed(t, f, "k~1321")
	press(t, f, "enter")
	if f.row().at != "/more/k~1321" {
		t.Fatalf("found is %s", f.row().at)
	}
	press(t, f, "r", "x", "enter")
	if f.row().at != "/more/k~1321x" {
		t.Errorf("renamed is %s", f.row().at)
	}
	f.SetValue([]byte(`{"more":{` + b.String() + `"z":8}}`))
	f.Seek("/last")
	press(t, f, "n")
	sees(t, f, "✖ z: want a string, got 8")
}

// What has many parts begins closed where much stands before it, stays as it was then, and opens when somebody goes there.
func TestWhatStandsBehindMuchBeginsClosed(t *testing.T) {
	row := func(n int) string {
		return `[` + strings.TrimSuffix(strings.Repeat(`{"id":1,"name":"x"},`, n), ",") + `]`
	}
	value := `{"a":` + row(90) + `,"b":` + row(90) + `,"c":` + row(90) + `,"rows":` + row(3) + `}`
	f := form(t, `{"type":"object"}`, value)
	closed := func(at string) bool { return f.isClosed(jsondoc.Pointer(at)) }
	if closed("/a") || closed("/a/5") || !closed("/c") {
		t.Errorf("%v %v %v: %d rows", closed("/a"), closed("/a/5"), closed("/c"), len(f.rows))
	}
	on(t, f, "/a")
	press(t, f, "left") // there is room now, but nothing moves by itself
	if !closed("/c") {
		t.Error("c opened by itself")
	}
	f.Seek("/c/7/name")
	if f.row().at != "/c/7/name" || closed("/c/7") {
		t.Errorf("the cursor is at %s", f.row().at)
	}
	press(t, f, "enter", "y", "esc")
	if string(f.doc.At("/c/7").Raw()) != `{"id":1,"name":"xy"}` {
		t.Errorf("it is %s", f.doc.At("/c/7").Raw())
	}
}

// A letter among many rows costs what is open, not what there is.
func TestALetterInALargeForm(t *testing.T) {
	forms := map[int]*Form{}
	for _, n := range []int{100, 20_000} {
		f := form(t, rowsSchema, many(n))
		f.env.Aside = func(func() func()) {}
		f.SetValue(append(f.Value(), ' '))
		on(t, f, "/last")
		f.begin()
		forms[n] = f
	}
	letter := func(f *Form) func() {
		return func() {
			f.Text(keyOf("1"))
			f.Text(keyOf("backspace"))
			f.Draw(100, 30, true)
		}
	}
	ratiotest.AtMost(t, 12, 40, func() (work, measure time.Duration) {
		return ratiotest.Timed(letter(forms[20_000])), ratiotest.Timed(letter(forms[100]))
	})
}
