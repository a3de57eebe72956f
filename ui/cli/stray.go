package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mcploupe/session/wire"
	"mcploupe/ui/kit"
)

// stray keeps the first texts of a server that are no answer: noise between the messages, replies under an id that
// nothing asked with, pages where a message should be. Who waits in vain for an answer finds in them what came instead.
type stray struct {
	texts []strayText
	shown map[wire.Seq]bool // exchanges that were printed whole
	more  int
}

type strayText struct {
	seq     wire.Seq
	of      wire.Seq // the exchange it belongs to, 0 for a frame of its own
	answers bool     // it is a batch, and what is in it answers something
	note    string   // what there is to know about it, "" for nothing
	text    string
}

const (
	strayTexts = 5
	strayRunes = 300 // of one text
)

func (s *stray) take(messages ...wire.Message) {
	for i := range messages {
		s.add(&messages[i], 0)
	}
}

// late takes what came for an exchange after its end, and says how long after.
func (s *stray) late(x *wire.Exchange, messages []wire.Message) {
	what := "the end"
	switch x.End {
	case wire.Cancelled:
		what = "the cancel"
	case wire.TimedOut:
		what = "the timeout"
	}
	for i := range messages {
		m := &messages[i]
		n := len(s.texts)
		if s.add(m, 0); len(s.texts) > n && (m.Kind == wire.Result || m.Kind == wire.Error) {
			s.texts[n].note = fmt.Sprintf("late, %s after %s of #%d: ", kit.Took(m.At.Sub(x.Ended)), what, x.Seq())
		}
	}
}

// answered takes back that a batch was no answer: one of its parts is.
func (s *stray) answered(m *wire.Message) {
	for i := range s.texts {
		if m.Part > 0 && s.texts[i].seq == m.Seq {
			s.texts[i].answers = true
		}
	}
}

func (s *stray) add(m *wire.Message, of wire.Seq) {
	if m.Dir != wire.Received || m.Kind == wire.Document || m.Kind == wire.Notification || m.Kind == wire.Request {
		return
	}
	text := strings.TrimSpace(string(m.Body))
	if n := len(s.texts); text == "" || n > 0 && s.texts[n-1].text == startOf(text) {
		return
	}
	if len(s.texts) == strayTexts {
		s.more++
		return
	}
	s.texts = append(s.texts, strayText{seq: m.Seq, of: of, text: startOf(text)})
}

// answerless tells that a lone frame may be what came instead of an answer: not what a GET or DELETE was refused with, nor
// the address that HTTP+SSE begins with.
func answerless(x *wire.Exchange) bool {
	if e := x.Lone.Event; e != nil && e.Name == "endpoint" {
		return false
	}
	return x.Lone.HTTP == nil || x.Of != 0 || x.Lone.Kind == wire.Batch
}

// startOf is as much of a text as a few lines of an error have room for.
func startOf(text string) string {
	end := 0
	for n := 0; end < len(text) && n < strayRunes; n++ {
		_, size := utf8.DecodeRuneInString(text[end:])
		end += size
	}
	if end == len(text) {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes in all)", text[:end], len(text))
}

// showStray prints what came that is no answer to anything. Call it when everything has been read.
func (r *run) showStray() {
	r.showAside()
	texts := slices.DeleteFunc(slices.Clone(r.stray.texts), func(s strayText) bool { return r.stray.shown[s.of] || s.answers })
	if len(texts) == 0 || r.flags.json {
		return
	}
	fmt.Fprintln(r.io.err, "what came that is no answer:")
	for _, s := range texts {
		for line := range strings.Lines(s.note + s.text) {
			fmt.Fprintf(r.io.err, "  │ %s\n", safe(strings.TrimRight(line, "\n")))
		}
	}
	if r.stray.more > 0 {
		fmt.Fprintf(r.io.err, "  │ … and %d more\n", r.stray.more)
	}
}
