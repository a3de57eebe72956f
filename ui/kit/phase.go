package kit

import (
	"fmt"
	"time"

	"mcploupe/session/wire"
	"mcploupe/ui/book"
)

// Standing is how the connection stands, with the try to bring it back: "lost, again in 2 s (2/5)", "connecting (2/5)".
func (e *Env) Standing(sv *book.Server) string {
	text := e.Phase(sv.Phase)
	if sv.Try == 0 || sv.Phase == wire.Ready {
		return text
	}
	s := e.Styles
	if sv.Phase == wire.Lost {
		left := max(sv.Since.Add(sv.Pause).Sub(e.Now()), 0)
		if e.Still {
			text += s.Should.Render(", again at " + e.moment(left))
		} else {
			text += s.Should.Render(fmt.Sprintf(", again in %.0f s", left.Round(time.Second).Seconds()))
		}
	}
	return text + s.Muted.Render(fmt.Sprintf(" (%d/%d)", sv.Try, sv.Tries))
}

// Step is a step of the connection that is over, in its word alone: nothing turns any more.
func (e *Env) Step(p wire.Phase) string {
	s := e.Styles
	switch p {
	case wire.Connecting:
		return s.Muted.Render("connecting")
	case wire.Detecting:
		return s.Muted.Render("detecting")
	}
	return e.Phase(p)
}

// Phase is the state of the connection in a sign and a word.
func (e *Env) Phase(p wire.Phase) string {
	s := e.Styles
	switch p {
	case wire.Connecting:
		return s.Running.Render(Spinner(e.Frame) + " connecting")
	case wire.Detecting:
		return s.Running.Render(Spinner(e.Frame) + " detecting")
	case wire.Ready:
		return s.OK.Render(SignReady + " ready")
	case wire.Lost:
		return s.Must.Render(SignGone + " lost")
	case wire.Failed:
		return s.Must.Render(SignGone + " failed")
	case wire.Closed:
		return s.Muted.Render(SignWaiting + " closed")
	}
	return s.Muted.Render(SignWaiting + " not connected")
}
