package inspect

import (
	"slices"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// taskLifeRules are about what may happen to a task from its creation to its end.
func taskLifeRules() []*Rule {
	const modern = ">=2026-07-28"
	return []*Rule{{
		ID:     "tasks-not-durable",
		Level:  Must,
		Eras:   modern + " +tasks",
		Source: sourceCreate,
		On:     Errors(mcp.TasksGet),
		Check: func(p *Pass) {
			t := p.lostTask()
			if t == nil || t.Created == nil || t.Told != 0 || p.x.Request.At.Sub(t.Created.At) > creationTime {
				return
			}
			p.Report(p.At(p.Error().Get("code")), "", "the task: it was there to be asked for before it was given out").Also(p.Frame(t.Created.Seq))
		},
	}, {
		ID:     "tasks-early-expiry",
		Level:  Advice,
		Eras:   modern + " +tasks",
		Source: sourceTask + " (ttlMs)",
		On:     Errors(mcp.TasksGet),
		Check: func(p *Pass) {
			t := p.lostTask()
			if t == nil || t.Told == 0 && (t.Created == nil || p.x.Request.At.Sub(t.Created.At) <= creationTime) {
				return
			}
			want := "the task: it was to be kept without limit"
			if t.Now.Limited {
				want = "the task: it was to be kept for " + t.Now.TTL.String()
			}
			p.Report(p.At(p.Error().Get("code")), "", want).Also(p.Frame(t.Now.Seq))
		},
	}, {
		ID:     "tasks-terminal-changed",
		Level:  Must,
		Eras:   ">=2025-11-25",
		Source: sep2663 + "§Task Status; 2025-11-25/basic/utilities/tasks §Task Status Lifecycle",
		On:     Results(mcp.TasksGet).Or(Notifications(mcp.TasksNotification, mcp.TaskStatus)),
		Check:  checkTaskFinal,
	}, {
		ID:     "tasks-timestamps",
		Level:  Advice,
		Eras:   modern,
		Source: sourceTask,
		On:     tellsState(),
		Check:  checkTaskTimes,
	}, {
		ID:     "tasks-input-key-reused",
		Level:  Must,
		Eras:   modern,
		Source: sep2663 + "§Task Update Requests",
		On:     tellsState(),
		Check: func(p *Pass) {
			v, t := p.task()
			if t == nil {
				return
			}
			for _, r := range t.reused {
				at, also := p.At(v.Get("inputRequests").Get(r.key)), p.Frame(r.first)
				if r.again {
					p.Report(at, "", "a new key: this one has been answered").Also(also)
				} else {
					p.Report(at, "", "a new key: this one stands for another question").Also(also).Likely()
				}
			}
		},
	}, {
		ID:     "tasks-notification-unsubscribed",
		Level:  Must,
		Eras:   modern,
		Source: sep2663 + "§Task Status Notifications; basic/patterns/subscriptions",
		On:     Notifications(mcp.TasksNotification),
		Check:  checkTaskNotice,
	}, {
		ID:     "tasks-progress-on-task",
		Level:  Must,
		Eras:   modern,
		Source: sep2663 + "§Task Status Notifications",
		On:     Notifications(mcp.Progress),
		Check: func(p *Pass) {
			token := p.Params().Get("progressToken")
			if !token.Exists() {
				return
			}
			past := p.History().Token(string(token.Raw()))
			if past == nil || past.Method != mcp.ToolsCall || past.Task == "" {
				return
			}
			p.Report(p.At(p.Root().Get("method")), "", "statusMessage of the task: the call itself has been answered").Also(p.Frame(past.Reply))
		},
	}}
}

// creationTime is how soon after a task was given out asking for it shows that it was not there yet.
const creationTime = 10 * time.Second

// lostTask is the task that a refused tasks/get asked for, when it should have been there: we know it, did not cancel it, and its
// time is not over.
func (p *Pass) lostTask() *Task {
	if code, _ := p.Code(); code != mcp.CodeInvalidParams || p.x.Request == nil {
		return nil
	}
	t := p.History().Task(p.Request().Get("taskId").Text())
	if t == nil || t.Cancel != 0 || !t.alive(p.m.At) {
		return nil
	}
	return t
}

// checkTaskFinal holds what is told of a task against what was told when it was over.
func checkTaskFinal(p *Pass) {
	v, t := p.task()
	if t == nil {
		return
	}
	final := t.earlier(p, &t.Final)
	if final == nil || !t.alive(p.m.At) && t.Now.Status == "failed" {
		return // after its time a task may be given up
	}
	told := t.Now
	switch {
	case told.Status != final.Status:
		p.Report(p.At(orElse(v.Get("status"), v)), "", final.Status+", for good").Also(p.Frame(final.Seq))
	case told.payload != final.payload && final.Request != 0 == (told.Request != 0) && told.payload != 0 && final.payload != 0:
		p.Report(p.At(orElse(v.Get("result"), v.Get("error"))), "", "the same as before: the task was over").Also(p.Frame(final.Seq))
	}
}

// checkTaskTimes compares the times that a task gives with those before.
func checkTaskTimes(p *Pass) {
	v, t := p.task()
	if t == nil {
		return
	}
	created, updated := v.Get("createdAt"), v.Get("lastUpdatedAt")
	from, ok := moment(created.Text())
	to, both := moment(updated.Text())
	if ok && both && to.Before(from) {
		p.Report(p.At(updated), "", "createdAt, or a later time").Also(p.At(created))
	}
	before := t.earlier(p, &t.Before)
	if before == nil {
		return
	}
	if was, known := moment(before.Created); known && ok && !was.Equal(from) {
		p.Report(p.At(created), "", before.Created+", as before").Also(p.Frame(before.Seq))
	}
	if was, known := moment(before.Updated); known && both && to.Before(was) {
		p.Report(p.At(updated), "", before.Updated+" or later, as before").Also(p.Frame(before.Seq))
	}
}

// moment reads a time that has an offset; others cannot be compared.
func moment(s string) (time.Time, bool) {
	t, err := time.Parse(time.RFC3339Nano, s)
	return t, err == nil
}

// checkTaskNotice looks for the subscription that a notification about a task came for.
func checkTaskNotice(p *Pass) {
	if p.Params().Exists() && !p.Params().Is(jsondoc.Object) {
		return // jsonrpc-params-not-object
	}
	tag, id := p.Meta().Get(mcp.MetaSubscriptionID), p.Params().Get("taskId")
	if !tag.Exists() {
		p.Report(p.At(orElse(p.Meta(), orElse(p.Params(), p.Root()))), "no subscriptionId", mcp.MetaSubscriptionID+" in _meta: the id of the listen request")
	}
	if !id.Is(jsondoc.String) {
		return // tasks-shape
	}
	var asked []Place
	for _, l := range p.candidates() {
		asks := func(filter jsondoc.Value) bool { return slices.Contains(stringsIn(filter.Get("taskIds")), id.Text()) }
		if !l.Ended.IsZero() && p.m.At.Sub(l.Ended) > endGrace || l.Acked.IsZero() && !asks(l.Wanted) {
			continue
		}
		if l.Acked.IsZero() || asks(l.Granted) {
			return
		}
		asked = append(asked, p.Frame(l.Seq))
	}
	r := p.Report(p.At(id), "", "a task that a subscription asked for and the server agreed to tell of")
	if len(asked) == 1 {
		r.Also(asked[0])
	}
}

// taskOfReply is the id of the task that an answer says will carry the call on, "" for others.
func taskOfReply(m *wire.Message) string {
	r := m.Result()
	if string(r.Get("resultType").Raw()) != `"`+mcp.ResultTask+`"` {
		return ""
	}
	return orElse(r.Get("taskId"), r.Get("task").Get("taskId")).Text()
}
