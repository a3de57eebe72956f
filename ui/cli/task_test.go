package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcploupe/session/demo"
	"mcploupe/session/wire"
)

// lighthouse is a demo server over HTTP, which keeps its tasks from one command to the next.
func lighthouse(t *testing.T) string {
	t.Helper()
	s := demo.New(demo.Options{Era: demo.Both})
	server := httptest.NewServer(s.Handler())
	t.Cleanup(func() { s.Close(); server.Close() })
	return server.URL + "/mcp"
}

func landing(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(path, []byte(`{"land-at-nine-isles":{"action":"accept","content":{"land":true}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A call becomes a task, asks, is answered, and ends with the verdict of the call, over either transport.
func TestCallAsATask(t *testing.T) {
	t.Parallel()
	targets := map[string][]string{"stdio": childArgv(t, "child:demo"), "http": {lighthouse(t)}}
	for name, target := range targets {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			survey := func(flags ...string) result {
				words := append([]string{"call", "survey_coast", "--task", "--arg", "legs=2", "--arg", "legMs=100"}, flags...)
				return program(t, append(words, target...)...)
			}
			r := survey("--answers", landing(t), "--output", "structured")
			if r.code != 0 || r.out != `{"legs":2,"landed":true,"soundings":[8.0,15.3]}`+"\n" {
				t.Fatal(r)
			}
			for _, want := range []string{"was answered with the task ", "task working: leg 1 of 2", "task input_required", "Shall we land?", "accept by land-at-nine-isles", "task completed: The boat is back.", "success"} {
				if !strings.Contains(r.err, want) {
					t.Errorf("no %q in %s", want, r.err)
				}
			}
			lines, sum := contract(t, survey("--json", "--arg", "ask=false").out)
			var steps, polls int
			for _, l := range lines {
				if l.Type == "task" {
					steps++
				} else if *l.Method == "tasks/get" {
					polls++
				}
			}
			if steps < 2 || polls < 1 || sum.Count.Must != 0 {
				t.Errorf("%d steps, %d polls, %+v", steps, polls, sum.Count)
			}
		})
	}
}

// The exit code is that of the call which the task runs.
func TestHowATaskEnds(t *testing.T) {
	t.Parallel()
	url := lighthouse(t)
	for ends, want := range map[string]struct {
		code int
		text string
	}{"safe": {0, "success"}, "aground": {1, "tool error: execution failure"}, "lost": {1, "protocol error: internal"}} {
		r := program(t, "call", "survey_coast", "--task", "--arg", "legs=1", "--arg", "legMs=100", "--arg", "ask=false", "--arg", "ends="+ends, url)
		if r.code != want.code || !strings.Contains(r.out, want.text) {
			t.Errorf("%s: %s", ends, r)
		}
	}
	if r := program(t, "call", "survey_coast", "--arg", "overnight=true", url); r.code != 1 || !strings.Contains(r.out, "-32021") {
		t.Errorf("without the extension: %s", r)
	}
}

// A task is left and taken up again by its id, asked for, answered by hand and ended.
func TestATaskIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	url := lighthouse(t)
	r := program(t, "call", "survey_coast", "--task", "--for", "20ms", "--arg", "legMs=200", "--arg", "legs=4", url)
	resume := regexp.MustCompile(`mcploupe task wait (\S+) ` + regexp.QuoteMeta(url)).FindStringSubmatch(r.err)
	if r.code != exitTransport || resume == nil || !strings.Contains(r.err, "is not followed any more") {
		t.Fatal(r)
	}
	id := resume[1]
	if r := program(t, "task", "get", id, url); r.code != 0 || !strings.Contains(r.out, "task: working") {
		t.Error(r)
	}
	until(t, "it asks", func() bool { return strings.Contains(program(t, "task", "get", id, url).out, "input_required") })
	if r := program(t, "task", "get", id, url); r.code != 0 || !strings.Contains(r.out, "asks for input") {
		t.Error(r)
	}
	if r := program(t, "task", "update", id, url); r.code != exitUsage || !strings.Contains(r.err, "--responses") {
		t.Error(r)
	}
	if r := program(t, "task", "update", id, "--responses", `{"land-at-nine-isles":{"action":"accept","content":{"land":true}}}`, url); r.code != 0 || strings.Contains(r.out, "invalid") {
		t.Error(r)
	}
	if r := program(t, "task", "wait", id, "--output", "structured", url); r.code != 0 || !strings.Contains(r.out, `"landed":true`) {
		t.Error(r)
	}
	if r := program(t, "task", "wait", "nope", url); r.code != 1 || !strings.Contains(r.out, "-32602") || r.took > 25*time.Second {
		t.Error(r)
	}

	r = program(t, "call", "survey_coast", "--task", "--for", "10ms", "--arg", "legMs=5000", url)
	id = regexp.MustCompile(`task wait (\S+)`).FindStringSubmatch(r.err)[1]
	if r := program(t, "task", "cancel", id, url); r.code != 0 || !strings.Contains(r.out, "success") {
		t.Error(r)
	}
	if r := program(t, "task", "wait", id, url); r.code != 1 || !strings.Contains(r.out, "task: cancelled") {
		t.Error(r)
	}
}

// Tasks that were left are known to the next run, until they end.
func TestLeftTasksAreKept(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", t.TempDir())
	url := lighthouse(t)
	if r := program(t, "task", "list", url); r.code != 0 || r.out != "" || !strings.Contains(r.err, "no task") {
		t.Error(r)
	}
	r := program(t, "call", "survey_coast", "--task", "--for", "10ms", "--arg", "ask=false", "--arg", "legs=2", "--arg", "legMs=100", url)
	id := regexp.MustCompile(`task wait (\S+)`).FindStringSubmatch(r.err)[1]
	if r := program(t, "task", "list", url); !strings.HasPrefix(r.out, id+"  survey_coast  working  ") {
		t.Error(r)
	}
	if r := program(t, "task", "list", "--json", url); !strings.HasPrefix(r.out, `{"type":"task","taskId":"`+id+`","tool":"survey_coast","status":"working","at":"`) {
		t.Error(r)
	}
	if r := program(t, "task", "wait", id, url); r.code != 0 {
		t.Error(r)
	}
	if r := program(t, "task", "list", url); r.out != "" {
		t.Error(r)
	}
}

// The server goes away at each step of a task, over a real connection: the command ends, and says how to take the task up.
func TestATasksServerGoesAway(t *testing.T) {
	t.Parallel()
	for dies := 1; dies <= 3; dies++ {
		t.Run(fmt.Sprint("at step ", dies), func(t *testing.T) {
			t.Parallel()
			s := demo.New(demo.Options{})
			var steps atomic.Int32
			real := s.Handler()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(r.Header.Get("Mcp-Method"), "tasks/") && int(steps.Add(1)) >= dies {
					panic(http.ErrAbortHandler)
				}
				real.ServeHTTP(w, r)
			}))
			defer server.Close()
			defer s.Close()
			url := server.URL + "/mcp"
			r := program(t, "call", "survey_coast", "--task", "--arg", "legs=2", "--arg", "legMs=100", "--answers", landing(t), url)
			if r.code != exitTransport || !strings.Contains(r.err, "is not followed any more") || !strings.Contains(r.err, "mcploupe task wait ") {
				t.Error(r)
			}
		})
	}
}

// A question that nobody can answer leaves the task, not the server, and a task of 2025-11-25 is followed too.
func TestLeftAndLegacyTasks(t *testing.T) {
	t.Parallel()
	url := lighthouse(t)
	answers := filepath.Join(t.TempDir(), "answers.json")
	if err := os.WriteFile(answers, []byte(`{"*":{"action":"accept","content":{"land":"perhaps"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	r := program(t, "call", "survey_coast", "--task", "--answers", answers, "--arg", "legs=2", "--arg", "legMs=100", url)
	if r.code != 1 || !strings.Contains(r.err, "tasks/update was answered with an error") || !strings.Contains(r.err, "task wait") {
		t.Error(r)
	}
	journal := filepath.Join(t.TempDir(), "journal.jsonl")
	r = program(t, "call", "survey_coast", "--task", "--era", "legacy", "--record", journal, "--arg", "legs=2", "--arg", "legMs=100", url)
	if r.code != 0 || !strings.Contains(r.out, "success") || !strings.Contains(r.err, "was answered with the task") {
		t.Error(r)
	}
	file, err := os.Open(journal)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	entries, _, err := wire.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	var methods []string
	for _, e := range entries {
		if e.Frame != nil && e.Frame.Dir == wire.Sent {
			methods = append(methods, wire.Read(e.Seq, e.At, e.Frame).Method)
		}
	}
	if got := strings.Join(methods, " "); !strings.Contains(got, "tools/call tasks/get") || !strings.Contains(got, "tasks/result") {
		t.Errorf("sent %s", got)
	}
}
