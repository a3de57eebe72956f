package highlight

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sort"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/visible"
)

// A unit is the least that is painted at once: a character as people see it (a grapheme cluster), or a
// dangerous one, which is shown as its sign and may be as wide as ‹TAG h›.

// maxCluster bounds a cluster in bytes. The longest emoji have about forty; without a bound a letter
// with a million accents would be one unit.
const maxCluster = 64

const tabColumns = 4

// unit gives the bytes and columns of the unit at i, and whether a sign stands for it. A tab is four
// blanks where tabs is set, else a sign like other control characters.
func unit(t []byte, i int, tabs bool) (n, cols int, hidden bool) {
	c := t[i]
	if c < utf8.RuneSelf {
		switch {
		case c == '\t' && tabs:
			return 1, tabColumns, false
		case c < 0x20 || c == 0x7f:
			return 1, 1, true
		case i+1 == len(t) || t[i+1] < utf8.RuneSelf:
			return 1, 1, false
		}
	}
	r, n := utf8.DecodeRune(t[i:])
	if r == utf8.RuneError && n == 1 {
		return 1, len("‹xFF›") - 4, true
	}
	if cols = simple(r); cols > 0 {
		if i+n == len(t) || t[i+n] < utf8.RuneSelf {
			return n, cols, false
		}
		if next, _ := utf8.DecodeRune(t[i+n:]); simple(next) > 0 {
			return n, cols, false
		}
	}
	return slowUnit(t, i, n)
}

// slowUnit is unit for what may be more than one code point, or hidden; n is the length of the first.
func slowUnit(t []byte, i, n int) (int, int, bool) {
	window := t[i:min(len(t), i+maxCluster)]
	cluster, cols := ansi.FirstGraphemeCluster(window, ansi.GraphemeWidth)
	size := len(cluster)
	for size > n && i+size < len(t) && !utf8.RuneStart(t[i+size]) {
		size--
	}
	size = max(size, n)
	shown := visible.AppendEscaped(make([]byte, 0, 64), t[i:i+size])
	switch {
	case !bytes.Equal(shown, t[i:i+size]):
		return size, ansi.StringWidth(string(shown)), true
	case cols == 0: // a mark without a letter below it
		return n, ansi.StringWidth(string(appendPoint(nil, t[i:i+n]))), true
	}
	return size, cols, false
}

// appendUnit appends what is shown for the unit t.
func appendUnit(dst, t []byte, hidden bool) []byte {
	switch {
	case t[0] == '\t' && !hidden:
		return append(dst, "    "...)
	case !hidden:
		return append(dst, t...)
	}
	from := len(dst)
	if dst = visible.AppendEscaped(dst, t); bytes.Equal(dst[from:], t) {
		dst = appendPoint(dst[:from], t)
	}
	return dst
}

func appendPoint(dst, t []byte) []byte {
	r, _ := utf8.DecodeRune(t)
	return fmt.Appendf(dst, "‹U+%04X›", r)
}

// simple gives the columns of characters that never join with one another, 0 for all that might. It
// covers what most text is made of, for which the way through the Unicode tables is too slow.
func simple(r rune) int {
	switch {
	case r < 0x20 || r == 0x7f:
		return 0
	case r < 0x7f:
		return 1
	case r < 0xa1 || r == 0xad:
		return 0
	case r < 0x300, 0x390 <= r && r < 0x483, 0x48a <= r && r < 0x530, 0x2010 <= r && r < 0x2028, 0x2500 <= r && r < 0x25a0:
		return 1
	case 0x3041 <= r && r < 0x3097, 0x30a0 <= r && r < 0x3100, 0x3400 <= r && r < 0x4dc0, 0x4e00 <= r && r < 0xa000,
		0xac00 <= r && r < 0xd7a4, 0x3001 <= r && r < 0x302a, 0xff01 <= r && r < 0xff61:
		return 2
	}
	return 0
}

// printable tells that t is printable ASCII all through: one byte, one column.
func printable(t []byte) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(t); i += 8 {
		w := binary.LittleEndian.Uint64(t[i:])
		del := w ^ ones*0x7f
		if (w|(w-ones*0x20)|(del-ones)&^del)&highs != 0 {
			break
		}
	}
	for ; i < len(t); i++ {
		if t[i] < 0x20 || t[i] >= 0x7f {
			return false
		}
	}
	return true
}

// width is the columns of t.
func width(t []byte, tabs bool) (cols int, plain bool) {
	if printable(t) {
		return len(t), true
	}
	for i := 0; i < len(t); {
		n, c, _ := unit(t, i, tabs)
		i += n
		cols += c
	}
	return cols, false
}

// step is the distance of remembered places in columns.
const step = 512

// columns connects the bytes of a text with its columns. Plain text needs nothing; else every step
// columns a place is remembered, as far as the text has been asked for.
type columns struct {
	t      []byte
	tabs   bool
	plain  bool
	places []place // places[k]: the first unit at or behind column k*step
	end    place   // how far the text is known
}

type place struct{ off, col int32 }

func newColumns(t []byte, tabs bool) *columns {
	return &columns{t: t, tabs: tabs, plain: printable(t)}
}

// reach makes the text known up to the column, or up to the byte, whatever comes first.
func (c *columns) reach(col, off int) {
	for int(c.end.off) < len(c.t) && int(c.end.col) <= col && int(c.end.off) <= off {
		if int(c.end.col) >= len(c.places)*step {
			c.places = append(c.places, c.end)
		}
		n, cols, _ := unit(c.t, int(c.end.off), c.tabs)
		c.end.off += int32(n)
		c.end.col += int32(cols)
	}
}

// total is the width of the whole text.
func (c *columns) total() int {
	if c.plain {
		return len(c.t)
	}
	c.reach(1<<31-1, len(c.t))
	return int(c.end.col)
}

// at is the unit that covers the column: its offset and its own first column. Behind the end it is the end.
func (c *columns) at(col int) place {
	if c.plain {
		col = min(col, len(c.t))
		return place{int32(col), int32(col)}
	}
	c.reach(col, len(c.t))
	k := sort.Search(len(c.places), func(k int) bool { return int(c.places[k].col) > col }) - 1
	return c.walk(k, func(p place, cols int) bool { return int(p.col)+cols > col })
}

// of is the first column of the unit that holds the byte.
func (c *columns) of(off int) int {
	if c.plain {
		return min(off, len(c.t))
	}
	c.reach(1<<31-1, off)
	k := sort.Search(len(c.places), func(k int) bool { return int(c.places[k].off) > off }) - 1
	return int(c.walk(k, func(p place, _ int) bool {
		n, _, _ := unit(c.t, int(p.off), c.tabs)
		return int(p.off)+n > off
	}).col)
}

// walk goes from the k-th remembered place to the first unit for which found holds.
func (c *columns) walk(k int, found func(p place, cols int) bool) place {
	var p place
	if k >= 0 {
		p = c.places[k]
	}
	for int(p.off) < len(c.t) {
		n, cols, _ := unit(c.t, int(p.off), c.tabs)
		if found(p, cols) {
			break
		}
		p.off += int32(n)
		p.col += int32(cols)
	}
	return p
}
