package schema

import (
	"fmt"
	"strings"
	"testing"
)

func describe(schema string) string {
	headers, problems := Headers(doc(schema))
	var out []string
	for _, h := range headers {
		out = append(out, fmt.Sprintf("%s %s %s", h.Name, h.Path, h.Type))
	}
	for _, p := range problems {
		out = append(out, fmt.Sprintf("fault %d at %s", p.Fault, p.Pointer))
	}
	return strings.Join(out, "; ")
}

func TestHeaders(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`{"properties":{"r":{"type":"string","x-mcp-header":"Region"},"o":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}}}}`,
			"Region /r string; N /o/n integer"},
		{`{"properties":{"r":{"type":"string","x-mcp-header":""}}}`, "fault 1 at /properties/r/x-mcp-header"},
		{`{"properties":{"r":{"type":"string","x-mcp-header":7}}}`, "fault 1 at /properties/r/x-mcp-header"},
		{`{"properties":{"r":{"type":"string","x-mcp-header":"Bad Name"}}}`, "fault 2 at /properties/r/x-mcp-header"},
		{`{"properties":{"r":{"type":"string","x-mcp-header":"A\r\nB"}}}`, "fault 2 at /properties/r/x-mcp-header"},
		{`{"properties":{"a":{"type":"string","x-mcp-header":"Region"},"b":{"type":"string","x-mcp-header":"REGION"}}}`,
			"Region /a string; fault 3 at /properties/b/x-mcp-header"},
		{`{"properties":{"p":{"type":"number","x-mcp-header":"Price"}}}`, "fault 4 at /properties/p/x-mcp-header"},
		{`{"properties":{"p":{"x-mcp-header":"Price"}}}`, "fault 4 at /properties/p/x-mcp-header"},
		{`{"properties":{"p":{"type":["string","integer"],"x-mcp-header":"P"}}}`, "fault 4 at /properties/p/x-mcp-header"},
		{`{"properties":{"p":{"type":["string","null"],"x-mcp-header":"P"}}}`, "P /p string; fault 5 at /properties/p/x-mcp-header"},
		{`{"type":"object","x-mcp-header":"Root"}`, "fault 4 at /x-mcp-header"},
		{`{"properties":{"l":{"items":{"properties":{"r":{"type":"string","x-mcp-header":"R"}}}}}}`, "fault 6 at /properties/l/items/properties/r/x-mcp-header"},
		{`{"properties":{"l":{"$ref":"#/$defs/d"}},"$defs":{"d":{"type":"string","x-mcp-header":"D"}}}`, "fault 6 at /$defs/d/x-mcp-header"},
		{`{"allOf":[{"properties":{"l":{"type":"string","x-mcp-header":"D"}}}]}`, "fault 6 at /allOf/0/properties/l/x-mcp-header"},
		{`{"properties":{"i":{"type":"integer","maximum":9223372036854775807,"x-mcp-header":"Id"}}}`, "Id /i integer; fault 7 at /properties/i/maximum"},
		{`{"properties":{"i":{"type":"integer","enum":[1,-9007199254740992],"x-mcp-header":"Id"}}}`, "Id /i integer; fault 7 at /properties/i/enum/1"},
		{`{"properties":{"i":{"type":"integer","minimum":-9007199254740991,"maximum":9.007199254740991e15,"x-mcp-header":"Id"}}}`, "Id /i integer"},
		// Data and names are no annotations.
		{`{"properties":{"x-mcp-header":{"type":"string"},"d":{"default":{"x-mcp-header":"D"},"const":{"x-mcp-header":"D"},"enum":[{"x-mcp-header":"D"}],"examples":[{"x-mcp-header":"D"}]}}}`, ""},
		{`{"properties":{"a/b":{"type":"boolean","x-mcp-header":"AB"}}}`, "AB /a~1b boolean"},
		{`null`, ""},
		{``, ""},
	} {
		if got := describe(c.schema); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.schema, got, c.want)
		}
	}
}

func TestPointersAreRelativeToTheSchema(t *testing.T) {
	tools := doc(`{"tools":[{"inputSchema":{"properties":{"r":{"type":"string","x-mcp-header":"Bad Name"}}}}]}`)
	_, problems := Headers(tools.Get("tools").Index(0).Get("inputSchema"))
	if len(problems) != 1 || problems[0].Pointer != "/properties/r/x-mcp-header" {
		t.Errorf("%+v", problems)
	}
}

func TestHeaderValues(t *testing.T) {
	headers, _ := Headers(doc(`{"properties":{"o":{"properties":{"v":{"type":"string","x-mcp-header":"V"}}}}}`))
	for arguments, want := range map[string]string{
		`{"o":{"v":"a b"}}`:      "a b",
		`{"o":{"v":""}}`:         "",
		`{"o":{"v":42.0}}`:       "42",
		`{"o":{"v":-7}}`:         "-7",
		`{"o":{"v":4.2e1}}`:      "42",
		`{"o":{"v":4.5}}`:        "4.5",
		`{"o":{"v":true}}`:       "true",
		`{"o":{"v":null}}`:       "none",
		`{"o":{}}`:               "none",
		`{"o":[1]}`:              "none",
		`{"o":{"v":[1]}}`:        "none",
		`{}`:                     "none",
		`{"o":{"v":1},"o":null}`: "none",
	} {
		got, ok := headers[0].Value(doc(arguments))
		if !ok {
			got = "none"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", arguments, got, want)
		}
	}
}

func TestTheSurveyNamesReferencesAndPatterns(t *testing.T) {
	sv := Look(doc(`{"$id":"https://example.com/t","properties":{
		"a":{"$ref":"#/$defs/x"},"b":{"$ref":"https://example.com/other"},"c":{"$ref":"#/$defs/y"},
		"d":{"$ref":"https://json-schema.org/draft/2020-12/schema"},"e":{"pattern":"["},"f":{"const":{"$ref":"#/data"}},
		"g":{"$ref":"#/stray/0"},"h":{"$ref":"t#/$defs/x"}},
		"patternProperties":{"(?P<n>x)":{}},"$defs":{"x":{}},"stray":[{"$ref":"#/$defs/x"}]}`))
	var got []string
	for _, r := range sv.Refs {
		got = append(got, fmt.Sprintf("%s %d %s%s", r.At, r.Class, r.URI, r.Target))
	}
	want := []string{
		"/properties/a 1 /$defs/x", "/properties/b 3 https://example.com/other", "/properties/c 2 ",
		"/properties/d 4 https://json-schema.org/draft/2020-12/schema", "/properties/g 1 /stray/0", "/properties/h 1 /$defs/x", "/stray/0 1 /$defs/x",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	bad := 0
	for _, p := range sv.Patterns {
		if p.Err != nil {
			bad++
		}
	}
	if len(sv.Patterns) != 2 || bad != 2 || sv.Patterns[0].At != "/properties/e/pattern" {
		t.Errorf("patterns %+v", sv.Patterns)
	}
}
