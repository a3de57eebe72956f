package session

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/task"
	"mcploupe/session/wire"
)

const (
	taskBorn = `{"resultType":"task","taskId":"t1","status":"working","createdAt":"2026-11-30T12:00:00Z","lastUpdatedAt":"2026-11-30T12:00:00Z","ttlMs":60000,"pollIntervalMs":2000}`
	taskDone = `{"resultType":"complete","taskId":"t1","status":"completed","createdAt":"2026-11-30T12:00:00Z","lastUpdatedAt":"2026-11-30T12:00:09Z","ttlMs":60000,"result":{"content":[]}}`
)

func taskIs(status, more string) string {
	return `{"resultType":"complete","taskId":"t1","status":"` + status + `","createdAt":"2026-11-30T12:00:00Z","lastUpdatedAt":"2026-11-30T12:00:05Z","ttlMs":60000` + more + `}`
}

// working is a server that answers a call with a task, and each tasks/get with the next of these results; the last one
// goes on. A result that begins with "!" is an error.
func working(states ...string) func(*fake, wire.Message) {
	n := 0
	return modern(func(f *fake, m wire.Message) {
		switch m.Method {
		case mcp.ToolsCall:
			f.result(m, taskBorn)
		case mcp.TasksGet:
			state := states[min(n, len(states)-1)]
			n++
			if text, is := strings.CutPrefix(state, "!"); is {
				f.error(m, -32602, text)
				return
			}
			f.result(m, state)
		case mcp.TasksUpdate, mcp.TasksCancel:
			f.result(m, `{"resultType":"complete"}`)
		default:
			f.result(m, `{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"public"}`)
		}
	})
}

// followed opens a session, calls a tool and follows its task.
func followed(t *testing.T, kind string, o Options, fo FollowOptions, serve func(*fake, wire.Message)) (s *Session, now func() *fake, a Answer, took time.Duration, err error) {
	t.Helper()
	o.Tasks = true
	s, now, err = converse(t, kind, o, serve)
	if err != nil {
		t.Fatal(err)
	}
	a, err = s.CallTool(t.Context(), "slow", nil, CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	born, ok := s.TaskOf(a)
	if !ok {
		t.Fatalf("no task: %s", a.Result().Raw())
	}
	fo.Task, fo.Tool = born, "slow"
	began := time.Now()
	a, err = s.Follow(t.Context(), fo)
	return s, now, a, time.Since(began), err
}

func declared(m *wire.Message) bool {
	return m.Params().Get("_meta").Get(mcp.MetaClientCapabilities).Get("extensions").Get(mcp.ExtensionTasks).Is(jsondoc.Object)
}

// The extension is declared per request: with calls when it is switched on, with the methods of tasks always, with
// nothing else. What was declared besides stays.
func TestTheExtensionIsDeclaredPerRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		caps := `{"elicitation":{"form":{}},"extensions":{"com.example/x":{"a":1.0}}}`
		s, now, err := converse(t, "http", Options{Capabilities: []byte(caps)}, working(taskDone))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		on, off := true, false
		for _, c := range []struct {
			session bool
			call    *bool
			want    bool
		}{{false, nil, false}, {false, &on, true}, {true, nil, true}, {true, &off, false}} {
			s.DeclareTasks(c.session)
			if _, err := s.CallTool(t.Context(), "slow", nil, CallOptions{Tasks: c.call}); err != nil {
				t.Fatal(err)
			}
			if m := now().last(); declared(&m) != c.want || s.DeclaresTasks() != c.session {
				t.Errorf("session %v, call %v: sent %s", c.session, c.call, m.Body)
			}
		}
		s.DeclareTasks(true)
		if _, err := s.Do(t.Context(), Request{Method: mcp.ToolsList}); err != nil {
			t.Fatal(err)
		}
		if m := now().last(); declared(&m) {
			t.Errorf("a list declares it: %s", m.Body)
		}
		s.DeclareTasks(false)
		for _, ask := range []func() (Answer, error){
			func() (Answer, error) { return s.Task(t.Context(), "t é", CallOptions{}) },
			func() (Answer, error) {
				return s.UpdateTask(t.Context(), "t é", []byte(`{"k":{"n":1.50}}`), CallOptions{})
			},
			func() (Answer, error) { return s.CancelTask(t.Context(), "t é", CallOptions{}) },
		} {
			if _, err := ask(); err != nil {
				t.Fatal(err)
			}
			m := now().last()
			if !declared(&m) || !strings.Contains(string(m.Body), `"com.example/x":{"a":1.0}`) {
				t.Errorf("sent %s", m.Body)
			}
			if m.HTTP.Get(mcp.HeaderName) != "=?base64?dCDDqQ==?=" || m.HTTP.Get(mcp.HeaderMethod) != m.Method {
				t.Errorf("headers %v", m.HTTP.Header)
			}
		}
		sub, err := s.Listen(t.Context(), Filter{Tasks: []string{"t1"}}, "")
		if err != nil {
			t.Fatal(err)
		}
		if m := now().last(); !declared(&m) || string(m.Params().Get("notifications").Raw()) != `{"taskIds":["t1"]}` {
			t.Errorf("sent %s", m.Body)
		}
		sub.Close("enough")
	})
}

// A task is asked for as often as it wants to be, until it has ended; every step is told.
func TestATaskIsFollowedToItsEnd(t *testing.T) {
	for _, kind := range []string{"stdio", "http"} {
		synctest.Test(t, func(t *testing.T) {
			var seen []string
			see := func(st TaskState) {
				next := "-"
				if !st.Next.IsZero() {
					next = time.Until(st.Next).String()
				}
				seen = append(seen, st.Task.Status+" "+st.Task.Message+" "+next)
			}
			s, now, a, took, err := followed(t, kind, Options{}, FollowOptions{See: see},
				working(taskIs("working", `,"pollIntervalMs":5000,"statusMessage":"half"`), taskDone))
			if err != nil || task.Read(a.Result()).Status != task.Completed {
				t.Fatalf("%v: %s", err, a.Result().Raw())
			}
			defer shut(t, s)
			if took != 7*time.Second {
				t.Errorf("it took %s", took)
			}
			if got := strings.Join(seen, "|"); got != "working  2s|working half -|working half 5s|completed  -" {
				t.Errorf("told %s", got)
			}
			want := []string{mcp.Discover, mcp.ToolsCall, mcp.TasksGet, mcp.TasksGet}
			if kind == "http" {
				want = []string{mcp.Discover, mcp.ToolsList, mcp.ToolsCall, mcp.TasksGet, mcp.TasksGet}
			}
			wantMethods(t, now(), want...)
			if len(s.Tasks()) != 0 {
				t.Errorf("still followed: %v", s.Tasks())
			}
		})
	}
}

// What a task asks goes to the person once, however often it is seen, and the answer goes out by tasks/update.
func TestATaskAsks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ask := taskIs("input_required", `,"pollIntervalMs":1000,"inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?"}}}`)
		var rounds []Round
		var update wire.Message
		states := working(taskIs("working", ""), ask, ask, ask, taskDone)
		s, now, a, _, err := followed(t, "stdio", Options{Ask: always(`{"action":"accept","content":{"n":1.50}}`, &rounds)}, FollowOptions{}, func(f *fake, m wire.Message) {
			if m.Method == mcp.TasksUpdate {
				update = m
			}
			states(f, m)
		})
		if err != nil || task.Read(a.Result()).Status != task.Completed {
			t.Fatalf("%v: %s", err, a.Result().Raw())
		}
		defer shut(t, s)
		if len(rounds) != 1 || rounds[0].Task != "t1" || rounds[0].Name != "slow" || rounds[0].Questions[0].Key != "who" {
			t.Errorf("asked %+v", rounds)
		}
		if got := string(update.Params().Get("inputResponses").Raw()); got != `{"who":{"action":"accept","content":{"n":1.50}}}` {
			t.Errorf("answered %s", got)
		}
		wantMethods(t, now(), mcp.Discover, mcp.ToolsCall, mcp.TasksGet, mcp.TasksGet, mcp.TasksUpdate, mcp.TasksGet, mcp.TasksGet, mcp.TasksGet)
		asks := 0
		for _, e := range entries(s) {
			if e.Ask != nil {
				asks++
			}
		}
		if asks != 2 {
			t.Errorf("%d entries about the question in the journal", asks)
		}
	})
}

// While a person thinks the task is still looked at; when it ends without the answer, the question is taken back.
func TestAQuestionOfATaskIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ask := taskIs("input_required", `,"pollIntervalMs":500,"inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?"}}}`)
		back := make(chan struct{})
		s, now, a, took, err := followed(t, "stdio", Options{Ask: func(ctx context.Context, _ Round) (Replies, error) {
			<-ctx.Done()
			close(back)
			return Replies{}, ctx.Err()
		}}, FollowOptions{Polls: 2}, working(ask, ask, ask, ask, taskIs("cancelled", "")))
		if err != nil || task.Read(a.Result()).Status != task.Cancelled {
			t.Fatalf("%v: %s", err, a.Result().Raw())
		}
		<-back
		if took < 40*time.Second || took > 45*time.Second {
			t.Errorf("it took %s", took)
		}
		if got := strings.Count(fmt.Sprint(now().methods()), mcp.TasksGet); got != 5 {
			t.Errorf("%d polls", got)
		}
		shut(t, s)
	})
}

// What a hostile server may do. Nothing loops, nothing hangs, and everything can be taken up again.
func TestHostileTasks(t *testing.T) {
	forever := func(more string) []string { return []string{taskIs("working", more)} }
	var asking []string
	for i := range 100 {
		asking = append(asking, taskIs("input_required", fmt.Sprintf(`,"inputRequests":{"k%d":{"method":"elicitation/create","params":{"message":"?"}}}`, i)))
	}
	for name, c := range map[string]struct {
		states []string
		polls  int
		most   time.Duration
		text   string
	}{
		"never ending":              {forever(`,"pollIntervalMs":1000`), 50, time.Minute, "still \"working\" after 50 polls"},
		"poll interval 0":           {forever(`,"pollIntervalMs":0`), 50, time.Minute, "50 polls"},
		"poll interval -1":          {forever(`,"pollIntervalMs":-1`), 50, time.Minute, "50 polls"},
		"poll interval 1e300":       {forever(`,"pollIntervalMs":1e300`), 50, time.Minute, "50 polls"},
		"poll interval a text":      {forever(`,"pollIntervalMs":"now"`), 50, time.Minute, "50 polls"},
		"poll interval 1 ms":        {forever(`,"pollIntervalMs":1`), 50, 20 * time.Second, "50 polls"},
		"poll interval an hour":     {forever(`,"pollIntervalMs":3600000`), 1, time.Hour + time.Minute, "after 1h0m"},
		"an unknown status":         {forever(`,"status":"running"`), 50, time.Minute, `still "running"`},
		"another id":                {forever(`,"taskId":"other"`), 50, time.Minute, "50 polls"},
		"no status":                 {[]string{`{"resultType":"complete","taskId":"t1"}`}, 3, time.Minute, "does not say how it is"},
		"a status that is a number": {[]string{`{"resultType":"complete","taskId":"t1","status":7}`}, 3, time.Minute, "does not say"},
		"a result that is a list":   {[]string{`[]`}, 3, time.Minute, "does not say"},
		"a result that is null":     {[]string{`null`}, 3, time.Minute, ""},
		"questions without end":     {asking, 6, time.Minute, "no more than 5 rounds"},
		"questions in a list":       {[]string{taskIs("input_required", `,"inputRequests":[1]`)}, 50, time.Minute, "50 polls"},
		"no questions":              {[]string{taskIs("input_required", ``)}, 50, time.Minute, "50 polls"},
		"an impossible question":    {[]string{taskIs("input_required", `,"inputRequests":{"a":{"method":"ping"}}`)}, 1, time.Minute, "no client can answer"},
		"a question that is a text": {[]string{taskIs("input_required", `,"inputRequests":{"a":"ping"}`)}, 1, time.Minute, "no client can answer"},
		"gone":                      {[]string{"!Task not found"}, 1, time.Minute, "-"},
		"ends, with nothing":        {[]string{taskIs("completed", "")}, 1, time.Minute, "-"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, now, _, took, err := followed(t, "stdio", Options{Ask: always(`{"action":"decline"}`, nil)}, FollowOptions{Polls: 50}, working(c.states...))
				defer shut(t, s)
				left, _ := errors.AsType[*TaskLeft](err)
				switch {
				case c.text == "-" && err != nil:
					t.Errorf("error %v", err)
				case c.text != "-" && (left == nil || left.ID != "t1" || !strings.Contains(left.Text, c.text)):
					t.Errorf("error %v, want %q", err, c.text)
				}
				if got := strings.Count(fmt.Sprint(now().methods()), mcp.TasksGet); got != c.polls {
					t.Errorf("%d polls, want %d", got, c.polls)
				}
				if took > c.most {
					t.Errorf("it took %s", took)
				}
				if left != nil && !strings.Contains(notes(s), "is not followed any more") {
					t.Errorf("the journal does not say it: %s", notes(s))
				}
			})
		})
	}
}

// A task without an id that can be named is said, not asked for.
func TestATaskWithoutAnID(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{Tasks: true}, modern(func(f *fake, m wire.Message) { f.result(m, `{"resultType":"task","taskId":7,"status":"working"}`) }))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		a, _ := s.CallTool(t.Context(), "slow", nil, CallOptions{})
		one, ok := s.TaskOf(a)
		if _, err := s.Follow(t.Context(), FollowOptions{Task: one}); !ok || err == nil || !strings.Contains(err.Error(), "no taskId") {
			t.Errorf("%v, %v", ok, err)
		}
		wantMethods(t, now(), mcp.Discover, mcp.ToolsCall)
	})
}

// A notification lets it be asked for at once, a flood of them not more often than the least interval; so does a person.
func TestATaskIsPolledEarlier(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hourly := taskIs("working", `,"pollIntervalMs":3600000`)
		states := working(hourly, hourly, hourly, taskDone)
		s, now, a, took, err := followed(t, "stdio", Options{}, FollowOptions{Resume: true}, func(f *fake, m wire.Message) {
			states(f, m)
			if m.Method == mcp.TasksGet {
				for range 100 {
					f.say(0, `{"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":"t1","status":"working"}}`)
					f.say(0, `{"jsonrpc":"2.0","method":"notifications/tasks","params":{"taskId":["other"]}}`)
				}
			}
		})
		if err != nil || !a.OK() || took != 3*task.Least {
			t.Errorf("%v after %s", err, took)
		}
		if got := strings.Count(fmt.Sprint(now().methods()), mcp.TasksGet); got != 4 {
			t.Errorf("%d polls", got)
		}
		shut(t, s)
	})
	synctest.Test(t, func(t *testing.T) {
		s, _, err := converse(t, "stdio", Options{}, working(taskIs("working", `,"pollIntervalMs":3600000`), taskDone))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		done := make(chan error)
		go func() {
			_, err := s.Follow(t.Context(), FollowOptions{Task: task.Task{ID: "t1"}, Resume: true})
			done <- err
		}()
		synctest.Wait()
		time.Sleep(time.Minute)
		if st := s.Tasks(); len(st) != 1 || st[0].Polls != 1 || time.Until(st[0].Next) != 59*time.Minute {
			t.Errorf("followed: %+v", st)
		}
		if _, err := s.Follow(t.Context(), FollowOptions{Task: task.Task{ID: "t1"}}); err == nil || !strings.Contains(err.Error(), "followed already") {
			t.Errorf("twice: %v", err)
		}
		if err := <-done; err != nil || s.PollTask("t1") {
			t.Errorf("%v", err)
		}
	})
}

// Ending a task is a wish: it is watched a while longer, then left.
func TestATaskIsCancelled(t *testing.T) {
	for _, goesOn := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			states := []string{taskIs("working", `,"pollIntervalMs":1000`), taskIs("working", `,"pollIntervalMs":1000`), taskIs("cancelled", "")}
			if goesOn {
				states = states[:2]
			}
			var s *Session
			var once bool
			see := func(st TaskState) {
				if st.Polls == 1 && !once {
					once = true
					go func() {
						if a, err := s.CancelTask(t.Context(), "t1", CallOptions{}); err != nil || !a.OK() {
							t.Errorf("cancelling: %v", err)
						}
					}()
				}
			}
			var err error
			s, _, err = converse(t, "stdio", Options{}, working(states...))
			if err != nil {
				t.Fatal(err)
			}
			defer shut(t, s)
			a, err := s.Follow(t.Context(), FollowOptions{Task: task.Task{ID: "t1"}, Resume: true, See: see})
			if !goesOn && (err != nil || task.Read(a.Result()).Status != task.Cancelled) || goesOn && (err == nil || !strings.Contains(err.Error(), "its end was asked for")) {
				t.Errorf("goes on %v: %v", goesOn, err)
			}
		})
	}
}

// The server dies at each step of a task: nothing hangs, and the id is told.
func TestATasksServerDiesAtEveryStep(t *testing.T) {
	ask := taskIs("input_required", `,"inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?"}}}`)
	for dies := 1; dies <= 5; dies++ {
		synctest.Test(t, func(t *testing.T) {
			states := working(taskIs("working", ""), ask, taskIs("working", ""), taskDone)
			n := 0
			s, now, _, _, err := followed(t, "stdio", Options{Ask: always(`{"action":"decline"}`, nil)}, FollowOptions{}, func(f *fake, m wire.Message) {
				if ofTasks(m.Method) {
					if n++; n == dies {
						f.exit(wire.Exit{Argv: []string{"fake"}, Code: 9})
						return
					}
				}
				states(f, m)
			})
			defer shut(t, s)
			if left, ok := errors.AsType[*TaskLeft](err); !ok || left.ID != "t1" {
				t.Errorf("died at step %d (%q): %v", dies, now().methods(), err)
			}
			if len(s.Pending()) != 0 || len(s.Tasks()) != 0 {
				t.Errorf("died at step %d: pending %v, followed %v", dies, s.Pending(), s.Tasks())
			}
		})
	}
}

// A connection that is brought back by itself does not end the following: what the new server says counts.
func TestATaskIsFollowedAcrossARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := 0
		states := working(taskIs("working", ""), taskDone)
		s, now, a, _, err := followed(t, "stdio", Options{Restarts: 3}, FollowOptions{}, func(f *fake, m wire.Message) {
			if m.Method == mcp.TasksGet {
				if n++; n == 2 {
					f.exit(wire.Exit{Argv: []string{"fake"}, Code: 9})
					return
				}
			}
			states(f, m)
		})
		defer shut(t, s)
		if err != nil || task.Read(a.Result()).Status != task.Completed {
			t.Errorf("%v: %s (%q)", err, a.Result().Raw(), now().methods())
		}
	})
}

// Interrupting the follower leaves the task alone.
func TestFollowingIsInterrupted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, working(taskIs("working", "")))
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
		defer cancel()
		_, err = s.Follow(ctx, FollowOptions{Task: task.Task{ID: "t1"}})
		if left, ok := errors.AsType[*TaskLeft](err); !ok || left.Status != task.Working || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
		if strings.Contains(fmt.Sprint(now().methods()), mcp.TasksCancel) {
			t.Error("the task was cancelled")
		}
	})
}

// A task of 2025-11-25: asked for where server and tool have them, and its result is fetched at the end.
func TestALegacyTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tools := `{"tools":[{"name":"slow","inputSchema":{"type":"object"},"execution":{"taskSupport":"optional"}},{"name":"quick","inputSchema":{"type":"object"}}]}`
		n := 0
		s, now, err := converse(t, "stdio", Options{Tasks: true}, func(f *fake, m wire.Message) {
			switch m.Method {
			case mcp.Discover:
				f.error(m, -32601, "Method not found")
			case mcp.Initialize:
				f.result(m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"old","version":"1"}}`)
			case mcp.ToolsList:
				f.result(m, tools)
			case mcp.ToolsCall:
				f.result(m, `{"task":{"taskId":"t1","status":"working","ttl":60000,"pollInterval":1000,"createdAt":"x","lastUpdatedAt":"x"}}`)
			case mcp.TasksGet:
				n++
				f.result(m, `{"taskId":"t1","status":"`+[]string{"working", "completed"}[n-1]+`","ttl":60000,"pollInterval":1000,"createdAt":"x","lastUpdatedAt":"x"}`)
			case mcp.TasksResult:
				f.result(m, `{"content":[{"type":"text","text":"done"}],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t1"}}}`)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		defer shut(t, s)
		if _, err := s.List(t.Context(), Tools, ListOptions{}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.CallTool(t.Context(), "quick", nil, CallOptions{}); err != nil {
			t.Fatal(err)
		}
		if m := now().last(); m.Params().Get("task").Exists() {
			t.Errorf("a tool without tasks was asked for one: %s", m.Body)
		}
		a, err := s.CallTool(t.Context(), "slow", []byte(`{"n":1.0}`), CallOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if m := now().last(); string(m.Params().Get("task").Raw()) != "{}" || string(m.Params().Get("arguments").Raw()) != `{"n":1.0}` {
			t.Errorf("sent %s", m.Body)
		}
		born, ok := s.TaskOf(a)
		if !ok || !born.Legacy {
			t.Fatalf("%+v", born)
		}
		a, err = s.Follow(t.Context(), FollowOptions{Task: born})
		if err != nil || a.Exchange.Method() != mcp.TasksResult || a.Result().Get("content").Len() != 1 {
			t.Errorf("%v: %s", err, a.Result().Raw())
		}
	})
}
