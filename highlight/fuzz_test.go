package highlight

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
	"mcploupe/themes"
)

// safe fails when a row could do anything to a terminal but show text. Joiners inside emoji are judged by visible itself.
func safe(t *testing.T, row string) {
	t.Helper()
	if hits := visible.Find(row); hits != nil || strings.ContainsAny(row, "\n\r\t") {
		t.Fatalf("%+q holds %v", row, hits)
	}
}

// FuzzPainter shows any bytes in every way: no row is wider than asked, none is dangerous, wrapped rows
// together are the whole line, and rows, nodes and notes lead to each other.
func FuzzPainter(f *testing.F) {
	f.Add([]byte(answer), uint8(40), true, uint8(0))
	f.Add([]byte("[\"\xff\u202e日本\x1b[2J\", {\"k\":1}]\n\ttail"), uint8(12), false, uint8(3))
	f.Add([]byte(`{"a":[[1,2],{"b":"`+strings.Repeat("日", 40)+`"}]}`), uint8(21), true, uint8(7))
	f.Add([]byte("e\u0301\u0301👨\u200d👩 \U000E0041\u2028"), uint8(9), true, uint8(1))
	f.Fuzz(func(t *testing.T, text []byte, width uint8, wrap bool, pick uint8) {
		d := jsondoc.Parse(text)
		l := jsondoc.NewLayout(d)
		look := Look{Width: int(width), Wrap: wrap, Gutter: pick%2 == 0, ASCII: pick%3 == 0}
		if int(pick) < len(d.Nodes) {
			l.Fold(int32(pick), true)
		}
		marks := []Mark{{Node: int32(pick), Role: themes.Must, Note: "a note: " + string(text)}, {Node: int32(pick) / 2, Key: true, Role: themes.Advice}}
		hits := Find(d, "a")
		for _, p := range []*Painter{JSON(l, themes.Plain()), Raw(d, themes.Plain()), Text(text, "text/x-python", "", themes.Plain())} {
			p.SetLook(look)
			p.SetMarks(marks)
			p.SetHits(hits, 0)
			p.Select(int32(pick))
			rows := make([]string, min(p.Rows(), 300))
			for k := range rows {
				r := p.Row(k, int(pick)/3)
				rows[k] = r.Text
				safe(t, r.Text)
				if w := ansi.StringWidth(r.Text); w > max(look.Width, p.gutter+minRoom) {
					t.Fatalf("row %d has %d columns of %d: %q", k, w, look.Width, r.Text)
				}
				for _, col := range []int{0, int(width) / 2, int(width)} {
					if node := p.NodeAt(k, col, 0); node < -1 || int(node) >= len(d.Nodes) {
						t.Fatalf("row %d, column %d: node %d of %d", k, col, node, len(d.Nodes))
					}
				}
			}
			for i := range hits {
				if row, _ := p.RowOfHit(i); i < 50 && p.src.line(0, 0) >= 0 && (row < 0 || row >= p.Rows()) {
					t.Fatalf("hit %d %+v is on row %d of %d", i, hits[i], row, p.Rows())
				}
			}
			for id := range min(len(d.Nodes), 50) {
				if row := p.RowOf(int32(id)); row >= p.Rows() || p.src.line(0, 0) >= 0 && p.src != source(nil) && row < 0 && !isText(p) {
					t.Fatalf("node %d is on row %d of %d", id, row, p.Rows())
				}
			}
			if wrap && !look.Gutter {
				joins(t, p)
			}
		}
		var b strings.Builder
		if err := Write(&b, l, themes.Plain(), marks, int(width)); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			safe(t, strings.TrimSuffix(line, "\n"))
		}
	})
}

func isText(p *Painter) bool {
	s, ok := p.src.(*text)
	return ok && s.doc == nil
}

// joins checks that the wrapped rows of each line, without hanging indents, are the whole line.
func joins(t *testing.T, p *Painter) {
	t.Helper()
	p.Select(-1)
	var lines []string
	for k := range min(p.Rows(), 300) {
		r := p.Row(k, 0)
		switch {
		case r.Mark >= 0:
		case r.Sub == 0:
			lines = append(lines, r.Text)
		default:
			lines[len(lines)-1] += r.Text[p.fold(p.src.indent(r.Line), true).hang:]
		}
	}
	p.SetLook(Look{Width: 1 << 20, ASCII: p.look.ASCII})
	p.SetMarks(nil)
	var whole []string
	for k := range len(lines) {
		whole = append(whole, p.Row(k, 0).Text)
	}
	if n := len(lines); n > 0 && !slices.Equal(lines[:n-1], whole[:n-1]) {
		t.Fatalf("wrapped %q\nwhole   %q", lines, whole)
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range []string{
		"# T\n\n- a **b** `c` [d](e)\n  1. x\n> q\n```\ncode\n```\n---\n| a | b |", "***a***", "![x](y) [z]", "**a", "`", "_a_b_", "\\*", "- ", "1. ", "\u202e**\x1b[**",
	} {
		f.Add(s, uint8(20))
	}
	f.Fuzz(func(t *testing.T, text string, width uint8) {
		for _, row := range Markdown(text, int(width), themes.Plain()) {
			safe(t, row)
			if w := ansi.StringWidth(row); w > max(int(width), 16)+12 {
				t.Fatalf("%q has %d columns of %d", row, w, width)
			}
		}
	})
}
