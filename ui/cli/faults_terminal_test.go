//go:build !windows

package cli

import "testing"

// From the menu to the value that breaks the rule, on the real program: the fault is switched while the server runs.
func TestAFaultIsSwitchedOnTheScreen(t *testing.T) {
	term := start(t, 120, 36, "demo")
	must(t, term.See("morning_briefing"))
	must(t, term.Type(":", "fault: let", "enter"))
	must(t, term.See("Faults of the built-in server"))
	must(t, term.Type("/", "ttl-neg", "enter", "t"))
	must(t, term.See("1 fault on"))
	must(t, term.See("✖ 3")) // three pages of the list
	must(t, term.Type("enter", "]"))
	must(t, term.See("cache-ttl-negative: want an integer of at least 0"))
	must(t, term.Type("ctrl+c"))
}
