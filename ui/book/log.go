package book

import (
	"fmt"
	"strings"
	"time"

	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

// Line is one line of the log: something beside requests and answers.
type Line struct {
	At    time.Time
	From  string // "stderr", "server" (notifications/message), "connection", "client"
	Level string // "", "debug", "info", "notice", "warning", "error" …; escaped
	Text  string // escaped, one line
	Seq   wire.Seq
}

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

func (l *Log) note(e *wire.Entry) {
	from := e.Note.From
	for _, text := range strings.Split(e.Note.Text, "\n") {
		l.add(Line{At: e.At, From: from, Level: e.Note.Level, Text: visible.Escape(strings.ReplaceAll(text, "\t", "    ")), Seq: e.Seq})
	}
}

func (l *Log) state(e *wire.Entry) {
	level := "info"
	if e.State.Phase == wire.Failed || e.State.Phase == wire.Lost {
		level = "error"
	}
	l.add(Line{At: e.At, From: "connection", Level: level, Text: visible.Escape(e.State.Text), Seq: e.Seq})
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

func (l *Log) message(m *wire.Message) {
	p := m.Params()
	text := p.Get("data").Text()
	if text == "" {
		text = string(p.Get("data").Raw())
	}
	if name := p.Get("logger").Text(); name != "" {
		text = name + ": " + text
	}
	l.add(Line{At: m.At, From: "server", Level: visible.Escape(p.Get("level").Text()), Text: visible.Escape(text), Seq: m.Seq})
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
