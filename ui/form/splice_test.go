package form

import (
	"testing"

	"mcploupe/session/jsondoc"
)

func TestSet(t *testing.T) {
	for _, story := range []struct{ text, at, raw, want string }{
		{`{}`, "/a", `1`, `{"a": 1}`},
		{`{ }`, "/a", `1`, `{"a": 1}`},
		{``, "/a", `1`, `{"a": 1}`},
		{`nope`, "/a", `1`, `{"a": 1}`},
		{`{"n":1.50e+3,"x":"\u00e9"}`, "/a", `"b"`, `{"n":1.50e+3,"x":"\u00e9", "a": "b"}`},
		{"{\n  \"a\": 1\n}", "/b", `2`, "{\n  \"a\": 1,\n  \"b\": 2\n}"},
		{`{"a": 1, "b": 2}`, "/a", `10`, `{"a": 10, "b": 2}`},
		{`{}`, "/a/b", `true`, `{"a": {"b": true}}`},
		{`{"a": null}`, "/a/b", `1`, `{"a": {"b": 1}}`},
		{`{"l": [1, 2]}`, "/l/2", `3`, `{"l": [1, 2, 3]}`},
		{`{"l": []}`, "/l/0", `3`, `{"l": [3]}`},
		{`{"a/b~c": 1}`, "/a~1b~0c", `2`, `{"a/b~c": 2}`},
		{`{"a": 1, "a": 2}`, "/a", `3`, `{"a": 1, "a": 3}`},
		{`[1]`, "/a", `2`, `{"a": 2}`},
		{`{"a": 1,}`, "/b", `2`, `{"a": 1, "b": 2}`},
	} {
		got := string(Set([]byte(story.text), jsondoc.Pointer(story.at), []byte(story.raw)))
		if got != story.want {
			t.Errorf("%s with %s = %s: got %s, want %s", story.text, story.at, story.raw, got, story.want)
		}
	}
}

func TestRemove(t *testing.T) {
	for _, story := range []struct{ text, at, want string }{
		{`{"a": 1}`, "/a", `{}`},
		{`{"a": 1, "b": 2}`, "/a", `{"b": 2}`},
		{`{"a": 1, "b": 2}`, "/b", `{"a": 1}`},
		{`{"a": 1, "b": 2, "c": 3}`, "/b", `{"a": 1, "c": 3}`},
		{"{\n  \"a\": 1,\n  \"b\": 2\n}", "/b", "{\n  \"a\": 1\n}"},
		{"{\n  \"a\": 1,\n  \"b\": 2\n}", "/a", "{\n  \"b\": 2\n}"},
		{"{\n  \"a\": 1\n}", "/a", "{}"},
		{`[1, 2, 3]`, "/1", `[1, 3]`},
		{`{"a": 1}`, "/zzz", `{"a": 1}`},
	} {
		if got := string(Remove([]byte(story.text), jsondoc.Pointer(story.at))); got != story.want {
			t.Errorf("%s without %s: got %s, want %s", story.text, story.at, got, story.want)
		}
	}
}

// Setting and removing a member that was not there gives the same value again, and neighbours keep their bytes.
func FuzzSplice(f *testing.F) {
	f.Add(`{"a": 1, "n": 1.50e+3}`, "k")
	f.Add("{\n\t\"x\": [ ]\n}", "a/b~c")
	f.Fuzz(func(t *testing.T, text, key string) {
		doc := jsondoc.Parse([]byte(text))
		at := jsondoc.Join("", key)
		if !doc.Valid() || !doc.Root().Is(jsondoc.Object) || doc.At(at).Exists() {
			return
		}
		with := Set([]byte(text), at, []byte(`"v"`))
		d := jsondoc.Parse(with)
		if !d.Valid() || d.Root().Len() != doc.Root().Len()+1 {
			t.Fatalf("%s became %s", text, with)
		}
		i := 0
		for name, v := range doc.Root().Members() {
			if got := d.Root().Index(i); got.Name() != name || string(got.Raw()) != string(v.Raw()) {
				t.Fatalf("%s became %s: member %d changed", text, with, i)
			}
			i++
		}
		back := Remove(with, d.Root().Index(i).Pointer())
		if !jsondoc.Parse(back).Root().Same(doc.Root()) {
			t.Fatalf("%s became %s and then %s", text, with, back)
		}
	})
}
