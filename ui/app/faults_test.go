package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// someFaults are a few faults of a server that remembers what was switched.
func someFaults(set *[][]string) *Faults {
	tools := book.Tools
	f := &Faults{All: []Fault{
		{Name: "ttl-negative", What: "Says ttlMs -5.", Rule: "cache-ttl-negative", Group: "cache", Try: "list tools", Use: &FaultUse{List: &tools}, Plain: true},
		{Name: "versions-gone", What: "Lists no supported version at all.", Rule: "discover-versions-missing", Group: "discover", Try: "list tools", Opening: true, Use: &FaultUse{List: &tools}},
		{Name: "output-invalid", What: "Returns data that does not fit.", Rule: "tool-error-output-invalid", Group: "tool-errors", Try: "call get_weather", Plain: true,
			Use: &FaultUse{Use: &kit.Use{Kind: book.Tools, ID: "get_weather", Args: []byte(`{"location":"Madrid"}`)}}},
		{Name: "version-code", What: "Refuses an unknown version with -32602.", Rule: "version-unsupported-code", Group: "version", Try: "check --probe"},
		{Name: "meta-accepted", What: "Serves requests that do not declare their version.", Rule: "version-meta-missing-accepted", Group: "version", Try: "check --probe", Use: &FaultUse{Probe: true}},
		{Name: "two-objects", What: "Puts two objects into one body.", Rule: "http-json-not-single", Group: "http", Try: "call get_weather", Off: "it shows over HTTP only", Plain: true},
	}}
	f.Again = "mcploupe demo"
	f.Set = func(on []string) error { *set = append(*set, slices.Clone(on)); return nil }
	return f
}

func TestTheMenuOfFaults(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			var set [][]string
			tellWith(t, size[0], size[1], opening+lists, Options{Faults: someFaults(&set)}, func(s *story) {
				s.fake.info = declared()
				s.press(":")
				s.typed("fault")
				s.press("enter")
				s.sees("tool-error-output-invalid") // a good one to begin with
				s.press("g")
				s.fits()
				s.sees("Faults of the built-in server", "all as it should be", "cache        ttl-negative", "✖ must cache-ttl-negative", "shows by  list tools", "i its rule")
				s.press("enter")
				s.sees("1 on", "ttl-negative is on, from the next request on")
				s.press("i")
				s.sees("The time a result may be kept is never below zero", "Wrong")
				s.press("esc", "j", "space")
				s.sees("versions-gone is on: the server starts again to show it", "shows while connecting")
				s.asked("restart")
				s.press("/")
				s.typed("objects")
				s.press("enter", "enter")
				s.sees("two-objects: it shows over HTTP only")
				s.press("esc", "x", "esc")
				s.seesNot("fault on", "faults on")
				if fmt.Sprint(set) != "[[ttl-negative] [ttl-negative versions-gone] []]" {
					t.Errorf("switched were %v", set)
				}
				s.press("L")
				s.sees("fault on: ttl-negative (cache", "fault off: versions-gone (dis")
			})
		})
	}
}

// A fault that shows by odd requests alone is tried by these, and a person is asked before they are sent.
func TestTryingAFaultByTheProbes(t *testing.T) {
	var set [][]string
	sent := 0
	probe := func(_ context.Context, unsafe bool) error {
		if sent++; unsafe {
			t.Error("they may do something")
		}
		return nil
	}
	tellWith(t, 80, 24, opening+lists, Options{Faults: someFaults(&set), Probe: probe, Local: true}, func(s *story) {
		s.fake.info = declared()
		for n, key := range []string{"esc", "enter"} {
			s.press(":")
			s.typed("fault: let")
			s.press("enter", "/")
			s.typed("meta-accepted")
			s.press("enter")
			s.sees("shows by the probes (check --probe); t asks before it sends them")
			s.press("t")
			s.sees("Probe the server", "deliberately odd", "1 fault on")
			s.press(key)
			s.seesNot("deliberately odd")
			if sent != n {
				t.Errorf("after %s they were sent %d times", key, sent)
			}
		}
	})
}

// Trying a fault switches it on and does what makes it show.
func TestTryingAFault(t *testing.T) {
	var set [][]string
	tellWith(t, 120, 36, opening+lists, Options{Faults: someFaults(&set)}, func(s *story) {
		s.fake.info = declared()
		fault := func(name string) {
			s.press(":")
			s.typed("fault: let")
			s.press("enter", "/")
			s.typed(name)
			s.press("enter", "t")
		}
		fault("ttl-negative")
		s.asked("list tools fresh=true")
		s.sees("1 fault on")
		fault("output-invalid")
		s.asked(`call get_weather {"location":"Madrid"}`)
		s.sees("2 faults on")
		fault("version-code")
		s.sees("version-code is on; it shows by more than one request: mcploupe check --probe")
		s.m.o.Faults.Set = func([]string) error { return errors.New("no room \x1b[31m") }
		fault("versions-gone")
		s.sees("the faults could not be switched: no room ␛[31m", "3 faults on")
		s.m.o.Faults.On = nil
		for _, name := range []string{"version-code", "ttl-negative"} { // nothing is tried of what is not on
			calls := len(s.fake.asked)
			fault(name)
			s.sees("the faults could not be switched")
			if len(s.fake.asked) != calls {
				t.Errorf("%s was tried: %v", name, s.fake.asked)
			}
			s.press("esc")
		}
	})
}

func TestNoFaultsOfAStrangersServer(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.press(":")
		s.typed("fault")
		s.sees("only in mcploupe demo")
		s.press("enter")
		s.seesNot("Faults of the built-in server")
	})
}

func TestFindTheFault(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			var set [][]string
			f := someFaults(&set)
			f.Find, f.Seed = true, 4 // output-invalid: the other candidate has an odd number
			tellWith(t, size[0], size[1], opening+lists, Options{Faults: f}, func(s *story) {
				s.fake.info = declared()
				if fmt.Sprint(set) != "[[output-invalid]]" {
					t.Fatalf("number 4 chooses %v", set)
				}
				s.fits()
				s.sees("Find the fault", "number 4", "wrong tries   none yet", "has it shown  not yet", "enter name the rule", "h a hint", "u give up")
				s.press("esc")
				s.sees("? find the fault", "F guess")
				s.say(ask + wrongAnswer)
				s.settle()
				s.press("5", "enter")
				s.sees("findings hidden", "bad output")
				s.seesNot("tool-error-output-invalid", "✖ 1", "1 must", "want a number")
				s.press("!") // there are none to be shown
				s.sees("Find the fault")
				s.press("h", "h")
				s.sees("hint 1        It breaks a MUST of the specification.", "hint 2        Its topic: tool-errors.", "has it shown  yes, 1 time")
				s.press("n")
				s.sees("Which rule is broken?", "2 rules")
				s.typed("ttl")
				s.press("enter")
				s.sees("It is not this rule. This is what it would have looked like", "Wrong", "want an integer of at least 0")
				s.seesNot("How to fix it")
				s.press("esc")
				s.sees("find the fault, 1 wrong")
				s.press("esc", "F", "enter")
				s.typed("output")
				s.press("enter")
				s.sees("Right, after 1 wrong try, with 2 hints.", "output-invalid", "/structuredContent/temp", "Why")
				s.press("enter")
				s.sees("want a number", "✖ 1 of 2 tool-error-output-invalid")
				s.seesNot("? find the fault", "findings hidden")
				s.press("L")
				s.sees("the fault number 4 is output-invalid (tool-error-output-invalid)")
				for _, l := range s.m.book.Log.Lines[:len(s.m.book.Log.Lines)-1] {
					if strings.Contains(l.Text, "output-invalid") {
						t.Errorf("the log told it: %s", l.Text)
					}
				}
			})
		})
	}
}

// Giving up tells as well, also when the fault has not shown yet; then another one can be looked for.
func TestGivingUp(t *testing.T) {
	var set [][]string
	tellWith(t, 120, 36, opening+lists, Options{Faults: someFaults(&set)}, func(s *story) {
		s.fake.info = declared()
		s.press(":")
		s.typed("find the fault")
		s.press("enter")
		s.asked("restart")
		s.sees("Find the fault")
		s.press("esc", ":")
		s.typed("fault: let")
		s.sees("not while one is so")
		s.press("esc", "F", "u")
		s.sees("You gave up. The fault is ", "It has not shown yet. It does by: ", "switches it off")
		s.press("esc", ":")
		s.typed("faults all off")
		s.press("enter")
		if n := len(set); n != 2 || len(set[0]) != 1 || len(set[1]) != 0 {
			t.Errorf("switched were %v", set)
		}
	})
}

// The same number gives the same fault, and over many numbers each has its turn.
func TestNumbersChooseFaults(t *testing.T) {
	var set [][]string
	chosen := map[string]int{}
	for seed := uint64(1); seed <= 100; seed++ {
		for range 2 {
			tellWith(t, 80, 24, "", Options{Faults: &Faults{All: someFaults(&set).All, Set: someFaults(&set).Set, Find: true, Seed: seed}}, func(*story) {})
		}
		n := len(set)
		if set[n-1][0] != set[n-2][0] {
			t.Fatalf("number %d gives %s and %s", seed, set[n-1], set[n-2])
		}
		chosen[set[n-1][0]]++
	}
	if len(chosen) != 2 || chosen["ttl-negative"] < 20 || chosen["output-invalid"] < 20 {
		t.Errorf("chosen were %v", chosen)
	}
}
