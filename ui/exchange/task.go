package exchange

import (
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/task"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// taskLines say how the task is that the exchange began or is about: its state, when it is asked for again, what can be done.
func (p *Pane) taskLines(w int) []string {
	if p.row == nil || p.row.Task == nil {
		return nil
	}
	s := p.env.Styles
	t := p.row.Task
	state := p.env.TaskState(t)
	left := state.Render()
	if t.Message != "" {
		left += "  " + s.Text.Render(t.Message)
	}
	var more []string
	if t.Polls > 0 {
		more = append(more, polls(t.Polls))
	}
	hint := ""
	switch {
	case !t.Live():
		if !t.Told.IsZero() && t.Row != nil && t.Row.X.Request != nil {
			more = append(more, "after "+kit.Took(t.Told.Sub(t.Began)))
		}
	case t.Now.Status == task.InputRequired && t.Follow.Asking:
		hint = "answer it in its window"
	case !t.Follow.On:
		hint = s.Keycap.Render("p") + " " + s.Muted.Render("follows it")
		if t.Follow.Left != "" {
			more = append(more, "not followed: "+t.Follow.Left)
		} else {
			more = append(more, "not followed")
		}
	default:
		if d := t.Follow.Next.Sub(p.env.Now()); !t.Follow.Next.IsZero() && d > 0 {
			more = append(more, "asked again in "+kit.Countdown(d))
		}
		hint = s.Keycap.Render("p") + " " + s.Muted.Render("now") + "  " + s.Keycap.Render("c") + " " + s.Muted.Render("end it")
	}
	if t.Follow.Ending && t.Live() {
		more = append(more, "its end was asked for")
	}
	name := "task"
	if t.Now.Legacy {
		name = "task of 2025-11-25"
	}
	out := []string{kit.Ends(s.Muted.Render(name)+" "+left, hint, w)}
	if len(more) > 0 {
		out = append(out, kit.Cut(kit.Blank(2)+s.Muted.Render(strings.Join(more, " · ")), w))
	}
	return out
}

func polls(n int) string {
	if n == 1 {
		return "1 poll"
	}
	return kit.Number(n) + " polls"
}

// brought is the result of an exchange: of a request about a finished task what the task brings.
func brought(r *book.Row) jsondoc.Value {
	res := r.X.Reply.Result()
	if r.X.Method() == mcp.TasksGet {
		if name, v := task.Read(res).Payload(); name == "result" {
			return v
		}
	}
	return res
}
