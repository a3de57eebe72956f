package catalogue

import (
	"mcploupe/session/jsondoc"
	"mcploupe/ui/calls"
	"mcploupe/ui/kit"
)

// untouched tells that the arguments are as they began, so that taking others in their place loses nothing.
func (c *Call) untouched() bool {
	text := c.st.input().Value()
	return calls.Blank(text) || jsondoc.Parse(text).Root().Same(jsondoc.Parse(skeleton(c.st.args)).Root())
}

// pasted takes a whole call, or its arguments, out of pasted text in place of arguments that nobody touched. ok is false when
// the paste is only text.
func (c *Call) pasted(text string) (kit.Intent, bool) {
	got, did, ok := calls.Pasted(text)
	if !ok || !c.untouched() {
		return nil, false
	}
	c.st.history = 0
	c.st.input().SetValue(got.Arguments)
	said := calls.Took(got, did)
	if got.Name != "" && got.Name != c.id {
		return kit.Say{Text: kit.Escape(said) + " — but this is " + c.st.item.Label, Bad: true}, true
	}
	return kit.Say{Text: kit.Escape(said)}, true
}

// Paste implements kit.Paster: what is pasted while no field is open.
func (c *Call) Paste(text string) kit.Intent {
	if c.st == nil || !c.editing() {
		return nil
	}
	intent, ok := c.pasted(text)
	if _, _, is := calls.Pasted(text); !ok && is {
		return kit.Say{Text: "the form is filled in already: ctrl+t shows the JSON to paste into", Bad: true}
	}
	return intent
}

// outside edits the arguments in the person's own editor; they come back byte for byte, whatever is selected then.
func (c *Call) outside() kit.Intent {
	st := c.st
	return kit.EditOutside{Text: st.input().Value(), Done: func(text []byte) { st.input().SetValue(text) }}
}
