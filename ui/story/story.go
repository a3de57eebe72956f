// Package story tells an exchange, and what belongs to it, as a sequence diagram: who said what to whom, and when, counted from
// the beginning. It takes exchanges and gives rows, and sets rows as lines of text or as Markdown with a Mermaid diagram. It is
// pure, and must never know: sessions, screens, clocks, how a verdict is reached.
package story

import (
	"time"

	"mcploupe/session/wire"
)

// Part is one exchange of a story, and what was found out about its answer: signs and words, escaped, in one line.
type Part struct {
	X       *wire.Exchange
	Verdict string
	Tone    Tone
}

// Tone is how good something is.
type Tone uint8

// Tones.
const (
	Plain Tone = iota
	Good
	Warn
	Bad
)

// Way is where a message goes.
type Way uint8

// Ways. Both is a question and its answer in one row; Aside is no message, but something that happened.
const (
	ToServer Way = iota + 1
	ToClient
	Both
	Aside
)

// Row is one message, or many alike. All texts are escaped and hold no line ends.
type Row struct {
	At, Until time.Duration // since the beginning; Until is that of the last one, where Count is more than 1
	Way       Way
	Answer    bool // it answers a request
	Head      string
	Verdict   string
	Tone      Tone // of the verdict
	Detail    []string
	Count     int      // how many alike, at least 1
	Number    string   // of the exchange: "#14"; "" for none
	Peer      string   // who is spoken to when it is not the server: a host
	Frame     wire.Seq // number of the message, of the newest one where they are many; 0 for Aside

	fold string // rows that follow each other with the same one are folded; "" for none
}

// Name is the head of a row that stands alone, without its verdict: an answer that was judged may have no head of its own.
func (r *Row) Name() string {
	if r.Head == "" && r.Answer {
		return "answer"
	}
	return r.Head
}

// Story is a sequence of rows.
type Story struct {
	Title    string // escaped: what it is about
	Server   string // escaped: the other side's name
	Rows     []Row
	Left     int // rows left out, in the middle
	Took     time.Duration
	Requests int // of ours
	Open     bool
}

// mostRows bounds a story: the beginning and the end of a longer one are kept.
const (
	mostRows  = 600
	firstRows = 200
)

// Tell tells parts, which Gather chose, in the order of their numbers. server is the other side's name, "" when it has none.
func Tell(server string, parts []Part) Story { return told(server, parts, false) }

// Frames tells parts as Tell does, but every message in a row of its own: for whoever looks at one after the other.
func Frames(server string, parts []Part) Story { return told(server, parts, true) }

func told(server string, parts []Part, each bool) Story {
	t := teller{methods: map[wire.Seq]string{}, each: each}
	for i := range parts {
		t.know(parts[i].X)
	}
	for i := range parts {
		t.part(&parts[i])
	}
	s := Story{Server: line(server), Requests: t.requests, Open: len(t.waiting) > 0}
	if s.Server == "" {
		s.Server = "server"
	}
	if len(parts) > 0 {
		s.Title = title(parts[0].X)
	}
	if s.Rows = t.sorted(); !each {
		s.Rows = fold(s.Rows)
	}
	if n := len(s.Rows); n > 0 {
		last := s.Rows[n-1]
		s.Took = max(last.At, last.Until)
	}
	if over := len(s.Rows) - mostRows; over > 0 {
		s.Left = over
		s.Rows = append(s.Rows[:firstRows:firstRows], s.Rows[firstRows+over:]...)
	}
	return s
}

// fold makes one row of those that follow each other and are alike: the newest one, with the time of the first and a count.
func fold(rows []Row) []Row {
	var out []Row
	for _, r := range rows {
		if n := len(out) - 1; n >= 0 && r.fold != "" && out[n].fold == r.fold {
			r.Count, r.At, r.Until = out[n].Count+1, out[n].At, max(r.At, r.Until)
			out[n] = r
			continue
		}
		out = append(out, r)
	}
	return out
}
