package catalogue

import (
	"mcploupe/ui/book"
	"mcploupe/ui/calls"
)

// Current is the call that is shown, to be saved; ok is false when there is none that can be.
func (c *Call) Current() (call calls.Call, ok bool) {
	if c.st == nil {
		return calls.Call{}, false
	}
	call = calls.Call{Name: c.id}
	switch c.kind {
	case book.Tools:
		call.Kind = calls.Tool
	case book.Prompts:
		call.Kind = calls.Prompt
	case book.Resources:
		call.Kind = calls.Resource
		return call, true
	default:
		return calls.Call{}, false
	}
	call.Arguments = c.st.input().Value()
	return call, true
}
