package feed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/inspect"
	"mcploupe/session/wire"
)

// noting is a judge that notes what it was asked, and takes its time if told to.
type noting struct {
	asked []string
	takes time.Duration
}

func (n *noting) Observe(e *wire.Entry) {
	n.asked = append(n.asked, fmt.Sprintf("observe %d", e.Seq))
	time.Sleep(n.takes)
}

func (n *noting) See(x *wire.Exchange) inspect.Verdict {
	n.asked = append(n.asked, fmt.Sprintf("see %d", x.Seq()))
	return inspect.Verdict{Seq: x.Seq()}
}

func logOf(t testing.TB, script string) *wire.Log {
	t.Helper()
	entries, err := wire.ParseScript(script)
	if err != nil {
		t.Fatal(err)
	}
	l := wire.NewLog(wire.LogOptions{})
	for _, e := range entries {
		l.Append(e)
	}
	return l
}

// all reads a feed to its end.
func all(t testing.TB, f *Feed) (pages int, entries []wire.Entry, exchanges []Judged) {
	t.Helper()
	for {
		p, err := f.Next(t.Context())
		if errors.Is(err, io.EOF) {
			return pages, entries, exchanges
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Entries) == 0 || len(p.Entries) > MaxEntries {
			t.Fatalf("a page of %d entries", len(p.Entries))
		}
		pages++
		entries = append(entries, p.Entries...)
		exchanges = append(exchanges, p.Exchanges...)
	}
}

const conversation = `
= connecting +kind=stdio
> {"jsonrpc":"2.0","id":1,"method":"server/discover"}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"private"}}
> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
< {"jsonrpc":"2.0","id":2,"result":{"tools":[],"ttlMs":-5,"cacheScope":"galaxy"}}
Server listening
~ exit 0
`

func TestOnePageForAllThatIsThere(t *testing.T) {
	l := logOf(t, strings.Replace(conversation, "Server", "! Server", 1))
	judge := new(noting)
	f := New(l, judge)
	p, err := f.Next(t.Context())
	if err != nil || len(p.Entries) != 7 || len(p.Exchanges) != 4 || p.More {
		t.Fatalf("%d entries, %d exchanges, more %v, %v", len(p.Entries), len(p.Exchanges), p.More, err)
	}
	want := "observe 1 observe 2 see 2 observe 3 see 2 observe 4 see 4 observe 5 see 4 observe 6 observe 7"
	if got := strings.Join(judge.asked, " "); got != want {
		t.Errorf("the judge was asked:\n%s\nwant:\n%s", got, want)
	}
	if x := p.Exchanges[1]; x.Exchange.End != wire.Replied || x.Verdict.Seq != 2 {
		t.Errorf("the second: %+v", x)
	}
	l.Append(wire.Entry{Note: &wire.Note{Text: "later"}})
	l.Close()
	if p, err := f.Next(t.Context()); err != nil || len(p.Entries) != 1 || p.Entries[0].Seq != 8 || len(p.Exchanges) != 0 {
		t.Errorf("the second page: %+v, %v", p, err)
	}
	if _, err := f.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("the end: %v", err)
	}
}

func TestWithoutAJudge(t *testing.T) {
	l := logOf(t, `> {"jsonrpc":"2.0","id":1,"method":"ping"}`)
	f := New(l, nil)
	p, err := f.Next(t.Context())
	if err != nil || len(p.Exchanges) != 1 || len(f.Pending()) != 1 || f.Pending()[0].Method() != "ping" {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestNextEndsWithItsContextAndGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := wire.NewLog(wire.LogOptions{})
		f := New(l, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := f.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("nothing came: %v", err)
		}
		go func() {
			time.Sleep(time.Minute)
			l.Append(wire.Entry{Note: &wire.Note{Text: "x"}})
		}()
		start := time.Now()
		if p, err := f.Next(t.Context()); err != nil || len(p.Entries) != 1 || time.Since(start) != time.Minute {
			t.Errorf("%+v, %v after %v", p, err, time.Since(start))
		}
	})
}

// A recorded journal gives what the live log gave.
func TestFileAndLiveGiveTheSame(t *testing.T) {
	live := logOf(t, strings.Replace(conversation, "Server", "< Server", 1))
	path := filepath.Join(t.TempDir(), "j.jsonl")
	file, err := wire.Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	stop := wire.Record(live, file)
	live.Close()
	_, _, first := all(t, New(live, inspect.New(inspect.Options{})))
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	entries, faults, err := wire.ReadAll(bytes.NewReader(text))
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	recorded := wire.NewLog(wire.LogOptions{})
	for _, e := range entries {
		recorded.Append(e)
	}
	recorded.Close()
	_, _, second := all(t, New(recorded, inspect.New(inspect.Options{})))
	say := func(list []Judged) string {
		var b strings.Builder
		for _, j := range list {
			fmt.Fprintf(&b, "%d %s %d %s", j.Exchange.Seq(), j.Exchange.Method(), j.Exchange.End, j.Verdict.ResultType.Value)
			for _, f := range j.Verdict.Findings {
				fmt.Fprintf(&b, " %s:%s", f.Rule.ID, f.Got)
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	if say(first) != say(second) {
		t.Errorf("live:\n%s\nrecorded:\n%s", say(first), say(second))
	}
	for _, rule := range []string{"cache-ttl-negative:-5", "stdio-stdout-noise"} {
		if !strings.Contains(say(first), rule) {
			t.Errorf("%s is missing:\n%s", rule, say(first))
		}
	}
}

func TestPageIsHandedOutBeforeJudgingTakesLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := wire.NewLog(wire.LogOptions{})
		for range 100 {
			l.Append(wire.Entry{Note: &wire.Note{}})
		}
		l.Close()
		f := New(l, &noting{takes: 3 * time.Millisecond})
		start := time.Now()
		p, err := f.Next(t.Context())
		if took := time.Since(start); err != nil || took > enough+3*time.Millisecond || !p.More || len(p.Entries) < 5 {
			t.Errorf("%d entries after %v, more %v, %v", len(p.Entries), took, p.More, err)
		}
		if _, entries, _ := all(t, f); len(p.Entries)+len(entries) != 100 {
			t.Errorf("%d entries in all", len(p.Entries)+len(entries))
		}
	})
}

// A flood of 10,000 a second reaches a screen that draws 60 times a second as about 60 pages.
func TestPaceTurnsAFloodIntoFewPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := wire.NewLog(wire.LogOptions{})
		go func() {
			for range 10_000 {
				l.Append(wire.Entry{Note: &wire.Note{}})
				time.Sleep(100 * time.Microsecond)
			}
			l.Close()
		}()
		f := New(l, nil)
		f.Pace = time.Second / 60
		pages, entries, _ := all(t, f)
		if len(entries) != 10_000 || pages > 60+2*burst || pages < 30 {
			t.Errorf("%d entries in %d pages", len(entries), pages)
		}
	})
}

func TestPaceDoesNotKeepAnAnswerBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := wire.NewLog(wire.LogOptions{})
		f := New(l, nil)
		f.Pace = time.Second / 60
		for range 20 {
			time.Sleep(200 * time.Millisecond)
			for range 3 { // a request, its answer, and what follows
				time.Sleep(time.Millisecond)
				l.Append(wire.Entry{Note: &wire.Note{}})
				start := time.Now()
				if _, err := f.Next(t.Context()); err != nil || time.Since(start) != 0 {
					t.Fatalf("kept back for %v, %v", time.Since(start), err)
				}
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		for range 2 * burst {
			l.Append(wire.Entry{Note: &wire.Note{}})
			if _, err := f.Next(ctx); err != nil {
				if !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				if p, err := f.Next(t.Context()); err != nil || len(p.Entries) == 0 {
					t.Errorf("after the deadline: %+v, %v", p, err)
				}
				return
			}
		}
		t.Error("the pace does not count at all")
	})
}

func TestPageNamesWhatWasLetGo(t *testing.T) {
	l := wire.NewLog(wire.LogOptions{Budget: 100})
	f := New(l, nil)
	big := func() { l.Append(wire.Entry{Frame: &wire.Frame{Dir: wire.Received, Body: make([]byte, 90)}}) }
	big()
	if p, _ := f.Next(t.Context()); p.Cut != nil {
		t.Errorf("at first: %v", p.Cut)
	}
	big()
	if p, _ := f.Next(t.Context()); fmt.Sprint(p.Cut) != "[1]" {
		t.Errorf("then: %v", p.Cut)
	}
	big()
	if p, _ := f.Next(t.Context()); fmt.Sprint(p.Cut) != "[2]" {
		t.Errorf("at last: %v", p.Cut)
	}
}

func floodLog(n int) *wire.Log {
	l := wire.NewLog(wire.LogOptions{})
	for i := range n {
		l.Append(wire.Entry{Frame: &wire.Frame{Dir: wire.Received, Body: fmt.Appendf(nil,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"worker","data":"step %d is done"}}`, i)}})
	}
	l.Close()
	return l
}

// The wire is not held up by a reader that is slow.
func TestFloodLosesNothing(t *testing.T) {
	pages, entries, exchanges := all(t, New(floodLog(10_000), inspect.New(inspect.Options{})))
	if len(entries) != 10_000 || len(exchanges) != 10_000 {
		t.Errorf("%d entries, %d exchanges", len(entries), len(exchanges))
	}
	for i, j := range exchanges {
		if j.Exchange.Seq() != wire.Seq(i+1) {
			t.Fatalf("exchange %d is frame %d", i, j.Exchange.Seq())
		}
	}
	t.Logf("10,000 notifications in %d pages", pages)
}

func BenchmarkFlood(b *testing.B) {
	for name, judge := range map[string]func() Judge{
		"judged":   func() Judge { return inspect.New(inspect.Options{}) },
		"unjudged": func() Judge { return nil },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				l := floodLog(10_000)
				b.StartTimer()
				n := 0
				for f := New(l, judge()); ; {
					p, err := f.Next(b.Context())
					if err != nil {
						break
					}
					n += len(p.Exchanges)
				}
				if n != 10_000 {
					b.Fatal(n)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/entry")
		})
	}
}
