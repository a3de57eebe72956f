package kit

import "mcploupe/session/wire"

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
