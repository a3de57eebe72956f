package timeline

import (
	"bytes"
	"strings"

	"mcploupe/session/wire"
	"mcploupe/ui/book"
)

// How much of an exchange a plain word is looked for in: enough for all that a person reads, and little enough that ten
// thousand exchanges answer while somebody types.
const (
	mostText     = 64 << 10 // bytes of one message
	mostMessages = 40       // beside request and answer
)

// pattern is text to look for, whatever its upper and lower case (of ASCII).
type pattern struct {
	low   string
	at    int // of the byte that is looked for first: the rarest one
	lo, u byte
}

func newPattern(low string) pattern {
	p := pattern{low: low}
	rank := -1
	for i := range len(low) {
		if r := strings.IndexByte(common, low[i]); r < 0 || r > rank && rank >= 0 || rank == -1 {
			p.at, rank = i, r
			if r < 0 {
				break
			}
		}
	}
	if low != "" {
		p.lo = low[p.at]
		p.u = upper(p.lo)
	}
	return p
}

// common is the bytes of JSON messages, the most frequent first.
const common = `"etaoinsr,:lhdcumfpgywbv{}01_ ./2-35kxjqz46789[]`

func upper(b byte) byte {
	if 'a' <= b && b <= 'z' {
		return b - 'a' + 'A'
	}
	return b
}

// in is where the text begins in b; -1 when it is not there.
func (p *pattern) in(b []byte) int {
	n := len(p.low)
	if n == 0 {
		return 0
	}
	next := func(c byte, from int) int {
		if from >= len(b) {
			return len(b)
		}
		if i := bytes.IndexByte(b[from:], c); i >= 0 {
			return from + i
		}
		return len(b)
	}
	i, j := next(p.lo, p.at), len(b)
	if p.u != p.lo {
		j = next(p.u, p.at)
	}
	for {
		k := min(i, j)
		if k >= len(b) || k-p.at+n > len(b) {
			return -1
		}
		if p.fits(b[k-p.at:]) {
			return k - p.at
		}
		if k == i {
			i = next(p.lo, k+1)
		} else {
			j = next(p.u, k+1)
		}
	}
}

func (p *pattern) fits(b []byte) bool {
	for i := range len(p.low) {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != p.low[i] {
			return false
		}
	}
	return true
}

// inRow tells that the text is in the row's words or in one of its messages.
func (p *pattern) inRow(r *book.Row) bool {
	for _, s := range [...]string{label(r), r.Method, r.Of, r.State, r.X.EndText} {
		if p.in([]byte(s)) >= 0 {
			return true
		}
	}
	for _, m := range [...]*wire.Message{r.X.Request, r.X.Reply, r.X.Lone} {
		if m != nil && p.in(m.Body[:min(len(m.Body), mostText)]) >= 0 {
			return true
		}
	}
	for _, more := range [...][]wire.Message{r.X.During, r.X.Late} {
		for i := range more[:min(len(more), mostMessages)] {
			if b := more[i].Body; p.in(b[:min(len(b), mostText)]) >= 0 {
				return true
			}
		}
	}
	return false
}

// memory is what was found out about rows, so that a longer word looks only where a shorter one was, and a new exchange
// does not make the old ones be read again.
type memory map[*book.Row]*remembered

// remembered is about one row as it was then.
type remembered struct {
	stamp   stamp
	has     []string // words that are in it, the newest last
	lacking []string // words that are not
}

// stamp changes when there is more of a row to be read.
type stamp struct {
	reply        *wire.Message
	end          wire.End
	during, late int
	state        string
}

// mostRemembered bounds the words that are remembered of a row.
const mostRemembered = 8

// find tells that a text is in a row.
func (m memory) find(r *book.Row, p *pattern) bool {
	now := stamp{r.X.Reply, r.X.End, len(r.X.During), len(r.X.Late), r.State}
	e := m[r]
	if e == nil || e.stamp != now {
		e = &remembered{stamp: now}
		m[r] = e
	}
	for i := len(e.lacking) - 1; i >= 0; i-- {
		if strings.Contains(p.low, e.lacking[i]) {
			return false
		}
	}
	for i := len(e.has) - 1; i >= 0; i-- {
		if strings.Contains(e.has[i], p.low) {
			return true
		}
	}
	if p.inRow(r) {
		e.has = remember(e.has, p.low)
		return true
	}
	e.lacking = remember(e.lacking, p.low)
	return false
}

func remember(list []string, s string) []string {
	if len(list) == mostRemembered {
		copy(list, list[1:])
		list = list[:mostRemembered-1]
	}
	return append(list, s)
}
