package app

import (
	"fmt"
	"strings"

	"mcploupe/highlight"
	"mcploupe/inspect"
	"mcploupe/inspect/fields"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
	"mcploupe/ui/meaning"
)

// openField shows what something in a message means.
func (m *Model) openField(i kit.ExplainField) {
	var row *book.Row
	if i.Name == "" {
		row = m.book.Timeline.Row(i.Row)
	}
	p := meaning.New(m.env, row, i)
	m.open("field", p, p.Size)
}

// fieldCommands are what the palette offers for "explain": everything that can stand in a message, and the rules.
func (m *Model) fieldCommands(typed string) []kit.Row {
	rest, ok := strings.CutPrefix(typed, explainWord)
	if !ok {
		return []kit.Row{{Words: "explain … a field, header, status, method or error code by its name", Group: "open", Do: func() kit.Intent { return openExplain{} }}}
	}
	rest = strings.ToLower(strings.TrimSpace(rest))
	var rows []kit.Row
	offer := func(name, group string, intent kit.Intent) {
		if strings.Contains(strings.ToLower(name), rest) {
			rows = append(rows, kit.Row{Words: explainWord + name, Group: group, Do: func() kit.Intent { return intent }})
		}
	}
	for _, n := range fields.Index() {
		if n.Kind != "" {
			offer(n.Name, string(n.Kind), kit.ExplainField{Name: n.Name})
		}
	}
	for _, r := range inspect.Catalogue() {
		offer(r.ID, "rule", kit.Explain{Rule: r.ID})
	}
	return rows
}

const explainWord = "explain "

// openExplain opens the palette at what can be explained.
type openExplain struct{}

// openEvidence shows what each part of a verdict says and what it rests on.
func (m *Model) openEvidence(ref wire.Ref) {
	r := m.book.Timeline.Row(ref)
	if r == nil {
		return
	}
	s := m.env.Styles
	t := &text{title: s.Title.Render("Why this verdict"), right: s.Muted.Render(fmt.Sprintf("#%d", ref.Seq))}
	t.lines = func(w int) []string { return m.evidence(r, w) }
	m.open("evidence", t, t.fitted(88))
}

// evidence is the page: the parts of the strip, each with what it says in general and why it says so here.
func (m *Model) evidence(r *book.Row, w int) []string {
	v := &r.V
	var out []string
	part := func(head string, piece kit.Piece, pairs [][2]string, entries ...*fields.Entry) {
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, m.env.Section(head, w), piece.Render())
		out = append(out, m.env.Labelled(pairs, w)...)
		for _, e := range entries {
			if e != nil {
				out = append(out, highlight.Markdown(e.Text, w, m.env.Styles)...)
			}
		}
	}

	word, from := v.ResultType.Value, ""
	switch v.ResultType.From {
	case inspect.FromWire:
		if from = "it stood in the result"; !v.ResultType.Known {
			word = "unknown"
		}
	case inspect.FromAssumed:
		from = "absent, as is right on a legacy server: complete is assumed"
	case inspect.FromMissing:
		from = "absent, which a modern server must not do; read as complete"
	case inspect.FromNone:
		word, from = "none", "there is no result"
	}
	part("What it calls itself", m.env.ResultType(r), [][2]string{{"resultType", from}}, fields.ForVerdict("resultType", word))

	o := &v.Outcome
	pairs := [][2]string{{"confidence", o.Confidence.String()}}
	for i, e := range o.Evidence {
		label := ""
		if i == 0 {
			label = "because"
		}
		pairs = append(pairs, [2]string{label, kit.Escape(e)})
	}
	if o.Published != "" {
		pairs = append(pairs, [2]string{"published text", o.Published}, [2]string{"SEP-2145", o.SEP2145})
	}
	class := fields.ForVerdict("outcome", string(o.Class))
	if o.Class == inspect.Success && o.Kind != "" { // a success that is none: only what is wrong with it
		class = nil
	}
	part("What happened", m.env.Outcome(r), pairs, class, fields.ForVerdict("kind", o.Kind))

	state := m.book.FreshnessOf(r, m.env.Now())
	raw := v.Freshness.Raw
	if !v.Freshness.HasTTL {
		raw = ""
	}
	part("How long it may be kept", m.env.Freshness(state, &v.Freshness),
		[][2]string{{"ttlMs", kit.Escape(raw)}, {"scope", kit.Escape(v.Freshness.Scope)}, {"not kept", kit.Escape(v.Freshness.Because)}},
		fields.ForVerdict("freshness", state.Name))

	out = append(out, "")
	return append(out, m.env.Labelled([][2]string{{"judged by", kit.Escape(v.Profile)}, {"revision", kit.Escape(strings.TrimSpace(v.Version + " " + v.Era))}}, w)...)
}
