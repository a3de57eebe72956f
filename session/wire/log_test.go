package wire

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/session/ratiotest"
)

// follow reads a log to its end and returns all entries.
func follow(l *Log) []Entry {
	var all []Entry
	for last := Seq(0); ; {
		entries, more := l.After(last)
		if more == nil {
			return all
		}
		if len(entries) == 0 {
			<-more
			continue
		}
		all = append(all, entries...)
		last = entries[len(entries)-1].Seq
	}
}

func TestLogLosesNothingBetweenManyWriters(t *testing.T) {
	now := ScriptStart()
	l := NewLog(LogOptions{Now: func() time.Time { now = now.Add(time.Microsecond); return now }})
	var readers, writers sync.WaitGroup
	results := make([][]Entry, 3)
	for i := range results {
		readers.Go(func() { results[i] = follow(l) })
	}
	const each, many = 5000, 4
	for w := range many {
		writers.Go(func() {
			for i := range each {
				l.Append(Entry{Note: &Note{From: fmt.Sprint(w), Text: fmt.Sprint(i)}})
			}
		})
	}
	writers.Wait()
	l.Close()
	l.Close()
	readers.Wait()
	for _, all := range results {
		if len(all) != each*many || l.Len() != each*many || l.Last() != each*many {
			t.Fatalf("%d entries were read, %d are there", len(all), l.Len())
		}
		next := map[string]int{}
		for i, e := range all {
			if e.Seq != Seq(i+1) || i > 0 && !e.At.After(all[i-1].At) {
				t.Fatalf("entry %d has number %d and time %v", i, e.Seq, e.At)
			}
			if e.Note.Text != fmt.Sprint(next[e.Note.From]) {
				t.Fatalf("writer %s: %s instead of %d", e.Note.From, e.Note.Text, next[e.Note.From])
			}
			next[e.Note.From]++
		}
	}
}

func TestLogTellsReadersWhenThereIsMore(t *testing.T) {
	l := NewLog(LogOptions{})
	entries, more := l.After(0)
	if len(entries) != 0 {
		t.Fatal("an empty log has entries")
	}
	select {
	case <-more:
		t.Fatal("an empty log has more")
	default:
	}
	l.Append(Entry{Note: &Note{}})
	<-more
	for range maxBatch + 1 {
		l.Append(Entry{Note: &Note{}})
	}
	entries, more = l.After(0)
	if len(entries) != maxBatch {
		t.Fatalf("%d entries at once", len(entries))
	}
	<-more // there are more already
	entries, more = l.After(maxBatch)
	if len(entries) != 2 {
		t.Fatalf("%d entries are left", len(entries))
	}
	l.Close()
	<-more
	if entries, more := l.After(maxBatch + 2); entries != nil || more != nil {
		t.Error("a closed log goes on")
	}
	if s := l.Append(Entry{Note: &Note{Text: "last words"}}); s != maxBatch+3 {
		t.Errorf("number %d", s)
	}
	if entries, _ := l.After(maxBatch + 2); len(entries) != 1 || entries[0].Note.Text != "last words" {
		t.Errorf("what came after the end: %v", entries)
	}
	if _, ok := l.Get(0); ok {
		t.Error("there is an entry 0")
	}
	if _, ok := l.Get(maxBatch + 4); ok {
		t.Error("there is an entry of the future")
	}
}

// A journal that is read back keeps its numbers, also when lines of it were lost.
func TestLogKeepsGivenNumbers(t *testing.T) {
	l := NewLog(LogOptions{})
	at := ScriptStart()
	for _, s := range []Seq{5, 6, 100, 7, 0} {
		l.Append(Entry{Seq: s, At: at, Note: &Note{Text: fmt.Sprint(s)}})
	}
	var got []Seq
	for last := Seq(0); ; {
		entries, _ := l.After(last)
		if len(entries) == 0 {
			break
		}
		got = append(got, entries[0].Seq)
		last = entries[0].Seq
	}
	if fmt.Sprint(got) != "[5 6 100 101 102]" {
		t.Errorf("numbers %v", got)
	}
	if e, ok := l.Get(101); !ok || e.Note.Text != "7" || e.At != at {
		t.Errorf("entry 101: %+v", e)
	}
	if _, ok := l.Get(99); ok {
		t.Error("there is an entry in the gap")
	}
}

func TestLogBudget(t *testing.T) {
	l := NewLog(LogOptions{Budget: 100 << 10})
	frame := func(size int) Seq {
		return l.Append(Entry{Frame: &Frame{Dir: Received, Body: []byte(strings.Repeat("x", size))}})
	}
	small := frame(100)
	first := frame(50 << 10)
	e, _ := l.Get(first)
	kept := e.Frame
	second := frame(40 << 10)
	third := frame(55 << 10)
	if e, _ := l.Get(first); e.Frame.Dropped != 50<<10 || e.Frame.Shape != ShapeCut || e.Frame.Body != nil {
		t.Errorf("the oldest large body: %d bytes, %d dropped", len(e.Frame.Body), e.Frame.Dropped)
	}
	if len(kept.Body) != 50<<10 || kept.Dropped != 0 {
		t.Error("a reader's frame changed")
	}
	if got := fmt.Sprint(l.Cut(0), l.Cut(1)); got != fmt.Sprint([]Seq{first}, []Seq(nil)) {
		t.Errorf("cut: %s", got)
	}
	for _, s := range []Seq{small, second, third} {
		if e, _ := l.Get(s); e.Frame.Dropped != 0 {
			t.Errorf("entry %d lost its body", s)
		}
	}
	last := frame(200 << 10) // alone over the budget, and still the one that somebody wants to see
	if e, _ := l.Get(last); len(e.Frame.Body) != 200<<10 {
		t.Error("the last entry lost its body")
	}
	if e, _ := l.Get(small); e.Frame.Dropped != 100 {
		t.Error("small bodies stay although the large ones were not enough")
	}
	for range 2000 {
		frame(100)
	}
	if l.weight > 100<<10 || l.Len() != 2005 {
		t.Errorf("%d bytes, %d entries", l.weight, l.Len())
	}
	if entries, _ := l.After(0); len(entries) != 2005 || entries[2004].Frame.Dropped != 0 {
		t.Error("entries went with their bodies")
	}
}

// A recorder goes before the readers, and what it has not yet written keeps its body.
func TestLogWaitsForItsRecorder(t *testing.T) {
	l := NewLog(LogOptions{Budget: 1})
	add := func() { l.Append(Entry{Frame: &Frame{Dir: Received, Body: []byte(`{"a":1}`)}}) }
	add()
	if !l.hold() || l.hold() {
		t.Fatal("two recorders go before the readers")
	}
	add()
	add()
	entries, more := l.After(0)
	if len(entries) != 1 {
		t.Fatalf("readers have %d entries", len(entries))
	}
	select {
	case <-more:
		t.Fatal("readers have more")
	default:
	}
	if entries, _ := l.unrecorded(0); len(entries) != 3 || entries[0].Frame.Dropped+entries[1].Frame.Dropped != 0 {
		t.Fatalf("the recorder gets %d entries", len(entries))
	}
	l.recorded(2, false)
	<-more
	entries, _ = l.After(1)
	if len(entries) != 1 || entries[0].Seq != 2 || entries[0].Frame.Dropped == 0 {
		t.Fatalf("readers have %v", entries)
	}
	l.recorded(0, true)
	if entries, _ := l.After(2); len(entries) != 1 {
		t.Error("the end of the recording gives nothing free")
	}
}

func notification(i int) Entry {
	return Entry{Frame: &Frame{Dir: Received, Body: fmt.Appendf(nil,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"worker","data":"step %d of a long job is done"}}`, i)}}
}

const flood = 10_000

// throughLog is what the wire's side pays for a flood, and what the reader's side makes of it.
func throughLog(entries []Entry) (told int) {
	l := NewLog(LogOptions{})
	done := make(chan int)
	go func() {
		fold, n := NewFold(), 0
		for last := Seq(0); ; {
			entries, more := l.After(last)
			if more == nil {
				done <- n
				return
			}
			if len(entries) == 0 {
				<-more
			}
			for _, e := range entries {
				n += len(fold.Add(e))
				last = e.Seq
			}
		}
	}()
	for _, e := range entries {
		l.Append(e)
	}
	l.Close()
	return <-done
}

func floodEntries() []Entry {
	entries := make([]Entry, flood)
	for i := range entries {
		entries[i] = notification(i)
	}
	return entries
}

// plainly is the same work without log and pairing: keep the entries, read each message.
func plainly(entries []Entry) (told int) {
	var kept []Entry
	for i, e := range entries {
		e.Seq, e.At = Seq(i+1), time.Now()
		kept = append(kept, e)
	}
	for _, e := range kept {
		if m := Read(e.Seq, e.At, e.Frame); m.Kind == Notification {
			told++
		}
	}
	return told
}

func TestFloodLosesNothingAndCostsLittle(t *testing.T) {
	entries := floodEntries()
	if n := throughLog(entries); n != flood {
		t.Fatalf("%d of %d notifications were told", n, flood)
	}
	ratiotest.AtMost(t, 12, 40, func() (through, plain time.Duration) {
		fresh := floodEntriesOf(entries)
		plain = ratiotest.Timed(func() { plainly(entries) })
		return ratiotest.Timed(func() { throughLog(fresh) }), plain
	})
}

// floodEntriesOf makes the entries new, as the transport does: not sealed yet.
func floodEntriesOf(entries []Entry) []Entry {
	out := make([]Entry, len(entries))
	for i, e := range entries {
		f := *e.Frame
		f.read = nil
		out[i] = Entry{Frame: &f}
	}
	return out
}

func BenchmarkFloodThroughLogAndFold(b *testing.B) {
	entries := floodEntries()
	b.ReportAllocs()
	for b.Loop() {
		if n := throughLog(entries); n != flood {
			b.Fatal(n)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/flood, "ns/entry")
}

func BenchmarkFloodPlainly(b *testing.B) {
	entries := floodEntries()
	b.ReportAllocs()
	for b.Loop() {
		plainly(entries)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/flood, "ns/entry")
}

func BenchmarkAppend(b *testing.B) {
	l := NewLog(LogOptions{})
	e := notification(1)
	b.ReportAllocs()
	for b.Loop() {
		l.Append(e)
	}
}
