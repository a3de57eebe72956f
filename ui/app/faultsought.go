package app

import (
	"fmt"
	"slices"
	"strings"

	"mcploupe/inspect"
	"mcploupe/ui/feed"
	"mcploupe/ui/findings"
)

// seek begins the game where no fault of ours is on: in a recorded conversation, or on a server that is no child of ours.
func (m *Model) seek() {
	m.game = game{seek: true}
	m.env.Hidden = true
	m.openGame()
}

// soughtCame brings the window of the game up to date, which stands open while a journal is read.
func (m *Model) soughtCame(p *feed.Page) {
	if n := len(m.overs); m.game.seek && len(p.Exchanges) > 0 && n > 0 && m.overs[n-1].name == "game" {
		m.openGame()
	}
}

// sought are the rules that are to be named, where no fault of ours is on: of those that were broken so far the worst ones. That
// something is deprecated is no fault, and is left out.
func (g *game) sought() []string {
	var rules []string
	worst := inspect.Advice
	for i := range g.kept {
		for j := range g.kept[i].found {
			r := g.kept[i].found[j].Rule
			switch {
			case strings.Contains(r.ID, "deprecated"), r.Level < worst, slices.Contains(rules, r.ID):
				continue
			case r.Level > worst:
				worst, rules = r.Level, nil
			}
			rules = append(rules, r.ID)
		}
	}
	return rules
}

// is tells that a rule is the one that is to be named, or one of them.
func (g *game) is(rule string) bool {
	if g.fault != nil {
		return rule == g.fault.Rule
	}
	return slices.Contains(g.sought(), rule)
}

// shown is how often what is to be named has shown.
func (g *game) shown() (n int) {
	rules := g.sought()
	if g.fault != nil {
		rules = []string{g.fault.Rule}
	}
	for _, rule := range rules {
		one, _, _ := g.showed(rule)
		n += one
	}
	return n
}

// hintsOfSought are hints about the first of the sought rules.
func (g *game) hintsOfSought() []string {
	rules := g.sought()
	if len(rules) == 0 {
		return nil
	}
	_, first, _ := g.showed(rules[0])
	return []string{"It breaks " + breaks(rules[0]) + ".", "Its topic: " + first.Rule.Area + ".", fmt.Sprintf("It shows in #%d.", first.At.Frame)}
}

// revealSought shows what was looked for: the rule that was named, or the first one of those that could have been.
func (m *Model) revealSought(g *game, words, rule string) {
	rules := g.sought()
	if rule == "" && len(rules) > 0 {
		rule = rules[0]
	}
	for len(m.overs) > 0 {
		m.shut()
	}
	if rule == "" {
		m.say(words+" Nothing is known to be wrong here.", false)
		return
	}
	n, first, ref := g.showed(rule)
	p := findings.NewExplained(m.env, rule, m.book.Findings.At(rule, ref))
	p.Lead = []string{words + " The rule is " + rule + ".", where(n, first)}
	if others := len(rules) - 1; others > 0 {
		p.Lead = append(p.Lead, "As bad is what "+plural(others, "other rule says", "other rules say")+": ! lists all.")
	}
	if m.o.Session != nil {
		m.remark("find the fault is over: " + rule + " was looked for, and all that was found is shown")
	}
	m.open("rule", p, column80)
}
