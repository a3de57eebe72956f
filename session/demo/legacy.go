package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// session is what a legacy connection agreed on with initialize. The modern era has none.
type session struct {
	id     string // Mcp-Session-Id on HTTP
	rev    string
	caps   jsondoc.Value
	events *listener // list changes for everybody, updates for subscribed URIs
	ended  chan struct{}

	mu      sync.Mutex
	level   string
	asked   int
	visited bool                          // the client was sent to the visitors' desk
	count   int                           // requests served
	streams int                           // begun so far
	tracks  []*track                      // the last of them
	running map[string]context.CancelFunc // by raw id; over HTTP each comes on a channel of its own
	wait    map[string]chan jsondoc.Value // answers to our own requests, by raw id
}

func newSession() *session {
	s := &session{id: rand.Text(), events: newListener(), wait: map[string]chan jsondoc.Value{}, running: map[string]context.CancelFunc{}, ended: make(chan struct{})}
	for _, method := range []string{mcp.ToolsChanged, mcp.PromptsChanged, mcp.ResourcesChanged} {
		s.events.wants[method] = true
	}
	return s
}

// sessions are the legacy sessions over HTTP.
type sessions struct {
	mu    sync.Mutex
	byID  map[string]*session
	order []*session // by age, the oldest first
}

// add takes a session in. When there are more than most then, the oldest gives way: whoever still uses it hears 404 and
// begins anew. So clients that never say goodbye leave no more than that behind.
func (all *sessions) add(s *session, most int) (gone *session) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if len(all.order) >= most {
		gone = all.order[0]
		all.dropLocked(gone)
	}
	if all.byID == nil {
		all.byID = map[string]*session{}
	}
	all.byID[s.id] = s
	all.order = append(all.order, s)
	return gone
}

func (all *sessions) dropLocked(s *session) {
	delete(all.byID, s.id)
	all.order = slices.DeleteFunc(all.order, func(o *session) bool { return o == s })
	close(s.ended)
}

func (all *sessions) get(id string) *session {
	all.mu.Lock()
	defer all.mu.Unlock()
	return all.byID[id]
}

func (all *sessions) end(id string) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	s := all.byID[id]
	if s == nil {
		return false
	}
	all.dropLocked(s)
	return true
}

// endAll ends every session.
func (all *sessions) endAll() {
	all.mu.Lock()
	defer all.mu.Unlock()
	for len(all.order) > 0 {
		all.dropLocked(all.order[0])
	}
}

// used counts a request, and says whether these were enough for the session to be forgotten.
func (s *session) used(most int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++
	return s.count > most
}

// forget ends a session as a restart of the server would.
func (s *Server) forget(old *session) {
	if s.legacy.end(old.id) {
		s.hub.remove(old.events)
	}
}

// isLegacy decides by which rules a request is served: the modern way whenever it carries its version in
// _meta, the legacy way from initialize on.
func (p *peer) isLegacy(c *call) bool {
	switch p.s.opt.Era {
	case Modern:
		return false
	case Legacy:
		return true
	}
	if c.meta().Get(mcp.MetaProtocolVersion).Exists() {
		return false
	}
	if c.method == mcp.Initialize || p.legacySession() != nil {
		return true
	}
	return c.header != nil && (c.header.Get(mcp.HeaderSessionID) != "" ||
		slices.Contains(legacyRevisions(), c.header.Get(mcp.HeaderProtocolVersion)))
}

func (p *peer) legacySession() *session {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.session
}

// enterLegacy finds the session of a legacy request, or begins one.
func (p *peer) enterLegacy(c *call) *failure {
	if c.method == mcp.Initialize {
		c.legacy, c.rev = newSession(), mcp.LatestLegacy
		return nil
	}
	c.legacy = p.legacySession()
	if c.legacy == nil {
		c.legacy, c.rev = newSession(), mcp.LatestLegacy // nobody knows this one; it only marks the era
		status := http.StatusBadRequest
		if c.header != nil && c.header.Get(mcp.HeaderSessionID) != "" {
			status = http.StatusNotFound // ended, or never ours: the client begins anew
			if c.has("session-lost-400") {
				status = http.StatusBadRequest
			}
		}
		if c.header == nil && c.method == mcp.Ping {
			return nil
		}
		f := fail(mcp.CodeInvalidRequest, "Invalid request: there is no session; begin with initialize")
		if m, ok := mcp.Lookup(c.method); !ok || !m.In(mcp.LatestLegacy) {
			f = fail(mcp.CodeMethodNotFound, "Method not found: "+c.method)
		}
		f.status = status
		return f
	}
	if c.header != nil {
		if v := c.header.Get(mcp.HeaderProtocolVersion); v != "" && !slices.Contains(legacyRevisions(), v) && !c.has("version-header-unread") {
			return fail(mcp.CodeInvalidRequest, "Invalid request: unsupported MCP-Protocol-Version").badRequest()
		}
	}
	c.rev, c.caps = c.legacy.rev, c.legacy.caps
	c.legacy.mu.Lock()
	c.level = c.legacy.level
	c.legacy.mu.Unlock()
	if token := c.meta().Get(mcp.MetaProgressToken); token.Is(jsondoc.String) || token.IsInteger() {
		c.progress = raw(token.Raw())
	}
	return nil
}

// handleLegacy runs the methods that only legacy revisions have.
func (c *call) handleLegacy() (r *object, f *failure, ok bool) {
	s := c.legacy
	switch c.method {
	case mcp.Initialize:
		r, f = c.initialize()
		return r, f, true
	case mcp.Ping:
		return obj(), nil, true
	case mcp.SetLevel:
		level := c.params.Get("level").Text()
		if !slices.Contains(mcp.LogLevels(), level) {
			return nil, invalidParams("Invalid params: unknown log level"), true
		}
		s.mu.Lock()
		s.level = level
		s.mu.Unlock()
		return obj(), nil, true
	case mcp.ResourcesSubscribe, mcp.ResourcesUnsubscribe:
		uri := c.params.Get("uri")
		if !uri.Is(jsondoc.String) {
			return nil, invalidParams("Invalid params: " + c.method + " needs a uri"), true
		}
		s.events.mu.Lock()
		defer s.events.mu.Unlock()
		s.events.uris = slices.DeleteFunc(s.events.uris, func(u string) bool { return u == uri.Text() })
		if c.method == mcp.ResourcesSubscribe {
			s.events.uris = append(s.events.uris, uri.Text())
		}
		return obj(), nil, true
	}
	return c.handleLegacyTasks()
}

func (c *call) initialize() (*object, *failure) {
	asked := c.params.Get("protocolVersion")
	if !asked.Is(jsondoc.String) {
		return nil, invalidParams("Invalid params: initialize needs a protocolVersion")
	}
	s := c.legacy
	s.rev = mcp.LatestLegacy
	if slices.Contains(legacyRevisions(), asked.Text()) {
		s.rev = asked.Text()
	}
	if c.has("version-lower") && asked.Text() == mcp.LatestLegacy {
		s.rev = mcp.R20250618
	}
	s.caps = c.params.Get("capabilities")
	if c.has("session-id-blank") {
		s.id = "keeper " + s.id
	}
	if c.header != nil {
		if gone := c.s.legacy.add(s, c.s.most); gone != nil {
			c.s.hub.remove(gone.events)
		}
	}
	c.s.hub.add(s.events)
	c.peer.mu.Lock()
	c.peer.session = s
	c.peer.mu.Unlock()
	if c.header == nil {
		go c.peer.deliver(s)
	}
	capabilities := c.s.capabilities()
	if s.rev == mcp.R20251125 {
		capabilities.set("tasks", legacyTaskCapability())
	}
	info := c.s.info()
	if !mcp.AtLeast(s.rev, mcp.R20250326) {
		capabilities.drop("completions") // not a capability yet
	}
	if !mcp.AtLeast(s.rev, mcp.R20250618) {
		info.drop("title")
	}
	return obj(
		"protocolVersion", s.rev,
		"capabilities", capabilities,
		"serverInfo", info,
		"instructions", instructions,
	), nil
}

// deliver sends what happens to a legacy client on a channel that stays open.
func (p *peer) deliver(s *session) {
	defer p.s.hub.remove(s.events)
	tick := time.NewTicker(p.s.opt.Tick)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			s.events.push(event{method: mcp.ResourcesUpdated, uri: weatherURI}) // to whoever subscribed to it
		case <-p.closing:
			return
		case <-p.s.closed:
			return
		case <-s.ended:
			return
		case <-s.events.wake:
			for _, text := range s.events.messages() {
				p.send(text)
			}
		}
	}
}

// messages are the waiting events as legacy notifications: without a subscription id.
func (l *listener) messages() [][]byte {
	var all [][]byte
	for _, e := range l.take() {
		if e.text != "" {
			all = append(all, []byte(e.text))
			continue
		}
		m := obj("jsonrpc", "2.0", "method", e.method)
		if e.uri != "" {
			m.set("params", obj("uri", e.uri))
		}
		all = append(all, appendJSON(nil, m))
	}
	return all
}

// askLegacy sends a request to the client and waits for its result. Missing: the client cannot, or did
// not, answer.
func (c *call) askLegacy(method string, params *object) (jsondoc.Value, *failure) {
	s := c.legacy
	if method == mcp.ElicitationCreate && (!c.declares("elicitation") || !mcp.AtLeast(c.rev, mcp.R20250618)) {
		return jsondoc.Value{}, nil
	}
	if params != nil && !mcp.AtLeast(c.rev, mcp.R20251125) {
		params.drop("mode")
	}
	s.mu.Lock()
	s.asked++
	id := fmt.Sprintf(`"ask-%d"`, s.asked)
	answer := make(chan jsondoc.Value, 1)
	s.wait[id] = answer
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.wait, id)
		s.mu.Unlock()
	}()
	m := obj("jsonrpc", "2.0", "id", raw(id), "method", method)
	if params != nil {
		m.set("params", params)
	}
	c.send(appendJSON(nil, m))
	if c.has("broadcast") && c.header != nil {
		s.events.say(appendJSON(nil, m))
	}
	select {
	case v := <-answer:
		return v, nil
	case <-c.ctx.Done():
	case <-s.ended:
	}
	return jsondoc.Value{}, nil
}

// answered takes a client's response to a request of ours.
func (p *peer) answered(m message) {
	s := p.legacySession()
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer := s.wait[string(m.id)]; answer != nil {
		delete(s.wait, string(m.id))
		answer <- m.root.Get("result")
	}
}
