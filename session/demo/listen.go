package demo

import (
	"slices"
	"sync"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// hub hands changes to everybody who listens.
type hub struct {
	mu   sync.Mutex
	subs []*listener
}

// listener is one open subscription: what it wants, and what has not been sent yet.
type listener struct {
	wants map[string]bool // list_changed notifications by method
	uris  []string

	listens bool // it is a subscriptions/listen

	mu    sync.Mutex
	queue []event
	wake  chan struct{}
	over  chan struct{} // closed when the server ends the subscription by itself
	ended sync.Once
}

type event struct {
	method, uri string
	text        string // a whole message instead
}

func newListener() *listener {
	return &listener{wants: map[string]bool{}, wake: make(chan struct{}, 1), over: make(chan struct{})}
}

func (h *hub) add(l *listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.subs = append(h.subs, l)
}

func (h *hub) remove(l *listener) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.subs = slices.DeleteFunc(h.subs, func(o *listener) bool { return o == l })
}

// dismiss ends every subscription with its result, and tells how many there were. Clients of earlier revisions have none.
func (h *hub) dismiss() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, l := range h.subs {
		if l.listens {
			n++
			l.ended.Do(func() { close(l.over) })
		}
	}
	return n
}

func (h *hub) publish(method, uri string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, l := range h.subs {
		l.push(event{method: method, uri: uri})
	}
}

// push queues an event that the listener wants. One that already waits is not queued again: it says that
// something changed, not how often.
func (l *listener) push(e event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.uri == "" && !l.wants[e.method] || e.uri != "" && !slices.Contains(l.uris, e.uri) || slices.Contains(l.queue, e) {
		return
	}
	l.queue = append(l.queue, e)
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *listener) take() []event {
	l.mu.Lock()
	defer l.mu.Unlock()
	q := l.queue
	l.queue = nil
	return q
}

// listen answers subscriptions/listen (basic/patterns/subscriptions): the acknowledgment first, then what
// was asked for, each marked with the id of the request, until the client goes away (no answer) or the
// server closes (a result).
func (c *call) listen() (*object, *failure) {
	filter := c.params.Get("notifications")
	if !filter.Is(jsondoc.Object) {
		return nil, invalidParams("Invalid params: subscriptions/listen needs notifications")
	}
	l, accepted := newListener(), obj()
	for _, kind := range []struct{ name, method string }{
		{"promptsListChanged", mcp.PromptsChanged},
		{"resourcesListChanged", mcp.ResourcesChanged},
		{"toolsListChanged", mcp.ToolsChanged},
	} {
		if yes, _ := filter.Get(kind.name).Bool(); yes {
			l.wants[kind.method] = true
			accepted.set(kind.name, true)
		}
	}
	if uris := filter.Get("resourceSubscriptions"); uris.Is(jsondoc.Array) {
		for u := range uris.Children() {
			if u.Is(jsondoc.String) {
				l.uris = append(l.uris, u.Text())
			}
		}
		accepted.set("resourceSubscriptions", append([]string{}, l.uris...))
	}
	var watch []*watched
	if ids := filter.Get("taskIds"); ids.Exists() {
		if f := c.needsTasks(); f != nil {
			return nil, f
		}
		watch = c.watchTasks(ids)
		accepted.set("taskIds", idsOf(watch))
	}
	l.listens = true
	c.s.hub.add(l)
	defer c.s.hub.remove(l)

	mark := func(params *object) *object { return params.set("_meta", obj(mcp.MetaSubscriptionID, c.id)) }
	acknowledge := func() { c.tell(mcp.Acknowledged, mark(obj("notifications", accepted))) }
	switch {
	case c.has("ack-missing"):
	case c.has("ack-late"):
		for method := range l.wants {
			c.tell(method, mark(obj()))
			break
		}
		acknowledge()
	default:
		acknowledge()
	}
	if c.has("event-unasked") {
		for _, method := range []string{mcp.PromptsChanged, mcp.ResourcesChanged, mcp.ToolsChanged} {
			if !l.wants[method] {
				c.tell(method, mark(obj()))
				break
			}
		}
	}
	if c.has("task-news-unasked") {
		c.tell(mcp.TasksNotification, mark(obj("taskId", "3d7b1c5e-8f2a-4e0d-b6c9-5a1f0e7d2c48", "status", "working", "createdAt", "2026-07-28T12:00:00Z", "lastUpdatedAt", "2026-07-28T12:00:00Z", "ttlMs", nil)))
	}
	if c.has("listen-ends") && c.header != nil {
		c.silent = true
		return nil, nil
	}
	tick := time.NewTicker(c.s.opt.Tick)
	defer tick.Stop()
	look := make(<-chan time.Time)
	if len(watch) > 0 {
		t := time.NewTicker(taskLook)
		defer t.Stop()
		look = t.C
	}
	watched := slices.Contains(l.uris, weatherURI)
	for {
		select {
		case <-c.ctx.Done():
			return nil, nil
		case <-c.s.closed:
			return c.closing(), nil
		case <-c.peer.closing:
			return c.closing(), nil
		case <-l.over:
			return c.closing(), nil
		case <-tick.C:
			if watched {
				l.push(event{method: mcp.ResourcesUpdated, uri: weatherURI})
			}
		case <-look:
			for _, w := range watch {
				if state := w.news(c); state != nil {
					c.tell(mcp.TasksNotification, mark(state))
				}
			}
		case <-l.wake:
			if c.ctx.Err() != nil {
				return nil, nil // nothing follows a cancellation, even what was already waiting
			}
			for _, e := range l.take() {
				params := obj()
				if e.uri != "" {
					params.set("uri", e.uri)
				}
				c.tell(e.method, mark(params))
			}
		}
	}
}

func (c *call) closing() *object {
	return obj("_meta", obj(mcp.MetaSubscriptionID, c.id))
}

// tell sends a notification of a subscription.
func (c *call) tell(method string, params *object) {
	for _, f := range c.faults() {
		if f.event != nil {
			f.event(c, method, params)
		}
	}
	c.notify(method, params)
}
