package inspect

import (
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// question is something that the server asks of the client: an entry of inputRequests in a result that asks back or of a task that does (askedInTask), or, up to
// 2025-11-25, a request of its own.
type question struct {
	key    string        // of the entry, "" for a request
	method string        // "" when it is no string
	entry  jsondoc.Value // the object that holds method and params
	params jsondoc.Value // Missing when absent
}

// questions are what the message judged asks of the client. A request that a modern server sends is no question: it has a rule of
// its own.
func (p *Pass) questions(yield func(question) bool) {
	if p.m == nil {
		return
	}
	if p.m.Kind == wire.Request {
		if !p.Modern() {
			yield(question{method: p.m.Method, entry: p.root, params: p.params})
		}
		return
	}
	for _, q := range p.inTask {
		if !yield(q) {
			return
		}
	}
	if !p.asksBack() {
		return
	}
	requests := p.result.Get("inputRequests")
	if !requests.Is(jsondoc.Object) {
		return
	}
	for key, entry := range requests.Members() {
		if !entry.Is(jsondoc.Object) {
			continue
		}
		if !yield(question{key, entry.Get("method").Text(), entry, entry.Get("params")}) {
			return
		}
	}
}

// eachQuestion calls f for every question of one kind.
func (p *Pass) eachQuestion(method string, f func(question)) {
	for q := range p.questions {
		if q.method == method {
			f(q)
		}
	}
}

// forms calls f for every question to a person that is a form: the kind without mode, too.
func (p *Pass) forms(f func(q question, schema jsondoc.Value)) {
	p.eachQuestion(mcp.ElicitationCreate, func(q question) {
		if mode := q.params.Get("mode"); !mode.Exists() || mode.Text() == "form" {
			f(q, q.params.Get("requestedSchema"))
		}
	})
}

// fields calls f for every field of every form.
func (p *Pass) fields(f func(q question, name string, field jsondoc.Value)) {
	p.forms(func(q question, schema jsondoc.Value) {
		if properties := schema.Get("properties"); properties.Is(jsondoc.Object) {
			for name, field := range properties.Members() {
				f(q, name, field)
			}
		}
	})
}

// addresses calls f for every question that sends a person to a web page.
func (p *Pass) addresses(f func(q question, url jsondoc.Value)) {
	p.eachQuestion(mcp.ElicitationCreate, func(q question) {
		if q.params.Get("mode").Text() == "url" {
			f(q, q.params.Get("url"))
		}
	})
}

// whenAsked is every result that is not final: one that asks back, or of a kind that the caller passes over.
func whenAsked() On { return On{what: onOtherResult} }

// whereAsked is when questions come: in results that ask back, and as requests of older servers.
func whereAsked() On { return whenAsked().Or(ServerRequests()) }
