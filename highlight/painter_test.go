package highlight

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/themes"
)

const answer = `{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","ttlMs":-5,"structuredContent":{"temp":"22"},` +
	`"content":[{"type":"text","text":"a long text with wörds and 日本語 and \u001b[31m escapes \n and more and more"}],"x":[1,2,3],"tools":[{"a":[{"b":[1,[2]]}]}]}} tail`

func parse(text string) *jsondoc.Document { return jsondoc.Parse([]byte(text)) }

func answerMarks(d *jsondoc.Document) []Mark {
	return []Mark{
		{Node: d.At("/result/ttlMs").Node(), Role: themes.Must, Note: "cache-ttl-negative: want an integer of at least 0 (MUST, server/utilities/caching)"},
		{Node: d.At("/result/structuredContent/temp").Node(), Role: themes.Must, Note: "tool-error-output-invalid: /temp must be a number"},
		{Node: d.At("/result/content/0/text").Node(), Role: themes.Advice, Note: "escape sequences in text"},
		{Node: d.At("/result/x").Node(), Key: true, Role: themes.Should, Note: "odd name"},
		{Node: 9999, Role: themes.Must, Note: "nowhere"},
	}
}

// screen is all rows of a painter as one text, without trailing blanks.
func screen(p *Painter, x int) string {
	var b strings.Builder
	for k := range p.Rows() {
		b.WriteString(strings.TrimRight(p.Row(k, x).Text, " ") + "\n")
	}
	return b.String()
}

func compare(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.TrimPrefix(want, "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestJSONShowsMarksUnderTheirLines(t *testing.T) {
	d := parse(answer)
	l := jsondoc.NewLayout(d)
	p := JSON(l, themes.Plain())
	p.SetLook(Look{Width: 70, Gutter: true})
	p.SetMarks(answerMarks(d))
	l.Fold(d.At("/result/tools").Node(), true)
	compare(t, screen(p, 0), `
  1  {
  2    "jsonrpc": "2.0",
  3    "id": 7,
  4    "result": {
  5      "resultType": "complete",
✖ 6      "ttlMs": -5,
                  └ cache-ttl-negative: want an integer of at least 0
                    (MUST, server/utilities/caching)
✖ 7      "structuredContent": { "temp": "22" },
           └ tool-error-output-invalid: /temp must be a number
  8      "content": [
  9        {
 10          "type": "text",
●11          "text": "a long text with wörds and 日本語 and \u001b[31…
                     └ escape sequences in text
 12        }
 13      ],
▲14      "x": [1, 2, 3],
         └ odd name
 15▸     "tools": [ … 1 element ]
 27    }
 28  }
     tail
`)
	p.SetLook(Look{Width: 44, Wrap: true, ASCII: true})
	p.SetMarks(answerMarks(d)[1:])
	got := screen(p, 0)
	compare(t, got[strings.Index(got, `    "structured`):], `
    "structuredContent": { "temp": "22" },
      `+"`"+`- tool-error-output-invalid: /temp
         must be a number
    "content": [
      {
        "type": "text",
        "text": "a long text with wörds and
                `+"`"+`- escape sequences in text
           日本語 and \u001b[31m escapes \n
           and more and more"
      }
    ],
    "x": [1, 2, 3],
    `+"`"+`- odd name
    "tools": [ ... 1 element ]
  }
}
tail
`)
}

func TestRawShowsTheBytesByLines(t *testing.T) {
	d := parse("{\"a\" :\t1,\r\n  \"b\":\"\x1b[2J\u202e\xff\"}\n")
	p := Raw(d, themes.Plain())
	p.SetLook(Look{Width: 60, Gutter: true})
	p.SetMarks([]Mark{{Node: d.At("/b").Node(), Role: themes.Must, Note: "control characters"}})
	compare(t, screen(p, 0), "\n 1  {\"a\" :␉1,␍\n✖2    \"b\":\"␛[2J‹RLO›‹xFF›\"}\n          └ control characters\n")
	if at := p.RowOf(d.At("/b").Node()); at != 1 {
		t.Errorf("b is on row %d", at)
	}
	if node := p.NodeAt(0, 5, 0); node != d.At("/a").Node() {
		t.Errorf("the name of a belongs to node %d", node)
	}
	if node := p.NodeAt(0, 2, 0); node != -1 {
		t.Errorf("the gutter shows node %d", node)
	}
}

func TestRowsAndNodesLeadToEachOther(t *testing.T) {
	d := parse(answer)
	for _, look := range []Look{{Width: 50}, {Width: 50, Wrap: true, Gutter: true}, {Width: 20, Wrap: true}} {
		for name, p := range map[string]*Painter{"json": JSON(jsondoc.NewLayout(d), themes.Plain()), "raw": Raw(d, themes.Plain())} {
			p.SetLook(look)
			p.SetMarks(answerMarks(d))
			p.settle()
			for id := range d.Nodes {
				row, at := p.rowOf(d.Nodes[id].Value.From, int32(id))
				if row < 0 || row >= p.Rows() || p.Row(row, 0).Mark >= 0 {
					t.Fatalf("%s %v: node %d is on row %d of %d", name, look, id, row, p.Rows())
				}
				found := false
				for col := range look.Width {
					found = found || p.NodeAt(row, col, at) == int32(id)
				}
				if !found && (look.Wrap || !look.Gutter) {
					t.Errorf("%s %+v: no column of row %d (%q) is node %d %s", name, look, row, p.Row(row, at).Text, id, d.Pointer(int32(id)))
				}
			}
		}
	}
}

func TestFoldsAreNoticed(t *testing.T) {
	d := parse(answer)
	l := jsondoc.NewLayout(d)
	for _, wrap := range []bool{false, true} {
		l.FoldDepth(-1)
		p := JSON(l, themes.Plain())
		p.SetLook(Look{Width: 80, Wrap: wrap})
		p.SetMarks(answerMarks(d))
		before := p.Rows()
		l.FoldDepth(1)
		if got := p.Rows(); got >= before {
			t.Errorf("%d rows with everything folded, %d before", got, before)
		}
		row, _ := p.RowOfMark(0)
		if text := p.Row(row, 0).Text; text != `  "result": { … 6 members }` {
			t.Errorf("the mark is on row %d, %q", row, text)
		}
		if r := p.Row(row+1, 0); r.Mark != 0 || !strings.Contains(r.Text, "└ cache-ttl-negative") || r.Line != 3 {
			t.Errorf("the note below is %+v", r)
		}
	}
}

func TestTheCursorFillsItsRow(t *testing.T) {
	d := parse(answer)
	theme, err := themes.Load("dark", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, profile := range []colorprofile.Profile{colorprofile.TrueColor, colorprofile.ANSI, colorprofile.ASCII} {
		p := JSON(jsondoc.NewLayout(d), theme.Styles(profile))
		p.SetLook(Look{Width: 60, Gutter: true})
		plain := p.Row(2, 0).Text
		p.Select(d.At("/id").Node())
		on := p.Row(2, 0).Text
		if ansi.StringWidth(on) != 60 || strings.TrimRight(ansi.Strip(on), " ") != ansi.Strip(plain) || on == plain {
			t.Errorf("%v: %q, without the cursor %q", profile, on, plain)
		}
		if off := p.Row(1, 0).Text; ansi.StringWidth(off) == 60 {
			t.Errorf("%v: the row above is filled too: %q", profile, off)
		}
	}
}

// paint is text between the codes of a style. (Lipgloss paints underlined text letter by letter.)
func paint(s lipgloss.Style, text string) string { return codeOf(s).before + text + codeOf(s).after }

func TestLooksFollowTokensMarksAndHits(t *testing.T) {
	d := parse(`{"key":"te\nxt","n":-5,"t":true}`)
	theme, err := themes.Load("dark", "")
	if err != nil {
		t.Fatal(err)
	}
	styles := theme.Styles(colorprofile.TrueColor)
	p := JSON(jsondoc.NewLayout(d), styles)
	p.SetMarks([]Mark{{Node: d.At("/n").Node(), Role: themes.Must}})
	p.SetHits(Find(d, "xt"), 0)
	row := p.Row(0, 0).Text
	for _, want := range []string{
		styles.Key.Render(`"key"`), styles.String.Render(`"te`), styles.Literal.Render(`\n`), styles.MatchOn.Render(`xt`),
		paint(styles.Mark, `-5`), styles.Literal.Render(`true`),
	} {
		if !strings.Contains(row, want) {
			t.Errorf("%q has no %q", row, want)
		}
	}
	raw := Raw(d, styles)
	raw.SetMarks(p.marks)
	raw.SetHits(p.hits, 0)
	if got := raw.Row(0, 0).Text; !strings.Contains(got, paint(styles.Mark, `-5`)) || !strings.Contains(got, styles.Key.Render(`"key"`)) {
		t.Errorf("raw: %q", got)
	}
}

func TestScrollingSidewaysShowsTheSameColumns(t *testing.T) {
	d := parse(`["` + strings.Repeat("日本x\x01", 30) + strings.Repeat("end", 10) + `", [1, [2]]]`)
	p := JSON(jsondoc.NewLayout(d), themes.Plain())
	p.SetLook(Look{Width: 20})
	whole := p.Columns(0, p.Rows())
	if whole < 200 {
		t.Fatalf("the widest row has %d columns", whole)
	}
	for x := range whole + 5 {
		text := p.Row(1, x).Text
		if w := ansi.StringWidth(text); w > 20 || x+20 < whole && w < 19 {
			t.Errorf("scrolled by %d: %q has %d columns", x, text, w)
		}
	}
	if got := p.Row(1, whole-8).Text; got != `endend",` {
		t.Errorf("the end is %q", got)
	}
}

func TestNoDocumentIsNoTrouble(t *testing.T) {
	for _, text := range []string{"", " ", "\n\n", "NaN", "}"} {
		d := parse(text)
		for _, wrap := range []bool{false, true} {
			for _, p := range []*Painter{JSON(jsondoc.NewLayout(d), themes.Plain()), Raw(d, themes.Plain()), Text(d.Text, "", "", themes.Plain())} {
				p.SetLook(Look{Width: 3, Wrap: wrap, Gutter: true})
				screen(p, 0)
				if r := p.Row(p.Rows(), 0); r.Text != "" || r.Line != -1 || r.Mark != -1 || p.RowOf(-1) != -1 {
					t.Errorf("%q: a row behind the last: %+v", text, r)
				}
			}
		}
	}
}
