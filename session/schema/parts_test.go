package schema

import (
	"slices"
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
)

func TestFormatsAreAdvice(t *testing.T) {
	good := map[string][]string{
		"date": {"2024-02-29"}, "time": {"13:45:00Z", "13:45:00.25+02:00"}, "date-time": {"2026-01-31t13:45:00z", "2026-01-31T13:45:00.5+02:00"},
		"duration": {"P1D", "PT5M", "P1Y2M3DT4H5M6.5S", "P4W"}, "email": {"a@b.example"}, "hostname": {"a-b.example", "localhost"},
		"ipv4": {"192.0.2.1"}, "ipv6": {"::1"}, "uri": {"urn:x:y", "https://a.b/c?d"}, "uri-reference": {"../x", ""},
		"uuid": {"123E4567-e89b-12d3-a456-426614174000"}, "json-pointer": {"", "/a~1b/0"}, "regex": {"^a+$"}, "whatever": {"x y"},
	}
	bad := map[string][]string{
		"date": {"2023-02-29", "31.1.2026"}, "time": {"13:45", "25:00:00Z"}, "date-time": {"2026-01-31 13:45"}, "duration": {"P", "PT", "1D", "P1DT"},
		"email": {"a", "Ada <a@b.example>"}, "hostname": {"-a", "a..b"}, "ipv4": {"1.2.3", "::1"}, "ipv6": {"192.0.2.1", "fe80::1%eth0"},
		"uri": {"/page", "a b:c"}, "uuid": {"123"}, "json-pointer": {"a", "/~2"}, "regex": {"("},
	}
	for format, texts := range good {
		for _, text := range texts {
			if got := FormatFault(format, text); got != "" {
				t.Errorf("%s %q: %s", format, text, got)
			}
		}
		if e := FormatExample(format); e != "" && FormatFault(format, e) != "" {
			t.Errorf("the example of %s does not look like one: %s", format, e)
		}
	}
	for format, texts := range bad {
		for _, text := range texts {
			if got := FormatFault(format, text); !strings.HasPrefix(got, "does not look like a") {
				t.Errorf("%s %q: %q", format, text, got)
			}
		}
	}
}

// What an object's members demand of it: conditions, also inside allOf, and dependent schemas.
func TestPartsFollowWhatAnObjectHolds(t *testing.T) {
	v := doc(`{"allOf":[{"if":{"properties":{"kind":{"const":"circle"}}},"then":{"required":["radius"]},"else":{"$ref":"#/$defs/side"}}],
		"dependentSchemas":{"card":{"required":["cvc"]}},"dependentRequired":{"a":["b"]},"$defs":{"side":{"required":["side"]}}}`)
	fits := func(condition jsondoc.Value) (fits, known bool) {
		s, err := Compile(condition)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := s.Validate(doc(`{"kind":"circle"}`))
		return len(p) == 0, true
	}
	var needs []string
	for _, part := range Parts(v, v, doc(`{"kind":"circle","card":1}`), fits) {
		for _, f := range Fields(v, part, "") {
			needs = append(needs, f.Name)
		}
	}
	if !slices.Equal(needs, []string{"cvc", "radius"}) {
		t.Errorf("needs %v", needs)
	}
	if got := DependentRequired(v, v, doc(`{"a":1}`)); !slices.Equal(got, []string{"b"}) {
		t.Errorf("dependent %v", got)
	}
	circle := doc(`{"if":true,"then":{"$ref":"#"}}`)
	if got := Parts(circle, circle, doc(`{}`), func(jsondoc.Value) (fits, known bool) { return true, true }); len(got) != 1 {
		t.Errorf("a circle gives %d parts", len(got))
	}
	if got := Parts(v, v, doc(`{}`), func(jsondoc.Value) (fits, known bool) { return false, false }); len(got) != 0 {
		t.Errorf("a condition that nobody decides gives %d parts", len(got))
	}
}

func TestOpenness(t *testing.T) {
	for text, want := range map[string]Open{
		`{"type":"object"}`: Map, `{"properties":{"a":{}}}`: Lenient, `{"properties":{"a":{}},"additionalProperties":false}`: Closed,
		`{"properties":{"a":{}},"additionalProperties":{"type":"string"}}`: Map, `{"properties":{"a":{}},"additionalProperties":true}`: Map,
		`{"patternProperties":{"^x":{}},"additionalProperties":false}`: Map,
	} {
		if got := Openness(doc(text), doc(text)); got != want {
			t.Errorf("%s is %d, want %d", text, got, want)
		}
	}
	v := doc(`{"patternProperties":{"^n_":{"type":"number"},"(a+)+$":{"type":"null"}},"additionalProperties":{"type":"string"}}`)
	if f, ok := Additional(v, "n_1", "/n_1", v); !ok || !f.Is("number") || f.Name != "n_1" {
		t.Errorf("by its pattern: %v", f)
	}
	if f, ok := Additional(v, "other", "/other", v); !ok || !f.Is("string") {
		t.Errorf("another: %v", f)
	}
	if f, _ := Additional(v, strings.Repeat("a", 60)+"!", "", v); !f.Is("string") {
		t.Errorf("a pattern that takes too long decided: %v", f)
	}
}

func TestScoresTellBranchesApart(t *testing.T) {
	v := doc(`{"oneOf":[{"properties":{"m":{"const":"card"},"n":{}},"required":["m","n"]},{"properties":{"m":{"const":"bill"}},"required":["m"]},{"type":"string"},{"type":"integer"}]}`)
	best := func(text string) int {
		at, most := -1, 0
		for i, b := range Branches(v, v) {
			if s := Score(v, b, doc(text)); s > most {
				at, most = i, s
			}
		}
		return at
	}
	for text, want := range map[string]int{`{"m":"card"}`: 0, `{"m":"bill"}`: 1, `"x"`: 2, `1e3`: 3, `{}`: -1, `null`: -1, `{"n":1}`: -1} {
		if got := best(text); got != want {
			t.Errorf("%s fits %d, want %d", text, got, want)
		}
	}
}
