package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

// Bounds of a room: worlds at once, how long one is kept that nobody asks for, and how long one must have been quiet to
// give way to a newcomer.
const (
	MostWorlds = 200
	worldIdle  = 3 * time.Hour // a lunch break is no reason to lose a log book
	worldQuiet = 10 * time.Minute
	worldMost  = 64 // sessions, streams and tasks in a world, each
)

// Room is one address for many learners. Path is the station that all share; /NAME/mcp is a world of its own for whoever
// asks for it first: its state, lists, subscriptions, tasks, sessions and faults touch nobody else. /NAME+FAULT/mcp is one
// that misbehaves; a number for FAULT chooses one that is to be found. Worlds are made on first use and forgotten when nobody asks for them any more. / is a page that says so.
// It is safe for concurrent use.
type Room struct {
	opt    Options
	shared *Server
	say    func(note string)
	most   int

	mu     sync.Mutex
	worlds map[string]*world // by place.key
	closed bool
}

// world is one learner's station.
type world struct {
	key  string
	s    *Server
	mcp  http.Handler
	old  http.Handler
	open int       // requests and streams right now
	seen time.Time // when the last of them ended, or began
}

// NewRoom is an empty room; every world has these options. say gets a line for people when a world begins and when one is
// forgotten, nil: nobody wants to know. It is called from many goroutines, one at a time,
// and must not wait.
func NewRoom(opt Options, say func(note string)) *Room {
	if say == nil {
		say = func(string) {}
	}
	return &Room{opt: opt, shared: New(opt), say: say, most: MostWorlds, worlds: map[string]*world{}}
}

// ListenAndServe serves a Room at addr (see Bind) until ctx ends; then streams get their results and it returns nil. errOut
// gets lines for people: where the server listens, and how worlds come and go.
func ListenAndServe(ctx context.Context, addr string, errOut io.Writer, opt Options) error {
	if err := opt.Check(); err != nil {
		return err
	}
	if opt.Login && Everywhere(addr) {
		return errors.New("a login needs one address to come back to: name that of this machine instead of all")
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", Bind(addr))
	if err != nil {
		return fmt.Errorf("serving the station on %s: %w", addr, err)
	}
	notes, written := make(chan string, 100), make(chan struct{})
	r := NewRoom(opt, func(note string) {
		select {
		case notes <- note:
		default: // a terminal that was stopped does not stop the room
		}
	})
	fmt.Fprint(errOut, r.greeting(addr, listener.Addr()))
	go func() {
		defer close(written)
		for note := range notes {
			fmt.Fprintln(errOut, note)
		}
	}()
	err = r.Serve(ctx, listener)
	close(notes) // a closed room has nothing to say
	select {
	case <-written:
	case <-time.After(farewell):
	}
	return err
}

// Serve serves the room on a listener, which it closes, until ctx ends.
func (r *Room) Serve(ctx context.Context, listener net.Listener) error {
	mux := http.NewServeMux()
	guard := func(_ string, next http.Handler) http.Handler { return next }
	if r.opt.Login {
		l := newLogin("http://"+listener.Addr().String(), func(path string) bool {
			p, ok := placeOf(path)
			return ok && (p.rest == Path || p.rest == SSEPath)
		})
		l.mount(mux)
		guard = l.guard
	}
	mux.Handle("/", r.handler(guard))
	swept, stop := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(swept)
		tick := time.NewTicker(time.Minute)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				r.sweep()
			case <-stop:
				return
			}
		}
	}()
	defer func() { close(stop); <-swept }()
	return serveUntil(ctx, listener, mux, r.Close)
}

// Close ends all streams, and lets no more worlds begin.
func (r *Room) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	r.shared.Close()
	for _, w := range r.worlds {
		w.s.Close()
	}
}

// Handler is the room without a login.
func (r *Room) Handler() http.Handler {
	return r.handler(func(_ string, next http.Handler) http.Handler { return next })
}

func (r *Room) handler(guard func(string, http.Handler) http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		p, ok := placeOf(q.URL.Path)
		aside := ok && (p.rest == "" && q.Method != http.MethodGet && q.Method != http.MethodHead || // a page is read
			r.opt.Era == Modern && (p.rest == SSEPath || p.rest == messagesPath))
		if !ok || aside {
			http.Error(w, "Not found: the station is at "+Path+", and at /NAME"+Path+" for a world of your own; NAME is letters, digits, - . _", http.StatusNotFound)
			return
		}
		if p.riddle && p.wrong == "" && r.opt.Era == Legacy {
			p.wrong = "a number chooses among faults of 2026-07-28, which this room does not speak"
		}
		if p.wrong != "" {
			http.Error(w, "Not found: "+p.wrong+"; mcploupe demo --faults lists them", http.StatusNotFound)
			return
		}
		if p.rest == "" {
			r.page(w, q, p, http.StatusOK)
			return
		}
		if p.rest == Path && q.Method == http.MethodGet && browser(q) && !r.spoiled(p, "get-served") {
			w.Header().Set("Allow", http.MethodPost) // a person who tries the address finds out what it is for
			r.page(w, q, p, http.StatusMethodNotAllowed)
			return
		}
		resource := strings.TrimSuffix(q.URL.Path, p.rest) // as the client spells it
		if p.rest == Path {
			resource += Path
		} else {
			resource += SSEPath
		}
		guard(resource, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) { r.serve(w, q, p) })).ServeHTTP(w, q)
	})
}

// serve hands a request to its world. It is looked at before a world begins for it: a web page must not fill the room.
func (r *Room) serve(w http.ResponseWriter, q *http.Request, p place) {
	if p.name == "" {
		(&world{s: r.shared, mcp: r.shared.Handler(), old: r.shared.SSEHandler()}).serve(w, q, p)
		return
	}
	begins := false
	switch {
	case p.rest == Path && q.Method == http.MethodPost:
		begins = (trustedOrigin(q) || r.spoiled(p, "origin-accepted")) && (r.shared.trustedHost(q) || r.spoiled(p, "host-accepted"))
	case p.rest == SSEPath && q.Method == http.MethodGet: // no fault lets anybody in there
		begins = trustedOrigin(q) && r.shared.trustedHost(q)
	}
	own, full := r.enter(p, begins)
	switch {
	case full:
		w.Header().Set("Retry-After", "60")
		http.Error(w, fmt.Sprintf("The room is full: %d worlds are in use", r.most), http.StatusServiceUnavailable)
	case own == nil: // what began no world is answered as an empty one would
		blank := r.station(p)
		(&world{s: blank, mcp: blank.Handler(), old: blank.SSEHandler()}).serve(w, q, p)
	default:
		defer r.leave(own)
		own.serve(w, q, p)
	}
}

// spoiled tells that a fault is on where a path leads: of its own, or of the whole room, by whatever switches those.
func (r *Room) spoiled(p place, fault string) bool {
	return slices.Contains(p.faults, fault) || r.shared.misbehaving()[fault]
}

func (o *world) serve(w http.ResponseWriter, q *http.Request, p place) {
	if p.rest == Path {
		o.mcp.ServeHTTP(w, q)
		return
	}
	http.StripPrefix(strings.TrimSuffix(q.URL.Path, p.rest), o.old).ServeHTTP(w, q)
}

// enter finds a world, or makes it when the request may begin one. Without either it is nil; full says that there is no
// room for it.
func (r *Room) enter(p place, begins bool) (own *world, full bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	own = r.worlds[p.key]
	if own == nil {
		if !begins || r.closed {
			return nil, false
		}
		if len(r.worlds) >= r.most && !r.giveWay(p.key) {
			return nil, true
		}
		s := r.station(p)
		own = &world{key: p.key, s: s, mcp: s.Handler(), old: s.SSEHandler()}
		r.worlds[p.key] = own
		note := fmt.Sprintf("%s: a new world (%d of %d)", p.key, len(r.worlds), r.most)
		if p.riddle {
			note += ", misbehaving: " + strings.Join(p.faults, ", ")
		}
		r.say(note)
	}
	own.open++
	own.seen = time.Now()
	return own, false
}

// station is the server for a world: what nobody changes it shares with the others.
func (r *Room) station(p place) *Server {
	opt := r.opt
	opt.Faults = slices.Concat(r.shared.ActiveFaults(), p.faults)
	s := newServer(opt, r.shared.cat, r.shared.table)
	s.mount, s.most = p.at(""), worldMost
	return s
}

func (r *Room) leave(own *world) {
	r.mu.Lock()
	defer r.mu.Unlock()
	own.open--
	own.seen = time.Now()
}

// giveWay forgets the world that has been quiet for the longest time, if that is long enough. It is called with the lock held.
func (r *Room) giveWay(to string) bool {
	var oldest *world
	for _, w := range r.worlds {
		if w.open == 0 && (oldest == nil || w.seen.Before(oldest.seen)) {
			oldest = w
		}
	}
	if oldest == nil || time.Since(oldest.seen) < worldQuiet {
		return false
	}
	r.forget(oldest, "to make room for "+to)
	return true
}

// sweep forgets the worlds that nobody has asked for in a long time.
func (r *Room) sweep() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.worlds {
		if w.open == 0 && time.Since(w.seen) >= worldIdle {
			r.forget(w, "its name begins a new one")
		}
	}
}

// forget is called with the lock held, for a world that has nothing open.
func (r *Room) forget(w *world, why string) {
	delete(r.worlds, w.key)
	w.s.abandon()
	r.say(fmt.Sprintf("%s: forgotten after %s without a request; %s", w.key, time.Since(w.seen).Round(time.Minute), why))
}

// count is how many worlds there are.
func (r *Room) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.worlds)
}
