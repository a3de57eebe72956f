package jsondoc

import (
	"fmt"
	"strings"
	"testing"
)

// draw prints a layout the plain way: what a line is, and for which node.
func draw(l *Layout) string {
	var b strings.Builder
	d := l.Document()
	for i := range l.Lines() {
		line := l.Line(i)
		b.WriteString(strings.Repeat(" ", line.Depth))
		v := d.Value(line.Node)
		if name := v.Name(); name != "" && !line.Close {
			b.WriteString(name + "=")
		}
		switch {
		case line.Close:
			b.WriteString("close")
		case line.Folded:
			b.WriteString("folded")
		case line.Open:
			b.WriteString("open")
		case line.Inline:
			b.Write(Compact(nil, v.Raw()))
		default:
			b.Write(v.Raw())
		}
		if line.Comma {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestLayoutFoldsAndUnfolds(t *testing.T) {
	d := Parse([]byte(`{"id": 1, "result": {"tools": [{"name": "a"}, {"name": "b", "in": {"x": []}}], "e": {}}, "z": null}`))
	l := NewLayout(d)
	all := "open\n id=1,\n result=open\n  tools=open\n   {\"name\":\"a\"},\n   open\n    name=\"b\",\n    in=open\n     x=[]\n    close\n   close\n  close,\n  e={}\n close,\n z=null\nclose\n"
	if got := draw(l); got != all {
		t.Fatalf("got\n%s\nwant\n%s", got, all)
	}
	tools, in := d.At("/result/tools").Node(), d.At("/result/tools/1/in").Node()
	l.Fold(tools, true)
	l.Fold(in, true) // inside the other fold
	want := "open\n id=1,\n result=open\n  tools=folded,\n  e={}\n close,\n z=null\nclose\n"
	if got := draw(l); got != want {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
	if at := l.LineOf(in); at != 3 || l.LineOf(d.At("/z").Node()) != 6 {
		t.Errorf("the hidden node is on line %d", at)
	}
	l.Reveal(d.At("/result/tools/1/name").Node())
	want = "open\n id=1,\n result=open\n  tools=open\n   {\"name\":\"a\"},\n   open\n    name=\"b\",\n    in=folded\n   close\n  close,\n  e={}\n close,\n z=null\nclose\n"
	if got := draw(l); got != want || !l.Folded(in) || l.Folded(tools) {
		t.Fatalf("got\n%s\nwant\n%s", got, want)
	}
	l.Fold(d.At("/id").Node(), true) // nothing to fold
	l.Fold(d.At("/result/e").Node(), true)
	l.Fold(-1, true)
	if got := draw(l); got != want {
		t.Fatalf("folding what is on one line changed something:\n%s", got)
	}
	l.FoldDepth(1)
	if got := draw(l); got != "open\n id=1,\n result=folded,\n z=null\nclose\n" {
		t.Fatalf("depth 1:\n%s", got)
	}
	l.FoldDepth(0)
	if got := draw(l); got != "folded\n" || l.LineOf(in) != 0 {
		t.Fatalf("depth 0:\n%s", got)
	}
	l.FoldDepth(-1)
	if got := draw(l); got != all {
		t.Fatalf("unfolded:\n%s", got)
	}
	if l.LineOf(-1) != -1 || l.LineOf(int32(len(d.Nodes))) != -1 {
		t.Error("a node that does not exist has a line")
	}
}

func TestShortScalarsStayOnOneLine(t *testing.T) {
	for _, c := range []struct {
		text  string
		lines int
	}{
		{``, 0}, {`1`, 1}, {`{}`, 1}, {`{"temp": "22"}`, 1}, {`[1,2,3]`, 1}, {`[[]]`, 3}, {`{"a":{}}`, 3},
		{`{"a":"` + strings.Repeat("x", 51) + `"}`, 1}, // {"a": "xx…"} is 60 columns
		{`{"a":"` + strings.Repeat("x", 52) + `"}`, 3},
		{`[` + strings.Repeat("1,", 19) + `1]`, 1}, {`[` + strings.Repeat("1,", 20) + `1]`, 23},
	} {
		if got := NewLayout(Parse([]byte(c.text))).Lines(); got != c.lines {
			t.Errorf("%s: %d lines, want %d", c.text, got, c.lines)
		}
	}
}

func TestDeepDocumentsStayCheap(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)
	d := Parse([]byte(deep))
	if !d.Valid() || len(d.Nodes) != MaxDepth {
		t.Fatalf("%d nodes, faults %v", len(d.Nodes), faultList(d))
	}
	if l := NewLayout(d); l.Lines() != 2*MaxDepth-1 || l.Line(MaxDepth-1).Depth != MaxDepth-1 {
		t.Errorf("%d lines", l.Lines())
	}
	d = Parse([]byte(`{"a":[` + deep + `,"]\"]"],"b":1}`))
	if d.Valid() || string(d.At("/b").Raw()) != "1" || string(d.At("/a/1").Raw()) != `"]\"]"` {
		t.Errorf("neighbours of the deep part are lost: %s", d.At("/a/1").Raw())
	}
	if got, want := faultList(d), fmt.Sprintf("too deep@%d-%d#%d", MaxDepth+4, MaxDepth+8, MaxDepth); got != want {
		t.Errorf("faults %s, want %s", got, want)
	}
}
