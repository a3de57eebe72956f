package question

import (
	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// Rows implements kit.Pane.
func (p *Pane) Rows() []kit.Row {
	const group = "Question"
	if p.whole != nil {
		return p.wholeRows(group)
	}
	q, v := p.asked(), p.view()
	if p.sure {
		return []kit.Row{
			{Keys: []string{"enter", "y"}, Words: "open it", Group: group, Do: func() kit.Intent {
				p.sure = false
				return OpenAddress{URL: q.Params.Get("url").Text()}
			}},
			{Keys: []string{"esc", "n", "q"}, Words: "do not", Group: group, Do: func() kit.Intent { p.sure = false; return nil }},
		}
	}
	act := func(f func() kit.Intent) func() kit.Intent { return f }
	yes, esc := "accept", "cancel"
	keys := []string{"ctrl+s"}
	switch {
	case q == nil:
		yes, esc = "send again", "leave it"
		keys = []string{"enter", "ctrl+s"}
	case !q.elicitation():
		yes, esc = "send", "leave it"
	case p.round.Again:
		yes, esc = "agree, send again", "leave it"
	}
	rows := []kit.Row{{Keys: keys, Words: yes, Group: group, Do: func() kit.Intent { return p.accept(false) }}}
	if q != nil {
		rows = append(rows, kit.Row{Keys: []string{"ctrl+d"}, Words: "decline", Group: group, Do: func() kit.Intent { return p.refuse(false) }})
	}
	back := kit.Row{Keys: []string{"esc"}, Words: esc, Group: group, Do: func() kit.Intent { return p.refuse(true) }}
	if p.form != nil && p.raw {
		back = kit.Row{Keys: []string{"esc"}, Words: "back to the form", Group: group, Do: act(p.toggle)}
	}
	rows = append(rows, back)
	if p.form != nil {
		rows = append(rows, kit.Row{Keys: []string{"ctrl+t"}, Words: map[bool]string{true: "form", false: "JSON"}[p.raw], Group: group, Do: act(p.toggle)})
	}
	if v != nil {
		rows = append(rows, kit.Row{Keys: []string{"ctrl+x"}, Words: "send anyway", Group: group, Quiet: true, Do: func() kit.Intent { return p.accept(true) }})
	}
	if q != nil {
		rows = append(rows, kit.Row{Keys: []string{"ctrl+q"}, Words: "leave unanswered", Group: group, Quiet: true, Do: func() kit.Intent {
			return Decided{Pane: p, Stop: "left unanswered by hand"}
		}})
	}
	if q != nil && v == nil {
		rows = append(rows, kit.Row{Keys: []string{"o"}, Words: "open the address", Group: group, Off: noOpen(q.Params.Get("url").Text()), Do: func() kit.Intent { p.sure = true; return nil }})
		rows = append(rows, kit.Row{Keys: []string{"y"}, Words: "copy the address", Group: group, Do: func() kit.Intent {
			return kit.Copy{Text: q.Params.Get("url").Text(), What: "address"}
		}})
	}
	rows = append(rows, kit.Row{Keys: []string{"ctrl+g"}, Words: "later", Group: group, Do: func() kit.Intent { return Aside{Pane: p} }})
	if p.round.N > 0 && !p.round.Again {
		if q != nil {
			rows = append(rows, kit.Row{Keys: []string{"ctrl+n"}, Words: "leave this one out", Group: group, Quiet: true, Do: func() kit.Intent {
				return p.decide(Answer{LeftOut: true})
			}})
		}
		rows = append(rows, kit.Row{Keys: []string{"ctrl+o"}, Words: "whole answer", Group: group, Off: p.noWhole(), Do: p.openWhole})
	}
	if p.long {
		rows = append(rows, kit.Row{Keys: []string{"pgdown"}, Words: "read on", Group: group, Do: func() kit.Intent { p.scroll("pgdown"); return nil }},
			kit.Row{Keys: []string{"pgup"}, Words: "read back", Group: group, Quiet: true, Do: func() kit.Intent { p.scroll("pgup"); return nil }})
	}
	if v != nil {
		for _, r := range v.Rows() {
			if do := r.Do; do != nil {
				r.Do = func() kit.Intent { return p.submitted(do()) }
			}
			if kit.Find(rows, first(r.Keys)) == nil {
				rows = append(rows, r)
			}
		}
	}
	return append(rows, kit.Row{Keys: []string{"q"}, Words: "close", Group: group, Quiet: true, Off: "the server waits for an answer: esc " + map[bool]string{true: "cancels", false: "leaves it"}[esc == "cancel"],
		Do: func() kit.Intent { return nil }})
}

func first(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	return keys[0]
}

// submitted turns the input's last row into an answer.
func (p *Pane) submitted(i kit.Intent) kit.Intent {
	if _, ok := i.(kit.Submit); ok {
		return p.accept(false)
	}
	return i
}

// Typing implements kit.Pane.
func (p *Pane) Typing() bool { v := p.view(); return v != nil && v.Typing() }

// Text implements kit.Pane: the keys of the dialog come before those of the text.
func (p *Pane) Text(msg tea.Msg) (kit.Intent, bool) {
	v := p.view()
	if v == nil {
		return nil, false
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "pgup", "pgdown":
			if p.scroll(k.String()) {
				return nil, true
			}
		case "ctrl+s", "ctrl+d", "ctrl+t", "ctrl+x", "ctrl+q", "ctrl+g", "ctrl+n", "ctrl+o":
			return nil, false
		case "esc":
			if p.raw || p.whole != nil {
				return nil, false
			}
		}
	}
	i, used := v.Text(msg)
	return p.submitted(i), used
}

// wholeRows are the keys while the whole answer is edited.
func (p *Pane) wholeRows(group string) []kit.Row {
	rows := []kit.Row{
		{Keys: []string{"ctrl+s"}, Words: "send it as it is", Group: group, Do: p.sendWhole},
		{Keys: []string{"esc", "ctrl+o"}, Words: "back to the questions", Group: group, Do: func() kit.Intent { p.whole, p.shown = nil, nil; return nil }},
	}
	for _, r := range p.whole.Rows() {
		if kit.Find(rows, first(r.Keys)) == nil {
			rows = append(rows, r)
		}
	}
	return rows
}

// mostWhole bounds what is edited as a whole; an editor is no place for megabytes.
const mostWhole = 1 << 20

func (p *Pane) noWhole() string {
	if len(p.round.State) > mostWhole {
		return "the requestState is too long to be edited here"
	}
	return ""
}

// Completed tells that the server says it is done with the elicitation of this id. It tells whether that is asked here.
func (p *Pane) Completed(id string) bool {
	q := p.asked()
	if q == nil || q.Mode != "url" || q.Params.Get("elicitationId").Text() != id {
		return false
	}
	p.done = true
	return true
}
