package content

import (
	"slices"
	"sort"

	tea "charm.land/bubbletea/v2"

	"mcploupe/highlight"
	"mcploupe/ui/kit"
)

// search is what is looked for in all parts of an answer, in the forms in which they are shown.
type search struct {
	kit.Search
	sought string   // what parts were looked through for
	parts  []sought // in the order of the screen
	n, on  int      // all hits; the one that somebody stands at, -1
	jump   bool     // go to what is found
	latest kit.Latest
	job    *int // what is looked for now; nil when nothing is
}

// sought is what is looked through: a card or a form.
type sought struct {
	b       *block
	card    bool
	in      searched
	edition int
	n       int // hits; those of parts that were not reached are 0
}

// Typing tells that keys go into the search line.
func (v *View) Typing() bool { return v.search.Typing() }

// Text takes keys for the search line.
func (v *View) Text(msg tea.Msg) bool {
	if !v.search.Typing() {
		return false
	}
	did := v.search.Text(msg)
	if did == kit.Changed || did == kit.Ended {
		v.seek(did == kit.Changed)
	}
	return did != kit.Unused
}

// all are the cards and forms that can be looked through as they are now.
func (v *View) all() []sought {
	var out []sought
	for _, b := range v.blocks {
		if b.state != ready {
			continue
		}
		if len(b.card) > 0 {
			if b.cardFound == nil {
				b.cardFound = &cardFound{b: b, v: v}
			}
			out = append(out, sought{b: b, card: true, in: b.cardFound, edition: b.cardFound.edition()})
		}
		if len(b.made.forms) > 0 {
			if s, ok := b.made.forms[b.at].(searched); ok {
				out = append(out, sought{b: b, in: s, edition: s.edition()})
			}
		}
	}
	return out
}

// same tells that what was found in a is true of b.
func same(a, b sought) bool { return a.in == b.in && a.edition == b.edition }

// keepFinding looks again when there is more to look through than there was, or it is shown otherwise.
func (v *View) keepFinding() {
	s := &v.search
	if s.Pattern() != "" && (s.sought != s.Pattern() || !slices.EqualFunc(s.parts, v.all(), same)) {
		v.seek(false)
	}
}

// seek looks for the pattern, and goes to the first hit from the cursor on. Through much text it is looked beside the screen; what was
// looked through for the same is not looked through again.
func (v *View) seek(jump bool) {
	s := &v.search
	pattern, was := s.Pattern(), s.parts
	again := s.sought == pattern && s.job == nil
	s.jump = jump || s.jump && s.job != nil
	s.job = nil
	stood, in := v.stood()
	if !again || pattern == "" {
		for i := range was {
			was[i].in.forget()
		}
		s.on = -1
	}
	s.sought, s.parts = pattern, nil
	if pattern == "" {
		s.n, s.jump = 0, false
		return
	}
	v.arrange() // forms are looked through as they are laid out
	s.parts = v.all()
	parts := slices.Clone(s.parts)
	looks := make([]func() (int, func()), len(parts))
	size := 0
	for i, p := range parts {
		if k := slices.IndexFunc(was, func(o sought) bool { return again && same(o, p) }); k >= 0 {
			parts[i].n = was[k].n
			continue
		}
		looks[i] = p.in.look(pattern)
		size += p.in.size()
	}
	work := func() func() {
		var takes []func()
		n := 0
		for i, look := range looks {
			if look != nil && n < highlight.MaxHits {
				var take func()
				parts[i].n, take = look()
				takes = append(takes, take)
			}
			n += parts[i].n
		}
		return func() {
			for _, take := range takes {
				take()
			}
			v.found(parts, n, stood, in)
		}
	}
	if size <= kit.Heavy {
		work()()
		return
	}
	job := new(int)
	s.job = job
	s.latest.Do(v.env, func() func() {
		then := work()
		return func() {
			if v.search.job == job {
				v.search.job = nil
				then()
			}
		}
	})
}

// stood is where the current hit is: in which part, and which it is there.
func (v *View) stood() (searched, int) {
	i := v.search.on
	for _, p := range v.search.parts {
		if i >= 0 && i < p.n {
			return p.in, i
		}
		i -= p.n
	}
	return nil, 0
}

// found takes over what was found. The hit that was the current one stays so, if it is still there.
func (v *View) found(parts []sought, n int, stood searched, in int) {
	s := &v.search
	s.parts, s.n, s.on = parts, n, -1
	if !s.jump {
		at := 0
		for _, p := range parts {
			if p.in == stood && in < p.n {
				v.standAt(at + in)
			}
			at += p.n
		}
		return
	}
	s.jump = false
	if n > 0 {
		v.goToHit(v.hitFrom(v.at))
	}
}

// hitFrom is the first hit in a row or below it, from the beginning again when there is none.
func (v *View) hitFrom(row int) int {
	v.arrange()
	at := 0
	for i := range v.search.parts {
		p := &v.search.parts[i]
		if p.n > 0 && v.firstRow(p)+v.rowIn(p, p.n-1) >= row {
			return at + sort.Search(p.n, func(k int) bool { return v.firstRow(p)+v.rowIn(p, k) >= row })
		}
		at += p.n
	}
	return 0
}

// firstRow is where what was looked through begins on the screen.
func (v *View) firstRow(p *sought) int {
	i := slices.Index(v.blocks, p.b)
	switch {
	case p.b.folded:
		return v.starts[i]
	case p.card:
		return v.starts[i] + 1
	}
	return v.starts[i] + v.lead(p.b)
}

// rowIn is the row of a hit behind that.
func (v *View) rowIn(p *sought, k int) int {
	if p.b.folded {
		return 0
	}
	return p.in.rowOf(k)
}

// standAt makes hit i the current one, and gives the part that it is in, and which it is there.
func (v *View) standAt(i int) (*sought, int) {
	s := &v.search
	s.on = i
	var at *sought
	k := 0
	for n := range s.parts {
		p := &s.parts[n]
		if i >= 0 && i < p.n {
			at, k = p, i
			p.in.stand(i)
		} else if p.n > 0 {
			p.in.stand(-1)
		}
		i -= p.n
	}
	return at, k
}

// goToHit shows hit i.
func (v *View) goToHit(i int) {
	p, k := v.standAt(i)
	if p == nil {
		return
	}
	p.b.folded = false
	p.in.reveal(k)
	v.arrange()
	v.at = v.firstRow(p) + v.rowIn(p, k)
	if v.h > 0 && (v.at < v.top || v.at >= v.top+v.h-1) {
		v.ScrollTo(v.at - v.h/3)
	}
	v.reveal()
}

// nextHit goes to the next hit, or to the one before.
func (v *View) nextHit(d int) {
	switch s := &v.search; {
	case s.job != nil:
	case s.n == 0:
		v.seek(true)
	case s.on < 0:
		v.goToHit(v.hitFrom(v.at))
	default:
		v.goToHit(kit.Step(s.on, d, s.n))
	}
}

// searchLine is the last line of the view.
func (v *View) searchLine(w int) string {
	n := v.search.n
	if v.search.job != nil {
		n = -1
	}
	return v.search.Draw(v.env, v.search.on, n, w)
}
