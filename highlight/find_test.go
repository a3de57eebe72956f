package highlight

import (
	"strings"
	"testing"

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
	if n := len(Find(parse(`"`+strings.Repeat("e", 3*maxHits)+`"`), "e")); n != maxHits {
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
