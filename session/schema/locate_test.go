package schema

import (
	"slices"
	"testing"

	"mcploupe/session/jsondoc"
)

// What describes a place is found through references, unions, conditions and maps; a branch that a constant speaks against
// is left out.
func TestLocate(t *testing.T) {
	v := doc(`{"properties":{"pay":{"oneOf":[{"properties":{"m":{"const":"card"},"n":{"title":"number"}}},{"properties":{"m":{"const":"bill"},"n":{"title":"address"}}}]},
		"tree":{"$ref":"#/$defs/t"},"map":{"patternProperties":{"^x":{"title":"x"}},"additionalProperties":{"title":"other"}},"pair":{"prefixItems":[{"title":"one"}],"items":{"title":"rest"}}},
		"allOf":[{"if":true,"then":{"properties":{"more":{"title":"then"}}}}],"$defs":{"t":{"title":"node","properties":{"kids":{"items":{"$ref":"#/$defs/t"}}}}}}`)
	pay := doc(`{"m":"bill"}`)
	for place, want := range map[jsondoc.Pointer][]string{
		"/pay/n": {"address"}, "/tree/kids/3/kids/0": {"node"}, "/map/xy": {"x"}, "/map/y": {"other"}, "/pair/0": {"one"}, "/pair/7": {"rest"},
		"/more": {"then"}, "/nowhere/at/all": nil,
	} {
		var got []string
		for _, s := range Locate(v, place, func(at jsondoc.Pointer, name string) jsondoc.Value {
			if at == "/pay" {
				return pay.Get(name)
			}
			return jsondoc.Value{}
		}) {
			got = append(got, s.Get("title").Text())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", place, got, want)
		}
	}
	wide := doc(`{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[{"$ref":"#/$defs/n"},{"properties":{"a":{"$ref":"#/$defs/n"}}}]}}}`)
	if n := len(Locate(wide, "/a/a/a/a/a/a", nil)); n == 0 || n > maxLocated {
		t.Errorf("%d schemas for a recursive place", n)
	}
}

// A branch whose enum does not hold the value that is there is left out, as one whose constant is another.
func TestLocateFollowsEnums(t *testing.T) {
	v := doc(`{"oneOf":[{"properties":{"op":{"enum":["and","or"]},"args":{"type":"array"}}},{"properties":{"op":{"enum":["not"]},"arg":{"type":"object"}}}]}`)
	var names []string
	for _, s := range Locate(v, "", func(_ jsondoc.Pointer, name string) jsondoc.Value { return doc(`{"op":"or"}`).Get(name) }) {
		for _, f := range Fields(v, s, "") {
			names = append(names, f.Name)
		}
	}
	if want := []string{"op", "args"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
}
