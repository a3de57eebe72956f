package inspect

import (
	"bytes"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/session/wire"
)

// Answer is yes, no, or that nobody can tell. The zero Answer is Unknown.
type Answer uint8

// The answers.
const (
	Unknown Answer = iota
	No
	Yes
)

// Tool is one entry of a tools/list result whose name is a string.
type Tool struct {
	Name  string
	Value jsondoc.Value // the whole entry
	Page  *ListPage

	input, output *compiled
}

// compiled is a schema compiled once, on first use. Listing a tool again unchanged shares it.
type compiled struct {
	source  jsondoc.Value
	done    bool
	schema  *schema.Schema
	err     error
	planned bool
	plan    *plan
}

// validate applies the schema to a value: by the plan where that is enough, else by the library. known is false when
// there is no usable schema or the value cannot be checked.
func (c *compiled) validate(v jsondoc.Value) (problems []schema.Problem, known bool) {
	if c == nil || !c.source.Exists() {
		return nil, false
	}
	if !c.planned {
		c.plan, c.planned = planOf(c.source, 0), true
	}
	if c.plan.fits(v) {
		return nil, true
	}
	s, err := c.get()
	if err != nil || s == nil {
		return nil, false
	}
	problems, err = s.Validate(v)
	return problems, err == nil
}

func (c *compiled) get() (*schema.Schema, error) {
	if !c.done {
		c.schema, c.err = schema.Compile(c.source)
		c.done = true
	}
	return c.schema, c.err
}

// same takes over what was compiled for an earlier entry of the same name, where the schemas are the same text.
func (t *Tool) same(old *Tool) {
	t.input = share(t.Value.Get("inputSchema"), old, func(o *Tool) *compiled { return o.input })
	t.output = share(t.Value.Get("outputSchema"), old, func(o *Tool) *compiled { return o.output })
}

func share(v jsondoc.Value, old *Tool, pick func(*Tool) *compiled) *compiled {
	if old != nil {
		if c := pick(old); c != nil && v.Exists() && c.source.Exists() && bytes.Equal(c.source.Raw(), v.Raw()) {
			return c
		}
	}
	return &compiled{source: v}
}

// Input is the tool's compiled inputSchema; nil and nil when it declares none; an error of package schema when it cannot
// be used.
func (t *Tool) Input() (*schema.Schema, error) {
	if !t.input.source.Exists() {
		return nil, nil
	}
	return t.input.get()
}

// Output is the tool's compiled outputSchema; nil and nil when it declares none.
func (t *Tool) Output() (*schema.Schema, error) {
	if !t.output.source.Exists() {
		return nil, nil
	}
	return t.output.get()
}

// HasOutput tells whether the tool declares an outputSchema.
func (t *Tool) HasOutput() bool { return t.Value.Get("outputSchema").Is(jsondoc.Object) }

// Call is what we know ourselves about a tools/call: local facts.
type Call struct {
	Name       string
	Formed     bool          // params has a string name, and arguments that are absent or an object
	Arguments  jsondoc.Value // as sent; Missing when absent
	Tool       *Tool         // the definition in force when it was sent, nil when none was seen
	Listed     Answer        // on the tool list at that time? No needs a complete list that is fresh or at most a minute old
	ListSize   int           // how many tools that list holds
	Fits       Answer        // do the arguments satisfy the tool's inputSchema? Unknown without tool or usable schema
	Unfit      []schema.Problem
	Output     Answer // does structuredContent satisfy the outputSchema? Unknown when there is none of either, or no usable schema
	OutputBad  []schema.Problem
	Structured jsondoc.Value // structuredContent of the result; Missing when absent
}

// Call is what is known about the tools/call that the exchange is; nil for other exchanges.
func (p *Pass) Call() *Call {
	if p.call == nil && p.x.Request != nil && p.x.Request.Method == "tools/call" {
		p.call = p.in.history.callFacts(p.x)
	}
	return p.call
}

// callFacts works out the local facts of a tools/call.
func (h *History) callFacts(x *wire.Exchange) *Call {
	m := x.Request
	params := m.Params()
	name := params.Get("name")
	c := &Call{Name: name.Text(), Arguments: params.Get("arguments")}
	c.Formed = name.Is(jsondoc.String) && (!c.Arguments.Exists() || c.Arguments.Is(jsondoc.Object))
	if !name.Is(jsondoc.String) {
		return c
	}
	c.Tool = h.Tool(c.Name, m.Seq)
	absent, known := h.absent("tools/list", m.Seq, m.At, func(w *Walk) bool {
		c.ListSize = w.Tools()
		return w.Tool(c.Name) != nil
	})
	switch {
	case known && absent, c.Tool == nil && c.Name == ProbeTool:
		c.Listed, c.Tool = No, nil
	case c.Tool != nil:
		c.Listed = Yes
	}
	if c.Tool == nil {
		return c
	}
	if c.Formed {
		// Arguments left out are an empty object to every SDK; a schema that requires something says so.
		args := c.Arguments
		if !args.Exists() {
			args = emptyObject
		}
		if unfit, known := c.Tool.input.validate(args); known {
			c.Unfit, c.Fits = unfit, yesIf(len(unfit) == 0)
		}
	}
	if x.Reply == nil {
		return c
	}
	c.Structured = x.Reply.Result().Get("structuredContent")
	if c.Structured.Exists() {
		if bad, known := c.Tool.output.validate(c.Structured); known {
			c.OutputBad, c.Output = bad, yesIf(len(bad) == 0)
		}
	}
	return c
}

// emptyObject stands for arguments that were left out. It is never changed.
var emptyObject = jsondoc.Parse([]byte("{}")).Root()

func yesIf(ok bool) Answer {
	if ok {
		return Yes
	}
	return No
}
