// Package catalogue is what a server offers: the panels of tools, resources and prompts, and the pane
// in which one of them is looked at and used. It must never know: sessions, or how an answer is judged.
package catalogue

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

	"mcploupe/inspect"
	"mcploupe/session/fresh"
	"mcploupe/session/schema"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
	"mcploupe/themes"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Panel is the list of one kind, or of resources and their templates together.
type Panel struct {
	kit.ListPane
	env   *kit.Env
	book  *book.Book
	name  string
	key   int
	kinds []book.Kind

	rows    []entry
	version int
	sum     int // of the lists' versions
	styles  *themes.Styles
	widest  int // name
}

// entry is a row: an item, and what is shown beside it.
type entry struct {
	item  *book.Item
	out   bool   // clients must leave it out
	twin  bool   // another one of the list has the same name: what stands beside it tells them apart
	text  string // what the filter looks at
	name  int    // bytes of text that are the name
	signs [3]sign
}

type sign struct {
	text  string
	style *lipgloss.Style
}

// NewPanel is the panel with number key. The first kind gives the list that r and R refresh, others follow.
func NewPanel(env *kit.Env, b *book.Book, key int, name string, list ...book.Kind) *Panel {
	p := &Panel{env: env, book: b, name: name, key: key, kinds: list, sum: -1}
	p.List = kit.NewList(env, source{p})
	p.Heading = p.heading
	p.Keys = p.keys
	p.Moved = func() kit.Intent { return kit.Selected{Pane: name} }
	p.Opened = p.opened
	return p
}

// Item is the item under the cursor, nil in an empty list.
func (p *Panel) Item() *book.Item {
	i := p.Selected()
	if i < 0 {
		return nil
	}
	return p.rows[i].item
}

// SelectItem puts the cursor on an item.
func (p *Panel) SelectItem(k book.Kind, id string) bool { return p.Select(itemKey(k, id)) }

func itemKey(k book.Kind, id string) string { return string(rune('a'+k)) + id }

func (p *Panel) keys() []kit.Row {
	known := ""
	if p.Len() == 0 {
		known = "nothing is selected"
	}
	gone := ""
	switch p.book.Server.Phase {
	case wire.Failed, wire.Lost:
		gone = "there is no connection"
	}
	rows := []kit.Row{}
	if p.kinds[0] == book.Tools {
		rows = append(rows, kit.Row{Keys: []string{"ctrl+s"}, Words: "send", Group: "call", Off: known, Do: func() kit.Intent {
			return kit.Several{kit.Enter{}, SendNow{}}
		}})
	}
	if it := p.Item(); it != nil && it.Kind == book.Resources {
		words := "watch"
		if p.book.Subs.Watching(it.ID) != nil {
			words = "watch no more"
		}
		rows = append(rows, kit.Row{Keys: []string{"w"}, Words: words, Group: "resource", Do: func() kit.Intent { return kit.Watch{URI: p.Item().ID} }})
	}
	return append(rows,
		kit.Row{Keys: []string{"r"}, Words: "refresh", Group: "list", Off: gone, Do: func() kit.Intent { return p.refresh(false) }},
		kit.Row{Keys: []string{"R"}, Words: "refetch past the cache", Group: "list", Quiet: true, Off: gone, Do: func() kit.Intent { return p.refresh(true) }},
		kit.Row{Keys: []string{"y"}, Words: "copy name", Group: "copy", Off: known, Quiet: true, Do: func() kit.Intent {
			return kit.Copy{Text: p.Item().ID, What: map[bool]string{true: "URI", false: "name"}[p.kinds[0] == book.Resources]}
		}},
		kit.Row{Keys: []string{"Y"}, Words: "copy definition", Group: "copy", Off: known, Quiet: true, Do: func() kit.Intent {
			return kit.Copy{Text: string(p.Item().Def.Raw()), What: "definition"}
		}},
	)
}

// SendNow asks the call pane to send what it holds.
type SendNow struct{}

func (p *Panel) refresh(past bool) kit.Intent {
	var all kit.Several
	for _, k := range p.kinds {
		all = append(all, kit.Refresh{Kind: k, Past: past})
	}
	return all
}

func (p *Panel) opened() kit.Intent {
	it := p.Item()
	if it == nil {
		return nil
	}
	switch {
	case it.Kind == book.Resources, it.Kind == book.Prompts && it.Def.Get("arguments").Len() == 0:
		return kit.Use{Kind: it.Kind, ID: it.ID}
	}
	return kit.Enter{}
}

func (p *Panel) heading(focused bool) (title, right string) {
	s := p.env.Styles
	style := &s.Text
	if focused {
		style = &s.Accent
	}
	title = s.Keycap.Render(fmt.Sprint(p.key)) + " " + style.Bold(focused).Render(p.name)
	total, known, partial, failed := 0, false, false, ""
	for _, k := range p.kinds {
		l := p.book.List(k)
		total += len(l.Items)
		known = known || l.Known
		partial = partial || l.Partial
		if k == p.kinds[0] {
			failed = l.Failed
		}
	}
	if known {
		n := kit.Number(total)
		if partial {
			n += "+"
		}
		title += " " + s.Muted.Render(n)
	}
	if p.env.Tasks && p.kinds[0] == book.Tools {
		title += " " + s.Running.Render(kit.SignTask+" as tasks")
	}
	if failed != "" {
		return title, s.Must.Render(kit.SignMust + " failed")
	}
	if st, ok := p.book.Freshness(p.kinds[0], p.env.Now()); ok {
		f := p.env.Freshness(st, nil)
		if f.Text != "" {
			f.Text = f.Short
			right = f.Render()
		}
	}
	return title, right
}

// Beat implements kit.Lively: the freshness in the heading counts down.
func (p *Panel) Beat() time.Duration {
	if st, ok := p.book.Freshness(p.kinds[0], p.env.Now()); ok && st.Name == fresh.Fresh {
		return time.Second
	}
	return 0
}

// Want is how many lines the panel could fill.
func (p *Panel) Want() int { return max(p.List.Len(), 1) }

// entries brings the rows up to date.
func (p *Panel) entries() []entry {
	sum := 0
	for _, k := range p.kinds {
		sum += p.book.List(k).Version()
	}
	if sum == p.sum && p.styles == p.env.Styles {
		return p.rows
	}
	p.sum, p.styles = sum, p.env.Styles
	p.version++
	p.rows = p.rows[:0]
	for _, k := range p.kinds {
		l := p.book.List(k)
		for i := range l.Items {
			p.rows = append(p.rows, p.entry(l, &l.Items[i]))
		}
	}
	p.widest = 0
	seen := make(map[string]int, len(p.rows))
	for i := range p.rows {
		name := p.rows[i].text[:p.rows[i].name]
		p.widest = max(p.widest, kit.Width(name))
		if first, ok := seen[name]; ok {
			p.rows[first].twin, p.rows[i].twin = true, true
			continue
		}
		seen[name] = i
	}
	return p.rows
}

// Draw implements kit.Pane.
func (p *Panel) Draw(w, h int, focused bool) string {
	p.Empty = p.empty() // what a server declares is known before its lists are
	return p.ListPane.Draw(w, h, focused)
}

func (p *Panel) empty() string {
	l := p.book.List(p.kinds[0])
	switch {
	case l.Failed != "":
		return l.Failed
	case l.Known:
		return "none"
	case p.book.Server.Phase == wire.Ready && !p.book.Server.Capabilities.Get(p.kinds[0].Noun()+"s").Exists():
		return "none declared; r asks anyway"
	}
	return "not listed yet"
}

func (p *Panel) entry(l *book.List, it *book.Item) entry {
	s := p.env.Styles
	e := entry{item: it}
	name, more := it.Label, it.Title
	if it.Kind == book.Resources || it.Kind == book.Templates {
		if more != "" {
			name, more = more, name
		}
	}
	if name == "" {
		name = "‹no name›"
	}
	e.text, e.name = name, len(name)
	if more != "" && more != name {
		e.text += "  " + more
	}
	switch it.Kind {
	case book.Tools:
		a := it.Def.Get("annotations")
		if it.Def.Get("outputSchema").Exists() {
			e.signs[0] = sign{kit.SignSchema, &s.Muted}
		}
		if on, _ := a.Get("destructiveHint").Bool(); on {
			e.signs[1] = sign{kit.SignDestructive, &s.Should}
		} else if on, _ := a.Get("readOnlyHint").Bool(); on {
			e.signs[1] = sign{kit.SignReadOnly, &s.Muted}
		} else if headers, _ := schema.Headers(it.Def.Get("inputSchema")); len(headers) > 0 {
			e.signs[1] = sign{kit.SignHeader, &s.Muted}
		}
		if out := excluded(p.book, it); len(out) > 0 {
			e.out, e.signs[1] = true, sign{kit.SignExcluded, &s.Must}
			e.text = name + "  " + out[0].Rule // the reason, in place of the title
		}
	case book.Templates:
		e.signs[0] = sign{"{}", &s.Muted}
	case book.Prompts:
		if n := it.Def.Get("arguments").Len(); n > 0 {
			e.signs[0] = sign{kit.Count(n, "arg"), &s.Muted}
		}
	}
	if hidden(it) {
		e.signs[1] = sign{kit.SignHidden, &s.Must}
	}
	if level := l.WorstOf(it); level > 0 {
		text, style := p.env.Level(level)
		e.signs[2] = sign{text, style}
	}
	return e
}

// hidden tells that the item's texts hold characters that nobody sees.
func hidden(it *book.Item) bool {
	for _, text := range []string{it.ID, it.Def.Get("title").Text(), it.Def.Get("description").Text()} {
		if len(visible.Find(text)) > 0 {
			return true
		}
	}
	return false
}

// source is the panel's rows for its list.
type source struct{ p *Panel }

func (s source) Len() int          { return len(s.p.entries()) }
func (s source) Version() int      { s.p.entries(); return s.p.version }
func (s source) Key(i int) string  { it := s.p.rows[i].item; return itemKey(it.Kind, it.ID) }
func (s source) Text(i int) string { return s.p.rows[i].text }

func (s source) Line(i, w int, match []int) string {
	p, e := s.p, &s.p.rows[i]
	st := p.env.Styles
	var right strings.Builder
	if r := p.running(e.item); r != "" {
		right.WriteString(r + " ")
	}
	right.WriteString(p.watched(e.item))
	right.WriteString(p.shadowed(e.item))
	for j, g := range e.signs {
		if p.env.Present {
			if word := signWord(g.text); word != "" {
				right.WriteString(" " + g.style.Render(g.text) + " " + st.Title.Render(word))
			}
			continue
		}
		if j > 0 {
			right.WriteString(" ")
		}
		switch {
		case g.text != "":
			right.WriteString(g.style.Render(g.text))
		case e.item.Kind == book.Tools || j == 2:
			right.WriteString(" ")
		}
	}
	cut := 0
	for cut < len(match) && match[cut] < e.name {
		cut++
	}
	base := &st.Text
	if p.env.Present {
		base = &st.Title
	}
	if e.item.Worst == inspect.Must && !e.item.Def.Get("name").Exists() {
		base = &st.Must
	}
	if e.out {
		struck := st.Muted.Strikethrough(true).StrikethroughSpaces(true)
		base = &struck
	}
	left := p.env.Matched(e.text[:e.name], match[:cut], base)
	room := w
	if n := kit.Width(right.String()); n > 0 {
		room -= n + 1
	}
	// Titles stand in a column of their own where there is room for one; what matched is shown in any case, and what tells
	// two of the same name apart.
	if len(e.text) == e.name || room < 52 && cut == len(match) && !e.twin {
		return kit.Ends(kit.CutMiddle(left, room), right.String(), w)
	}
	column := min(p.widest, max(room-titleRoom, room/2))
	if room < 52 {
		column = min(kit.Width(e.text[:e.name]), max(room-titleRoom, room/2))
	}
	rest := make([]int, 0, len(match)-cut)
	for _, m := range match[cut:] {
		rest = append(rest, m-e.name)
	}
	more := p.env.Matched(e.text[e.name:], rest, &st.Faint)
	left = kit.CutMiddle(left, column)
	left += kit.Blank(column - kit.Width(left))
	switch address := e.item.Kind == book.Resources || e.item.Kind == book.Templates; {
	case address && room < 52 && e.twin: // its end alone tells it apart
		more = "  " + kit.CutLeft(strings.TrimLeft(more, " "), room-column-2)
	case address:
		more = kit.CutAddress(more, room-column)
	}
	return kit.Ends(left+more, right.String(), w)
}

// titleRoom is the cells that a name leaves to what stands beside it: enough to tell what it is.
const titleRoom = 24

// signWord is a word beside a sign, for a screen that is shown to others; "" for signs that are left out there.
func signWord(sign string) string {
	switch sign {
	case kit.SignDestructive:
		return "destroys"
	case kit.SignReadOnly:
		return "reads"
	case kit.SignExcluded:
		return "left out"
	case kit.SignHidden:
		return "hidden signs"
	case kit.SignMust:
		return "must"
	case kit.SignShould:
		return "should"
	}
	return ""
}

// running says how far the newest running use of an item is.
func (p *Panel) running(it *book.Item) string {
	open := p.book.Timeline.Open
	for i := len(open) - 1; i >= 0; i-- {
		r := open[i]
		if !uses(it, r) || p.env.Now().Sub(r.At()) < kit.Slow {
			continue
		}
		t := kit.Spinner(p.env.Frame)
		if far := p.env.Percent(r.Shown); far != "" {
			t += " " + far
		}
		return p.env.Styles.Running.Render(t)
	}
	return ""
}

// watched are the signs of a resource that we are told about, and of one that changed since it was last read.
func (p *Panel) watched(it *book.Item) string {
	if it.Kind != book.Resources {
		return ""
	}
	out := ""
	if p.book.UpdatedSince(it.ID) != 0 {
		out += p.env.Styles.Should.Render(kit.SignUpdated+" updated") + " "
	}
	if s := p.book.Subs.Watching(it.ID); s != nil {
		style := &p.env.Styles.Fresh
		if s.Acked.IsZero() {
			style = &p.env.Styles.Muted
		}
		out += style.Render(kit.SignWatched) + " "
	}
	return out
}
