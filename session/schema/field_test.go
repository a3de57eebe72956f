package schema

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
)

// line is a field in one line, for comparing.
func line(f Field) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", f.Pointer, strings.Join(f.Types, "|"))
	for _, part := range []struct {
		on   bool
		text string
	}{
		{f.Required, " required"}, {f.Nullable, " or null"}, {f.ReadOnly, " readonly"}, {f.Deprecated, " deprecated"},
		{f.Const.Exists(), " const " + string(f.Const.Raw())},
		{f.Default.Exists(), " default " + string(f.Default.Raw())},
		{f.Title != "", " «" + f.Title + "»"}, {f.Description != "", " (" + f.Description + ")"},
		{f.Format != "", " format " + f.Format}, {f.Limits() != "", " [" + f.Limits() + "]"},
	} {
		if part.on {
			b.WriteString(part.text)
		}
	}
	for _, c := range f.Choices {
		fmt.Fprintf(&b, " %s=%s", c.Value.Raw(), c.Title)
	}
	return b.String()
}

func lines(fields []Field) string {
	var out []string
	for _, f := range fields {
		out = append(out, line(f))
	}
	return strings.Join(out, "\n")
}

func TestFieldsOfATool(t *testing.T) {
	v := doc(tool)
	got := lines(Fields(v, v, "/arguments"))
	want := strings.Join([]string{
		`/arguments/city string required (City name) [1 to 80 characters]`,
		`/arguments/units string default "metric" "metric"= "imperial"=`,
		`/arguments/days integer [1 to 14]`,
		`/arguments/options object`,
		`/arguments/where object or null`,
	}, "\n")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	where := Fields(v, v, "")[4]
	if got := lines(Fields(v, where.Schema, where.Pointer)); got != "/where/lat number required\n/where/lon number required" {
		t.Errorf("nested: %s", got)
	}
}

// The spellings that generators produce.
func TestFieldsAsGeneratorsWriteThem(t *testing.T) {
	v := doc(`{
		"properties":{
			"a":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null,"title":"A"},
			"b":{"allOf":[{"$ref":"#/definitions/Colour"}],"description":"the colour"},
			"c":{"$ref":"#/$defs/n","description":"beside the reference"},
			"d":{"oneOf":[{"const":"m","title":"Metric"},{"const":"i","title":"Imperial"}]},
			"e":{"enum":[1,2.5,null],"enumNames":["one","two and a half","none"]},
			"f":{"type":["integer","null"],"minimum":0,"exclusiveMaximum":10,"multipleOf":2},
			"g":{"items":{"type":"string","format":"uri"},"maxItems":3,"uniqueItems":true},
			"h":true,
			"i":{"const":7,"readOnly":true},
			"j":{"type":"string","nullable":true,"deprecated":true},
			"k":{"$ref":"#/$defs/loop"},
			"l":{"$ref":"#anchored"},
			"a/b~":{"type":"boolean"}
		},
		"allOf":[{"properties":{"m":{"type":"number"}},"required":["m"]},{"$ref":"#"}],
		"required":["i","ghost",5],
		"definitions":{"Colour":{"title":"Colour","type":"string","enum":["red"]}},
		"$defs":{"n":{"$ref":"#/$defs/o"},"o":{"type":"integer","title":"O","description":"behind"},
			"loop":{"$ref":"#/$defs/pool"},"pool":{"$ref":"#/$defs/loop"},"x":{"$anchor":"anchored","type":"array"}}}`)
	want := strings.Join([]string{
		`/a string or null default null «A»`,
		`/b string «Colour» (the colour) "red"=`,
		`/c integer «O» (beside the reference)`,
		`/d string "m"=Metric "i"=Imperial`,
		`/e integer|number or null 1=one 2.5=two and a half null=none`,
		`/f integer or null [at least 0, less than 10, a multiple of 2]`,
		`/g array [at most 3 items, no item twice]`,
		`/h `,
		`/i integer required readonly const 7`,
		`/j string or null deprecated`,
		`/k `,
		`/l array`,
		`/a~1b~0 boolean`,
		`/m number required`,
		`/ghost  required`,
	}, "\n")
	if got := lines(Fields(v, v, "")); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	g := Fields(v, v, "")[6]
	item, ok := Item(v, g.Schema, 2, g.Pointer)
	if !ok || line(item) != "/g/2 string format uri" {
		t.Errorf("item: %v %s", ok, line(item))
	}
}

func TestItemsByPosition(t *testing.T) {
	for _, text := range []string{
		`{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}`,
		`{"items":[{"type":"string"}],"additionalItems":{"type":"number"}}`,
	} {
		v := doc(text)
		first, _ := Item(v, v, 0, "")
		second, ok := Item(v, v, 1, "")
		if !first.Is("string") || !second.Is("number") || !ok {
			t.Errorf("%s: %s, %s", text, line(first), line(second))
		}
	}
	if _, ok := Item(doc(`{}`), doc(`{}`), 0, ""); ok {
		t.Error("an item out of nothing")
	}
}

// Case C31: the branches are a choice, and constants are filled in.
func TestBranchesOfAUnionAtTheRoot(t *testing.T) {
	v := doc(`{"type":"object","oneOf":[
		{"properties":{"kind":{"const":"mail"},"to":{"type":"string"}},"required":["kind","to"]},
		{"properties":{"kind":{"const":"sms"},"phone":{"type":"string"}},"required":["kind","phone"]}],
		"properties":{"when":{"type":"string","default":"now"}},"required":["when"]}`)
	var labels []string
	branches := Branches(v, v)
	for _, b := range branches {
		labels = append(labels, b.Label)
	}
	if !slices.Equal(labels, []string{`kind = "mail"`, `kind = "sms"`}) {
		t.Fatalf("labels %v", labels)
	}
	if got := string(Skeleton(v, v, branches[1].Schema)); got != `{"when":"now","kind":"sms","phone":""}` {
		t.Errorf("skeleton %s", got)
	}
	u := doc(`{"anyOf":[{"title":"By name","type":"string"},{"$ref":"#/$defs/point"},{"type":"object","properties":{"a":{},"b":{}}},{"minimum":1},{"type":"null"}],"$defs":{"point":{"type":"array"}}}`)
	labels = nil
	for _, b := range Branches(u, u) {
		labels = append(labels, b.Label)
	}
	if !slices.Equal(labels, []string{"By name", "point", "object with a, b", "form 4"}) {
		t.Errorf("labels %v", labels)
	}
	if b := Branches(v, doc(`{"oneOf":[{"const":1},{"const":2}]}`)); b != nil {
		t.Errorf("constants are choices, not branches: %v", b)
	}
}

func TestSkeletons(t *testing.T) {
	for schema, want := range map[string]string{
		tool:   `{"city":""}`,
		`true`: `{}`,
		`{"properties":{"n":{"type":"integer","minimum":1},"x":{"type":"number"},"b":{"type":"boolean"},"l":{"type":"array"},"u":{},"o":{"type":"object","properties":{"q":{"enum":["é",2]}},"required":["q"]}},"required":["n","x","b","l","u","o","ghost"]}`: `{"n":1,"x":0,"b":false,"l":[],"u":null,"o":{"q":"é"},"ghost":null}`,
		`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"required":["n"]}}}`:                                                                                                                                        `{"n":{}}`,
		`{"properties":{"u":{"oneOf":[{"type":"string"},{"type":"object"}]},"w":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["u","w"]}`:                                                                                                          `{"w":""}`,
	} {
		got := Skeleton(doc(schema), doc(schema))
		if string(got) != want {
			t.Errorf("%s:\ngot  %s\nwant %s", cut(schema, 60), got, want)
		}
		if !jsondoc.Parse(got).Valid() {
			t.Errorf("%s is no JSON", got)
		}
	}
	wide := `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"a":{"$ref":"#/$defs/n"},"b":{"$ref":"#/$defs/n"},"c":{"$ref":"#/$defs/n"}},"required":["a","b","c"]}}}`
	if got := Skeleton(doc(wide), doc(wide)); len(got) > 20*skeletonSize || !jsondoc.Parse(got).Valid() {
		t.Errorf("%d bytes", len(got))
	}
}

func TestResolveNeverGoesRound(t *testing.T) {
	v := doc(`{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"},"c":{"$ref":"https://example.com/x"},"d":{"$ref":"#/nowhere"},"e":{"$ref":"#/$defs/f"},"f":{"$ref":"#/$defs/g"},"g":{"type":"string"},"h":{"$ref":7}}}`)
	for name, want := range map[string]string{"a": "a", "c": "c", "d": "d", "e": "g", "h": "h"} {
		if got := Resolve(v, v.Get("$defs").Get(name)).Name(); got != want {
			t.Errorf("%s leads to %s, want %s", name, got, want)
		}
	}
	if Resolve(v, jsondoc.Value{}).Exists() {
		t.Error("nothing leads to something")
	}
}
