package book

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/session/wire"
)

// reports plays progress notifications, each so long after the one before.
func reports(apart time.Duration, params ...string) Progress {
	var p Progress
	at := time.Unix(1000, 0)
	for _, text := range params {
		at = at.Add(apart)
		m := wire.Read(1, at, &wire.Frame{Dir: wire.Received, Body: []byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":` + text + `}`)})
		p = p.Next(&m)
	}
	return p
}

func TestProgressHasARateAndAnEstimate(t *testing.T) {
	var steps []string
	for i := 1; i <= 5; i++ {
		steps = append(steps, fmt.Sprintf(`{"progress":%d,"total":10.0}`, 2*i-2))
	}
	p := reports(500*time.Millisecond, steps...)
	if rate, ok := p.Rate(); !ok || rate != 4 {
		t.Errorf("8 in two seconds is a rate of %v, %v", rate, ok)
	}
	if d, ok := p.Rest(p.At); !ok || d != 500*time.Millisecond {
		t.Errorf("the rest takes %v, %v", d, ok)
	}
	if _, ok := p.Rest(p.At.Add(10 * time.Second)); ok {
		t.Error("a server that stands still has an estimate")
	}
	if p.Count() != "8 of 10.0" {
		t.Errorf("the count is %q", p.Count())
	}
	if _, ok := reports(500*time.Millisecond, steps[:2]...).Rate(); ok {
		t.Error("two reports have a rate")
	}
	unknown := reports(time.Second, `{"progress":10}`, `{"progress":20}`, `{"progress":30}`)
	if rate, ok := unknown.Rate(); !ok || rate != 10 {
		t.Errorf("without a total the rate is %v, %v", rate, ok)
	}
	if _, ok := unknown.Rest(unknown.At); ok {
		t.Error("without a total there is an estimate")
	}
}

// Whatever a server calls progress stands there as it spelled it, with what is odd about it; nothing is computed from it.
func TestWrongProgressIsShownAsItIs(t *testing.T) {
	for _, c := range []struct{ reports, count, odd string }{
		{`{"progress":5,"total":9} {"progress":3,"total":9}`, "3 of 9", "went back from 5"},
		{`{"progress":5} {"progress":5}`, "5", "did not grow"},
		{`{"progress":7,"total":5}`, "7 of 5", "is beyond its total"},
		{`{"progress":"half","total":5}`, `"half" of 5`, "is no number"},
		{`{"progress":1e999}`, "1e999", "is no number"},
		{`{"progress":NaN}`, "NaN", "is no number"},
		{`{"progress":-1}`, "-1", "is less than nothing"},
		{`{"progress":1,"total":0}`, "1 of 0", "has a total of nothing"},
		{`{"progress":1,"total":"five"}`, `1 of "five"`, "has a total that is no number"},
		{`{}`, "", "names no progress"},
		{`[]`, "", "names no progress"},
		{`{"progress":"` + strings.Repeat("x", 200_000) + `"}`, `"xxxxxxxxxxxxxxxx…`, "is no number"},
		{`{"progress":"\u001b[2J","message":"\u001b]0;x\u0007"}`, `"\u001b[2J"`, "is no number"},
	} {
		p := reports(time.Second, strings.Split(c.reports, " ")...)
		if p.Count() != c.count || p.Odd != c.odd {
			t.Errorf("%s: %q %q, want %q %q", c.reports[:min(60, len(c.reports))], p.Count(), p.Odd, c.count, c.odd)
		}
		if _, ok := p.Part(); ok {
			t.Errorf("%s is drawn as a bar", c.reports)
		}
		if strings.ContainsAny(p.Message+p.Count(), "\x1b\x07") {
			t.Errorf("%s: a control character is left", c.reports)
		}
	}
	if p := reports(time.Second, `{"progress":5}`, `{"progress":3}`, `{"progress":4,"total":8}`); p.Odd != "" {
		t.Errorf("it never recovers: %s", p.Odd)
	}
}

func FuzzProgress(f *testing.F) {
	f.Add(`{"progress":1,"total":2,"message":"x"}`, `{"progress":-1e400}`)
	f.Add(`{"progress":9007199254740993,"total":1e-320}`, `{"progress":[],"total":{}}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		p := reports(time.Second, a, b, a, a, b)
		if part, ok := p.Part(); ok && !(part >= 0 && part <= 1) {
			t.Errorf("a part of %v", part)
		}
		if rate, ok := p.Rate(); ok && rate <= 0 {
			t.Errorf("a rate of %v", rate)
		}
		if d, ok := p.Rest(p.At); ok && d < 0 {
			t.Errorf("a rest of %v", d)
		}
	})
}
