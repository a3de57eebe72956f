package demo

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image/png"
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
)

func calling(name, args string) string {
	return fmt.Sprintf(`tools/call {"name":%q,"arguments":%s}`, name, args)
}

// said is the text of a tool's result.
func said(t *testing.T, r jsondoc.Value) string {
	t.Helper()
	return at(t, r, "/result/content/0/text").Text()
}

func TestArgumentsAreChecked(t *testing.T) {
	s := New(Options{})
	alert := func(when string) string { return calling("set_alert", `{"name":"storm","when":`+when+`}`) }
	for _, c := range []struct{ send, says string }{
		{calling("get_weather", `{}`), "Invalid input: location is required"},
		{calling("get_weather", `{"location":7}`), "Invalid input: location must be a string"},
		{calling("get_weather", `{"location":""}`), "Invalid input: location must not be shorter than 1"},
		{calling("get_weather", `{"location":"   "}`), "Invalid input: location is blank"},
		{calling("get_weather", `{"location":"`+strings.Repeat("ø", 81)+`"}`), "Invalid input: location must not be longer than 80"},
		{calling("get_weather", `{"location":"x","units":"kelvin"}`), `Invalid input: units must be one of ["metric","imperial"]`},
		{calling("get_weather", `{"location":"x","days":15}`), "Invalid input: days must be at most 14"},
		{calling("get_weather", `{"location":"x","days":14.00000000000000000001}`), "Invalid input: days must be an integer"},
		{calling("get_weather", `{"location":"x","days":1e999999999}`), "Invalid input: days must be at least 1"},
		{calling("get_weather", `{"location":"x","wind":true}`), "Invalid input: wind is not known here"},
		{calling("tide_table", `{"date":"2026-7-1"}`), "Invalid input: date must look like"},
		{calling("tide_table", `{"date":"2026-02-30"}`), "Invalid input: date is no day of the calendar"},
		{calling("get_forecast", `{"region":"Amber Bay","style":{"brief":1}}`), "Invalid input: style.brief must be a boolean"},
		{alert(`{"measure":"wind"}`), "Invalid input: when must fit exactly one"},
		{alert(`{"measure":"wind","above":3,"by":1,"withinHours":2}`), "Invalid input: when must fit exactly one"},
		{alert(`{"all":[{"measure":"wind","above":3}]}`), "Invalid input: when must fit exactly one"},
		{calling("set_alert", `{"name":"x","when":{"measure":"wind","above":3},"notify":[{"by":"post","callsign":"LARK"}]}`), `Invalid input: notify[0].by must be "radio"`},
		{calling("set_alert", `{"name":"x","when":{"measure":"wind","above":3},"priority":"1"}`), "Invalid input: priority must be an integer or null"},
		{calling("delete_observation", `{"number":99}`), "There is no observation number 99"},
		{broken, "The hygrometer does not answer"},
	} {
		r := ask(t, s, c.send)
		want(t, r, "/result/isError", "true")
		if got := said(t, r); !strings.HasPrefix(got, c.says) {
			t.Errorf("%s\n says %q, want %q", c.send, got, c.says)
		}
	}
	for _, fine := range []string{
		calling("get_weather", `{"location":"x","days":14.0}`),
		alert(`{"measure":"pressure","by":-8,"withinHours":6}`),
		alert(`{"all":[{"measure":"wind","above":3},{"all":[{"measure":"rain","below":0.5},{"measure":"temperature","below":2}]}]}`),
		calling("set_alert", `{"name":"x","priority":null,"quiet":{"from":"22:00","to":"06:30"},"when":{"measure":"wind","above":3},"notify":[{"by":"radio","callsign":"LRK7"}]}`),
		calling("tide_table", `{"date":"2026-02-28"}`), calling("copy_log", `{}`), calling("export_readings", `{"rows":2}`),
	} {
		if r := ask(t, s, fine); r.Get("result").Get("isError").Exists() {
			t.Errorf("%s\n says %s", fine, said(t, r))
		}
	}
}

func TestUnknownToolsByBothTexts(t *testing.T) {
	r := ask(t, New(Options{}), unknown)
	want(t, r, "/result/isError", "true")
	if got := said(t, r); got != "Unknown tool: no_such_tool" {
		t.Errorf("it says %q", got)
	}
	r = ask(t, New(Options{Published: true}), unknown)
	want(t, r, "/error", `{"code":-32602,"message":"Unknown tool: no_such_tool"}`)
}

func TestStructuredOutputIsAlsoText(t *testing.T) {
	s := New(Options{Now: noon})
	for _, send := range []string{
		calling("get_weather", `{"location":"Nine Isles","units":"imperial","days":2}`),
		calling("set_alert", `{"name":"x","when":{"measure":"wind","above":3}}`),
		calling("export_readings", `{"rows":50,"instrument":"barometer"}`),
	} {
		r := ask(t, s, send)
		if got, data := said(t, r), string(at(t, r, "/result/structuredContent").Raw()); got != data {
			t.Errorf("%s\n text %s\n data %s", send, got, data)
		}
		again := ask(t, s, send)
		if !bytes.Equal(at(t, r, "/result").Raw(), at(t, again, "/result").Raw()) {
			t.Errorf("%s: another answer at the same moment", send)
		}
	}
}

func TestLargeResultsAreAsLargeAsAsked(t *testing.T) {
	s := New(Options{Now: noon})
	if rows := at(t, ask(t, s, calling("export_readings", `{"rows":50000}`)), "/result/structuredContent/rows").Len(); rows != 50_000 {
		t.Errorf("%d rows", rows)
	}
	text := said(t, ask(t, s, calling("copy_log", `{"kilobytes":5120}`)))
	lines := strings.Split(text, "\n")
	if len(text) != 5<<20 || len(lines) != 5<<20/80+1 || len(lines[0]) != 79 {
		t.Errorf("%d bytes in %d lines, the first of %d", len(text), len(lines), len(lines[0]))
	}
	if text := said(t, ask(t, s, calling("copy_log", `{"kilobytes":64,"shape":"line"}`))); len(text) != 64<<10 || strings.Contains(text, "\n") {
		t.Errorf("one line: %d bytes", len(text))
	}
}

func TestThePictureIsAPicture(t *testing.T) {
	r := ask(t, New(Options{Now: noon}), calling("draw_barograph", `{"hours":24,"width":100}`))
	data, err := base64.StdEncoding.DecodeString(at(t, r, "/result/content/0/data").Text())
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil || img.Bounds().Dx() != 100 {
		t.Errorf("%v %v", err, img.Bounds())
	}
}

// answered is log_observation called again with an answer.
func answered(state, responses string) string {
	return `tools/call {"name":"log_observation","requestState":` + state + `,"inputResponses":` + responses + `}`
}

func TestAQuestionAndItsAnswers(t *testing.T) {
	now := noon()
	s := New(Options{Now: func() time.Time { return now }})
	first := ask(t, s, ask1)
	want(t, first, "/result/resultType", `"input_required"`)
	state := string(at(t, first, "/result/requestState").Raw())
	for _, hint := range []string{"ttlMs", "cacheScope", "content"} {
		if first.Get("result").Get(hint).Exists() {
			t.Errorf("a question with %s", hint)
		}
	}
	for _, c := range []struct{ what, state, responses, pointer, raw string }{
		{"accepted", state, `{"observation":{"action":"accept","content":{"sky":"clear","fogSignal":true}},"inspector_extra":{}}`, "/result/content/0/text", `"Observation 4 is in the log book."`},
		{"declined", state, `{"observation":{"action":"decline"}}`, "/result/content/0/text", `"Nothing was written: the question was not answered."`},
		{"cancelled", state, `{"observation":{"action":"cancel"}}`, "/result/content/0/text", `"Nothing was written: the question was not answered."`},
		{"no answer in it", state, `{}`, "/result/resultType", `"input_required"`},
		{"half an answer", state, `{"observation":{"action":"accept","content":{}}}`, "/result/isError", "true"},
		{"a list", state, `[]`, "/error/code", "-32602"},
		{"maybe", state, `{"observation":{"action":"maybe"}}`, "/error/code", "-32602"},
		{"a state that was changed", strings.Replace(state, ".", "A.", 1), `{"observation":{"action":"decline"}}`, "/error/code", "-32602"},
		{"a state that is none", `{}`, `{"observation":{"action":"decline"}}`, "/error/code", "-32602"},
	} {
		t.Run(c.what, func(t *testing.T) { want(t, ask(t, s, answered(c.state, c.responses)), c.pointer, c.raw) })
	}
	t.Run("a state carried to another call", func(t *testing.T) {
		other := strings.Replace(answered(state, `{"observation":{"action":"decline"}}`), `"log_observation",`, `"log_observation","arguments":{"remark":"x"},`, 1)
		want(t, ask(t, s, other), "/error/code", "-32602")
	})
	t.Run("a state of another server", func(t *testing.T) {
		want(t, ask(t, New(Options{Now: noon}), answered(state, `{"observation":{"action":"decline"}}`)), "/error/code", "-32602")
	})
	t.Run("too late", func(t *testing.T) {
		now = now.Add(stateLife)
		want(t, ask(t, s, answered(state, `{"observation":{"action":"decline"}}`)), "/error/code", "-32602")
	})
	t.Run("a client that shows pages only", func(t *testing.T) {
		text := strings.Replace(request(7, ask1), `{"form":{}}`, `{"url":{}}`, 1)
		got := exchange(t, s, text)
		want(t, jsondoc.Parse([]byte(got[0])).Root(), "/error/code", "-32021")
	})
	book := at(t, ask(t, s, `resources/read {"uri":"station://skerry/logbook"}`), "/result/contents/0/text").Text()
	if !strings.Contains(book, "  4  12:00  clear") || !strings.Contains(book, "Fog signal sounding.\n") {
		t.Errorf("the log book says\n%s", book)
	}
}

func TestTheLogBookForgetsTheOldestOnly(t *testing.T) {
	s := newStation(noon)
	for range maxLog + 10 {
		s.write("fog", 1, "")
	}
	if len(s.log) != maxLog || s.log[maxLog-1].number != maxLog+13 {
		t.Errorf("%d observations, the last is %d", len(s.log), s.log[len(s.log)-1].number)
	}
	if s.strike(1) || !s.strike(maxLog+13) || s.strike(maxLog+13) {
		t.Error("striking")
	}
}
