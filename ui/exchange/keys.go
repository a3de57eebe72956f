package exchange

import (
	"fmt"

	"mcploupe/inspect"
	"mcploupe/session/wire"
	"mcploupe/ui/kit"
)

// Rows implements kit.Pane.
func (p *Pane) Rows() []kit.Row {
	p.refresh()
	back := kit.Row{Keys: []string{"esc"}, Words: "back", Group: "view", Quiet: true, Do: func() kit.Intent { return kit.Back{} }}
	if p.row == nil {
		return []kit.Row{back}
	}
	v := p.view()
	if v != nil && v.Typing() {
		return v.Rows()
	}
	if sheet := p.sheet(); sheet != nil && sheet.Typing() {
		return sheet.Rows()
	}
	if p.tab == "" { // it is being read
		return []kit.Row{back}
	}
	r := p.row
	none := ""
	if len(r.Findings) == 0 {
		none = "nothing was found here"
	}
	var rows []kit.Row
	if r.Running() {
		rows = append(rows, kit.Row{Keys: []string{"c"}, Words: "cancel", Group: "exchange", Do: func() kit.Intent { return kit.Cancel{Seq: r.Ref.Seq} }})
	}
	if r.Asks() {
		rows = append(rows, kit.Row{Keys: []string{"a"}, Words: "answer", Group: "exchange", Do: func() kit.Intent { return kit.Answer{Ref: r.Ref} }})
	}
	rows = append(rows, kit.TaskRows(r)...)
	rows = append(rows, p.storyRows()...)
	rows = append(rows,
		kit.Row{Keys: []string{"]"}, Words: "next finding", Group: "findings", Off: none, Do: func() kit.Intent { return p.walk(1) }},
		kit.Row{Keys: []string{"["}, Words: "finding before", Group: "findings", Off: none, Quiet: true, Do: func() kit.Intent { return p.walk(-1) }},
		kit.Row{Keys: []string{"i"}, Words: "explain", Group: "findings", Do: p.explain},
		kit.Row{Keys: []string{"I"}, Words: "why this verdict", Group: "findings", Quiet: true, Off: p.noVerdict(), Do: func() kit.Intent { return kit.Evidence{Ref: r.Ref} }},
	)
	mine := ""
	if r.Lone() || r.X.Request.Method == "" {
		mine = "this was no request of ours"
	}
	rows = append(rows,
		kit.Row{Keys: []string{"r"}, Words: "send again", Group: "exchange", Off: mine, Do: func() kit.Intent { return kit.SendAgain{Ref: r.Ref} }})
	if r.X.Method() == "tools/call" || r.X.Method() == "prompts/get" {
		rows = append(rows, kit.Row{Keys: []string{"e"}, Words: "edit and send again", Group: "exchange", Do: func() kit.Intent { return kit.Edit{Ref: r.Ref} }})
	}
	if from, edited := r.EditedFrom(); edited {
		rows = append(rows, kit.Row{Words: fmt.Sprintf("open #%d, which this was edited from", from), Group: "exchange", Quiet: true, Do: func() kit.Intent {
			return kit.Show{Row: wire.Ref{Seq: from}, Frame: from}
		}})
	}
	if r.X.Method() == "resources/read" {
		rows = append(rows, kit.Row{Keys: []string{"R"}, Words: "read past the cache", Group: "exchange", Do: func() kit.Intent { return kit.Reread{URI: r.Of} }})
	}
	if p.tab == tabChanges { // what is looked at comes first
		rows = append(append(p.changeRows(), p.difference().Rows()...), rows...)
	} else if sheet := p.sheet(); sheet != nil {
		more := p.sheetRows()
		if kit.Find(more, "esc") != nil {
			back = kit.Row{}
		}
		rows = append(append(more, append(rows, p.changeRows()...)...), p.copyRow(nil))
	} else if rows = append(rows, p.changeRows()...); v != nil {
		more := v.Rows()
		if kit.Find(more, "esc") != nil {
			back = kit.Row{}
		}
		rows = append(append(rows, p.copyRow(v)), p.sheetRows()...)
		for _, r := range more {
			if kit.Find([]kit.Row{r}, "y") == nil {
				rows = append(rows, r)
			}
		}
	} else if p.tab == tabHeaders {
		rows = append(append(rows, p.copyRow(nil)), p.headRows()...)
	} else {
		rows = append(append(rows, p.copyRow(nil)), p.page.Rows()...)
	}
	rows = append(rows, kit.TabRows(p)...)
	if back.Words != "" {
		rows = append(rows, back)
	}
	return rows
}

// copyRow opens the menu of what can be copied, what is under the cursor first.
func (p *Pane) copyRow(v *kit.View) kit.Row {
	return kit.Row{Keys: []string{"y"}, Words: "copy…", Group: "copy", Do: func() kit.Intent {
		menu := kit.OpenCopy{Ref: p.ref}
		if sheet := p.sheet(); sheet != nil {
			menu.Here = sheet.Copies()
		} else if v != nil {
			menu.Here = v.Copies()
		}
		return menu
	}}
}

func (p *Pane) noVerdict() string {
	if !p.row.V.Ended {
		return "there is no verdict yet"
	}
	return ""
}

// walk goes to the next finding.
func (p *Pane) walk(d int) kit.Intent {
	p.refresh()
	if i := p.finding; i >= 0 && i < len(p.places) && p.nth+d >= 0 && p.nth+d <= len(p.places[i].again) {
		p.look(i, p.nth+d) // where the same is wrong once more
		return nil
	}
	i, nth := kit.Step(p.finding, d, len(p.row.Findings)), 0
	if d < 0 && i < len(p.places) {
		nth = len(p.places[i].again)
	}
	p.look(i, nth)
	return nil
}

// look shows a finding at one of its places.
func (p *Pane) look(i, nth int) {
	p.refresh()
	p.finding, p.nth = i, nth
	if p.tab == "" {
		p.reading.then = func() { p.look(i, nth) }
		return
	}
	at := p.places[i]
	if p.tab != at.tab {
		p.tab = at.tab
		p.page.Top()
	}
	if p.tab == tabHeaders {
		p.listHeads()
		for k := range p.heads.items {
			if p.onHead(&p.row.Findings[i], &p.heads.items[k]) {
				p.headTo(k)
				break
			}
		}
	}
	v := p.view()
	if v != nil && nth > 0 && nth <= len(at.again) {
		v.GotoMark(at.again[nth-1])
	} else if v != nil && at.mark >= 0 {
		v.GotoMark(at.mark)
	}
	if v != nil {
		p.lookedAt = v.Node().Node()
	}
}

// Goto shows a place in the exchange: the finding there if there is one, else the value.
func (p *Pane) Goto(s kit.Show) {
	p.refresh()
	if p.row == nil || s.Frame == 0 {
		return
	}
	if p.tab == "" {
		p.reading.then = func() { p.Goto(s) }
		return
	}
	for i := range p.row.Findings {
		for nth, at := range p.row.Findings[i].Places() {
			if at.Frame == s.Frame && at.Path == s.Path && (at.Part == inspect.Key) == s.Key {
				p.look(i, nth)
				return
			}
		}
	}
	x := &p.row.X
	switch {
	case x.Request != nil && x.Request.Seq == s.Frame:
		p.tab = tabRequest
	case x.Lone != nil:
		p.tab = tabMessage
	case x.Reply != nil && x.Reply.Seq == s.Frame:
		p.tab = tabAnswer
	default:
		p.tab = tabBetween
	}
	if v := p.view(); v != nil {
		v.Goto(s.Path)
	}
}
