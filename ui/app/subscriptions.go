package app

import (
	"context"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/subs"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/catalogue"
	"mcploupe/ui/kit"
	"mcploupe/ui/subscriptions"
)

// subscribing is what the screen remembers of subscriptions beside what the book knows.
type subscribing struct {
	held    map[string]context.CancelFunc // those asked for again whenever they end, by their filter: what ends that
	kept    map[string]string             // of these the resources/subscribe of an older revision, which we ask for again ourselves: their resources
	starts  int                           // the connection that those were asked for on, by book.Server.Starts
	fell    int                           // subscriptions that ended with a connection that we ended, and are not asked for again
	open    map[wire.Seq]bool             // those that were open when we last looked
	reads   time.Time                     // when a watched resource was last read again by itself
	dropped int                           // rows that had to go when the journal was last let go
	due     bool                          // a look at what is to be read again is on its way
}

// heldMsg says that a subscription is not asked for again any more.
type heldMsg struct {
	key  string
	done tea.Msg
}

// rereadMsg says that it is time to look whether a watched resource is to be read again.
type rereadMsg struct{}

func (m *Model) openSubscriptions() {
	p := subscriptions.New(m.env, m.book)
	p.Kept = func(f subs.Filter) bool { return m.subs.held[string(f.JSON())] != nil }
	if m.o.Session == nil {
		p.Off = "this is a recorded journal"
	}
	m.open("subscriptions", p, func(w, h int) (int, int) { return min(w-8, 110), min(h-4, max(p.Len()+16, 18)) })
}

func (m *Model) openFilter() {
	e := subscriptions.NewEditor(m.env, m.book)
	m.open("filter", e, func(w, h int) (int, int) { return min(w-8, 84), min(e.Want()+2, h-4) })
}

// subscribe asks for notifications, in the way of the server's revision.
func (m *Model) subscribe(i kit.Subscribe) tea.Cmd {
	s, ctx := m.o.Session, m.ctx
	if m.book.Server.Era == session.Legacy {
		if i.Keep {
			for _, uri := range i.Filter.URIs {
				m.keep(uri)
			}
		}
		return m.subscribeTo(i.Filter.URIs)
	}
	if !i.Keep {
		return func() tea.Msg {
			_, err := s.Listen(ctx, i.Filter, "")
			return failed(ctx, err)
		}
	}
	key := string(i.Filter.JSON())
	if m.subs.held[key] != nil {
		m.say("that is asked for again by itself already", true)
		return nil
	}
	ctx, stop := context.WithCancel(ctx)
	m.hold(key, stop)
	return func() tea.Msg {
		defer stop()
		_, err := s.Hold(ctx, i.Filter, session.HoldOptions{Outlast: true})
		return heldMsg{key, failed(ctx, err)}
	}
}

// hold remembers that something is asked for again, and what ends that.
func (m *Model) hold(key string, stop context.CancelFunc) {
	if m.subs.held == nil {
		m.subs.held = map[string]context.CancelFunc{}
	}
	m.subs.held[key] = stop
}

// subscribeTo asks a server of an older revision for the updates of resources, one by one.
func (m *Model) subscribeTo(uris []string) tea.Cmd {
	s, ctx := m.o.Session, m.ctx
	return func() tea.Msg {
		for _, uri := range uris {
			if _, err := s.Subscribe(ctx, uri); err != nil {
				return failed(ctx, err)
			}
		}
		return nil
	}
}

// keep has a resource subscribed to again whenever a connection stands. A new HTTP session asks by itself.
func (m *Model) keep(uri string) {
	key := string(subs.Filter{URIs: []string{uri}}.JSON())
	if m.subs.kept == nil {
		m.subs.kept = map[string]string{}
	}
	m.subs.kept[key] = uri
	m.hold(key, func() {
		delete(m.subs.held, key)
		delete(m.subs.kept, key)
	})
}

// resubscribe asks for what is kept once a connection stands anew. What a server of 2026-07-28 was asked for asks again by itself.
func (m *Model) resubscribe() tea.Cmd {
	if m.subs.starts == m.book.Server.Starts {
		return nil // the same connection: in a new HTTP session of it the session asks by itself
	}
	m.subs.starts = m.book.Server.Starts
	m.fell()
	var uris []string
	for _, key := range slices.Sorted(maps.Keys(m.subs.kept)) {
		if uri := m.subs.kept[key]; m.book.Subs.Watching(uri) == nil {
			uris = append(uris, uri)
		}
	}
	if len(uris) == 0 {
		return nil
	}
	if m.book.Server.Era == session.Legacy {
		return m.subscribeTo(uris)
	}
	var all []tea.Cmd
	for _, uri := range uris { // another server answers there now
		f := subs.Filter{URIs: []string{uri}}
		m.subs.held[string(f.JSON())]()
		all = append(all, m.subscribe(kit.Subscribe{Filter: f, Keep: true}))
	}
	return tea.Batch(all...)
}

// fell says, when a connection stands anew, that subscriptions went with the one before: nobody asked to end those.
func (m *Model) fell() {
	if n := m.subs.fell; n > 0 {
		m.say(kit.Count(n, "subscription")+" went with the connection, not asked for again — S shows", true)
	}
	m.subs.fell = 0
}

// next says what becomes of a subscription that ended.
func (m *Model) next(s *subs.Sub) string {
	if m.subs.held[string(s.Asked.JSON())] != nil {
		return " — it is asked for again"
	}
	return " — S shows it"
}

// unsubscribe ends a subscription for good.
func (m *Model) unsubscribe(seq wire.Seq) tea.Cmd {
	sub := m.book.Subs.Sub(seq)
	if sub == nil {
		m.say("it had ended already", false)
		return nil
	}
	if stop := m.subs.held[string(sub.Asked.JSON())]; stop != nil {
		stop()
	}
	s, ctx := m.o.Session, m.ctx
	if !sub.Running() {
		return nil // it was only not to be asked for again
	}
	if sub.Legacy {
		uris := sub.Asked.URIs
		return func() tea.Msg {
			for _, uri := range uris {
				if _, err := s.Unsubscribe(ctx, uri); err != nil {
					return failed(ctx, err)
				}
			}
			return nil
		}
	}
	return func() tea.Msg { s.Cancel(seq, "ended by hand"); return nil }
}

// watch asks to be told when a resource changes, or ends that.
func (m *Model) watch(i kit.Watch) tea.Cmd {
	if sub := m.book.Subs.Watching(i.URI); sub != nil {
		rest := subs.Read(sub.Asked.Value())
		rest = rest.Without(subs.Filter{URIs: []string{i.URI}})
		if rest.Empty() {
			return m.unsubscribe(sub.Ref.Seq)
		}
		// It brings more than this: the rest is asked for anew, then this one is ended.
		if m.subs.held[string(sub.Asked.JSON())] != nil {
			return tea.Batch(m.subscribe(kit.Subscribe{Filter: rest, Keep: true}), m.unsubscribe(sub.Ref.Seq))
		}
		ask, end := m.subscribe(kit.Subscribe{Filter: rest}), m.unsubscribe(sub.Ref.Seq)
		return func() tea.Msg {
			if msg := ask(); msg != nil {
				return msg
			}
			return end()
		}
	}
	if on, _ := m.book.Server.Capabilities.Get("resources").Get("subscribe").Bool(); !on && !i.Anyway {
		i.Anyway = true
		return m.act(kit.Confirm{Title: "Watch a resource", Words: "ask all the same",
			Text: []string{kit.Escape(i.URI), "The server does not declare resources.subscribe: it may refuse, or never say anything."},
			Then: func() kit.Intent { return i }})
	}
	return m.subscribe(kit.Subscribe{Filter: subs.Filter{URIs: []string{i.URI}}})
}

// ended says of subscriptions that ended without our doing that they did.
func (m *Model) subscriptionsEnded() {
	now := map[wire.Seq]bool{}
	for _, s := range m.book.Subs.All {
		switch {
		case s.Running():
			now[s.Ref.Seq] = true
		case m.subs.open[s.Ref.Seq] && s.Fell() && m.subs.held[string(s.Asked.JSON())] == nil:
			m.subs.fell++
		case m.subs.open[s.Ref.Seq] && s.How != subs.Ours:
			bad := !s.How.Graceful()
			m.say("subscription "+kit.Escape(s.ID)+" "+kit.Escape(s.Words())+m.next(s), bad)
		}
	}
	m.subs.open = now
}

// patience is the least time between two readings of a watched resource by itself: a server that says that it changed, and
// says so without end, does not make us ask without end.
const patience = time.Second

// reread reads the watched resource that is on the screen again when it changed.
func (m *Model) reread() tea.Cmd {
	it := m.resources.Item()
	if m.o.Session == nil || m.driver != atResources || it == nil || it.Kind != book.Resources || m.book.Server.Phase != wire.Ready ||
		m.book.Subs.Watching(it.ID) == nil || m.book.UpdatedSince(it.ID) == 0 {
		return nil
	}
	if newest := catalogue.Newest(m.book, it); newest == nil || newest.Running() {
		return nil // its content is not on the screen, or is on its way
	}
	if wait := patience - m.o.Now().Sub(m.subs.reads); wait > 0 {
		if m.subs.due {
			return nil
		}
		m.subs.due = true
		return tea.Tick(wait, func(time.Time) tea.Msg { return rereadMsg{} })
	}
	m.subs.reads = m.o.Now()
	s, ctx, uri := m.o.Session, m.ctx, it.ID
	return func() tea.Msg {
		_, err := s.Read(ctx, uri, session.CallOptions{}) // its cached result is invalid: that is what made us read it
		return failed(ctx, err)
	}
}

// forget lets the entries of the journal go from memory that belong to rows which had to go, so that a subscription may be open
// for days. What is recorded is in the file; what a row shows, the row holds.
func (m *Model) forget() {
	t := &m.book.Timeline
	if m.o.Session == nil || t.Dropped == m.subs.dropped {
		return
	}
	m.subs.dropped = t.Dropped
	for _, r := range t.Rows {
		if !r.Listens() {
			m.o.Log.Forget(r.Ref.Seq - 1)
			return
		}
	}
}
