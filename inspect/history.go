package inspect

import (
	"slices"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Era names. The zero value "" means that nothing is known yet.
const (
	EraModern = "modern" // 2026-07-28 and later: no session, everything in each request
	EraLegacy = "legacy" // initialize, sessions
)

// History is what has been learned of one server, in the order in which it was seen. At any moment it includes the
// frame that is being judged.
type History struct {
	era, version string
	assumed      bool // the era was given, not learned
	fixed        bool // the version was given too

	declared           jsondoc.Value // capabilities of the server
	discover           jsondoc.Value // result of server/discover
	initialize         jsondoc.Value // result of initialize
	clientCapabilities jsondoc.Value // of our initialize request

	walks   map[string][]*Walk // by list method, oldest first, at most keepWalks
	pages   map[wire.Seq]*Walk // by the Seq of the page's request
	docs    map[*byte]wire.Seq // by the memory of their text
	kept    map[wire.Seq]*wire.Message
	past    map[wire.Seq]*Past
	order   []*Past          // of past, oldest first
	ids     map[string]*Past // latest request with this raw id token
	tokens  map[string]*Past // latest request with this raw progress token
	open    map[wire.Seq]*Past
	listens []*Listen
	tasks   taskBook
	bares   []bare
	reached []reach
	asked   map[wire.Seq]*Asked
	changes map[string][]Change // by list method
	runs    runs                // calls that run as tasks

	named   string // the revision that our newest request named, if it is one
	auth    authStory
	session wire.Seq        // our newest initialize that opened a session
	gets    map[uint32]bool // lanes that were opened by a GET; true: to resume a stream (Last-Event-ID)

	sse     bool // over the HTTP+SSE transport of 2024-11-05: answers come on another stream than their requests
	stderr  int
	exit    *wire.Exit
	exitAt  wire.Seq
	lanes   map[uint32]wire.LaneKind // how each lane ended
	last    time.Time
	lastSeq wire.Seq
}

func newHistory() History {
	return History{
		walks:   map[string][]*Walk{},
		pages:   map[wire.Seq]*Walk{},
		docs:    map[*byte]wire.Seq{},
		kept:    map[wire.Seq]*wire.Message{},
		past:    map[wire.Seq]*Past{},
		ids:     map[string]*Past{},
		tokens:  map[string]*Past{},
		open:    map[wire.Seq]*Past{},
		changes: map[string][]Change{},
		lanes:   map[uint32]wire.LaneKind{},
		gets:    map[uint32]bool{},
	}
}

// Era is EraModern, EraLegacy, or "" while nothing is known.
func (h *History) Era() string { return h.era }

// Version is the revision last seen in use with this server, "" while nothing is known.
func (h *History) Version() string { return h.version }

// Discover is the latest result of server/discover, Missing before it.
func (h *History) Discover() jsondoc.Value { return h.discover }

// Initialize is the latest result of initialize, Missing before it.
func (h *History) Initialize() jsondoc.Value { return h.initialize }

// Capabilities is what the server declared, by discover or initialize; Missing before that.
func (h *History) Capabilities() jsondoc.Value { return h.declared }

// Declared tells whether the server declared a capability, like Declared("tools") or Declared("tools", "listChanged").
// known is false while nothing has been declared at all. A flag that is false counts as not declared.
func (h *History) Declared(path ...string) (declared, known bool) {
	v := h.declared
	for _, name := range path {
		v = v.Get(name)
	}
	b, isBool := v.Bool()
	return v.Exists() && !v.Is(jsondoc.Null) && (!isBool || b), h.declared.Exists()
}

// Request is our latest request with this raw id token, nil when there was none.
func (h *History) Request(id string) *Past { return h.ids[id] }

// Token is our latest request that supplied this raw progress token, nil when there was none.
func (h *History) Token(token string) *Past { return h.tokens[token] }

// Past is our request with this number, nil when there was none.
func (h *History) Past(seq wire.Seq) *Past { return h.past[seq] }

// keepListens is how many subscriptions are remembered at least.
const keepListens = 500

// Listens are the subscriptions asked for so far, oldest first: the open ones, and of the others at least the last 500.
func (h *History) Listens() []*Listen { return h.listens }

// Changes are the list_changed notifications for a list method ("tools/list") so far, oldest first, at most the last 64.
func (h *History) Changes(method string) []Change { return h.changes[method] }

// Exit is the end of the child process, nil while it runs or where there is none.
func (h *History) Exit() *wire.Exit { return h.exit }

// LaneEnd is how an HTTP lane (or 0, the child's stdout) ended: LaneEOF, LaneCut, LaneFailed, LaneClosed or LaneExit; 0
// while it is open.
func (h *History) LaneEnd(lane uint32) wire.LaneKind { return h.lanes[lane] }

// Stderr is the number of stderr lines of the child so far.
func (h *History) Stderr() int { return h.stderr }

// observe learns from an entry that is no frame.
func (h *History) observe(e *wire.Entry) {
	h.tick(e.Seq, e.At)
	if e.State != nil && e.State.Kind != "" {
		h.sse = e.State.Kind == "sse"
	}
	switch {
	case e.Lane != nil:
		h.learnLane(e)
		switch e.Lane.Kind {
		case wire.LaneOpen:
			if r := e.Lane.HTTP; r != nil && r.Method == "GET" && len(h.gets) < keepPast {
				h.gets[e.Lane.ID] = r.Get(mcp.HeaderLastEventID) != ""
			}
		case wire.LaneExit:
			h.exit, h.exitAt = e.Lane.Exit, e.Seq
			h.lanes[e.Lane.ID] = e.Lane.Kind
		case wire.LaneEOF, wire.LaneCut, wire.LaneFailed, wire.LaneClosed:
			h.lanes[e.Lane.ID] = e.Lane.Kind
		}
	case e.Note != nil && e.Note.From == "stderr":
		h.stderr++
	case e.Note != nil:
		h.learnReach(e)
	case e.State != nil && e.State.Era != "" && h.era == "":
		// Evidence in the frames comes first; what the connection says of itself only fills a gap.
		h.era = e.State.Era
		if h.version == "" && mcp.Known(e.State.Version) {
			h.version = e.State.Version
		}
	}
}

func (h *History) tick(seq wire.Seq, at time.Time) {
	if seq > h.lastSeq {
		h.lastSeq, h.last = seq, at
	}
}

// sent learns from a request of ours, the first time it is seen.
func (h *History) sent(x *wire.Exchange) {
	m := x.Request
	h.tick(m.Seq, m.At)
	params := m.Params()
	meta := params.Get("_meta")
	p := &Past{
		Seq: m.Seq, At: m.At, ID: m.ID, Method: m.Method, Name: nameIn(m.Method, params), Why: m.Why,
		LogLevel: meta.Get(mcp.MetaLogLevel).Text(),
		HTTP:     m.HTTP != nil || m.Lane != 0, Lane: m.Lane,
	}
	if token := meta.Get("progressToken"); token.Exists() {
		p.Token = string(token.Raw())
		h.tokens[p.Token] = p
	}
	h.past[m.Seq], h.open[m.Seq] = p, p
	h.order = append(h.order, p)
	if len(h.order) > 2*keepPast {
		h.forgetPast()
	}
	if m.ID != "" {
		h.ids[m.ID] = p
	}
	h.asks(x)
	switch m.Method {
	case "subscriptions/listen":
		l := &Listen{Seq: m.Seq, ID: m.ID, Wanted: params.Get("notifications")}
		h.listens = append(h.listens, l)
		if len(h.listens) > 2*keepListens { // a client that comes back for days
			old := slices.DeleteFunc(slices.Clone(h.listens[:keepListens]), func(l *Listen) bool { return !l.Ended.IsZero() })
			h.listens = append(old, h.listens[keepListens:]...)
		}
	case "initialize":
		if !h.opensAgain(x) {
			h.clientCapabilities, h.session = params.Get("capabilities"), m.Seq
			h.keep(m)
		}
	case mcp.TasksUpdate, mcp.TasksCancel:
		h.sentTask(m)
	}
}

// heard learns from a notification of the server.
func (h *History) heard(x *wire.Exchange, m *wire.Message) {
	h.tick(m.Seq, m.At)
	if m.HTTP != nil && m.Dir == wire.Received {
		h.bareStatus(m.Lane, m.Seq, m.HTTP.Status)
	}
	if m.Kind != wire.Notification {
		return
	}
	change := func(list string) {
		all := append(h.changes[list], Change{m.Seq, m.At})
		h.changes[list] = all[max(0, len(all)-64):]
	}
	switch m.Method {
	case "notifications/tools/list_changed":
		change("tools/list")
	case "notifications/prompts/list_changed":
		change("prompts/list")
	case "notifications/resources/list_changed":
		change("resources/list")
		change("resources/templates/list")
	case mcp.TasksNotification, mcp.TaskStatus:
		h.learnTask(x, m)
	case "notifications/subscriptions/acknowledged":
		h.settle(EraModern, "")
		id := m.Params().Get("_meta").Get(mcp.MetaSubscriptionID)
		for i := len(h.listens) - 1; i >= 0; i-- {
			l := h.listens[i]
			if l.Acked.IsZero() && (l.Seq == x.Seq() || l.Seq == x.Of || id.Exists() && string(id.Raw()) == l.ID) {
				l.Acked, l.Granted = m.At, m.Params().Get("notifications")
				break
			}
		}
	}
}

// nameIn is the tool, prompt or resource that a request names.
func nameIn(method string, params jsondoc.Value) string {
	switch method {
	case mcp.ToolsCall, mcp.PromptsGet:
		return params.Get("name").Text()
	case mcp.ResourcesRead:
		return params.Get("uri").Text()
	}
	return ""
}

// settle records what era the server has shown itself to be of, and by which revision; what we were told stands.
func (h *History) settle(era, version string) {
	if h.assumed && era != h.era {
		return
	}
	h.era = era
	if !h.fixed && mcp.Known(version) && mcp.Modern(version) == (era == EraModern) {
		h.version = version
	}
}

// ended learns from an exchange that has ended. The reply, when there is one, is judged after this.
func (h *History) ended(x *wire.Exchange) {
	if p := h.past[x.Seq()]; p != nil {
		p.Ended, p.End = x.Ended, x.End
		if p.Ended.IsZero() {
			p.Ended = h.last
		}
		if x.Reply != nil {
			p.Reply, p.Failed = x.Reply.Seq, x.Reply.Kind == wire.Error
			if p.Method == mcp.ToolsCall {
				p.Task = taskOfReply(x.Reply)
			}
		}
		delete(h.open, p.Seq)
	}
	if x.Method() == "subscriptions/listen" {
		for _, l := range h.listens {
			if p := h.past[x.Seq()]; l.Seq == x.Seq() && p != nil {
				l.Ended = p.Ended
			}
		}
	}
	h.auth.refused(x)
	if x.Reply == nil {
		return
	}
	h.tick(x.Reply.Seq, x.Reply.At)
	asked := requestedVersion(x)
	result := x.Reply.Result()
	switch {
	case h.opensAgain(x): // how a probe is answered says nothing of the session
	case x.Method() == "initialize" && result.Get("protocolVersion").Is(jsondoc.String):
		h.settle(EraLegacy, result.Get("protocolVersion").Text())
		h.initialize, h.declared = result, result.Get("capabilities")
		h.keep(x.Reply)
	case modernEvidence(x):
		h.settle(EraModern, asked)
		if x.Method() == "server/discover" && result.Is(jsondoc.Object) {
			h.discover, h.declared = result, result.Get("capabilities")
			h.keep(x.Reply)
			if h.version == "" {
				h.settle(EraModern, newestModern(result.Get("supportedVersions")))
			}
		}
		if h.version == "" {
			h.settle(EraModern, mcp.Latest)
		}
	}
	h.page(x)
	h.runs.begun(x)
	h.learnTask(x, x.Reply)
	h.learnAsked(x)
}

// opensAgain tells that a request is an initialize which a probe sent while there was a session.
func (h *History) opensAgain(x *wire.Exchange) bool {
	return x.Method() == "initialize" && x.Request.Aside() && h.initialize.Exists()
}

func (h *History) keep(m *wire.Message) {
	h.docs[textOf(m.Body)] = m.Seq
	h.kept[m.Seq] = m
}

func (h *History) forget(seq wire.Seq) {
	if m := h.kept[seq]; m != nil {
		delete(h.docs, textOf(m.Body))
		delete(h.kept, seq)
	}
}

func (h *History) message(seq wire.Seq) *wire.Message { return h.kept[seq] }

// requestedVersion is the revision that a request names in its _meta, "" when it names none.
func requestedVersion(x *wire.Exchange) string {
	if x.Request == nil {
		return ""
	}
	return x.Request.Params().Get("_meta").Get(mcp.MetaProtocolVersion).Text()
}

// modernEvidence tells whether a reply can only have come from a modern server: a resultType, a list of supported
// versions, or one of the error codes that the modern revision introduced, with its data.
func modernEvidence(x *wire.Exchange) bool {
	if x.Reply.Kind == wire.Result {
		r := x.Reply.Result()
		return r.Get("resultType").Exists() || r.Get("supportedVersions").Exists() ||
			x.Method() == "server/discover" && r.Get("capabilities").Exists() && r.Get("ttlMs").Exists()
	}
	e := x.Reply.Err()
	code, _ := e.Get("code").Int()
	switch code {
	case mcp.CodeUnsupportedVersion:
		return e.Get("data").Get("supported").Exists()
	case mcp.CodeMissingClientCapability:
		return e.Get("data").Get("requiredCapabilities").Exists()
	case mcp.CodeHeaderMismatch:
		return true
	}
	return false
}

func newestModern(versions jsondoc.Value) string {
	newest := ""
	for _, v := range versions.Elements() {
		if s := v.Text(); mcp.Known(s) && mcp.Modern(s) && s > newest {
			newest = s
		}
	}
	return newest
}

// judgedBy is the revision by which an exchange is judged: the one its request names when the server is a modern one and
// the revision exists; the negotiated one on a legacy server; "" when nothing is known.
func (h *History) judgedBy(x *wire.Exchange) string {
	switch h.era {
	case EraModern:
		if v := requestedVersion(x); mcp.Known(v) && mcp.Modern(v) {
			return v
		}
		if h.version == "" {
			return mcp.Latest
		}
		return h.version
	case EraLegacy:
		if x.Request != nil && requestedVersion(x) != "" && !h.assumed {
			return "" // a frame of era detection: the server could not know what we asked
		}
		return h.version
	}
	return ""
}
