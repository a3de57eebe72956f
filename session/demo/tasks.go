package demo

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// What tasks are kept for, and how often they are looked at.
const (
	taskTTL  = 10 * time.Minute
	taskLook = 50 * time.Millisecond // how often a watched task is looked at
)

// job is a task: a survey that is under way. Nothing runs for it: how it is follows from the time.
type job struct {
	id     string
	born   time.Time
	legs   int
	leg    time.Duration
	ends   string // safe, aground, lost
	asks   bool   // half way whether to land
	lands  bool
	legacy bool // of 2025-11-25

	answered, cancelled time.Time // zero until then

	asked    int  // how often it was asked for
	seenOver bool // somebody was told that it is over
	again    int  // how far the fault task-key-again is
	early    bool // asks at once
}

// jobs are the tasks of everybody; an id is as good as a key (SEP-2663, Security).
type jobs struct {
	mu    sync.Mutex
	of    map[string]*job
	order []*job
	made  int
}

// taskStatus is how a job is at a moment.
type taskStatus struct {
	status, text string
	since        time.Time
}

// half is when it asks.
func (j *job) half() time.Time { return j.born.Add(time.Duration(j.before()) * j.leg) }

// before is how many legs there are before it asks.
func (j *job) before() int {
	if j.early {
		return 0
	}
	return (j.legs + 1) / 2
}

// end is when it is over: later by the time that it waited for an answer.
func (j *job) end() time.Time {
	end := j.born.Add(time.Duration(j.legs) * j.leg)
	if j.asks && !j.answered.IsZero() {
		end = end.Add(j.answered.Sub(j.half()))
	}
	return end
}

// at is how the job is.
func (j *job) at(now time.Time) taskStatus {
	waits := j.asks && !now.Before(j.half()) && j.answered.IsZero()
	switch {
	case !j.cancelled.IsZero():
		return taskStatus{"cancelled", "The boat was called back.", j.cancelled}
	case waits:
		return taskStatus{"input_required", "The crew asks whether to land.", j.half()}
	case !now.Before(j.end()):
		switch j.ends {
		case "lost":
			return taskStatus{"failed", "The boat does not answer any more.", j.end()}
		case "aground":
			if j.legacy { // there the failure of a tool is that of its task
				return taskStatus{"failed", "The boat ran aground.", j.end()}
			}
			return taskStatus{"completed", "The boat ran aground.", j.end()}
		}
		return taskStatus{"completed", "The boat is back.", j.end()}
	}
	began, first := j.born, 0
	if j.asks && !j.answered.IsZero() {
		began, first = j.answered, j.before()
	}
	n := first + int(now.Sub(began)/j.leg)
	return taskStatus{"working", fmt.Sprintf("leg %d of %d", min(n+1, j.legs), j.legs), began.Add(time.Duration(n-first) * j.leg)}
}

// state is the job as a task object (SEP-2663, Task), with what its status brings along.
func (j *job) state(c *call) *object {
	now := c.s.opt.Now()
	s := j.at(now)
	stamp := func(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }
	poll := max(j.leg.Milliseconds(), 100)
	o := obj("taskId", j.id, "status", s.status, "statusMessage", s.text, "createdAt", stamp(j.born), "lastUpdatedAt", stamp(s.since))
	if j.legacy {
		return o.set("ttl", taskTTL.Milliseconds()).set("pollInterval", poll)
	}
	o.set("ttlMs", taskTTL.Milliseconds()).set("pollIntervalMs", poll)
	switch s.status {
	case "input_required":
		form := landForm()
		if j.again > 0 {
			form.set("message", "And shall we stay the night?")
		}
		o.set("inputRequests", obj(landKey, obj("method", mcp.ElicitationCreate, "params", form)))
	case "completed":
		r, _ := j.outcome()
		r.first("resultType", mcp.ResultComplete)
		o.set("result", r)
	case "failed":
		_, f := j.outcome()
		o.set("error", f.object())
	}
	return o
}

// landKey is the only key under which a survey asks.
const landKey = "land-at-nine-isles"

func landForm() *object {
	return obj("mode", "form", "message", "Nine Isles lies ahead and the sea is calm. Shall we land?",
		"requestedSchema", obj("type", "object", "properties", obj("land", obj("type", "boolean", "title", "Land", "description", "Go ashore and look at the bird cliffs.", "default", false)), "required", []string{"land"}))
}

// taskMade answers a call with a new task.
func (c *call) taskMade(j *job) (*object, *failure) {
	id := rand.Text() + rand.Text()
	j.id = strings.ToLower(id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:32])
	js := &c.s.jobs
	js.mu.Lock()
	defer js.mu.Unlock()
	js.forget(c.s.opt.Now())
	if c.has("task-numbered") {
		j.id = js.taskNumber()
	}
	if len(js.order) >= c.s.most {
		return nil, fail(mcp.CodeInternalError, "Too many tasks are under way")
	}
	if js.of == nil {
		js.of = map[string]*job{}
	}
	js.of[j.id] = j
	js.order = append(js.order, j)
	if j.legacy {
		return obj("task", j.state(c)), nil
	}
	made := j.state(c)
	made.first("resultType", "task")
	return made, nil
}

// forget lets the tasks go whose time is over.
func (js *jobs) forget(now time.Time) {
	js.order = slices.DeleteFunc(js.order, func(j *job) bool {
		old := now.Sub(j.born) > taskTTL
		if old {
			delete(js.of, j.id)
		}
		return old
	})
}

// needsTasks refuses whoever did not declare the extension in this request.
func (c *call) needsTasks() *failure {
	if c.caps.Get("extensions").Get(mcp.ExtensionTasks).Exists() || c.is(mcp.TasksGet) && c.has("task-served-undeclared") {
		return nil
	}
	return fail(mcp.CodeMissingClientCapability, "The client must declare the tasks extension for this").
		with(obj("requiredCapabilities", obj("extensions", obj(mcp.ExtensionTasks, obj()))))
}

// tasks answers the methods of the extension.
func (c *call) tasks() (*object, *failure) {
	if f := c.needsTasks(); f != nil {
		return nil, f
	}
	js := &c.s.jobs
	js.mu.Lock()
	defer js.mu.Unlock()
	j, f := c.job(false)
	if f != nil {
		if c.has("task-cancel-taken") && c.is(mcp.TasksCancel) {
			return obj(), nil
		}
		return nil, f
	}
	switch c.method {
	case mcp.TasksUpdate:
		responses := c.params.Get("inputResponses")
		if !responses.Is(jsondoc.Object) {
			return nil, invalidParams("Invalid params: tasks/update needs inputResponses")
		}
		if c.has("task-answer-strict") && responses.Len() > 0 && !responses.Get(landKey).Exists() {
			return nil, invalidParams("Invalid params: no such question")
		}
		return obj(), c.landed(j, responses.Get(landKey))
	case mcp.TasksCancel:
		j.cancel(c.s.opt.Now())
		return obj(), nil
	}
	if c.misremember(j) {
		return nil, invalidParams("Task not found, or its time is over")
	}
	return j.state(c), nil
}

// job finds the task that the request names.
func (c *call) job(legacy bool) (*job, *failure) {
	id := c.params.Get("taskId")
	if !id.Is(jsondoc.String) {
		return nil, invalidParams("Invalid params: " + c.method + " needs a taskId")
	}
	c.s.jobs.forget(c.s.opt.Now())
	j := c.s.jobs.of[id.Text()]
	if j == nil || j.legacy != legacy {
		return nil, invalidParams("Task not found, or its time is over")
	}
	return j, nil
}

func (j *job) cancel(now time.Time) {
	if s := j.at(now).status; s == "working" || s == "input_required" {
		j.cancelled = now
	}
}

// landed takes an answer. One that nobody waits for is ignored, as the specification wants it.
func (c *call) landed(j *job, answer jsondoc.Value) *failure {
	now := c.s.opt.Now()
	if !answer.Exists() || j.at(now).status != "input_required" {
		return nil
	}
	switch answer.Get("action").Text() {
	case mcp.ActionAccept:
		land, is := answer.Get("content").Get("land").Bool()
		if !is {
			return invalidParams("Invalid params: land must be a boolean")
		}
		j.lands = land
	case mcp.ActionDecline, mcp.ActionCancel:
	default:
		return invalidParams("Invalid params: the answer needs an action")
	}
	if c.has("task-key-again") && j.again == 0 {
		j.again = 1
		return nil
	}
	j.answered = now
	return nil
}

// watched is a task that a subscription brings.
type watched struct {
	id   string
	last string
}

// watchTasks are the known ones among the ids; others are left out of the acknowledgment.
func (c *call) watchTasks(ids jsondoc.Value) []*watched {
	js := &c.s.jobs
	js.mu.Lock()
	defer js.mu.Unlock()
	var all []*watched
	for v := range ids.Children() {
		if j := js.of[v.Text()]; v.Is(jsondoc.String) && j != nil && !j.legacy && len(all) < 100 {
			all = append(all, &watched{id: j.id})
		}
	}
	return all
}

func idsOf(watch []*watched) []string {
	out := []string{}
	for _, w := range watch {
		out = append(out, w.id)
	}
	return out
}

// news is the task's state when it is another one than last time, nil otherwise.
func (w *watched) news(c *call) *object {
	js := &c.s.jobs
	js.mu.Lock()
	defer js.mu.Unlock()
	j := js.of[w.id]
	if j == nil {
		return nil
	}
	s := j.at(c.s.opt.Now())
	if now := s.status + s.text; now != w.last {
		w.last = now
		return j.state(c)
	}
	return nil
}
