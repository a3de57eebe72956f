package inspect

import (
	"mcploupe/session/jsondoc"
)

// plan is a schema made ready for one question: does this value surely fit? It knows the keywords that nearly all tools
// use and nothing else. A schema that holds any other keyword has no plan, and a value that does not surely fit is given to the
// schema library, whose word counts. So a plan only ever spares work: it says yes, or nothing. (Most calls are right, and
// the library needs several times as long for a right value as reading it took.)
type plan struct {
	kinds    kinds
	members  map[string]*plan
	required []string
	others   *plan // additionalProperties; nil: anything goes
	closed   bool  // additionalProperties is false
	items    *plan
	words    []string // enum or const of strings
}

// kinds is a set of JSON types; 0 is any.
type kinds uint8

const (
	kNull kinds = 1 << iota
	kBool
	kInteger
	kNumber
	kString
	kArray
	kObject
)

// planDepth is how deep a plan goes; deeper schemas have none.
const planDepth = 16

// planOf makes a plan of a schema; nil when the schema holds anything that a plan does not know.
func planOf(s jsondoc.Value, depth int) *plan {
	if depth > planDepth {
		return nil
	}
	if b, is := s.Bool(); is {
		if b {
			return new(plan)
		}
		return nil
	}
	if !s.Is(jsondoc.Object) {
		return nil
	}
	p := new(plan)
	for name, v := range s.Members() {
		ok := true
		switch name {
		case "type":
			p.kinds, ok = kindsOf(v)
		case "properties":
			p.members, ok = map[string]*plan{}, v.Is(jsondoc.Object)
			for member, sub := range v.Members() {
				m := planOf(sub, depth+1)
				ok = ok && m != nil
				p.members[member] = m
			}
		case "required":
			ok = v.Is(jsondoc.Array)
			for _, member := range v.Elements() {
				ok = ok && member.Is(jsondoc.String)
				p.required = append(p.required, member.Text())
			}
		case "additionalProperties":
			if b, is := v.Bool(); is && !b {
				p.closed = true
			} else {
				p.others = planOf(v, depth+1)
				ok = p.others != nil
			}
		case "items":
			p.items = planOf(v, depth+1)
			ok = p.items != nil
		case "enum":
			for _, word := range v.Elements() {
				ok = ok && word.Is(jsondoc.String)
				p.words = append(p.words, word.Text())
			}
			ok = ok && len(p.words) > 0
		case "$schema":
			// Every dialect from draft 6 on gives the keywords here the same meaning, for single schemas in items.
			ok = depth == 0 && contains(v.Text(), "/draft/2020-12/schema", "/draft/2019-09/schema", "/draft-07/schema", "/draft-06/schema")
		case "title", "description", "default", "examples", "$comment", "deprecated", "readOnly", "writeOnly", "x-mcp-header":
		default:
			ok = false
		}
		if !ok {
			return nil
		}
	}
	return p
}

func kindsOf(v jsondoc.Value) (kinds, bool) {
	if v.Is(jsondoc.String) {
		k := kindNamed(v.Text())
		return k, k != 0
	}
	var all kinds
	for _, one := range v.Elements() {
		k := kindNamed(one.Text())
		if k == 0 {
			return 0, false
		}
		all |= k
	}
	return all, all != 0
}

func kindNamed(name string) kinds {
	switch name {
	case "null":
		return kNull
	case "boolean":
		return kBool
	case "integer":
		return kInteger
	case "number":
		return kNumber
	case "string":
		return kString
	case "array":
		return kArray
	case "object":
		return kObject
	}
	return 0
}

// fits tells whether the value surely fits. A nil plan never knows.
func (p *plan) fits(v jsondoc.Value) bool {
	if p == nil {
		return false
	}
	var k kinds
	switch v.Kind() {
	case jsondoc.Null:
		k = kNull
	case jsondoc.Bool:
		k = kBool
	case jsondoc.Number:
		k = kNumber
		if p.kinds&kInteger != 0 && plainInteger(v.Raw()) {
			k |= kInteger
		}
	case jsondoc.String:
		k = kString
		if len(p.words) > 0 && !p.hasWord(v.Text()) {
			return false
		}
	case jsondoc.Array:
		k = kArray
		if p.items != nil {
			for _, item := range v.Elements() {
				if !p.items.fits(item) {
					return false
				}
			}
		}
	case jsondoc.Object:
		k = kObject
		if !p.fitsObject(v) {
			return false
		}
	default:
		return false
	}
	if len(p.words) > 0 && k != kString {
		return false
	}
	return p.kinds == 0 || p.kinds&k != 0
}

func (p *plan) fitsObject(v jsondoc.Value) bool {
	if p.members == nil && len(p.required) == 0 && p.others == nil && !p.closed {
		return true
	}
	for name, member := range v.Members() {
		sub, named := p.members[name]
		switch {
		case named:
			if !sub.fits(member) {
				return false
			}
		case p.closed, p.others != nil && !p.others.fits(member):
			return false
		}
	}
	for _, name := range p.required {
		if !v.Get(name).Exists() {
			return false
		}
	}
	return true
}

func (p *plan) hasWord(text string) bool {
	for _, w := range p.words {
		if w == text {
			return true
		}
	}
	return false
}

// plainInteger tells whether a number is written as digits only, with a sign perhaps. 1.0 and 1e2 are integers too, but
// not plainly.
func plainInteger(raw []byte) bool {
	for i, c := range raw {
		if (c < '0' || c > '9') && (c != '-' || i > 0) {
			return false
		}
	}
	return len(raw) > 0
}
