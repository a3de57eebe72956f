package editor

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/session/visible"
	"mcploupe/ui/kit"
)

// offer is one thing that could be written at the cursor.
type offer struct {
	label, note string // for people, escaped
	raw         string // JSON: a name with its quotes, or a value
	value       string // of a name: the value to begin with, "" to leave that open
	back        int    // how far the cursor goes back behind the value, into its quotes or brackets
	required    bool
}

// popup is the list of what could be written at the cursor.
type popup struct {
	where  where
	offers []offer
	at     int
	top    int
	// eager: somebody asked for it or types a word of it, so that enter and the arrows belong to it.
	eager bool
}

// listed is how many lines of the list are in view.
const listed = 7

// maxOffers bounds a list.
const maxOffers = 500

// suggest opens, narrows or closes the list, after a change of the text.
func (e *Editor) suggest(asked bool) {
	e.popup = nil
	if !e.Schema.Exists() {
		return
	}
	w, ok := e.buf.context()
	if !ok {
		return
	}
	e.known(&w)
	offers := narrow(e.offers(w), w)
	eager := asked || w.typed != "" || w.quoted
	if len(offers) == 0 || !asked && len(offers) == 1 && strings.Trim(offers[0].raw, `"`) == w.typed && !w.name {
		return // it is written already
	}
	if !asked && w.name && w.colon && len(offers) == 1 && offers[0].label == w.typed {
		return
	}
	e.popup = &popup{where: w, offers: offers[:min(len(offers), maxOffers)], eager: eager}
}

// known adds the names that stand too far away to be looked at, as they were when the text was read last.
func (e *Editor) known(w *where) {
	if !w.cut || !w.name || e.check.doc == nil {
		return
	}
	for name := range e.check.doc.At(w.place).Members() {
		if _, near := w.members[name]; !near {
			w.members[name] = ""
		}
	}
}

// narrow is the offers that begin with what was typed, before those that only hold it.
func narrow(all []offer, w where) []offer {
	typed := strings.ToLower(w.typed)
	var first, rest []offer
	for _, o := range all {
		label := strings.ToLower(strings.Trim(o.raw, `"`))
		switch {
		case w.quoted && !strings.HasPrefix(o.raw, `"`):
		case strings.HasPrefix(label, typed):
			first = append(first, o)
		case strings.Contains(label, typed), strings.Contains(strings.ToLower(o.label), typed):
			rest = append(rest, o)
		}
	}
	return append(first, rest...)
}

// offers are all things that the schema knows for a place.
func (e *Editor) offers(w where) []offer {
	schemas := schema.Locate(e.Schema, w.place, func(at jsondoc.Pointer, name string) jsondoc.Value {
		object := w.place
		if !w.name {
			object = object.Parent()
		}
		if at != object || !w.name && name == w.place.Last() {
			return jsondoc.Value{}
		}
		return jsondoc.Parse([]byte(w.members[name])).Root()
	})
	if w.name {
		return e.names(schemas, w)
	}
	var out []offer
	seen := map[string]bool{}
	add := func(v jsondoc.Value, label, note string) {
		raw := string(jsondoc.Compact(nil, v.Raw()))
		if !v.Exists() || seen[raw] || len(raw) > 4000 {
			return
		}
		seen[raw] = true
		if label == "" || label == raw {
			label = raw
		} else {
			note, label = label, raw
		}
		out = append(out, offer{label: visible.Escape(label), note: visible.Escape(note), raw: raw})
	}
	for _, s := range schemas {
		f := schema.Describe(e.Schema, s)
		add(f.Const, "", "the only value")
		for _, c := range f.Choices {
			note := ""
			if f.Default.Exists() && f.Default.Same(c.Value) {
				note = "default"
			}
			add(c.Value, c.Title, note)
		}
		add(f.Default, "", "default")
		for _, x := range f.Examples {
			add(x, "", "example")
		}
		if len(f.Choices) == 0 && !f.Const.Exists() && f.Is("boolean") {
			add(jsondoc.Parse([]byte("true")).Root(), "", "")
			add(jsondoc.Parse([]byte("false")).Root(), "", "")
		}
		if f.Nullable {
			add(jsondoc.Parse([]byte("null")).Root(), "", "")
		}
	}
	return out
}

// names are the members that are not there yet, those that must be first.
func (e *Editor) names(schemas []jsondoc.Value, w where) []offer {
	var must, may []offer
	at := map[string]int{}
	var all []offer
	for _, s := range schemas {
		for _, f := range schema.Fields(e.Schema, s, "") {
			if _, there := w.members[f.Name]; there && f.Name != w.typed {
				continue
			}
			if i, twice := at[f.Name]; twice {
				all[i].required = all[i].required || f.Required
				continue
			}
			at[f.Name] = len(all)
			all = append(all, nameOffer(f))
		}
	}
	for _, o := range all {
		if o.required {
			o.note = strings.TrimSuffix("required · "+o.note, " · ")
			must = append(must, o)
		} else {
			may = append(may, o)
		}
	}
	return append(must, may...)
}

func nameOffer(f schema.Field) offer {
	o := offer{label: visible.Escape(f.Name), raw: jsondoc.Quote(f.Name), required: f.Required}
	about := f.Description
	if about == "" {
		about = f.Title
	}
	about, _, _ = strings.Cut(strings.TrimSpace(about), "\n")
	words := strings.Join(f.Types, " | ")
	if f.Format != "" {
		words = f.Format
	}
	if words != "" && about != "" {
		words += " · "
	}
	o.note = visible.Escape(words + about)
	switch {
	case f.Const.Exists():
		o.value = string(jsondoc.Compact(nil, f.Const.Raw()))
	case len(f.Choices) > 0, len(f.Types) != 1:
	case f.Is("string"):
		o.value, o.back = `""`, 1
	case f.Is("object"):
		o.value, o.back = "{}", 1
	case f.Is("array"):
		o.value, o.back = "[]", 1
	}
	return o
}

// take writes the chosen offer over the word at the cursor: one change for undo.
func (e *Editor) take() {
	p := e.popup
	if p == nil || len(p.offers) == 0 {
		return
	}
	e.popup = nil
	w, o := p.where, p.offers[p.at]
	text, back := o.raw, 0
	if w.name && !w.colon {
		text, back = text+": "+o.value, o.back
	}
	from, lead := w.from, ""
	if w.comma { // the value before lacks its comma: it comes right behind it
		lead = "," + e.buf.slice(w.last, w.from)
		if lead == "," {
			lead = ", "
		}
		from = w.last
	}
	tail := ""
	if whole := !w.name || !w.colon && o.value != ""; whole && w.more { // what follows lacks its comma
		tail = ","
		if line := e.buf.lines[w.to.line]; strings.TrimLeft(line[w.to.col:], " \t") == line[w.to.col:] && w.to.col < len(line) {
			tail = ", "
		}
	}
	e.buf.replace(from, w.to, lead+text+tail, false)
	for range back + len(tail) {
		e.buf.Left()
	}
	if w.name && !w.colon && o.value == "" {
		if e.suggest(false); e.popup != nil { // the values that it may have
			e.popup.eager = true
		}
	}
}

// popupKey handles a key while the list is open; it tells whether the key was for the list.
func (e *Editor) popupKey(msg tea.KeyPressMsg) bool {
	p := e.popup
	walk := func(by int) bool {
		p.at = kit.Step(p.at, by, len(p.offers))
		p.top = min(max(p.top, p.at-listed+1), p.at)
		p.eager = true
		return true
	}
	switch msg.String() {
	case "tab":
		e.take()
		return true
	case "enter":
		if p.eager {
			e.take()
			return true
		}
	case "down":
		if p.eager {
			return walk(1)
		}
	case "up":
		if p.eager {
			return walk(-1)
		}
	case "esc":
		e.popup = nil
		return true
	}
	return false
}
