package demo

import (
	"time"

	"mcploupe/session/mcp"
)

// The experimental tasks of 2025-11-25: a call asks for one by a task member, its result is fetched by tasks/result, which
// waits for it, and a tool that failed makes the task fail.

func legacyTaskCapability() *object {
	return obj("cancel", obj(), "list", obj(), "requests", obj("tools", obj("call", obj())))
}

// handleLegacyTasks answers the methods about tasks of 2025-11-25.
func (c *call) handleLegacyTasks() (*object, *failure, bool) {
	if c.rev != mcp.R20251125 {
		return nil, nil, false
	}
	js := &c.s.jobs
	switch c.method {
	case mcp.TasksList:
		js.mu.Lock()
		defer js.mu.Unlock()
		var all []any
		for _, j := range js.order {
			if j.legacy {
				all = append(all, j.state(c))
			}
		}
		r, f := c.list("tasks", all)
		return r, f, true
	case mcp.TasksGet, mcp.TasksCancel:
		js.mu.Lock()
		defer js.mu.Unlock()
		j, f := c.job(true)
		if f != nil {
			return nil, f, true
		}
		if c.method == mcp.TasksCancel {
			if s := j.at(c.s.opt.Now()).status; s != "working" {
				return nil, invalidParams("Invalid params: the task is over: " + s), true
			}
			j.cancel(c.s.opt.Now())
		}
		return j.state(c), nil, true
	case mcp.TasksResult:
		r, f := c.legacyTaskResult()
		return r, f, true
	}
	return nil, nil, false
}

// legacyTaskResult waits for the end of the task.
func (c *call) legacyTaskResult() (*object, *failure) {
	js := &c.s.jobs
	for {
		js.mu.Lock()
		j, f := c.job(true)
		if f != nil {
			js.mu.Unlock()
			return nil, f
		}
		status := j.at(c.s.opt.Now()).status
		js.mu.Unlock()
		switch status {
		case "cancelled":
			return nil, invalidParams("The task was cancelled")
		case "completed", "failed":
			r, f := j.outcome()
			if f == nil {
				r.set("_meta", obj(mcp.MetaRelatedTask, obj("taskId", j.id)))
			}
			return r, f
		}
		select {
		case <-c.ctx.Done():
			return nil, nil
		case <-time.After(taskLook):
		}
	}
}
