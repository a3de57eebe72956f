package demo

import (
	"slices"
	"sync"

	"mcploupe/session/mcp"
)

// Fault is one way to misbehave. Names are kebab-case and stable: lessons and scripts use them.
type Fault struct {
	Name      string
	Rule      string // id of the rule that must catch it, under the default profile
	What      string // one sentence: what the server does then
	Transport string // "stdio" or "http" when it shows on that one only; "" on both
	Try       string // what makes it show, in the words of the command line
}

// fault is a Fault and what it changes. Hooks change what a faithful server was about to send; faults
// without a hook are asked for by name at the place where the server decides.
type fault struct {
	Fault
	result   func(c *call, r *object)           // a result, complete with its _meta
	failure  func(c *call, f *failure)          // an error before it is written
	envelope func(c *call, m *object)           // a whole response
	text     func(c *call, text []byte) []byte  // the text of a response
	progress func(c *call, p *object)           // params of a progress notification
	event    func(c *call, m string, p *object) // params of a subscription's notification m
}

// faultSet are the names of the faults that are on.
type faultSet map[string]bool

// Faults lists every way to misbehave, by area: results and caching, discovery and versions, lists and
// schemas, tool calls and content, resources, prompts and completion, questions and answers, tasks, subscriptions, progress
// and logging, JSON-RPC, stdio, HTTP.
func Faults() []Fault { return slices.Clone(allFaults()) }

// allFaults are Faults, made once: a room looks one up with each request. The list is not to be changed.
var allFaults = sync.OnceValue(func() []Fault {
	var all []Fault
	for _, f := range faultTable() {
		all = append(all, f.Fault)
	}
	return all
})

// Lookup is the fault with this name, or else the first one that the rule with this id catches: whoever
// knows the rule need not learn another name.
func Lookup(name string) (Fault, bool) {
	all := allFaults()
	i := slices.IndexFunc(all, func(f Fault) bool { return f.Name == name })
	if i < 0 {
		i = slices.IndexFunc(all, func(f Fault) bool { return f.Rule == name })
	}
	if i < 0 {
		return Fault{}, false
	}
	return all[i], true
}

func faultTable() []fault {
	return slices.Concat(resultFaults(), discoverFaults(), listFaults(), schemaFaults(), callFaults(), contentFaults(),
		resourceFaults(), promptFaults(), askFaults(), answerFaults(), taskFaults(), listenFaults(), legacyFaults(), rpcFaults(), stdioFaults(), httpFaults())
}

// faults are the ones that are on for this request, in the order of the table.
func (c *call) faults() []fault {
	if len(c.on) == 0 {
		return nil
	}
	var on []fault
	for _, f := range c.s.table {
		if c.on[f.Name] {
			on = append(on, f)
		}
	}
	return on
}

// What a fault applies to.

func (c *call) is(methods ...string) bool { return slices.Contains(methods, c.method) }

func (c *call) cacheable() bool {
	m, ok := mcp.Lookup(c.method)
	return ok && m.Cacheable
}

// hangs says that the request may stay without a usable answer under faults that leave the client waiting:
// only these, so that trying them does not take minutes.
func (c *call) hangs() bool { return c.is(mcp.ToolsCall, mcp.Complete) }

// onResult makes a hook for results of some methods.
func onResult(change func(r *object), methods ...string) func(*call, *object) {
	return func(c *call, r *object) {
		if c.is(methods...) && r.get("resultType") != mcp.ResultInputRequired {
			change(r)
		}
	}
}

// onFetch makes a hook for results that bring a single thing, rather than tell what there is: faults that
// make a result unusable apply to these, so that a client still finds what it can ask for.
func onFetch(change func(r *object)) func(*call, *object) {
	return onResult(change, mcp.ToolsCall, mcp.ResourcesRead, mcp.PromptsGet)
}

// onHints makes a hook for results that carry caching hints.
func onHints(change func(r *object)) func(*call, *object) {
	return func(c *call, r *object) {
		if c.cacheable() && r.get("resultType") != mcp.ResultInputRequired {
			change(r)
		}
	}
}

// onCall makes a hook for complete results of tools/call.
func onCall(change func(r *object)) func(*call, *object) { return onResult(change, mcp.ToolsCall) }

// onRefusal makes a hook for errors about what was asked for: an unknown resource, prompt or cursor; not
// for errors about the request itself, which era detection rests on.
func onRefusal(change func(f *failure)) func(*call, *failure) {
	return func(_ *call, f *failure) {
		if f.status == 0 && (f.code == mcp.CodeInvalidParams || f.code == mcp.CodeResourceNotFound) {
			change(f)
		}
	}
}

// onCode makes a hook for errors of one code.
func onCode(code int, change func(f *failure)) func(*call, *failure) {
	return func(_ *call, f *failure) {
		if f.code == code {
			change(f)
		}
	}
}

// Opening tells that the fault shows only in what is said while a connection opens: whoever switches it on in a running
// conversation sees it at the next one.
func (f Fault) Opening() bool { return openings()[f.Name] }

// ModernOnly tells that the fault spoils what only 2026-07-28 has here, though the rule that catches it may hold for older revisions
// too: on those nothing of it shows.
func (f Fault) ModernOnly() bool {
	return slices.Contains([]string{"duplicate-keys", "capability-true", "form-no-message", "form-nested", "form-password"}, f.Name)
}

var openings = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{"init-nameless": true, "version-lower": true, "session-id-blank": true, "task-unadvertised": true}
	for _, f := range discoverFaults() {
		if f.result != nil {
			names[f.Name] = true
		}
	}
	return names
})
