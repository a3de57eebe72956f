package schema

import (
	"strings"
	"testing"
)

// What holds together is read together: allOf of several, words and members beside a reference, unions of one.
func TestWhatHoldsAtOnceIsOneField(t *testing.T) {
	const defs = `"$defs":{"base":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]},"name":{"type":"string","maxLength":9},
		"some":{"enum":["a","b","c"]}}`
	for text, want := range map[string]string{
		`{"allOf":[{"$ref":"#/$defs/base"},{"properties":{"n":{"type":"integer"}}}]}`:          "object: id! n",
		`{"$ref":"#/$defs/base","properties":{"n":{}},"required":["n"]}`:                       "object: id! n!",
		`{"allOf":[{"$ref":"#/$defs/base"}],"required":["m"]}`:                                 "object: id! m!",
		`{"$ref":"#/$defs/name","minLength":2}`:                                                "string [2 to 9 characters]:",
		`{"allOf":[{"type":["string","number","null"]},{"type":["number","boolean","null"]}]}`: "number:",
		`{"anyOf":[{"$ref":"#/$defs/base"}]}`:                                                  "object: id!",
		`{"oneOf":[{"$ref":"#/$defs/base"},{"type":"null"}],"properties":{"z":{}}}`:            "object: z id!",
		`{"allOf":[{"$ref":"#/$defs/some"},{"enum":["b","c"]}]}`:                               `string "b" "c":`,
		`{"oneOf":[{"const":"x"},{"const":"y"},{"type":"null"}]}`:                              `string "x" "y":`,
		`{"properties":{"k":{"enum":["one","two"]}},"allOf":[{"properties":{"k":{}}}]}`:        "object: k",
		`{"$ref":"#/$defs/nowhere","type":"object","properties":{"q":{}}}`:                     "object: q",
		`{"allOf":[{"$ref":"#"},{"type":"object"}]}`:                                           "object:",
	} {
		root := doc(`{` + defs + `,"allOf":[{"properties":{"f":` + text + `}}]}`)
		f := Fields(root, root, "")[0]
		got := strings.Join(f.Types, "|")
		for _, c := range f.Choices {
			got += " " + string(c.Value.Raw())
		}
		if l := f.Limits(); l != "" {
			got += " [" + l + "]"
		}
		got += ":"
		if strings.Contains(text, `"#"`) { // it holds the whole, in which it stands itself
			got = strings.TrimSpace(got)
		} else {
			for _, m := range Fields(root, f.Schema, "") {
				got += " " + m.Name + map[bool]string{true: "!"}[m.Required]
			}
		}
		if got != want {
			t.Errorf("%s\n is %s\nwant %s", text, got, want)
		}
	}
	old := doc(`{"$schema":"http://json-schema.org/draft-07/schema#","$ref":"#/definitions/a","properties":{"b":{}},"definitions":{"a":{"properties":{"a":{}}}}}`)
	if got := Fields(old, old, ""); len(got) != 1 || got[0].Name != "a" {
		t.Errorf("in draft 7 nothing counts beside a reference: %v", lines(got))
	}
}

// Unions beside each other and within allOf are choices of their own; those within a branch wait until it is chosen.
func TestUnionsOfOneValue(t *testing.T) {
	v := doc(`{"$defs":{"u":{"anyOf":[{"type":"string"},{"oneOf":[{"type":"integer"},{"type":"boolean"}]},{"type":"null"}]}},
		"oneOf":[{"title":"A"},{"title":"B"}],"anyOf":[{"required":["a"]},{"required":["b","c"]}],"allOf":[{"$ref":"#/$defs/u"},{"oneOf":[{"const":1},{"const":2}]},{"anyOf":[{"type":"string"}]}]}`)
	var got []string
	for _, u := range Unions(v, v) {
		var labels []string
		for _, b := range u.Branches {
			labels = append(labels, b.Label)
		}
		got = append(got, strings.Join(labels, "/"))
	}
	if want := "A/B, with a/with b, c, string/form 2"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
}

// A value is for a branch when it is for one of the branches within it; the nearest of those says what is wrong.
func TestScoresAndReasonsLookIntoInnerUnions(t *testing.T) {
	v := doc(`{"oneOf":[{"title":"Wait","type":"object","properties":{"do":{"const":"wait"}},"required":["do"]},{"title":"File","oneOf":[
		{"type":"object","properties":{"do":{"enum":["read"]},"path":{"type":"string"}},"required":["do","path"]},
		{"type":"object","properties":{"do":{"enum":["write"]},"text":{"type":"string"}},"required":["do","text"]}]}]}`)
	for text, want := range map[string]int{`{"do":"wait"}`: 0, `{"do":"read"}`: 1, `{"do":"write"}`: 1, `{}`: -1, `7`: -1} {
		at, most := -1, 0
		for i, b := range Branches(v, v) {
			if s := Score(v, b, doc(text)); s > most {
				at, most = i, s
			}
		}
		if at != want {
			t.Errorf("%s fits %d, want %d", text, at, want)
		}
	}
	s, err := Compile(v)
	if err != nil {
		t.Fatal(err)
	}
	problems, err := s.Validate(doc(`{"do":"write","text":5}`))
	if err != nil || len(problems) == 0 || problems[0].Text != "want a string, got 5" {
		t.Errorf("%v %v", problems, err)
	}
	problems, err = s.ValidateAs(doc(`{"do":"write","text":5}`), map[Fork]int{{"", "/oneOf"}: 1, {"", "/oneOf/1/oneOf"}: 0})
	if err != nil || len(problems) != 2 || problems[0].Text != `want "read", got "write"` || problems[1].Member != "path" {
		t.Errorf("as the first of the inner forms: %v %v", problems, err)
	}
}

// An object of several schemas at once takes names of one's own when one of them does and none forbids it.
func TestOpennessOfBranches(t *testing.T) {
	whole := doc(`{"anyOf":[{"type":"object","additionalProperties":{"type":"integer"}},{"type":"string"}]}`)
	branch := Branches(whole, whole)[0].Schema
	if got := Openness(whole, whole, branch); got != Map {
		t.Errorf("a map in a branch is %d", got)
	}
	if f, ok := Additional(whole, "x", "/x", whole, branch); !ok || !f.Is("integer") || f.Name != "x" {
		t.Errorf("its members are %v", f.Types)
	}
	if got := Openness(whole, branch, doc(`{"properties":{"a":{}},"additionalProperties":false}`)); got != Closed {
		t.Errorf("what one forbids is %d", got)
	}
}
