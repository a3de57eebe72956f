package inspect

import (
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// Part is the part of a frame that a finding is about.
type Part uint8

// The parts. For Key the path names the member whose name is wrong; for Header it is the header's name; for
// Status, Timing and Stream (a fault of framing) it is empty.
const (
	Body Part = iota
	Key
	Header
	Status
	Timing
	Stream
)

// String is the part as it stands in JSON output.
func (p Part) String() string {
	return [...]string{"body", "key", "header", "status", "timing", "stream"}[min(p, Stream)]
}

// InText tells that it stands in the text of a message, where it can be marked: a value, or a member's name.
func (p Part) InText() bool { return p == Body || p == Key }

func parsePart(s string) (Part, bool) {
	for p := Body; p <= Stream; p++ {
		if s == p.String() {
			return p, true
		}
	}
	return 0, false
}

// Place is where a finding is: a frame, a part of it, and an RFC 6901 pointer from the root of the message (or the
// name of a header).
type Place struct {
	Frame wire.Seq
	Part  Part
	Path  jsondoc.Pointer
}

// Confidence says how sure we are.
type Confidence uint8

// Certain: a local fact or the text of the message itself decides. Likely: one of two signs. Guess: a pattern that
// may be innocent. The zero Confidence is Certain.
const (
	Certain Confidence = iota
	Likely
	Guess
)

// String is the confidence as it stands in JSON output.
func (c Confidence) String() string {
	return [...]string{"certain", "likely", "guess"}[min(c, Guess)]
}

// ProfileSEP2145 is the Profile of findings that rest on SEP-2145 alone.
const ProfileSEP2145 = "sep-2145"

// Finding is one departure at one place.
type Finding struct {
	Rule       *Rule
	At         Place
	Also       []Place // other places that belong to it, in other frames perhaps
	Again      int     // how many of these, from the first on, are the same fault once more in the same message
	Got, Want  string  // for display: one line, at most 200 characters, escaped; Got is the raw JSON token where there is one
	Confidence Confidence
	Profile    string // "", or ProfileSEP2145: counted apart
	Published  Level  // for those: what the published text makes of the same answer; 0: nothing
}

// Places are where the fault is: At, and where it is once more. At is the first.
func (f *Finding) Places() []Place {
	return append([]Place{f.At}, f.Also[:f.Again]...)
}

// Level is the level of its rule.
func (f *Finding) Level() Level { return f.Rule.Level }

// Word is what a reader calls it: "must", "should", "advice", or "SEP-2145" for what rests on that alone.
func (f *Finding) Word() string {
	if f.Profile == ProfileSEP2145 {
		return "SEP-2145"
	}
	return f.Rule.Level.String()
}

// Weight orders findings for readers, gravest highest; what rests on SEP-2145 alone comes last.
func (f *Finding) Weight() int {
	if f.Profile == ProfileSEP2145 {
		return 0
	}
	return int(f.Rule.Level)
}

// Fails tells whether a check that fails at the given level (0: never) fails on this finding. A finding that rests on SEP-2145
// alone fails only when sep2145 is set, or by what the published text says of the same answer.
func (f *Finding) Fails(at Level, sep2145 bool) bool {
	if at == 0 {
		return false
	}
	if f.Profile == ProfileSEP2145 && !sep2145 {
		return f.Published >= at
	}
	return f.Rule.Level >= at
}

// Count is a number of findings by level, those that rest on SEP-2145 alone apart.
type Count struct{ Must, Should, Advice, SEP2145 int }

// Add counts these findings.
func (c *Count) Add(findings ...Finding) {
	for i := range findings {
		switch f := &findings[i]; {
		case f.Profile == ProfileSEP2145:
			c.SEP2145++
		case f.Rule.Level == Must:
			c.Must++
		case f.Rule.Level == Should:
			c.Should++
		default:
			c.Advice++
		}
	}
}

// Total is the number of all findings counted.
func (c Count) Total() int { return c.Must + c.Should + c.Advice + c.SEP2145 }
