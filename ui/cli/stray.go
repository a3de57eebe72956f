package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"mcploupe/session/wire"
)

// stray keeps the first texts of a server that are no answer to anything: noise between the messages, replies under
// an id that nothing asked with. Who waits in vain for an answer finds in them what came instead.
type stray struct {
	texts []string
	more  int
}

const (
	strayTexts = 5
	strayRunes = 300 // of one text
)

func (s *stray) take(messages []wire.Message) {
	for i := range messages {
		s.add(&messages[i])
	}
}

func (s *stray) add(m *wire.Message) {
	if m.Dir != wire.Received || m.Kind == wire.Notification || m.Kind == wire.Request {
		return
	}
	text := strings.TrimSpace(string(m.Body))
	if text == "" {
		return
	}
	if len(s.texts) == strayTexts {
		s.more++
		return
	}
	s.texts = append(s.texts, startOf(text))
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
	if len(r.stray.texts) == 0 || r.flags.json {
		return
	}
	fmt.Fprintln(r.io.err, "what else came from the server:")
	for _, text := range r.stray.texts {
		for line := range strings.Lines(text) {
			fmt.Fprintf(r.io.err, "  │ %s\n", safe(strings.TrimRight(line, "\n")))
		}
	}
	if r.stray.more > 0 {
		fmt.Fprintf(r.io.err, "  │ … and %d more\n", r.stray.more)
	}
}
