package jsondiff

import (
	"fmt"
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
)

func value(text string) jsondoc.Value { return jsondoc.Parse([]byte(text)).Root() }

// drawn is a difference as it is read.
func drawn(d Diff) string {
	var b strings.Builder
	for _, l := range d.Lines {
		text := l.Text
		if l.Folded > 0 {
			text += fmt.Sprintf("(%d)", l.Folded)
		}
		b.WriteString(string(l.Op) + text + "\n")
	}
	return b.String()
}

func TestCompare(t *testing.T) {
	long := strings.Repeat("weather ", 40)
	for _, c := range []struct{ name, a, b, want string }{
		{"the same, spelt otherwise", `{"a":1,"b":[1.0]}`, `{ "b":[1], "a":1e0 }`, ` {"b":[1],"a":1e0}
`},
		{"a value", `{"a":1,"b":2}`, `{"a":1,"b":3}`, ` {
   "a": 1,
-  "b": 2
+  "b": 3
 }
`},
		{"members come and go", `{"a":1,"gone":{"x":1},"b":2}`, `{"b":2,"a":1,"new":[]}`, ` {
-  "gone": {"x":1},
   "b": 2,
   "a": 1,
+  "new": []
 }
`},
		{"of another kind", `{"a":"1"}`, `{"a":[1]}`, ` {
-  "a": "1"
+  "a": [1]
 }
`},
		{"an element between", `[1,2,3]`, `[1,9,2,3]`, ` [
   1,
+  9,
   2,
   3
 ]
`},
		{"what is called the same is the same thing", `[{"name":"a","n":1},{"name":"b","n":1}]`, `[{"name":"new"},{"name":"b","n":2}]`, ` [
-  {"name":"a","n":1},
+  {"name":"new"},
   {
     "name": "b",
-    "n": 1
+    "n": 2
   }
 ]
`},
		{"far away is folded", `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7}`, `{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":8}`, ` {
   (3)
   "d": 4,
   "e": 5,
   "f": 6,
-  "g": 7
+  "g": 8
 }
`},
		{"a large one that stayed is one line", `{"a":1,"big":{"text":"` + long + `"}}`, `{"a":2,"big":{"text":"` + long + `"}}`, ` {
-  "a": 1,
+  "a": 2,
   "big": { … }
 }
`},
		{"JSON in a text", `{"text":"{\"temp\":22,\"unit\":\"C\"}"}`, `{"text":"{\"temp\":23,\"unit\":\"C\"}"}`, ` {
   "text": JSON in a text
     {
-      "temp": 22,
+      "temp": 23,
       "unit": "C"
     }
 }
`},
		{"lines in a text", `{"text":"one\ntwo\nthree"}`, `{"text":"one\n2\nthree\nfour"}`, ` {
   "text": a text of several lines
     one
-    two
+    2
     three
+    four
 }
`},
		{"a long text", `["` + long + `a` + long + `"]`, `["` + long + `é` + long + `"]`, ` [
-  "…` + long[len(long)-60:] + `a` + long[:60] + `…
+  "…` + long[len(long)-60:] + `é` + long[:60] + `…
 ]
`},
		{"only one is there", ``, `1`, `+1
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := drawn(Compare(value(c.a), value(c.b), Options{}))
			want := strings.ReplaceAll(c.want, `"…`, `…`)
			if got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
		})
	}
}

func TestCountsPathsAndWhatIsSkipped(t *testing.T) {
	a := value(`{"x":{"keep":1,"token":5},"y":[1,2],"old":1}`)
	b := value(`{"x":{"keep":1,"token":6},"y":[1,3],"new":1,"more":2}`)
	d := Compare(a, b, Options{Skip: []jsondoc.Pointer{"/x/token"}})
	if d.Changed != 1 || d.Added != 2 || d.Removed != 1 || d.Cut {
		t.Errorf("%+v\n%s", d, drawn(d))
	}
	paths := map[jsondoc.Pointer]int{}
	for _, l := range d.Lines {
		if l.Change > 0 {
			paths[l.Path] = l.Change
		}
	}
	for _, p := range []jsondoc.Pointer{"/y/1", "/old", "/new", "/more"} {
		if paths[p] == 0 {
			t.Errorf("no change at %s: %v", p, paths)
		}
	}
	if d = Compare(a.Get("x"), b.Get("x"), Options{Skip: []jsondoc.Pointer{"/x/token"}}); d.Changes() != 0 {
		t.Errorf("what was to be skipped counts: %s", drawn(d))
	}
}

func TestALimitOfLinesIsSaid(t *testing.T) {
	a, b := "[0", "[0"
	for i := range 3000 {
		a, b = a+fmt.Sprintf(",%d", i), b+fmt.Sprintf(",%d", -i-1)
	}
	if d := Compare(value(a+"]"), value(b+"]"), Options{Max: 100}); !d.Cut || len(d.Lines) != 100 {
		t.Errorf("%d lines, cut %v", len(d.Lines), d.Cut)
	}
}

// Nothing that is deep or large costs the square of it.
func TestWhatIsDeepOrLargeIsCut(t *testing.T) {
	nest := func(inner string) jsondoc.Value {
		return value(strings.Repeat(`{"a":[`, 4000) + inner + strings.Repeat(`]}`, 4000))
	}
	size := func(d Diff) (n int) {
		for _, l := range d.Lines {
			n += len(l.Text) + len(l.Path)
		}
		return n
	}
	if d := Compare(nest("1"), nest("2"), Options{}); d.Changed != 1 || size(d) > 1<<18 {
		t.Errorf("%d changes, %d bytes", d.Changes(), size(d))
	}
	if d := Compare(value(`[]`), nest("2"), Options{}); d.Changed != 1 || size(d) > 1<<16 {
		t.Errorf("%d changes, %d bytes", d.Changes(), size(d))
	}
	large := value(`["` + strings.Repeat("é", 1<<20) + `",[` + strings.Repeat("1,", 1<<20) + `1]]`)
	if d := Compare(value(`[1,2]`), large, Options{}); size(d) > 1<<16 {
		t.Errorf("%d bytes", size(d))
	}
}

func TestAlign(t *testing.T) {
	long := strings.Repeat("x ", 2*maxSquare)
	for _, c := range []struct{ a, b, want string }{
		{"", "", ""}, {"a", "a", " a"}, {"a b c", "a c", " a-b c"}, {"a c", "a b c", " a+b c"}, {"a b c d", "a x c y", " a-b+x c-d+y"},
		{"", "a b", "+a+b"}, {"a b", "", "-a-b"}, {"b a n a n a", "a n a n a s", "-b a n a n a+s"},
	} {
		a, b := strings.Fields(c.a), strings.Fields(c.b)
		got := ""
		for _, p := range Align(a, b) {
			switch {
			case p.J < 0:
				got += "-" + a[p.I]
			case p.I < 0:
				got += "+" + b[p.J]
			default:
				got += " " + a[p.I]
			}
		}
		if got != c.want {
			t.Errorf("%q to %q: %q, want %q", c.a, c.b, got, c.want)
		}
	}
	// What is too long to compare each with each is held together by what is there once.
	a := strings.Fields("first " + long + " middle " + long + " last")
	b := strings.Fields(long + " middle " + strings.ReplaceAll(long, "x", "v") + " last new")
	kept := 0
	for _, p := range Align(a, b) {
		if p.I >= 0 && p.J >= 0 {
			kept++
		}
	}
	if kept < 2*maxSquare+2 {
		t.Errorf("%d lines stayed", kept)
	}
}

// Both texts can be read out of an alignment.
func FuzzAlign(f *testing.F) {
	f.Add("a\nb", "b\nc")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
		i, j := 0, 0
		for _, p := range Align(x, y) {
			if p.I >= 0 && p.J >= 0 && x[p.I] != y[p.J] || p.I >= 0 && p.I != i || p.J >= 0 && p.J != j {
				t.Fatalf("%q to %q: %v", a, b, p)
			}
			if p.I >= 0 {
				i++
			}
			if p.J >= 0 {
				j++
			}
		}
		if i != len(x) || j != len(y) {
			t.Errorf("%q to %q: %d and %d lines", a, b, i, j)
		}
	})
}

// With nothing folded both values can be read out of the lines; there is a change when they are not the same.
func FuzzCompare(f *testing.F) {
	f.Add(`{"a":[1,{"name":"x","n":2}],"b":"t"}`, `{"b":"t","a":[{"name":"x","n":3},1]}`)
	f.Add(`[1,2,3]`, `{"a":null}`)
	f.Add(`{"text":"{\"a\":1}"}`, `{"text":"{\"a\":2}"}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := jsondoc.Parse([]byte(a)), jsondoc.Parse([]byte(b))
		Texts(a, b, Options{})
		Compare(x.Root(), y.Root(), Options{})
		if !x.Valid() || !y.Valid() {
			return
		}
		d := Compare(x.Root(), y.Root(), Options{Whole: true, Max: 1 << 20})
		if !x.Root().Same(y.Root()) && d.Changes() == 0 {
			t.Errorf("%q and %q are the same\n%s", a, b, drawn(d))
		}
		var was, is strings.Builder
		for _, l := range d.Lines {
			if strings.Contains(l.Text, "JSON in a text") || strings.Contains(l.Text, "a text of several lines") || strings.Contains(l.Text, "…") {
				return // texts are shown from inside
			}
			if l.Op != Added {
				was.WriteString(l.Text + "\n")
			}
			if l.Op != Removed {
				is.WriteString(l.Text + "\n")
			}
		}
		if !value(was.String()).Same(x.Root()) || !value(is.String()).Same(y.Root()) {
			t.Errorf("%q to %q reads\n%s", a, b, drawn(d))
		}
	})
}

// Two lists of tools of 5 MB, of which some were changed, moved and taken out.
func BenchmarkCompare(b *testing.B) {
	list := func(change bool) string {
		var s strings.Builder
		s.WriteString(`{"tools":[`)
		for i := range 20_000 {
			if change && i%500 == 7 {
				continue
			}
			text := "does a thing"
			if change && i%100 == 3 {
				text = "does another thing"
			}
			fmt.Fprintf(&s, `{"name":"tool_%d","description":"%s and so on and so on, at some length","inputSchema":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"integer"}}}},`, i, text)
		}
		return s.String() + `0]}`
	}
	x, y := value(list(false)), value(list(true))
	b.SetBytes(int64(len(x.Raw())))
	b.ReportAllocs()
	for b.Loop() {
		Compare(x, y, Options{})
	}
}
