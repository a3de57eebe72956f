// Package ratiotest measures one piece of work against another within one run, for tests that say what something may cost: an
// absolute time would say something about the machine.
//
// It is for tests alone, and must never know what it measures.
package ratiotest

import (
	"testing"
	"time"
)

// AtMost measures two pieces of work in turns, in short rounds, until the best time of the first is at most so many times the best
// of the second, and fails t when so many rounds have not shown it. A machine that is busy with other things spoils rounds, but
// not all of them; and what is really too slow is so in every round.
//
// A tenth of the rounds are always done, so that one lucky round of many proves nothing.
func AtMost(t testing.TB, most float64, rounds int, round func() (work, measure time.Duration)) {
	t.Helper()
	work, measure := time.Hour, time.Hour
	var ratio float64
	for i := range rounds {
		w, m := round()
		work, measure = min(work, w), min(measure, m)
		if ratio = float64(work) / float64(measure); ratio <= most && i >= rounds/10 {
			t.Logf("%v, measured against %v: %.2f times", work, measure, ratio)
			return
		}
	}
	t.Errorf("%v, measured against %v: %.2f times, more than %g", work, measure, ratio, most)
}

// Timed is how long f takes.
func Timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}
