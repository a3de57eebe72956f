package inspect

import (
	"strconv"
	"time"

	"mcploupe/session/fresh"
	"mcploupe/session/wire"
)

// The shapes of the JSON output that scripts depend on. They are only ever written, never read.

// VerdictJSON is the member "verdict" of an exchange's line.
type VerdictJSON struct {
	ResultType ResultTypeJSON `json:"resultType"`
	Outcome    OutcomeJSON    `json:"outcome"`
	Freshness  FreshnessJSON  `json:"freshness"`
}

// ResultTypeJSON: Value is the string, the raw token of anything else, null when there is no result; From is wire, assumed,
// missing or none.
type ResultTypeJSON struct {
	Value *string `json:"value"`
	From  string  `json:"from"`
}

// OutcomeJSON: Published and SEP2145 are conforms, deviates or open; they are left out where the two have nothing to say.
type OutcomeJSON struct {
	Class      string   `json:"class"`
	Kind       string   `json:"kind"`
	Confidence string   `json:"confidence"`
	Evidence   []string `json:"evidence"`
	Published  string   `json:"published,omitempty"`
	SEP2145    string   `json:"sep2145,omitempty"`
}

// FreshnessJSON: TTLMs is the time to live in force, null for not-cacheable and no-hint; RemainingMs is null unless fresh;
// Scope is the one in force, null where there is none; Because is method, retry, error, input-required; of what is invalidated cursor, restart
// (the server is gone that said it), session (the server ended the one in which it was said), or the number of the notification that invalidated the result.
type FreshnessJSON struct {
	State       string  `json:"state"`
	TTLMs       *int64  `json:"ttlMs"`
	RemainingMs *int64  `json:"remainingMs"`
	Scope       *string `json:"scope"`
	Because     string  `json:"because"`
}

// FindingJSON is one element of "findings". Profile is "sep-2145" for a finding that rests on it alone; Published is then
// the level that the published text gives the same answer, left out when none.
type FindingJSON struct {
	Seq        wire.Seq    `json:"seq"`
	Rule       string      `json:"rule"`
	Level      string      `json:"level"`
	Source     string      `json:"source"`
	Profile    string      `json:"profile"`
	Published  string      `json:"published,omitempty"`
	Confidence string      `json:"confidence"`
	Part       string      `json:"part"`
	Pointer    string      `json:"pointer"`
	Got        string      `json:"got"`
	Want       string      `json:"want"`
	Also       []PlaceJSON `json:"also"`
}

// PlaceJSON is another place that belongs to a finding.
type PlaceJSON struct {
	Seq     wire.Seq `json:"seq"`
	Part    string   `json:"part"`
	Pointer string   `json:"pointer"`
}

// CountJSON is the member "findings" of a summary.
type CountJSON struct {
	Must    int `json:"must"`
	Should  int `json:"should"`
	Advice  int `json:"advice"`
	SEP2145 int `json:"sep2145"`
}

// JSON is the count as a summary shows it.
func (c Count) JSON() CountJSON { return CountJSON(c) }

// JSON is the verdict as a line shows it; nil (null) for lone frames and while the exchange is open. state is what the
// result is worth at the moment of printing, from a ledger that has seen the notifications; the zero State means that only
// the hint itself is known, and now counts.
func (v *Verdict) JSON(state fresh.State, now time.Time) *VerdictJSON {
	if !v.Ended {
		return nil
	}
	if state.Name == "" {
		state = v.Freshness.At(now)
	}
	out := &VerdictJSON{
		ResultType: ResultTypeJSON{From: v.ResultType.From.String()},
		Outcome: OutcomeJSON{
			Class: string(v.Outcome.Class), Kind: v.Outcome.Kind, Confidence: v.Outcome.Confidence.String(),
			Evidence: append([]string{}, v.Outcome.Evidence...), Published: v.Outcome.Published, SEP2145: v.Outcome.SEP2145,
		},
		Freshness: freshnessJSON(v.Freshness, state),
	}
	if v.ResultType.From != FromNone {
		out.ResultType.Value = &v.ResultType.Value
	}
	return out
}

func freshnessJSON(h fresh.Hint, s fresh.State) FreshnessJSON {
	out := FreshnessJSON{State: s.Name, Because: s.Because}
	if s.Name == "" { // text that was no request: nothing of it can be kept
		out.State, out.Because = fresh.NotCacheable, fresh.BecauseMethod
	}
	if s.By != 0 && s.Because == "" {
		out.Because = strconv.FormatUint(uint64(s.By), 10)
	}
	if h.Cacheable {
		if h.Scope != "" {
			out.Scope = &h.Scope
		}
		if s.Name != fresh.NoHint {
			ms := h.TTL.Milliseconds()
			out.TTLMs = &ms
		}
	}
	if s.Name == fresh.Fresh {
		ms := s.Left.Milliseconds()
		out.RemainingMs = &ms
	}
	return out
}

// JSON is the finding as a line shows it.
func (f *Finding) JSON() FindingJSON {
	out := FindingJSON{
		Seq: f.At.Frame, Rule: f.Rule.ID, Level: f.Rule.Level.String(), Source: f.Rule.Source, Profile: f.Profile,
		Published: f.Published.String(), Confidence: f.Confidence.String(), Part: f.At.Part.String(), Pointer: string(f.At.Path),
		Got: f.Got, Want: f.Want, Also: []PlaceJSON{},
	}
	for _, a := range f.Also {
		out.Also = append(out.Also, PlaceJSON{Seq: a.Frame, Part: a.Part.String(), Pointer: string(a.Path)})
	}
	return out
}

// FindingsJSON is a list of findings as a line shows it: never null.
func FindingsJSON(findings []Finding) []FindingJSON {
	out := make([]FindingJSON, len(findings))
	for i := range findings {
		out[i] = findings[i].JSON()
	}
	return out
}

// RuleJSON is a line of `explain --json` without a name.
type RuleJSON struct {
	Rule   string `json:"rule"`
	Area   string `json:"area"`
	Level  string `json:"level"`
	Source string `json:"source"`
	Title  string `json:"title"`
}

// JSON is the rule as a line of the list.
func (r *Rule) JSON() RuleJSON {
	return RuleJSON{Rule: r.ID, Area: r.Area, Level: r.Level.String(), Source: r.Source, Title: Title(r)}
}
