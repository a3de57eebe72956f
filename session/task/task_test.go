package task

import (
	"testing"
	"time"

	"mcploupe/session/jsondoc"
)

func of(text string) jsondoc.Value { return jsondoc.Parse([]byte(text)).Root() }

func TestWhatIsATask(t *testing.T) {
	for text, want := range map[string]struct {
		ok, legacy bool
		id, status string
	}{
		`{"resultType":"task","taskId":"a","status":"working","ttlMs":null,"pollIntervalMs":100}`: {true, false, "a", Working},
		`{"task":{"taskId":"b","status":"working","ttl":60000,"pollInterval":5}}`:                 {true, true, "b", Working},
		`{"resultType":"task","task":{"taskId":"c","status":"working"}}`:                          {true, false, "c", Working},
		`{"resultType":"task"}`:                                {true, false, "", ""},
		`{"resultType":"task","taskId":7,"status":["x"]}`:      {true, false, "", ""},
		`{"resultType":"complete","content":[]}`:               {},
		`{"content":[],"task":"later"}`:                        {},
		`{"task":{"taskId":7,"status":"working"}}`:             {},
		`{"resultType":"complete","taskId":"d","status":"no"}`: {},
		`[]`: {},
	} {
		got, ok := Of(of(text))
		if ok != want.ok || got.Legacy != want.legacy || got.ID != want.id || got.Status != want.status {
			t.Errorf("%s: %+v, %v", text, got, ok)
		}
	}
}

// However a server answers, nobody polls in a circle, and nobody waits forever.
func TestTheIntervalIsBounded(t *testing.T) {
	for poll, want := range map[string]time.Duration{
		`0`: Default, `-1`: Default, `1e300`: Default, `1e999`: Default, `"5"`: Default, `null`: Default, `[]`: Default, `-0.0`: Default,
		`1`: Least, `0.0001`: Least, `250`: Least, `1500`: 1500 * time.Millisecond, `2.5e3`: 2500 * time.Millisecond,
		`86400000`: Longest, `86400001`: Default, `9223372036854775808`: Default,
	} {
		if got := Read(of(`{"pollIntervalMs":` + poll + `}`)).Interval(); got != want {
			t.Errorf("pollIntervalMs %s: %s, want %s", poll, got, want)
		}
	}
	if got := (Task{}).Interval(); got != Default {
		t.Errorf("absent: %s", got)
	}
	if got := Read(of(`{"pollInterval":3000}`)).Interval(); got != 3*time.Second {
		t.Errorf("the old name: %s", got)
	}
}

func TestWhenATaskMayBeForgotten(t *testing.T) {
	at, ok := Read(of(`{"createdAt":"2026-11-30T12:00:00Z","ttlMs":60000}`)).Expires()
	if !ok || !at.Equal(time.Date(2026, 11, 30, 12, 1, 0, 0, time.UTC)) {
		t.Errorf("%v, %v", at, ok)
	}
	for _, text := range []string{`{}`, `{"createdAt":"2026-11-30T12:00:00Z","ttlMs":null}`, `{"createdAt":"yesterday","ttlMs":1}`,
		`{"createdAt":"2026-11-30T12:00:00Z","ttlMs":-1}`, `{"createdAt":"2026-11-30T12:00:00Z","ttlMs":1e300}`} {
		if at, ok := Read(of(text)).Expires(); ok {
			t.Errorf("%s: %v", text, at)
		}
	}
}

func TestWhatAFinishedTaskBrings(t *testing.T) {
	for text, want := range map[string]string{
		`{"status":"completed","result":{"content":[]}}`:            "result",
		`{"status":"failed","error":{"code":1},"result":{}}`:        "error",
		`{"status":"completed","error":{}}`:                         "",
		`{"status":"working","result":{}}`:                          "",
		`{"status":"cancelled","result":{}}`:                        "",
		`{"status":"input_required","inputRequests":{},"result":1}`: "",
	} {
		if name, v := Read(of(text)).Payload(); name != want || v.Exists() != (want != "") {
			t.Errorf("%s: %q, %s", text, name, v.Raw())
		}
	}
}

func FuzzTask(f *testing.F) {
	for _, s := range []string{`{"resultType":"task","taskId":"a","status":"working","pollIntervalMs":1e300,"ttlMs":-1,"createdAt":"2026-11-30T12:00:00Z"}`, `{"task":{"taskId":"b","status":"x"}}`, `[`, `7`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := of(s)
		one, ok := Of(v)
		if !ok {
			one = Read(v)
		}
		if d := one.Interval(); d < Least || d > Longest {
			t.Fatalf("%s: interval %s", s, d)
		}
		one.Expires()
		one.Payload()
	})
}
