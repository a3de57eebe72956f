package exchange

import (
	"mcploupe/session/mcp"
	"mcploupe/ui/kit"
)

// pick is the tab to show: the chosen one where this exchange has it, else the first; of what was read, what it holds.
func (p *Pane) pick() string {
	tabs := p.tabs()
	first := ""
	if m := p.row.X.Method(); m == mcp.ResourcesRead || m == mcp.PromptsGet {
		first = tabContent
	}
	for _, want := range []string{p.chosen, p.tab, first} {
		for _, t := range tabs {
			if t == want && want != "" {
				return t
			}
		}
	}
	return tabs[0]
}

// Tabs implements kit.Tabbed.
func (p *Pane) Tabs() []string {
	p.refresh()
	return p.tabs()
}

// tabs are those of the exchange as it was at the last refresh.
func (p *Pane) tabs() []string {
	r := p.row
	if r == nil {
		return nil
	}
	if p.reads() {
		return []string{tabAnswer}
	}
	if r.Lone() {
		if r.X.Head != nil || r.X.Lone.HTTP != nil || r.X.Fetch != nil {
			return []string{tabMessage, tabRaw, tabHeaders, tabStory}
		}
		return []string{tabMessage, tabRaw, tabStory}
	}
	tabs := []string{tabAnswer}
	if hasContent(r) {
		tabs = append(tabs, tabContent)
	}
	if p.earlier() != nil {
		tabs = append(tabs, tabChanges)
	}
	tabs = append(tabs, tabRequest, tabRaw)
	if r.X.Request.HTTP != nil || r.X.Head != nil {
		tabs = append(tabs, tabHeaders)
	}
	if len(r.X.During)+len(r.X.Late) > 0 {
		tabs = append(tabs, tabBetween)
	}
	if r.Round > 0 {
		tabs = append(tabs, tabRounds)
	}
	return append(tabs, tabStory)
}

// Tab implements kit.Tabbed.
func (p *Pane) Tab() int {
	p.refresh()
	for i, t := range p.Tabs() {
		if t == p.tab {
			return i
		}
	}
	return 0
}

// SetTab implements kit.Tabbed.
func (p *Pane) SetTab(i int) {
	if tabs := p.Tabs(); i >= 0 && i < len(tabs) && p.tab != "" {
		p.tab, p.chosen = tabs[i], tabs[i]
		p.page.Top()
	}
}

// view is the document that the tab shows, nil when it is a page.
func (p *Pane) view() *kit.View {
	if p.row == nil {
		return nil
	}
	switch p.tab {
	case tabAnswer:
		if p.row.X.Reply == nil {
			return nil
		}
		return p.answer
	case tabMessage:
		return p.answer
	case tabRequest:
		return p.request
	case tabRaw:
		if p.inHex {
			return nil
		}
		p.fillRaw()
		return p.raw
	}
	return nil
}
