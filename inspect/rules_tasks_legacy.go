package inspect

import (
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// legacyTaskRules are about the experimental tasks of 2025-11-25.
func legacyTaskRules() []*Rule {
	return []*Rule{{
		ID:     "legacy-task-shape",
		Level:  Must,
		Eras:   mcp.R20251125,
		Source: "2025-11-25/basic/utilities/tasks §Behavior Requirements; schema Task",
		On:     Replies(mcp.ToolsCall, mcp.TasksGet, mcp.TasksCancel, mcp.TasksResult).Or(Notifications(mcp.TaskStatus)),
		Check:  checkLegacyTask,
	}}
}

func checkLegacyTask(p *Pass) {
	if p.Error().Exists() {
		p.checkLegacyCancel()
		return
	}
	if p.Method() == mcp.TasksResult {
		related := p.Result().Get("_meta").Get(mcp.MetaPrefix + "related-task")
		asked := p.Request().Get("taskId")
		const want = mcp.MetaPrefix + "related-task in _meta with the task's id"
		switch {
		case !p.Result().Is(jsondoc.Object):
		case !related.Exists():
			p.Report(p.At(orElse(p.Result().Get("_meta"), p.Result())), "no related-task", want)
		case asked.Is(jsondoc.String) && !related.Get("taskId").Same(asked):
			p.Report(p.At(orElse(related.Get("taskId"), related)), "", "the task that was asked for, "+string(asked.Raw())).Also(p.At(asked))
		}
		return
	}
	v, _ := p.task()
	if p.Method() == mcp.TasksCancel {
		p.checkLegacyCancel()
		v = p.Result()
	}
	if !v.Is(jsondoc.Object) || p.Method() == mcp.ToolsCall && !p.Request().Get("task").Exists() {
		return
	}
	p.checkTaskShape(v, "ttl", "pollInterval")
	if status := v.Get("status"); p.Method() == mcp.ToolsCall && status.Is(jsondoc.String) && status.Text() != "working" {
		p.Report(p.At(status), "", "working: that is how every task begins")
	}
}

// checkLegacyCancel judges the answer to tasks/cancel for a task that was over when it was asked.
func (p *Pass) checkLegacyCancel() {
	if p.Method() != mcp.TasksCancel || p.x.Request == nil {
		return
	}
	t := p.History().Task(p.Request().Get("taskId").Text())
	if t == nil || t.Final.Seq == 0 || t.Final.Seq > p.x.Request.Seq || !t.alive(p.m.At) {
		return
	}
	const want = "the error -32602: the task was over"
	code, ok := p.Code()
	switch {
	case p.m.Kind == wire.Result:
		p.Report(p.At(p.Result()), "a result", want).Also(p.Frame(t.Final.Seq))
	case ok && code != mcp.CodeInvalidParams && !p.otherFault(code):
		p.Report(p.At(p.Error().Get("code")), "", want).Also(p.Frame(t.Final.Seq))
	}
}
