package inspect

import (
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// taskShapeRules are about what a task looks like in one message.
func taskShapeRules() []*Rule {
	const modern = ">=2026-07-28"
	return []*Rule{{
		ID:     "tasks-shape",
		Level:  Must,
		Eras:   modern,
		Source: sourceTask,
		On:     tellsTask(),
		Check: func(p *Pass) {
			v, _ := p.task()
			if !v.Exists() || p.Method() == mcp.ToolsCall && !p.startsTask() {
				return
			}
			p.checkTaskShape(v, "ttlMs", "pollIntervalMs")
			asked := p.Request().Get("taskId")
			if id := v.Get("taskId"); p.Method() == mcp.TasksGet && asked.Is(jsondoc.String) && id.Is(jsondoc.String) && !id.Same(asked) {
				p.Report(p.At(id), "", "the task that was asked for, "+string(asked.Raw())).Also(p.At(asked))
			}
		},
	}, {
		ID:     "tasks-legacy-fields",
		Level:  Must,
		Eras:   modern,
		Source: sourceTask + ", §Backward Compatibility",
		On:     tellsTask(),
		Check: func(p *Pass) {
			v, _ := p.task()
			if !v.Exists() {
				return
			}
			if nested := p.Result().Get("task"); nested.Exists() && nested.Same(v) {
				p.Report(p.Key(nested), "", "the members of the task in the result itself, and resultType \"task\"")
			}
			for _, m := range [][2]string{{"ttl", "ttlMs"}, {"pollInterval", "pollIntervalMs"}} {
				if old := v.Get(m[0]); old.Exists() {
					p.Report(p.Key(old), "", m[1])
				}
			}
		},
	}, {
		ID:     "tasks-get-payload-missing",
		Level:  Must,
		Eras:   modern,
		Source: sourcePoll,
		On:     tellsState(),
		Check: func(p *Pass) {
			v, t := p.task()
			var name, want string
			switch v.Get("status").Text() {
			case "completed":
				name, want = "result", "result: what the call would have returned"
			case "failed":
				if v.Get("result").Is(jsondoc.Object) && !v.Get("error").Exists() {
					return // tasks-failed-for-tool-error
				}
				name, want = "error", "error: the JSON-RPC error that ended it"
			case "input_required":
				name, want = "inputRequests", "inputRequests: at least one question"
			default:
				return
			}
			switch member := v.Get(name); {
			case !member.Exists():
				p.Report(p.At(v), "no "+name, want)
			case !member.Is(jsondoc.Object):
				p.Report(p.At(member), "", want)
			case name == "inputRequests" && member.Len() == 0 && (t == nil || t.Update == 0):
				// Just after an answer there may be nothing left to ask while the status is still the old one.
				p.Report(p.At(member), "", want)
			}
		},
	}, {
		ID:     "tasks-failed-for-tool-error",
		Level:  Must,
		Eras:   modern,
		Source: sep2663 + "§Task Status, §Task Execution Errors",
		On:     tellsState(),
		Check: func(p *Pass) {
			v, _ := p.task()
			if status := v.Get("status"); status.Text() == "failed" {
				failure := v.Get("error")
				switch {
				case v.Get("result").Is(jsondoc.Object) && !failure.Exists():
					p.Report(p.At(status), "", `"completed", with the failed result inside: "failed" is for JSON-RPC errors`).Also(p.At(v.Get("result")))
				case failure.Is(jsondoc.Object) && (!failure.Get("code").IsInteger() || !failure.Get("message").Is(jsondoc.String)):
					p.Report(p.At(failure), "", "a JSON-RPC error with an integer code and a message")
				}
			}
		},
	}, {
		ID:     "tasks-failed-no-message",
		Level:  Should,
		Eras:   modern,
		Source: sep2663 + "§Task Execution Errors",
		On:     Complete(mcp.TasksGet),
		Check: func(p *Pass) {
			v, _ := p.task()
			if message := v.Get("statusMessage"); v.Get("status").Text() == "failed" && message.Text() == "" {
				p.Report(p.At(orElse(message, v)), orNone(message, "no statusMessage"), "a statusMessage that says what went wrong")
			}
		},
	}, {
		ID:     "tasks-update-ack",
		Level:  Must,
		Eras:   modern,
		Source: sep2663 + "§Task Update Requests, §Task Cancellation",
		On:     Results(mcp.TasksUpdate, mcp.TasksCancel),
		Check: func(p *Pass) {
			for name, v := range p.Result().Members() {
				if name != "resultType" && name != "_meta" {
					p.ReportSame("", p.Key(v), "", "nothing but resultType and _meta: the state is asked for with tasks/get")
				}
			}
		},
	}}
}

// tellsState is every message that tells the whole state of a task of the extension.
func tellsState() On { return Results(mcp.TasksGet).Or(Notifications(mcp.TasksNotification)) }

// orNone is the words for a missing value, "" for one that is there.
func orNone(v jsondoc.Value, words string) string {
	if v.Exists() {
		return ""
	}
	return words
}

// checkTaskShape reports what is missing or of the wrong type in a task. ttl and poll are the names of two members, which the
// revisions call differently.
func (p *Pass) checkTaskShape(v jsondoc.Value, ttl, poll string) {
	need := func(name, want string, ok func(jsondoc.Value) bool) {
		switch member := v.Get(name); {
		case !member.Exists():
			p.Report(p.At(v), "no "+name, name+": "+want)
		case !ok(member):
			p.Report(p.At(member), "", want)
		}
	}
	need("taskId", "a string that is not empty", func(v jsondoc.Value) bool { return v.Text() != "" })
	need("status", "working, input_required, completed, failed or cancelled", func(v jsondoc.Value) bool {
		switch v.Text() {
		case "working", "input_required", "completed", "failed", "cancelled":
			return true
		}
		return false
	})
	moment := func(v jsondoc.Value) bool { return isTimestamp(v.Text()) }
	need("createdAt", "a time like 2026-08-03T09:00:00Z", moment)
	need("lastUpdatedAt", "a time like 2026-08-03T09:00:00Z", moment)
	if v.Get(ttl).Exists() || !v.Get("ttl").Exists() {
		need(ttl, "a whole number of milliseconds, or null for no limit", func(v jsondoc.Value) bool {
			return v.Is(jsondoc.Null) || notNegative(v)
		})
	}
	if member := v.Get(poll); given(member) && !notNegative(member) {
		p.Report(p.At(member), "", "a whole number of milliseconds")
	}
	if member := v.Get("statusMessage"); given(member) && !member.Is(jsondoc.String) {
		p.Report(p.At(member), "", "a string")
	}
}

func notNegative(v jsondoc.Value) bool {
	n, ok := v.Float()
	return v.IsInteger() && ok && n >= 0
}
