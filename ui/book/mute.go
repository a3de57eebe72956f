package book

import (
	"maps"
	"slices"

	"mcploupe/inspect"
)

// A rule that a person has muted is judged as ever and kept; it only leaves counts, marks and lists. So everything
// that shows findings sees those of a Row, which are without it, and nobody else has to know of it.

// Mute leaves the findings of a rule out of everything from now on, or takes them back in.
func (b *Book) Mute(rule string, on bool) {
	f := &b.Findings
	if f.muted[rule] == on {
		return
	}
	if on {
		f.muted[rule] = true
	} else {
		delete(f.muted, rule)
	}
	f.mutes++
	f.version++
	f.Count, f.Muted = inspect.Count{}, 0
	for _, g := range f.Groups {
		g.Muted = f.muted[g.Rule.ID]
		if g.Muted {
			f.Muted += g.Count
			continue
		}
		f.Count.Must += g.sum.Must
		f.Count.Should += g.sum.Should
		f.Count.Advice += g.sum.Advice
		f.Count.SEP2145 += g.sum.SEP2145
	}
	for _, r := range b.Timeline.Rows {
		if len(r.found) > 0 {
			r.hear(f.muted)
		}
	}
	b.Timeline.version++
	for k := range b.lists {
		l := &b.lists[k]
		for i := range l.Items {
			l.Items[i].Worst = l.Items[i].found.worst(f.muted)
		}
		l.version++
	}
}

// MutedRules are the rules that are muted, by name.
func (f *Findings) MutedRules() []string { return slices.Sorted(maps.Keys(f.muted)) }

// IsMuted tells that a rule is muted.
func (f *Findings) IsMuted(rule string) bool { return f.muted[rule] }

// Mutes grows whenever a rule is muted or taken back in.
func (f *Findings) Mutes() int { return f.mutes }

// hear brings what the row shows of its findings up to date.
func (r *Row) hear(muted map[string]bool) {
	r.Findings, r.Count, r.Worst = r.found, inspect.Count{}, 0
	if len(muted) > 0 {
		r.Findings = nil
		for i := range r.found {
			if !muted[r.found[i].Rule.ID] {
				r.Findings = append(r.Findings, r.found[i])
			}
		}
	}
	r.Muted = len(r.found) - len(r.Findings)
	r.Count.Add(r.Findings...)
	for i := range r.Findings {
		r.Worst = max(r.Worst, r.Findings[i].Level())
	}
}

// levels is the gravest finding of each rule about one thing.
type levels []level

type level struct {
	rule  string
	level inspect.Level
}

func (l levels) add(f *inspect.Finding) levels {
	for i := range l {
		if l[i].rule == f.Rule.ID {
			return l
		}
	}
	return append(l, level{f.Rule.ID, f.Level()})
}

func (l levels) worst(muted map[string]bool) (worst inspect.Level) {
	for i := range l {
		if !muted[l[i].rule] {
			worst = max(worst, l[i].level)
		}
	}
	return worst
}
