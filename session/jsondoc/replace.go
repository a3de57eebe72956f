package jsondoc

import "slices"

// Replace is the document of the text in which a value is another: the same as Parse gives, but only what is new is read, and
// the rest is moved. A document with faults, and one that would have some, is read anew.
func (d *Document) Replace(node int32, raw []byte) *Document {
	old := &d.Nodes[node]
	shift := int32(len(raw)) - (old.Value.To - old.Value.From)
	text := slices.Concat(d.Text[:old.Value.From], raw, d.Text[old.Value.To:])
	depth := 0
	for up := old.Parent; up >= 0; up = d.Nodes[up].Parent {
		depth++
	}
	sub := Parse(raw)
	if len(d.Faults) > 0 || len(sub.Faults) > 0 || len(sub.Nodes) == 0 || depth+sub.deepest() >= MaxDepth || node == 0 {
		return Parse(text)
	}
	if v := sub.Nodes[0].Value; v.From != 0 || int(v.To) != len(raw) {
		return Parse(text) // blanks around it
	}
	count := int32(len(sub.Nodes))
	more := count - (old.Next - node)
	nodes := append([]Node(nil), d.Nodes...) // quicker than to ask for room, which is cleared first
	if more != 0 {
		nodes = append(nodes[:node], make([]Node, count)...)
		nodes = append(nodes, d.Nodes[old.Next:]...)
	}
	for up := old.Parent; up >= 0; up = nodes[up].Parent {
		nodes[up].Value.To += shift
		nodes[up].Next += more
	}
	at := old.Value.From
	for i, n := range sub.Nodes {
		n.Key.From, n.Key.To = n.Key.From+at, n.Key.To+at
		n.Value.From, n.Value.To = n.Value.From+at, n.Value.To+at
		n.Parent, n.Next = n.Parent+node, n.Next+node
		if i == 0 {
			n.Key, n.Parent = old.Key, old.Parent
			n.flags = n.flags&valueCoded | old.flags&keyCoded
		} else if n.Key.From == n.Key.To {
			n.Key = sub.Nodes[i].Key
		}
		nodes[int(node)+i] = n
	}
	for i := int(node + count); i < len(nodes); i++ {
		n := &nodes[i]
		if n.Key.From < n.Key.To {
			n.Key.From, n.Key.To = n.Key.From+shift, n.Key.To+shift
		}
		n.Value.From, n.Value.To = n.Value.From+shift, n.Value.To+shift
		if n.Next += more; n.Parent >= old.Next {
			n.Parent += more
		}
	}
	return &Document{Text: text, Nodes: nodes}
}

// deepest is how many containers stand around the innermost value.
func (d *Document) deepest() int {
	most := 0
	var ends []int32
	for i := range d.Nodes {
		for len(ends) > 0 && int32(i) >= ends[len(ends)-1] {
			ends = ends[:len(ends)-1]
		}
		if most = max(most, len(ends)); d.Nodes[i].Next > int32(i)+1 {
			ends = append(ends, d.Nodes[i].Next)
		}
	}
	return most
}
