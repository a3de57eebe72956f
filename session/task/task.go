// Package task reads what a server says of a task: of the tasks extension (io.modelcontextprotocol/tasks, SEP-2663,
// 2026-07-28) and of the experimental tasks of 2025-11-25, leniently. What is missing or of the wrong kind is left out
// and never a failure; whether it is right is for rules to say.
//
// It must never know: sessions, rules, screens, or what time it is.
package task

import (
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// The statuses of a task, the same in both revisions. The last three are final.
const (
	Working       = "working"
	InputRequired = "input_required"
	Completed     = "completed"
	Failed        = "failed"
	Cancelled     = "cancelled"
)

// Bounds of the interval between two polls.
const (
	Default = time.Second            // when the server names none, or one that nobody can keep
	Least   = 250 * time.Millisecond // however often the server wants to be asked
	Longest = 24 * time.Hour         // a longer one is taken for a slip
)

// Task is one state of a task, as a server told it.
type Task struct {
	ID               string // "" when there is none that is a string
	Status           string // as it stands, known or not; "" when there is none that is a string
	Message          string // statusMessage
	Created, Updated string // ISO 8601, as they stand
	TTL, Poll        jsondoc.Value
	Legacy           bool // of 2025-11-25: nested in result.task, or under its names
	Value            jsondoc.Value
}

// Of reads the result of a request that was answered with a task: resultType "task" (SEP-2663), or a task object in the
// result (2025-11-25, CreateTaskResult). ok is false for any other result.
func Of(result jsondoc.Value) (t Task, ok bool) {
	nested := result.Get("task")
	if result.Get("resultType").Text() == mcp.ResultTask {
		if !result.Get("taskId").Exists() && nested.Is(jsondoc.Object) {
			result = nested // the old nesting under the new name: readable all the same
		}
		t = Read(result)
		t.Legacy = false
		return t, true
	}
	if nested.Get("taskId").Is(jsondoc.String) && nested.Get("status").Is(jsondoc.String) {
		t = Read(nested)
		t.Legacy = true
		return t, true
	}
	return Task{}, false
}

// Read reads a task object: the result of tasks/get, or the params of a notification about a task.
func Read(v jsondoc.Value) Task {
	t := Task{ID: v.Get("taskId").Text(), Status: v.Get("status").Text(), Message: v.Get("statusMessage").Text(),
		Created: v.Get("createdAt").Text(), Updated: v.Get("lastUpdatedAt").Text(),
		TTL: v.Get("ttlMs"), Poll: v.Get("pollIntervalMs"), Value: v}
	if !t.TTL.Exists() && !t.Poll.Exists() && (v.Get("ttl").Exists() || v.Get("pollInterval").Exists()) {
		t.TTL, t.Poll, t.Legacy = v.Get("ttl"), v.Get("pollInterval"), true
	}
	return t
}

// Over tells that the status is final: nothing of the task will change.
func (t Task) Over() bool {
	return t.Status == Completed || t.Status == Failed || t.Status == Cancelled
}

// Known tells that the status is one that the specification has.
func (t Task) Known() bool { return t.Over() || t.Status == Working || t.Status == InputRequired }

// Interval is how long to wait before asking again: what the server suggests, within our bounds. A suggestion that is no
// number above 0, or longer than Longest, is none.
func (t Task) Interval() time.Duration {
	ms, ok := t.Poll.Float()
	if !ok || !(ms > 0) || ms > float64(Longest/time.Millisecond) {
		return Default
	}
	return max(Least, time.Duration(ms*float64(time.Millisecond)))
}

// Expires is when the server may forget the task: createdAt and the time to live. ok is false when it names no such time.
func (t Task) Expires() (at time.Time, ok bool) {
	ms, has := t.TTL.Float()
	created, err := time.Parse(time.RFC3339, t.Created)
	const most = float64(100 * 365 * 24 * time.Hour / time.Millisecond)
	if !has || err != nil || ms < 0 || ms > most {
		return time.Time{}, false
	}
	return created.Add(time.Duration(ms) * time.Millisecond), true
}

// Payload is what a finished task brought: the result of the request that it ran (completed) or its JSON-RPC error
// (failed). name is the member that holds it, "" when the status has none or it is missing.
func (t Task) Payload() (name string, v jsondoc.Value) {
	switch t.Status {
	case Completed:
		name = "result"
	case Failed:
		name = "error"
	default:
		return "", jsondoc.Value{}
	}
	if v = t.Value.Get(name); !v.Exists() {
		return "", v
	}
	return name, v
}
