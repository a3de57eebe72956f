package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"mcploupe/highlight"
	"mcploupe/inspect"
	"mcploupe/inspect/fields"
	"mcploupe/ui/kit"
)

// explain prints what is known of a word: a rule's page, the meaning of a field, the members of a definition.
func explain(io streams, word string, f *flags) error {
	_, rule := inspect.Lookup(word)
	if _, beside := inspect.Beside(word); rule || beside {
		return explainRule(io, word, f.json)
	}
	found := fields.Ask(word)
	def := fields.Definition(word)
	if len(found) == 0 && def == "" {
		return usage(nearWords(word), "no rule %q, and no field of that name", word)
	}
	if f.json {
		if len(found) == 0 {
			for _, m := range fields.Members(def) {
				if e := fields.In(def, m); e != nil {
					found = append(found, e)
				}
			}
		}
		fieldLines(io.out, found)
		return nil
	}
	p := f.printer(io.out)
	p.width = min(p.width, plainWidth)
	if len(found) == 0 {
		p.definition(def)
		return nil
	}
	if n := len(found); n > 1 {
		fmt.Fprintf(io.out, "%s means %d things, by where it stands.\n\n", safe(word), n)
	}
	for i, e := range found {
		if i > 0 {
			fmt.Fprintln(io.out)
		}
		p.field(e)
	}
	if def != "" && len(fields.Members(def)) > 0 {
		fmt.Fprintln(io.out)
		p.definition(def)
	}
	return nil
}

// fieldLines prints entries as lines of JSON.
func fieldLines(out io.Writer, entries []*fields.Entry) {
	for _, e := range entries {
		o := fieldLine(e)
		fmt.Fprintf(out, "%s\n", o.end())
	}
}

// fieldLine is an entry as a line of JSON.
func fieldLine(e *fields.Entry) object {
	o := object{}
	o.text("field", e.Name)
	if e.Title != "" {
		o.text("title", e.Title)
	}
	o.text("kind", string(e.Kind))
	o.any("places", none(e.Places()))
	o.text("from", e.From)
	for _, x := range [][2]string{{"values", e.Values}, {"since", e.Since}, {"until", e.Until}} {
		if x[1] != "" {
			o.text(x[0], x[1])
		}
	}
	o.text("text", e.Text)
	o.text("source", e.Source)
	o.any("rules", none(e.Rules))
	return o
}

// none makes a list that is written as [] rather than null.
func none(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// field prints an entry for people.
func (p *printer) field(e *fields.Entry) {
	s := p.styles
	fmt.Fprintln(p.out, kit.Ends(s.Title.Render(e.Heading()), s.Muted.Render(string(e.Kind)), p.width))
	for _, line := range highlight.Markdown(e.Text, p.width, s) {
		fmt.Fprintln(p.out, line)
	}
	rows := [][2]string{{"where", strings.Join(e.Places(), ", ")}, {"sent by", e.From}, {"values", e.Values}, {"revisions", e.Life()}, {"source", e.Source}}
	if params, result := fields.Shape(e.Name); e.Kind == fields.Method || e.Kind == fields.Notification {
		rows = append(rows, [2]string{"parameters", params}, [2]string{"result", result})
	}
	rows = append(rows, [2]string{"see also", strings.Join(e.See, ", ")})
	w := 0
	for _, id := range e.Rules {
		w = max(w, kit.Width(id))
	}
	for i, id := range e.Rules {
		label := ""
		if i == 0 {
			label = "rules"
		}
		title := ""
		if r, ok := inspect.Lookup(id); ok {
			title = inspect.Title(r)
		}
		rows = append(rows, [2]string{label, kit.Cut(kit.Fit(id, w)+"  "+title, p.width-14)})
	}
	fmt.Fprintln(p.out)
	env := kit.Env{Styles: s}
	for _, line := range env.Labelled(rows, p.width-2) {
		fmt.Fprintln(p.out, "  "+line)
	}
}

// definition prints the members of an object, a line each.
func (p *printer) definition(def string) {
	s := p.styles
	members := fields.Members(def)
	fmt.Fprintln(p.out, s.Title.Render(def)+" "+s.Muted.Render("has "+plural(len(members), "member")))
	w := 0
	for _, m := range members {
		w = max(w, kit.Width(m))
	}
	w = min(w, p.width/2)
	for _, m := range members {
		text := ""
		if e := fields.In(def, m); e != nil {
			text = strings.ReplaceAll(e.First(), "`", "")
		}
		fmt.Fprintln(p.out, kit.Cut("  "+s.Key.Render(kit.Fit(m, w))+"  "+text, p.width))
	}
	if len(members) > 0 {
		fmt.Fprintf(p.out, "\nmcploupe explain %s.%s shows one\n", def, members[0])
	}
}

// listFields prints the name of everything that can be explained, with where it stands.
func listFields(io streams, asJSON bool) {
	if asJSON {
		fieldLines(io.out, fields.All())
		return
	}
	under := headings(io.out)
	for _, e := range fields.All() {
		under(e.Group)
		where := strings.Join(e.In, ", ")
		if len(e.In) > 3 {
			where = strings.Join(e.In[:3], ", ") + " …"
		}
		fmt.Fprintln(io.out, strings.TrimRight(fmt.Sprintf("  %-44s %s", e.Heading(), where), " "))
	}
	fmt.Fprintf(io.out, "\n%s; mcploupe explain FIELD shows one\n", plural(len(fields.All()), "meaning"))
}

// nearWords is advice for a word that nothing is known of: the nearest fields and rules.
func nearWords(word string) string {
	near := fields.Near(word, 4)
	rules := nearRules(word)
	switch {
	case len(near) == 0:
		return rules
	case strings.HasPrefix(rules, "did you mean ") && strings.Contains(word, "-"):
		return "did you mean " + strings.Join(near[:min(2, len(near))], ", ") + ", " + strings.TrimPrefix(rules, "did you mean ")
	}
	return "did you mean " + strings.Join(near, ", ") + "?"
}

// codesLast lets "explain -32602" through the flag parser, which would take the number for flags.
func codesLast(args []string) []string {
	at := slices.Index(args, "explain")
	if at != 0 || slices.Contains(args, "--") {
		return args
	}
	var flags, codes []string
	for _, a := range args {
		if len(a) > 1 && a[0] == '-' && '0' <= a[1] && a[1] <= '9' {
			codes = append(codes, a)
			continue
		}
		flags = append(flags, a)
	}
	if codes == nil {
		return args
	}
	return append(append(flags, "--"), codes...)
}
