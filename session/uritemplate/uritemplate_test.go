package uritemplate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// values are the variables of RFC 6570, section 3.2.
func values() map[string]Value {
	return map[string]Value{
		"count": List("one", "two", "three"), "dom": List("example", "com"),
		"dub": Text("me/too"), "hello": Text("Hello World!"), "half": Text("50%"), "var": Text("value"),
		"who": Text("fred"), "base": Text("http://example.com/home/"), "path": Text("/foo/bar"),
		"list": List("red", "green", "blue"),
		"keys": Pairs([2]string{"semi", ";"}, [2]string{"dot", "."}, [2]string{"comma", ","}),
		"v":    Text("6"), "x": Text("1024"), "y": Text("768"), "empty": Text(""), "empty_keys": Pairs(), "undef": {},
	}
}

// The tables of RFC 6570, sections 3.2.1 to 3.2.9, whole.
const tables = `
{count}            one,two,three
{count*}           one,two,three
{/count}           /one,two,three
{/count*}          /one/two/three
{;count}           ;count=one,two,three
{;count*}          ;count=one;count=two;count=three
{?count}           ?count=one,two,three
{?count*}          ?count=one&count=two&count=three
{&count*}          &count=one&count=two&count=three
{var}              value
{hello}            Hello%20World%21
{half}             50%25
O{empty}X          OX
O{undef}X          OX
{x,y}              1024,768
{x,hello,y}        1024,Hello%20World%21,768
?{x,empty}         ?1024,
?{x,undef}         ?1024
?{undef,y}         ?768
{var:3}            val
{var:30}           value
{list}             red,green,blue
{list*}            red,green,blue
{keys}             semi,%3B,dot,.,comma,%2C
{keys*}            semi=%3B,dot=.,comma=%2C
{+var}             value
{+hello}           Hello%20World!
{+half}            50%25
{base}index        http%3A%2F%2Fexample.com%2Fhome%2Findex
{+base}index       http://example.com/home/index
O{+empty}X         OX
O{+undef}X         OX
{+path}/here       /foo/bar/here
here?ref={+path}   here?ref=/foo/bar
up{+path}{var}/here  up/foo/barvalue/here
{+x,hello,y}       1024,Hello%20World!,768
{+path,x}/here     /foo/bar,1024/here
{+path:6}/here     /foo/b/here
{+list}            red,green,blue
{+list*}           red,green,blue
{+keys}            semi,;,dot,.,comma,,
{+keys*}           semi=;,dot=.,comma=,
{#var}             #value
{#hello}           #Hello%20World!
{#half}            #50%25
foo{#empty}        foo#
foo{#undef}        foo
{#x,hello,y}       #1024,Hello%20World!,768
{#path,x}/here     #/foo/bar,1024/here
{#path:6}/here     #/foo/b/here
{#list}            #red,green,blue
{#list*}           #red,green,blue
{#keys}            #semi,;,dot,.,comma,,
{#keys*}           #semi=;,dot=.,comma=,
{.who}             .fred
{.who,who}         .fred.fred
{.half,who}        .50%25.fred
www{.dom*}         www.example.com
X{.var}            X.value
X{.empty}          X.
X{.undef}          X
X{.var:3}          X.val
X{.list}           X.red,green,blue
X{.list*}          X.red.green.blue
X{.keys}           X.semi,%3B,dot,.,comma,%2C
X{.keys*}          X.semi=%3B.dot=..comma=%2C
X{.empty_keys}     X
X{.empty_keys*}    X
{/who}             /fred
{/who,who}         /fred/fred
{/half,who}        /50%25/fred
{/who,dub}         /fred/me%2Ftoo
{/var}             /value
{/var,empty}       /value/
{/var,undef}       /value
{/var,x}/here      /value/1024/here
{/var:1,var}       /v/value
{/list}            /red,green,blue
{/list*}           /red/green/blue
{/list*,path:4}    /red/green/blue/%2Ffoo
{/keys}            /semi,%3B,dot,.,comma,%2C
{/keys*}           /semi=%3B/dot=./comma=%2C
{;who}             ;who=fred
{;half}            ;half=50%25
{;empty}           ;empty
{;v,empty,who}     ;v=6;empty;who=fred
{;v,bar,who}       ;v=6;who=fred
{;x,y}             ;x=1024;y=768
{;x,y,empty}       ;x=1024;y=768;empty
{;x,y,undef}       ;x=1024;y=768
{;hello:5}         ;hello=Hello
{;list}            ;list=red,green,blue
{;list*}           ;list=red;list=green;list=blue
{;keys}            ;keys=semi,%3B,dot,.,comma,%2C
{;keys*}           ;semi=%3B;dot=.;comma=%2C
{?who}             ?who=fred
{?half}            ?half=50%25
{?x,y}             ?x=1024&y=768
{?x,y,empty}       ?x=1024&y=768&empty=
{?x,y,undef}       ?x=1024&y=768
{?var:3}           ?var=val
{?list}            ?list=red,green,blue
{?list*}           ?list=red&list=green&list=blue
{?keys}            ?keys=semi,%3B,dot,.,comma,%2C
{?keys*}           ?semi=%3B&dot=.&comma=%2C
{&who}             &who=fred
{&half}            &half=50%25
?fixed=yes{&x}     ?fixed=yes&x=1024
{&x,y,empty}       &x=1024&y=768&empty=
{&x,y,undef}       &x=1024&y=768
{&var:3}           &var=val
{&list}            &list=red,green,blue
{&list*}           &list=red&list=green&list=blue
{&keys}            &keys=semi,%3B,dot,.,comma,%2C
{&keys*}           &semi=%3B&dot=.&comma=%2C
`

func TestTheTablesOfTheRFC(t *testing.T) {
	n := 0
	for _, row := range strings.Split(strings.TrimSpace(tables), "\n") {
		template, want, _ := strings.Cut(row, " ")
		want = strings.TrimLeft(want, " ")
		tpl, err := Parse(template)
		if err != nil {
			t.Errorf("%s: %v", template, err)
			continue
		}
		if got, err := tpl.Expand(values()); got != want || err != nil {
			t.Errorf("%s: got %s (%v), want %s", template, got, err, want)
		}
		n++
	}
	if n < 100 {
		t.Errorf("only %d rows", n)
	}
}

func TestCharactersAreEncodedAsTheirUTF8Bytes(t *testing.T) {
	v := map[string]Value{
		"a": Text("é日😀"), "b": Text("a%C3%A9b%zz"), "c": Text("\xff"), "d": Text("%41%42%43"), "e": Text("%C3%A9%E6%97%A5z"),
		"empties": List("", ""), "blank": Pairs([2]string{"a", ""}, [2]string{"é", "1"}),
	}
	for template, want := range map[string]string{
		"x:{a}":        "x:%C3%A9%E6%97%A5%F0%9F%98%80",
		"{+a}":         "%C3%A9%E6%97%A5%F0%9F%98%80",
		"{a:1}":        "%C3%A9",
		"{+a:2}":       "%C3%A9%E6%97%A5",
		"{b}":          "a%25C3%25A9b%25zz",
		"{+b}":         "a%C3%A9b%25zz",
		"{c}":          "%FF",
		"{+d:2}":       "%41%42",
		"{d:2}":        "%254",
		"{+e:2}":       "%C3%A9%E6%97%A5",
		"é/%7B{c}":     "%C3%A9/%7B%FF",
		"{?empties*}":  "?empties=&empties=",
		"{;empties*}":  ";empties;empties",
		"{?blank*}":    "?a=&%C3%A9=1",
		"{;blank*}":    ";a;%C3%A9=1",
		"{blank*}":     "a=,%C3%A9=1",
		"{/empties}":   "/,",
		"":             "",
		"plain":        "plain",
		"it's/{?none}": "it's/",
	} {
		tpl, err := Parse(template)
		if err != nil {
			t.Errorf("%s: %v", template, err)
		}
		if got, err := tpl.Expand(v); got != want || err != nil {
			t.Errorf("%s: got %s (%v), want %s", template, got, err, want)
		}
	}
}

func TestFaultsHavePlaces(t *testing.T) {
	for template, want := range map[string]string{
		"file:///{path":    "8-9 an expression that is not closed",
		"a}b":              "1-2 a closing brace without an opening one",
		"{a{b}":            "0-1 an expression that is not closed",
		"{}":               "0-2 an expression without a variable",
		"{?}":              "0-3 an expression without a variable",
		"{=a}":             "1-2 the operator '=', which is reserved",
		"{a,}":             "3-4 a variable without a name",
		"{,a}":             "1-2 the operator ',', which is reserved",
		"{+,a}":            "2-3 a variable without a name",
		"{*}":              "1-2 a variable without a name",
		"{user-id}":        "5-6 the character \"-\", which a variable's name cannot hold",
		"{a b}/{é}":        "2-3 the character \" \", which a variable's name cannot hold; 7-9 the character \"é\", which a variable's name cannot hold",
		"{.}":              "0-3 an expression without a variable",
		"{a..b}":           "3-4 the character \".\", which a variable's name cannot hold",
		"{a.}":             "2-3 the character \".\", which a variable's name cannot hold",
		"{a:0}":            "2-4 a prefix length that is no number from 1 to 9999",
		"{a:10000}":        "2-8 a prefix length that is no number from 1 to 9999",
		"{a:}":             "2-3 a prefix length that is no number from 1 to 9999",
		"{a:x}":            "2-4 a prefix length that is no number from 1 to 9999",
		"100%/x":           "3-4 a percent sign that does not begin an encoded byte",
		"a b":              "1-2 the character ' ', which a URI cannot hold",
		"a\xff":            "1-2 bytes that are no text",
		"{a%4}":            "2-3 the character \"%\", which a variable's name cannot hold",
		"{%41.b_1}/ok%20~": "",
	} {
		tpl, err := Parse(template)
		var e *Error
		var got []string
		if errors.As(err, &e) {
			for _, f := range e.Faults {
				got = append(got, fmt.Sprintf("%d-%d %s", f.From, f.To, f.Text))
			}
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: got %s, want %s", template, strings.Join(got, "; "), want)
		}
		if tpl.String() != template {
			t.Errorf("%s became %s", template, tpl)
		}
	}
}

// What is wrong by the grammar is still of use: the form has its field, the URI is made.
func TestFaultyTemplatesAreExpandedAsWellAsCanBe(t *testing.T) {
	tpl, err := Parse("app://{user-id}/{x/{?q}{=no}")
	if err == nil {
		t.Fatal("no error")
	}
	if got := tpl.Names(); !slices.Equal(got, []string{"user-id", "q"}) {
		t.Errorf("names %v", got)
	}
	got, err := tpl.Expand(map[string]Value{"user-id": Text("7"), "q": Text("a b"), "x": Text("?")})
	if want := "app://7/%7Bx/?q=a%20b%7B=no%7D"; got != want || err != nil {
		t.Errorf("got %s (%v), want %s", got, err, want)
	}
}

func TestVariables(t *testing.T) {
	tpl, err := Parse("db:///{schema}{/table*}{?limit:4,schema}")
	if err != nil {
		t.Fatal(err)
	}
	want := []Variable{
		{Name: "schema", At: 7}, {Name: "table", Operator: "/", Explode: true, At: 16},
		{Name: "limit", Operator: "?", Prefix: 4, At: 25}, {Name: "schema", Operator: "?", At: 33},
	}
	if got := tpl.Variables(); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	if got := tpl.Names(); !slices.Equal(got, []string{"schema", "table", "limit"}) {
		t.Errorf("names %v", got)
	}
}

func TestAPrefixOfAListIsAnErrorButStillAURI(t *testing.T) {
	tpl, _ := Parse("{keys:1}/{list:2}")
	got, err := tpl.Expand(values())
	if err == nil || !strings.Contains(err.Error(), `"keys"`) {
		t.Errorf("error %v", err)
	}
	if got != "semi,%3B,dot,.,comma,%2C/red,green,blue" {
		t.Errorf("got %s", got)
	}
}

func FuzzTemplate(f *testing.F) {
	for _, row := range strings.Split(tables, "\n") {
		template, _, _ := strings.Cut(row, " ")
		f.Add(template, "é/%41")
	}
	f.Add("{user-id}{", "\xff%")
	f.Fuzz(func(t *testing.T, template, value string) {
		tpl, err := Parse(template)
		var e *Error
		if errors.As(err, &e) {
			for _, ft := range e.Faults {
				if ft.From < 0 || ft.From >= ft.To || ft.To > len(template) {
					t.Fatalf("%q: fault %+v", template, ft)
				}
			}
			_ = e.Error()
		}
		v := map[string]Value{}
		for i, name := range tpl.Names() {
			v[name] = []Value{Text(value), List(value, ""), Pairs([2]string{value, value}), {}}[i%4]
		}
		uri, _ := tpl.Expand(v)
		for i := range len(uri) {
			if c := uri[i]; c <= ' ' || c >= 0x7F || strings.IndexByte("\"<>\\^`{|}", c) >= 0 || c == '%' && !triplet(uri, i) {
				t.Fatalf("%q expands to %q: no URI at %d", template, uri, i)
			}
		}
		if all, err := Parse(uri); err != nil || len(all.Variables()) > 0 {
			t.Fatalf("%q expands to %q, which is not plain", template, uri)
		}
	})
}
