// Package book is what is true of one server, as the screen needs it: who it is, what it offers, what was
// said, what was found. It is built only by Take, from the pages of the feed, so a live server and a
// recorded journal give the same book. Its memory is bounded; what had to go is counted.
//
// It must never know: where anything stands on a screen, what is selected, what time it is (time is passed in).
package book

import (
	"mcploupe/inspect"
	"mcploupe/session/fresh"
	"mcploupe/session/subs"
	"mcploupe/session/wire"
	"mcploupe/ui/feed"
)

// Bounds of what a book keeps. Beyond, the oldest go.
const (
	MaxRows     = 20_000
	MaxLines    = 5_000
	MaxFindings = 10_000
	MaxSteps    = 200
)

// Book is what is known of one server. It belongs to one goroutine.
type Book struct {
	Server   Server
	Timeline Timeline
	Tasks    Tasks
	Findings Findings
	Log      Log
	Subs     *subs.List // what the server is subscribed to

	lists  [kinds]List
	ledger *fresh.Ledger

	updated map[string]wire.Seq // the last resources/updated of a URI
}

// New is an empty book.
func New() *Book {
	b := &Book{ledger: fresh.NewLedger(), Subs: subs.NewList(), updated: map[string]wire.Seq{}}
	b.Timeline.byRef, b.Timeline.newest = map[wire.Ref]*Row{}, map[use]*Row{}
	b.Findings.byRule, b.Findings.muted = map[string]*Group{}, map[string]bool{}
	b.Timeline.muted = b.Findings.muted
	for k := range b.lists {
		b.lists[k].Kind = Kind(k)
		b.lists[k].worst, b.lists[k].muted = map[string]levels{}, b.Findings.muted
	}
	return b
}

// Take adds a page of the feed.
func (b *Book) Take(p *feed.Page) {
	defer b.Log.inOrder(len(b.Log.Lines) + b.Log.Dropped)
	for i := range p.Entries {
		b.entry(&p.Entries[i])
	}
	for i := range p.Exchanges {
		b.exchange(&p.Exchanges[i].Exchange, &p.Exchanges[i].Verdict)
	}
}

// List is what the server offers of a kind.
func (b *Book) List(k Kind) *List { return &b.lists[k] }

// entry learns from what is no frame. Frames come as exchanges.
func (b *Book) entry(e *wire.Entry) {
	b.Subs.Observe(e)
	b.ledger.Observe(e)
	switch {
	case e.State != nil:
		b.Server.step(e)
		if e.State.Boundary() {
			for k := range b.lists {
				b.lists[k].version++
			}
		}
		b.Log.state(e)
	case e.Lane != nil:
		if e.Lane.Exit != nil {
			b.Server.Exit = e.Lane.Exit
		}
		b.Log.lane(e)
	case e.Note != nil:
		b.Log.note(e)
	}
}

func (b *Book) exchange(x *wire.Exchange, v *inspect.Verdict) {
	row, news := b.Timeline.put(x, v)
	if x.End != wire.Open {
		b.tasks(row, v.Again)
	} else if row.Task == nil {
		b.asking(row)
	}
	b.Subs.Add(x)
	for i := range news {
		b.Findings.add(news[i], row.Ref)
	}
	if x.End != wire.Open {
		b.ledger.AddAs(x, v.Era == inspect.EraModern)
		b.Server.learn(x)
	}
	b.listed(x, news)
	for i := range news {
		b.blame(x, &news[i])
	}
	for i := row.duringSeen; i < len(x.During); i++ {
		b.heard(&x.During[i], row)
	}
	for i := row.lateSeen; i < len(x.Late); i++ {
		b.heard(&x.Late[i], row)
	}
	if x.Lone != nil {
		b.heard(x.Lone, row)
	}
	row.duringSeen, row.lateSeen = len(x.During), len(x.Late)
}

// heard learns from a notification: a change of a list, or a log message.
func (b *Book) heard(m *wire.Message, row *Row) {
	if m.Dir != wire.Received || m.Kind != wire.Notification {
		return
	}
	switch m.Method {
	case "notifications/message":
		during := wire.Ref{}
		if row.Lone() {
			during = b.Timeline.only()
		}
		b.Log.message(m, row.Ref, during)
	case "notifications/tools/list_changed", "notifications/prompts/list_changed", "notifications/resources/list_changed", "notifications/resources/updated":
		b.ledger.Invalidate(m)
		b.update(m)
		for k := range b.lists {
			b.lists[k].version++
		}
	}
}
