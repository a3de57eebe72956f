package jsondoc

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"
	"unicode/utf8"
)

// FuzzParse holds every text against the promises that hold for all texts: no panic, a sound node
// table, faults inside the text, agreement with encoding/json, pointers that lead back, lines that add up.
func FuzzParse(f *testing.F) {
	for _, c := range parseCases {
		f.Add([]byte(c.text))
	}
	for _, s := range []string{
		`{"a":1,"b":[true,null,"x\n\u00e9"],"c":{"d":-0.5e+3}}`, `[[[[]]]]`, `{"":{"":[]}}`, "\xef\xbb\xbf{}",
		`{"a":1,"a":2}`, `[1,2}`, `{"a":[1,2},"b":3}`, `{1:2,[3]:4,:5}`, `'it''s`, `/* a */ [1] // b`, "[\"\xff\",\"\\ud800\"]",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		before := slices.Clone(text)
		d := Parse(text)
		checkTable(t, d)
		if !bytes.Equal(before, text) {
			t.Fatal("Parse changed the text")
		}
		stricter := slices.ContainsFunc(d.Faults, func(f Fault) bool { return f.Kind == BadUTF8 || f.Kind == LoneSurrogate })
		if valid := json.Valid(text); valid != d.Valid() && !(valid && stricter) {
			t.Fatalf("Valid is %v, encoding/json says %v, faults %v", d.Valid(), valid, d.Faults)
		}
		if d.Valid() {
			checkAgainstJSON(t, d)
		}
		checkLayout(t, d)
	})
}

// checkTable checks the node table and the pointers of all nodes of a document, whatever its text.
func checkTable(t *testing.T, d *Document) {
	t.Helper()
	size := int32(len(d.Text))
	// Of members with the same name, or without any, a pointer can only mean the last.
	ambiguous := slices.ContainsFunc(d.Faults, func(f Fault) bool { return f.Kind == DuplicateKey || f.Kind == BadKey })
	for id := int32(0); int(id) < len(d.Nodes); id++ {
		n := &d.Nodes[id]
		if n.Next <= id || int(n.Next) > len(d.Nodes) {
			t.Fatalf("node %d: Next %d", id, n.Next)
		}
		if n.Kind == Missing || n.Value.From < 0 || n.Value.To < n.Value.From || n.Value.To > size ||
			n.Key.From < 0 || n.Key.To < n.Key.From || n.Key.To > n.Value.From {
			t.Fatalf("node %d: %+v", id, n)
		}
		if (id == 0) != (n.Parent < 0) {
			t.Fatalf("node %d: parent %d", id, n.Parent)
		}
		if id == 0 {
			if int(n.Next) != len(d.Nodes) {
				t.Fatalf("the root ends at node %d of %d", n.Next, len(d.Nodes))
			}
			continue
		}
		up := &d.Nodes[n.Parent]
		if n.Parent >= id || up.Next < n.Next || up.Value.From >= n.Value.From || up.Value.To < n.Value.To {
			t.Fatalf("node %d %+v is not inside its parent %+v", id, n, up)
		}
		if id < 200 {
			v := d.Value(id)
			p := v.Pointer()
			if back := d.At(p); back.Node() != id && !ambiguous {
				t.Fatalf("node %d: pointer %q leads to %d with pointer %q", id, p, back.Node(), back.Pointer())
			}
			if p.Parent() != v.Parent().Pointer() {
				t.Fatalf("pointer %q: Parent %q, want %q", p, p.Parent(), v.Parent().Pointer())
			}
			if n.Value.From < n.Value.To {
				if at := d.NodeAt(int(n.Value.From)); at != id {
					t.Fatalf("NodeAt(%d) is %d, want %d", n.Value.From, at, id)
				}
			}
			if !utf8.ValidString(v.Text()) {
				t.Fatalf("node %d: Text is not UTF-8", id)
			}
		}
	}
	if !slices.IsSortedFunc(d.Faults, byPlace) {
		t.Fatalf("faults out of order: %v", d.Faults)
	}
	for _, f := range d.Faults {
		if f.At.From < 0 || f.At.To < f.At.From || f.At.To > size || f.Node < -1 || int(f.Node) >= len(d.Nodes) || f.Detail == "" {
			t.Fatalf("fault %+v of %d nodes in %d bytes", f, len(d.Nodes), size)
		}
	}
}

// checkAgainstJSON compares a valid document with what the standard library reads, and its reprints.
func checkAgainstJSON(t *testing.T, d *Document) {
	t.Helper()
	var want bytes.Buffer
	if err := json.Compact(&want, d.Text); err != nil {
		t.Fatal(err)
	}
	if got := Compact(nil, d.Text); !bytes.Equal(got, want.Bytes()) {
		t.Fatalf("Compact: %s\nwant     %s", got, want.Bytes())
	}
	want.Reset()
	if err := json.Indent(&want, bytes.TrimSpace(d.Text), "> ", "  "); err != nil {
		t.Fatal(err)
	}
	got := Indent(nil, d.Root(), "> ", "  ")
	if !bytes.Equal(got, want.Bytes()) {
		t.Fatalf("Indent: %s\nwant    %s", got, want.Bytes())
	}
	if again := Parse(Indent(nil, d.Root(), "", "\t")); !d.Root().Same(again.Root()) || len(again.Nodes) != len(d.Nodes) {
		t.Fatal("the indented text reads differently")
	}
	for id := range d.Nodes {
		v := d.Value(int32(id))
		if v.Is(String) {
			var s string
			if err := json.Unmarshal(v.Raw(), &s); err != nil || s != v.Text() {
				t.Fatalf("Text of %s is %q, want %q (%v)", v.Raw(), v.Text(), s, err)
			}
			if q := Parse([]byte(Quote(s))).Root(); q.Text() != s {
				t.Fatalf("Quote(%q) reads as %q", s, q.Text())
			}
		}
		if v.Is(Number) {
			var n int64
			if err := json.Unmarshal(v.Raw(), &n); err == nil {
				if got, ok := v.Int(); !ok || got != n {
					t.Fatalf("Int of %s is %d %v", v.Raw(), got, ok)
				}
			}
		}
	}
}

// checkLayout checks that every line knows its node and every node its line, also with folds.
func checkLayout(t *testing.T, d *Document) {
	t.Helper()
	l := NewLayout(d)
	check := func() {
		t.Helper()
		depth := 0
		for i := range min(l.Lines(), 500) {
			line := l.Line(i)
			if line.Close {
				depth--
			}
			if line.Node < 0 || line.Depth != depth {
				t.Fatalf("line %d: %+v, want depth %d", i, line, depth)
			}
			if !line.Close && l.LineOf(line.Node) != i {
				t.Fatalf("line %d shows node %d, whose line is %d", i, line.Node, l.LineOf(line.Node))
			}
			if line.Open && !line.Folded {
				depth++
			}
		}
		n := 0
		for i, line := range l.All() {
			if i < 500 && (i != n || line != l.Line(i)) {
				t.Fatalf("All gives line %d as %+v, Line %+v", i, line, l.Line(i))
			}
			n++
		}
		if n != l.Lines() {
			t.Fatalf("All gives %d lines of %d", n, l.Lines())
		}
		if l.Line(l.Lines()).Node != -1 || l.Line(-1).Node != -1 {
			t.Fatal("a line beyond the end has a node")
		}
		for id := range min(len(d.Nodes), 200) {
			at := l.LineOf(int32(id))
			line := l.Line(at)
			n := &d.Nodes[line.Node]
			if int32(id) < line.Node || int32(id) >= n.Next {
				t.Fatalf("node %d: line %d shows node %d", id, at, line.Node)
			}
			if int32(id) != line.Node && !line.Inline && !line.Folded {
				t.Fatalf("node %d: line %d shows %+v", id, at, line)
			}
		}
	}
	check()
	all := l.Lines()
	for depth := range 3 {
		l.FoldDepth(depth)
		check()
	}
	for id := range min(len(d.Nodes), 20) {
		l.Fold(int32(id), id%2 == 0)
		check()
	}
	if len(d.Nodes) > 0 {
		last := int32(len(d.Nodes) - 1)
		l.Reveal(last)
		check()
		if line := l.Line(l.LineOf(last)); line.Node != last && !line.Inline {
			t.Fatalf("Reveal: node %d is on line %+v", last, line)
		}
	}
	l.FoldDepth(-1)
	if l.Lines() != all {
		t.Fatalf("%d lines after unfolding everything, %d at first", l.Lines(), all)
	}
}
