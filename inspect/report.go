package inspect

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

// frame is the number of the frame that a value stands in.
func (p *Pass) frame(v jsondoc.Value) wire.Seq {
	doc := v.Document()
	if doc == nil {
		return p.seq()
	}
	// Documents may be parsed more than once; the bytes they were parsed from are the same memory.
	text := textOf(doc.Text)
	for _, m := range []*wire.Message{p.m, p.x.Reply, p.x.Request, p.x.Lone} {
		if m != nil && textOf(m.Body) == text {
			return m.Seq
		}
	}
	for _, list := range [][]wire.Message{p.x.During, p.x.Late} {
		for i := range list {
			if textOf(list[i].Body) == text {
				return list[i].Seq
			}
		}
	}
	if seq, ok := p.in.history.docs[text]; ok {
		return seq
	}
	return p.seq()
}

// textOf identifies a text by where it is in memory.
func textOf(body []byte) *byte {
	if len(body) == 0 {
		return nil
	}
	return &body[0]
}

func (p *Pass) seq() wire.Seq {
	switch {
	case p.m != nil:
		return p.m.Seq
	case p.x.Seq() != 0:
		return p.x.Seq()
	}
	return p.in.history.lastSeq
}

// At is the place of a value, in whatever frame it stands. A missing value stands for the whole message.
func (p *Pass) At(v jsondoc.Value) Place {
	if !v.Exists() {
		return Place{Frame: p.seq()}
	}
	return Place{Frame: p.frame(v), Path: v.Pointer()}
}

// Key is the place of the name of this member.
func (p *Pass) Key(member jsondoc.Value) Place {
	at := p.At(member)
	at.Part = Key
	return at
}

// Header is the place of a header of the response.
func (p *Pass) Header(name string) Place {
	return Place{Frame: p.seq(), Part: Header, Path: jsondoc.Pointer(name)}
}

// SentHeader is the place of a header of our request.
func (p *Pass) SentHeader(name string) Place {
	return Place{Frame: p.x.Seq(), Part: Header, Path: jsondoc.Pointer(name)}
}

// Status is the place of the response's HTTP status.
func (p *Pass) Status() Place { return Place{Frame: p.seq(), Part: Status} }

// Timing is the place of the moment at which the message came, or did not come.
func (p *Pass) Timing() Place { return Place{Frame: p.seq(), Part: Timing} }

// Stream is the place of the message's framing.
func (p *Pass) Stream() Place { return Place{Frame: p.seq(), Part: Stream} }

// Frame is the place of a whole other frame, for Also.
func (p *Pass) Frame(seq wire.Seq) Place { return Place{Frame: seq} }

// Report adds a finding of the running rule. Empty got: the raw token at the place (Body), the header, the status, or
// the beginning of the frame (Stream). Want says in a few words what would have been right.
func (p *Pass) Report(at Place, got, want string) Report {
	if got == "" {
		got = p.token(at)
	}
	f := Finding{Rule: p.rule, At: at, Got: display(got), Want: display(want)}
	if p.rule.SEP2145() {
		f.Profile = ProfileSEP2145
	}
	p.found = append(p.found, f)
	return Report{p, len(p.found) - 1}
}

// Reportf is Report with a formatted want.
func (p *Pass) Reportf(at Place, got, want string, args ...any) Report {
	return p.Report(at, got, fmt.Sprintf(want, args...))
}

// alsoMax is how many places ReportSame adds to one finding; a list of thousands of tools shows a fault well enough with these.
const alsoMax = 32

// ReportSame is Report for a fault that repeats within a message, like a wrong member in every tool: the first place with
// this key makes the finding, further ones (at most 32) are added to it as Also.
func (p *Pass) ReportSame(key string, at Place, got, want string) {
	for i, k := range p.same {
		if k.rule == p.rule && k.key == key {
			if f := &p.found[p.sameAt[i]]; len(f.Also) < alsoMax {
				f.again(at)
			}
			return
		}
	}
	p.same = append(p.same, onceKey{p.rule, key})
	p.sameAt = append(p.sameAt, len(p.found))
	p.Report(at, got, want)
}

// Report is a finding just reported, to be refined.
type Report struct {
	p *Pass
	i int
}

func (r Report) finding() *Finding { return &r.p.found[r.i] }

// again adds a place where the same fault is once more.
func (f *Finding) again(at Place) {
	f.Also = slices.Insert(f.Also, f.Again, at)
	f.Again++
}

// Again adds places in the same message where the same fault is once more.
func (r Report) Again(places ...Place) Report {
	for _, at := range places {
		r.finding().again(at)
	}
	return r
}

// Also adds other places that belong to the finding.
func (r Report) Also(places ...Place) Report {
	r.finding().Also = append(r.finding().Also, places...)
	return r
}

// Likely says that one of two signs decided.
func (r Report) Likely() Report { return r.Sure(Likely) }

// Guess says that the pattern may be innocent.
func (r Report) Guess() Report { return r.Sure(Guess) }

// Sure sets the confidence.
func (r Report) Sure(c Confidence) Report { r.finding().Confidence = c; return r }

// Published says what the published text makes of the same answer (for rules that rest on SEP-2145).
func (r Report) Published(l Level) Report { r.finding().Published = l; return r }

func (p *Pass) token(at Place) string {
	m := p.message(at.Frame)
	switch at.Part {
	case Body, Key:
		if m == nil {
			return ""
		}
		v := m.Doc().At(at.Path)
		if at.Part == Key {
			return jsondoc.Quote(v.Name())
		}
		if !v.Exists() {
			return "nothing"
		}
		raw := v.Raw()
		if len(raw) > 4*displayMax {
			raw = raw[:4*displayMax]
		}
		return string(jsondoc.Compact(nil, raw))
	case Header:
		head := p.Head()
		if m != nil && m.Dir == wire.Sent {
			head = p.SentHead()
		}
		if head == nil || head.Get(string(at.Path)) == "" {
			return "no such header"
		}
		return head.Get(string(at.Path))
	case Status:
		if head := p.Head(); head != nil {
			return fmt.Sprintf("HTTP %d", head.Status)
		}
	case Stream:
		if m != nil {
			return string(m.Body[:min(len(m.Body), displayMax)])
		}
	}
	return ""
}

// message is the frame with this number, where this pass can see it.
func (p *Pass) message(seq wire.Seq) *wire.Message {
	if p.m != nil && p.m.Seq == seq {
		return p.m
	}
	if m := p.x.Message(seq); m != nil {
		return m
	}
	return p.in.history.message(seq)
}

// displayMax is the longest got or want, in characters.
const displayMax = 200

// display makes text fit for one line of any screen.
func display(s string) string {
	if len(s) > 8*displayMax {
		s = s[:8*displayMax]
	}
	s = visible.Escape(s)
	if utf8.RuneCountInString(s) <= displayMax {
		return s
	}
	n := 0
	for i := range s {
		if n == displayMax-1 {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// displayAll is display without a limit.
func displayAll(s string) string { return visible.Escape(s) }
