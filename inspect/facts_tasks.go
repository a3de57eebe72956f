package inspect

import (
	"fmt"
	"hash/fnv"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Task is what is known of one task of the server: one of the extension (SEP-2663), or of 2025-11-25.
type Task struct {
	ID      string
	Created *TaskState // the tools/call result that made it, nil when it was met otherwise
	First   TaskState  // as it was first seen
	Now     TaskState  // as it was last seen
	Before  TaskState  // as it was seen before that; Seq is 0 when it was not
	Final   TaskState  // as it was first seen when it was over; Seq is 0 while it is not
	Told    wire.Seq   // the last answer to tasks/get or notification that told its state, 0 for none
	Cancel  wire.Seq   // our first tasks/cancel for it, 0 for none
	Update  wire.Seq   // our first tasks/update for it, 0 for none

	keys   map[string]*taskKey
	reused []reusedKey // found in the state Now
}

// TaskState is a task as one message told it. Its texts are empty where the message had none.
type TaskState struct {
	Seq              wire.Seq // of the message
	At               time.Time
	Request          wire.Seq // the request that it answers, 0 for a notification
	Asked            time.Time
	Status           string
	Created, Updated string // createdAt and lastUpdatedAt
	TTL              time.Duration
	Limited          bool   // TTL is a number
	payload          uint64 // what result or error says
}

// Over tells that the state is one that never changes again.
func (s *TaskState) Over() bool {
	switch s.Status {
	case "completed", "failed", "cancelled":
		return true
	}
	return false
}

// taskKey is one key of inputRequests over the life of a task.
type taskKey struct {
	seq      wire.Seq // where it was first seen
	content  uint64
	answered wire.Seq // our tasks/update that answered it and was accepted, 0 for none
	gone     bool     // a state without it was seen after the answer
}

// reusedKey is a key that was used for a second question.
type reusedKey struct {
	key   string
	first wire.Seq
	again bool // after its answer; else while it still meant something else
}

// taskBook are the tasks of a server by their ids. When there are very many, the oldest are forgotten.
type taskBook struct {
	of    map[string]*Task
	order []string
}

const maxTasks = 1024

func (b *taskBook) get(id string) *Task { return b.of[id] }

func (b *taskBook) put(t *Task) {
	if b.of == nil {
		b.of = map[string]*Task{}
	}
	if len(b.order) >= maxTasks {
		delete(b.of, b.order[0])
		b.order = b.order[1:]
	}
	b.of[t.ID] = t
	b.order = append(b.order, t.ID)
}

// Task is the task with this id, nil when none was met.
func (h *History) Task(id string) *Task { return h.tasks.get(id) }

// taskIn is the task that a message tells of, Missing when it tells of none. Old servers put it one level deeper; new ones that
// still do are read all the same.
func taskIn(method string, m *wire.Message) jsondoc.Value {
	if m == nil {
		return jsondoc.Value{}
	}
	if m.Kind == wire.Notification && (method == mcp.TasksNotification || method == mcp.TaskStatus) {
		return m.Params()
	}
	if m.Kind != wire.Result {
		return jsondoc.Value{}
	}
	r := m.Result()
	switch method {
	case mcp.ToolsCall:
		nested := r.Get("task")
		if isTask := r.Get("resultType").Text() == mcp.ResultTask; isTask && r.Get("taskId").Exists() {
			return r
		} else if nested.Is(jsondoc.Object) && (isTask || nested.Get("taskId").Exists()) {
			return nested
		} else if isTask {
			return r
		}
	case mcp.TasksGet:
		if nested := r.Get("task"); !r.Get("taskId").Exists() && nested.Is(jsondoc.Object) {
			return nested
		}
		return r
	case mcp.TasksCancel:
		if r.Get("taskId").Exists() {
			return r
		}
	}
	return jsondoc.Value{}
}

// learnTask learns from a message that tells of a task: the reply of x, or a notification.
func (h *History) learnTask(x *wire.Exchange, m *wire.Message) {
	method := m.Method
	if method == "" {
		method = x.Method()
	}
	switch method {
	case mcp.ToolsCall, mcp.TasksGet, mcp.TasksCancel, mcp.TasksNotification, mcp.TaskStatus:
	case mcp.TasksUpdate:
		h.learnAnswers(x, m)
		return
	default:
		return
	}
	v := taskIn(method, m)
	id := v.Get("taskId")
	if !id.Is(jsondoc.String) || id.Text() == "" {
		return
	}
	s := TaskState{
		Seq: m.Seq, At: m.At, Status: v.Get("status").Text(),
		Created: v.Get("createdAt").Text(), Updated: v.Get("lastUpdatedAt").Text(),
		payload: meaning(v.Get("result")) ^ 31*meaning(v.Get("error")),
	}
	if m.Kind == wire.Result && x.Request != nil {
		s.Request, s.Asked = x.Request.Seq, x.Request.At
	}
	ttl := orElse(v.Get("ttlMs"), v.Get("ttl"))
	if ms, ok := ttl.Int(); ok && ms >= 0 && ms < int64(1<<62)/int64(time.Millisecond) {
		s.TTL, s.Limited = time.Duration(ms)*time.Millisecond, true
	}
	t := h.Task(id.Text())
	if t == nil {
		t = &Task{ID: id.Text(), First: s}
		h.tasks.put(t)
	} else {
		t.Before = t.Now
	}
	t.Now = s
	if method == mcp.ToolsCall {
		t.Created = &s
	} else if method != mcp.TasksCancel {
		t.Told = s.Seq
	}
	if t.Final.Seq == 0 && s.Over() {
		t.Final = s
	}
	if method != mcp.ToolsCall {
		t.learnKeys(v.Get("inputRequests"))
	}
}

// learnKeys takes note of the questions that a task has now.
func (t *Task) learnKeys(requests jsondoc.Value) {
	t.reused = nil
	if t.keys == nil {
		t.keys = map[string]*taskKey{}
	}
	if requests.Is(jsondoc.Object) {
		for key, entry := range requests.Members() {
			k, content := t.keys[key], meaning(entry)
			switch {
			case k == nil && len(t.keys) < maxTasks:
				t.keys[key] = &taskKey{seq: t.Now.Seq, content: content}
			case k == nil:
			case k.answered != 0 && k.gone && (t.Now.Request == 0 || t.Now.Request > k.answered):
				t.reused = append(t.reused, reusedKey{key, k.seq, true})
				*k = taskKey{seq: t.Now.Seq, content: content}
			case k.content != content && !k.gone:
				t.reused = append(t.reused, reusedKey{key, k.seq, k.answered != 0})
				*k = taskKey{seq: t.Now.Seq, content: content}
			}
		}
	}
	for key, k := range t.keys {
		// A state that was asked for before the answer was given does not show what became of it.
		if k.answered != 0 && t.Now.Request > k.answered && !requests.Get(key).Exists() {
			k.gone = true
		}
	}
}

// learnAnswers takes note of what a tasks/update answered, when it was accepted.
func (h *History) learnAnswers(x *wire.Exchange, m *wire.Message) {
	if x.Request == nil || m.Kind != wire.Result {
		return
	}
	t := h.Task(x.Request.Params().Get("taskId").Text())
	if t == nil {
		return
	}
	for key := range x.Request.Params().Get("inputResponses").Members() {
		if k := t.keys[key]; k != nil && k.answered == 0 {
			k.answered = m.Seq
		}
	}
}

// sentTask takes note of what we ask of a task.
func (h *History) sentTask(m *wire.Message) {
	t := h.Task(m.Params().Get("taskId").Text())
	switch {
	case t == nil:
	case m.Method == mcp.TasksCancel && t.Cancel == 0:
		t.Cancel = m.Seq
	case m.Method == mcp.TasksUpdate && t.Update == 0:
		t.Update = m.Seq
	}
}

// task is the task that the message judged tells of: its object (Missing when the message is about none) and what is known of
// it, nil when it has no id.
func (p *Pass) task() (jsondoc.Value, *Task) {
	v := taskIn(p.method, p.m)
	if !v.Is(jsondoc.Object) {
		return jsondoc.Value{}, nil
	}
	t := p.History().Task(v.Get("taskId").Text())
	if t != nil && t.Now.Seq != p.m.Seq {
		t = nil
	}
	return v, t
}

// earlier is the state that this message must agree with: one that was surely told before this one was made. nil when none is
// known. Answers can overtake each other, so an answer is held against what we knew when we asked, and a notification
// against what came before it on the same stream or pipe.
func (t *Task) earlier(p *Pass, s *TaskState) *TaskState {
	switch {
	case s.Seq == 0 || s.Seq == t.Now.Seq:
		return nil
	case t.Now.Request != 0 && t.Now.Request > s.Seq:
		return s
	case t.Now.Request == 0 && s.Request == 0 && (!p.HTTP() || p.x.Request != nil && p.x.Request.Seq < s.Seq):
		return s
	}
	return nil
}

// alive tells that the time that the task was to be kept for had not passed at this moment. It counts from when we first heard
// of the task, not by the server's clock.
func (t *Task) alive(at time.Time) bool {
	ttl, limited := t.Now.TTL, t.Now.Limited
	return !limited || at.Before(t.First.At.Add(ttl))
}

// meaning is a number that two values share exactly when they mean the same as JSON (but for chance): the order of members and
// the spelling of numbers do not matter. 0 is nothing.
func meaning(v jsondoc.Value) uint64 {
	if !v.Exists() {
		return 0
	}
	h := fnv.New64a()
	switch v.Kind() {
	case jsondoc.Object:
		var sum uint64
		for name, member := range v.Members() {
			one := fnv.New64a()
			fmt.Fprintf(one, "%q:%d", name, meaning(member))
			sum += one.Sum64()
		}
		fmt.Fprintf(h, "{%d", sum)
	case jsondoc.Array:
		h.Write([]byte{'['})
		for _, element := range v.Elements() {
			fmt.Fprintf(h, "%d,", meaning(element))
		}
	case jsondoc.String:
		fmt.Fprintf(h, "s%s", v.Text())
	case jsondoc.Number:
		if f, ok := v.Float(); ok {
			fmt.Fprintf(h, "n%g", f)
			break
		}
		h.Write(v.Raw())
	default:
		h.Write(v.Raw())
	}
	return h.Sum64() | 1
}
