package demo

import (
	"fmt"
	"time"

	"mcploupe/session/mcp"
)

// surveyCoast takes long. Who declared the tasks extension gets a task (SEP-2663), everybody else waits; overnight there
// is no waiting.
func surveyCoast(c *call) (*object, *failure) {
	j := &job{
		legs: int(c.number("legs", 4, 1, 50)), leg: time.Duration(c.number("legMs", 1500, 10, 60_000)) * time.Millisecond,
		ends: c.text("ends", "safe"), asks: c.declares("elicitation"), born: c.s.opt.Now(), early: c.has("task-asks-at-once"),
	}
	if ask, is := c.args.Get("ask").Bool(); is && !ask {
		j.asks = false
	}
	if c.modern() && (c.needsTasks() == nil || c.has("task-unasked") || c.has("task-param") && c.params.Get("task").Exists()) || !c.modern() && c.params.Get("task").Exists() && mcp.AtLeast(c.rev, mcp.R20251125) {
		if j.legacy = !c.modern(); j.legacy {
			j.asks = false
		}
		return c.taskMade(j)
	}
	if overnight, _ := c.args.Get("overnight").Bool(); overnight {
		if c.modern() {
			return nil, c.needsTasks()
		}
		return toolError("The boat stays out overnight: this runs as a task or not at all."), nil
	}
	for i := range j.legs {
		select {
		case <-c.ctx.Done():
			return nil, nil
		case <-time.After(j.leg):
		}
		c.report(float64(i+1), float64(j.legs), fmt.Sprintf("leg %d of %d", i+1, j.legs))
	}
	r, f := j.outcome()
	return r, f
}

// outcome is what a survey brings at its end.
func (j *job) outcome() (*object, *failure) {
	switch j.ends {
	case "aground":
		return toolError("The boat ran aground off Gannet Rock and is waiting for the tide."), nil
	case "lost":
		return nil, fail(mcp.CodeInternalError, "The boat does not answer any more")
	}
	var soundings []any
	for i := range j.legs {
		soundings = append(soundings, raw(fmt.Sprintf("%d.%d", 8+(i*7)%23, (i*3)%10)))
	}
	return structured(obj("legs", j.legs, "landed", j.lands, "soundings", soundings)), nil
}
