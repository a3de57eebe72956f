package kit

import (
	"fmt"
	"math"
	"time"
)

// What counts down or up is written here, for two reasons. It takes the same cells while it does, so that nothing beside it moves.
// And with Still it does not count: it says the point of time, which stays true without being drawn again.

// StillFrame is Env.Frame where nothing turns.
const StillFrame = math.MinInt

// stillSign is what stands in the place of a spinner that does not turn.
const stillSign = SignTask

// moment is a point of time as the screen shows it.
func (e *Env) moment(in time.Duration) string { return e.Now().Add(in).Format("15:04:05") }

// Left is how long something still lasts, of so much at first: "4:32", or "until 15:04:05".
func (e *Env) Left(left, of time.Duration) string {
	if e.Still {
		return "until " + e.moment(left)
	}
	return fmt.Sprintf("%*s", len(Clock(of)), Clock(left))
}

// LeftIn is Left where there is little room: "4:32", or "15:04:05".
func (e *Env) LeftIn(left, of time.Duration) string {
	if e.Still {
		return e.moment(left)
	}
	return e.Left(left, of)
}

// For is how long something has gone on: "1.2 s", in six cells, or "since 15:04:05".
func (e *Env) For(d time.Duration) string {
	if e.Still {
		return "since " + e.moment(-d)
	}
	return Fit(Took(d.Truncate(100*time.Millisecond)), 6)
}

// Open is the same as a clock shows it, for what lasts long: "4:32".
func (e *Env) Open(d time.Duration) string {
	if e.Still {
		return "since " + e.moment(-d)
	}
	return Clock(d)
}

// Lasting is Open with its word: "for 4:32", "since 15:04:05".
func (e *Env) Lasting(d time.Duration) string {
	if e.Still {
		return e.Open(d)
	}
	return "for " + Clock(d)
}

// Stale is for how long something has been over: "4:32", in five cells, or "since 15:04:05".
func (e *Env) Stale(d time.Duration) string {
	if e.Still {
		return "since " + e.moment(-d)
	}
	return Fit(Clock(d), 5)
}

// Age is how old something is, in four cells: "now", "12s", or the minute in which it was, in five.
func (e *Env) Age(d time.Duration) string {
	if e.Still {
		return e.Now().Add(-d).Format("15:04")
	}
	return fmt.Sprintf("%4s", Ago(d))
}
