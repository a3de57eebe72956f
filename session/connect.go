package session

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"mime"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// connect does what the detection says until there is a verdict. The caller has the turn.
func (s *Session) connect(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	kind := s.firstKind()
	first := kind
	past, doubt := s.remembered()
	if past.Kind == "sse" {
		kind = "sse"
	}
	s.mu.Lock()
	s.interrupt = stop
	s.epoch++
	s.readySince = time.Time{}
	if s.leaving {
		stop()
	}
	s.info = Info{Kind: kind, Target: s.target.forPeople(s.secrets)}
	s.refused = nil
	s.probe, s.lateProbe, s.redetect = 0, make(chan outcome, 1), false
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.interrupt = nil
		s.mu.Unlock()
	}()

	if ctx.Err() != nil {
		return s.failed(ctx, move{}, ctx.Err()) // before anything is started
	}
	p := plan{kind: first, url: s.target.URL, era: s.opt.Era, protocol: s.opt.Protocol, sse: first == "http" && s.opt.Transport == "",
		past: past, doubt: doubt, began: time.Now()}
	if kind == "sse" {
		s.state(wire.Connecting, "connecting to "+s.Info().Target, 0)
	} else {
		verb := "connecting to "
		if kind == "stdio" {
			verb = "starting "
		}
		s.state(wire.Connecting, verb+s.Info().Target, 0)
		if err := s.open(kind); err != nil {
			return s.failed(ctx, move{text: err.Error()}, err)
		}
	}
	d, m := begin(p)
	for {
		if err := sleep(ctx, m.pause); err != nil {
			return s.failed(ctx, m, err)
		}
		switch m.do {
		case doReady:
			return s.settle(ctx, d, m)
		case doFail:
			return s.failed(ctx, m, nil)
		}
		s.state(wire.Detecting, m.text, m.evidence)
		o, err := s.perform(ctx, m)
		if err != nil {
			return s.failed(ctx, m, err)
		}
		if d, m = d.next(o); m.do == doReopen {
			s.opt.Memory.Forget()
		}
	}
}

func (s *Session) firstKind() string {
	switch {
	case s.target.URL == "":
		return "stdio"
	case s.opt.Transport == "sse":
		return "sse"
	}
	return "http"
}

// open opens a channel of one kind.
func (s *Session) open(kind string) error {
	s.mu.Lock()
	s.info.Kind, s.info.Exit, s.stderr, s.stray, s.gone = kind, nil, nil, stray{}, departure{}
	s.mu.Unlock()
	how := Opening{Kind: kind, Target: s.target, Tap: s.tap, Bearer: s.bearer()}
	opener := s.opt.Open
	if opener == nil {
		opener = openTransport
	}
	conn, err := opener(s.life, how)
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.conn = conn
	if t := conn.Target(); t != "" {
		s.info.Target = t
	}
	s.mu.Unlock()
	return nil
}

// shut closes the channel while detecting: another process or another kind follows.
func (s *Session) shut(ctx context.Context) {
	s.mu.Lock()
	conn := s.conn
	s.conn = nil
	s.mu.Unlock()
	if conn != nil {
		_ = conn.Close(ctx) // its end is in the log
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// perform does one move and tells what came of it. The error is that of ctx.
func (s *Session) perform(ctx context.Context, m move) (outcome, error) {
	switch m.do {
	case doDiscover:
		d := s.modernDialect(m.version, m.capabilities)
		stdio := s.Info().Kind == "stdio"
		r := Request{Method: mcp.Discover, Timeout: s.probeWait}
		c, o, err := s.ask(ctx, d, r, startOptions{patient: stdio, silent: stdio, key: d.key(r), store: true})
		if err == nil && o.silent() && stdio {
			s.mu.Lock()
			s.probe = c.seq
			s.mu.Unlock()
		}
		return o, err
	case doInitialize:
		r := Request{Method: mcp.Initialize, Params: s.initializeParams(m.version)}
		o := startOptions{silent: true}
		if m.brief {
			r.Timeout, o.patient = s.probeWait, s.Info().Kind == "stdio"
		}
		_, out, err := s.ask(ctx, s.legacyDialect("", ""), r, o)
		return out, err
	case doList:
		_, o, err := s.ask(ctx, s.modernDialect(m.version, ""), Request{Method: mcp.ToolsList, Timeout: s.probeWait}, startOptions{})
		return o, err
	case doRespawn:
		s.shut(ctx)
		if err := s.open("stdio"); err != nil {
			return outcome{refused: true, text: err.Error()}, ctx.Err()
		}
		return outcome{}, ctx.Err()
	case doReopen:
		s.shut(ctx)
		if err := s.open(s.firstKind()); err != nil {
			return outcome{refused: true, text: err.Error()}, ctx.Err()
		}
		return outcome{kind: s.firstKind()}, ctx.Err()
	case doOpenSSE:
		return s.openSSE(ctx)
	}
	return outcome{}, fmt.Errorf("no such move: %d", m.do)
}

func (s *Session) openSSE(ctx context.Context) (outcome, error) {
	s.shut(ctx)
	s.mu.Lock()
	s.info.Kind = "sse"
	s.mu.Unlock()
	s.state(wire.Detecting, "opening the event stream", 0) // readers pair answers by this kind from here on
	if err := s.openWithLogin(ctx, "sse"); err != nil {
		o := outcome{refused: true, text: err.Error()}
		if ctx.Err() != nil || s.opt.Transport == "sse" {
			return o, ctx.Err()
		}
		if err := s.open("http"); err != nil { // back, for the last try
			o.text = err.Error()
		}
		return o, ctx.Err()
	}
	return outcome{opened: true}, ctx.Err()
}

// ask sends one request of the detection and waits for what comes of it, or for a late answer to the probe.
func (s *Session) ask(ctx context.Context, d dialect, r Request, o startOptions) (*Call, outcome, error) {
	s.mu.Lock()
	s.dialect = d
	s.mu.Unlock()
	o.dialect = &d
	c, err := s.start(ctx, r, jsondoc.Value{}, o)
	if err != nil {
		out := outcome{refused: true, text: err.Error()}
		if n, ok := errors.AsType[*NotConnected](err); ok && n.Exit != nil {
			out = outcome{exit: n.Exit, text: err.Error()}
		}
		return c, out, ctx.Err()
	}
	for {
		select {
		case <-c.done:
			return c, s.outcomeOf(c), nil
		case late := <-s.lateProbe:
			if r.Method != mcp.Initialize || onlyLegacyCommon(late.result()) {
				continue
			}
			s.end(c, wire.Cancelled, "a late answer to server/discover came first")
			return c, late, nil
		case <-ctx.Done():
			s.end(c, wire.Cancelled, "connecting was interrupted")
			return c, outcome{}, context.Cause(ctx)
		}
	}
}

// onlyLegacyCommon tells that a DiscoverResult leaves only initialize, which is on its way already.
func onlyLegacyCommon(result jsondoc.Value) bool {
	modern, legacy := common(texts(result.Get("supportedVersions")))
	return modern == "" && legacy != ""
}

// outcomeOf reads the end of a call for the detection.
func (s *Session) outcomeOf(c *Call) outcome {
	a := c.Answer()
	x := &a.Exchange
	o := outcome{request: x.Seq(), end: x.End, text: x.EndText, exit: x.Exit}
	if x.Reply != nil {
		o.frame = x.Reply.Seq
		r := x.Reply.Root()
		switch {
		case broken(x.Reply):
			o.cut, o.text = true, "an answer that was cut off"
		case r.Is(jsondoc.Object):
			o.message = r
		}
	}
	if h := x.Head; h != nil {
		o.status = h.Status
		o.mediaType, _, _ = mime.ParseMediaType(h.Get("Content-Type"))
		if x.Reply != nil && !o.message.Exists() {
			o.excerpt = excerpt(x.Reply.Body)
		}
		o.challenge, o.location, o.session = h.Get("WWW-Authenticate"), h.Get("Location"), h.Get(mcp.HeaderSessionID)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.Reply == nil {
		o.refused = c.laneEnd == wire.LaneFailed && o.status == 0
		o.cut = c.laneEnd == wire.LaneCut
		o.deaf = x.End == wire.Dropped && x.Exit == nil && s.info.Kind == "stdio"
	}
	return o
}

// late looks at what came late for the era probe: a DiscoverResult contradicts the fallback.
func (s *Session) late(x *wire.Exchange) {
	m := lastOf(x.Late)
	if m.Kind != wire.Result || !isDiscoverResult(m.Result()) {
		return
	}
	s.probe = 0
	o := outcome{request: x.Seq(), frame: m.Seq, message: m.Root(), end: wire.Replied, late: true}
	if s.info.Phase == wire.Detecting {
		select {
		case s.lateProbe <- o:
		default:
		}
		return
	}
	if s.info.Phase != wire.Ready || s.info.Era != Legacy || onlyLegacyCommon(m.Result()) || s.probeWait > s.opt.ProbeTimeout {
		return
	}
	s.probeWait = min(3*s.opt.ProbeTimeout, max(s.opt.Timeout, s.opt.ProbeTimeout))
	if len(s.calls) == 0 && len(s.unbound) == 0 {
		s.laterLocked(s.detectAgain)
		return
	}
	s.redetect = true // when nothing is pending any more
}

// detectAgain restarts with a longer wait for the probe, because its answer came after all.
func (s *Session) detectAgain() {
	s.note("warning", "a late answer to server/discover shows a modern server: detecting the era again, with a fresh connection")
	if s.opt.Memory != nil {
		s.opt.Memory.Forget()
	}
	ctx, cancel := context.WithTimeout(s.life, s.opt.MaxTimeout)
	defer cancel()
	_ = s.Restart(ctx) // its failure is in the log
}

func (s *Session) modernDialect(version, more string) dialect {
	return dialect{modern: true, http: s.Info().Kind != "stdio", version: version, client: s.client,
		capabilities: s.capabilities(more), logLevel: s.logLevel()}
}

func (s *Session) legacyDialect(version, session string) dialect {
	return dialect{http: s.Info().Kind != "stdio", version: version, session: session, client: s.client, capabilities: s.declare(false)}
}

func (s *Session) initializeParams(version string) []byte {
	return appendObject(nil, []Member{
		{"protocolVersion", jsondoc.AppendQuote(nil, version)},
		{"capabilities", s.declare(false)},
		{"clientInfo", s.client},
	})
}

// settle makes the session ready to speak as the verdict says.
func (s *Session) settle(ctx context.Context, d0 detection, m move) error {
	r := m.opened.result()
	d := s.modernDialect(m.version, "")
	server := r.Get("_meta").Get(mcp.MetaServerInfo)
	if m.era == Legacy {
		d = s.legacyDialect(m.version, m.opened.session)
		server = r.Get("serverInfo")
	}
	s.mu.Lock()
	s.dialect = d
	s.age++
	s.info.Era, s.info.Version, s.info.Opened = m.era, m.version, m.opened.request
	s.info.Server, s.info.Capabilities, s.info.Instructions = server, r.Get("capabilities"), r.Get("instructions")
	s.info.Supported = texts(r.Get("supportedVersions"))
	conn := s.conn
	s.mu.Unlock()
	if m.era == Legacy {
		s.state(wire.Detecting, m.text, m.evidence)
		if _, err := s.notify(ctx, d, mcp.Initialized, nil, ""); err != nil {
			if ctx.Err() != nil {
				return s.failed(ctx, m, ctx.Err())
			}
			if info := s.Info(); info.Exit != nil {
				return s.failed(ctx, move{text: "the process ended after initialize: " + exitWords(info.Exit), because: outcome{exit: info.Exit}}, nil)
			}
			s.note("warning", "notifications/initialized: "+err.Error())
		}
	}
	s.mu.Lock()
	s.readySince = time.Now()
	s.mu.Unlock()
	s.state(wire.Ready, m.text, m.evidence)
	s.mu.Lock()
	s.trying = attempt{}
	s.departedLocked()
	s.mu.Unlock()
	s.keepEra(d0)
	s.watch(conn)
	s.openStream(conn, d)
	s.begun(ctx)
	return nil
}

// watch notices that the channel is gone for good when no frame says so: an event stream of HTTP+SSE that
// ended.
func (s *Session) watch(conn transport.Conn) {
	s.later(func() {
		select {
		case <-conn.Done():
		case <-s.life.Done():
			return
		}
		if err := sleep(s.life, exitWait); err != nil {
			return
		}
		s.mu.Lock()
		current, epoch := s.conn == conn && s.info.Exit == nil, s.epoch
		s.mu.Unlock()
		if current {
			s.lost(epoch, "the server ended the event stream", 0)
		}
	})
}

// failed ends the attempt to connect: State Failed, the channel closed, and the error for the caller.
func (s *Session) failed(ctx context.Context, m move, cause error) error {
	e := &ConnectError{Text: m.text, Hint: m.hint, Auth: m.auth, Status: m.because.status, Exit: s.masked(m.because.exit), Err: cause}
	if ctx.Err() != nil {
		e.Text, e.Err = "interrupted", context.Cause(ctx)
	}
	if start, ok := errors.AsType[*transport.StartError](cause); ok {
		e.Hint = startHint(start)
	}
	s.whyNoLogin(e)
	if e.Hint == "" && e.Err == nil && !e.Auth {
		s.mu.Lock()
		e.Hint = s.likely(m.because, cmp.Or(m.because.exit, s.info.Exit))
		s.mu.Unlock()
	}
	e.Text, e.Hint = s.secrets.Text(e.Text), s.secrets.Text(e.Hint)
	s.mu.Lock()
	e.Target = s.info.Target
	if e.Exit == nil {
		e.Exit = s.info.Exit
	}
	e.Stderr = s.maskedTexts(s.stderr)
	if e.Exit != nil && len(e.Stderr) == 0 {
		e.Stderr = e.Exit.Stderr
	}
	s.mu.Unlock()
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	s.shut(closing)
	s.state(wire.Failed, e.Text, m.evidence)
	return e
}
