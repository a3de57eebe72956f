package demo

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"mcploupe/session/mcp"
)

// Path is where ListenAndServe mounts the endpoint.
const Path = "/mcp"

// Serve serves Streamable HTTP at Path on a listener, which it closes, until ctx ends.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	mux := http.NewServeMux()
	guard := func(_ string, next http.Handler) http.Handler { return next }
	if s.opt.Login {
		l := newLogin("http://"+listener.Addr().String(), func(path string) bool { return path == Path || path == SSEPath })
		l.mount(mux)
		guard = l.guard
	}
	mux.Handle(Path, guard(Path, s.Handler()))
	if s.opt.Era != Modern {
		mux.Handle(SSEPath, guard(SSEPath, s.SSEHandler()))
		mux.Handle(messagesPath, guard(SSEPath, s.SSEHandler()))
	}
	return serveUntil(ctx, listener, mux, s.Close)
}

// serveUntil serves until ctx ends. Then bye ends what would go on for ever, and the rest gets a moment.
func serveUntil(ctx context.Context, listener net.Listener, h http.Handler, bye func()) error {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		bye()
		return fmt.Errorf("serving the station: %w", err)
	case <-ctx.Done():
	}
	bye()
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	if server.Shutdown(grace) != nil {
		_ = server.Close() // calls that went on too long are cut
	}
	<-served
	return nil
}

// Handler is the MCP endpoint alone, wherever it is mounted.
func (s *Server) Handler() http.Handler { return http.HandlerFunc(s.serveHTTP) }

func (s *Server) serveHTTP(w http.ResponseWriter, r *http.Request) {
	on := s.misbehaving()
	switch {
	case !trustedOrigin(r) && !on["origin-accepted"]:
		http.Error(w, "Forbidden: this origin may not speak to the station", http.StatusForbidden)
		return
	case !s.trustedHost(r) && !on["host-accepted"]:
		http.Error(w, "Forbidden: the station is not known by this name", http.StatusForbidden)
		return
	}
	switch r.Method {
	case http.MethodPost:
		s.servePost(w, r, on)
	case http.MethodGet:
		s.serveGet(w, r, on)
	case http.MethodDelete:
		s.serveDelete(w, r, on)
	default:
		notAllowed(w)
	}
}

func notAllowed(w http.ResponseWriter) {
	w.Header().Set("Allow", http.MethodPost)
	http.Error(w, "Method not allowed: send JSON-RPC by POST", http.StatusMethodNotAllowed)
}

func (s *Server) servePost(w http.ResponseWriter, r *http.Request, on faultSet) {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		http.Error(w, "Unsupported media type: send application/json", http.StatusUnsupportedMediaType)
		return
	}
	out := &stream{w: w, flush: http.NewResponseController(w).Flush, on: on}
	out.json, out.sse = accepts(r, "application/json"), accepts(r, "text/event-stream")
	if !out.json && !out.sse {
		http.Error(w, "Not acceptable: accept application/json and text/event-stream", http.StatusNotAcceptable)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		status := http.StatusBadRequest
		if tooBig := new(http.MaxBytesError); errors.As(err, &tooBig) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, "The request could not be read", status)
		return
	}
	p := newPeer(s, out.send)
	p.session = s.legacy.get(r.Header.Get(mcp.HeaderSessionID))
	ctx := r.Context()
	if s.opt.Forget > 0 && p.session != nil && p.session.used(s.opt.Forget) {
		s.forget(p.session)
		p.session = nil
	}
	if p.isBatch(body) {
		p.serveBatch(ctx, body, r.Header, out)
		return
	}
	leave := func() {}
	defer func() { leave() }()
	kept := p.session.resumable() && out.sse
	if kept {
		ctx, leave = p.session.outliving(ctx)
		out.prime = p.session.rev == mcp.R20251125
	}
	c, reply, status := p.receive(ctx, body, r.Header, out.send)
	if c != nil {
		if c.spoilLegacy(out) || s.spoil(c, out) {
			return
		}
		if c.method == mcp.Listen {
			if !out.sse {
				http.Error(w, "Not acceptable: a subscription is a text/event-stream", http.StatusNotAcceptable)
				return
			}
			stop := out.keepAlive()
			defer stop()
		}
		if kept && c.legacy != nil {
			s.runKept(r, p, c, out, leave)
			leave = func() {} // the call may go on without us
			return
		}
		reply, status = p.run(c)
		if c.legacy != nil && c.method == mcp.Initialize && status == http.StatusOK {
			w.Header().Set(mcp.HeaderSessionID, c.legacy.id)
		}
		if reply == nil {
			return // the client is gone, or a fault ends the stream without a word
		}
	}
	if reply == nil {
		if on["notification-200"] {
			status = http.StatusOK
		}
		w.WriteHeader(status)
		return
	}
	out.reply(reply, status)
	if c != nil && out.isOpen() {
		for _, text := range c.afterwards(reply) {
			out.send(text)
		}
	}
}

// accepts says whether the client takes a media type. A client that says nothing takes anything.
func accepts(r *http.Request, want string) bool {
	lines := r.Header.Values("Accept")
	if len(lines) == 0 {
		return true
	}
	major, _, _ := strings.Cut(want, "/")
	for part := range strings.SplitSeq(strings.Join(lines, ","), ",") {
		kind, params, err := mime.ParseMediaType(strings.TrimSpace(part))
		if err == nil && params["q"] != "0" && slices.Contains([]string{want, major + "/*", "*/*"}, kind) {
			return true
		}
	}
	return false
}

// serveGet is the legacy stream of what happens to nobody in particular. The modern revision has none.
func (s *Server) serveGet(w http.ResponseWriter, r *http.Request, on faultSet) {
	if on["get-served"] {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintln(w, "<!doctype html><title>Skerry Light</title><p>The light is on.")
		return
	}
	id := r.Header.Get(mcp.HeaderSessionID)
	if s.opt.Era == Modern || id == "" {
		notAllowed(w)
		return
	}
	session := s.legacy.get(id)
	if session == nil {
		http.Error(w, "Not found: there is no such session", http.StatusNotFound)
		return
	}
	if on["stream-406"] {
		http.Error(w, "Not acceptable", http.StatusNotAcceptable)
		return
	}
	out := &stream{w: w, flush: http.NewResponseController(w).Flush, on: on, sse: true, prime: session.rev == mcp.R20251125}
	if id := r.Header.Get(mcp.HeaderLastEventID); id != "" && session.resumable() {
		if !s.goOn(r, session, out, id) {
			http.Error(w, "Bad request: there is no such event", http.StatusBadRequest)
		}
		return
	}
	if session.resumable() {
		out.track = session.newTrack(on)
	}
	out.open()
	stop := out.keepAlive()
	defer stop()
	tick := time.NewTicker(s.opt.Tick)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			session.events.push(event{method: mcp.ResourcesUpdated, uri: weatherURI}) // to whoever subscribed to it
		case <-r.Context().Done():
			return
		case <-s.closed:
			return
		case <-session.ended:
			return
		case <-session.events.wake:
			for _, text := range session.events.messages() {
				out.send(text)
			}
		}
	}
}

// serveDelete ends a legacy session.
func (s *Server) serveDelete(w http.ResponseWriter, r *http.Request, on faultSet) {
	id := r.Header.Get(mcp.HeaderSessionID)
	switch {
	case on["delete-served"]:
		w.WriteHeader(http.StatusNoContent)
	case s.opt.Era == Modern || id == "":
		notAllowed(w)
	default:
		session := s.legacy.get(id)
		if session == nil || !s.legacy.end(id) {
			http.Error(w, "Not found: there is no such session", http.StatusNotFound)
			return
		}
		s.hub.remove(session.events)
		w.WriteHeader(http.StatusNoContent)
	}
}
