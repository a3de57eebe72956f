package jsondoc

import (
	"cmp"
	"unicode/utf8"
)

// maxFaults bounds the faults of one kind in one document: hostile text could hold one per byte.
const maxFaults = 1000

var faultNames = [...]string{
	Empty: "empty", ByteOrderMark: "byte order mark", BadUTF8: "bad UTF-8", DuplicateKey: "duplicate key",
	TrailingText: "trailing text", Unterminated: "unterminated", BadToken: "bad token", BadNumber: "bad number",
	BadEscape: "bad escape", LoneSurrogate: "lone surrogate", ControlInText: "control character in text",
	BadComma: "bad comma", BadKey: "bad key", TooDeep: "too deep",
}

// String is the kind in a few plain words, "duplicate key".
func (k FaultKind) String() string {
	if k == 0 || int(k) >= len(faultNames) {
		return "no fault"
	}
	return faultNames[k]
}

var kindNames = [...]string{"missing", "invalid", "null", "boolean", "number", "string", "array", "object"}

// String is the kind as JSON Schema calls it ("boolean", "object"), or "missing" or "invalid".
func (k Kind) String() string {
	if int(k) >= len(kindNames) {
		return "missing"
	}
	return kindNames[k]
}

func byPlace(a, b Fault) int { return cmp.Compare(a.At.From, b.At.From) }

func (p *parser) fault(k FaultKind, from, to int, node int32, detail string) {
	if p.counts[k] >= maxFaults {
		return
	}
	p.counts[k]++
	p.faults = append(p.faults, Fault{Kind: k, At: Span{int32(from), int32(to)}, Node: node, Detail: detail})
}

// badUTF8 records every run of bytes that is not UTF-8.
func (d *Document) badUTF8(t []byte, p *parser) {
	for i := 0; i < len(t) && p.counts[BadUTF8] < maxFaults; {
		if t[i] < utf8.RuneSelf {
			i++
			continue
		}
		if r, n := utf8.DecodeRune(t[i:]); r != utf8.RuneError || n > 1 {
			i += n
			continue
		}
		end := i + 1
		for end < len(t) {
			if r, n := utf8.DecodeRune(t[end:]); r != utf8.RuneError || n > 1 {
				break
			}
			end++
		}
		p.fault(BadUTF8, i, end, d.NodeAt(i), "bytes that are not UTF-8")
		i = end
	}
}

// Valid tells that the text is one value of strict JSON: no fault but DuplicateKey, which the grammar
// allows. It is stricter than encoding/json.Valid in two things that readers elsewhere refuse: bytes
// that are not UTF-8 (RFC 8259 §8.1), and half surrogate pairs (§8.2). A byte order mark
// is invalid for both.
func (d *Document) Valid() bool {
	for _, f := range d.Faults {
		if f.Kind != DuplicateKey {
			return false
		}
	}
	return len(d.Nodes) > 0
}
