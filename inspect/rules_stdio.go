package inspect

import (
	"fmt"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

const sourceStdio = "transports/stdio"

// stdioRules are about a server that is a child process: one message a line on its standard output, nothing else there, and an
// orderly end.
func stdioRules() []*Rule {
	return []*Rule{{
		ID:     "stdio-stdout-noise",
		Level:  Must,
		Eras:   "all",
		Source: sourceStdio + "; 2025-11-25/basic/transports §stdio",
		On:     Frames(),
		Check:  checkNoise,
	}, {
		ID:     "stdio-embedded-newline",
		Level:  Must,
		Eras:   "all",
		Source: sourceStdio,
		On:     Frames(),
		Check: func(p *Pass) {
			if p.shaped(wire.ShapePretty) && p.Once("") {
				p.Report(p.Stream(), fmt.Sprintf("one message on %d lines", max(p.m.Lines, 2)), "each message on one line")
			}
		},
	}, {
		ID:     "stdio-content-length",
		Level:  Must,
		Eras:   "all",
		Source: sourceStdio,
		On:     Frames(),
		Check: func(p *Pass) {
			if (p.shaped(wire.ShapeLSP) || p.piped() && contentLength(p.m.Body)) && p.Once("") {
				p.Report(p.Stream(), "a Content-Length header", "one message a line, without headers (those are the framing of language servers)")
			}
		},
	}, {
		ID:     "stdio-glued-messages",
		Level:  Must,
		Eras:   "all",
		Source: sourceStdio,
		On:     Frames(),
		Check: func(p *Pass) {
			type run struct{ last wire.Seq }
			if !p.shaped(wire.ShapeGlued) {
				return
			}
			// The parts of one line come one after the other: the first of them is the finding.
			r := Keep[run](p)
			again := r.last != 0 && p.m.Seq == r.last+1
			if r.last = p.m.Seq; !again {
				p.Report(p.Stream(), "", "a line end behind each message, and nothing else on its line")
			}
		},
	}, {
		ID:     "stdio-crlf",
		Level:  Advice,
		Eras:   "all",
		Source: sourceStdio,
		On:     Frames(),
		Check: func(p *Pass) {
			const want = "each line ended by one LF (0A), and no empty lines"
			if p.shaped(wire.ShapeCRLF) && !p.shaped(wire.ShapeLSP) && p.Once("crlf") {
				p.Report(p.Stream(), "a line that ends with CR LF (0D 0A)", want)
			}
			if p.shaped(wire.ShapeBlank) && p.Once("blank") {
				p.Report(p.Stream(), "a line with nothing on it", want)
			}
		},
	}, {
		ID:     "stdio-unterminated",
		Level:  Advice,
		Eras:   "all",
		Source: sourceStdio,
		On:     Messages(),
		Check: func(p *Pass) {
			if p.shaped(wire.ShapeUnterminated) && !p.shaped(wire.ShapeNoise|wire.ShapeTruncated) {
				p.Report(p.Stream(), "a last message without a line end", "a line end behind every message, the last one too")
			}
		},
	}, {
		ID:     "stdio-exit-early",
		Level:  Should,
		Eras:   "all",
		Source: "JSON-RPC 2.0 §5; basic/patterns/index",
		On:     Exchanges().Or(AtEnd()),
		Check:  checkExitEarly,
	}, {
		ID:     "stdio-no-exit-on-eof",
		Level:  Should,
		Eras:   "all",
		Source: sourceStdio + " §Shutdown",
		On:     AtEnd(),
		Check: func(p *Pass) {
			if e := p.History().Exit(); e != nil && e.Ours && e.Late {
				p.Report(p.Timing(), "still running after its input was closed; it had to be ended by a signal", "an exit of its own when the input ends")
			}
		},
	}, {
		ID:     "stdio-serial-blocking",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: "basic/index §Statelessness",
		On:     Exchanges(),
		Check:  checkSerial,
	}, {
		ID:     "stdio-process-state",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "basic/index §Statelessness; SEP-2567",
		On:     Errors(),
		Check: func(p *Pass) {
			if !p.HTTP() && p.ordinary() && p.Method() != mcp.Initialize && asksForSession(p.Error()) {
				p.Report(p.At(p.Error()), "", "an answer: each request says all that the server needs to know").Likely()
			}
		},
	}}
}

// piped tells that the message came over the pipes of a child process.
func (p *Pass) piped() bool {
	return p.m != nil && p.m.Dir == wire.Received && p.m.Lane == 0 && p.m.HTTP == nil && p.m.Event == nil
}

// shaped tells that the message came over pipes and that one of these facts holds of its framing.
func (p *Pass) shaped(s wire.Shape) bool { return p.piped() && p.m.Shape&s != 0 }

// contentLength tells that a line is a header like "Content-Length: 120".
func contentLength(line []byte) bool {
	name, value, ok := strings.Cut(string(line[:min(len(line), 64)]), ":")
	value = strings.TrimSpace(value)
	return ok && strings.EqualFold(name, "Content-Length") && value != "" && strings.Trim(value, "0123456789") == ""
}

// maxNoise is how many lines of noise are reported one by one.
const maxNoise = 100

func checkNoise(p *Pass) {
	type count struct{ n int }
	// What other rules say of the same bytes is not said twice.
	const others = wire.ShapeBlank | wire.ShapePretty | wire.ShapeGlued | wire.ShapeLSP | wire.ShapeCut | wire.ShapeTruncated
	if !p.piped() || p.m.Shape&others != 0 || contentLength(p.m.Body) {
		return
	}
	got := ""
	switch {
	case p.m.Kind == wire.NotJSON:
		if strings.TrimSpace(string(p.m.Body)) == "" {
			return
		}
	case p.m.Kind != wire.Odd:
		return
	case p.root.Is(jsondoc.Object):
		if p.root.Get("id").Exists() && p.root.Get("jsonrpc").Exists() {
			return // meant as an answer
		}
	}
	c := Keep[count](p)
	if c.n++; c.n <= maxNoise {
		p.Report(p.Stream(), got, "nothing but messages on standard output; other text goes to stderr")
	}
}

// checkExitEarly reports the requests that waited when the child exited by itself. What ended them is often the end of its
// output, a moment before its exit tells whether that was its own doing.
func checkExitEarly(p *Pass) {
	type waiting struct{ seqs []wire.Seq }
	if p.x.Request != nil && p.x.End == wire.Replied {
		return
	}
	kept := Keep[waiting](p)
	if p.x.Request != nil && p.x.End == wire.Dropped && !p.HTTP() && p.ordinary() {
		kept.seqs = append(kept.seqs, p.x.Seq())
	}
	exit := p.x.Exit
	if p.x.Request == nil { // the end of the session
		exit = p.History().Exit()
	}
	if exit == nil {
		return
	}
	got := fmt.Sprintf("an exit with code %d", exit.Code)
	if exit.Signal != "" {
		got = "an end by the signal " + exit.Signal
	}
	if !exit.Ours {
		for _, seq := range kept.seqs {
			p.Report(Place{Frame: seq, Part: Timing}, got, "an answer before the process exits")
		}
	}
	kept.seqs = nil
}

const (
	slowCall  = 2 * time.Second
	soonAfter = 500 * time.Millisecond
)

// checkSerial looks for a quick request that was answered only right after a slow call that it had nothing to do with.
func checkSerial(p *Pass) {
	type call struct {
		seq         wire.Seq
		asked, over time.Time
	}
	if p.x.Reply == nil || p.HTTP() {
		return
	}
	last := Keep[call](p)
	m, _ := mcp.Lookup(p.x.Method())
	switch {
	case m.Name == mcp.ToolsCall:
		*last = call{p.x.Seq(), p.x.Request.At, p.x.Reply.At}
	case m.Name == mcp.Discover || m.List != "":
		asked, came := p.x.Request.At, p.x.Reply.At
		blocked := last.seq != 0 && last.seq < p.x.Seq() && asked.Before(last.over) && last.over.Sub(asked) >= slowCall
		if blocked && !came.Before(last.over) && came.Sub(last.over) < soonAfter && p.Once("") {
			p.Report(p.Timing(), fmt.Sprintf("answered after %.1f s, right after the call before it", came.Sub(asked).Seconds()),
				"an answer while the slow call goes on").Also(p.Frame(last.seq)).Likely()
		}
	}
}

// asksForSession tells that an error complains that there is no session, or that initialize did not come first.
func asksForSession(e jsondoc.Value) bool {
	text := strings.ToLower(e.Get("message").Text())
	for _, phrase := range []string{
		"not initialized", "not initialised", "not been initialized", "uninitialized", "initialize first", "before initialize",
		"before initialization", "no valid session", "session id required", "missing session", "session not found", "no session", "session required",
		"mcp-session-id",
	} {
		if strings.Contains(text, phrase) {
			return true
		}
	}
	return false
}
