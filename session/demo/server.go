// Package demo is the built-in MCP server: a weather station in a lighthouse, small and believable, that
// follows 2026-07-28 (and, when asked, the legacy revisions) faithfully over real stdio and real HTTP, and
// misbehaves on request in many named ways. Every fault names the rule of the catalogue that must catch it.
//
// The default server follows SEP-2145: an unknown tool is a tool result with isError. Options.Published
// makes it answer by the published text alone: JSON-RPC error -32602; so does whoever speaks a legacy revision, which
// SEP-2145 does not touch. Nothing else differs between the two.
//
// It must never know how messages are judged: it shares no judging code with the rest, so that each can
// be wrong without the other. It knows the vocabulary (mcp) and how to read JSON (jsondoc).
package demo

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"mcploupe/session/mcp"
)

// Era says which kind of protocol the server speaks.
type Era uint8

// Eras. Both serves whoever comes: requests that carry their version in _meta the modern way, and whoever
// begins with initialize the legacy way.
const (
	Modern Era = iota
	Legacy
	Both
)

// String is the era's name as the --era flag spells it.
func (e Era) String() string {
	switch e {
	case Legacy:
		return "legacy"
	case Both:
		return "both"
	}
	return "modern"
}

// Options of a server. The zero value is the default server: modern, faithful, by SEP-2145.
type Options struct {
	Era       Era
	Published bool     // unknown tools by the published text alone: error -32602
	Faults    []string // names of Faults (or ids of their rules) that are on from the start
	// FaultsFile is a file with names of Faults, one a line, that are on beside Faults; it is read again before every message,
	// so that faults are switched while the server runs. "": none.
	FaultsFile string
	PageSize   int // entries a page of a list; 0: 6

	Now func() time.Time // the station's clock; nil: time.Now
	// Poll ends the event stream of a legacy request over HTTP after this time and lets the client ask for the rest by GET
	// (2025-11-25 lets servers do that, so that connections need not stay open); 0: never.
	Poll time.Duration
	// Forget is how many requests a legacy session over HTTP lasts until the server has forgotten it, as after a restart;
	// 0: for ever.
	Forget int
	// Login makes the station want a login over HTTP (Serve): it brings its own authorization server, whose page lets anybody in.
	Login bool
	// Hosts are names that requests over HTTP may ask for besides those of this machine: of a proxy or tunnel before it, say.
	Hosts []string

	Tick time.Duration // how often a watched weather resource says that it changed; 0: 5 s
}

// Check tells whether every name in Faults is a fault.
func (o Options) Check() error {
	for _, name := range o.Faults {
		if _, ok := Lookup(name); !ok {
			return fmt.Errorf("choosing faults: there is no fault named %q", name)
		}
	}
	return nil
}

// Name and Version of the server, as it introduces itself.
const (
	Name    = "skerry-light"
	Version = "1.0.0"
)

// Server answers requests. It is safe for concurrent use; requests share nothing but the station's log
// book and the switched faults.
type Server struct {
	opt     Options
	mount   string // where a room has put it, "/anna"; "" alone
	most    int    // sessions, streams and tasks, each
	cat     *catalogue
	station *station
	hub     hub
	rig     rig
	jobs    jobs
	legacy  sessions
	old     oldChannels
	secret  [32]byte // signs requestState

	table []fault
	on    atomic.Pointer[faultSet]
	onMu  sync.Mutex // one change of faults at a time
	file  *switches  // faults that a file switches; nil: none does

	renames atomic.Int32 // how often the tools were listed from the start under the fault header-renamed

	walkMu sync.Mutex
	walks  map[string]int // how often a list was begun under the fault order-unstable

	closed chan struct{}
	once   sync.Once
}

// New is a server with these options. Unknown names in Options.Faults are left out: ask Options.Check
// first where they come from a person.
func New(opt Options) *Server { return newServer(opt, readCatalogue(), faultTable()) }

// manyOf bounds what clients that never say goodbye leave behind.
const manyOf = 1000

// newServer is New with what servers may share, because nobody changes it.
func newServer(opt Options, cat *catalogue, table []fault) *Server {
	if opt.PageSize <= 0 {
		opt.PageSize = 6
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Tick <= 0 {
		opt.Tick = step
	}
	s := &Server{opt: opt, most: manyOf, cat: cat, station: newStation(opt.Now), table: table, walks: map[string]int{}, closed: make(chan struct{})}
	rand.Read(s.secret[:])
	s.on.Store(&faultSet{})
	if opt.FaultsFile != "" {
		s.file = &switches{path: opt.FaultsFile}
	}
	for _, name := range opt.Faults {
		_ = s.SetFault(name, true)
	}
	return s
}

// SetFault switches one way of misbehaving on or off, named as Lookup wants it. Requests that are being
// answered keep what they began with.
func (s *Server) SetFault(name string, on bool) error {
	f, ok := Lookup(name)
	if !ok {
		return fmt.Errorf("switching a fault: there is no fault named %q", name)
	}
	s.onMu.Lock()
	defer s.onMu.Unlock()
	next := maps.Clone(*s.on.Load())
	if on {
		next[f.Name] = true
	} else {
		delete(next, f.Name)
	}
	s.on.Store(&next)
	return nil
}

// ActiveFaults are the names of the faults that are on by Options.Faults and SetFault, in the order of Faults; what a file
// switches is not among them, for it may be meant to be found.
func (s *Server) ActiveFaults() []string {
	on := *s.on.Load()
	var names []string
	for _, f := range Faults() {
		if on[f.Name] {
			names = append(names, f.Name)
		}
	}
	return names
}

// Close ends the server's streams: every open subscription gets its result.
func (s *Server) Close() { s.once.Do(func() { close(s.closed) }) }

// abandon closes a server that nobody is going to ask any more: sessions end too, and with them what they left running.
func (s *Server) abandon() {
	s.Close()
	s.legacy.endAll()
}

// Handle answers one message as the stdio transport would, without a transport: every message that the
// server sends because of it is handed to send in order, the response last; none follows after Handle has
// returned. Notifications and cancelled requests are not answered. Cancelling ctx cancels the request.
func (s *Server) Handle(ctx context.Context, text []byte, send func(text []byte)) {
	p := newPeer(s, send)
	c, reply, _ := p.receive(ctx, text, nil, send)
	if c != nil {
		reply, _ = p.run(c)
	}
	if reply == nil {
		return
	}
	send(reply)
	if c != nil {
		for _, text := range c.afterwards(reply) {
			send(text)
		}
	}
}

// Announce tells everybody who listens that a list may have changed ("tools", "prompts", "resources"), or
// that a resource was updated (its URI).
func (s *Server) Announce(what string) {
	switch what {
	case "tools":
		s.hub.publish(mcp.ToolsChanged, "")
	case "prompts":
		s.hub.publish(mcp.PromptsChanged, "")
	case "resources":
		s.hub.publish(mcp.ResourcesChanged, "")
	default:
		s.hub.publish(mcp.ResourcesUpdated, what)
	}
}

// supported are the revisions that requests may name in _meta.
func (s *Server) supported() []string { return []string{mcp.R20260728} }

// legacyRevisions are the revisions that initialize may agree on, newest first.
func legacyRevisions() []string {
	return []string{mcp.R20251125, mcp.R20250618, mcp.R20250326, mcp.R20241105}
}

func (s *Server) info() *object {
	return obj("name", Name, "title", "Skerry Light weather station", "version", Version)
}

func (s *Server) capabilities() *object {
	return obj(
		"completions", obj(),
		"logging", obj(),
		"prompts", obj("listChanged", true),
		"resources", obj("listChanged", true, "subscribe", true),
		"tools", obj("listChanged", true),
	)
}

const instructions = "Skerry Light is a weather station in a lighthouse. Ask get_weather for the weather at a place, " +
	"read station://skerry/logbook for what the keeper saw, and listen to station://skerry/weather for new readings. " +
	"All data is invented."
