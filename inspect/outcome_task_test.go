package inspect

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const weatherTask = `= client {"extensions":{"io.modelcontextprotocol/tasks":{}}}
` + weather + `> tools/call {"name":"weather","arguments":{"city":"Bonn"}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"task","taskId":"4c1f0d1e-7d32-4b1d-9b0a-6f0a4a1f0c55","status":"working","createdAt":"2026-08-03T09:00:00Z","lastUpdatedAt":"2026-08-03T09:00:00Z","ttlMs":null}}
> tasks/get {"taskId":"4c1f0d1e-7d32-4b1d-9b0a-6f0a4a1f0c55"}
`

func taskTold(status, more string) string {
	return `< complete {"taskId":"4c1f0d1e-7d32-4b1d-9b0a-6f0a4a1f0c55","status":` + status + `,"createdAt":"2026-08-03T09:00:00Z","lastUpdatedAt":"2026-08-03T09:00:00Z","ttlMs":null` + more + `}`
}

// What a finished task brings is judged as the answer to the call that it ran.
func TestOutcomeOfTasks(t *testing.T) {
	result := func(s string) string { return taskTold(`"completed"`, `,"result":`+s) }
	for _, c := range []struct{ name, answer, want string }{
		{"working", taskTold(`"working"`, ""), "task/working certain"},
		{"cancelled", taskTold(`"cancelled"`, ""), "task/cancelled certain"},
		{"asks", taskTold(`"input_required"`, `,"inputRequests":{"a":{"method":"roots/list"}}`), "input-required/ certain"},
		{"no such status", taskTold(`"running"`, ""), "invalid/shape certain"},
		{"no status", taskTold(`7`, ""), "invalid/shape certain"},
		{"good", result(`{"content":[{"type":"text","text":"{\"t\":20}"}],"structuredContent":{"t":20}}`), "success/ certain conforms/conforms"},
		{"bad output", result(`{"content":[{"type":"text","text":"{\"t\":\"20\"}"}],"structuredContent":{"t":"20"}}`), "success/output-validation certain deviates/deviates"},
		{"no output", result(`{"content":[{"type":"text","text":"20"}]}`), "success/output-missing certain deviates/deviates"},
		{"a tool error", result(`{"isError":true,"content":[{"type":"text","text":"The station does not answer"}]}`), "tool-error/execution likely conforms/conforms"},
		{"no content", result(`{"structuredContent":{"t":20}}`), "invalid/shape certain"},
		{"a result that is a text", result(`"20"`), "invalid/shape certain"},
		{"no result", taskTold(`"completed"`, ""), "invalid/shape certain"},
		{"failed", taskTold(`"failed"`, `,"error":{"code":-32603,"message":"boom"}`), "protocol-error/internal guess deviates/deviates"},
		{"failed without error", taskTold(`"failed"`, `,"result":{"content":[]}`), "invalid/shape certain"},
		{"an error of tasks/get itself", `< error {"code":-32602,"message":"Task not found"}`, "protocol-error/invalid-params certain"},
	} {
		v := judgeScript(t, ProfileDefault, weatherTask+c.answer)
		got := fmt.Sprintf("%s/%s %s", v.Outcome.Class, v.Outcome.Kind, v.Outcome.Confidence)
		if v.Outcome.Published != "" {
			got += " " + v.Outcome.Published + "/" + v.Outcome.SEP2145
		}
		if got != c.want {
			t.Errorf("%s: %s (%q), want %s", c.name, got, v.Outcome.Evidence, c.want)
		}
	}
}

// The rules about a tool's result point into the task that brought it.
func TestFindingsInsideATask(t *testing.T) {
	v := judgeScript(t, ProfileDefault, weatherTask+taskTold(`"completed"`, `,"result":{"content":[{"type":"text"}],"structuredContent":{"t":"20"}}`))
	var got []string
	for _, f := range v.Findings {
		got = append(got, f.Rule.ID+" "+string(f.At.Path))
	}
	for _, want := range []string{"tool-error-output-invalid /result/result/structuredContent/t", "content-text-shape /result/result/content/0"} {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("no %s in %q", want, got)
		}
	}
	if len(v.Broken) != 0 {
		t.Errorf("broken %q", v.Broken)
	}
}

// A task that was taken up again by its id is judged without what is not known.
func TestOutcomeOfATaskThatWasNotSeenToBegin(t *testing.T) {
	const get = `= client {"extensions":{"io.modelcontextprotocol/tasks":{}}}
> tasks/get {"taskId":"4c1f0d1e-7d32-4b1d-9b0a-6f0a4a1f0c55"}
`
	for payload, want := range map[string]string{
		`,"result":{"content":[],"structuredContent":{"t":"x"}}`:                    "success/",
		`,"result":{"content":[{"type":"text","text":"no"}],"isError":true}`:        "tool-error/execution",
		`,"result":{"contents":[]}`:                                                 "invalid/shape",
		`,"result":{"content":[{"type":"text","text":"ok"}],"isError":"certainly"}`: "invalid/shape",
	} {
		v := judgeScript(t, ProfileDefault, get+taskTold(`"completed"`, payload))
		if got := string(v.Outcome.Class) + "/" + v.Outcome.Kind; got != want {
			t.Errorf("%s: %s, want %s", payload, got, want)
		}
	}
}

// A task of 2025-11-25 is one where it was asked for; its result comes by tasks/result.
func TestOutcomeOfLegacyTasks(t *testing.T) {
	const begin = `= era 2025-11-25
= declare {"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}}
` + weather
	call := `> tools/call {"name":"weather","arguments":{"city":"Bonn"},"task":{}}
< result {"task":{"taskId":"a","status":"working","createdAt":"2026-08-03T09:00:00Z","lastUpdatedAt":"2026-08-03T09:00:00Z","ttl":null}}
`
	for name, c := range map[string]struct{ script, want string }{
		"created":   {call, "task/"},
		"unasked":   {strings.Replace(call, `,"task":{}`, "", 1), "invalid/shape"},
		"completed": {call + "> tasks/get {\"taskId\":\"a\"}\n" + `< result {"taskId":"a","status":"completed","createdAt":"x","lastUpdatedAt":"x","ttl":null}`, "task/completed"},
		"result":    {call + "> tasks/result {\"taskId\":\"a\"}\n" + `< result {"content":[{"type":"text","text":"20"}],"structuredContent":{"t":"20"}}`, "success/output-validation"},
		"error":     {call + "> tasks/result {\"taskId\":\"a\"}\n" + `< result {"content":[{"type":"text","text":"Weather is out"}],"isError":true}`, "tool-error/execution"},
	} {
		v := judgeScript(t, ProfileDefault, begin+c.script)
		if got := string(v.Outcome.Class) + "/" + v.Outcome.Kind; got != c.want {
			t.Errorf("%s: %s (%q), want %s", name, got, v.Outcome.Evidence, c.want)
		}
	}
}
