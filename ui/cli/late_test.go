package cli

import (
	"strings"
	"testing"
)

// An answer that comes after we gave up is told: as late, and how late.
func TestALateAnswerIsToldAsLate(t *testing.T) {
	call := []string{"call", "calibrate", "--args", `{"steps":1,"stepMs":500}`, "--timeout", "200ms"}
	target := childArgv(t, "child:demo", "--fault", "cancel-ignored")
	r := program(t, append(call, target...)...)
	if r.code != exitTransport || !strings.Contains(r.err, " after the timeout of #") || !strings.Contains(r.err, "│ late, ") || !strings.Contains(r.err, "agrees with the reference") {
		t.Errorf("text: %s", r)
	}
	r = program(t, append(append(call, "--json"), target...)...)
	late := false
	for line := range strings.Lines(r.out) {
		late = late || strings.Contains(line, `"late":true,"afterMs":`) && strings.Contains(line, "agrees with the reference")
	}
	if r.code != exitTransport || !late {
		t.Errorf("JSON: %s", r)
	}
}
