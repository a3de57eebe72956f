package highlight

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
)

// MaxHits bounds what one search finds, so that a search for "e" stays quick.
const MaxHits = 10_000

// Find searches the names and scalar values of a document, in the order of the text. A query without
// capitals finds capitals too. Strings are searched as they are written: for a quotation mark, a
// backslash or a newline the query's own escape is looked for. Never more than MaxHits.
func Find(d *jsondoc.Document, query string) []Hit {
	return findIn(d, query, 0, 0, int32(len(d.Text)), func(Hit) bool { return true })
}

// findIn searches the bytes from..to, of which node is the first one, for what is to be kept.
func findIn(d *jsondoc.Document, query string, node, from, to int32, keep func(Hit) bool) []Hit {
	quoted := jsondoc.Quote(query)
	behind := int(node) // the first node that starts behind the hit
	return search(d.Text[from:to], quoted[1:len(quoted)-1], func(h Hit) (Hit, bool) {
		h.From, h.To = h.From+from, h.To+from
		for behind < len(d.Nodes) && start(&d.Nodes[behind]) <= h.From {
			behind++
		}
		if behind == 0 || h.From >= d.Nodes[0].Value.To { // before or behind the value
			return h, keep(h)
		}
		n := &d.Nodes[behind-1]
		h.Node = int32(behind - 1)
		if h.Key = n.Key.From <= h.From && h.To <= n.Key.To; h.Key {
			return h, keep(h)
		}
		scalar := n.Kind != jsondoc.Array && n.Kind != jsondoc.Object
		return h, scalar && n.Value.From <= h.From && h.To <= n.Value.To && keep(h)
	})
}

// FindText searches other text in the same way.
func FindText(t []byte, query string) []Hit {
	return search(t, query, func(h Hit) (Hit, bool) { return h, true })
}

// FindBytes searches bytes for others, as they are. Never more than MaxHits.
func FindBytes(t, what []byte) []Hit {
	var hits []Hit
	for i := 0; len(what) > 0 && len(hits) < MaxHits; {
		k := bytes.Index(t[i:], what)
		if k < 0 {
			break
		}
		hits = append(hits, Hit{Span: jsondoc.Span{From: int32(i + k), To: int32(i + k + len(what))}, Node: -1})
		i += k + len(what)
	}
	return hits
}

func search(t []byte, query string, keep func(Hit) (Hit, bool)) []Hit {
	var hits []Hit
	if query == "" {
		return nil
	}
	s := newSeeker(t, query)
	for i := 0; i < len(t) && len(hits) < MaxHits; {
		at, n := s.from(i)
		if at < 0 {
			break
		}
		h, ok := keep(Hit{Span: jsondoc.Span{From: int32(at), To: int32(at + n)}, Node: -1})
		if ok {
			hits = append(hits, h)
		}
		i = at + n
	}
	return hits
}

// seeker goes through a text from one place of a query to the next. It remembers where the first letter comes next in either case: a
// text without its capital is looked through for that once, not once for each place.
type seeker struct {
	t                 []byte
	query             string
	exact             bool // capitals and small letters are two
	low, high         byte // the first byte in either case
	nextLow, nextHigh int  // where they come next; -1 when that is not known
}

func newSeeker(t []byte, query string) *seeker {
	s := &seeker{t: t, query: query, exact: bytes.ContainsFunc([]byte(query), unicode.IsUpper), low: query[0], nextLow: -1, nextHigh: len(t)}
	first, _ := utf8.DecodeRuneInString(query)
	if upper := unicode.ToUpper(first); upper != first {
		var b [utf8.UTFMax]byte
		utf8.EncodeRune(b[:], upper)
		s.high, s.nextHigh = b[0], -1
	}
	return s
}

// from is the first place of the query at i or behind it, and its length there; -1 for none. i never falls.
func (s *seeker) from(i int) (at, n int) {
	if s.exact {
		if k := bytes.Index(s.t[i:], []byte(s.query)); k >= 0 {
			return i + k, len(s.query)
		}
		return -1, 0
	}
	for i < len(s.t) {
		if s.nextLow < i {
			s.nextLow = next(s.t, i, s.low)
		}
		if s.nextHigh < i {
			s.nextHigh = next(s.t, i, s.high)
		}
		if i = min(s.nextLow, s.nextHigh); i == len(s.t) {
			break
		}
		if n := foldPrefix(s.t[i:], s.query); n > 0 {
			return i, n
		}
		i++
	}
	return -1, 0
}

func next(t []byte, i int, c byte) int {
	if n := bytes.IndexByte(t[i:], c); n >= 0 {
		return i + n
	}
	return len(t)
}

// foldPrefix is the length of the query at the start of t in any case, 0 when it is not there.
func foldPrefix(t []byte, query string) int {
	i := 0
	for _, q := range query {
		if i >= len(t) {
			return 0
		}
		r, n := utf8.DecodeRune(t[i:])
		if r != q && unicode.ToLower(r) != q {
			return 0
		}
		i += n
	}
	return i
}
