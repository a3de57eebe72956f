package content

import (
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
	"mcploupe/themes"
)

// of is an answer with a resource of text.
func of(mime, uri, text string) string {
	return `{"content":[{"type":"resource","resource":{"uri":` + jsondoc.Quote(uri) + `,"mimeType":` + jsondoc.Quote(mime) + `,"text":` + jsondoc.Quote(text) + `}}]}`
}

func TestLinesOfValuesAreATable(t *testing.T) {
	v := shown(t, of("text/csv", "x:/a.csv", "\ufeffname,age,city,name,\nAnn,30,\"Paris, FR\"\n\"Long \"\"one\"\"\nof two lines\",007,,x,1.5,more\n"))
	text := v.screen(100, 24)
	holds(t, text, "table · text · hex",
		"name                     age  city       name (2)  column 5  column 6",
		"1  Ann                      30   Paris, FR  –",
		`2  Long "one"␊of two lines  007  ""         x              1.5  more`)
	v.press(t, "t")
	holds(t, v.screen(100, 24), `Ann,30,"Paris, FR"`)
	for _, c := range [][3]string{
		{"text/tab-separated-values", "x:/a", "a\tb\n1\t2, 3\n"}, {"text/csv; charset=utf-8", "x:/a", "a;b\n1;2, 3\n"}, {"text/plain", "file:///A.CSV", "a,b\n1,\"2, 3\"\n"},
	} {
		holds(t, shown(t, of(c[0], c[1], c[2])).screen(60, 24), "   a  b", "1  1  2, 3")
	}
	for _, c := range [][3]string{ // no rows, or no table at all
		{"text/csv", "x:/a", "a,b\n"}, {"text/csv", "x:/a", ""}, {"text/plain", "x:/a", "a,b\n1,2\n"}, {"text/html", "x:/a.csv", "a,b\n1,2"},
	} {
		if text := shown(t, of(c[0], c[1], c[2])).screen(60, 24); strings.Contains(text, "table") {
			t.Errorf("%q is a table:\n%s", c, text)
		}
	}
	holds(t, shown(t, of("text/csv", "x:/a", "a,b\n1,\"2\n")).screen(90, 24), "▲ no table is shown: line 2, extraneous or missing \" in quoted-field", `1,"2`)
}

func TestJSONByLinesIsATable(t *testing.T) {
	const lines = `{"at":"now","n":1}` + "\n\n" + `{"at":"later","n":20}` + "\n"
	for _, c := range [][2]string{{"application/x-ndjson", "x:/a"}, {"text/plain", "x:/a.jsonl"}, {"", "x:/log"}} {
		holds(t, shown(t, of(c[0], c[1], lines)).screen(60, 24), "table · text · hex", "   at      n", "2  later  20")
	}
	for _, text := range []string{`{"a":1}` + "\n" + `no`, `{"a":1}` + "\n" + `{"a":`, `{"a":1}` + "\n[1]"} {
		if text := shown(t, of("text/plain", "x:/a", text)).screen(60, 24); strings.Contains(text, "table") {
			t.Errorf("it is a table:\n%s", text)
		}
	}
}

func FuzzRecords(f *testing.F) {
	for _, s := range []string{"a,b\n1,2", "a;b\n\"1\";2", "{\"a\":1}\n{}", "\"", ",\n,,\n", "a\xff,b\n\x00,1"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, mime := range []string{"text/csv", "text/tab-separated-values", "application/x-ndjson", ""} {
			if d, _ := records(text, mime, ""); d != nil && len(text) < 1000 {
				if newTables(d.Root(), themes.Plain()) == nil && mime == "text/csv" && d.Root().Len() > 0 && d.Valid() {
					t.Errorf("%q is no table: %s", text, d.Text)
				}
				if mime != "" && mime != "application/x-ndjson" && !d.Valid() {
					t.Errorf("%q is no JSON: %s: %v", text, d.Text, d.Faults)
				}
			}
		}
	})
}

func TestBase64ThatIsWrittenOtherwise(t *testing.T) {
	plain := picture(9, 9)
	for _, c := range [][2]string{
		{"data:image/png;base64," + plain, "a data: URL stands around it"},
		{plain[:40] + "\n" + plain[40:], "blanks or line breaks are in it"},
		{strings.NewReplacer("+", "-", "/", "_").Replace(plain), "it has the alphabet of URLs (- and _)"},
		{strings.TrimRight(plain, "="), "its padding with = is missing"},
	} {
		if c[0] == plain {
			t.Fatalf("the picture is no case for %q", c[1])
		}
		text := shown(t, `{"content":[{"type":"image","mimeType":"image/png","data":`+jsondoc.Quote(c[0])+`}]}`).screen(110, 24)
		holds(t, text, "▲ not plain Base64: "+c[1]+"; what it means is shown", "PNG, 9 × 9 pixels", "▀▀▀▀▀▀▀▀▀")
	}
	holds(t, shown(t, `{"content":[{"type":"image","mimeType":"image/png","data":"this is none!"}]}`).screen(100, 24), "▲ this is not Base64: illegal base64 data at input byte", "this is none!")
	if text := shown(t, `{"content":[{"type":"image","mimeType":"image/png","data":"`+plain+`"}]}`).screen(110, 24); strings.Contains(text, "not plain") {
		t.Errorf("plain Base64 is called otherwise:\n%s", text)
	}
}
