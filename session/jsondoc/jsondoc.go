// Package jsondoc is JSON text with positions.
//
// It reads any bytes into a Document: a flat table of nodes in reading order plus a list of Faults
// for everything that is not strict JSON (RFC 8259). Reading never fails, never changes a digit,
// never reorders or drops a member. An inspector's subject is the wrong message, so what is wrong
// stays in the value for somebody else to judge.
//
// It must never know: MCP, JSON-RPC, colours, terminals.
package jsondoc

import "sync/atomic"

// Kind is the kind of a JSON value. The zero Kind, Missing, is the kind of a value that is not there.
type Kind uint8

// The kinds of values. Invalid is text that is no JSON value at all (kept as a leaf with its span).
const (
	Missing Kind = iota
	Invalid
	Null
	Bool
	Number
	String
	Array
	Object
)

// Span is a half-open range of byte offsets into Document.Text.
type Span struct{ From, To int32 }

// Node is one value in reading order. Key is the span of the member name including its quotes
// (empty for array elements and the root); Value is the span of the value, quotes and brackets included.
// Parent is the index of the container (-1 for the root); Next is the index just past this node's subtree.
type Node struct {
	Kind         Kind
	flags        uint8 // fits the padding: whether key and value text must be decoded
	Key, Value   Span
	Parent, Next int32
}

// Document is immutable once parsed: the text, its nodes in reading order (node 0 is the root, when
// there is any value), and the faults in reading order. Several readers may share one.
type Document struct {
	Text   []byte
	Nodes  []Node
	Faults []Fault

	places atomic.Pointer[[]int32] // per node its index in its array, once somebody asked far inside of one; see Pointer
}

// FaultKind names a way in which text departs from strict JSON.
type FaultKind uint8

// The kinds of faults.
const (
	Empty         FaultKind = iota + 1 // no value at all
	ByteOrderMark                      // text starts with EF BB BF
	BadUTF8                            // bytes that are not valid UTF-8
	DuplicateKey                       // a member name that the object already has; readers take the last
	TrailingText                       // something follows the first value; Node 0 is the first value
	Unterminated                       // the text ends inside a value
	BadToken                           // text that is no JSON token (NaN, single quotes, bare words)
	BadNumber                          // number spelling outside the grammar (01, +1, .5, 1.)
	BadEscape                          // unknown or cut \-escape in a string
	LoneSurrogate                      // \uD800-\uDFFF without its partner
	ControlInText                      // raw control character inside a string
	BadComma                           // missing, doubled or trailing comma, missing colon
	BadKey                             // a member name that is not a string
	TooDeep                            // nesting beyond MaxDepth; the deeper part is one Invalid leaf
)

// MaxDepth is the nesting that Parse follows. Deeper containers become one Invalid leaf and a TooDeep fault.
const MaxDepth = 10_000

// Fault is one departure from strict JSON. Node is the node it concerns (-1: none); At its bytes.
type Fault struct {
	Kind   FaultKind
	At     Span
	Node   int32
	Detail string // for people: what stood there, in a few words; never raw bytes
}

// Pointer is an RFC 6901 JSON Pointer ("" is the root, "/a~1b/0").
type Pointer string

// Value is a cursor on one node. The zero Value is Missing: every method on it answers
// emptily, so that chains like v.Get("result").Get("tools") need no checks between them.
type Value struct {
	doc *Document
	id  int32
	ok  bool
}
