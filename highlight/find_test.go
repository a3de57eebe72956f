package highlight

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
	"mcploupe/themes"
)

func TestFindLooksIntoNamesAndScalars(t *testing.T) {
	d := parse(`{"Name": "a \"quoted\" name", "list": ["NAME", {"x": "äÄ"}], "n": 1234} name`)
	for _, c := range []struct {
		query string
		want  string // pointers of the hits, names with a colon
	}{
		{"name", "/Name: /Name /list/0 -"}, {"Name", "/Name:"}, {"NAME", "/list/0"}, {`"quoted"`, "/Name"}, {"23", "/n"},
		{"ä", "/list/1/x /list/1/x"}, {": ", ""}, {"", ""}, {"nothing", ""}, {"{", ""},
	} {
		var got []string
		for _, h := range Find(d, c.query) {
			at := string(d.Pointer(h.Node))
			if h.Key {
				at += ":"
			}
			if h.Node < 0 {
				at = "-"
			}
			got = append(got, at)
			if text := string(d.Text[h.From:h.To]); !strings.EqualFold(strings.ReplaceAll(text, `\`, ""), c.query) {
				t.Errorf("%q: the hit is %q", c.query, text)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q is at %q, want %q", c.query, s, c.want)
		}
	}
	if n := len(Find(parse(`"`+strings.Repeat("e", 3*MaxHits)+`"`), "e")); n != MaxHits {
		t.Errorf("%d hits", n)
	}
	if hits := FindText([]byte("one ONE\nOne"), "one"); len(hits) != 3 || hits[2].From != 8 || hits[2].Node != -1 {
		t.Errorf("%+v", hits)
	}
}

func TestHitsKnowTheirRows(t *testing.T) {
	d := parse(`{"a": ["` + strings.Repeat("x", 500) + `needle", [[1]]], "needle": 2}`)
	p := JSON(jsondoc.NewLayout(d), themes.Plain())
	hits := Find(d, "needle")
	p.SetHits(hits, 0)
	p.SetLook(Look{Width: 40})
	row, col := p.RowOfHit(0)
	if text := p.Row(row, col).Text; !strings.HasPrefix(text, "needle") {
		t.Errorf("scrolled to the hit: %q", text)
	}
	p.SetLook(Look{Width: 40, Wrap: true})
	row, _ = p.RowOfHit(0)
	if text := p.Row(row, 0).Text; !strings.Contains(text, "needle") {
		t.Errorf("wrapped, row %d: %q", row, text)
	}
	if row, _ = p.RowOfHit(1); !strings.Contains(p.Row(row, 0).Text, `"needle": 2`) {
		t.Errorf("second hit: %q", p.Row(row, 0).Text)
	}
	if row, _ = p.RowOfHit(2); row != -1 {
		t.Errorf("no third hit, yet row %d", row)
	}
}

// Every place is found, in either case, whatever stands between: compared with looking at each byte.
func FuzzFindText(f *testing.F) {
	for _, s := range [][2]string{{"one ONE oNe", "one"}, {"aAaA", "aa"}, {"ÄäÄ", "ä"}, {"no", "x"}, {"İi", "i"}, {"a\xffa", "a"}, {"Kk", "k"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, text, query string) {
		if !utf8.ValidString(query) {
			return // nobody types half a character
		}
		hits := FindText([]byte(text), query)
		at := 0
		for _, h := range hits {
			if int(h.From) < at || h.To <= h.From || int(h.To) > len(text) {
				t.Fatalf("%q in %q: %v behind %d", query, text, h.Span, at)
			}
			if found := text[h.From:h.To]; !strings.EqualFold(found, query) && strings.ToLower(found) != query {
				t.Fatalf("%q in %q: found %q", query, text, found)
			}
			if strings.Contains(text[at:h.From], query) && query != "" {
				t.Fatalf("%q in %q: there is one before %d", query, text, h.From)
			}
			at = int(h.To)
		}
		if len(hits) < MaxHits && query != "" && strings.Contains(text[at:], query) {
			t.Fatalf("%q in %q: there is one behind %d", query, text, at)
		}
	})
}

// BenchmarkFind is searches through 20 MB, each letter of which is small: what a person types first is the commonest there is.
func BenchmarkFind(b *testing.B) {
	var rows strings.Builder
	for i := range 180_000 {
		fmt.Fprintf(&rows, `,{"at":"2026-11-30t11:46:%02dz","value":%d.5,"good":true,"note":"row %d, with some words behind it as notes have them"}`, i%60, i%40, i)
	}
	d := parse("[" + rows.String()[1:] + "]")
	for _, query := range []string{"e", "nothing", "row 179999", "eeee", "words behinx"} {
		b.Run(query, func(b *testing.B) {
			b.SetBytes(int64(len(d.Text)))
			for b.Loop() {
				Find(d, query)
			}
		})
	}
}
