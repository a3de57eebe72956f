package jsondoc

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"mcploupe/session/ratiotest"
)

// What Replace makes is what Parse reads, node by node.
func FuzzReplace(f *testing.F) {
	f.Add(`{"a":[1,{"b":null,"c\u00e9":"x"}],"z":{"y":[]}, "q" : -0.5e3}`, uint16(2), `{"n":[1,2,{"m":"\n"}]}`)
	f.Add(`[[],[[1]],"\ud800"]`, uint16(1), `"a long text"`)
	f.Add(`{"a":{"b":1}}`, uint16(1), `[`)
	f.Add(`[1,2]`, uint16(1), ` 7 `)
	f.Add(`{"dup":1,"dup":2}`, uint16(2), `{"x":1,"x":2}`)
	f.Add("{'a':1}", uint16(1), "\xff")
	f.Fuzz(func(t *testing.T, text string, which uint16, raw string) {
		d := Parse([]byte(text))
		if len(d.Nodes) == 0 {
			return
		}
		node := int32(int(which) % len(d.Nodes))
		before := append([]Node(nil), d.Nodes...)
		got := d.Replace(node, []byte(raw))
		span := before[node].Value
		want := Parse([]byte(text[:span.From] + raw + text[span.To:]))
		if !bytes.Equal(got.Text, want.Text) || !reflect.DeepEqual(got.Nodes, want.Nodes) || len(got.Faults) != len(want.Faults) {
			t.Fatalf("%q in the place of node %d of %q:\n%v\n%v", raw, node, text, got.Nodes, want.Nodes)
		}
		if !reflect.DeepEqual(before, d.Nodes) || string(d.Text) != text {
			t.Fatalf("the document itself was changed")
		}
	})
}

// A letter more in a megabyte is no reason to read all of it.
func TestReplaceCostsLessThanReading(t *testing.T) {
	text := []byte(`{"rows":[` + strings.Repeat(`{"id": 12345, "name": "somebody", "on": true},`, 22000) + `{}],"last":1}`)
	d := Parse(text)
	last := d.At("/last").Node()
	ratiotest.AtMost(t, 0.7, 30, func() (replace, read time.Duration) {
		return ratiotest.Timed(func() { d.Replace(last, []byte("12")) }), ratiotest.Timed(func() { Parse(text) })
	})
}
