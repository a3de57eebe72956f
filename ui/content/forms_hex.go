package content

import (
	"fmt"
	"sort"
	"strings"

	"mcploupe/ui/kit"
)

// hexForm is bytes: where they are, what they are, and what is printable of them.
type hexForm struct {
	b   []byte
	e   *kit.Env
	per int // bytes a row

	found hexFound
}

func (f *hexForm) name() string { return "hex" }

func (f *hexForm) lay(e *kit.Env, w, _ int) {
	f.e, f.per = e, 4
	for _, n := range []int{16, 8} {
		if hexWidth(n) <= w {
			f.per = n
			break
		}
	}
}

// hexWidth is the cells that a row of n bytes takes: eight digits, each byte with a blank before it and one more before every eighth.
func hexWidth(n int) int { return 8 + 3*n + (n+7)/8 + 2 + n }

func (f *hexForm) rows() int { return (len(f.b) + f.per - 1) / f.per }

func (f *hexForm) row(k int, _ bool) string {
	s := f.e.Styles
	from := k * f.per
	b := f.b[from:min(from+f.per, len(f.b))]
	var out, run strings.Builder
	out.WriteString(s.Faint.Render(fmt.Sprintf("%08x", from)))
	const digits = "0123456789abcdef"
	kind := -1
	flush := func(next int) {
		if run.Len() > 0 {
			switch kind {
			case 0:
				out.WriteString(s.Faint.Render(run.String()))
			case 1:
				out.WriteString(s.String.Render(run.String()))
			case 3:
				out.WriteString(s.Match.Render(run.String()))
			case 4:
				out.WriteString(s.MatchOn.Render(run.String()))
			default:
				out.WriteString(s.Number.Render(run.String()))
			}
			run.Reset()
		}
		kind = next
	}
	for i := range f.per {
		if i%8 == 0 {
			run.WriteByte(' ')
		}
		run.WriteByte(' ')
		if i >= len(b) {
			run.WriteString("  ")
			continue
		}
		if c := f.class(from + i); c != kind {
			flush(c)
		}
		run.WriteByte(digits[b[i]>>4])
		run.WriteByte(digits[b[i]&15])
	}
	run.WriteString("  ")
	for i, c := range b {
		if k := f.class(from + i); k != kind {
			flush(k)
		}
		if class(c) == 1 {
			run.WriteByte(c)
		} else {
			run.WriteString("·")
		}
	}
	flush(0)
	return out.String()
}

// class of the byte at a place: that of the byte, or 3 where something was found, and 4 where somebody looks at that.
func (f *hexForm) class(at int) int {
	hits := f.found.hits
	if len(hits) > 0 {
		i := sort.Search(len(hits), func(i int) bool { return int(hits[i].To) > at })
		switch {
		case i == len(hits) || int(hits[i].From) > at:
		case i == f.found.on:
			return 4
		default:
			return 3
		}
	}
	return class(f.b[at])
}

// class of a byte: 0 nothing, 1 printable, 2 anything else.
func class(c byte) int {
	switch {
	case c == 0:
		return 0
	case 0x20 <= c && c < 0x7f:
		return 1
	}
	return 2
}

func (f *hexForm) place(k int) string {
	from := k * f.per
	return fmt.Sprintf("byte %s of %s", kit.Number(from), kit.Number(len(f.b)))
}
