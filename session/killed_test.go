package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// lifetime is one pattern of the protocol, driven from its first message to its last.
type lifetime struct {
	name   string
	legacy bool
	leaves bool // we end something before the server does: what it says afterwards need not be read
	steps  int  // at how many messages at most it is killed, 0 for all
	drive  func(ctx context.Context, s *Session) error
}

// want is an error for an answer that is none.
func want(a Answer, err error) error {
	if err == nil && !a.OK() {
		return fmt.Errorf("answered %s", a.Exchange.Reply.Body)
	}
	return err
}

func lifetimes() []lifetime {
	list := func(ctx context.Context, s *Session) error {
		_, err := s.List(ctx, Tools, ListOptions{Fresh: true})
		return err
	}
	call := func(name, args string) func(context.Context, *Session) error {
		return func(ctx context.Context, s *Session) error {
			if s.Info().Kind == "http" && s.Listed(Tools) == nil { // it would be done by itself, and its failure only be noted
				if err := list(ctx, s); err != nil {
					return err
				}
			}
			a, err := s.CallTool(ctx, name, []byte(args), CallOptions{})
			if err == nil && a.OK() {
				a, err = s.Finish(ctx, a, CallOptions{})
			}
			return want(a, err)
		}
	}
	read := func(ctx context.Context, s *Session) error {
		return want(s.Read(ctx, "station://skerry/about", CallOptions{Fresh: true}))
	}
	prompt := func(ctx context.Context, s *Session) error {
		return want(s.Prompt(ctx, "morning_briefing", nil, CallOptions{}))
	}
	complete := func(ctx context.Context, s *Session) error {
		return want(s.Complete(ctx, Completion{Ref: []byte(`{"type":"ref/prompt","name":"compare_places"}`), Argument: "first", Value: "p"}, CallOptions{}))
	}
	cancel := func(ctx context.Context, s *Session) error {
		c, err := s.StartTool(ctx, "calibrate", []byte(`{"steps":100,"stepMs":5}`), CallOptions{})
		if err != nil {
			return err
		}
		for len(c.Answer().Exchange.During) == 0 {
			select {
			case <-c.Done():
				_, err := c.Wait(ctx)
				return err
			case <-time.After(time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		c.Cancel("enough")
		if _, err := c.Wait(ctx); !errors.As(err, new(*NoReply)) {
			return fmt.Errorf("cancelled, yet %v", err)
		}
		return call("get_weather", `{"location":"Port Amber"}`)(ctx, s) // it is still there
	}
	listen := func(ctx context.Context, s *Session) error {
		sub, err := s.Listen(ctx, Filter{Tools: true}, "")
		if err != nil {
			return err
		}
		select {
		case <-sub.Acknowledged():
		case <-sub.Done():
			return fmt.Errorf("ended: %s", sub.Answer().Exchange.EndText)
		case <-ctx.Done():
			return ctx.Err()
		}
		err = call("ring_bell", `{"about":"tools"}`)(ctx, s)
		for err == nil && !heard(s, mcp.ToolsChanged) {
			select {
			case <-sub.Done():
				return fmt.Errorf("ended: %s", sub.Answer().Exchange.EndText)
			case <-time.After(time.Millisecond):
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		sub.Close("enough")
		<-sub.Done()
		return err
	}
	two := func(ctx context.Context, s *Session) error {
		if err := list(ctx, s); err != nil {
			return err
		}
		c, err := s.StartTool(ctx, "calibrate", []byte(`{"steps":2,"stepMs":5}`), CallOptions{})
		if err != nil {
			return err
		}
		err = call("get_weather", `{"location":"Port Amber"}`)(ctx, s)
		a, other := c.Wait(ctx)
		return errors.Join(err, want(a, other))
	}
	var all []lifetime
	for _, legacy := range []bool{false, true} {
		kind := map[bool]string{false: "", true: "legacy "}[legacy]
		all = append(all,
			lifetime{kind + "opening", legacy, false, 0, func(context.Context, *Session) error { return nil }},
			lifetime{kind + "list", legacy, false, 0, list},
			lifetime{kind + "call", legacy, false, 0, call("get_weather", `{"location":"Port Amber"}`)},
			lifetime{kind + "progress", legacy, false, 0, call("calibrate", `{"steps":2,"stepMs":1}`)},
			lifetime{kind + "question", legacy, false, 0, call("log_observation", `{}`)},
			lifetime{kind + "prompt", legacy, false, 0, prompt},
			lifetime{kind + "read", legacy, false, 0, read},
			lifetime{kind + "completion", legacy, false, 0, complete},
			lifetime{kind + "cancel", legacy, true, 2, cancel},
		)
	}
	return append(all, lifetime{"listen", false, true, 0, listen}, lifetime{"two at once", false, false, 0, two})
}

// heard tells that a notification came over the newest connection.
func heard(s *Session, method string) bool {
	all := entries(s)
	for i := len(all) - 1; i >= 0; i-- {
		e := all[i]
		switch {
		case e.State != nil && e.State.Phase == wire.Connecting:
			return false
		case e.Frame != nil && e.Frame.Dir == wire.Received && wire.Read(e.Seq, e.At, e.Frame).Method == method:
			return true
		}
	}
	return false
}

// mortals are sessions in these stories: with somebody who answers. Their limits are long, and nothing should ever wait for one.
func mortals() Options {
	accept := func(_ context.Context, r Round) (Replies, error) {
		var out Replies
		for _, q := range r.Questions {
			out.List = append(out.List, Reply{Key: q.Key, Result: Accept([]byte(`{"sky":"clear","visibility":3}`))})
		}
		return out, nil
	}
	return Options{Timeout: 40 * time.Second, ProbeTimeout: 40 * time.Second, Ask: accept}
}

// soon is what no step takes, however busy the machine is, unless something is waited for that does not come.
const soon = 20 * time.Second

// The server is killed, or the connection cut, at every message of every pattern, over every transport: nothing hangs, all that
// crossed is in the journal, every request ends clearly, and after a restart all is well.
func TestTheServerIsKilledAtEveryStep(t *testing.T) {
	t.Parallel()
	for name, server := range map[string]func(*testing.T, bool, knife) mortality{"stdio": killedChild, "http": killedHTTP} {
		for _, l := range lifetimes() {
			t.Run(name+" "+l.name, func(t *testing.T) {
				t.Parallel()
				whole := server(t, l.legacy, knife{})
				s, opened, err := live(t, l, whole, mortals())
				if err != nil {
					t.Fatalf("unharmed: %v", err)
				}
				leave(t, s)
				last := len(whole.said())
				if l.name == "opening" || l.name == "legacy opening" {
					opened = 0
				}
				if l.steps > 0 {
					last = min(last, opened+l.steps)
				}
				for at := opened + 1; at <= last; at++ {
					for _, k := range []knife{{at: at}, {at: at, half: true}, {at: at, down: true}} {
						if name == "stdio" && (k.down || k.half && at < last) {
							continue // a process that is gone is gone; one more for each half message would only take time
						}
						t.Run(fmt.Sprintf("%d half=%v down=%v", at, k.half, k.down), func(t *testing.T) { killed(t, l, server(t, l.legacy, k), k) })
					}
				}
			})
		}
	}
}

// live opens a session and drives the pattern. opened is how many messages the opening took.
func live(t *testing.T, l lifetime, m mortality, o Options) (s *Session, opened int, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*o.Timeout)
	defer cancel()
	s, err = Open(ctx, m.target, o)
	if err != nil {
		return s, 0, err
	}
	opened = len(m.said())
	if err = l.drive(ctx, s); ctx.Err() != nil {
		t.Fatalf("it hangs: %v", err)
	}
	return s, opened, err
}

func leave(t *testing.T, s *Session) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Errorf("closing: %v", err)
	}
	compareWithFold(t, s)
}

func killed(t *testing.T, l lifetime, m mortality, k knife) {
	begin, o := time.Now(), mortals()
	if l.legacy && k.down {
		o.Timeout = 2 * time.Second // a stream that can be gone on with is tried again for as long as that
	}
	s, _, err := live(t, l, m, o)
	defer leave(t, s)
	if took := time.Since(begin); took > soon {
		t.Errorf("it took %s", took)
	}
	if !m.fallen() {
		if !l.leaves { // else it had no time to say that much
			t.Error("it was not killed")
		}
		return
	}
	opening := l.name == "opening" || l.name == "legacy opening"
	gone := resumed(s)
	if err == nil && !opening && !l.leaves && (!gone || k.down) {
		t.Errorf("nobody was told")
	}
	if pending := s.Pending(); len(pending) > 0 {
		t.Errorf("still pending: %v", pending)
	}
	allCrossed(t, l, m, s)
	clearEnds(t, s, gone && k.down)

	m.revive()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := s.Restart(ctx); err != nil {
		t.Fatalf("restart: %v", err)
	}
	if err := l.drive(ctx, s); err != nil {
		t.Errorf("after the restart: %v", err)
	}
	risingIDs(t, s)
}

// allCrossed: what the server said whole stands in the journal, in order, byte for byte.
func allCrossed(t *testing.T, l lifetime, m mortality, s *Session) {
	t.Helper()
	var heard []string
	for _, e := range entries(s) {
		if e.Frame != nil && e.Frame.Dir == wire.Received && len(e.Frame.Body) > 0 && e.Frame.Shape&(wire.ShapeTruncated|wire.ShapeUnterminated) == 0 {
			heard = append(heard, string(e.Frame.Body))
		}
	}
	if l.leaves {
		return // what was said to nobody is not counted
	}
	for i, text := range m.said() {
		if !slices.Contains(heard, text) {
			t.Errorf("message %d did not arrive: %.120s", i+1, text)
		}
	}
}

// resumed tells that the stream of a request is gone on with by GET: then its end is not that of the request.
func resumed(s *Session) bool {
	return strings.Contains(notes(s), "before its answer: going on with it in")
}

// clearEnds: no exchange of the journal is open, what got no answer says why, and nothing was waited for, unless somebody tried
// to go on with its stream.
func clearEnds(t *testing.T, s *Session, tried bool) {
	t.Helper()
	fold := wire.NewFold()
	last := map[wire.Seq]wire.Exchange{}
	for _, e := range entries(s) {
		for _, x := range fold.Add(e) {
			last[x.Seq()] = x
		}
	}
	for seq, x := range last {
		switch {
		case x.Request == nil || x.Request.Kind != wire.Request:
		case x.End == wire.Open:
			t.Errorf("#%d %s is still open in the journal", seq, x.Method())
		case x.End == wire.TimedOut && !tried:
			t.Errorf("#%d %s had to be waited for: %s", seq, x.Method(), x.EndText)
		case x.Reply == nil && x.EndText == "" && x.Exit == nil:
			t.Errorf("#%d %s ended as %v and does not say why", seq, x.Method(), x.End)
		}
	}
}

// risingIDs: no request id is used twice, before or after the restart.
func risingIDs(t *testing.T, s *Session) {
	t.Helper()
	highest := 0
	for _, e := range entries(s) {
		if e.Frame == nil || e.Frame.Dir != wire.Sent {
			continue
		}
		m := wire.Read(e.Seq, e.At, e.Frame)
		if m.Kind != wire.Request || m.Method == mcp.Cancelled {
			continue
		}
		id, err := strconv.Atoi(m.ID)
		if err != nil || id <= highest {
			t.Errorf("id %s behind %d: %v", m.ID, highest, err)
		}
		highest = id
	}
}

// A real process that is killed comes back by itself, and what is asked then is answered.
func TestAKilledProcessComesBack(t *testing.T) {
	t.Parallel()
	m := killedChild(t, false, knife{at: 2})
	o := mortals()
	o.Restarts = 1
	s, err := open(t, m.target, o)
	if err != nil {
		t.Fatal(err)
	}
	if a, err := s.Read(t.Context(), "station://skerry/about", CallOptions{}); err == nil {
		t.Errorf("the dead answered: %s", a.Exchange.Reply.Body)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	for s.Info().Phase == wire.Ready && ctx.Err() == nil { // its end is noticed in a moment
		select {
		case <-s.Changed():
		case <-ctx.Done():
		}
	}
	if err := s.Await(ctx); err != nil {
		t.Fatal(err)
	}
	if err := want(s.Read(ctx, "station://skerry/about", CallOptions{})); err != nil {
		t.Error(err)
	}
}
