package book

import (
	"strconv"
	"strings"
	"time"

	"mcploupe/inspect"
	"mcploupe/session/fresh"
	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

// Kind is a kind of list.
type Kind int

// The kinds of what a server offers.
const (
	Tools Kind = iota
	Resources
	Templates
	Prompts
	kinds
)

// Kinds is all kinds, in the order of the panels.
func Kinds() []Kind { return []Kind{Tools, Resources, Templates, Prompts} }

// Method is the list method of the kind.
func (k Kind) Method() string {
	return [...]string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"}[k]
}

// Member is the member of the result that holds the items.
func (k Kind) Member() string {
	return [...]string{"tools", "resources", "resourceTemplates", "prompts"}[k]
}

// Noun is one item, in a word.
func (k Kind) Noun() string {
	return [...]string{"tool", "resource", "template", "prompt"}[k]
}

// ID is the member that names an item.
func (k Kind) ID() string {
	return [...]string{"name", "uri", "uriTemplate", "name"}[k]
}

// Item is one tool, resource, template or prompt, as the server described it.
type Item struct {
	Kind  Kind
	ID    string // raw: the tool's or prompt's name, the resource's URI, the template
	Label string // the same, escaped
	Title string // escaped; "" when it has none
	Def   jsondoc.Value
	Page  wire.Seq      // the frame that described it
	Worst inspect.Level // of the findings about its description that are not muted; 0 none

	found levels // of those findings, by rule
}

// List is what the server offers of one kind, as last listed.
type List struct {
	Kind    Kind
	Items   []Item
	Known   bool      // it was listed at least once
	Partial bool      // more pages follow, or the walk broke off
	Failed  string    // why the newest listing brought nothing; escaped; "" when it did
	At      time.Time // when its last page came
	Pages   int

	seqs    []wire.Ref        // of its pages
	worst   map[string]levels // of calls of an item, by its id
	muted   map[string]bool   // rules; the same map as that of the findings
	version int
}

// Version grows with every change of the list or of what its rows show.
func (l *List) Version() int { return l.version }

// Find is the item with this id, nil when there is none.
func (l *List) Find(id string) *Item {
	for i := range l.Items {
		if l.Items[i].ID == id {
			return &l.Items[i]
		}
	}
	return nil
}

// WorstOf is the worst finding of an item: about its description, or about calls of it.
func (l *List) WorstOf(it *Item) inspect.Level { return max(it.Worst, l.worst[it.ID].worst(l.muted)) }

// Freshness is how long the list may be kept, over all its pages. known is false before the first listing.
func (b *Book) Freshness(k Kind, now time.Time) (state fresh.State, known bool) {
	if !b.lists[k].Known {
		return fresh.State{}, false
	}
	return b.ledger.ListState(k.Method(), now), true
}

// FreshnessOf is the freshness of an exchange's result.
func (b *Book) FreshnessOf(r *Row, now time.Time) fresh.State {
	return b.ledger.StateOfRef(r.Ref, now)
}

// listed takes a page of a list.
func (b *Book) listed(x *wire.Exchange, news []inspect.Finding) {
	if x.End == wire.Open || x.Request == nil || x.Request.Aside() {
		return
	}
	k, ok := kindOf(x.Method())
	if !ok {
		return
	}
	l := &b.lists[k]
	for _, ref := range l.seqs {
		if ref == x.Ref() {
			return // it came back with late frames
		}
	}
	l.version++
	cursor := x.Request.Params().Get("cursor").Exists()
	items := jsondoc.Value{}
	if x.Reply != nil {
		items = x.Reply.Result().Get(k.Member())
	}
	if !items.Is(jsondoc.Array) {
		l.Failed = failure(x)
		l.Partial = l.Partial || cursor
		return
	}
	if !cursor || !l.Known {
		l.Items, l.seqs, l.Pages = nil, nil, 0
	}
	l.Known, l.Failed = true, ""
	l.Pages++
	l.At = x.Ended
	l.seqs = append(l.seqs, x.Ref())
	l.Partial = x.Reply.Result().Get("nextCursor").Exists()
	for _, def := range items.Elements() {
		id := def.Get(k.ID()).Text()
		title := def.Get("title").Text()
		if title == "" {
			title = def.Get("annotations").Get("title").Text()
		}
		if title == "" && (k == Resources || k == Templates) {
			title = def.Get("name").Text()
		}
		l.Items = append(l.Items, Item{Kind: k, ID: id, Label: visible.Escape(id), Title: visible.Escape(title), Def: def, Page: x.Reply.Seq})
	}
}

func kindOf(method string) (Kind, bool) {
	for _, k := range Kinds() {
		if k.Method() == method {
			return k, true
		}
	}
	return 0, false
}

func failure(x *wire.Exchange) string {
	switch {
	case x.Reply != nil && x.Reply.Kind == wire.Error:
		e := x.Reply.Err()
		return visible.Escape(strings.TrimSpace(string(e.Get("code").Raw()) + " " + e.Get("message").Text()))
	case x.EndText != "":
		return visible.Escape(x.EndText)
	}
	return "no usable answer"
}

// blame puts a finding on the row of what it is about: the item it points into, or the one that was called.
func (b *Book) blame(x *wire.Exchange, f *inspect.Finding) {
	if k, ok := kindOf(x.Method()); ok {
		rest, ok := strings.CutPrefix(string(f.At.Path), "/result/"+k.Member()+"/")
		if !ok {
			return
		}
		index, _, _ := strings.Cut(rest, "/")
		n, err := strconv.Atoi(index)
		if err != nil {
			return
		}
		l := &b.lists[k]
		for i := range l.Items {
			if l.Items[i].Page != f.At.Frame {
				continue
			}
			if i+n < len(l.Items) && l.Items[i+n].Page == f.At.Frame {
				it := &l.Items[i+n]
				it.found = it.found.add(f)
				it.Worst = it.found.worst(l.muted)
				l.version++
			}
			return
		}
		return
	}
	if l := b.listFor(x.Method()); l != nil && x.Request != nil && !x.Request.Aside() {
		if id := x.Name(); id != "" {
			l.worst[id] = l.worst[id].add(f)
			l.version++
		}
	}
}

// listFor is the list whose items a method uses.
func (b *Book) listFor(method string) *List {
	switch method {
	case "tools/call":
		return &b.lists[Tools]
	case "resources/read":
		return &b.lists[Resources]
	case "prompts/get":
		return &b.lists[Prompts]
	}
	return nil
}
