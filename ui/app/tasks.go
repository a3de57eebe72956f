package app

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/task"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
	"mcploupe/ui/store"
)

// taskSession is what the screen needs of a session about tasks. Follow blocks for as long as the task lasts.
type taskSession interface {
	Follow(ctx context.Context, o session.FollowOptions) (session.Answer, error)
	PollTask(id string) bool
	CancelTask(ctx context.Context, id string, o session.CallOptions) (session.Answer, error)
	DeclareTasks(on bool)
	DeclaresTasks() bool
}

// tasksUnderWay are the tasks that the screen follows, and the way by which their steps reach it.
type tasksUnderWay struct {
	steps chan session.TaskState
	kept  *store.Tasks
	off   map[string]book.Follow // of tasks that the journal has not told of yet
}

// mostSteps is how many steps may wait for the screen; the next one says more than the lost one.
const mostSteps = 256

// taskStepMsg is a step of a followed task; taskBegunMsg a call that was answered with one; taskLeftMsg the end of following.
type (
	taskStepMsg  struct{ st session.TaskState }
	taskBegunMsg struct {
		t        task.Task
		tool     string
		declared bool
	}
	taskLeftMsg struct {
		id  string
		err error
	}
)

func newTasksUnderWay(kept *store.Tasks) tasksUnderWay {
	if kept == nil {
		kept = store.OpenTasks(store.Options{}) // for this run
	}
	return tasksUnderWay{steps: make(chan session.TaskState, mostSteps), kept: kept, off: map[string]book.Follow{}}
}

// nextStep waits for the next step of a task.
func (m *Model) nextStep() tea.Cmd {
	steps, ctx := m.tasks.steps, m.ctx
	return func() tea.Msg {
		select {
		case st := <-steps:
			return taskStepMsg{st}
		case <-ctx.Done():
			return nil
		}
	}
}

// begun follows the task that a call was answered with. One that nobody declared to understand is not followed by itself.
func (m *Model) begun(msg taskBegunMsg) tea.Cmd {
	switch {
	case msg.t.ID == "":
		m.say("the task has no taskId that is a string: nobody can ask for it", true)
		return nil
	case !msg.declared:
		m.following(msg.t.ID, book.Follow{Left: "the call did not declare the extension"})
		return nil
	}
	return m.followTask(session.FollowOptions{Task: msg.t, Tool: msg.tool})
}

// followTask follows a task beside everything else.
func (m *Model) followTask(o session.FollowOptions) tea.Cmd {
	s, ctx, steps, kept := m.o.Session, m.ctx, m.tasks.steps, m.tasks.kept
	m.following(o.Task.ID, book.Follow{On: true})
	o.See = func(st session.TaskState) {
		if st.Task.Over() {
			kept.Drop(st.Task.ID)
		} else if st.Task.Status != "" {
			until, _ := st.Task.Expires()
			kept.Keep(store.Task{ID: st.Task.ID, Tool: st.Tool, Status: st.Task.Status, Until: until})
		}
		select {
		case steps <- st:
		default:
		}
	}
	id := o.Task.ID
	return func() tea.Msg {
		a, err := s.Follow(ctx, o)
		if code, _ := a.Err().Get("code").Int(); err == nil && code == mcp.CodeInvalidParams {
			kept.Drop(id)
		}
		return taskLeftMsg{id, err}
	}
}

// following notes how a task is followed; the journal may tell of it a moment later.
func (m *Model) following(id string, f book.Follow) {
	if m.book.Tasks.Get(id) == nil {
		m.tasks.off[id] = f
		return
	}
	delete(m.tasks.off, id)
	m.book.Following(id, f)
}

// met hands on what was noted before the journal told of the task.
func (m *Model) met() {
	for id, f := range m.tasks.off {
		if m.book.Tasks.Get(id) != nil {
			m.following(id, f)
		}
	}
}

func (m *Model) taskStep(st session.TaskState) {
	m.following(st.Task.ID, book.Follow{On: true, Next: st.Next, Asking: st.Asking, Ending: st.Cancelling})
}

func (m *Model) taskLeft(msg taskLeftMsg) {
	f := book.Follow{}
	if left, ok := errors.AsType[*session.TaskLeft](msg.err); ok {
		f.Left = kit.Escape(left.Text)
		if m.ctx.Err() == nil {
			m.say("a task is not followed any more: "+f.Left+" — p follows it again", true)
		}
	}
	m.following(msg.id, f)
}

// pollTask asks for a task now, and follows it (again) when nobody does.
func (m *Model) pollTask(i kit.PollTask) tea.Cmd {
	s := m.o.Session
	if t := m.book.Tasks.Get(i.ID); t != nil && t.Follow.On {
		return func() tea.Msg { s.PollTask(i.ID); return nil }
	}
	known := task.Task{ID: i.ID}
	tool := i.Tool
	if t := m.book.Tasks.Get(i.ID); t != nil {
		known.Legacy = t.Now.Legacy
	}
	for _, k := range m.tasks.kept.List() {
		if k.ID == i.ID && tool == "" {
			tool = k.Tool
		}
	}
	return m.followTask(session.FollowOptions{Task: known, Tool: tool, Resume: true})
}

// endTask asks the server to end a task.
func (m *Model) endTask(i kit.EndTask) tea.Cmd {
	s, ctx := m.o.Session, m.ctx
	return func() tea.Msg {
		a, err := s.CancelTask(ctx, i.ID, session.CallOptions{})
		if err == nil && a.OK() {
			return doneMsg{"asked to end the task; whether it does is up to the server", false}
		}
		return failed(ctx, err)
	}
}

func (m *Model) switchTasks() tea.Cmd {
	on := !m.o.Session.DeclaresTasks()
	m.o.Session.DeclareTasks(on)
	m.env.Tasks = on
	if on {
		m.say("calls declare the tasks extension from now on: a server may answer with a task", false)
	} else {
		m.say("calls do not declare the tasks extension any more", false)
	}
	return nil
}

// aboutTasks acts on the intents about tasks.
func (m *Model) aboutTasks(i kit.Intent) (tea.Cmd, bool) {
	switch i := i.(type) {
	case kit.PollTask:
		return m.pollTask(i), true
	case kit.EndTask:
		return m.endTask(i), true
	case kit.SwitchTasks:
		return m.switchTasks(), true
	}
	return nil, false
}

// madeTask is what to say of an answer that is a task; nil when it is none.
func madeTask(a session.Answer, tool string) tea.Msg {
	if a.Exchange.Reply == nil || a.Exchange.Request == nil || a.Exchange.Request.Method != mcp.ToolsCall {
		return nil
	}
	t, ok := task.Of(a.Result())
	if !ok {
		return nil
	}
	params := a.Exchange.Request.Params()
	declared := params.Get("_meta").Get(mcp.MetaClientCapabilities).Get("extensions").Get(mcp.ExtensionTasks).Exists()
	if t.Legacy {
		declared = params.Get("task").Is(jsondoc.Object)
	}
	return taskBegunMsg{t, tool, declared}
}

// taskCommands are the commands about tasks: those that were left under way, and the id in the palette's line.
func (m *Model) taskCommands(typed string) []kit.Row {
	off := ""
	if m.o.Session == nil {
		off = "this is a recorded journal"
	}
	words := "declare the tasks extension with calls"
	if m.env.Tasks {
		words = "do not declare the tasks extension with calls any more"
	}
	rows := []kit.Row{{Words: words, Group: "task", Off: off, Do: func() kit.Intent { return kit.SwitchTasks{} }}}
	if id, ok := strings.CutPrefix(typed, "task "); ok && strings.TrimSpace(id) != "" {
		id = strings.TrimSpace(id)
		return append(rows, kit.Row{Words: kit.Escape(typed), Group: "take up by id", Off: off, Do: func() kit.Intent { return kit.PollTask{ID: id} }})
	}
	rows = append(rows, kit.Row{Words: "task … take one up by its id", Group: "task", Off: off, Do: func() kit.Intent { return kit.FollowTask{} }})
	if m.o.Session == nil {
		return rows
	}
	for _, k := range m.tasks.kept.List() {
		if t := m.book.Tasks.Get(k.ID); t != nil && t.Follow.On {
			continue
		}
		rows = append(rows, kit.Row{Words: kit.Escape("task " + k.ID + " " + k.Tool), Group: kit.Escape(k.Status) + ", left " + kit.Ago(m.o.Now().Sub(k.At)) + " ago",
			Do: func() kit.Intent { return kit.PollTask{ID: k.ID, Tool: k.Tool} }})
	}
	return rows
}
