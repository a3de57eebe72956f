package jsondoc

import (
	"slices"
	"strings"
	"testing"
)

const sample = `{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"echo","n":null},{"name":"f\u00fc"}],"a/b":{"~":[true,false]},"":1}}`

func TestValueWalksWithoutChecks(t *testing.T) {
	root := Parse([]byte(sample)).Root()
	tools := root.Get("result").Get("tools")
	if tools.Len() != 2 || !tools.Is(Array) || tools.Index(1).Get("name").Text() != "fü" {
		t.Errorf("tools: %s", tools.Raw())
	}
	if v := root.Get("error").Get("data").Index(3); v.Exists() || v.Kind() != Missing || v.Text() != "" || v.Raw() != nil ||
		v.Len() != 0 || v.Node() != -1 || v.Document() != nil || v.Parent().Exists() || v.Pointer() != "" || v.Name() != "" {
		t.Errorf("a missing value answers something: %+v", v)
	}
	if n := tools.Index(0).Get("n"); !n.Exists() || !n.Is(Null) {
		t.Error("null is not there")
	}
	if root.Get("ID").Exists() {
		t.Error("names are compared without case")
	}
	if b, ok := root.Get("result").Get("a/b").Get("~").Index(1).Bool(); b || !ok {
		t.Error("false is not read")
	}
	if _, ok := root.Get("id").Bool(); ok {
		t.Error("a number is a boolean")
	}
	if v := tools.Index(-1); v.Exists() {
		t.Error("index -1 leads somewhere")
	}
	var names []string
	for name, v := range root.Members() {
		names = append(names, name+"="+v.Kind().String())
	}
	if want := []string{"jsonrpc=string", "id=number", "result=object"}; !slices.Equal(names, want) {
		t.Errorf("members %v, want %v", names, want)
	}
	for i, v := range tools.Elements() {
		if v.Node() != tools.Index(i).Node() || v.Parent().Node() != tools.Node() {
			t.Errorf("element %d is node %d", i, v.Node())
		}
	}
	for range tools.Members() {
		t.Error("an array has members")
	}
	for range root.Elements() {
		t.Error("an object has elements")
	}
	for range root.Get("id").Children() {
		t.Error("a number has children")
	}
}

func TestGetTakesTheLastOfDuplicates(t *testing.T) {
	root := Parse([]byte(`{"ttlMs":5,"x":1,"ttl\u004ds":60000}`)).Root()
	if n, _ := root.Get("ttlMs").Int(); n != 60000 {
		t.Errorf("got %d", n)
	}
	if v := root.Document().At("/ttlMs"); string(v.Raw()) != "60000" {
		t.Errorf("the pointer leads to %s", v.Raw())
	}
}

func TestTextIsAlwaysUTF8(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{`"plain"`, "plain"}, {`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"}, {`"\u00e9\uD83D\uDE00"`, "é😀"},
		{`"\ud83d"`, "\ufffd"}, {`"\ude00\ud83d"`, "\ufffd\ufffd"}, {`"\ud83d\u0041"`, "\ufffdA"},
		{"\"a\xffb\"", "a\ufffdb"}, {`"\x"`, `\x`}, {`"\u12"`, `\u12`}, {`"open`, "open"}, {`"open\`, `open\`}, {`"\u0000"`, "\x00"},
	} {
		if got := Parse([]byte(c.raw)).Root().Text(); got != c.want {
			t.Errorf("%s: %+q, want %+q", c.raw, got, c.want)
		}
	}
}

func TestPointersLeadBothWays(t *testing.T) {
	d := Parse([]byte(sample))
	for id := range d.Nodes {
		p := d.Pointer(int32(id))
		if back := d.At(p).Node(); back != int32(id) {
			t.Errorf("node %d: %q leads to %d", id, p, back)
		}
		if Join("", p.Tokens()...) != p {
			t.Errorf("%q: tokens %q", p, p.Tokens())
		}
	}
	for p, want := range map[Pointer]string{
		"": sample, "/result/tools/1/name": `"f\u00fc"`, "/result/a~1b/~0/0": "true", "/result/": "1",
		"/result/tools/-": "", "/result/tools/01": "", "/result/tools/+1": "", "/result/tools/2": "", "/nope/x": "",
		"result": "", "/jsonrpc/0": "", "/result/tools/99999999999999999999": "",
	} {
		if got := string(d.At(p).Raw()); got != want {
			t.Errorf("%q leads to %q, want %q", p, got, want)
		}
	}
	if p := Join("/a", "b/c", "~1"); p != "/a/b~1c/~01" || p.Last() != "~1" || p.Parent() != "/a/b~1c" || Pointer("").Parent() != "" || Pointer("").Last() != "" {
		t.Errorf("%q: last %q, parent %q", p, p.Last(), p.Parent())
	}
}

func TestNodeAtFindsTheInnermost(t *testing.T) {
	d := Parse([]byte(`{"a": [10, {"b" : 2}], "c": "x"} tail`))
	for _, c := range []struct {
		at   string
		want Pointer
	}{{`"a"`, "/a"}, {`[`, "/a"}, {`10`, "/a/0"}, {` {"b"`, "/a"}, {`"b"`, "/a/1/b"}, {`: 2`, "/a/1"}, {`2}`, "/a/1/b"}, {`}]`, "/a/1"}, {`"x"`, "/c"}, {`{"a`, ""}} {
		node := d.NodeAt(strings.Index(string(d.Text), c.at))
		if got := d.Pointer(node); node < 0 || got != c.want {
			t.Errorf("at %s: node %d %q, want %q", c.at, node, got, c.want)
		}
	}
	for _, at := range []int{-1, len(d.Text) - 1, len(d.Text), 1 << 40} {
		if got := d.NodeAt(at); got != -1 {
			t.Errorf("at %d: node %d", at, got)
		}
	}
}

func TestSameIgnoresSpellingOnly(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[2]}`, `{"b":[2.0],"a":1e0}`, true}, {`{"a":1}`, `{"a":1,"b":2}`, false}, {`{"a":1,"a":2}`, `{"a":2}`, true},
		{`[1,2]`, `[2,1]`, false}, {`[1]`, `[1,1]`, false}, {`"\u0061"`, `"a"`, true}, {`"a"`, `"A"`, false}, {`"\ud800"`, `"\ud801"`, false},
		{`"\ud800"`, `"\ufffd"`, false}, {`null`, `false`, false}, {`null`, `null`, true}, {`true`, `false`, false}, {`true`, ` true `, true},
		{`1`, `"1"`, false}, {`1`, `1.0`, true}, {`100`, `1e2`, true}, {`100`, `1.00e+2`, true}, {`-0`, `0`, true}, {`0e5`, `0`, true},
		{`0.1`, `0.10000000000000000001`, false}, {`9007199254740993`, `9007199254740992`, false}, {`1e400`, `1e401`, false}, {`1e400`, `10e399`, true},
		{`1e99999999999999999999`, `10e99999999999999999998`, true}, {`1e99999999999999999999`, `1e99999999999999999998`, false}, {`1`, `-1`, false}, {`1.5`, `15e-1`, true},
		{`NaN`, `NaN`, true}, {``, ``, true}, {``, `null`, false}, {`{"\u0061":1}`, `{"a":1}`, true},
	} {
		a, b := Parse([]byte(c.a)).Root(), Parse([]byte(c.b)).Root()
		if a.Same(b) != c.want || b.Same(a) != c.want {
			t.Errorf("%s and %s: %v, %v, want %v", c.a, c.b, a.Same(b), b.Same(a), c.want)
		}
	}
}

func TestNumbersAreNeverRounded(t *testing.T) {
	for _, c := range []struct {
		raw     string
		integer bool
		n       int64
		ok      bool
	}{
		{"0", true, 0, true}, {"-0.0", true, 0, true}, {"60000.0", true, 60000, true}, {"6e4", true, 60000, true}, {"60000e-4", true, 6, true}, {"1.5", false, 0, false},
		{"15e-1", false, 0, false}, {"9223372036854775807", true, 1<<63 - 1, true}, {"-9223372036854775808", true, -1 << 63, true}, {"9223372036854775808", true, 0, false},
		{"-9223372036854775809", true, 0, false}, {"18446744073709551616", true, 0, false}, {"1e18", true, 1e18, true}, {"1e19", true, 0, false},
		{"1e999999999", true, 0, false}, {"1e99999999999999999999999", true, 0, false}, {"1e-99999999999999999999999", false, 0, false}, {"0e99999999999999999999999", true, 0, true},
		{"01", true, 1, true}, {"+1", true, 1, true}, {"1.", true, 1, true}, {".5", false, 0, false}, {`"1"`, false, 0, false}, {"0x10", false, 0, false},
	} {
		v := Parse([]byte(c.raw)).Root()
		n, ok := v.Int()
		if v.IsInteger() != c.integer || ok != c.ok || ok && n != c.n {
			t.Errorf("%s: integer %v, Int %d %v", c.raw, v.IsInteger(), n, ok)
		}
	}
	if f, ok := Parse([]byte("-2.5e-1")).Root().Float(); !ok || f != -0.25 {
		t.Errorf("-2.5e-1 is %v %v", f, ok)
	}
	for _, raw := range []string{"1e400", `"1"`, "0x10", "true", ""} {
		if f, ok := Parse([]byte(raw)).Root().Float(); ok {
			t.Errorf("%s is the float %v", raw, f)
		}
	}
}

func TestCompactAndIndentKeepTokens(t *testing.T) {
	text := " { \"a\" : [ 1.50 , true ] ,\n \"b\\u0041 \" : { } , \"c\":[ ] } "
	if got := string(Compact(nil, []byte(text))); got != `{"a":[1.50,true],"b\u0041 ":{},"c":[]}` {
		t.Errorf("Compact: %s", got)
	}
	want := "{\n>  \"a\": [\n>   1.50,\n>   true\n>  ],\n>  \"b\\u0041 \": {},\n>  \"c\": []\n> }"
	if got := string(Indent(nil, Parse([]byte(text)).Root(), "> ", " ")); got != want {
		t.Errorf("Indent:\n%s\nwant\n%s", got, want)
	}
	if got := string(Compact(nil, []byte(`NaN None "a b`))); got != `NaN None"a b` {
		t.Errorf("Compact of no JSON: %s", got)
	}
	if got := string(Indent([]byte("x"), Value{}, "", "")); got != "x" {
		t.Errorf("Indent of nothing: %s", got)
	}
	if got := string(Indent(nil, Parse([]byte(text)).At("/a"), "", "  ")); got != "[\n  1.50,\n  true\n]" {
		t.Errorf("Indent of a part: %s", got)
	}
}
