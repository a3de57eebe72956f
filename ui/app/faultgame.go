package app

import (
	"fmt"
	"math/rand/v2"
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/inspect"
	"mcploupe/session/wire"
	"mcploupe/ui/feed"
	"mcploupe/ui/findings"
	"mcploupe/ui/kit"
)

// game is "find the fault": what is found is kept back, and a person names the rule that is broken. On the built-in server one fault is
// on for that; elsewhere, in a recorded journal above all, it is whatever is found to be worst.
type game struct {
	fault *Fault // that is on; nil elsewhere, and while nobody plays
	seek  bool   // it is played elsewhere
	seed  uint64 // chose the fault: the same number chooses the same one for a whole class
	tries []string
	hints int
	kept  []keptBack
}

// keptBack is findings that an exchange would have shown.
type keptBack struct {
	ref   wire.Ref
	found []inspect.Finding
}

// mostKept bounds what is kept back; a fault shows long before.
const mostKept = 10_000

func (g *game) on() bool { return g.fault != nil || g.seek }

func (g *game) sign() string {
	text := "find the fault"
	if n := len(g.tries); n > 0 {
		text += fmt.Sprintf(", %d wrong", n)
	}
	return kit.SignQuestion + " " + text
}

// hide takes the findings out of a page before the book sees them.
func (g *game) hide(p *feed.Page) {
	if !g.on() {
		return
	}
	for i := range p.Exchanges {
		v := &p.Exchanges[i].Verdict
		if len(v.Findings) > 0 && len(g.kept) < mostKept {
			g.kept = append(g.kept, keptBack{p.Exchanges[i].Exchange.Ref(), v.Findings})
		}
		v.Findings = nil
	}
}

// showed is where a rule was broken since the game began; found is nil when it has not shown yet.
func (g *game) showed(rule string) (n int, found *inspect.Finding, ref wire.Ref) {
	for i := range g.kept {
		for j := range g.kept[i].found {
			if f := &g.kept[i].found[j]; f.Rule.ID == rule {
				if n++; n == 1 {
					found, ref = f, g.kept[i].ref
				}
			}
		}
	}
	return n, found, ref
}

// What a person does in the game.
type (
	beginGame struct{}
	openGame  struct{}
	guessRule struct{ rule string }
	giveHint  struct{}
	giveUp    struct{}
)

// candidates are the faults that the game chooses from: those that show by ordinary use.
func (f *Faults) candidates() []*Fault {
	var out []*Fault
	for i := range f.All {
		if x := &f.All[i]; x.Plain && x.Off == "" {
			out = append(out, x)
		}
	}
	return out
}

// choose puts a fault on and begins the game; why it cannot is the error.
func (m *Model) choose(seed uint64) error {
	f := m.faultsOf()
	all := f.candidates()
	if seed == 0 {
		seed = 1 + rand.Uint64N(9999)
	}
	one := all[rand.New(rand.NewPCG(seed, 0)).IntN(len(all))]
	if err := f.Set([]string{one.Name}); err != nil {
		return err
	}
	f.On = []string{one.Name}
	m.game = game{fault: one, seed: seed}
	m.env.Hidden = true
	m.remark(fmt.Sprintf("find the fault, number %d: one fault is on, and findings are hidden", seed))
	return nil
}

// gameCommands are the commands of the game.
func (m *Model) gameCommands() []kit.Row {
	to := func(i kit.Intent) func() kit.Intent { return func() kit.Intent { return i } }
	if !m.game.on() {
		return []kit.Row{{Words: "find the fault: one is on, name its rule", Group: "teach", Do: to(beginGame{})}}
	}
	return []kit.Row{
		{Words: "find the fault: how it stands", Group: "teach", Do: to(openGame{})},
		{Words: "find the fault: name the rule", Group: "teach", Do: func() kit.Intent { m.openGuess(); return nil }},
		{Words: "find the fault: a hint", Group: "teach", Do: to(giveHint{})},
		{Words: "find the fault: give up", Group: "teach", Do: to(giveUp{})},
	}
}

// gameRows are the keys of the built-in server: F spoils it, or goes on with the game.
func (m *Model) gameRows() []kit.Row {
	switch {
	case m.game.on():
		return []kit.Row{{Keys: []string{"F"}, Words: "guess", Group: "teach", Quiet: true, Do: func() kit.Intent { return openGame{} }}}
	case m.faultsOf() != nil:
		return []kit.Row{{Keys: []string{"F"}, Words: "faults", Group: "teach", Do: func() kit.Intent { m.openFaults(); return nil }}}
	}
	return nil
}

func (m *Model) aboutGame(i kit.Intent) (tea.Cmd, bool) {
	switch i := i.(type) {
	case beginGame:
		if err := m.choose(0); err != nil {
			m.say("the fault could not be switched on: "+kit.Escape(err.Error()), true)
			return nil, true
		}
		cmd := m.act(kit.Restart{})
		m.openGame()
		return cmd, true
	case openGame:
		m.openGame()
	case guessRule:
		m.guess(i.rule)
	case giveHint:
		m.game.hints = min(m.game.hints+1, len(m.hints()))
		m.openGame()
	case giveUp:
		m.reveal("You gave up.", "")
	default:
		return nil, false
	}
	return nil, true
}

// hints are what can be said of the fault without naming it, the least telling first.
func (m *Model) hints() []string {
	x := m.game.fault
	if x == nil {
		return m.game.hintsOfSought()
	}
	level := breaks(x.Rule)
	shows := "It shows by: " + x.Try
	if x.Opening {
		shows = "It shows while connecting: ctrl+r connects again."
	}
	return []string{"It breaks " + level + ".", "Its topic: " + x.Group + ".", shows}
}

// breaks says what kind of rule it is that is broken.
func breaks(rule string) string {
	r, ok := inspect.Lookup(rule)
	if !ok {
		return "a rule"
	}
	return map[inspect.Level]string{inspect.Must: "a MUST of the specification", inspect.Should: "a SHOULD of the specification", inspect.Advice: "no rule, but good advice"}[r.Level]
}

// openGame shows how the game stands and what can be done.
func (m *Model) openGame() {
	if !m.game.on() {
		return
	}
	s := m.env.Styles
	t := &text{title: s.Title.Render("Find the fault")}
	if m.game.fault != nil {
		t.right = s.Muted.Render(fmt.Sprintf("number %d", m.game.seed))
	}
	t.lines = func(w int) []string {
		g := &m.game
		if !g.on() {
			return nil
		}
		var out []string
		add := func(style interface{ Render(...string) string }, text string) {
			for _, l := range kit.Wrap(text, w) {
				out = append(out, style.Render(l))
			}
		}
		who, what := "The built-in server misbehaves in one way", "Go on browsing: list, call and read."
		switch {
		case g.fault == nil && m.o.Session == nil:
			who, what = "In this conversation the server does something wrong", "Go on reading: 5 lists the exchanges, enter opens one, > goes through its views."
		case g.fault == nil:
			who = "This server may do something wrong"
		}
		add(&s.Text, who+", and everything that was found about it is hidden: counts, marks and lines under values.")
		add(&s.Text, what+" When you know which rule is broken, come back with F and name it.")
		if g.fault != nil {
			add(&s.Muted, fmt.Sprintf("%s --find-the-fault --seed %d gives others the same fault.", m.faultsOf().Again, g.seed))
		}
		out = append(out, "")
		tries := "none yet"
		if len(g.tries) > 0 {
			tries = strings.Join(g.tries, ", ")
		}
		shown := "not yet: go on browsing"
		if n := g.shown(); n > 0 {
			shown = "yes, " + plural(n, "time", "times")
		}
		pairs := [][2]string{{"wrong tries", tries}, {"has it shown", shown}}
		for i, h := range m.hints()[:g.hints] {
			pairs = append(pairs, [2]string{fmt.Sprintf("hint %d", i+1), h})
		}
		out = append(append(out, m.env.Labelled(pairs, w)...), "")
		keys := ""
		for _, r := range t.rows[:4] {
			if r.Off == "" {
				keys += s.Keycap.Render(kit.KeyName(r.Keys[0])) + " " + s.Muted.Render(r.Words) + "   "
			}
		}
		return append(out, keys)
	}
	none := ""
	if m.game.hints >= len(m.hints()) {
		none = "there are no more"
	}
	t.rows = []kit.Row{
		{Keys: []string{"enter", "n"}, Words: "name the rule", Group: "find the fault", Do: func() kit.Intent { m.openGuess(); return nil }},
		{Keys: []string{"h"}, Words: "a hint", Group: "find the fault", Off: none, Do: func() kit.Intent { return giveHint{} }},
		{Keys: []string{"u"}, Words: "give up", Group: "find the fault", Do: func() kit.Intent { return giveUp{} }},
		{Keys: []string{"esc"}, Words: "browse", Group: "find the fault", Do: func() kit.Intent { return kit.Back{} }},
	}
	m.open("game", t, t.fitted(78))
}

func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}

// reveal ends the game: what was kept back comes onto the screen, and the page of the rule with where it showed. rule is the one that
// was named, "" for none.
func (m *Model) reveal(words, rule string) {
	g := m.game
	if !g.on() {
		return
	}
	m.game, m.env.Hidden = game{}, false
	for _, k := range g.kept {
		m.book.Reveal(k.ref, k.found)
	}
	x := g.fault
	if x == nil {
		m.revealSought(&g, words, rule)
		return
	}
	m.remark(fmt.Sprintf("the fault number %d is %s (%s); it was on since the game began", g.seed, x.Name, x.Rule))
	for len(m.overs) > 0 {
		m.shut()
	}
	lead := []string{words + " The fault is " + x.Name + ": " + x.What}
	n, first, ref := g.showed(x.Rule)
	p := findings.NewExplained(m.env, x.Rule, nil)
	if n > 0 {
		p = findings.NewExplained(m.env, x.Rule, m.book.Findings.At(x.Rule, ref))
		lead = append(lead, where(n, first))
	} else {
		lead = append(lead, "It has not shown yet. It does by: "+x.Try)
	}
	p.Lead = append(lead, "It is still on: the command fault switches it off.")
	m.open("rule", p, column80)
}

// where says where a rule was broken.
func where(n int, first *inspect.Finding) string {
	text := fmt.Sprintf("It showed %s, first in #%d", plural(n, "time", "times"), first.At.Frame)
	if first.At.Path != "" {
		text += " at " + kit.Escape(string(first.At.Path))
	}
	return text + "; enter goes there."
}

// ruleLine is the title of a rule, and its level in words and colour.
func (m *Model) ruleLine(id string) (title, level string) {
	r, ok := inspect.Lookup(id)
	if !ok {
		return "", ""
	}
	sign, style := m.env.Level(r.Level)
	return inspect.Title(r), style.Render(sign + " " + r.Level.String())
}
