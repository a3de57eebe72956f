package jsondoc

import (
	"iter"
	"unsafe"
)

// Root is the first value of the text; Missing for an empty document.
func (d *Document) Root() Value { return d.Value(0) }

// Value is a cursor on the node with this index; Missing when there is none.
func (d *Document) Value(node int32) Value {
	if d == nil || node < 0 || int(node) >= len(d.Nodes) {
		return Value{}
	}
	return Value{doc: d, id: node, ok: true}
}

func (v Value) node() *Node { return &v.doc.Nodes[v.id] }

// Exists tells that the value is there, be it null or Invalid.
func (v Value) Exists() bool { return v.ok }

// Kind is the value's kind, Missing when it is not there.
func (v Value) Kind() Kind {
	if !v.ok {
		return Missing
	}
	return v.node().Kind
}

// Is tells that the value is of kind k.
func (v Value) Is(k Kind) bool { return v.Kind() == k }

// Node is the index of the value's node, -1 when it is not there.
func (v Value) Node() int32 {
	if !v.ok {
		return -1
	}
	return v.id
}

// Document is the document that holds the value, nil when it is not there.
func (v Value) Document() *Document { return v.doc }

// Get is the object's member of exactly this name (decoded, case-sensitive); of several the last.
// It is Missing when v is no object or has no such member. It takes time linear in the members.
func (v Value) Get(name string) Value {
	if v.Kind() != Object {
		return Value{}
	}
	d, found := v.doc, Value{}
	end := v.node().Next
	for c := v.id + 1; c < end; c = d.Nodes[c].Next {
		n := &d.Nodes[c]
		if n.flags&keyCoded == 0 {
			if int(n.Key.To-n.Key.From) != len(name)+2 || string(d.Text[n.Key.From+1:n.Key.To-1]) != name {
				continue
			}
		} else if string(decodeName(nil, d.Text[n.Key.From:n.Key.To], false)) != name {
			continue
		}
		found = Value{doc: d, id: c, ok: true}
	}
	return found
}

// Index is the i-th element of the array or the i-th member's value of the object, counted from 0;
// Missing when there is none. It takes time linear in i; use Elements to walk.
func (v Value) Index(i int) Value {
	for c := range v.Children() {
		if i == 0 {
			return c
		}
		i--
	}
	return Value{}
}

// Len is the number of members or elements, duplicates included; 0 for everything else.
func (v Value) Len() int {
	n := 0
	if k := v.Kind(); k == Array || k == Object {
		for c, end := v.id+1, v.node().Next; c < end; c = v.doc.Nodes[c].Next {
			n++
		}
	}
	return n
}

// Members walks an object's members in order, duplicates included, names decoded. Nothing for other kinds.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.Kind() != Object {
			return
		}
		for c := range v.Children() {
			if !yield(c.Name(), c) {
				return
			}
		}
	}
}

// Elements walks an array's elements in order, counted from 0. Nothing for other kinds.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		if v.Kind() != Array {
			return
		}
		i := 0
		for c := range v.Children() {
			if !yield(i, c) {
				return
			}
			i++
		}
	}
}

// Children walks the values directly inside an array or object, in order.
func (v Value) Children() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if k := v.Kind(); k != Array && k != Object {
			return
		}
		for c, end := v.id+1, v.node().Next; c < end; c = v.doc.Nodes[c].Next {
			if !yield(Value{doc: v.doc, id: c, ok: true}) {
				return
			}
		}
	}
}

// Name is the decoded name of a member; "" for elements and the root.
func (v Value) Name() string {
	if !v.ok {
		return ""
	}
	n := v.node()
	if n.Key.From == n.Key.To {
		return ""
	}
	if n.flags&keyCoded == 0 {
		return view(v.doc.Text[n.Key.From+1 : n.Key.To-1])
	}
	return string(decodeName(nil, v.doc.Text[n.Key.From:n.Key.To], false))
}

// Text is what the string says, escapes decoded; bad UTF-8 and half surrogate pairs become U+FFFD.
// It is "" for everything that is no string.
func (v Value) Text() string {
	if v.Kind() != String {
		return ""
	}
	n := v.node()
	if n.flags&valueCoded == 0 {
		return view(v.doc.Text[n.Value.From+1 : n.Value.To-1])
	}
	return string(decode(nil, v.doc.Text[n.Value.From:n.Value.To], false))
}

// view is bytes of the text as a string without a copy: rules look at thousands of names and texts and keep few. The
// text of a document never changes, which is what makes this sound; whoever keeps the string keeps the text alive.
func view(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// Raw is the value exactly as it stands in the text, quotes and brackets included. It is not a copy.
func (v Value) Raw() []byte {
	if !v.ok {
		return nil
	}
	n := v.node()
	return v.doc.Text[n.Value.From:n.Value.To:n.Value.To]
}

// Bool is the value of true or false; ok is false for everything else.
func (v Value) Bool() (value, ok bool) {
	if v.Kind() != Bool {
		return false, false
	}
	return v.doc.Text[v.node().Value.From] == 't', true
}

// Parent is the array or object that holds the value; Missing for the root.
func (v Value) Parent() Value {
	if !v.ok {
		return Value{}
	}
	return v.doc.Value(v.node().Parent)
}

// Pointer leads from the root to the value; "" for the root and for what is not there.
func (v Value) Pointer() Pointer {
	if !v.ok {
		return ""
	}
	return v.doc.Pointer(v.id)
}
