package wire

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Format writes entries as a script that ParseScript reads back into the same entries, times to the
// nanosecond. Entries should be in the order of their numbers, as a Log and a journal have them.
func Format(entries []Entry) string {
	var f formatter
	f.streams = map[uint32]bool{}
	f.at, f.first = ScriptStart(), true
	for i := range entries {
		if f.skip {
			f.skip = false
			f.count(&entries[i])
			continue
		}
		f.entry(&entries[i], entries[i+1:])
	}
	return f.out.String()
}

type formatter struct {
	out         strings.Builder
	seq         Seq
	at          time.Time
	first       bool
	lane, lanes uint32
	streams     map[uint32]bool
	skip        bool // the next entry follows from the line just written
}

func (f *formatter) count(e *Entry) { f.seq, f.at, f.first = e.Seq, e.At, false }

// usual tells that the entry comes when and with the number that a script gives it by itself.
func (f *formatter) usual(e *Entry) bool {
	step := scriptStep
	if f.first {
		step = 0
	}
	return e.Seq == f.seq+1 && e.At.Sub(f.at) == step
}

func (f *formatter) entry(e *Entry, then []Entry) {
	if e.Seq != f.seq+1 {
		fmt.Fprintf(&f.out, "@ seq=%d\n", e.Seq)
		f.seq = e.Seq - 1
	}
	if !f.usual(e) {
		if d := e.At.Sub(f.at); f.first || d > time.Hour || d < -time.Hour {
			f.write("@ ", e.At.UTC().Format(time.RFC3339Nano))
		} else if d < 0 {
			f.write("@ ", d.String())
		} else {
			f.write("@ +", d.String())
		}
	}
	if e.Fetch != nil { // the notation has no line for it
		f.write("# fetched ", quoted(e.Fetch.For), tail(e.Fetch.Text))
		return
	}
	f.count(e)
	switch {
	case e.Frame != nil:
		f.frame(e.Frame)
	case e.Lane != nil:
		f.laneEvent(e, then)
	case e.State != nil:
		s := e.State
		f.write("= ", wordOf(phaseWords(), s.Phase), mark("era", s.Era), mark("version", s.Version), mark("kind", s.Kind),
			mark("target", s.Target), mark("server", s.Server), mark("evidence", digits(int64(s.Evidence))),
			mark("try", digits(int64(s.Try))), mark("tries", digits(int64(s.Tries))), mark("pause", pause(s.Pause)), mark("session", digits(int64(s.Session))), tail(s.Text))
	case e.Ask != nil:
		a := e.Ask
		f.write("? ", quoted(a.Method), mark("of", digits(int64(a.Of))), mark("key", a.Key), mark("answer", a.Answer), tailOf("params", a.Params))
	case e.Note != nil:
		n := e.Note
		from := ""
		if n.From != "stderr" {
			from = " +from=" + quoted(n.From)
		}
		f.write("!", from, mark("level", n.Level), tail(n.Text))
	case e.Ending != nil:
		f.write("~ ", wordOf(endWords(), e.Ending.How), " #", strconv.FormatUint(uint64(e.Ending.Of), 10), tail(e.Ending.Text))
	}
}

func (f *formatter) write(parts ...string) {
	for _, p := range parts {
		f.out.WriteString(p)
	}
	f.out.WriteByte('\n')
}

// mark is " +name=value", nothing when the value is empty.
func mark(name, value string) string {
	if value == "" {
		return ""
	}
	return " +" + name + "=" + quoted(value)
}

func flag(name string, on bool) string {
	if !on {
		return ""
	}
	return " +" + name
}

// pause is a time to wait; "" for none.
func pause(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

func digits(n int64) string {
	if n == 0 {
		return ""
	}
	return strconv.FormatInt(n, 10)
}

func tail(text string) string { return tailOf("text", text) }

// tailOf is the text at the end of a line, as a mark when it cannot stand there as it is.
func tailOf(name, text string) string {
	if text != "" && printable(text) && text[0] != '+' {
		return " " + text
	}
	return mark(name, text)
}

// on is the lane behind a mark, when it is not the lane of the line before.
func (f *formatter) on(lane uint32) string {
	if lane == f.lane {
		return ""
	}
	f.lane, f.lanes = lane, max(f.lanes, lane)
	return strconv.FormatUint(uint64(lane), 10)
}

func (f *formatter) frame(x *Frame) {
	dir := ">"
	if x.Dir == Received {
		dir = "<"
	}
	if x.HTTP != nil {
		f.head(dir, x.Lane, x.HTTP, flag("body", x.Dir == Received && eventStream(x.HTTP)))
		if x.Dir == Received {
			f.streams[x.Lane] = false
		}
	}
	lane := f.on(x.Lane)
	marks := f.marks(x, x.Dir == Received && x.HTTP == nil && f.streams[x.Lane])
	body := string(x.Body)
	if body != "" && printable(body) && body[0] != '+' && body != "http" && !strings.HasPrefix(body, "http ") {
		f.write(dir, lane, marks, " ", body)
	} else if body == "" {
		f.write(dir, dir, lane, marks)
	} else {
		f.write(dir, dir, lane, marks, " ", escape(x.Body))
	}
}

func (f *formatter) marks(x *Frame, event bool) string {
	var out string
	for _, s := range shapeWords() {
		out += flag(s.word, x.Shape&s.value != 0)
	}
	out += flag("plain", x.Shape == 0 && impliedShape(x) != 0)
	out += mark("lines", digits(int64(x.Lines))) + mark("dropped", digits(x.Dropped)) + mark("before", string(x.Before))
	out += mark("why", x.Why) + flag("masked", x.Masked)
	e := x.Event
	if e == nil {
		return out + flag("noevent", event)
	}
	fields := mark("event", e.Name) + mark("id", e.ID) + mark("retry", e.Retry)
	for _, c := range e.Comments {
		fields += " +comment=" + quoted(c)
	}
	fields += flag("nodata", e.NoData) + mark("raw", string(e.Raw))
	return out + flag("sse", !event && fields == "") + fields
}

// head writes an HTTP head; marks are what else is to be said of it.
func (f *formatter) head(dir string, lane uint32, h *Head, marks string) {
	number := ""
	if dir == ">" && lane == f.lanes+1 {
		f.lane, f.lanes = lane, lane
	} else if number = f.on(lane); number == "" && dir == ">" {
		number = strconv.FormatUint(uint64(lane), 10)
	}
	f.out.WriteString(dir + number + " http")
	if dir == ">" {
		f.out.WriteString(" " + quoted(h.Method) + " " + quoted(h.URL) + mark("status", digits(int64(h.Status))))
	} else {
		f.out.WriteString(" " + strconv.Itoa(h.Status) + mark("method", h.Method) + mark("url", h.URL))
	}
	f.out.WriteString(mark("waited", pause(h.Waited)) + mark("dialed", pause(h.Dialed)))
	if h.Proto != "" && quoted(h.Proto) == h.Proto && strings.HasPrefix(h.Proto, "HTTP/") {
		f.out.WriteString(" " + h.Proto)
	} else {
		f.out.WriteString(mark("proto", h.Proto))
	}
	for _, field := range h.Header {
		f.out.WriteString(" " + quoted(field.Name) + "=" + quoted(field.Value))
	}
	f.write(marks)
}

func (f *formatter) laneEvent(e *Entry, then []Entry) {
	l := e.Lane
	switch {
	case l.Kind == LaneOpen && l.HTTP != nil:
		f.head(">", l.ID, l.HTTP, mark("text", l.Text)+mark("resumes", digits(int64(l.Resumes)))+flag("open", bodyOn(then, l.ID, Sent)))
		return
	case l.Kind == LaneHead && l.HTTP != nil && eventStream(l.HTTP):
		f.streams[l.ID] = true
		f.head("<", l.ID, l.HTTP, mark("text", l.Text))
		return
	case l.Kind == LaneHead && l.HTTP != nil:
		f.streams[l.ID] = false
		said := false // what comes next says how the lane goes on
		if len(then) > 0 && then[0].Lane != nil && then[0].Lane.ID == l.ID && f.usual(&then[0]) {
			next := then[0].Lane
			f.skip = *next == Lane{ID: l.ID, Kind: LaneEOF} && !bodyOn(then[1:], l.ID, Received)
			said = f.skip || next.HTTP == nil && next.Kind != LaneExit
		}
		f.head("<", l.ID, l.HTTP, mark("text", l.Text)+flag("open", !said))
		return
	case l.Kind == LaneExit:
		lane := ""
		if l.ID != 0 {
			lane = strconv.FormatUint(uint64(l.ID), 10)
		}
		f.write("~", lane, " exit", exitWords(l.Exit), tailAfterExit(l))
		return
	}
	f.write("~", f.on(l.ID), " ", wordOf(laneWords(), l.Kind), tail(l.Text))
}

// bodyOn tells that a frame without head comes next, which would be taken for the body of a head before it.
func bodyOn(then []Entry, lane uint32, dir Dir) bool {
	return len(then) > 0 && then[0].Frame != nil && then[0].Frame.HTTP == nil && then[0].Frame.Dir == dir && then[0].Frame.Lane == lane
}

func exitWords(x *Exit) string {
	if x == nil {
		return ""
	}
	out := " " + strconv.Itoa(x.Code) + mark("signal", x.Signal) + flag("ours", x.Ours) + flag("late", x.Late) + mark("dir", x.Dir)
	for _, a := range x.Argv {
		out += " +arg=" + quoted(a)
	}
	for _, s := range x.Stderr {
		out += " +stderr=" + quoted(s)
	}
	return out
}

// tailAfterExit keeps a text from being taken for the exit code.
func tailAfterExit(l *Lane) string {
	if l.Exit == nil {
		return mark("text", l.Text)
	}
	return tail(l.Text)
}
