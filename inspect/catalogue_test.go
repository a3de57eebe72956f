package inspect

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

func TestEveryRuleHasAPageAndEveryPageARule(t *testing.T) {
	files, err := fs.Glob(pageFiles, "pages/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]bool{}
	for _, f := range files {
		id := strings.TrimSuffix(strings.TrimPrefix(f, "pages/"), ".txtar")
		pages[id] = true
		if _, ok := Lookup(id); !ok {
			t.Errorf("page %s has no rule", id)
		}
	}
	for _, r := range Catalogue() {
		if !pages[r.ID] {
			t.Errorf("rule %s has no page", r.ID)
		}
	}
}

// pagesOf reads the pages of all rules; those that cannot be read are errors of the test.
func pagesOf(t testing.TB) []*Page {
	t.Helper()
	var all []*Page
	for _, r := range Catalogue() {
		p, _, err := Explain(r.ID)
		if errors.Is(err, fs.ErrNotExist) {
			continue // TestEveryRuleHasAPageAndEveryPageARule says so
		}
		if err != nil {
			t.Error(err)
			continue
		}
		all = append(all, p)
	}
	return all
}

func TestEveryPageReadsWell(t *testing.T) {
	for _, p := range pagesOf(t) {
		r := p.Rule
		if strings.HasSuffix(p.Title, ".") || len([]rune(p.Title)) > 110 {
			t.Errorf("%s: the title is one line of at most 110 characters without a full stop: %q", r.ID, p.Title)
		}
		if p.Title != Title(r) {
			t.Errorf("%s: Title says %q, the page %q", r.ID, Title(r), p.Title)
		}
		if len(strings.Fields(p.Why)) < 8 || len(strings.Fields(p.Fix)) < 4 {
			t.Errorf("%s: why or fix says too little", r.ID)
		}
		text := p.Text()
		for _, must := range []string{r.ID, r.Level.String(), r.Source, p.Title} {
			if !strings.Contains(text, must) {
				t.Errorf("%s: the text does not show %q", r.ID, must)
			}
		}
	}
}

func TestEveryBadExampleGivesExactlyItsFindings(t *testing.T) {
	for _, p := range pagesOf(t) {
		for i := range p.Bad {
			e := &p.Bad[i]
			t.Run(fmt.Sprintf("%s/bad-%d", p.Rule.ID, i+1), func(t *testing.T) {
				played, err := e.Play(Options{Rules: []*Rule{p.Rule}})
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, f := range played.Findings {
					w := Want{Line: played.Line(f.At.Frame), Part: f.At.Part, Path: f.At.Path, Confidence: f.Confidence}
					for _, a := range f.Also {
						w.Also = append(w.Also, Want{Line: played.Line(a.Frame), Part: a.Part, Path: a.Path})
					}
					got = append(got, fmt.Sprint(w.String(), "   # got ", f.Got, " · want ", f.Want))
					if f.Got == "" || f.Want == "" {
						t.Errorf("a finding says neither what was there nor what should be: %q, %q", f.Got, f.Want)
					}
				}
				for j, w := range e.Want {
					if j >= len(got) || w.String() != strings.TrimSpace(before(got[j])) {
						t.Errorf("wanted\n\t%s\ngot\n\t%s", wants(e.Want), strings.Join(got, "\n\t"))
						return
					}
				}
				if len(got) > len(e.Want) {
					t.Errorf("wanted\n\t%s\ngot\n\t%s", wants(e.Want), strings.Join(got, "\n\t"))
				}
			})
		}
	}
}

func before(s string) string { s, _, _ = strings.Cut(s, "   # "); return s }

func wants(all []Want) string {
	var lines []string
	for _, w := range all {
		lines = append(lines, w.String())
	}
	return strings.Join(lines, "\n\t")
}

// One table: every good example of every page is judged by every rule.
func TestEveryGoodExampleIsSilentUnderAllRules(t *testing.T) {
	for _, p := range pagesOf(t) {
		for i := range p.Good {
			e := &p.Good[i]
			played, err := e.Play(Options{})
			if err != nil {
				t.Errorf("%s good-%d: %v", p.Rule.ID, i+1, err)
				continue
			}
			for _, f := range append(played.Before, played.Findings...) {
				t.Errorf("%s good-%d: %s at line %d %s %q: got %s, want %s",
					p.Rule.ID, i+1, f.Rule.ID, played.Line(f.At.Frame), f.At.Part, f.At.Path, f.Got, f.Want)
			}
		}
	}
}

// A good example must be one to which the rule applies: judged, and found right. It is, when it has messages of the
// occasion that the rule is called for, in an era that the rule holds for, in at least one of the page's good examples.
func TestEveryPageHasAGoodExampleThatTheRuleLooksAt(t *testing.T) {
	for _, p := range pagesOf(t) {
		looked := false
		watched := *p.Rule
		watched.Check = func(pass *Pass) {
			looked = true
			p.Rule.Check(pass)
		}
		for i := range p.Good {
			if _, err := p.Good[i].Play(Options{Rules: []*Rule{&watched}}); err != nil {
				t.Errorf("%s good-%d: %v", p.Rule.ID, i+1, err)
			}
		}
		if !looked {
			t.Errorf("%s: no good example is one that the rule looks at", p.Rule.ID)
		}
	}
}
