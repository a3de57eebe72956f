// Package highlight paints documents: JSON laid out into lines that fold, text as it is, code by its
// type, Markdown; with marks on what is wrong, notes below them, and search hits.
//
// A Painter answers for single rows, and only what is asked for is painted: a document of five megabytes
// costs a screen no more than one of five lines. Everything from a document goes through package visible.
//
// The package must never know: MCP, rules, keys, panes, the terminal. A caller turns findings into Marks.
package highlight

import (
	"mcploupe/session/jsondoc"
	"mcploupe/themes"
)

// Look is how a Painter is asked to show its document.
type Look struct {
	Width  int  // columns of a row, the gutter included; text gets 16 columns at least
	Wrap   bool // long lines go on in further rows; else a row shows a part of its line
	Gutter bool // a sign and the line's number to the left
	ASCII  bool // no signs beyond ASCII of our own (the document's text stays)
}

// Mark points at a value, or at the name of a member, and may say why.
type Mark struct {
	Node int32
	Key  bool        // the member's name is meant, not its value
	Role themes.Role // themes.Must, Should or Advice: the look of sign, value and note
	Sign string      // in the gutter; "" takes the role's own
	Note string      // stands under the value behind a └; "" for none
	On   bool        // the mark that a person is looking at
}

// Row is one row of a screen.
type Row struct {
	Text string // styled; at most Look.Width columns, and no newline
	Line int    // the line of the layout or text, from 0; also for notes below it
	Node int32  // the node that the line shows, -1 for none (Raw and Text know none)
	Sub  int    // which part of a wrapped line, from 0
	Mark int    // for a note: its mark's index; else -1
}

// Hit is a place that a search found: bytes of the text, and in JSON the node whose name (Key) or value
// holds them.
type Hit struct {
	jsondoc.Span
	Node int32
	Key  bool
}

// rank orders marks at the same place: the gravest shows.
func rank(r themes.Role) int {
	switch r {
	case themes.Must:
		return 0
	case themes.Should:
		return 1
	}
	return 2
}

// sign is what stands in the gutter of a marked line.
func (m *Mark) sign(ascii bool) string {
	switch {
	case m.Sign != "":
		return m.Sign
	case ascii:
		return [...]string{"x", "!", "*"}[rank(m.Role)]
	}
	return [...]string{"✖", "▲", "●"}[rank(m.Role)]
}
