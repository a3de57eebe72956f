package inspect

import (
	"hash/fnv"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/task"
)

// A task asks in the answers to tasks/get (SEP-2663), under inputRequests as a result does that asks back, and shows its questions
// again each time until they are answered. The rules about single questions judge each of them once.

// maxAsked is how many questions of tasks are remembered as judged.
const maxAsked = 4096

// askedKey is one question of a task, with what it said.
type askedKey struct {
	task, key string
	sum       uint64
}

// askedInTask are the new questions of a task in this exchange's result.
func (p *Pass) askedInTask() []question {
	if !p.modern || p.OnPurpose() || p.x.Method() != mcp.TasksGet || p.result.Get("status").Text() != task.InputRequired {
		return nil
	}
	id := p.result.Get("taskId").Text()
	var all []question
	for key, entry := range p.result.Get("inputRequests").Members() {
		if !entry.Is(jsondoc.Object) {
			continue
		}
		h := fnv.New64a()
		_, _ = h.Write(entry.Raw())
		k := askedKey{id, key, h.Sum64()}
		if p.in.asked[k] {
			continue
		}
		if len(p.in.asked) >= maxAsked {
			clear(p.in.asked)
		}
		p.in.asked[k] = true
		all = append(all, question{key, entry.Get("method").Text(), entry, entry.Get("params")})
	}
	return all
}

// runAsked judges the new questions of a task by the rules about questions. What those say of the result around the questions (that it
// holds any, its requestState) does not hold for a task, and they look for it in results that ask back only.
func (p *Pass) runAsked() {
	if p.inTask = p.askedInTask(); len(p.inTask) == 0 {
		return
	}
	for _, r := range p.in.pick(onOtherResult, p.method, p.version) {
		if r.Area == "elicitation" || r.Area == "sampling" || r.Area == "mrtr" {
			p.check(r)
		}
	}
	p.inTask = nil
}
