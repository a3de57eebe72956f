package inspect

import (
	"slices"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

const (
	sep2663      = "SEP-2663 "
	sourceTask   = sep2663 + "§Tasks"
	sourceCreate = sep2663 + "§Task Creation"
	sourcePoll   = sep2663 + "§Task Polling"
	sourceErrors = sep2663 + "§Protocol Errors"
)

// tasksRules are about calls that go on in the background: the extension io.modelcontextprotocol/tasks, and what 2025-11-25
// had in its place.
func tasksRules() []*Rule {
	return slices.Concat(taskStartRules(), taskShapeRules(), taskLifeRules(), taskProbeRules(), legacyTaskRules())
}

// tellsTask is every message that tells of a task, in either form.
func tellsTask() On {
	return Results(mcp.ToolsCall, mcp.TasksGet).Or(Notifications(mcp.TasksNotification))
}

// startsTask tells that the message is a result that claims to be a task.
func (p *Pass) startsTask() bool {
	return string(p.result.Get("resultType").Raw()) == `"`+mcp.ResultTask+`"`
}

// tasksAdvertised tells whether the server declared the extension; known is false before it declared anything.
func (p *Pass) tasksAdvertised() (yes, known bool) {
	return p.History().Declared("extensions", mcp.ExtensionTasks)
}

// taskStartRules are about when a call may become a task.
func taskStartRules() []*Rule {
	const modern, negotiation = ">=2026-07-28", sep2663 + "§Capability Negotiation"
	return []*Rule{{
		ID:     "tasks-result-undeclared",
		Level:  Must,
		Eras:   modern,
		Source: negotiation,
		On:     whenAsked(),
		Check: func(p *Pass) {
			if p.Method() != mcp.ToolsCall || !p.startsTask() || p.x.Request == nil || p.Extension(mcp.ExtensionTasks) || p.Request().Get("task").Exists() {
				return // asked for in the old way: tasks-legacy-param-honoured
			}
			p.Report(p.At(p.Result().Get("resultType")), "",
				"the result of the call, or the error -32021: the request does not declare the extension "+mcp.ExtensionTasks).
				Also(p.At(orElse(p.ClientCapabilities(), p.Request())))
		},
	}, {
		ID:     "tasks-unadvertised",
		Level:  Advice,
		Eras:   modern + " +tasks",
		Source: negotiation,
		On:     whenAsked(),
		Check: func(p *Pass) {
			if advertised, known := p.tasksAdvertised(); known && !advertised && p.startsTask() && p.Method() == mcp.ToolsCall && p.Once("") {
				p.Report(p.At(p.Result().Get("resultType")), "", mcp.ExtensionTasks+" among the extensions that server/discover lists").
					Also(p.At(p.History().Capabilities()))
			}
		},
	}, {
		ID:     "tasks-wrong-method",
		Level:  Must,
		Eras:   modern,
		Source: negotiation + ", §Supported Methods",
		On:     whenAsked(),
		Check: func(p *Pass) {
			switch p.Method() {
			case mcp.ToolsCall, mcp.TasksGet, mcp.TasksUpdate, mcp.TasksCancel, "":
				return
			}
			if p.startsTask() {
				p.Report(p.At(p.Result().Get("resultType")), "", "a result of "+p.Method()+"; only tools/call may become a task")
			}
		},
	}, {
		ID:     "tasks-result-type-elsewhere",
		Level:  Must,
		Eras:   modern,
		Source: sep2663 + "§Polymorphic Results, §Task Polling",
		On:     whenAsked(),
		Check: func(p *Pass) {
			switch p.Method() {
			case mcp.TasksGet, mcp.TasksUpdate, mcp.TasksCancel:
				if p.startsTask() {
					p.Report(p.At(p.Result().Get("resultType")), "", `"complete": "task" is for the result that makes a task`)
				}
			}
		},
	}, {
		ID:     "tasks-mrtr-after-create",
		Level:  Advice,
		Eras:   modern,
		Source: sourceCreate,
		On:     whenAsked(),
		Check: func(p *Pass) {
			v, _ := p.task()
			if status := v.Get("status"); p.startsTask() && p.Method() == mcp.ToolsCall && status.Text() == "input_required" {
				p.Report(p.At(status), "", "an input_required result first, and a task once all that it needs is known").Guess()
			}
		},
	}, {
		ID:     "tasks-id-guessable",
		Level:  Must,
		Eras:   modern,
		Source: sep2663 + "§Security Considerations",
		On:     whenAsked(),
		Check:  checkTaskID,
	}}
}

// knownTaskIDs is the memory of tasks-id-guessable: the task made last.
type knownTaskIDs struct {
	id  string
	seq wire.Seq
}

// checkTaskID compares the ids of two tasks made one after the other. What they have in common at both ends is no secret; too
// little is left when it is shorter than a number of 64 random bits.
func checkTaskID(p *Pass) {
	id := p.Result().Get("taskId")
	if !p.startsTask() || p.Method() != mcp.ToolsCall || !id.Is(jsondoc.String) {
		return
	}
	memory := Keep[knownTaskIDs](p)
	before := *memory
	*memory = knownTaskIDs{id.Text(), p.m.Seq}
	if before.id == "" || before.id == id.Text() {
		return
	}
	if rest := max(len(differing(before.id, id.Text())), len(differing(id.Text(), before.id))); rest < shortestSecret && p.Once("") {
		p.Report(p.At(id), "", "an id that nobody can guess, like a random UUID; this one differs from the one before it in a few places only").
			Also(p.Frame(before.seq)).Likely()
	}
}

// shortestSecret is how many characters of an id must be its own: 64 random bits take eleven letters and digits.
const shortestSecret = 11

// differing is what is left of an id without what it shares with the other at its beginning and end.
func differing(id, other string) string {
	for id != "" && other != "" && id[0] == other[0] {
		id, other = id[1:], other[1:]
	}
	for id != "" && other != "" && id[len(id)-1] == other[len(other)-1] {
		id, other = id[:len(id)-1], other[:len(other)-1]
	}
	return id
}
