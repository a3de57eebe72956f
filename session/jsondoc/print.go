package jsondoc

// Compact appends text without the white space between its tokens; every token stays byte for byte.
// Text that is no valid JSON keeps one blank between two bare words.
func Compact(dst, text []byte) []byte {
	for i := 0; i < len(text); {
		if text[i] == '"' {
			end := textEnd(text, i+1)
			for ; end < len(text) && text[end] != '"'; end = textEnd(text, end+1) {
				if text[end] == '\\' {
					end++
				}
			}
			end = min(end+1, len(text))
			dst = append(dst, text[i:end]...)
			i = end
			continue
		}
		if end := blanks(text, i); end > i {
			if i > 0 && end < len(text) && !delimits(text[i-1]) && !delimits(text[end]) {
				dst = append(dst, ' ')
			}
			i = end
			continue
		}
		dst = append(dst, text[i])
		i++
	}
	return dst
}

// Indent appends v over several lines, each but the first starting with prefix and one indent per depth.
// Tokens stay byte for byte; empty containers are {} and []. There is no newline at the end.
func Indent(dst []byte, v Value, prefix, indent string) []byte {
	dst, _ = IndentTo(dst, v, prefix, indent, -1)
	return dst
}

// IndentTo is Indent, and tells where in dst the value of a node begins, one inside v: -1 for any other.
func IndentTo(dst []byte, v Value, prefix, indent string, node int32) (text []byte, at int) {
	at = -1
	if !v.ok {
		return dst, at
	}
	d := v.doc
	var open []int32 // containers around the node, v or inside v
	line := func() {
		dst = append(dst, '\n')
		dst = append(dst, prefix...)
		for range open {
			dst = append(dst, indent...)
		}
	}
	for id, end := v.id, v.node().Next; id < end; id++ {
		for len(open) > 0 && id >= d.Nodes[open[len(open)-1]].Next {
			c := open[len(open)-1]
			open = open[:len(open)-1]
			line()
			dst = append(dst, d.Nodes[c].Kind.brackets()[1])
		}
		n := &d.Nodes[id]
		if len(open) > 0 {
			parent := open[len(open)-1]
			if id != parent+1 {
				dst = append(dst, ',')
			}
			line()
			if d.Nodes[parent].Kind == Object {
				dst = append(dst, d.Text[n.Key.From:n.Key.To]...)
				dst = append(dst, ':', ' ')
			}
		}
		if id == node {
			at = len(dst)
		}
		if n.Kind != Array && n.Kind != Object {
			dst = append(dst, d.Text[n.Value.From:n.Value.To]...)
			continue
		}
		brackets := n.Kind.brackets()
		dst = append(dst, brackets[0])
		if n.Next == id+1 {
			dst = append(dst, brackets[1])
			continue
		}
		open = append(open, id)
	}
	for len(open) > 0 {
		c := open[len(open)-1]
		open = open[:len(open)-1]
		line()
		dst = append(dst, d.Nodes[c].Kind.brackets()[1])
	}
	return dst, at
}

func (k Kind) brackets() string {
	if k == Array {
		return "[]"
	}
	return "{}"
}
