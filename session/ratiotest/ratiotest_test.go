package ratiotest

import (
	"fmt"
	"testing"
	"time"
)

// verdict stands for the test that asks.
type verdict struct {
	testing.TB
	failed string
}

func (v *verdict) Helper()                   {}
func (v *verdict) Logf(string, ...any)       {}
func (v *verdict) Errorf(f string, a ...any) { v.failed = fmt.Sprintf(f, a...) }

// times gives the times of each round in turn, the last ones again and again.
func times(rounds *int, pairs ...[2]time.Duration) func() (work, measure time.Duration) {
	return func() (work, measure time.Duration) {
		p := pairs[min(*rounds, len(pairs)-1)]
		*rounds++
		return p[0], p[1]
	}
}

func TestOneQuietRoundOfManyIsEnough(t *testing.T) {
	for _, c := range []struct {
		name   string
		pairs  [][2]time.Duration
		rounds int // how many it takes
		fails  string
	}{
		{"cheap at once", [][2]time.Duration{{10, 10}}, 3, ""},
		{"disturbed at first", [][2]time.Duration{{90, 10}, {80, 10}, {70, 10}, {60, 10}, {19, 10}}, 5, ""},
		{"the measure was disturbed", [][2]time.Duration{{30, 100}, {30, 10}, {30, 10}}, 20, "30ns, measured against 10ns: 3.00 times, more than 2"},
		{"too slow", [][2]time.Duration{{30, 10}}, 20, "30ns, measured against 10ns: 3.00 times, more than 2"},
	} {
		var v verdict
		rounds := 0
		AtMost(&v, 2, 20, times(&rounds, c.pairs...))
		if rounds != c.rounds || v.failed != c.fails {
			t.Errorf("%s: %d rounds, %q", c.name, rounds, v.failed)
		}
	}
}
