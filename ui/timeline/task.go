package timeline

import (
	"strings"

	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// taskText is what a row says of a request about a task that was known before: the state that it was told, or the tool.
func taskText(r *book.Row) string {
	switch {
	case r.State != "":
		return r.State
	case r.Task.Tool != "":
		return kit.Escape(r.Task.Tool)
	}
	return kit.Escape(r.Task.ID)
}

// taskSign is how a task is, in the row that began it: its state and, while it is followed, how soon it is asked for again;
// at its end how that went.
func (p *Panel) taskSign(t *book.Task, w int) string {
	if !t.Live() && t.Show != nil {
		return p.sign(t.Show)
	}
	if t.Follow.On {
		p.live = true
	}
	state := p.env.TaskState(t)
	words := state.Short
	if w >= 60 && t.Message != "" {
		words = strings.TrimSpace(kit.Cut(t.Message, 24) + " " + words)
	}
	return state.Style.Render(strings.TrimSpace(state.Sign + " " + words))
}
