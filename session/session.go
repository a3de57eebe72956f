// Package session is a conversation with one MCP server: it opens the transport, finds out the era,
// spells requests as that era wants them, and tells what came of each. Everything that happens goes
// through the log (wire.Log), in the order in which it happened; whoever wants to see or judge reads there.
//
// What to send next is decided by pure functions (detect.go, request.go, page walking in list.go); the
// rest is a thin shell around a transport.Conn. The package must never know: rules, verdicts, colours,
// screens. It never corrects what a server sends, and does not fail on it.
package session

import (
	"context"
	"errors"
	"sync"
	"time"

	"mcploupe/session/fresh"
	"mcploupe/session/jsondoc"
	"mcploupe/session/oauth"
	"mcploupe/session/subs"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// Session is a conversation with one server. All methods are safe for several goroutines.
type Session struct {
	target  Target
	opt     Options
	log     *wire.Log
	secrets *transport.Secrets
	tap     *transport.Tap
	client  []byte // clientInfo

	life   context.Context // ends with Close
	finish context.CancelFunc
	work   sync.WaitGroup // goroutines of ours
	told   sync.WaitGroup // cancellations on their way to the server
	turn   chan struct{}  // one Connect, Restart or Close at a time

	mu        sync.Mutex
	conn      transport.Conn
	interrupt context.CancelFunc // of the Connect under way
	info      Info
	changed   chan struct{}
	dialect   dialect
	fold      *wire.Fold
	lastID    int64
	unbound   []*Call            // sent, but their frame has not passed the tap yet
	calls     map[wire.Seq]*Call // pending
	stderr    []string           // last lines of the child
	stray     stray              // what it wrote to stdout that is no message
	gone      departure          // how the other side left, if it has
	probe     wire.Seq           // an era probe that was given up
	lateProbe chan outcome       // its late answer, while detecting
	probeWait time.Duration
	redetect  bool // a late answer to the probe contradicts the verdict
	ledger    *fresh.Ledger
	kept      map[fresh.Key]wire.Exchange
	listings  map[ListKind]*Listing
	subs      *subs.List
	lanes     *laneWatch // while the end of an HTTP session is awaited
	leaving   bool       // Close was called: a Connect that begins now is interrupted at once
	closed    bool
	refused   error // why the last authorization brought no token

	epoch      int       // of the connection: each connect begins another one
	readySince time.Time // the connection of this epoch stands since; zero while it does not
	revival    revival   // tries to bring it back
	trying     attempt   // the one under way, zero for none
	reviving   int       // who brings it back, or will

	tasks   map[string]*follower // followed, by id
	tasksOn bool                 // calls declare the tasks extension

	flows       map[uint32]*flow   // event streams that can be gone on with, by lane
	streamStop  context.CancelFunc // ends the stream for what belongs to no request
	streamWait  time.Duration      // how long a first call waits to know that
	streamKnown chan struct{}      // closed once it is known whether there is one; nil where none is asked for
	renewal     *renewal           // of a lost HTTP session, under way
	renewals    []time.Time        // when the last ones began
	renewed     int                // how many were begun in place of a lost one
	age         int                // counts HTTP sessions, from 1
	past        string             // the id of the one before
	doubted     int                // the HTTP session that the server seems to have lost without saying so
	watched     []string           // resources subscribed to, in a legacy session

	challenged oauth.Challenge // the newest 401, for Survey; Status 0: there was none

	questions map[string]context.CancelFunc // of a legacy server that somebody is thinking about, by raw id
	thinking  int                           // questions open, of either era: the clocks of requests stand still

	asked        []asked             // results that asked back, oldest first
	wondered     int                 // questions of a legacy server that belong to no one call, since the last request
	elicitations map[string]wire.Seq // by elicitationId, which frame asked
	roots        []Root
}

// Info is what is known about the connection at one moment.
type Info struct {
	Phase   wire.Phase
	Text    string // the newest step in words
	Era     string // Modern, Legacy, "" while unknown
	Version string // the protocol version in use
	Kind    string // "stdio", "http", "sse"
	Target  string // for people, masked

	// Of the answer to server/discover or initialize; Missing when there was none.
	Server, Capabilities, Instructions jsondoc.Value

	Supported []string   // supportedVersions of a modern server
	Opened    wire.Seq   // the request (discover, initialize, tools/list) that decided the era
	Exit      *wire.Exit // how the child ended, when it did

	// Stream is how it stands with the stream that legacy servers over Streamable HTTP may offer for what belongs to no
	// request: "open", "opening again", "none (405)", "none (404; 405 expected)"; "" where there can be none.
	Stream string
}

// Has tells whether the server declares a capability: "tools", "completions", or a path like
// "resources.subscribe". When it declared none at all because it answered neither server/discover nor
// initialize (a fault, but requests may work), everything counts as declared but completions and logging.
func (i Info) Has(capability string) bool {
	if !i.Capabilities.Exists() {
		return i.Phase == wire.Ready && (capability == "tools" || capability == "resources" || capability == "prompts")
	}
	v := i.Capabilities
	for name := range splitPath(capability) {
		v = v.Get(name)
	}
	on, isBool := v.Bool()
	return v.Exists() && !v.Is(jsondoc.Null) && (!isBool || on)
}

// New prepares a conversation. Nothing is started; the log can be followed already.
func New(target Target, o Options) *Session {
	o = o.withDefaults()
	s := &Session{
		target: target, opt: o, log: o.Log,
		secrets:  transport.NewSecrets(o.Secrets...),
		client:   clientInfo(o.ClientVersion),
		turn:     make(chan struct{}, 1),
		changed:  make(chan struct{}),
		fold:     wire.NewFold(),
		calls:    map[wire.Seq]*Call{},
		ledger:   fresh.NewLedger(),
		kept:     map[fresh.Key]wire.Exchange{},
		listings: map[ListKind]*Listing{},
		subs:     subs.NewList(),

		flows: map[uint32]*flow{}, age: 1, streamWait: streamHead,
		questions:    map[string]context.CancelFunc{},
		elicitations: map[string]wire.Seq{},
		roots:        o.Roots,

		probeWait: o.ProbeTimeout, tasksOn: o.Tasks,
	}
	target.hide(s.secrets)
	s.tap = &transport.Tap{Log: o.Log, Secrets: s.secrets, Sink: s.sink}
	s.life, s.finish = context.WithCancel(context.Background())
	return s
}

func clientInfo(version string) []byte {
	b := append([]byte(`{"name":`), jsondoc.AppendQuote(nil, ClientName)...)
	b = append(b, `,"version":`...)
	b = jsondoc.AppendQuote(b, version)
	return append(b, '}')
}

// Open is New and Connect. The session is returned with the error too: its log shows what came, and
// Restart may be tried.
func Open(ctx context.Context, target Target, o Options) (*Session, error) {
	s := New(target, o)
	return s, s.Connect(ctx)
}

// Log is the journal of the conversation.
func (s *Session) Log() *wire.Log { return s.log }

// Secrets are the values that are masked in the log; more may be added at any time.
func (s *Session) Secrets() *transport.Secrets { return s.secrets }

// Info is what is known now.
func (s *Session) Info() Info {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.info
}

// Changed is closed when Info changes after this call.
func (s *Session) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// Connect opens the transport and finds out the era. It returns nil when the session is ready, else a
// *ConnectError. What was learned on the way is in the log as State entries.
func (s *Session) Connect(ctx context.Context) error {
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.endTurn()
	if s.Info().Phase == wire.Ready {
		return nil
	}
	return s.connect(ctx)
}

// Restart ends what is pending and the channel, and connects anew: with a fresh process, or a fresh
// HTTP session. The log and the numbers of requests go on; nothing is kept in the cache.
func (s *Session) Restart(ctx context.Context) error {
	s.interruptConnect()
	if err := s.begin(ctx); err != nil {
		return err
	}
	defer s.endTurn()
	s.mu.Lock()
	s.revival, s.trying = revival{}, attempt{}
	s.mu.Unlock()
	return s.restart(ctx)
}

// restart is Restart for who has the turn.
func (s *Session) restart(ctx context.Context) error {
	s.hangUp(ctx, subs.Restarting)
	s.mu.Lock()
	s.ledger, s.kept = fresh.NewLedger(), map[fresh.Key]wire.Exchange{}
	s.listings = map[ListKind]*Listing{}
	s.mu.Unlock()
	return s.connect(ctx)
}

// Close ends the conversation: pending calls end, a legacy HTTP session is deleted, a child gets its
// stdin closed and, when that does not help, signals. ctx bounds the waiting. It may be called twice,
// and while Connect is under way.
func (s *Session) Close(ctx context.Context) error {
	s.mu.Lock()
	s.leaving = true // a Restart that still ends the old channel has nothing to interrupt yet
	s.mu.Unlock()
	s.interruptConnect()
	if err := s.begin(ctx); err != nil {
		if errors.Is(err, errClosed) {
			return nil
		}
		return err
	}
	defer s.endTurn()
	err := s.hangUp(ctx, "closed")
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.state(wire.Closed, "closed by us", 0)
	s.finish()
	s.work.Wait()
	return err
}

var errClosed = errors.New("the session is closed")

// begin waits for the turn of a Connect, Restart or Close.
func (s *Session) begin(ctx context.Context) error {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		s.endTurn()
		return errClosed
	}
	return nil
}

func (s *Session) endTurn() { <-s.turn }

func (s *Session) interruptConnect() {
	s.mu.Lock()
	stop := s.interrupt
	s.mu.Unlock()
	if stop != nil {
		stop()
	}
}

// later runs f beside; Close waits for it.
func (s *Session) later(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.laterLocked(f)
}

// laterLocked is later with the lock held. false: the session is closed, f will not run.
func (s *Session) laterLocked(f func()) bool {
	if s.closed {
		return false
	}
	s.work.Go(f)
	return true
}

// ready is the channel and its dialect, or why there is none.
func (s *Session) ready() (dialect, transport.Conn, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.conn == nil || s.info.Phase != wire.Ready {
		return dialect{}, nil, &NotConnected{Phase: s.info.Phase, Text: s.info.Text, Exit: s.info.Exit}
	}
	return s.dialect, s.conn, nil
}

// nextID is a fresh request id. Ids rise and are never used again, not even after a restart.
func (s *Session) nextID() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastID++
	return s.lastID
}

// reserve keeps an id that a person typed from being used again by us.
func (s *Session) reserve(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	const most = 1 << 53 // beyond, ids would not survive everybody's numbers
	if id > s.lastID && id < most {
		s.lastID = id
	}
}

// state writes the next step of the connection's life.
func (s *Session) state(phase wire.Phase, text string, evidence wire.Seq) {
	s.stateOf(wire.State{Phase: phase, Text: text, Evidence: evidence})
}

// stateOf tells a step with what is known beside it.
func (s *Session) stateOf(st wire.State) {
	st.Text = s.secrets.Text(st.Text)
	s.mu.Lock()
	s.info.Phase, s.info.Text = st.Phase, st.Text
	st.Era, st.Version, st.Server = s.info.Era, s.info.Version, string(s.info.Server.Raw())
	st.Target, st.Kind = s.info.Target, s.info.Kind
	st.Try, st.Tries, st.Pause = s.trying.try, s.trying.of, s.trying.pause
	close(s.changed)
	s.changed = make(chan struct{})
	s.mu.Unlock()
	s.append(wire.Entry{State: &st})
}

// append writes an entry of our own. It must not be called with the lock held: the tap tells our sink.
func (s *Session) append(e wire.Entry) wire.Seq { return s.tap.Put(e) }

func (s *Session) note(level, text string) {
	s.append(wire.Entry{Note: &wire.Note{From: "client", Level: level, Text: text}})
}

// capabilities are what we declare, with more added for one request.
func (s *Session) capabilities(more string) []byte {
	if more == "" {
		return s.declare(true)
	}
	return mergeObjects(s.declare(true), []byte(more))
}

// mergeObjects is the object a with the members of b that it does not have.
func mergeObjects(a, b []byte) []byte {
	av, bv := jsondoc.Parse(a).Root(), jsondoc.Parse(b).Root()
	var members []Member
	for name, v := range av.Members() {
		members = setMember(members, Member{name, v.Raw()})
	}
	for name, v := range bv.Members() {
		if !av.Get(name).Exists() {
			members = setMember(members, Member{name, v.Raw()})
		}
	}
	return appendObject(nil, members)
}
