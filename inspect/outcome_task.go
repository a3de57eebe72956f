package inspect

import (
	"slices"
	"strconv"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/task"
	"mcploupe/session/wire"
)

// A call that was answered with a task is answered in truth by what the task brings. So a finished task is judged twice:
// the message that tells its end as what it is, and the result or error in it as if it had answered the call itself.

// maxRuns is how many tasks' calls are remembered. Of an older one the result is still classified, without its schema.
const maxRuns = 512

// runs are the calls that tasks run, by task id.
type runs struct {
	of    map[string]*wire.Message
	order []string
}

// begun remembers the call when it was answered with a task.
func (r *runs) begun(x *wire.Exchange) {
	if x.Request == nil || x.Reply == nil || x.Request.Method != mcp.ToolsCall {
		return
	}
	t, ok := task.Of(x.Reply.Result())
	if !ok || t.ID == "" {
		return
	}
	if r.of == nil {
		r.of = map[string]*wire.Message{}
	}
	if r.of[t.ID] == nil {
		r.order = append(r.order, t.ID)
	}
	r.of[t.ID] = x.Request
	if len(r.order) > maxRuns {
		delete(r.of, r.order[0])
		r.order = slices.Clone(r.order[1:])
	}
}

// taskTold is the task whose state this exchange's result tells; ok is false for other exchanges.
func (p *Pass) taskTold(result jsondoc.Value) (t task.Task, ok bool) {
	if p.x.Method() != mcp.TasksGet || !result.Get("status").Is(jsondoc.String) {
		return task.Task{}, false
	}
	return task.Read(result), true
}

// taskMade tells that the call was answered with a task of 2025-11-25, for which it had asked.
func (p *Pass) taskMade(result jsondoc.Value) bool {
	if p.modern || p.x.Method() != mcp.ToolsCall || !p.sent.Get("task").Exists() {
		return false
	}
	_, ok := task.Of(result)
	return ok
}

// taskOutcome is row 18: what a result says that tells how a task is. ok is false for other results.
func (p *Pass) taskOutcome(result jsondoc.Value) (o Outcome, ok bool) {
	if p.taskMade(result) {
		return Outcome{Class: TaskCreated}.sure(Certain, "the result is a task of 2025-11-25"), true
	}
	t, told := p.taskTold(result)
	switch {
	case p.x.Method() == mcp.TasksResult && !p.modern:
		return p.carriedOutcome(result, ""), true
	case !told:
		return Outcome{}, false
	case t.Status == task.Working, t.Status == task.Cancelled:
		return Outcome{Class: TaskCreated, Kind: t.Status}.sure(Certain, "the task is "+t.Status), true
	case t.Status == task.InputRequired:
		return Outcome{Class: InputRequired}.sure(Certain, "the task asks"), true
	case !t.Known():
		return Outcome{Class: Invalid, Kind: "shape"}.sure(Certain, "status "+string(result.Get("status").Raw())+" is none of a task"), true
	case !p.modern:
		return Outcome{Class: TaskCreated, Kind: t.Status}.sure(Certain, "the task is "+t.Status+"; tasks/result tells what it brought"), true
	}
	name, payload := t.Payload()
	if name == "" || !payload.Is(jsondoc.Object) {
		return Outcome{Class: Invalid, Kind: "shape"}.sure(Certain, "the task is "+t.Status+" and brings no "+map[bool]string{true: "result", false: "error"}[t.Status == task.Completed]+" that is an object"), true
	}
	o = p.carriedOutcome(payload, name)
	if o.Evidence == nil {
		o = o.sure(o.Confidence, "the task is "+t.Status)
	}
	return o, true
}

// carriedOutcome classifies what a task brought as the answer to the call that it runs.
func (p *Pass) carriedOutcome(payload jsondoc.Value, name string) Outcome {
	if q := p.within(); q != nil {
		return q.Outcome()
	}
	// The call was not seen: the task was taken up again by its id.
	const unseen = "the call that it runs was not seen, so its arguments and its output are not judged"
	if name == "error" {
		o := p.errorOutcome(payload)
		o.Published, o.SEP2145 = "", ""
		return o
	}
	if fault := contentFault(payload); fault != "" {
		return Outcome{Class: Invalid, Kind: "shape"}.sure(Certain, fault, unseen)
	}
	if isError, _ := payload.Get("isError").Bool(); isError {
		return Outcome{Class: ToolError, Kind: "execution"}.sure(Guess, quoted(firstText(payload).Text()), unseen)
	}
	return Outcome{Class: Success}.sure(Certain, unseen)
}

// within is the pass over the call that a finished task runs, as if it had been answered with what the task brought; nil
// when this exchange tells no end of a task, or the call was not seen.
func (p *Pass) within() *Pass {
	if p.looked {
		return p.inner
	}
	p.looked = true
	if p.m == nil || p.x.Request == nil || p.m.Kind != wire.Result || p.m != p.x.Reply {
		return nil
	}
	name, payload := "result", p.result
	if p.x.Method() != mcp.TasksResult || p.modern {
		t, told := p.taskTold(p.result)
		if !told || !p.modern {
			return nil
		}
		if name, payload = t.Payload(); name == "" || !payload.Is(jsondoc.Object) {
			return nil
		}
		p.at = jsondoc.Pointer("/result")
	}
	call := p.in.history.runs.of[p.sent.Get("taskId").Text()]
	if call == nil {
		return nil
	}
	body := append([]byte(`{"jsonrpc":"2.0","id":`), call.ID...)
	body = append(append(body, `,`+strconv.Quote(name)+`:`...), payload.Raw()...)
	frame := &wire.Frame{Dir: wire.Received, Lane: p.m.Lane, Body: append(body, '}')}
	m := wire.Read(p.m.Seq, p.m.At, frame.Seal())
	p.inner = p.in.pass(&wire.Exchange{Request: call, Reply: &m, End: wire.Replied, Ended: p.x.Ended}, &m)
	return p.inner
}

// runWithin judges what a finished task brought by the rules about the content of results and about the errors of tools.
// Everything else about it (envelope, resultType, _meta, caching) is of the message around it.
func (p *Pass) runWithin() {
	q := p.within()
	if q == nil {
		return
	}
	for _, w := range []what{replyKind(q.m), onExchange} {
		for _, r := range q.in.pick(w, q.method, q.version) {
			if r.Area == "content" || r.Area == "tool-errors" {
				q.check(r)
			}
		}
	}
	here := func(at Place) Place {
		if at.Frame == p.m.Seq && (at.Part == Body || at.Part == Key) {
			at.Path = p.at + at.Path
		}
		return at
	}
	for _, f := range q.found {
		f.At = here(f.At)
		f.Also = slices.Clone(f.Also)
		for i := range f.Also {
			f.Also[i] = here(f.Also[i])
		}
		p.found = append(p.found, f)
	}
	p.broken = append(p.broken, q.broken...)
}
