package fresh

import (
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// keep is how many exchanges a Ledger remembers one by one, and how many resources it remembers as
// updated one by one; the oldest go first.
const keep = 1 << 16

// Ledger knows what is known about every kept result of one server and one caller. Feed it every
// exchange with Add and every notification with Invalidate, in the order of the log. It is not safe for
// use by several goroutines.
type Ledger struct {
	newest map[Key]*entry      // the last result of each key
	byRef  map[wire.Ref]*entry // every exchange, for rows of a table
	order  []wire.Ref          // oldest first
	live   map[string][]*entry // by method: results that a notification can still end
	chains map[Key]*chain

	changed map[string]mark // by notification: the last one
	updated map[string]mark // by URI: the last notifications/resources/updated
	floor   mark            // stands for updates that were forgotten: it concerns every resource

	border  wire.Seq // the last boundary; 0 for none
	because string   // what it was
}

type entry struct {
	hint    Hint
	by      wire.Seq
	ended   bool
	because string
}

// mark is a notification.
type mark struct {
	seq wire.Seq
	at  time.Time
}

// NewLedger is an empty ledger.
func NewLedger() *Ledger {
	return &Ledger{
		newest: map[Key]*entry{}, byRef: map[wire.Ref]*entry{}, live: map[string][]*entry{}, chains: map[Key]*chain{},
		changed: map[string]mark{}, updated: map[string]mark{},
	}
}

// Add takes an exchange. One that has not ended yet, a lone frame, and one that comes again with late
// frames change nothing. A failed request leaves the earlier result as it was, so that it may be served
// and labelled stale; but a rejected cursor that a page had handed out ends all pages of its list.
func (l *Ledger) Add(x *wire.Exchange) { l.AddAs(x, Modern(x)) }

// AddAs is Add for who knows by which era the exchange is judged.
func (l *Ledger) AddAs(x *wire.Exchange, modern bool) {
	ref := x.Ref()
	if x.Request == nil || x.End == wire.Open || x.End == wire.Alone {
		return
	}
	if _, known := l.byRef[ref]; known {
		return
	}
	h := HintOf(x, modern)
	if h == (Hint{}) {
		return
	}
	e := &entry{hint: h}
	l.remember(ref, e)
	if h.page.list && !h.page.first && x.Reply != nil && x.Reply.Kind == wire.Error {
		if c := l.chains[chainKey(h.Key)]; c != nil && c.handedOut(h.page.cursor) {
			c.drop(x.Reply.Seq)
		}
	}
	if !h.Cacheable {
		return
	}
	if h.Ref.Seq < l.border {
		e.end(l.border, l.because)
	} else if m, ok := l.since(h); ok { // it came while the answer was on its way, and may be younger than it
		e.end(m.seq, "")
	} else {
		l.live[h.Key.Method] = append(l.live[h.Key.Method], e)
	}
	l.newest[h.Key] = e
	if h.page.list && !h.page.aside {
		k := chainKey(h.Key)
		if l.chains[k] == nil {
			l.chains[k] = &chain{}
		}
		l.chains[k].put(e)
	}
}

func (l *Ledger) remember(ref wire.Ref, e *entry) {
	l.byRef[ref] = e
	l.order = append(l.order, ref)
	if len(l.order) <= keep {
		return
	}
	for _, old := range l.order[:keep/4] { // in bulk: a slice that only ever moves on would never be freed
		l.forget(l.byRef[old])
		delete(l.byRef, old)
	}
	l.order = append([]wire.Ref(nil), l.order[keep/4:]...)
	for method, list := range l.live {
		young := list[:0]
		for _, e := range list {
			if l.byRef[e.hint.Ref] == e {
				young = append(young, e)
			}
		}
		clear(list[len(young):])
		l.live[method] = young
	}
}

// forget takes an old exchange out of the tables in which nothing younger has replaced it.
func (l *Ledger) forget(e *entry) {
	if l.newest[e.hint.Key] == e {
		delete(l.newest, e.hint.Key)
	}
	if c := l.chains[chainKey(e.hint.Key)]; c != nil && e.hint.page.list {
		if c.first == e {
			delete(l.chains, chainKey(e.hint.Key))
		} else if c.pages[e.hint.page.cursor] == e {
			delete(c.pages, e.hint.page.cursor)
		}
	}
}

// end marks a result as invalidated; the first message that did so is the one that is named.
func (e *entry) end(by wire.Seq, because string) {
	if !e.ended {
		e.ended, e.by, e.because = true, by, because
	}
}

// at is the state with invalidation.
func (e *entry) at(now time.Time) State {
	st := e.hint.At(now)
	switch {
	case !e.ended, st.Name == NotCacheable, st.Name == "":
	case st.Name == NoHint && e.because == "":
		st.By = e.by // no hint stays the state, but the notification is all that one has to go by
	default:
		return State{Name: Invalidated, By: e.by, Because: e.because, Age: Elapsed(e.hint.Received, now)}
	}
	return st
}

// Invalidate takes a notification of the server and ends what it makes out of date: list_changed the
// lists of its kind (for every caller and every page), resources/updated the resource, those below it
// and those above it. Other messages change nothing.
func (l *Ledger) Invalidate(n *wire.Message) {
	if n == nil || n.Dir != wire.Received || n.Kind != wire.Notification {
		return
	}
	m := mark{n.Seq, n.At}
	switch n.Method {
	case mcp.ToolsChanged, mcp.PromptsChanged, mcp.ResourcesChanged:
		l.changed[n.Method] = m
		for method, list := range l.live {
			if changedBy(method) != n.Method {
				continue
			}
			for _, e := range list {
				e.end(m.seq, "")
			}
			delete(l.live, method)
		}
	case mcp.ResourcesUpdated:
		uri := n.Params().Get("uri")
		if !uri.Is(jsondoc.String) {
			return
		}
		if len(l.updated) >= keep {
			clear(l.updated)
			l.floor = m
		}
		l.updated[uri.Text()] = m
		list, changed := l.live[mcp.ResourcesRead], uri.Text()
		kept := list[:0]
		for _, e := range list {
			if Concerns(changed, e.hint.uri) {
				e.end(m.seq, "")
			} else {
				kept = append(kept, e)
			}
		}
		clear(list[len(kept):])
		l.live[mcp.ResourcesRead] = kept
	}
}

// Observe takes an entry that is no frame. A boundary (wire.State) ends everything that is known, and also what was asked for before
// it and is added only later.
func (l *Ledger) Observe(e *wire.Entry) {
	if e.State == nil || !e.State.Boundary() {
		return
	}
	l.border, l.because = e.Seq, BecauseRestart
	if e.State.Session > 0 {
		l.because = BecauseSession
	}
	for method, list := range l.live {
		for _, e := range list {
			e.end(l.border, l.because)
		}
		delete(l.live, method)
	}
}

func changedBy(method string) string {
	m, _ := mcp.Lookup(method)
	return m.Changed
}

// since is a notification that concerns a result and is younger than its request.
func (l *Ledger) since(h Hint) (mark, bool) {
	younger := func(m mark) bool {
		if m.seq != 0 && h.Ref.Seq != 0 {
			return m.seq > h.Ref.Seq
		}
		return !m.at.IsZero() && !m.at.Before(h.Sent)
	}
	if h.Key.Method != mcp.ResourcesRead {
		m, ok := l.changed[changedBy(h.Key.Method)]
		return m, ok && younger(m)
	}
	if younger(l.floor) {
		return l.floor, true
	}
	var first mark
	for changed, m := range l.updated {
		if younger(m) && Concerns(changed, h.uri) && (first == mark{} || m.seq < first.seq) {
			first = m
		}
	}
	return first, first != mark{}
}

// Concerns says whether an update of one resource concerns another: the same, one below it or one above
// it. Below means further along the path: file:///a concerns file:///a/b and not file:///ab.
func Concerns(updated, read string) bool {
	return updated == read || below(updated, read) || below(read, updated)
}

func below(parent, child string) bool {
	if parent == "" || len(child) <= len(parent) || !strings.HasPrefix(child, parent) {
		return false
	}
	return strings.HasSuffix(parent, "/") || strings.IndexByte("/?#", child[len(parent)]) >= 0
}

// HintOf is the hint of the newest result with a key; false when there is none.
func (l *Ledger) HintOf(k Key) (Hint, bool) {
	e := l.newest[k]
	if e == nil {
		return Hint{}, false
	}
	return e.hint, true
}

// State is that of the newest result with a key; the zero State when there is none.
func (l *Ledger) State(k Key, now time.Time) State {
	if e := l.newest[k]; e != nil {
		return e.at(now)
	}
	return State{}
}

// StateOf is that of one exchange's result, by the number of its request. A result that a newer one has
// replaced keeps its own clock.
func (l *Ledger) StateOf(seq wire.Seq, now time.Time) State {
	return l.StateOfRef(wire.Ref{Seq: seq}, now)
}

// StateOfRef is StateOf for elements of a batch too.
func (l *Ledger) StateOfRef(ref wire.Ref, now time.Time) State {
	if e := l.byRef[ref]; e != nil {
		return e.at(now)
	}
	return State{}
}

// ListState is that of a whole list, over all its pages: fresh only while every page is, with the least
// time left. Of several walks (another version, other capabilities) the one counts that began last. The
// zero State when the list was never asked for.
func (l *Ledger) ListState(method string, now time.Time) State {
	var newest *chain
	for k, c := range l.chains {
		if k.Method == method && c.first != nil && (newest == nil || c.at > newest.at) {
			newest = c
		}
	}
	if newest == nil {
		return State{}
	}
	return newest.state(now)
}
