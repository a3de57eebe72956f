package form

import (
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
)

const seen = `{"type":"object","properties":{"n":{"type":"number"},
	"seen":{"type":"array","items":{"type":"string","enum":["seals","gannets","whales"]},"minItems":1,"maxItems":2},
	"again":{"type":"array","items":{"anyOf":[{"const":"spring","title":"Spring"},{"const":"autumn","title":"Autumn"}]}},
	"notes":{"type":"array","uniqueItems":false,"items":{"enum":["a","b"]}}}}`

// An array of choices is ticked; everything else of the text stays byte for byte.
func TestChoicesOfAnArrayAreTicked(t *testing.T) {
	f := form(t, seen, `{"n":1.50, "again":["autumn"]}`)
	find := func(words string) {
		t.Helper()
		for i := range f.rows {
			r := &f.rows[i]
			if r.kind == pick && choiceWords(r.choice) == words {
				f.cur = i
				return
			}
		}
		t.Fatalf("no row %s in %s", words, f.text)
	}
	tick := func(words, want string) {
		t.Helper()
		find(words)
		f.open()
		if got := string(f.Value()); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
	if out := f.shown(90, 20); !strings.Contains(out, "[ ] ") || !strings.Contains(out, "Spring") || !strings.Contains(out, "1 chosen") {
		t.Errorf("drawn:\n%s", out)
	}
	tick("whales", `{"n":1.50, "again":["autumn"], "seen": ["whales"]}`)
	tick("seals", `{"n":1.50, "again":["autumn"], "seen": ["whales", "seals"]}`)
	tick("gannets", `{"n":1.50, "again":["autumn"], "seen": ["whales", "seals", "gannets"]}`)
	if !strings.Contains(f.Problem(), "seen") {
		t.Errorf("three of at most two: %q", f.Problem())
	}
	tick("whales", `{"n":1.50, "again":["autumn"], "seen": ["seals", "gannets"]}`)
	if f.Problem() != "" {
		t.Errorf("problem %q", f.Problem())
	}
	tick("Autumn · autumn", `{"n":1.50, "again":[], "seen": ["seals", "gannets"]}`)
	f.choose(1)
	if got := string(f.Value()); !strings.Contains(got, `"again":["autumn"]`) {
		t.Errorf("ticked again: %s", got)
	}
}

// What is none of the choices, or stands twice, is edited element by element, and nothing of it is lost.
func TestOddElementsAreNotTicked(t *testing.T) {
	for _, text := range []string{`{"seen":["seals","mermaids"]}`, `{"seen":["seals","seals"]}`, `{"seen":[7]}`, `{"notes":["a","a"]}`} {
		f := form(t, seen, text)
		name := jsondoc.Pointer("/seen")
		if strings.Contains(text, "notes") {
			name = "/notes"
		}
		for i := range f.rows {
			if f.rows[i].kind == pick && f.rows[i].at == name {
				t.Errorf("%s is ticked", text)
			}
		}
		if string(f.Value()) != text {
			t.Errorf("%s became %s", text, f.Value())
		}
	}
}
