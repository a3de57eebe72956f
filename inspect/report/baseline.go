package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// Baseline is a set of findings that are known: a check that is given one fails on new ones alone. It is a JSON file made to be
// read and compared by people and kept beside the source of a server.
type Baseline struct {
	Mcploupe int `json:"mcploupe"` // version of the format: 1
	// Findings are one line for each place, sorted: rule, request, place in words. No numbers of frames, no values.
	Findings []string `json:"findings"`
}

// ReadBaseline reads a file of Baseline.
func ReadBaseline(text []byte) (*Baseline, error) {
	var b Baseline
	if err := json.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &b); err != nil {
		return nil, fmt.Errorf("reading a baseline: %w", err)
	}
	if b.Mcploupe != 1 {
		return nil, fmt.Errorf("reading a baseline: it says \"mcploupe\": %d, and this version knows 1", b.Mcploupe)
	}
	return &b, nil
}

// Baseline is what was found, as a baseline for checks to come.
func (r *Report) Baseline() []byte {
	b := Baseline{Mcploupe: 1, Findings: []string{}}
	for n := range r.Items {
		b.Findings = append(b.Findings, r.Items[n].Prints...)
	}
	slices.Sort(b.Findings)
	b.Findings = slices.Compact(b.Findings)
	return indented(b)
}

// Compare marks the items that stand in the baseline, and those of the baseline that are gone. An item is known when all of its
// places are.
func (r *Report) Compare(b *Baseline) {
	known := map[string]bool{}
	for _, line := range b.Findings {
		known[line] = true
	}
	seen := map[string]bool{}
	for n := range r.Items {
		i := &r.Items[n]
		i.Known = true
		for _, p := range i.Prints {
			seen[p] = true
			i.Known = i.Known && known[p]
		}
		if i.Known {
			i.Fails = false
		}
	}
	r.Fixed = nil
	for _, line := range b.Findings {
		if !seen[line] {
			r.Fixed = append(r.Fixed, line)
		}
	}
}

// indented is JSON for files; what is written here cannot fail to be written.
func indented(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil
	}
	return b.Bytes()
}
