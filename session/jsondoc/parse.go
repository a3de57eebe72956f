package jsondoc

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"
)

// Flags of a node: the text between the quotes is not what the string says.
const (
	keyCoded   uint8 = 1 << iota // escapes, bad UTF-8, or a name without double quotes
	valueCoded                   // escapes or bad UTF-8
)

// Parse reads any text into a Document. It keeps text without copying it: the caller must not change
// it any more. Parse never fails and never panics; whatever is not strict JSON becomes a Fault, and
// reading goes on behind it, so that the neighbours of a fault keep their nodes. How it recovers:
//
//   - missing, doubled, leading and trailing commas, missing colons: as if they were right (BadComma);
//   - a name without a value: a member of Kind Invalid with an empty span (BadComma);
//   - a name that is no string, 'a' or a: the name without its quotes; {1: …} is the name "1" (BadKey);
//   - bare words and 'text' as values: a leaf of Kind Invalid (BadToken); numbers that are readable though
//     misspelt (01, +1, .5, 1.) keep Kind Number (BadNumber);
//   - // and /* */ comments are stepped over (BadToken);
//   - a closing bracket of the wrong kind closes what keeps most of the text inside (BadToken);
//   - text that ends early closes everything open at its end (one Unterminated, on the innermost value).
//
// At most 1000 faults of each kind are recorded. Text beyond 2 GiB is not read (Unterminated).
func Parse(text []byte) *Document {
	d := &Document{Text: text}
	p := parser{t: text, cur: -1, single: -1}
	if len(text) > math.MaxInt32 {
		p.t = text[:math.MaxInt32]
	}
	p.bad = !utf8.Valid(p.t)
	p.nodes = make([]Node, 0, estimate(p.t))
	p.run()
	if spare := cap(p.nodes) - len(p.nodes); spare > len(p.nodes)/4+64 {
		p.nodes = slices.Clone(p.nodes)
	}
	d.Nodes, d.Faults = p.nodes, p.faults
	if p.bad {
		d.badUTF8(p.t, &p)
		d.Faults = p.faults
	}
	if len(text) > len(p.t) {
		p.fault(Unterminated, len(p.t), len(p.t), -1, "text beyond 2 GiB is not read")
		d.Faults = p.faults
	}
	if !slices.IsSortedFunc(d.Faults, byPlace) {
		slices.SortStableFunc(d.Faults, byPlace)
	}
	return d
}

// estimate is an upper bound of the number of nodes of valid JSON, cut to a fraction of the text so
// that prose full of commas does not reserve much: every value follows a comma or an opening bracket.
func estimate(t []byte) int {
	n := bytes.Count(t, []byte{','}) + bytes.Count(t, []byte{'['}) + bytes.Count(t, []byte{'{'}) + 1
	return min(n, len(t)/8+16)
}

// parser reads one text. cur is the open container; the chain of Parents is the stack.
type parser struct {
	t      []byte
	nodes  []Node
	faults []Fault
	counts [TooDeep + 1]int32
	cur    int32
	depth  int
	bad    bool    // the text holds bytes that are not UTF-8
	table  []int32 // scratch of the duplicate check
	single int     // no closing single quote before this offset
	noStar bool    // no closing */ behind here
}

// member is the name of the member whose value comes next.
type member struct {
	span  Span
	flags uint8
}

func (p *parser) add(k Kind, key member, from, to int, flags uint8) int32 {
	id := int32(len(p.nodes))
	p.nodes = append(p.nodes, Node{
		Kind: k, flags: key.flags | flags, Key: key.span,
		Value: Span{int32(from), int32(to)}, Parent: p.cur, Next: id + 1,
	})
	return id
}

// close ends the open container at offset to.
func (p *parser) close(to int) {
	n := &p.nodes[p.cur]
	n.Value.To, n.Next = int32(to), int32(len(p.nodes))
	if n.Kind == Object {
		p.duplicates(p.cur)
	}
	p.cur = n.Parent
	p.depth--
}

func (p *parser) inObject() bool { return p.cur >= 0 && p.nodes[p.cur].Kind == Object }

// run is the whole grammar as three places: before a value, before a member name, behind a value.
func (p *parser) run() {
	t, i := p.t, 0
	var key member
	var c byte
	comma := -1   // offset of a comma that waits for a value
	held := false // an object's name waits for its value
	if bytes.HasPrefix(t, []byte("\xef\xbb\xbf")) {
		p.fault(ByteOrderMark, 0, 3, -1, "byte order mark before the text")
		i = 3
	}

value:
	if i = p.space(i); i >= len(t) {
		goto end
	}
	switch c = t[i]; c {
	case '"':
		end, flags := p.str(i)
		p.add(String, key, i, end, flags*valueCoded)
		i = end
	case '{', '[':
		if p.depth >= MaxDepth {
			end := p.skip(i)
			p.fault(TooDeep, i, end, int32(len(p.nodes)), "nesting beyond the limit")
			p.add(Invalid, key, i, end, 0)
			i = end
			break
		}
		kind := Array
		if c == '{' {
			kind = Object
		}
		p.cur = p.add(kind, key, i, i, 0)
		p.depth++
		i++
		comma, held, key = -1, false, member{}
		if kind == Object {
			goto name
		}
		goto value
	case ',', ':', ']', '}':
		if p.cur < 0 {
			i = p.bare(i, key)
			break
		}
		if held {
			if c == ':' {
				p.fault(BadComma, i, i+1, p.cur, "doubled colon")
				i++
				goto value
			}
			p.noValue(i, key)
			break
		}
		switch c {
		case ',':
			p.fault(BadComma, i, i+1, p.cur, "comma without a value before it")
			comma = i
			i++
			goto value
		case ':':
			p.fault(BadToken, i, i+1, p.cur, "colon outside an object")
			i++
			goto value
		}
		if comma >= 0 && c == ']' {
			p.fault(BadComma, comma, comma+1, p.cur, "trailing comma")
		}
		goto closing
	default:
		i = p.plain(i, key)
	}
	key, held, comma = member{}, false, -1

after:
	if p.cur < 0 {
		p.rest(i)
		return
	}
	if i = p.space(i); i >= len(t) {
		goto end
	}
	switch c = t[i]; c {
	case ',':
		comma = i
		i++
	case ']', '}':
		goto closing
	case ':':
		p.fault(BadToken, i, i+1, p.cur, "colon without a name before it")
		i++
		goto after
	default:
		p.fault(BadComma, i, i, p.cur, "missing comma")
	}
	if !p.inObject() {
		goto value
	}

name:
	if i = p.space(i); i >= len(t) {
		goto end
	}
	switch c = t[i]; c {
	case '"':
		end, flags := p.str(i)
		key = member{Span{int32(i), int32(end)}, flags * keyCoded}
		i = end
	case ',':
		p.fault(BadComma, i, i+1, p.cur, "comma without a member before it")
		comma = i
		i++
		goto name
	case ']', '}':
		if comma >= 0 && c == '}' {
			p.fault(BadComma, comma, comma+1, p.cur, "trailing comma")
		}
		goto closing
	case ':', '{', '[':
		p.fault(BadKey, i, i+1, int32(len(p.nodes)), "member without a name")
		key = member{Span{int32(i), int32(i)}, keyCoded}
		if c == ':' {
			i++
		}
		held = true
		goto value
	default:
		end := p.word(i)
		p.fault(BadKey, i, end, int32(len(p.nodes)), "name is not a string")
		key = member{Span{int32(i), int32(end)}, keyCoded}
		i = end
	}
	held = true
	if i = p.space(i); i >= len(t) {
		goto end
	}
	switch t[i] {
	case ':':
		i++
	case ',', '}', ']':
	default:
		p.fault(BadComma, i, i, int32(len(p.nodes)), "missing colon")
	}
	goto value

closing:
	comma = -1
	if p.inObject() == (c == '}') {
		p.close(i + 1)
		i++
		goto after
	}
	i = p.mismatch(i)
	goto after

end:
	if p.cur < 0 {
		p.fault(Empty, 0, len(t), -1, "no value")
		return
	}
	if held {
		p.noValue(len(t), key)
	}
	if p.counts[Unterminated] == 0 {
		p.fault(Unterminated, len(t), len(t), p.cur, "text ends inside a value")
	}
	for p.cur >= 0 {
		p.close(len(t))
	}
}

// noValue adds the member that has a name and no value.
func (p *parser) noValue(i int, key member) {
	p.fault(BadComma, i, i, int32(len(p.nodes)), "name without a value")
	at := int(key.span.To)
	p.add(Invalid, key, at, at, 0)
}

// mismatch deals with a closing bracket at i that is not of the open container's kind. Either the
// container's own bracket was forgotten and this one closes an outer container, or it is mistyped, or
// it is one too many; the reading that leaves less text outside of the document wins.
func (p *parser) mismatch(i int) int {
	p.fault(BadToken, i, i+1, p.cur, "closing bracket of the wrong kind")
	want := Array
	if p.t[i] == '}' {
		want = Object
	}
	outer := p.nodes[p.cur].Parent
	for near := 0; outer >= 0 && p.nodes[outer].Kind != want; near++ {
		if outer = p.nodes[outer].Parent; near == 16 { // a bound, or hostile text makes this quadratic
			outer = -1
		}
	}
	more := blanks(p.t, i+1) < len(p.t)
	switch {
	case outer > 0, outer == 0 && !more:
		p.close(i) // and the bracket is looked at again, by the next outer container
		return i
	case outer < 0 && p.cur == 0 && more:
		return i + 1
	}
	p.close(i + 1)
	return i + 1
}

// rest looks at what follows the first value.
func (p *parser) rest(i int) {
	if i = p.space(i); i < len(p.t) {
		end := len(bytes.TrimRight(p.t, " \t\r\n"))
		p.fault(TrailingText, i, end, -1, "text behind the first value")
	}
}
