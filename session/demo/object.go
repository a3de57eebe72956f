package demo

import (
	"math"
	"slices"
	"strconv"

	"mcploupe/session/jsondoc"
)

// object is a JSON object that keeps the order of its members, so that what the server writes reads the
// same every time. Values are nil, bool, string, int, int64, float64, raw, *object, []any and []string.
type object struct{ members []member }

type member struct {
	name  string
	value any
}

// raw is JSON text that is written as it is: ids, cursors and numbers that must not change a digit.
type raw []byte

// obj builds an object from names and values in turn.
func obj(pairs ...any) *object {
	o := &object{members: make([]member, 0, len(pairs)/2)}
	for i := 0; i+1 < len(pairs); i += 2 {
		o.members = append(o.members, member{pairs[i].(string), pairs[i+1]})
	}
	return o
}

// get is the value of a member, nil when there is none.
func (o *object) get(name string) any {
	if o == nil {
		return nil
	}
	for _, m := range o.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// object is the member's value when that is an object; nil otherwise.
func (o *object) object(name string) *object {
	v, _ := o.get(name).(*object)
	return v
}

// list is the member's value when that is an array; nil otherwise.
func (o *object) list(name string) []any {
	v, _ := o.get(name).([]any)
	return v
}

// objects are the entries of the member's array that are objects.
func (o *object) objects(name string) []*object {
	var all []*object
	for _, e := range o.list(name) {
		if e, ok := e.(*object); ok {
			all = append(all, e)
		}
	}
	return all
}

// text is the member's value when that is a string; "" otherwise.
func (o *object) text(name string) string {
	v, _ := o.get(name).(string)
	return v
}

func (o *object) has(name string) bool {
	return o != nil && slices.ContainsFunc(o.members, func(m member) bool { return m.name == name })
}

// set replaces the member's value where it stands, or adds the member at the end. Without an object there
// is nothing to set: faults chain over what another fault may have taken away.
func (o *object) set(name string, value any) *object {
	if o == nil {
		return nil
	}
	for i := range o.members {
		if o.members[i].name == name {
			o.members[i].value = value
			return o
		}
	}
	o.members = append(o.members, member{name, value})
	return o
}

// first adds the member before all others.
func (o *object) first(name string, value any) {
	o.members = slices.Insert(o.members, 0, member{name, value})
}

func (o *object) drop(name string) {
	if o == nil {
		return
	}
	o.members = slices.DeleteFunc(o.members, func(m member) bool { return m.name == name })
}

// clone is a deep copy: what is kept for all requests is never changed for one of them.
func (o *object) clone() *object { return copyOf(o).(*object) }

func copyOf(v any) any {
	switch v := v.(type) {
	case *object:
		c := &object{members: slices.Clone(v.members)}
		for i := range c.members {
			c.members[i].value = copyOf(c.members[i].value)
		}
		return c
	case []any:
		c := slices.Clone(v)
		for i := range c {
			c[i] = copyOf(c[i])
		}
		return c
	}
	return v
}

// treeOf reads a JSON value into the kinds that an object holds; numbers stay as they are spelt.
func treeOf(v jsondoc.Value) any {
	switch v.Kind() {
	case jsondoc.Object:
		o := &object{}
		for name, m := range v.Members() {
			o.members = append(o.members, member{name, treeOf(m)})
		}
		return o
	case jsondoc.Array:
		list := make([]any, 0, v.Len())
		for _, e := range v.Elements() {
			list = append(list, treeOf(e))
		}
		return list
	case jsondoc.String:
		return v.Text()
	case jsondoc.Bool:
		b, _ := v.Bool()
		return b
	case jsondoc.Number:
		return raw(v.Raw())
	}
	return nil
}

// appendJSON writes a value as compact JSON.
func appendJSON(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		return jsondoc.AppendQuote(dst, v)
	case int:
		return strconv.AppendInt(dst, int64(v), 10)
	case int64:
		return strconv.AppendInt(dst, v, 10)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return append(dst, "null"...)
		}
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	case raw:
		return append(dst, v...)
	case []string:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = jsondoc.AppendQuote(dst, e)
		}
		return append(dst, ']')
	case []any:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, e)
		}
		return append(dst, ']')
	case *object:
		dst = append(dst, '{')
		for i, m := range v.members {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = jsondoc.AppendQuote(dst, m.name)
			dst = append(dst, ':')
			dst = appendJSON(dst, m.value)
		}
		return append(dst, '}')
	}
	panic("demo: a value that is no JSON")
}

func jsonText(v any) string { return string(appendJSON(nil, v)) }
