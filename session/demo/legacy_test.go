package demo

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
)

// old is the text of a legacy request: no _meta.
func old(id int, method, params string) string {
	if params == "" {
		params = "{}"
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)
}

func hello(revision string) string {
	return old(1, "initialize", `{"protocolVersion":"`+revision+`","capabilities":{"elicitation":{}},"clientInfo":{"name":"old","version":"1"}}`)
}

func TestALegacySessionOverPipes(t *testing.T) {
	for _, era := range []Era{Legacy, Both} {
		t.Run(era.String(), func(t *testing.T) {
			p := overPipes(t, Options{Era: era})
			p.send(old(1, "ping", ""))
			if era == Legacy {
				want(t, p.message(), "/result", "{}")
			} else {
				want(t, p.message(), "/error/code", "-32602") // no session yet: judged as a modern request
			}
			p.send(hello("2025-06-18"))
			m := p.message()
			want(t, m, "/result/protocolVersion", `"2025-06-18"`)
			want(t, m, "/result/serverInfo/name", `"skerry-light"`)
			p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			p.send(old(2, "tools/list", ""))
			list := p.message()
			for _, modern := range []string{"resultType", "ttlMs", "cacheScope", "_meta"} {
				if list.Get("result").Get(modern).Exists() {
					t.Errorf("a legacy result with %s", modern)
				}
			}
			if strings.Contains(string(list.Raw()), `"icons"`) {
				t.Error("icons came with 2025-11-25")
			}
			p.send(old(3, "resources/read", `{"uri":"station://skerry/nowhere"}`))
			want(t, p.message(), "/error/code", "-32002")
			p.send(old(4, "tools/call", `{"name":"no_such_tool"}`))
			want(t, p.message(), "/error/code", "-32602")

			p.send(old(5, "resources/subscribe", `{"uri":"station://skerry/logbook"}`))
			want(t, p.message(), "/result", "{}")
			p.send(old(6, "tools/call", `{"name":"log_observation"}`))
			question := p.message()
			want(t, question, "/method", `"elicitation/create"`)
			if question.Get("params").Get("mode").Exists() {
				t.Error("mode came with 2025-11-25")
			}
			p.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"sky":"gale"}}}`, at(t, question, "/id").Raw()))
			seen := map[string]bool{}
			for range 2 { // the update and the answer, in either order
				m := p.message()
				seen[m.Get("method").Text()+string(m.Get("id").Raw())] = true
			}
			if !seen["notifications/resources/updated"] || !seen["6"] {
				t.Errorf("heard %v", seen)
			}
			p.send(old(7, "resources/unsubscribe", `{"uri":"station://skerry/logbook"}`))
			want(t, p.message(), "/result", "{}")

			p.send(old(8, "logging/setLevel", `{"level":"info"}`))
			want(t, p.message(), "/result", "{}")
			p.send(old(9, "tools/call", `{"name":"tide_table"}`))
			want(t, p.message(), "/params/level", `"info"`)
			want(t, p.message(), "/id", "9")
			p.send(old(10, "logging/setLevel", `{"level":"loud"}`))
			want(t, p.message(), "/error/code", "-32602")
			p.send(old(11, "server/discover", ""))
			want(t, p.message(), "/error/code", "-32601")

			p.send(request(12, "server/discover"))
			if era == Both {
				want(t, p.message(), "/result/resultType", `"complete"`) // the other era, over the same pipes
			} else {
				want(t, p.message(), "/error/code", "-32601")
			}
			if err := p.close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestAVersionThatNobodyKnowsGetsTheNewestLegacyOne(t *testing.T) {
	p := overPipes(t, Options{Era: Legacy})
	p.send(hello("1999-01-01"))
	want(t, p.message(), "/result/protocolVersion", `"2025-11-25"`)
}

func TestALegacyServerRefusesToBeginWithoutInitialize(t *testing.T) {
	p := overPipes(t, Options{Era: Legacy})
	p.send(request(1, "server/discover"))
	want(t, p.message(), "/error/code", "-32601")
	p.send(old(2, "tools/list", ""))
	want(t, p.message(), "/error/code", "-32600")
}

func TestALegacySessionOverHTTP(t *testing.T) {
	s, url := overHTTP(t, Options{Era: Both})
	plain := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	say := func(text string, changes ...string) answer {
		return send(t, "POST", url, text, plain.Clone(), changes...)
	}

	if got := say(old(1, "tools/list", ""), "MCP-Protocol-Version: 2025-11-25"); got.status != 400 {
		t.Errorf("without a session: %s", got)
	}
	first := say(hello("2025-11-25"))
	id := first.header.Get("Mcp-Session-Id")
	if first.status != 200 || id == "" {
		t.Fatalf("initialize: %s", first)
	}
	want(t, first.json(t), "/result/protocolVersion", `"2025-11-25"`)
	session := []string{"Mcp-Session-Id: " + id, "MCP-Protocol-Version: 2025-11-25"}
	if got := say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, session...); got.status != 202 {
		t.Errorf("initialized: %s", got)
	}
	got := say(old(2, "tools/list", ""), session...)
	at(t, got.json(t), "/result/tools")
	if got.header.Get("Mcp-Session-Id") != "" {
		t.Errorf("the session id again: %s", got)
	}
	if got := say(old(3, "no/such/method", ""), session...); got.status != 200 {
		t.Errorf("a legacy unknown method: %s", got)
	}
	if got := say(old(3, "tools/list", ""), session[0], "MCP-Protocol-Version: 1900-01-01"); got.status != 400 {
		t.Errorf("a version that cannot be: %s", got)
	}
	if got := say(old(3, "tools/list", ""), "Mcp-Session-Id: nobody"); got.status != 404 {
		t.Errorf("a session that is not: %s", got)
	}

	events := opened(t, "GET", url, "", http.Header{"Accept": {"text/event-stream"}}, session...)
	s.Announce("prompts")
	m := events.event()
	want(t, m, "/method", `"notifications/prompts/list_changed"`)
	if m.Get("params").Exists() {
		t.Errorf("a legacy notification with %s", m.Get("params").Raw())
	}

	asking := opened(t, "POST", url, old(4, "tools/call", `{"name":"log_observation"}`), plain.Clone(), session...)
	question := asking.event()
	want(t, question, "/params/mode", `"form"`)
	reply := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"decline"}}`, at(t, question, "/id").Raw())
	if got := say(reply, session...); got.status != 202 {
		t.Errorf("the answer: %s", got)
	}
	want(t, asking.event(), "/id", "4")

	if got := say(request(5, "server/discover"), "MCP-Protocol-Version: 2026-07-28", "Mcp-Method: server/discover"); got.status != 200 || got.header.Get("Mcp-Session-Id") != "" {
		t.Errorf("the modern era beside it: %s", got)
	}
	for _, status := range []int{204, 404} {
		if got := send(t, "DELETE", url, "", nil, session...); got.status != status {
			t.Errorf("DELETE: want %d, got %s", status, got)
		}
	}
	if rest, err := io.ReadAll(events.r); err != nil || strings.TrimSpace(string(rest)) != "" {
		t.Errorf("the stream after its session: %v %q", err, rest)
	}
	if got := say(old(6, "tools/list", ""), session...); got.status != 404 {
		t.Errorf("after the end: %s", got)
	}
	if got := send(t, "GET", url, "", http.Header{"Accept": {"text/event-stream"}}, session...); got.status != 404 {
		t.Errorf("GET after the end: %s", got)
	}
	if got := send(t, "GET", url, "", http.Header{"Accept": {"text/event-stream"}}); got.status != 405 {
		t.Errorf("GET without a session: %s", got)
	}
}

func TestForgottenSessionsAreBounded(t *testing.T) {
	var all sessions
	first := newSession()
	all.add(first, 3)
	for range 2 {
		if gone := all.add(newSession(), 3); gone != nil {
			t.Fatal("one gave way too early")
		}
	}
	if gone := all.add(newSession(), 3); gone != first || all.get(first.id) != nil || len(all.order) != 3 {
		t.Error("the oldest does not give way")
	}
	<-first.ended
	if all.end(first.id) {
		t.Error("it ends twice")
	}
	all.endAll()
	if len(all.byID)+len(all.order) != 0 {
		t.Error("some stay")
	}
}

func TestALegacyClientThatCannotBeAsked(t *testing.T) {
	p := overPipes(t, Options{Era: Legacy})
	p.send(old(1, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"old","version":"1"}}`))
	p.message()
	p.send(old(2, "tools/call", `{"name":"log_observation"}`))
	got := p.message()
	want(t, got, "/result/isError", "true")
	if text := jsondoc.Pointer("/result/content/0/text"); !strings.Contains(at(t, got, string(text)).Text(), "cannot ask") {
		t.Errorf("it says %s", got.Raw())
	}
}

// The tasks of 2025-11-25: asked for by the call, with a result of their own request.
func TestLegacyTasks(t *testing.T) {
	p := overPipes(t, Options{Era: Legacy})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	want(t, p.message(), "/result/capabilities/tasks/requests", `{"tools":{"call":{}}}`)
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"survey_coast","arguments":{"legs":1,"legMs":30},"task":{}}}`)
	made := p.message()
	id := at(t, made, "/result/task/taskId").Text()
	p.send(`{"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":"` + id + `"}}`)
	r := p.message()
	want(t, r, "/result/structuredContent/legs", "1")
	want(t, r, "/result/_meta/io.modelcontextprotocol~1related-task/taskId", `"`+id+`"`)
	p.send(`{"jsonrpc":"2.0","id":4,"method":"tasks/cancel","params":{"taskId":"` + id + `"}}`)
	want(t, p.message(), "/error/code", "-32602")
	p.send(`{"jsonrpc":"2.0","id":5,"method":"tasks/list"}`)
	want(t, p.message(), "/result/tasks/0/status", `"completed"`)
	if err := p.close(); err != nil {
		t.Fatal(err)
	}
}
