package demo

import (
	"strings"
	"testing"
	"time"
)

func TestASubscriptionHearsWhatItAskedFor(t *testing.T) {
	s, url := overHTTP(t, Options{})
	stream := open(t, url, strings.Replace(request(1, `subscriptions/listen {"notifications":{"toolsListChanged":true,"promptsListChanged":false,"resourceSubscriptions":["station://skerry/logbook"]}}`), `"id":1`, `"id":"sub-1"`, 1))
	ack := stream.event()
	want(t, ack, "/method", `"notifications/subscriptions/acknowledged"`)
	want(t, ack, "/params/notifications", `{"toolsListChanged":true,"resourceSubscriptions":["station://skerry/logbook"]}`)
	const id = "/params/_meta/io.modelcontextprotocol~1subscriptionId"
	want(t, ack, id, `"sub-1"`)

	for _, about := range []string{"prompts", "resources", "weather"} { // not for this one
		ask(t, s, `tools/call {"name":"ring_bell","arguments":{"about":"`+about+`"}}`)
	}
	ask(t, s, `tools/call {"name":"log_observation","arguments":{"sky":"clear"}}`)
	updated := stream.event()
	want(t, updated, "/method", `"notifications/resources/updated"`)
	want(t, updated, "/params/uri", `"station://skerry/logbook"`)
	want(t, updated, id, `"sub-1"`)
	s.Announce("tools")
	changed := stream.event()
	want(t, changed, "/method", `"notifications/tools/list_changed"`)
	want(t, changed, id, `"sub-1"`)
	s.Close()
	end := stream.event()
	want(t, end, "/id", `"sub-1"`)
	want(t, end, "/result/resultType", `"complete"`)
	want(t, end, "/result/_meta/io.modelcontextprotocol~1subscriptionId", `"sub-1"`)
}

func TestTheWeatherIsUpdatedWhileItIsWatched(t *testing.T) {
	_, url := overHTTP(t, Options{Tick: 5 * time.Millisecond})
	stream := open(t, url, request(1, `subscriptions/listen {"notifications":{"resourceSubscriptions":["station://skerry/weather"]}}`))
	stream.event()
	for range 3 {
		m := stream.event()
		want(t, m, "/method", `"notifications/resources/updated"`)
		want(t, m, "/params/uri", `"station://skerry/weather"`)
	}
}

func TestACancelledSubscriptionIsSilent(t *testing.T) {
	p := overPipes(t, Options{})
	p.send(request(1, askListen))
	want(t, p.message(), "/method", `"notifications/subscriptions/acknowledged"`)
	p.send(request(2, `tools/call {"name":"ring_bell","arguments":{"about":"tools"}}`))
	seen := map[string]bool{}
	for range 2 { // the announcement and the answer, in either order
		m := p.message()
		seen[m.Get("method").Text()+string(m.Get("id").Raw())] = true
	}
	if !seen["notifications/tools/list_changed"] || !seen["2"] {
		t.Errorf("heard %v", seen)
	}
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	p.send(request(3, `tools/call {"name":"ring_bell","arguments":{"about":"tools"}}`))
	want(t, p.message(), "/id", "3")
	if err := p.close(); err != nil {
		t.Fatal(err)
	}
	if line := p.next(); line != "" {
		t.Errorf("after the cancellation: %q", line)
	}
}

func TestAListenerThatSleepsIsNotBuriedInEvents(t *testing.T) {
	l := newListener()
	l.wants["x"] = true
	l.uris = []string{"a", "b"}
	for range 1000 {
		l.push(event{method: "x", uri: ""})
		l.push(event{method: "y", uri: ""})
		l.push(event{method: "u", uri: "a"})
		l.push(event{method: "u", uri: "c"})
	}
	if q := l.take(); len(q) != 2 {
		t.Errorf("%d events wait: %v", len(q), q)
	}
}

func TestSubscriptionsNeedAFilter(t *testing.T) {
	want(t, ask(t, New(Options{}), "subscriptions/listen"), "/error/code", "-32602")
}

func TestHangingAnInstrumentOutsideChangesTheTools(t *testing.T) {
	s, url := overHTTP(t, Options{PageSize: 100})
	stream := open(t, url, request(1, askListen))
	stream.event()
	tools := func() string {
		return string(ask(t, s, "tools/list").Get("result").Get("tools").Raw())
	}
	hang := func(more string) {
		ask(t, s, `tools/call {"name":"hang_instrument","arguments":{"instrument":"hygrometer"`+more+`}}`)
	}
	hang("")
	want(t, stream.event(), "/method", `"notifications/tools/list_changed"`)
	if !strings.Contains(tools(), `"outside_hygrometer"`) {
		t.Error("it is not listed")
	}
	if r := ask(t, s, `tools/call {"name":"outside_hygrometer"}`); !strings.Contains(string(r.Raw()), "hygrometer: ") {
		t.Errorf("reading it: %s", r.Raw())
	}
	hang("") // it hangs there already: nobody is told
	hang(`,"takeIn":true`)
	want(t, stream.event(), "/method", `"notifications/tools/list_changed"`)
	if strings.Contains(tools(), `"outside_hygrometer"`) {
		t.Error("it is still listed")
	}
	want(t, ask(t, s, `tools/call {"name":"outside_hygrometer"}`), "/result/isError", "true")
}

func TestAtClosingTimeEverySubscriptionEnds(t *testing.T) {
	s, url := overHTTP(t, Options{})
	one, two := open(t, url, request(1, askListen)), open(t, url, request(2, askListen))
	one.event()
	two.event()
	r := ask(t, s, `tools/call {"name":"ring_bell","arguments":{"about":"closing time"}}`)
	if !strings.Contains(string(r.Raw()), "that end: 2") {
		t.Errorf("%s", r.Raw())
	}
	want(t, one.event(), "/result/resultType", `"complete"`)
	want(t, two.event(), "/result/resultType", `"complete"`)
	ask(t, s, `tools/call {"name":"ring_bell","arguments":{"about":"closing time"}}`) // nobody listens: no harm
}

func TestALegacyClientIsToldOfTheWeather(t *testing.T) {
	p := overPipes(t, Options{Era: Legacy, Tick: 5 * time.Millisecond})
	p.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	want(t, p.message(), "/id", "1")
	p.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	p.send(`{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"station://skerry/weather"}}`)
	want(t, p.message(), "/id", "2")
	want(t, p.message(), "/params/uri", `"station://skerry/weather"`)
	if err := p.close(); err != nil {
		t.Fatal(err)
	}
}
