package calls

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
)

func TestPasted(t *testing.T) {
	for _, c := range []struct{ paste, name, args, did string }{
		{`{"a": 1.0e5,  "b":"x"}`, "", `{"a": 1.0e5,  "b":"x"}`, ""},
		{"  {\"a\":1}\n", "", `{"a":1}`, ""},
		{"```json\n{\"a\": 1}\n```", "", `{"a": 1}`, "out of the code fence"},
		{"Sure! Here it is:\n```\n{\"name\": \"get_weather\", \"arguments\": {\"location\": \"Madrid\",},}\n```\nHave fun {really}!", "get_weather", `{"location": "Madrid"}`, "out of the code fence, without a trailing comma"},
		{"call it with {\"a\": [1, 2, ], // two\n \"b\": \"// no comment, }\" /* x */ } please", "", "{\"a\": [1, 2 ], \n \"b\": \"// no comment, }\"  }", "without the words around it, without a trailing comma, without comments"},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"x":null},"_meta":{}}}`, "t", `{"x":null}`, ""},
		{`{"method":"tools/call","params":{"name":"t"}}`, "t", `{}`, ""},
		{`{"params":{"name":"t","arguments":{"x":1}}}`, "t", `{"x":1}`, ""},
		{`[{"id":"c","type":"function","function":{"name":"t","arguments":"{\"x\": 1}"}}]`, "t", `{"x": 1}`, ""},
		{`{"type":"tool_use","id":"u","name":"t","input":{"x":1}}`, "t", `{"x":1}`, ""},
		{`{“a”: “b”}`, "", `{"a": "b"}`, "with straight quotes"},
		{`{"a": True, "b": None, "c": "True"}`, "", `{"a": true, "b": null, "c": "True"}`, "with JSON's words for Python's"},
		{`{"name": "Bo", "seen": true}`, "", `{"name": "Bo", "seen": true}`, ""},
		{`{"name": "Bo", "arguments": 7}`, "", `{"name": "Bo", "arguments": 7}`, ""},
	} {
		got, did, ok := Pasted(c.paste)
		if !ok || got.Name != c.name || string(got.Arguments) != c.args || strings.Join(did, ", ") != c.did {
			t.Errorf("%s\n got %v %q %s %q\nwant %q %s %q", c.paste, ok, got.Name, got.Arguments, did, c.name, c.args, c.did)
		}
	}
	for _, text := range []string{"", "Madrid", `"Madrid"`, "[1,2]", "7", "{", "}{", "{a:1}", "[{},{}]", `{"method":"ping","params":{}}`, "```\nx\n```", "{\"a\":\"", "{\"a\":1 /*"} {
		if c, _, ok := Pasted(text); ok {
			t.Errorf("%q: %+v %s", text, c, c.Arguments)
		}
	}
	if got := Took(Call{Name: "t"}, []string{"without comments"}); got != "took the arguments of t, without comments" {
		t.Error(got)
	}
}

func TestBlank(t *testing.T) {
	for text, want := range map[string]bool{"": true, " \n": true, "{}": true, `{"a":"","b":null,"c":{},"d":[]}`: true, `{"a":0}`: false, `{"a":"x"}`: false, "{": false, "[]": false} {
		if Blank([]byte(text)) != want {
			t.Errorf("%q", text)
		}
	}
}

func TestFiles(t *testing.T) {
	c := Call{Kind: Tool, Name: "a\"b", Arguments: []byte(`{"x":1.0e5,"y":{"z":[]}}`), Note: "try\nthis"}
	text := c.Format()
	if got, err := Parse(text); err != nil || got.Kind != c.Kind || got.Name != c.Name || got.Note != c.Note || string(jsondoc.Compact(nil, got.Arguments)) != string(c.Arguments) {
		t.Errorf("%+v, %v from\n%s", got, err, text)
	}
	if got, err := Parse([]byte(`{"name":"t","more":[1]}`)); err != nil || got.Kind != Tool || got.Arguments != nil {
		t.Errorf("%+v, %v", got, err)
	}
	for text, want := range map[string]string{
		"":                            "is a JSON object",
		"[]":                          "is a JSON object",
		`{"name":"t",}`:               "bad comma",
		`{"name":7}`:                  "name is missing",
		`{"kind":"x","name":"t"}`:     "kind is tool, prompt or resource",
		`{"name":"t","arguments":[]}`: "arguments are a JSON object",
		`{"kind":"resource","name":"u:","arguments":{"a":1}}`: "no arguments",
	} {
		if _, err := Parse([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Whatever is pasted: no panic, and what is taken is a JSON object.
func FuzzPasted(f *testing.F) {
	for _, s := range []string{"```json\n{\"a\":1,}\n```", `{"name":"t","arguments":"{}"}`, "{“a”:1 /* x */, // y\n}", `{"method":"tools/call","params":{"name":"t"}}`, "[{\"function\":{\"name\":\"x\",\"arguments\":\"{}\"}}]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, did, ok := Pasted(s)
		if !ok {
			return
		}
		d := jsondoc.Parse(c.Arguments)
		if !d.Valid() || !d.Root().Is(jsondoc.Object) {
			t.Fatalf("%q gave %q", s, c.Arguments)
		}
		if whole := jsondoc.Parse([]byte(strings.TrimSpace(s))); whole.Valid() && len(did) > 0 {
			t.Fatalf("valid JSON was changed: %q %q", s, did)
		}
	})
}

// What is read from a file can be written and read again.
func FuzzParse(f *testing.F) {
	f.Add(`{"kind":"tool","name":"t","arguments":{"a":1},"note":"n"}`)
	f.Add(`{"kind":"resource","name":"u:x"}`)
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Parse([]byte(s))
		if err != nil {
			return
		}
		again, err := Parse(c.Format())
		if err != nil || again.Kind != c.Kind || again.Name != c.Name || again.Note != c.Note {
			t.Fatalf("%q: %+v became %+v, %v", s, c, again, err)
		}
	})
}

func TestSavedCallsInADirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), Dir)
	if got := List(dir); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	path, err := Save(dir, " wind at  noon.json ", Call{Kind: Tool, Name: "get_weather", Arguments: []byte(`{"a":1}`)})
	if err != nil || filepath.Base(path) != "wind-at-noon.json" {
		t.Fatal(path, err)
	}
	if _, err := Save(dir, "wind at noon", Call{Kind: Tool, Name: "other"}); err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("written over: %v", err)
	}
	for _, name := range []string{"", " ", "..", "../x", "a/b", `a\b`, "a:b", "a\nb\x1b", strings.Repeat("x", 101)} {
		if path, err := Save(dir, name, Call{Kind: Tool, Name: "x"}); err == nil && name != "a\nb" {
			t.Errorf("%q became %s", name, path)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "bad.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "dir.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	got := List(dir, filepath.Join(dir, "none"))
	if len(got) != 2 || got[0].Name != "bad" || got[0].Err == nil || got[1].Name != "wind-at-noon" || got[1].Err != nil || got[1].Call.Name != "get_weather" {
		t.Errorf("%+v", got)
	}
}
