package highlight

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
)

// maxHits bounds what one search finds, so that a search for "e" stays quick.
const maxHits = 10_000

// Find searches the names and scalar values of a document, in the order of the text. A query without
// capitals finds capitals too. Strings are searched as they are written: for a quotation mark, a
// backslash or a newline the query's own escape is looked for. Never more than 10,000 hits.
func Find(d *jsondoc.Document, query string) []Hit {
	quoted := jsondoc.Quote(query)
	behind := 0 // the first node that starts behind the hit
	return search(d.Text, quoted[1:len(quoted)-1], func(h Hit) (Hit, bool) {
		for behind < len(d.Nodes) && start(&d.Nodes[behind]) <= h.From {
			behind++
		}
		if behind == 0 || h.From >= d.Nodes[0].Value.To { // before or behind the value
			return h, true
		}
		n := &d.Nodes[behind-1]
		h.Node = int32(behind - 1)
		if h.Key = n.Key.From <= h.From && h.To <= n.Key.To; h.Key {
			return h, true
		}
		scalar := n.Kind != jsondoc.Array && n.Kind != jsondoc.Object
		return h, scalar && n.Value.From <= h.From && h.To <= n.Value.To
	})
}

// FindText searches other text in the same way.
func FindText(t []byte, query string) []Hit {
	return search(t, query, func(h Hit) (Hit, bool) { return h, true })
}

func search(t []byte, query string, keep func(Hit) (Hit, bool)) []Hit {
	var hits []Hit
	if query == "" {
		return nil
	}
	exact := bytes.ContainsFunc([]byte(query), unicode.IsUpper)
	for i := 0; i < len(t) && len(hits) < maxHits; {
		at, n := index(t[i:], query, exact)
		if at < 0 {
			break
		}
		h, ok := keep(Hit{Span: jsondoc.Span{From: int32(i + at), To: int32(i + at + n)}, Node: -1})
		if ok {
			hits = append(hits, h)
		}
		i += at + n
	}
	return hits
}

// index is the first place of the query in t and its length there; without exact, letters match in
// either case.
func index(t []byte, query string, exact bool) (at, n int) {
	if exact {
		return bytes.Index(t, []byte(query)), len(query)
	}
	first, _ := utf8.DecodeRuneInString(query)
	upper := unicode.ToUpper(first)
	low, high := query[0], byte(0)
	if upper != first {
		var b [utf8.UTFMax]byte
		utf8.EncodeRune(b[:], upper)
		high = b[0]
	}
	nextLow, nextHigh := -1, -1 // where the first byte comes next, in either case
	for i := 0; i < len(t); {
		if nextLow < i && nextLow != len(t) {
			nextLow = next(t, i, low)
		}
		if high != 0 && nextHigh < i && nextHigh != len(t) {
			nextHigh = next(t, i, high)
		} else if high == 0 {
			nextHigh = len(t)
		}
		if i = min(nextLow, nextHigh); i == len(t) {
			break
		}
		if n := foldPrefix(t[i:], query); n > 0 {
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
