// Package report turns what a check found into files for other programs and for people: SARIF, JUnit XML, Markdown, one HTML
// page, and a baseline of findings that are known already. It also tells how the lists of a server differ from recorded ones.
//
// Everything is a function of findings and the exchanges that they were found in. The package must never know: sessions,
// sockets, terminals, what time it is.
package report

import (
	"cmp"
	"slices"

	"mcploupe/inspect"
	"mcploupe/session/wire"
)

// Report is what one check found of one server.
type Report struct {
	Version   string // of mcploupe
	Target    string // what was checked, for people, without secrets
	Server    string // name and version that the server gives itself; "" when it gave none
	Era       string // inspect.EraModern, inspect.EraLegacy, "" when nothing is known
	Revision  string // the protocol version in use
	Profile   string // one of inspect.Profiles
	Journal   string // file that the conversation was recorded to, "" for none; SARIF locations lie in it
	Probed    bool   // deliberately odd requests were sent
	Exchanges int
	Items     []Item
	Fixed     []string // findings of the baseline that are gone
	Drift     []Change // how the server differs from a recorded one
}

// Item is one finding with what a reader needs who has no journal.
type Item struct {
	inspect.Finding
	Subject string // the request: "tools/call get_weather"; a notification's method; "" for what belongs to none. Escaped
	Where   string // the place in words that stay the same from run to run: "result.tools[get_weather].inputSchema". Escaped
	Excerpt []Line // what stands around the place; none where nothing stands
	Prints  []string
	Known   bool // in the baseline
	Fails   bool // lets the check fail
}

// Line is one line of an excerpt, escaped. Marked is the one that holds the offending value.
type Line struct {
	Text   string
	Marked bool
}

// NewItem describes a finding of an exchange, which is nil for what only the end of a session shows. get finds other entries of
// the journal, where a finding may have its place too; wire.Log.Get is one. Prints are one line for each place of the finding:
// equal in another run exactly when it is the same fault at the same place.
func NewItem(f inspect.Finding, x *wire.Exchange, get func(wire.Seq) (wire.Entry, bool)) Item {
	m := messages{x, get}
	i := Item{Finding: f, Subject: subject(x)}
	i.Where = m.where(f.At)
	i.Excerpt = m.excerpt(f.At)
	i.Prints = append(i.Prints, fingerprint(f.Rule.ID, i.Subject, i.Where))
	for _, p := range f.Also {
		i.Prints = append(i.Prints, fingerprint(f.Rule.ID, i.Subject, m.where(p)))
	}
	slices.Sort(i.Prints)
	i.Prints = slices.Compact(i.Prints)
	return i
}

func fingerprint(rule, subject, where string) string { return rule + " | " + subject + " | " + where }

// group is the items of one rule.
type group struct {
	Rule  *inspect.Rule
	Items []*Item
}

// Level is the word for the gravest of what the group holds: must, should, advice, or SEP-2145.
func (g group) Level() string { return g.Items[0].Word() }

// New is how many are not in the baseline.
func (g group) New() (n int) {
	for _, i := range g.Items {
		if !i.Known {
			n++
		}
	}
	return n
}

// groups are the items by rule, gravest first, and in the order in which they were found.
func (r *Report) groups() []group {
	var out []group
	at := map[string]int{}
	for n := range r.Items {
		i := &r.Items[n]
		k, ok := at[i.Rule.ID]
		if !ok {
			k = len(out)
			at[i.Rule.ID] = k
			out = append(out, group{Rule: i.Rule})
		}
		out[k].Items = append(out[k].Items, i)
	}
	slices.SortStableFunc(out, func(a, b group) int { return cmp.Compare(b.Items[0].Weight(), a.Items[0].Weight()) })
	return out
}

// told is an item as documents for people list it: faults that read the same are one.
type told struct {
	*Item
	Times int
}

// tell lists the items of a group without repetition, at most shown of them; more is how many are left out.
func (g group) tell() (out []told, more int) {
	at := map[string]int{}
	for _, i := range g.Items {
		s := sentence(i)
		if n, ok := at[s]; ok && n >= 0 {
			out[n].Times++
			continue
		}
		if len(out) == shown {
			more++
			continue
		}
		at[s] = len(out)
		out = append(out, told{i, 1})
	}
	return out, more
}

// count is the number of findings by level, known ones left out.
func (r *Report) count() (c inspect.Count, known int) {
	for n := range r.Items {
		if r.Items[n].Known {
			known++
			continue
		}
		c.Add(r.Items[n].Finding)
	}
	return c, known
}
