package book

import (
	"time"

	"mcploupe/inspect"
	"mcploupe/session/mcp"
	"mcploupe/session/task"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

// MaxTasks is how many tasks a book keeps.
const MaxTasks = 500

// Task is a task of the server as the journal tells it, and whether it is being followed.
type Task struct {
	ID    string // raw
	Tool  string // raw, "" when the call was not seen
	Row   *Row   // the call that was answered with it, or the first request about it
	Show  *Row   // the request that first told the state it is in; nil before any did
	Now   task.Task
	Began time.Time
	Told  time.Time // when the state it is in was first told
	Polls int       // answered tasks/get
	Gone  bool      // the server does not know it (any more)

	Status, Message string // escaped

	Follow Follow // set from outside: the journal does not tell it
}

// Follow is how a task is being followed.
type Follow struct {
	On     bool
	Next   time.Time // of the next poll; zero when none is planned
	Asking bool      // the person has its question before him
	Ending bool      // its end was asked for
	Left   string    // escaped: why it is not followed any more
}

// Live tells that the task can still change.
func (t *Task) Live() bool { return !t.Now.Over() && !t.Gone }

// Tasks is all tasks that were met.
type Tasks struct {
	byID  map[string]*Task
	order []*Task
}

// Get is the task with this id, nil when it was never met.
func (ts *Tasks) Get(id string) *Task { return ts.byID[id] }

// All is every task, oldest first.
func (ts *Tasks) All() []*Task { return ts.order }

func (ts *Tasks) of(id string, row *Row) *Task {
	t := ts.byID[id]
	if t != nil {
		return t
	}
	if ts.byID == nil {
		ts.byID = map[string]*Task{}
	}
	t = &Task{ID: id, Row: row, Began: row.At()}
	ts.byID[id] = t
	ts.order = append(ts.order, t)
	if len(ts.order) > MaxTasks {
		delete(ts.byID, ts.order[0].ID)
		ts.order[0].Row.Task = nil
		ts.order = append([]*Task(nil), ts.order[1:]...)
	}
	return t
}

// Following sets how a task is followed.
func (b *Book) Following(id string, f Follow) {
	if t := b.Tasks.Get(id); t != nil {
		t.Follow = f
		b.Timeline.version++
	}
}

// tasks learns of tasks from an exchange.
func (b *Book) tasks(row *Row, again bool) {
	x := &row.X
	if x.Request == nil || again {
		return
	}
	switch x.Request.Method {
	case mcp.ToolsCall:
		if x.Reply == nil || x.Reply.Kind != wire.Result {
			return
		}
		made, ok := task.Of(x.Reply.Result())
		if !ok || made.ID == "" {
			return
		}
		t := b.Tasks.of(made.ID, row)
		t.Tool, row.Task = row.Of, t
		t.told(made, nil, x.Ended)
	case mcp.TasksGet, mcp.TasksResult, mcp.TasksUpdate, mcp.TasksCancel:
		id := x.Request.Params().Get("taskId")
		if id.Text() == "" {
			return
		}
		t := b.Tasks.of(id.Text(), row)
		row.Task = t
		if x.Reply == nil {
			return
		}
		switch {
		case x.Request.Method == mcp.TasksResult && x.Reply.Kind == wire.Result:
			t.Show = row
		case x.Request.Method != mcp.TasksGet:
		case x.Reply.Kind == wire.Error:
			if code, _ := x.Reply.Err().Get("code").Int(); code == mcp.CodeInvalidParams {
				t.Gone, t.Show = true, row
			}
			t.Polls++
		case x.Reply.Kind == wire.Result:
			now := task.Read(x.Reply.Result())
			t.Polls++
			if now.Status != "" {
				row.State = visible.Escape(now.Status)
				if now.Message != "" {
					row.State += ": " + visible.Escape(now.Message)
				}
				t.told(now, row, x.Ended)
			}
		}
	}
}

// told takes a state. row told it, nil for the answer to the call.
func (t *Task) told(now task.Task, row *Row, at time.Time) {
	same := now.Status == t.Now.Status && now.Message == t.Now.Message && t.Show != nil
	now.Legacy = now.Legacy || t.Now.Legacy
	t.Now, t.Gone = now, false
	t.Status, t.Message = visible.Escape(now.Status), visible.Escape(now.Message)
	if !same || row != nil && row.Worst > inspect.Advice {
		t.Show, t.Told = row, at
	}
}

// asking notes which task a request under way is about.
func (b *Book) asking(row *Row) {
	if m := row.X.Request; m != nil && m.Method == mcp.TasksGet {
		row.Task = b.Tasks.Get(m.Params().Get("taskId").Text())
	}
}
