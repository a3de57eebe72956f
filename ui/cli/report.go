package cli

import (
	"fmt"
	"slices"
	"strings"

	"mcploupe/inspect"
	"mcploupe/ui/kit"
)

// report prints the findings for people: by rule, gravest first, with the first places of each.
func (r *run) report() {
	if r.flags.json {
		return
	}
	p := r.printer()
	byRule := map[string][]*inspect.Finding{}
	var order []*inspect.Finding
	known := 0
	for i := range r.all {
		f := &r.all[i]
		if p := r.flags.reporting; p != nil && p.out.Items[i].Known {
			known++
			continue
		}
		if byRule[f.Rule.ID] == nil {
			order = append(order, f)
		}
		byRule[f.Rule.ID] = append(byRule[f.Rule.ID], f)
	}
	slices.SortStableFunc(order, func(a, b *inspect.Finding) int { return b.Weight() - a.Weight() })
	for _, f := range order {
		all := byRule[f.Rule.ID]
		times := ""
		if len(all) > 1 {
			times = fmt.Sprintf(" ×%d", len(all))
		}
		style := p.styles.Of(kit.RoleOf(f))
		fmt.Fprintf(p.out, "%s %s%s\n", style.Render(sign(f)+" "+padTo(f.Word(), 8)), p.styles.Title.Render(f.Rule.ID), times)
		fmt.Fprintf(p.out, "    %s\n", safe(inspect.Title(f.Rule)))
		told := sameWords(all, r.subjects())
		for i, one := range told {
			if i == shownPlaces && len(told) > shownPlaces {
				fmt.Fprintf(p.out, "    %s\n", p.styles.Muted.Render(fmt.Sprintf("… and %d more", len(told)-i)))
				break
			}
			fmt.Fprintf(p.out, "    %s\n", p.styles.Muted.Render(one))
		}
	}
	if len(order) > 0 {
		fmt.Fprintln(p.out)
	}
	fmt.Fprintf(p.out, "%s · %s\n", plural(r.seen, "exchange"), r.countLine())
	if b := r.flags.reporting; b != nil && b.baseline != nil {
		fmt.Fprintf(p.out, "%d of them known by the baseline and not shown; %d of the baseline gone\n", known, len(b.out.Fixed))
	}
	if len(order) > 0 {
		fmt.Fprintf(p.out, "%s\n", p.styles.Muted.Render("mcploupe explain RULE says why a rule matters and how to fix it"))
	}
}

// shownPlaces is how many places of a rule are listed.
const shownPlaces = 3

// subjects gives the request that a finding was found in, "" where that is not known.
func (r *run) subjects() func(*inspect.Finding) string {
	about := map[*inspect.Finding]string{}
	if p := r.flags.reporting; p != nil {
		for i := range r.all {
			about[&r.all[i]] = p.out.Items[i].Subject
		}
	}
	return func(f *inspect.Finding) string { return about[f] }
}

// sameWords lists findings of one rule, those that read the same as one line: a list that is asked for again has its faults again.
func sameWords(all []*inspect.Finding, subject func(*inspect.Finding) string) (lines []string) {
	at := map[string]int{}
	var texts []string
	var frames [][]string
	for _, f := range all {
		text := f.Text()
		if s := subject(f); s != "" {
			text = s + " " + text
		}
		n, ok := at[text]
		if !ok {
			n = len(texts)
			at[text] = n
			texts, frames = append(texts, text), append(frames, nil)
		}
		frames[n] = append(frames[n], fmt.Sprintf("#%d", f.At.Frame))
	}
	for n, text := range texts {
		where := frames[n][0]
		if others := frames[n][1:]; len(others) > 0 {
			where += " (also " + strings.Join(others[:min(len(others), 3)], ", ")
			if len(others) > 3 {
				where += ", …"
			}
			where += ")"
		}
		lines = append(lines, where+" "+safe(text))
	}
	return lines
}

func (r *run) countLine() string {
	c := r.count
	text := fmt.Sprintf("%d must, %d should, %d advice", c.Must, c.Should, c.Advice)
	if c.SEP2145 > 0 {
		text += fmt.Sprintf(", %d by SEP-2145 alone", c.SEP2145)
	}
	return text
}
