package question

import (
	"bytes"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/ui/kit"
)

// The whole of what answers a round can be written by hand: inputResponses and requestState as they go out, with answers
// left out or made up, and the state altered. What a faithful client would not send is said while it is typed.

// wholeOf is the answer so far, as a whole.
func (p *Pane) wholeOf() []byte {
	out := []byte("{")
	if len(p.round.List) > 0 {
		out = append(out, `"inputResponses":{`...)
		n := 0
		add := func(key string, raw []byte) {
			if n++; n > 1 {
				out = append(out, ',')
			}
			out = append(append(jsondoc.AppendQuote(out, key), ':'), raw...)
		}
		for _, a := range p.list {
			if raw := a.raw(); len(raw) > 0 {
				add(a.Key, raw)
			}
		}
		for i := p.at; i < len(p.round.List); i++ {
			q := &p.round.List[i]
			raw := q.begin()
			if i == p.at {
				raw = p.answer()
			}
			if jsondoc.Parse(raw).Valid() {
				add(q.Key, raw)
			}
		}
		out = append(out, '}')
	}
	if p.round.State != nil {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(out, `"requestState":`...), p.round.State...)
	}
	out = append(out, '}')
	return jsondoc.Indent(nil, jsondoc.Parse(out).Root(), "", "  ")
}

// altered is what of a whole answer a faithful client would not send, in words; "" for nothing.
func (p *Pane) altered(text []byte) string {
	v := jsondoc.Parse(text).Root()
	var words []string
	state, answers := v.Get("requestState"), v.Get("inputResponses")
	switch {
	case p.round.State == nil && state.Exists():
		words = append(words, "requestState made up")
	case p.round.State != nil && !state.Exists():
		words = append(words, "requestState left out")
	case p.round.State != nil && !bytes.Equal(state.Raw(), p.round.State):
		words = append(words, "requestState altered")
	}
	asked := map[string]bool{}
	var missing []string
	for _, q := range p.round.List {
		asked[q.Key] = true
		if !answers.Get(q.Key).Exists() {
			missing = append(missing, q.Key)
		}
	}
	switch {
	case answers.Exists() && !answers.Is(jsondoc.Object):
		words = append(words, "inputResponses is no object")
	case len(missing) > 0:
		words = append(words, "no response for "+kit.Cut(kit.Escape(strings.Join(missing, ", ")), 40))
	}
	for name := range answers.Members() {
		if !asked[name] {
			words = append(words, "a response that nobody asked for: "+kit.Cut(kit.Escape(name), 30))
			break
		}
	}
	for name := range v.Members() {
		if name != "requestState" && name != "inputResponses" {
			words = append(words, "a member besides: "+kit.Cut(kit.Escape(name), 30))
			break
		}
	}
	return strings.Join(words, "; ")
}

// openWhole shows the whole answer in the editor.
func (p *Pane) openWhole() kit.Intent {
	p.whole = p.inputs.JSON(p.env, "answer", jsondoc.Value{})
	p.whole.SetValue(p.wholeOf())
	p.shown = nil
	return nil
}

// sendWhole ends the dialog with what stands in the editor.
func (p *Pane) sendWhole() kit.Intent {
	value := bytes.Clone(p.whole.Value())
	if v := jsondoc.Parse(value); !v.Valid() || !v.Root().Is(jsondoc.Object) {
		return kit.Say{Text: "this is no JSON object: params cannot hold it. mcploupe send --raw sends anything", Bad: true}
	}
	return Decided{Pane: p, Whole: value}
}
