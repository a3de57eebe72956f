package inspect

import (
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// taskProbeRules are about how a server takes odd requests about tasks. They hold for servers that have the extension; others do not
// know these methods.
func taskProbeRules() []*Rule {
	const modern = ">=2026-07-28"
	return []*Rule{{
		ID:     "tasks-unknown-id-code",
		Level:  Must,
		Eras:   modern + " +tasks",
		Source: sourceErrors,
		On:     Replies(mcp.TasksGet),
		Probe:  ProbeTaskUnknown,
		Check:  checkUnknownTask,
	}, {
		ID:     "tasks-unknown-id-acknowledged",
		Level:  Should,
		Eras:   modern + " +tasks",
		Source: sourceErrors,
		On:     Replies(mcp.TasksUpdate, mcp.TasksCancel),
		Probe:  ProbeTaskUnknown,
		Check:  checkUnknownTask,
	}, {
		ID:     "tasks-undeclared-code",
		Level:  Must,
		Eras:   modern,
		Source: sourceErrors + ", §Task Status Notifications",
		On:     Replies(mcp.TasksGet, mcp.TasksUpdate, mcp.TasksCancel, mcp.Listen).Or(Notifications(mcp.Acknowledged)),
		Probe:  ProbeTaskUndeclared,
		Check:  checkTaskUndeclared,
	}, {
		ID:     "tasks-removed-methods",
		Level:  Must,
		Eras:   modern,
		Source: sep2663 + "§Backward Compatibility",
		On:     Exchanges(mcp.TasksResult, mcp.TasksList),
		Probe:  ProbeTaskRemoved,
		Check: func(p *Pass) {
			advertised, _ := p.tasksAdvertised()
			code, _ := p.Code()
			if !advertised || p.otherFault(code) {
				return
			}
			const want = "the error -32601: tasks/get carries the result"
			switch {
			case p.x.End == wire.TimedOut && p.OnPurpose():
				p.Report(p.Timing(), "no answer until we stopped waiting", want).Likely()
			case p.m == nil:
			case p.m.Kind == wire.Result:
				p.Report(p.At(p.Result()), "a result", want)
			case p.m.Kind == wire.Error && code != mcp.CodeMethodNotFound:
				p.Report(p.At(p.Error().Get("code")), "", want)
			}
		},
	}, {
		ID:     "tasks-legacy-param-honoured",
		Level:  Must,
		Eras:   modern,
		Source: sep2663 + "§Backward Compatibility",
		On:     Replies(mcp.ToolsCall),
		Probe:  ProbeTaskParam,
		Check: func(p *Pass) {
			param := p.Request().Get("task")
			if p.x.Request == nil || p.Extension(mcp.ExtensionTasks) || !p.AskedModern() {
				return
			}
			const want = "what the call without it returns: the member task means nothing any more"
			v, _ := p.task()
			k := Keep[tasksUnasked](p)
			tool := p.Request().Get("name").Text()
			switch {
			case !param.Exists():
				if v.Exists() {
					k.add(tool) // tasks-result-undeclared
				}
				return
			case k.tools[tool]:
				return // the member made no difference
			}
			if v.Exists() {
				p.Report(p.At(v), "a task", want).Also(p.At(param))
				return
			}
			if p.Error().Exists() && contains(strings.ToLower(p.Error().Get("message").Text()), "task") {
				p.Report(p.At(p.Error().Get("message")), "", want).Also(p.At(param)).Likely()
			}
		},
	}, {
		ID:     "tasks-update-unknown-key",
		Level:  Should,
		Eras:   modern + " +tasks",
		Source: sep2663 + "§Task Update Requests",
		On:     Errors(mcp.TasksUpdate),
		Probe:  ProbeTaskKey,
		Check: func(p *Pass) {
			t := p.History().Task(p.Request().Get("taskId").Text())
			code, ok := p.Code()
			if t == nil || !ok || code != mcp.CodeInvalidParams || t.Cancel != 0 || !t.alive(p.m.At) {
				return
			}
			responses := p.Request().Get("inputResponses")
			for key, v := range responses.Members() {
				if k := t.keys[key]; k == nil || k.answered != 0 && k.answered < p.x.Seq() {
					p.Report(p.At(p.Error().Get("code")), "", "an acknowledgement: answers that nobody waits for are passed over").Also(p.Key(v)).Likely()
					return
				}
			}
		},
	}}
}

// checkUnknownTask judges the answers to requests about a task that does not exist.
func checkUnknownTask(p *Pass) {
	id := p.Request().Get("taskId")
	code, ok := p.Code()
	if id.Text() != ProbeTask || p.otherFault(code) {
		return
	}
	const want = "the error -32602: there is no such task"
	if p.Result().Exists() {
		p.Report(p.At(p.Result()), "a result", want).Also(p.At(id))
	} else if ok && code != mcp.CodeInvalidParams {
		p.Report(p.At(p.Error().Get("code")), "", want).Also(p.At(id))
	}
}

// tasksUnasked is the memory of tasks-legacy-param-honoured: the tools that become tasks without being asked.
type tasksUnasked struct{ tools map[string]bool }

func (k *tasksUnasked) add(tool string) {
	if k.tools == nil {
		k.tools = map[string]bool{}
	}
	if len(k.tools) < keepPast {
		k.tools[tool] = true
	}
}

// checkTaskUndeclared judges the answers to requests about tasks from a client that did not declare the extension. With an id that
// exists nowhere the error -32602 is true as well.
func checkTaskUndeclared(p *Pass) {
	advertised, _ := p.tasksAdvertised()
	if p.x.Request == nil || !advertised || p.Extension(mcp.ExtensionTasks) || !p.AskedModern() ||
		!p.ClientCapabilities().Is(jsondoc.Object) {
		return
	}
	const want = "the error -32021 that names " + mcp.ExtensionTasks + ": the request does not declare it"
	declared := p.At(p.ClientCapabilities())
	if p.x.Method() == mcp.Listen {
		asked := p.Request().Get("notifications").Get("taskIds")
		if asked.Exists() && p.m.Kind == wire.Notification && !p.Late() {
			p.Report(p.At(p.Root().Get("method")), "", want).Also(p.At(asked), declared)
		} else if asked.Exists() && p.m.Kind == wire.Error {
			p.checkNeedsTasks(want, declared, false)
		}
		return
	}
	id := p.Request().Get("taskId").Text()
	if p.Result().Exists() {
		p.Report(p.At(p.Result()), "a result", want).Also(declared)
		return
	}
	p.checkNeedsTasks(want, declared, id == ProbeTask || p.History().Task(id) == nil)
}

// checkNeedsTasks judges the error for a client without the extension.
func (p *Pass) checkNeedsTasks(want string, declared Place, unknown bool) {
	code, ok := p.Code()
	at := p.At(p.Error().Get("code"))
	switch {
	case !ok || code == mcp.CodeHeaderMismatch || code == mcp.CodeUnsupportedVersion || unknown && code == mcp.CodeInvalidParams:
	case p.status() == 401 || p.status() == 403 || p.status() >= 500:
	case code != mcp.CodeMissingClientCapability:
		p.Report(at, "", want).Also(declared)
	default:
		required := p.Error().Get("data").Get("requiredCapabilities")
		if required.Is(jsondoc.Object) && required.Len() > 0 && !required.Get("extensions").Get(mcp.ExtensionTasks).Exists() {
			p.Report(p.At(required), "", `{"extensions":{"`+mcp.ExtensionTasks+`":{}}}`).Also(declared)
		}
	}
}
