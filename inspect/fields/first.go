package fields

import "strings"

// First is the first sentence of the text, for a line in a list.
func (e *Entry) First() string {
	for i := range len(e.Text) - 1 {
		if strings.IndexByte(".!?", e.Text[i]) >= 0 && e.Text[i+1] == ' ' {
			return e.Text[:i+1]
		}
	}
	return e.Text
}

// Shape names the definitions of a method's parameters and of its final result, for what was asked by name; "" where there is none.
// They are what Members lists.
func Shape(method string) (params, result string) {
	c := load()
	m := c.shapes.methods[method]
	return c.shapes.defs[m[0]]["params"], m[1]
}
