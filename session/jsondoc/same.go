package jsondoc

import "bytes"

// Same tells that v and w are equal as JSON: the order of members, the spelling of numbers (1, 1.0 and
// 1e0) and of strings do not matter, and nothing is rounded. Of members with the same name the last
// counts. Invalid text equals only the same bytes; two values that are not there are the same.
func (v Value) Same(w Value) bool {
	if v.Kind() != w.Kind() {
		return false
	}
	switch v.Kind() {
	case Missing, Null:
		return true
	case Number:
		n, nok := v.number()
		m, mok := w.number()
		return nok && mok && n.same(m)
	case String:
		return bytes.Equal(v.Raw(), w.Raw()) || bytes.Equal(v.exactText(), w.exactText())
	case Array:
		return v.sameElements(w)
	case Object:
		return v.sameMembers(w)
	}
	return bytes.Equal(v.Raw(), w.Raw())
}

func (v Value) exactText() []byte {
	n := v.node()
	if n.flags&valueCoded == 0 {
		return v.doc.Text[n.Value.From+1 : n.Value.To-1]
	}
	return decode(nil, v.Raw(), true)
}

func (v Value) sameElements(w Value) bool {
	i, j := v.id+1, w.id+1
	iend, jend := v.node().Next, w.node().Next
	for i < iend && j < jend {
		if !v.doc.Value(i).Same(w.doc.Value(j)) {
			return false
		}
		i, j = v.doc.Nodes[i].Next, w.doc.Nodes[j].Next
	}
	return i == iend && j == jend
}

func (v Value) sameMembers(w Value) bool {
	a, b := v.lastMembers(), w.lastMembers()
	if len(a) != len(b) {
		return false
	}
	for name, x := range a {
		if y, ok := b[name]; !ok || !x.Same(y) {
			return false
		}
	}
	return true
}

// lastMembers maps each name, decoded without loss, to the last member of that name.
func (v Value) lastMembers() map[string]Value {
	m := make(map[string]Value)
	for c := range v.Children() {
		n := c.node()
		if n.flags&keyCoded == 0 {
			m[string(v.doc.Text[n.Key.From+1:n.Key.To-1])] = c
		} else {
			m[string(decodeName(nil, v.doc.Text[n.Key.From:n.Key.To], true))] = c
		}
	}
	return m
}
