package jsondoc

import (
	"fmt"
	"strings"
	"testing"
)

// parseCases pair a text with its nodes, written as a tree of kinds and raw texts, and its faults,
// written as kind@from-to#node.
var parseCases = []struct{ name, text, nodes, faults string }{
	{"empty", ``, ``, `empty@0-0#-1`},
	{"blank", " \n\t", ``, `empty@0-3#-1`},
	{"scalars", `[null,true,false,-1.5e3,"x"]`, `[null true false -1.5e3 "x"]`, ``},
	{"object", `{"a": 1, "b": {"c": []}}`, `{"a":1 "b":{"c":[]}}`, ``},
	{"digits stay", `12345678901234567890.10`, `12345678901234567890.10`, ``},
	{"byte order mark", "\xef\xbb\xbf{}", `{}`, `byte order mark@0-3#-1`},
	{"duplicate", `{"a":1,"b":2,"a":3}`, `{"a":1 "b":2 "a":3}`, `duplicate key@13-16#3`},
	{"duplicate in disguise", `{"a":1,"\u0061":3}`, `{"a":1 "\u0061":3}`, `duplicate key@7-15#2`},
	{"trailing comma", `[1,2,]`, `[1 2]`, `bad comma@4-5#0`},
	{"trailing comma in object", `{"a":1,}`, `{"a":1}`, `bad comma@6-7#0`},
	{"doubled comma", `[1,,2]`, `[1 2]`, `bad comma@3-4#0`},
	{"doubled comma in object", `{"a":1,,"b":2}`, `{"a":1 "b":2}`, `bad comma@7-8#0`},
	{"leading comma", `[,1]`, `[1]`, `bad comma@1-2#0`},
	{"missing comma", `[1 2]`, `[1 2]`, `bad comma@3-3#0`},
	{"missing comma in object", `{"a":1 "b":2}`, `{"a":1 "b":2}`, `bad comma@7-7#0`},
	{"missing colon", `{"a" 1,"b":2}`, `{"a":1 "b":2}`, `bad comma@5-5#1`},
	{"doubled colon", `{"a"::1,"b":2}`, `{"a":1 "b":2}`, `bad comma@5-6#0`},
	{"missing value", `{"a":,"b":2}`, `{"a":! "b":2}`, `bad comma@5-5#1`},
	{"name alone", `{"a","b":2}`, `{"a":! "b":2}`, `bad comma@4-4#1`},
	{"missing name", `{:1,"b":2}`, `{:1 "b":2}`, `bad key@1-2#1`},
	{"container as name", `{[1]:2}`, `{:[1] 2:!}`, `bad key@1-2#1 bad token@4-5#0 bad comma@5-5#0 bad key@5-6#3 bad comma@6-6#3`},
	{"bare name", `{a:1,"b":2}`, `{a:1 "b":2}`, `bad key@1-2#1`},
	{"single-quoted name", `{'a b':1}`, `{'a b':1}`, `bad key@1-6#1`},
	{"single quotes", `{"a":'it, is',"b":2}`, `{"a":!'it, is' "b":2}`, `bad token@5-13#1`},
	{"single quote alone", `['a,2]`, `[!'a 2]`, `bad token@1-3#1`},
	{"NaN", `[NaN,1]`, `[!NaN 1]`, `bad token@1-4#1`},
	{"Python", `{"a":True,"b":None}`, `{"a":!True "b":!None}`, `bad token@5-9#1 bad token@14-18#2`},
	{"minus infinity", `[-Infinity]`, `[!-Infinity]`, `bad token@1-10#1`},
	{"glued words", `[truefalse,nul]`, `[!truefalse !nul]`, `bad token@1-10#1 bad token@11-14#2`},
	{"leading zero", `[01,2]`, `[01 2]`, `bad number@1-3#1`},
	{"plus", `[+1]`, `[+1]`, `bad number@1-3#1`},
	{"no whole part", `[.5]`, `[.5]`, `bad number@1-3#1`},
	{"no fraction", `[1.]`, `[1.]`, `bad number@1-3#1`},
	{"hexadecimal", `[0x1F,1]`, `[!0x1F 1]`, `bad number@1-5#1`},
	{"minus alone", `[-,1]`, `[!- 1]`, `bad token@1-2#1`},
	{"half exponent", `[1e,1]`, `[!1e 1]`, `bad number@1-3#1`},
	{"comments", "/*a*/[1,//b\n2]", `[1 2]`, `bad token@0-5#-1 bad token@8-11#0`},
	{"open comment", `[1,/*2]`, `[1 !/*2]`, `bad token@3-6#2`},
	{"open object", `{"a":1`, `{"a":1}`, `unterminated@6-6#0`},
	{"open after colon", `{"a":`, `{"a":!}`, `bad comma@5-5#1 unterminated@5-5#0`},
	{"open in name", `[{"a`, `[{"a:!}]`, `unterminated@2-4#2 bad comma@4-4#2`},
	{"open string", `["ab`, `["ab]`, `unterminated@1-4#1`},
	{"open nested", `[[1,[2`, `[[1 [2]]]`, `unterminated@6-6#3`},
	{"cut escape", `["a\`, `["a\]`, `unterminated@1-4#1 bad escape@3-4#1`},
	{"trailing text", `{} x `, `{}`, `trailing text@3-4#-1`},
	{"two values", `{"a":1}{"b":2}`, `{"a":1}`, `trailing text@7-14#-1`},
	{"prose", "Server up: 3\nbye", `!Server up: 3`, `bad token@0-12#0 trailing text@13-16#-1`},
	{"bracket too many", `[1]]`, `[1]`, `trailing text@3-4#-1`},
	{"bracket alone", `}`, `!}`, `bad token@0-1#0`},
	{"wrong bracket", `[1,2}`, `[1 2]`, `bad token@4-5#0`},
	{"wrong bracket inside", `{"a":[1},"b":2}`, `{"a":[1] "b":2}`, `bad token@7-8#1`},
	{"forgotten bracket", `[{"a":[1},{"b":2}]`, `[{"a":[1]} {"b":2}]`, `bad token@8-9#2`},
	{"forgotten last bracket", `{"a":[1}`, `{"a":[1]}`, `bad token@7-8#1`},
	{"stray bracket", `[1},2]`, `[1 2]`, `bad token@2-3#0`},
	{"unknown escape", `["\x"]`, `["\x"]`, `bad escape@2-3#1`},
	{"short escape", `["\u12"]`, `["\u12"]`, `bad escape@2-4#1`},
	{"surrogate pair", `["\ud83d\ude00"]`, `["\ud83d\ude00"]`, ``},
	{"high surrogate alone", `["\ud83dx"]`, `["\ud83dx"]`, `lone surrogate@2-8#1`},
	{"surrogates swapped", `["\ude00\ud83d"]`, `["\ude00\ud83d"]`, `lone surrogate@2-8#1 lone surrogate@8-14#1`},
	{"raw newline", "[\"a\nb\"]", "[\"a\nb\"]", `control character in text@3-4#1`},
	{"bad UTF-8", "{\"a\":\"x\xff\xfe\"}", "{\"a\":\"x\xff\xfe\"}", `bad UTF-8@7-9#1`},
	{"no-break space", "[\u00a01]", "[!\u00a01]", `bad token@1-4#1`},
}

// tree writes nodes as the table has them: ! marks Invalid.
func tree(v Value) string {
	if !v.Exists() {
		return ""
	}
	s := ""
	if v.Parent().Is(Object) {
		k := v.node().Key
		s = string(v.doc.Text[k.From:k.To]) + ":"
	}
	switch v.Kind() {
	case Invalid:
		return s + "!" + string(v.Raw())
	case Array, Object:
		var parts []string
		for c := range v.Children() {
			parts = append(parts, tree(c))
		}
		b := v.Kind().brackets()
		return s + b[:1] + strings.Join(parts, " ") + b[1:]
	}
	return s + string(v.Raw())
}

func faultList(d *Document) string {
	var parts []string
	for _, f := range d.Faults {
		parts = append(parts, fmt.Sprintf("%v@%d-%d#%d", f.Kind, f.At.From, f.At.To, f.Node))
	}
	return strings.Join(parts, " ")
}

func TestParseKeepsWhatIsThere(t *testing.T) {
	for _, c := range parseCases {
		t.Run(c.name, func(t *testing.T) {
			d := Parse([]byte(c.text))
			checkTable(t, d)
			if got := tree(d.Root()); got != c.nodes {
				t.Errorf("nodes  %s\nwant   %s", got, c.nodes)
			}
			if got := faultList(d); got != c.faults {
				t.Errorf("faults %s\nwant   %s", got, c.faults)
			}
		})
	}
}
