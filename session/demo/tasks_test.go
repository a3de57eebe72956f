package demo

import (
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
)

// clock is a clock that a test moves.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// survey begins a task and gives its id and a question about it.
func survey(t *testing.T, args string) (s *Server, c *clock, ask2 func(short string) jsondoc.Value) {
	t.Helper()
	c = &clock{t: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	s = New(Options{Now: c.now})
	made := ask(t, s, `tasks tools/call {"name":"survey_coast","arguments":`+args+`}`)
	want(t, made, "/result/resultType", `"task"`)
	want(t, made, "/result/status", `"working"`)
	id := at(t, made, "/result/taskId").Text()
	return s, c, func(short string) jsondoc.Value { return ask(t, s, strings.ReplaceAll(short, "ID", id)) }
}

func TestASurveyIsATask(t *testing.T) {
	_, c, ask := survey(t, `{"legs":4,"legMs":1000}`)
	get := func() jsondoc.Value { return ask(`tasks tasks/get {"taskId":"ID"}`) }
	one := get()
	want(t, one, "/result/resultType", `"complete"`)
	want(t, one, "/result/statusMessage", `"leg 1 of 4"`)
	want(t, one, "/result/createdAt", `"2026-11-30T12:00:00.000Z"`)
	want(t, one, "/result/ttlMs", "600000")
	want(t, one, "/result/pollIntervalMs", "1000")
	c.pass(2 * time.Second)
	asks := get()
	want(t, asks, "/result/status", `"input_required"`)
	want(t, asks, "/result/inputRequests/land-at-nine-isles/method", `"elicitation/create"`)
	c.pass(time.Minute)
	want(t, ask(`tasks tasks/update {"taskId":"ID","inputResponses":{"never-asked":{}}}`), "/result/resultType", `"complete"`)
	want(t, get(), "/result/status", `"input_required"`)
	update := ask(`tasks tasks/update {"taskId":"ID","inputResponses":{"land-at-nine-isles":{"action":"accept","content":{"land":true}}}}`)
	if r := update.Get("result"); r.Len() != 2 || r.Get("_meta").Len() != 1 {
		t.Errorf("no empty acknowledgment: %s", r.Raw())
	}
	want(t, get(), "/result/statusMessage", `"leg 3 of 4"`)
	c.pass(1999 * time.Millisecond)
	want(t, get(), "/result/statusMessage", `"leg 4 of 4"`)
	c.pass(time.Millisecond)
	end := get()
	want(t, end, "/result/status", `"completed"`)
	want(t, end, "/result/result/structuredContent/landed", "true")
	want(t, end, "/result/lastUpdatedAt", `"2026-11-30T12:01:04.000Z"`)
	want(t, ask(`tasks tasks/cancel {"taskId":"ID"}`), "/result/resultType", `"complete"`)
	c.pass(time.Minute)
	if again := get(); string(again.Get("result").Raw()) != string(end.Get("result").Raw()) {
		t.Errorf("a task that is over changed: %s", again.Get("result").Raw())
	}
	c.pass(10 * time.Minute)
	want(t, get(), "/error/code", "-32602")
}

func TestHowASurveyCanEnd(t *testing.T) {
	for ends, check := range map[string][3]string{
		"safe":    {`"completed"`, "/result/result/structuredContent/landed", "false"},
		"aground": {`"completed"`, "/result/result/isError", "true"},
		"lost":    {`"failed"`, "/result/error/code", "-32603"},
	} {
		_, c, ask := survey(t, `{"legs":2,"legMs":1000,"ask":false,"ends":"`+ends+`"}`)
		c.pass(2 * time.Second)
		end := ask(`tasks tasks/get {"taskId":"ID"}`)
		want(t, end, "/result/status", check[0])
		want(t, end, check[1], check[2])
	}
	_, c, ask := survey(t, `{}`)
	c.pass(time.Second)
	want(t, ask(`tasks tasks/cancel {"taskId":"ID"}`), "/result/resultType", `"complete"`)
	want(t, ask(`tasks tasks/get {"taskId":"ID"}`), "/result/status", `"cancelled"`)
}

// Without the extension there is no task and no word about one.
func TestTasksNeedTheirExtension(t *testing.T) {
	s, _, about := survey(t, `{}`)
	for _, short := range []string{`tasks/get {"taskId":"ID"}`, `tasks/update {"taskId":"ID","inputResponses":{}}`, `tasks/cancel {"taskId":"ID"}`, `subscriptions/listen {"notifications":{"taskIds":["ID"]}}`, `tools/call {"name":"survey_coast","arguments":{"overnight":true}}`} {
		r := about(short)
		want(t, r, "/error/code", "-32021")
		want(t, r, "/error/data/requiredCapabilities", `{"extensions":{"io.modelcontextprotocol/tasks":{}}}`)
	}
	r := ask(t, s, `tools/call {"name":"survey_coast","arguments":{"legs":1,"legMs":10}}`)
	want(t, r, "/result/resultType", `"complete"`)
	want(t, r, "/result/structuredContent/legs", "1")
	for _, short := range []string{`tasks tasks/get {"taskId":"nope"}`, `tasks tasks/get {"taskId":7}`, `tasks tasks/update {"taskId":"nope","inputResponses":{}}`, `tasks tasks/update {"taskId":"ID"}`} {
		want(t, about(short), "/error/code", "-32602")
	}
	want(t, ask(t, s, `tasks tasks/result {"taskId":"nope"}`), "/error/code", "-32601")
	want(t, ask(t, s, `server/discover`), "/result/capabilities/extensions", `{"io.modelcontextprotocol/tasks":{}}`)
}

// A subscription brings the states of its tasks, whole and tagged; HTTP repeats the id in Mcp-Name.
func TestASubscriptionHearsOfItsTasks(t *testing.T) {
	s, url := overHTTP(t, Options{})
	made := ask(t, s, `tasks tools/call {"name":"survey_coast","arguments":{"legs":2,"legMs":100,"ask":false}}`)
	id := at(t, made, "/result/taskId").Text()
	stream := open(t, url, request(1, `tasks subscriptions/listen {"notifications":{"taskIds":["`+id+`","nope"]}}`))
	want(t, stream.event(), "/params/notifications", `{"taskIds":["`+id+`"]}`)
	for _, status := range []string{`"working"`, `"working"`, `"completed"`} {
		m := stream.event()
		want(t, m, "/method", `"notifications/tasks"`)
		if got := string(at(t, m, "/params/status").Raw()); got != status {
			if got != `"completed"` {
				t.Errorf("%s, want %s", got, status)
			}
			break // a slow machine missed a leg
		}
		want(t, m, "/params/_meta/io.modelcontextprotocol~1subscriptionId", "1")
	}
	get := request(2, `tasks tasks/get {"taskId":"`+id+`"}`)
	if a := post(t, url, get); a.status != 200 {
		t.Errorf("HTTP %d: %s", a.status, a.body)
	}
	if a := post(t, url, get, "Mcp-Name: other"); a.status != 400 || !strings.Contains(a.body, "-32020") {
		t.Errorf("another Mcp-Name: HTTP %d: %s", a.status, a.body)
	}
}
