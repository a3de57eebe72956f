package jsondoc

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// A place far inside a list is found as one near its beginning is, by whoever asks, and several at once.
func TestPlacesFarInsideLists(t *testing.T) {
	const n = 5000
	d := Parse([]byte(`{"a":[` + strings.Repeat(`{"b":[1,[2]]},`, n) + `0],"c":[[` + strings.Repeat("1,", n) + `1]]}`))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i := 0; i <= n; i += 499 {
				for _, p := range []Pointer{Pointer(fmt.Sprintf("/a/%d/b/1/0", i%n)), Pointer(fmt.Sprintf("/a/%d", i)), Pointer(fmt.Sprintf("/c/0/%d", i)), "/c", ""} {
					v := d.At(p)
					if !v.Exists() || v.Pointer() != p {
						t.Errorf("%s is at %q", p, v.Pointer())
					}
				}
			}
		})
	}
	all.Wait()
}
