package app

import (
	"fmt"
	"slices"

	"mcploupe/inspect"
	"mcploupe/ui/findings"
	"mcploupe/ui/kit"
)

// openGuess lets a person name the rule, out of all that it could be.
func (m *Model) openGuess() {
	src := &ruleRows{env: m.env, tried: m.game.tries}
	if m.game.fault == nil {
		for _, r := range inspect.Catalogue() {
			src.rules = append(src.rules, r.ID)
		}
	} else {
		for _, x := range m.faultsOf().candidates() {
			src.rules = append(src.rules, x.Rule)
		}
	}
	slices.Sort(src.rules)
	src.rules = slices.Compact(src.rules)
	p := &kit.ListPane{List: kit.NewList(m.env, src), Open: "this one"}
	p.Heading = func(bool) (string, string) {
		return m.env.Styles.Title.Render("Which rule is broken?"), m.env.Styles.Muted.Render(kit.Number(p.Len()) + " rules")
	}
	p.TypeFilter("")
	do := func() kit.Intent {
		if i := p.Selected(); i >= 0 {
			return kit.Several{kit.Back{}, guessRule{src.rules[i]}}
		}
		return nil
	}
	p.Opened = do
	m.open("guess", &chooser{ListPane: p, take: do}, func(w, h int) (int, int) { return min(w-6, 108), h - 6 })
}

// ruleRows is a list of rules by id and title.
type ruleRows struct {
	env   *kit.Env
	rules []string
	tried []string
}

func (r *ruleRows) Len() int         { return len(r.rules) }
func (r *ruleRows) Version() int     { return 0 }
func (r *ruleRows) Key(i int) string { return r.rules[i] }
func (r *ruleRows) Text(i int) string {
	title := ""
	if rule, ok := inspect.Lookup(r.rules[i]); ok {
		title = inspect.Title(rule)
	}
	return kit.Fit(r.rules[i], 36) + " " + title
}

func (r *ruleRows) Line(i, _ int, match []int) string {
	s := r.env.Styles
	style := &s.Text
	if slices.Contains(r.tried, r.rules[i]) {
		style = &s.Faint
	}
	return r.env.Matched(r.Text(i), match, style)
}

// guess says whether the rule is the one that is broken.
func (m *Model) guess(rule string) {
	g := &m.game
	if !g.on() {
		return
	}
	if g.is(rule) {
		words := "Right"
		if n := len(g.tries); n > 0 {
			words += fmt.Sprintf(", after %s", plural(n, "wrong try", "wrong tries"))
		}
		if g.hints > 0 {
			words += fmt.Sprintf(", with %s", plural(g.hints, "hint", "hints"))
		}
		m.reveal(words+".", rule)
		return
	}
	if !slices.Contains(g.tries, rule) {
		g.tries = append(g.tries, rule)
	}
	words := "It is not this rule. This is what it would have looked like; F names another."
	if n, _, _ := g.showed(rule); n > 0 {
		words = "This rule is broken too, but it is not what is looked for. F names another."
	}
	p := findings.NewExplained(m.env, rule, nil)
	p.Lead, p.Wrong = []string{words}, true
	m.open("rule", p, column80)
}
