package schema

import (
	"errors"
	"fmt"
	"time"

	"github.com/dlclark/regexp2/v2"
	lib "github.com/santhosh-tekuri/jsonschema/v6"
)

// How long patterns may take. One match is interrupted by the engine's own clock, which ticks every
// 100 ms; all matches of one Validate together may not take longer than patternTime.
const (
	matchTimeout = 100 * time.Millisecond
	patternTime  = 300 * time.Millisecond
	matchStack   = 1 << 20 // slots of the backtracking stack, 8 bytes each
)

// pattern is a regular expression under ECMA-262 rules, with a bound on what a match may cost.
type pattern struct {
	text  string
	re    *regexp2.Regexp
	meter *meter
}

// newPattern compiles a pattern as ECMA-262 does: with the u flag, as JSON Schema recommends, and where
// that refuses it without (ECMA itself is laxer there).
func newPattern(text string, m *meter) (*pattern, error) {
	if len(text) > MaxPattern {
		return nil, &ErrTooComplex{What: "bytes in a pattern", Got: len(text), Max: MaxPattern}
	}
	limit := regexp2.OptionMaxBacktrackingStackSize(matchStack)
	re, err := regexp2.Compile(text, regexp2.ECMAScript|regexp2.Unicode, limit)
	if err != nil {
		var lax error
		if re, lax = regexp2.Compile(text, regexp2.ECMAScript, limit); lax != nil {
			return nil, err
		}
	}
	re.MatchTimeout = matchTimeout
	return &pattern{text: text, re: re, meter: m}, nil
}

// engine is the compiler's hook for patterns.
func (m *meter) engine(text string) (lib.Regexp, error) {
	p, err := newPattern(text, m)
	if err != nil {
		return nil, err
	}
	return p, nil
}

func (p *pattern) String() string { return p.text }

// MatchString is called by the library in the middle of a validation; a match that takes too long ends
// the whole validation.
func (p *pattern) MatchString(s string) bool {
	p.meter.work(1 + len(s)/64)
	start := time.Now()
	ok, err := p.re.MatchString(s)
	p.meter.matching += time.Since(start)
	switch {
	case errors.Is(err, regexp2.ErrBacktrackingStackLimit), err != nil, p.meter.matching > patternTime:
		panic(giveUp{&ErrTooComplex{What: fmt.Sprintf("the pattern %q takes too long on a text of %d bytes", cut(p.text, 60), len(s))}})
	}
	return ok
}
