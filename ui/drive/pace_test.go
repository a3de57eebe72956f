package drive

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestProbesKeepTheirDistance(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := Walk{Gap: 100 * time.Millisecond}
		start := time.Now()
		for range 4 {
			if err := w.pace(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took != 300*time.Millisecond {
			t.Errorf("four probes went out within %s", took)
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if w.pace(ctx) == nil {
			t.Error("a cancelled walk sends on")
		}
		w = Walk{}
		start = time.Now()
		for range 4 {
			if err := w.pace(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("without a gap they took %s", took)
		}
	})
}
