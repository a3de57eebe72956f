package app

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/session"
	"mcploupe/session/task"
	"mcploupe/session/wire"
	"mcploupe/ui/store"
)

// Of requests about tasks: the extension is declared.
const taskMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcploupe","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`

const (
	taskID  = "4c1f0d1e-7d32-4b1d-9b0a-6f0a4a1f0c55"
	askBody = `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":"Madrid"},` + taskMeta + `}}`
	newTask = `{"jsonrpc":"2.0","id":6,"result":{"resultType":"task","taskId":"` + taskID + `","status":"working","createdAt":"2026-11-30T12:00:00Z","lastUpdatedAt":"2026-11-30T12:00:00Z","ttlMs":null,"pollIntervalMs":5000,` + mine + `}}`
	askTask = "\n> " + askBody + "\n< " + newTask + "\n"
)

func taskSays(id int, status, more string) string {
	return fmt.Sprintf("\n> "+`{"jsonrpc":"2.0","id":%d,"method":"tasks/get","params":{"taskId":"%s",%s}}`+"\n< "+
		`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","taskId":"%s","status":"%s","createdAt":"2026-11-30T12:00:00Z","lastUpdatedAt":"2026-11-30T12:00:05Z","ttlMs":null,"pollIntervalMs":5000%s,%s}}`+"\n",
		id, taskID, taskMeta, id, taskID, status, more, mine)
}

// madeOf is an answer of the session.
func madeOf(request, reply string) session.Answer {
	r := wire.Read(1, time.Time{}, &wire.Frame{Dir: wire.Sent, Body: []byte(request)})
	a := wire.Read(2, time.Time{}, &wire.Frame{Dir: wire.Received, Body: []byte(reply)})
	return session.Answer{Exchange: wire.Exchange{Request: &r, Reply: &a, End: wire.Replied}}
}

// A call that becomes a task: the row counts down to the next poll, the pane shows how it is, and at the end what it brought.
func TestACallBecomesATask(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+lists, func(s *story) {
			steps, end := make(chan session.TaskState), make(chan session.Answer)
			s.fake.answer = func(what string) (session.Answer, error) {
				if strings.HasPrefix(what, "end") {
					return madeOf(askBody, `{"jsonrpc":"2.0","id":1,"result":{}}`), nil
				}
				s.say(askTask)
				return madeOf(askBody, newTask), nil
			}
			s.fake.follow = func(_ context.Context, o session.FollowOptions) (session.Answer, error) {
				for {
					select {
					case st := <-steps:
						o.See(st)
					case a := <-end:
						return a, nil
					}
				}
			}
			s.press("enter", "M", "a", "d", "r", "i", "d", "esc", "ctrl+b")
			s.asked("follow " + taskID + " get_weather resume=false")
			state := session.TaskState{Task: task.Task{ID: taskID, Status: task.Working}, Next: time.Now().Add(5 * time.Second)}
			steps <- state
			s.settle()
			s.fits()
			s.press("tab")
			s.sees("task ⧗ working", "asked again in 5s", "c end it")
			s.wait(2 * time.Second)
			s.sees("asked again in 3s")
			s.press("p")
			s.asked("poll " + taskID)
			for i := 7; i < 12; i++ {
				s.say(taskSays(i, "working", `,"statusMessage":"half \u001b[31mway"`))
			}
			s.settle()
			s.sees("half ␛[31mway", "5 polls", "task: working")
			s.press("5", "G")
			s.fits()
			s.sees("×5", "⧗")
			s.press("c")
			s.asked("end " + taskID)
			s.sees("up to the server")

			s.say(taskSays(12, "completed", `,"result":{"content":[{"type":"text","text":"{\"temp\":\"22\"}"}],"structuredContent":{"temp":"22"}}`))
			state.Task.Status, state.Next = task.Completed, time.Time{}
			steps <- state
			end <- session.Answer{}
			s.settle()
			s.press("2", "tab")
			s.sees("success, but output invalid", "task ✔ completed", "6 polls")
			s.press("tab")
			s.fits()
			s.press("]")
			s.sees("tool-error-output-invalid")
			s.press(">")
			s.sees("1 text", `{ "temp": "22" }`)
		})
	}
}

// What was left under way is offered, any id can be taken up, and why one is not followed any more is said.
func TestTasksAreTakenUpAgain(t *testing.T) {
	kept := store.OpenTasks(store.Options{Path: filepath.Join(t.TempDir(), "tasks.json"), Target: session.Target{URL: "http://x"}})
	kept.Keep(store.Task{ID: "left-over", Tool: "erase", Status: "working"})
	tellWith(t, 120, 36, opening+lists, Options{Tasks: kept}, func(s *story) {
		s.fake.follow = func(_ context.Context, o session.FollowOptions) (session.Answer, error) {
			return session.Answer{}, &session.TaskLeft{ID: o.Task.ID, Text: `it is still "working" after 1000 polls`}
		}
		s.press(":")
		s.typed("left-over")
		s.sees("task left-over erase", "working, left")
		s.fits()
		s.press("enter")
		s.asked("follow left-over erase resume=true")
		s.sees("is not followed any more", "after 1000 polls")

		s.press(":")
		s.typed("task  any-id")
		s.sees("task  any-id")
		s.press("enter")
		s.asked("follow any-id  resume=true")
		s.press(":")
		s.typed("take one up")
		s.press("enter")
		s.sees("/task")
		s.typed("x7")
		s.press("enter")
		s.asked("follow x7  resume=true")

		s.say(taskSays(9, "working", ""))
		s.settle()
		s.press("5", "G", "enter")
		s.sees("not followed", "p follows it")
		s.press("p")
		s.asked("follow " + taskID + "  resume=true")
		s.sees("after 1000 polls")
	})
}

// The extension is switched on for the session; a task that nobody asked for is not followed by itself.
func TestTasksAreSwitchedOn(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.press(":")
		s.typed("declare the tasks")
		s.press("enter")
		s.asked("declare tasks true")
		s.sees("calls declare the tasks extension from now on", "Tools 2 ⧗ as tasks")
		s.press("2", "enter", "esc", "ctrl+b")
		s.sees("every call declares the tasks extension already")
		bare := strings.Replace(askBody, `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`, `{}`, 1)
		s.fake.answer = func(string) (session.Answer, error) {
			s.say("\n> " + bare + "\n< " + newTask + "\n")
			return madeOf(bare, newTask), nil
		}
		s.press("2", "enter", "M", "esc", "ctrl+s")
		s.press("5", "G", "enter")
		s.sees("not followed: the call did not declare the extension", "p follows it")
	})
}

// A recorded journal tells of its tasks too, without a countdown and without anything to send.
func TestTasksOfARecordedJournal(t *testing.T) {
	log := wire.NewLog(wire.LogOptions{Now: time.Now})
	tellWith(t, 120, 36, "", Options{Log: log, Title: "x.jsonl"}, func(s *story) {
		s.log = log
		s.say(opening + lists + askTask + taskSays(7, "failed", `,"error":{"code":-32603,"message":"boom"}`))
		s.settle()
		s.press("G", "enter")
		s.sees("task ✖ failed", "protocol error: internal")
		s.press("p")
		s.sees("the task is over")
	})
}
