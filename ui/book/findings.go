package book

import (
	"sort"

	"mcploupe/inspect"
	"mcploupe/session/wire"
)

// Found is a finding and the exchange that showed it.
type Found struct {
	inspect.Finding
	Row wire.Ref
}

// Group is all findings of one rule.
type Group struct {
	Rule  *inspect.Rule
	Count int
	First Found
	All   []Found // oldest first; all groups together at most MaxFindings
	Muted bool    // a person wants to hear no more of it
	sum   inspect.Count
}

// Findings is everything found so far.
type Findings struct {
	Count   inspect.Count // without those of muted rules
	Muted   int           // those
	Groups  []*Group      // by level, then in the order in which they came; muted ones too
	byRule  map[string]*Group
	muted   map[string]bool // by rule, also such that nothing was found of yet
	mutes   int
	kept    int
	version int
}

// Version grows with every finding.
func (f *Findings) Version() int { return f.version }

func (f *Findings) add(x inspect.Finding, row wire.Ref) {
	f.version++
	g := f.byRule[x.Rule.ID]
	found := Found{x, row}
	if g == nil {
		g = &Group{Rule: x.Rule, First: found, Muted: f.muted[x.Rule.ID]}
		f.byRule[x.Rule.ID] = g
		f.Groups = append(f.Groups, g)
		sort.SliceStable(f.Groups, func(i, j int) bool { return f.Groups[i].Rule.Level > f.Groups[j].Rule.Level })
	}
	g.Count++
	g.sum.Add(x)
	if g.Muted {
		f.Muted++
	} else {
		f.Count.Add(x)
	}
	if f.kept < MaxFindings {
		f.kept++
		g.All = append(g.All, found)
	}
}
