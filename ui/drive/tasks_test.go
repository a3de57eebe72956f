package drive

import (
	"context"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/demo"
)

// surveys are calls that run as tasks and end in each way.
func surveys() []Call {
	var out []Call
	for _, ends := range []string{"safe", "aground", "lost"} {
		out = append(out, Call{Tool: "survey_coast", Args: []byte(`{"legs":2,"legMs":10,"ends":"` + ends + `"}`)})
	}
	return out
}

// aBoatIsLost is what is found in a faithful server when the tool of a task fails on purpose in a way that is no tool error.
const aBoatIsLost = "tool-error-execution-protocol-sep2145"

// landing answers what a survey asks.
func landing(_ context.Context, r session.Round) (session.Replies, error) {
	var out session.Replies
	for _, q := range r.Questions {
		out.List = append(out.List, session.Reply{Key: q.Key, Result: session.Accept([]byte(`{"land":true}`))})
	}
	return out, nil
}

// Each fault of tasks is caught by the rule that it names.
func TestEveryFaultOfTasksIsCaughtByItsRule(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	company := readCompanions(t)
	at := make(chan struct{}, 8) // so many at once
	var all sync.WaitGroup
	defer all.Wait()
	for _, fault := range demo.Faults() {
		if !strings.HasPrefix(fault.Rule, "tasks-") {
			continue
		}
		if _, known := inspect.Lookup(fault.Rule); !known {
			t.Errorf("%s: there is no rule %s", fault.Name, fault.Rule)
		}
		all.Go(func() {
			serve := func(t *testing.T) session.Target {
				if fault.Transport == "stdio" {
					return session.Target{Argv: []string{exe}, Env: []string{serveAs + "=" + fault.Name}}
				}
				server := demo.New(demo.Options{Faults: []string{fault.Name}})
				web := httptest.NewServer(server.Handler())
				t.Cleanup(func() { server.Close(); web.Close() })
				return session.Target{URL: web.URL + demo.Path}
			}
			at <- struct{}{}
			defer func() { <-at }()
			o := session.Options{Tasks: true, Ask: landing}
			if !strings.Contains(fault.Try, "--task") && strings.HasPrefix(fault.Try, "call ") {
				o.Tasks = false // it shows to a client that does not know of tasks
			}
			company.check(t, fault, func(h patience) []inspect.Finding { return walk(t, serve(t), o, h, surveys()...) }, aBoatIsLost)
		})
	}
}
