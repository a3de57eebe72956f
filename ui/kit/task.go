package kit

import (
	"time"

	"mcploupe/session/task"
	"mcploupe/ui/book"
)

// PollTask asks for a task now; one that is not followed is followed again.
type PollTask struct{ ID, Tool string }

// EndTask asks the server to end a task.
type EndTask struct{ ID string }

// FollowTask opens the line for the id of a task to take up.
type FollowTask struct{}

// SwitchTasks switches whether calls declare the tasks extension.
type SwitchTasks struct{}

// TaskRows are the keys of an exchange that began or is about a task; none for others.
func TaskRows(r *book.Row) []Row {
	if r == nil || r.Task == nil || r.Running() {
		return nil
	}
	t := r.Task
	over := ""
	if !t.Live() {
		over = "the task is over"
	}
	words := "follow the task"
	switch {
	case t.Follow.On:
		words = "ask now"
	case t.Now.Status == task.InputRequired:
		words = "answer it and follow"
	}
	return []Row{
		{Keys: []string{"p"}, Words: words, Group: "task", Off: over, Do: func() Intent { return PollTask{ID: t.ID, Tool: t.Tool} }},
		{Keys: []string{"c"}, Words: "end the task", Group: "task", Off: over, Do: func() Intent { return EndTask{ID: t.ID} }},
	}
}

// TaskState is a task in a sign and words; short is for little room.
func (e *Env) TaskState(t *book.Task) Piece {
	s := e.Styles
	left := ""
	if d := t.Follow.Next.Sub(e.Now()); t.Follow.On && !t.Follow.Next.IsZero() && d > 0 {
		left = Countdown(d)
	}
	switch {
	case t.Gone:
		return Piece{Style: &s.Muted, Sign: SignOff, Text: "the server does not know it any more", Short: "gone"}
	case t.Now.Status == task.Completed:
		return Piece{Style: &s.OK, Sign: SignOK, Text: "completed", Short: ""}
	case t.Now.Status == task.Failed:
		return Piece{Style: &s.Must, Sign: SignMust, Text: "failed", Short: ""}
	case t.Now.Status == task.Cancelled:
		return Piece{Style: &s.Muted, Sign: SignOff, Text: "cancelled", Short: ""}
	case t.Now.Status == task.InputRequired:
		return Piece{Style: &s.Should, Sign: SignQuestion, Text: t.Status, Short: "asks"}
	case !t.Follow.On:
		return Piece{Style: &s.Muted, Sign: SignTask, Text: t.Status, Short: "left"}
	}
	return Piece{Style: &s.Running, Sign: SignTask, Text: t.Status, Short: left}
}

// Countdown is how long something is still away, in whole seconds, rounded up.
func Countdown(d time.Duration) string { return Ago((d + time.Second - 1).Truncate(time.Second)) }
