package demo

import (
	"fmt"
	"time"

	"mcploupe/session/mcp"
)

// Faults of tasks (SEP-2663).
func taskFaults() []fault {
	const survey, aground, lost = "call survey_coast --task", "call survey_coast --task --arg ends=aground", "call survey_coast --task --arg ends=lost"
	const check, probe = "check --task --call survey_coast={}", "check --task --probe"
	// whole changes every object that tells how a task is: the answer to a call, and that of tasks/get.
	whole := func(change func(r *object)) func(*call, *object) {
		return func(c *call, r *object) {
			if c.is(mcp.TasksGet) || c.is(mcp.ToolsCall) && r.get("resultType") == mcp.ResultTask {
				change(r)
			}
		}
	}
	// when changes what tasks/get tells in one status.
	when := func(status string, change func(r *object)) func(*call, *object) {
		return func(c *call, r *object) {
			if c.is(mcp.TasksGet) && r.get("status") == status {
				change(r)
			}
		}
	}
	rename := func(r *object, from, to string) {
		if r.has(from) {
			r.set(to, r.get(from))
			r.drop(from)
		}
	}
	return []fault{
		{Fault: Fault{"task-unasked", "tasks-result-undeclared", "Answers with a task although the request did not declare the extension.", "", "call survey_coast"}},
		{Fault: Fault{"task-unadvertised", "tasks-unadvertised", "Makes tasks without naming the extension in server/discover.", "", survey},
			result: onResult(func(r *object) { r.object("capabilities").drop("extensions") }, mcp.Discover)},
		{Fault: Fault{"task-for-resource", "tasks-wrong-method", "Answers the reading of a resource with a task.", "", "read station://skerry/about"},
			result: onResult(func(r *object) {
				r.set("resultType", mcp.ResultTask).set("taskId", "c4f6a2de-0f5b-4a6a-9c5e-3f6c2b1d7e90").set("status", "working").set("createdAt", "2026-07-28T12:00:00Z").
					set("lastUpdatedAt", "2026-07-28T12:00:00Z").set("ttlMs", nil)
			}, mcp.ResourcesRead)},
		{Fault: Fault{"task-type-again", "tasks-result-type-elsewhere", "Answers tasks/get with resultType task.", "", survey},
			result: func(c *call, r *object) {
				if c.is(mcp.TasksGet) {
					r.set("resultType", mcp.ResultTask)
				}
			}},
		{Fault: Fault{"task-dateless", "tasks-shape", "Tells of tasks without saying when they began.", "", survey},
			result: whole(func(r *object) { r.drop("createdAt") })},
		{Fault: Fault{"task-old-names", "tasks-legacy-fields", "Calls ttlMs and pollIntervalMs as 2025-11-25 did.", "", survey},
			result: whole(func(r *object) { rename(r, "ttlMs", "ttl"); rename(r, "pollIntervalMs", "pollInterval") })},
		{Fault: Fault{"task-not-yet", "tasks-not-durable", "Does not know a task that it has just made.", "", survey}},
		{Fault: Fault{"task-empty-handed", "tasks-get-payload-missing", "Completes a task without its result.", "", survey},
			result: when("completed", func(r *object) { r.drop("result") })},
		{Fault: Fault{"task-failed-by-tool", "tasks-failed-for-tool-error", "Lets a task fail because its tool did.", "", aground},
			result: when("completed", func(r *object) {
				if inner := r.object("result"); inner != nil && inner.get("isError") == true {
					r.set("status", "failed")
				}
			})},
		{Fault: Fault{"task-failed-in-silence", "tasks-failed-no-message", "Lets a task fail without a word.", "", lost},
			result: when("failed", func(r *object) { r.drop("statusMessage") })},
		{Fault: Fault{"task-risen", "tasks-terminal-changed", "Goes on with a task that was over.", "", check}},
		{Fault: Fault{"task-clock-back", "tasks-timestamps", "Says that a task changed before it began.", "", survey},
			result: whole(func(r *object) { r.set("lastUpdatedAt", "2001-01-01T00:00:00Z") })},
		{Fault: Fault{"task-key-again", "tasks-input-key-reused", "Asks another question under a key that was answered.", "", survey}},
		{Fault: Fault{"task-asks-at-once", "tasks-mrtr-after-create", "Makes a task before it asks what it needs to begin.", "", survey}},
		{Fault: Fault{"task-chatty-ack", "tasks-update-ack", "Acknowledges tasks/update with the task itself.", "", survey},
			result: func(c *call, r *object) {
				if c.is(mcp.TasksUpdate, mcp.TasksCancel) {
					r.set("taskId", c.params.Get("taskId").Text()).set("status", "working")
				}
			}},
		{Fault: Fault{"task-unknown-internal", "tasks-unknown-id-code", "Answers for a task that it does not know with -32603.", "", probe},
			failure: func(c *call, f *failure) {
				if c.is(mcp.TasksGet) && f.code == mcp.CodeInvalidParams {
					f.code = mcp.CodeInternalError
				}
			}},
		{Fault: Fault{"task-served-undeclared", "tasks-undeclared-code", "Serves tasks/get although the request does not declare the extension.", "", probe}},
		{Fault: Fault{"task-list-left", "tasks-removed-methods", "Still has tasks/list.", "", probe}},
		{Fault: Fault{"task-news-unasked", "tasks-notification-unsubscribed", "Sends news of tasks to who did not subscribe to them.", "", "listen"}},
		{Fault: Fault{"task-progress", "tasks-progress-on-task", "Sends progress for a task that is under way.", "stdio", survey}},
		{Fault: Fault{"task-forgotten", "tasks-early-expiry", "Forgets a task that is over long before its time.", "", check}},
		{Fault: Fault{"task-numbered", "tasks-id-guessable", "Numbers its tasks.", "", "call survey_coast --task, twice"}},
	}
}

// Faults that are asked for at their place.

// taskNumber is the id that the fault task-numbered gives.
func (js *jobs) taskNumber() string {
	js.made++
	return fmt.Sprintf("task-%d", js.made)
}

// misremember is what faults do to a task that tasks/get asks for; gone says that it is not known.
func (c *call) misremember(j *job) (gone bool) {
	j.asked++
	now := c.s.opt.Now()
	over := j.at(now).status != "working" && j.at(now).status != "input_required"
	switch {
	case c.has("task-not-yet") && j.asked == 1:
		return true
	case over && j.seenOver && c.has("task-forgotten"):
		return true
	case over && j.seenOver && c.has("task-risen"):
		j.born, j.answered, j.cancelled, j.asks = now, time.Time{}, time.Time{}, false
	case c.has("task-key-again") && j.again == 1:
		j.again = 2 // this once it asks anew
	case c.has("task-key-again") && j.again == 2:
		j.again, j.answered = 3, now
	}
	j.seenOver = j.seenOver || over
	return false
}
