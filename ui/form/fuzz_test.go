package form

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// Whatever keys are pressed on whatever value: the text stays JSON, members that nobody touched keep their bytes, the form
// fits its place and shows no control character, and undo leads back to the beginning.
func FuzzKeys(f *testing.F) {
	f.Add(byte(0), `{"customer":"","items":[],"zz":1.50e+3}`, []byte("jjjjjjjjj\x01a\x01j"))
	f.Add(byte(1), `{"root":{"name":"x","kids":[{"name":"\u0007"}]}}`, []byte("\x01jjaax\x01NNeuuU"))
	f.Add(byte(2), `{"id":"7","matrix":[[1.0,2],[3]],"shape":{"kind":"circle"},"dup":1,"dup":2}`, []byte("t\x01\x03jjt\x03\x01JKxu=1\x01n/a\x01"))
	f.Add(byte(3), `{"filter":{"property":"p","checkbox":true},"steps":[{"do":"read","path":""}]}`, []byte("\x01\x01jt\x03\x01jjjat\x03\x01uu"))
	f.Fuzz(func(t *testing.T, which byte, text string, keys []byte) {
		start := jsondoc.Parse([]byte(text))
		if !start.Valid() || !start.Root().Is(jsondoc.Object) || len(text) > 2000 || len(keys) > 60 || strings.Contains(text, `"zz"`) && start.Root().Get("zz").Len() > 0 {
			return
		}
		play(t, played(int(which)), text, keys)
	})
}

// played is the name of a schema to play with.
func played(i int) string {
	names := []string{"order", "tree", "mixed", "nested"}
	return names[i%len(names)]
}

// The same with keys by chance, for every run of the tests.
func TestAnyKeys(t *testing.T) {
	texts := []string{`{"customer":"","items":[{"sku":"a","count":1e0},{}],"zz":[1.50e+3,{"a":null}]}`, `{"root":{"name":"x","kids":[{"name":"\u0007"}]}}`,
		`{"id":"7","matrix":[[1.0,2],[3]],"shape":{"kind":"circle"},"dup":1,"dup":2}`, `{}`,
		`{"filter":{"and":[{"property":"p","number":{"equals":1}},{}]},"limit":[1],"steps":[{"do":"wait"},{"do":"write","text":""}],"named":{"x":{"do":"read"}}}`}
	const useful = "jjjjjkkagGxNetKJr=u/n \x00\x00\x00\x00\x01\x02\x03\x04\x05\x06\x07m1{\"}[]"
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range 80 {
		keys := make([]byte, 50)
		for k := range keys {
			keys[k] = useful[rnd.IntN(len(useful))]
		}
		play(t, played(i), texts[rnd.IntN(len(texts))], keys)
	}
}

// play presses keys in a form and holds it against what must be so at any time.
func play(t *testing.T, name, text string, keys []byte) {
	t.Helper()
	// A member that nobody touches, as nobody else would write it.
	const kept = `"keep me" :[1.50e+3 , "\u00e9"]`
	if comma := ", "; strings.HasPrefix(text, "{") {
		if jsondoc.Parse([]byte(text)).Root().Len() == 0 {
			comma = ""
		}
		text = "{" + kept + comma + text[1:]
	}
	env := &kit.Env{Styles: themes.Plain(), Now: func() time.Time { return time.Unix(0, 0) }}
	form := New(env, "", jsondoc.Parse(schemas).Root().Get(name)).(*Form)
	form.SetValue([]byte(text))
	special := []string{"enter", "esc", "down", "up", "tab", "left", "right", "backspace"}
	for _, k := range keys {
		name := string(rune(k&0x7f | 0x20))
		if k < 32 {
			name = special[int(k)%len(special)]
		}
		msg := keyOf(name)
		if strings.HasPrefix(string(form.row().at), "/keep me") {
			form.stop()
			form.cur = 0
		}
		used := false
		if form.Typing() {
			_, used = form.Text(msg)
		}
		if row := kit.Find(form.Rows(), msg.String()); !used && !form.Typing() && row != nil && row.Off == "" {
			row.Do()
		}
		if strings.HasPrefix(text, "{"+kept) && !bytes.Contains(form.Value(), []byte(kept)) {
			t.Fatalf("after %q: %s", keys, form.Value())
		}
		if doc := jsondoc.Parse(form.Value()); !doc.Valid() {
			t.Fatalf("after %q: %s", keys, form.Value())
		}
		lines := strings.Split(ansi.Strip(form.Draw(60, 14, true)), "\n")
		if len(lines) != 14 {
			t.Fatalf("%d lines", len(lines))
		}
		for _, l := range lines {
			if kit.Width(l) != 60 || strings.ContainsFunc(l, func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }) {
				t.Fatalf("line %q", l)
			}
		}
	}
	for n := len(form.undo) + 1; n > 0; n-- {
		form.Undo()
	}
	if !bytes.Equal(form.Value(), []byte(text)) {
		t.Fatalf("undo led to %s, not %s", form.Value(), text)
	}
}

// A change at one place leaves every byte outside of it as it was: what a splice writes replaces one stretch of the text.
func FuzzSpliceElsewhere(f *testing.F) {
	f.Add(`{"a": 1, "n" :1.50e+3,"l":[ 1,{"x":"\u00e9"} ,3 ]}`, uint16(1), uint16(4))
	f.Add("{\n\t\"x\": [ ],\n\t\"y\": {}\n}", uint16(2), uint16(1))
	f.Fuzz(func(t *testing.T, text string, a, b uint16) {
		doc := jsondoc.Parse([]byte(text))
		if !doc.Valid() || len(doc.Faults) > 0 || len(doc.Nodes) < 2 {
			return
		}
		x := doc.Value(int32(int(a)%(len(doc.Nodes)-1) + 1))
		y := doc.Value(int32(int(b)%(len(doc.Nodes)-1) + 1))
		at := x.Pointer()
		span := doc.Nodes[x.Node()].Value
		set := Set([]byte(text), at, []byte(`"new"`))
		if want := text[:span.From] + `"new"` + text[span.To:]; string(set) != want {
			t.Fatalf("set %s in %s: %s", at, text, set)
		}
		removed := jsondoc.Parse(Remove([]byte(text), at))
		if !removed.Valid() || removed.Root().Is(jsondoc.Missing) {
			t.Fatalf("removed %s of %s: %s", at, text, removed.Text)
		}
		for node := range doc.Nodes { // what does not stand around or inside it is there as it was
			v := doc.Value(int32(node))
			p := v.Pointer()
			inside := node >= int(x.Node()) && node < int(doc.Nodes[x.Node()].Next)
			if inside || strings.HasPrefix(string(at), string(p)) || v.Is(jsondoc.Object) || v.Is(jsondoc.Array) {
				continue
			}
			if !bytes.Contains(removed.Text, v.Raw()) {
				t.Fatalf("removing %s of %s lost %s: %s", at, text, v.Raw(), removed.Text)
			}
		}
		if x.Parent().Is(jsondoc.Array) && y.Parent().Node() == x.Parent().Node() && x.Node() != y.Node() {
			swapped := Swap([]byte(text), at, y.Pointer())
			d := jsondoc.Parse(swapped)
			if len(swapped) != len(text) || string(d.At(at).Raw()) != string(y.Raw()) || string(d.At(y.Pointer()).Raw()) != string(x.Raw()) {
				t.Fatalf("swapped %s and %s of %s: %s", at, y.Pointer(), text, swapped)
			}
			if back := Swap(swapped, at, y.Pointer()); string(back) != text {
				t.Fatalf("swapped back: %s", back)
			}
		}
		if doc.Nodes[x.Node()].Key.To > doc.Nodes[x.Node()].Key.From {
			key := doc.Nodes[x.Node()].Key
			if got, want := string(Rename([]byte(text), at, "é\"")), text[:key.From]+`"é\""`+text[key.To:]; got != want {
				t.Fatalf("renamed: %s, want %s", got, want)
			}
		}
	})
}
