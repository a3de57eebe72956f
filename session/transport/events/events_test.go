package events

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/session/ratiotest"
)

func parse(text string, piece, max int) []Event {
	p := Parser{Max: max}
	var out []Event
	for b := []byte(text); len(b) > 0; {
		n := min(piece, len(b))
		out = append(out, p.Feed(b[:n])...)
		b = b[n:]
	}
	if e, ok := p.End(); ok {
		out = append(out, e)
	}
	return out
}

// tell writes an event as a test reads it.
func tell(e Event) string {
	var s []string
	add := func(format string, a ...any) { s = append(s, fmt.Sprintf(format, a...)) }
	if e.Name != "" {
		add("event=%s", e.Name)
	}
	if e.HasID {
		add("id=%s", e.ID)
	}
	if e.Retry != "" {
		add("retry=%s", e.Retry)
	}
	for _, c := range e.Comments {
		add("comment=%q", c)
	}
	if e.HasData {
		add("data=%q", e.Data)
	}
	if e.Raw != nil {
		add("raw=%q", e.Raw)
	}
	if e.Cut {
		add("cut")
	}
	if e.Dropped > 0 {
		add("dropped=%d", e.Dropped)
	}
	return strings.Join(s, " ")
}

func tellAll(list []Event) string {
	var out []string
	for _, e := range list {
		out = append(out, tell(e))
	}
	return strings.Join(out, "\n")
}

func TestEvents(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
	}{
		{"plain", "data: a\n\ndata: b\n\n", []string{`data="a"`, `data="b"`}},
		{"plain with name and id", "event: message\nid: 7\ndata: a\n\n", []string{`event=message id=7 data="a"`}},
		{"another order is told", "data: a\nevent: x\n\n", []string{`event=x data="a" raw="data: a\nevent: x\n"`}},
		{"no space behind the colon", "data:a\n\n", []string{`data="a" raw="data:a\n"`}},
		{"only one space is taken", "data:  a\n\n", []string{`data=" a"`}},
		{"data in several lines", "data: a\ndata: b\ndata:\n\n", []string{`data="a\nb\n" raw="data: a\ndata: b\ndata:\n"`}},
		{"CR LF", "data: a\r\n\r\ndata: b\r\n\r\n", []string{`data="a" raw="data: a\r\n"`, `data="b" raw="data: b\r\n"`}},
		{"CR", "data: a\r\rdata: b\r\r", []string{`data="a" raw="data: a\r"`, `data="b" raw="data: b\r"`}},
		{"mixed line ends", "data: a\ndata: b\r\ndata: c\r\n\rdata: d\n\r", []string{`data="a\nb\nc" raw="data: a\ndata: b\r\ndata: c\r\n"`, `data="d"`}},
		{"a comment by itself", ": keep-alive\n\n:\n\n", []string{`comment=" keep-alive" raw=": keep-alive\n"`, `comment="" raw=":\n"`}},
		{"a comment in an event", "event: e\n:c\ndata: a\n\n", []string{`event=e comment="c" data="a" raw="event: e\n:c\ndata: a\n"`}},
		{"an empty data field is data", "event: ping\ndata:\n\n", []string{`event=ping data="" raw="event: ping\ndata:\n"`}},
		{"a field without colon", "data\n\nid\n\n", []string{`data="" raw="data\n"`, `id= raw="id\n"`}},
		{"a block without data", "retry: 3000\nid\n:\n\ndata: a\n\n", []string{`id= retry=3000 comment="" raw="retry: 3000\nid\n:\n"`, `data="a"`}},
		{"retry that is no number", "retry: soon\n\n", []string{`retry=soon raw="retry: soon\n"`}},
		{"an id with NUL is none", "id: a\x00b\ndata: x\n\n", []string{`data="x" raw="id: a\x00b\ndata: x\n"`}},
		{"an unknown field", "foo: bar\ndata: x\n\n", []string{`data="x" raw="foo: bar\ndata: x\n"`}},
		{"field names are case-sensitive", "Data: x\n\n", []string{`raw="Data: x\n"`}},
		{"a byte order mark", "\xEF\xBB\xBFdata: a\n\n\xEF\xBB\xBFdata: b\n\n", []string{`data="a" raw="\ufeffdata: a\n"`, `raw="\ufeffdata: b\n"`}},
		{"blank lines are nothing", "\n\n\r\n\rdata: a\n\n\n\n", []string{`data="a"`}},
		{"no blank line at the end", "data: a\n\ndata: b\n", []string{`data="a"`, `data="b" cut`}},
		{"cut inside a line", "data: a\n\nevent: x\ndata: {\"js", []string{`data="a"`, `event=x data="{\"js" raw="event: x\ndata: {\"js" cut`}},
		{"cut inside a name", "dat", []string{`raw="dat" cut`}},
		{"the same field twice", "event: a\nevent: b\ndata: x\n\n", []string{`event=b data="x" raw="event: a\nevent: b\ndata: x\n"`}},
		{"empty", "", nil},
		{"a byte order mark alone", "\xEF\xBB\xBF\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, piece := range []int{1 << 20, 1, 2, 5} {
				if got := tellAll(parse(c.in, piece, 0)); got != strings.Join(c.want, "\n") {
					t.Errorf("in pieces of %d:\n got %s\nwant %s", piece, got, strings.Join(c.want, "\n"))
				}
			}
		})
	}
}

// An event is there with the line end of its blank line, even if that may become CR LF.
func TestEventsAreToldAtOnce(t *testing.T) {
	var p Parser
	for i, step := range []struct{ in, want string }{
		{"data: a\r\n\r", `data="a" raw="data: a\r\n"`}, {"\ndata: b\n", ""}, {"\n", `data="b"`}, {"data: c\r", ""}, {"\n", ""}, {"\n", `data="c" raw="data: c\r\n"`},
	} {
		if got := tellAll(p.Feed([]byte(step.in))); got != step.want {
			t.Errorf("step %d: got %s, want %s", i, got, step.want)
		}
	}
}

func TestTooLongEventsKeepHeadAndTail(t *testing.T) {
	value := "{" + strings.Repeat("é", 3000) + "}"
	for _, piece := range []int{1 << 20, 1, 7, 999} {
		got := parse("event: e\ndata: "+value+"\nid: 7\n\ndata: b\n\n", piece, 1000)
		if len(got) != 2 || tell(got[1]) != `data="b"` {
			t.Fatalf("%s", tellAll(got))
		}
		e := got[0]
		if e.Name != "e" || e.ID != "7" || e.Raw != nil || len(e.Data)+int(e.Dropped) != len(value) || len(e.Data) > 1000 {
			t.Errorf("%d bytes kept, %d dropped of %d: %s", len(e.Data), e.Dropped, len(value), tell(e))
		}
		if !bytes.HasPrefix(e.Data, []byte("{é")) || !bytes.HasSuffix(e.Data, []byte("é}")) || bytes.ContainsRune(e.Data, '\uFFFD') {
			t.Errorf("kept %q … %q", e.Data[:8], e.Data[len(e.Data)-8:])
		}

		got = parse(strings.Repeat("data: 0123456789\n", 500)+"\n:"+strings.Repeat("c", 5000)+"\ndata: x\n\ndata: b\n\n", piece, 1000)
		if len(got) != 3 || tell(got[2]) != `data="b"` || len(got[0].Data)+int(got[0].Dropped) != 500*11-1 || string(got[1].Data) != "x" || got[1].Dropped != 0 {
			t.Fatalf("many lines: %d, %d kept, %d dropped, then %q", len(got), len(got[0].Data), got[0].Dropped, got[1].Data)
		}
	}
	if got := parse("data:"+strings.Repeat("x", 2000)+"\n\n", 1, 1000); len(got) != 1 || len(got[0].Data)+int(got[0].Dropped) != 2000 || !got[0].HasData {
		t.Errorf("one line over the limit: %s", tellAll(got))
	}
	if got := parse("data: "+strings.Repeat("x", 994)+"\n\n", 1, 1000); len(got) != 1 || len(got[0].Data) != 994 || got[0].Dropped != 0 {
		t.Errorf("an event as long as the limit is whole: %s", tellAll(got))
	}
}

// byTheStandard is the standard's algorithm, word for word and in no hurry.
func byTheStandard(text string) (names, datas []string) {
	text = strings.TrimPrefix(text, "\xEF\xBB\xBF")
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	name, data := "", ""
	for {
		line, rest, ok := strings.Cut(text, "\n")
		if !ok {
			return names, datas
		}
		text = rest
		if line == "" {
			if data != "" {
				names, datas = append(names, name), append(datas, strings.TrimSuffix(data, "\n"))
			}
			name, data = "", ""
			continue
		}
		if line[0] == ':' {
			continue
		}
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch field {
		case "event":
			name = value
		case "data":
			data += value + "\n"
		}
	}
}

func FuzzEvents(f *testing.F) {
	for _, s := range []string{"data: a\n\n", "\xEF\xBB\xBF:c\r\ndata\rdata: x\r\n\r\n", "event:e\nid:1\nretry: 5\n\n", "data: a", "\r\n\r\r\n"} {
		f.Add(s, uint8(2))
	}
	f.Fuzz(func(t *testing.T, in string, piece uint8) {
		whole := parse(in, len(in)+1, 0)
		if a, b := tellAll(whole), tellAll(parse(in, int(piece)+1, 0)); a != b {
			t.Fatalf("pieces of %d matter:\n%s\n%s", int(piece)+1, a, b)
		}
		names, datas := byTheStandard(in)
		i := 0
		for _, e := range whole {
			if !e.HasData || e.Cut {
				continue
			}
			if i >= len(datas) || e.Name != names[i] || string(e.Data) != datas[i] {
				t.Fatalf("event %d is %s; by the standard %q %q", i, tell(e), names, datas)
			}
			i++
		}
		if i != len(datas) {
			t.Fatalf("%d events, by the standard %d", i, len(datas))
		}
		for _, e := range parse(in, int(piece)+1, 16) {
			if len(e.Data) > 16 {
				t.Fatalf("%d bytes kept", len(e.Data))
			}
		}
	})
}

func stream(size, n int) []byte {
	return []byte(strings.Repeat("event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":\""+strings.Repeat("x", size)+"\"}}\n\n", n))
}

func feedAll(b []byte) (n int) {
	var p Parser
	for len(b) > 0 {
		k := min(32<<10, len(b))
		n += len(p.Feed(b[:k]))
		b = b[k:]
	}
	return n
}

func BenchmarkEvents(b *testing.B) {
	for name, in := range map[string][]byte{"300B": stream(200, 10_000), "1MB": stream(1<<20, 8)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				feedAll(in)
			}
		})
	}
}

// Parsing costs at most a few times of what it takes to find the lines and copy them.
func TestParsingIsNearlyFree(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	in := stream(200, 5000)
	ratiotest.AtMost(t, 6, 100, func() (events, lines time.Duration) {
		lines = ratiotest.Timed(func() {
			s := bufio.NewScanner(bytes.NewReader(in))
			for s.Scan() {
				_ = s.Text()
			}
		})
		return ratiotest.Timed(func() { feedAll(in) }), lines
	})
}
