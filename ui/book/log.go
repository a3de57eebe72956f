package book

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

// Line is one line of the log: something beside requests and answers.
type Line struct {
	At     time.Time
	From   string // "stderr", "server" (notifications/message), "connection", "client"
	Level  string // "", "debug", "info", "notice", "warning", "error" …; escaped
	Logger string // what the server calls the part that speaks; escaped, "" when it does not say
	Text   string // escaped, one line; at most lineBytes of what came
	Data   string // raw JSON of a server's message that is no text, "" for text and for what is too long to keep twice
	More   int    // bytes that Text leaves out
	Seq    wire.Seq
	// During is the only request that ran when the server spoke, where the message does not say for which it is (stdio): a
	// guess, and a good one.
	During wire.Ref
	Row    wire.Ref // the exchange that it came for, or of its own; zero where there is none
}

// Bounds of what a line keeps; the frame itself has the rest, as long as the log keeps it.
const (
	lineBytes = 2 << 10
	dataBytes = 8 << 10
)

// Log is the lines beside the protocol, oldest first.
type Log struct {
	Lines   []Line
	Dropped int
	version int
}

// Version grows with every line.
func (l *Log) Version() int { return l.version }

func (l *Log) add(x Line) {
	l.version++
	l.Lines = append(l.Lines, x)
	const slack = MaxLines / 10
	if len(l.Lines) > MaxLines+slack {
		l.Lines = append(make([]Line, 0, MaxLines+slack+1), l.Lines[slack:]...)
		l.Dropped += slack
	}
}

// inOrder puts the lines from the given one on, counted from the first ever, into the order of their times: a page tells
// what is beside the protocol before what was said in it.
func (l *Log) inOrder(from int) {
	if from -= l.Dropped; from < len(l.Lines) {
		slices.SortStableFunc(l.Lines[max(from, 0):], func(a, b Line) int { return a.At.Compare(b.At) })
	}
}

// clip makes a text of anybody a line: escaped and bounded.
func clip(text string) (line string, more int) {
	if len(text) > lineBytes {
		cut := lineBytes
		for cut > 0 && text[cut]&0xc0 == 0x80 {
			cut--
		}
		more, text = len(text)-cut, text[:cut]
	}
	return visible.Escape(strings.ReplaceAll(text, "\t", "    ")), more
}

func (l *Log) note(e *wire.Entry) {
	from := e.Note.From
	for text := range strings.SplitSeq(e.Note.Text, "\n") {
		line, more := clip(text)
		l.add(Line{At: e.At, From: from, Level: e.Note.Level, Text: line, More: more, Seq: e.Seq})
	}
}

func (l *Log) state(e *wire.Entry) {
	level := "info"
	if e.State.Phase == wire.Failed || e.State.Phase == wire.Lost {
		level = "error"
	}
	l.add(Line{At: e.At, From: "connection", Level: level, Text: visible.Escape(e.State.Text), Seq: cmp.Or(e.State.Evidence, e.Seq)})
}

func (l *Log) lane(e *wire.Entry) {
	text, level := "", "info"
	switch e.Lane.Kind {
	case wire.LaneExit:
		text = ExitWords(e.Lane.Exit)
		if e.Lane.Exit != nil && !e.Lane.Exit.Ours {
			level = "error"
		}
	case wire.LaneCut:
		text, level = "the stream broke: "+e.Lane.Text, "error"
	case wire.LaneFailed:
		text, level = "could not connect: "+e.Lane.Text, "error"
	default:
		return // orderly opening and closing is not worth a line each
	}
	l.add(Line{At: e.At, From: "connection", Level: level, Text: visible.Escape(text), Seq: e.Seq})
}

// message is a log message of the server. What its data is decides how it is read: text is text, anything else is JSON;
// of an object with a message in it the message comes first.
func (l *Log) message(m *wire.Message, row, during wire.Ref) {
	p := m.Params()
	data := p.Get("data")
	x := Line{At: m.At, From: "server", Seq: m.Seq, Row: row, During: during}
	x.Level, _ = clip(p.Get("level").Text())
	x.Logger, _ = clip(p.Get("logger").Text())
	if data.Is(jsondoc.String) {
		x.Text, x.More = clip(data.Text())
		l.add(x)
		return
	}
	raw := data.Raw()
	if len(raw) <= dataBytes {
		x.Data = string(raw)
	}
	text := string(jsondoc.Compact(nil, raw[:min(len(raw), dataBytes)]))
	for _, name := range []string{"message", "msg"} {
		if words := data.Get(name); words.Is(jsondoc.String) && words.Text() != "" && data.Len() > 1 {
			text = words.Text() + "  " + text
			break
		}
	}
	if !data.Exists() {
		text = "a message without data"
	}
	x.Text, x.More = clip(text)
	x.More += max(0, len(raw)-dataBytes)
	l.add(x)
}

// ExitWords says how the child ended, in one line.
func ExitWords(x *wire.Exit) string {
	switch {
	case x == nil:
		return "the server process ended"
	case x.Signal != "":
		return "the server process ended by " + x.Signal
	}
	return fmt.Sprintf("the server process ended with exit code %d", x.Code)
}
