package drive

import (
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/demo"
	"mcploupe/session/wire"
	"mcploupe/ui/feed"
)

// serveAs is the variable that makes the test binary a demo server over stdio, with the faults that it names.
const serveAs = "MCPLOUPE_TEST_DEMO"

func TestMain(m *testing.M) {
	if faults, ok := os.LookupEnv(serveAs); ok {
		o := demo.Options{Era: demo.Both}
		if faults != "" {
			o.Faults = strings.Split(faults, ",")
		}
		err := demo.ServeStdio(context.Background(), os.Stdin, os.Stdout, os.Stderr, o)
		if errors.Is(err, demo.ErrExit) {
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// calls make each kind of answer of the built-in server appear.
func calls() []Call {
	all := []struct{ tool, args string }{
		{"get_weather", `{"location":"Gannet Rock"}`}, {"get_weather", `{}`}, {"get_forecast", `{"region":"Outer Skerries","days":2}`}, {"get_forecast", `{"region":"Amber Bay"}`},
		{"read_sensor", `{"sensor":"hygrometer"}`}, {"draw_barograph", `{}`}, {"find_chart", `{"name":"tides"}`}, {"calibrate", `{"steps":3,"stepMs":20}`},
		{"log_observation", `{}`}, {"tide_table", `{}`}, {"export_readings", `{"rows":3}`}, {"ring_bell", `{}`},
	}
	var out []Call
	for _, c := range all {
		out = append(out, Call{Tool: c.tool, Args: []byte(c.args)})
	}
	return out
}

// patience is how many times longer than usual a walk waits for answers. What is waited for in vain is only what a server at
// fault never says, so such a walk is patient at its second try only; on a faithful server patience costs nothing.
type patience int

// walk walks over a server as check --probe does, and gives all that was found.
func walk(t *testing.T, target session.Target, o session.Options, h patience, more ...Call) []inspect.Finding {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(h)*30*time.Second)
	defer cancel()
	log := wire.NewLog(wire.LogOptions{})
	o.Log, o.Timeout = log, time.Duration(h)*400*time.Millisecond
	w := Walk{Reads: 20, Gets: 20, Calls: append(calls(), more...), Probe: true, Unsafe: true, Timeout: o.Timeout, Hold: time.Duration(h) * 20 * time.Millisecond}
	if o.Tasks {
		w.Calls, w.Timeout = surveys(), max(o.Timeout, 3*time.Second) // the others are no tasks, and take their time
	}
	s := session.New(target, o)
	in := inspect.New(inspect.Options{})
	var all []inspect.Finding
	var done sync.WaitGroup
	done.Go(func() {
		f := feed.New(log, in)
		for {
			page, err := f.Next(context.Background())
			if errors.Is(err, io.EOF) {
				break
			}
			for _, j := range page.Exchanges {
				if len(j.Verdict.Broken) > 0 {
					t.Errorf("rules that failed to run: %v", j.Verdict.Broken)
				}
				all = append(all, j.Verdict.Findings...)
			}
		}
		all = append(all, in.End().Findings...)
	})
	if err := s.Connect(ctx); err == nil {
		w.Session = s
		_ = w.Run(ctx) // a server that goes away in the middle is one of the faults
	}
	_ = s.Close(ctx)
	log.Close()
	done.Wait()
	return all
}

// decline says no to every question.
func decline(_ context.Context, r session.Round) (session.Replies, error) {
	var out session.Replies
	for _, q := range r.Questions {
		out.List = append(out.List, session.Reply{Key: q.Key, Result: session.Decline()})
	}
	return out, nil
}

// found are the ids of the rules that made findings, sorted, each once.
func found(findings []inspect.Finding) []string {
	var ids []string
	for i := range findings {
		ids = append(ids, findings[i].Rule.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// The built-in server misbehaves in many ways, and shares no code with its judge: each way must be caught by the very
// rule that it names, and besides by none but the companions that were reviewed (testdata/companions.txt).
func TestEveryFaultIsCaughtByItsRule(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	company := readCompanions(t)
	for _, fault := range demo.Faults() {
		if strings.HasPrefix(fault.Rule, "tasks-") {
			continue // all at once, in tasks_test.go: they wait more than they work
		}
		if _, known := inspect.Lookup(fault.Rule); !known {
			t.Errorf("%s: there is no rule %s", fault.Name, fault.Rule)
			continue
		}
		t.Run(fault.Name, func(t *testing.T) {
			t.Parallel()
			serve := func(t *testing.T) session.Target {
				if fault.Transport == "stdio" {
					return session.Target{Argv: []string{exe}, Env: []string{serveAs + "=" + fault.Name}}
				}
				era := demo.Both
				if fault.Rule == "http-get-status" || fault.Rule == "http-delete-status" {
					era = demo.Modern // older revisions have a use for these
				}
				server := demo.New(demo.Options{Era: era, Faults: []string{fault.Name}})
				web := httptest.NewServer(server.Handler())
				t.Cleanup(func() { server.Close(); web.Close() })
				return session.Target{URL: web.URL + demo.Path}
			}
			o := session.Options{}
			if strings.Contains(fault.Try, "--era legacy") {
				o.Era = session.Legacy
				o.Tasks = strings.Contains(fault.Try, "--task")
			}
			if strings.Contains(fault.Try, "declaring no elicitation") {
				o.Capabilities = []byte("{}")
			}
			if strings.Contains(fault.Try, "level error") {
				o.LogLevel = "error"
			}
			var more []Call
			if strings.Contains(fault.Try, "call log_observation") && !strings.Contains(fault.Try, "declaring no") {
				o.Ask = decline
			}
			if strings.Contains(fault.Try, "call calibrate, and") { // something happens meanwhile
				more = append(more, Call{Tool: "calibrate", Args: []byte(`{"steps":12,"stepMs":220}`)})
			}
			if strings.Contains(fault.Try, "ring_bell={") {
				more = append(more, Call{Tool: "ring_bell", Args: []byte(`{"about":"weather"}`)})
			}
			company.check(t, fault, func(h patience) []inspect.Finding { return walk(t, serve(t), o, h, more...) })
		})
	}
}

// Without a fault nothing is found at must or should, over both transports.
func TestTheFaithfulServerIsSilent(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	server := demo.New(demo.Options{Era: demo.Both})
	web := httptest.NewServer(server.Handler())
	defer web.Close()
	defer server.Close()
	for name, target := range map[string]session.Target{
		"stdio": {Argv: []string{exe}, Env: []string{serveAs + "="}},
		"http":  {URL: web.URL + demo.Path},
	} {
		for _, o := range []session.Options{{}, {Tasks: true, Ask: landing}, {Era: "legacy", Tasks: true, Ask: landing}} {
			for _, id := range found(walk(t, target, o, 10)) {
				if r, _ := inspect.Lookup(id); r.Level >= inspect.Should && !(o.Tasks && id == aBoatIsLost) {
					t.Errorf("%s: %s", name, id)
				}
			}
		}
	}
}
