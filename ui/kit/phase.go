package kit

import "mcploupe/session/wire"

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
