package session

import (
	"context"
	"fmt"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/task"
)

// Bounds of following a task, unless FollowOptions say otherwise. What reaches them is not lost: Follow can be called
// again.
const (
	MaxPolls  = 1000
	MaxFollow = time.Hour
)

// FollowOptions say which task to follow, and for how long.
type FollowOptions struct {
	Task    task.Task // what is known of it: its id, at least
	Tool    string    // the tool that it runs, "" when not known
	Resume  bool      // ask at once: nothing, or nothing new, is known of it
	Polls   int       // most polls (0: MaxPolls)
	Longest time.Duration
	// See is told every step, in order. It must return soon. nil tells nobody.
	See func(TaskState)
}

// TaskState is a task that is being followed, at one moment.
type TaskState struct {
	Task       task.Task
	Tool       string
	Polls      int       // how often it was asked for
	Next       time.Time // when it is asked for again; zero when that is not planned
	Asking     bool      // the person has a question of it before him
	Cancelling bool      // its end was asked for
}

// TaskLeft says why a task is not followed any more although it has not ended. It can be followed again by its id.
type TaskLeft struct {
	ID     string
	Status string // as last told, "" when it never was
	Text   string
	Err    error // the cause, when it was a request that could not be made or got no answer
}

func (e *TaskLeft) Error() string {
	return fmt.Sprintf("the task %s is not followed any more: %s", clip(e.ID, 80), e.Text)
}

func (e *TaskLeft) Unwrap() error { return e.Err }

// DeclareTasks switches whether calls of tools declare the tasks extension from now on, so that a server may answer with a
// task. Options.Tasks is how it begins.
func (s *Session) DeclareTasks(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tasksOn = on
}

// DeclaresTasks tells whether calls declare the tasks extension.
func (s *Session) DeclaresTasks() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tasksOn
}

// declaresTasks tells whether a call with these options declares it.
func (s *Session) declaresTasks(o CallOptions) bool {
	if o.Tasks != nil {
		return *o.Tasks
	}
	return s.DeclaresTasks()
}

// withExtension are capabilities with an extension declared among them; one that is declared already keeps its settings.
func withExtension(capabilities []byte, id string) []byte {
	more := appendObject(nil, []Member{{id, []byte("{}")}})
	v := jsondoc.Parse(capabilities).Root()
	if !v.Is(jsondoc.Object) {
		return capabilities // somebody wants to send it like that
	}
	have := v.Get("extensions")
	if have.Exists() && !have.Is(jsondoc.Object) {
		return capabilities
	}
	if have.Exists() {
		more = mergeObjects(have.Raw(), more)
	}
	return withMember(capabilities, Member{"extensions", more})
}

// ofTasks tells that only the tasks extension has the method, from 2026-07-28 on.
func ofTasks(method string) bool {
	m, ok := mcp.Lookup(method)
	return ok && m.Extension == mcp.ExtensionTasks
}

// asTask tells that a call of 2025-11-25 may ask for a task: server and tool say that they do such calls. (From
// 2026-07-28 on the server decides, and no member of the request asks.)
func (s *Session) asTask(d dialect, name string) bool {
	if d.modern || d.version != mcp.R20251125 || !s.Info().Has("tasks.requests.tools.call") {
		return false
	}
	tool, _ := s.Tool(name)
	support := tool.Get("execution").Get("taskSupport").Text()
	return support == "optional" || support == "required"
}

// withMember is an object with one member more, or another value of it.
func withMember(object []byte, m Member) []byte {
	var members []Member
	for name, v := range jsondoc.Parse(object).Root().Members() {
		members = setMember(members, Member{name, v.Raw()})
	}
	return appendObject(nil, setMember(members, m))
}

// TaskOf is the task that a request was answered with; ok is false when it was answered otherwise. A task of the
// extension without an id that is a string has ID "": nobody can ask for it.
func (s *Session) TaskOf(a Answer) (task.Task, bool) {
	if a.Exchange.Reply == nil || a.Exchange.Request == nil {
		return task.Task{}, false
	}
	return task.Of(a.Result())
}

// Task asks for the state of a task, once.
func (s *Session) Task(ctx context.Context, id string, o CallOptions) (Answer, error) {
	return s.Do(ctx, o.request(mcp.TasksGet, taskParams(id)))
}

// UpdateTask answers what a task asks: responses is the raw JSON object from the keys asked to the answers, sent as typed
// (tasks/update, SEP-2663).
func (s *Session) UpdateTask(ctx context.Context, id string, responses []byte, o CallOptions) (Answer, error) {
	params := appendObject(nil, []Member{{"taskId", quoted(id)}, {"inputResponses", responses}})
	a, err := s.Do(ctx, o.request(mcp.TasksUpdate, params))
	s.wakeTask(id)
	return a, err
}

// CancelTask asks the server to end a task (tasks/cancel). Whether it does, and when, is up to the server: the state tells.
func (s *Session) CancelTask(ctx context.Context, id string, o CallOptions) (Answer, error) {
	a, err := s.Do(ctx, o.request(mcp.TasksCancel, taskParams(id)))
	if err == nil && a.OK() {
		s.mu.Lock()
		f := s.tasks[id]
		if f != nil {
			f.cancelling = true
		}
		s.mu.Unlock()
		s.wakeTask(id)
	}
	return a, err
}

// TaskResult fetches what a finished task of 2025-11-25 brought (tasks/result). Newer tasks carry it in their state.
func (s *Session) TaskResult(ctx context.Context, id string, o CallOptions) (Answer, error) {
	return s.Do(ctx, o.request(mcp.TasksResult, taskParams(id)))
}

// PollTask asks for a followed task now instead of when its turn comes. false: it is not followed.
func (s *Session) PollTask(id string) bool { return s.wakeTask(id) }

// Tasks are the tasks that are being followed, by id.
func (s *Session) Tasks() []TaskState {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []TaskState
	for _, id := range sortedKeys(s.tasks) {
		all = append(all, s.tasks[id].state())
	}
	return all
}

func taskParams(id string) []byte { return appendObject(nil, []Member{{"taskId", quoted(id)}}) }

// wakeTask lets a follower ask now, within the least interval.
func (s *Session) wakeTask(id string) bool {
	s.mu.Lock()
	f := s.tasks[id]
	s.mu.Unlock()
	if f == nil {
		return false
	}
	f.poke()
	return true
}

// taskNews is a notification about a task: whoever follows it asks at once, so that what counts is what tasks/get says.
// It is called with the lock held.
func (s *Session) taskNews(params jsondoc.Value) {
	if f := s.tasks[params.Get("taskId").Text()]; f != nil {
		f.poke()
	}
}
