package session

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// exitWait is how long an error of writing to a child waits for the child's exit, the better reason.
const exitWait = 500 * time.Millisecond

// stderrKept is how many last lines of a child's stderr are told with its end.
const stderrKept = 20

// sink gets every entry with its exact bytes, in the order of the log. It never blocks: what needs the
// wire or the log again runs beside.
func (s *Session) sink(e wire.Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.Frame != nil {
		e.Frame.Seal()
	}
	var mine *Call
	switch {
	case e.Frame != nil && e.Frame.Dir == wire.Sent:
		mine = s.bind(e)
	case e.Lane != nil:
		s.laneLocked(e)
	case e.Note != nil && e.Note.From == "stderr":
		s.stderr = append(s.stderr, e.Note.Text)
		if len(s.stderr) > stderrKept {
			s.stderr = slices.Clone(s.stderr[1:])
		}
		s.alive()
	}
	if s.lanes != nil {
		s.lanes.see(e)
	}
	stream := s.flowLocked(e)
	s.subs.Observe(&e)
	for _, x := range s.fold.Add(e) {
		s.take(e, &x, mine)
	}
	if e.Lane != nil && (e.Lane.Kind == wire.LaneEOF || e.Lane.Kind == wire.LaneCut) {
		s.brokenOff(e.Lane.ID, stream)
	}
	if mine != nil && mine.open == 0 && !mine.over { // on stdio nothing answers it
		s.conclusion(mine, mine.answer.Exchange)
	}
	if e.Lane != nil && e.Lane.Kind == wire.LaneExit {
		s.exited(e)
	}
}

// bind finds the call that a sent frame belongs to: the oldest one with these bytes whose frame has not
// passed yet. (Send returns the number only after the answer may have come.)
func (s *Session) bind(e wire.Entry) *Call {
	for i, c := range s.unbound {
		if !bytes.Equal(c.body, e.Frame.Body) {
			continue
		}
		s.unbound = slices.Delete(s.unbound, i, i+1)
		c.seq, c.lane, c.body = e.Seq, e.Frame.Lane, nil
		c.login.sent(e.Frame.HTTP)
		s.calls[c.seq] = c
		if mayAsk(c.method) {
			s.wondered = 0
		}
		s.arm(c)
		return c
	}
	return nil
}

// take deals with an exchange that the entry opened, changed or ended.
func (s *Session) take(e wire.Entry, x *wire.Exchange, mine *Call) {
	if m, ok := mcp.Lookup(x.Method()); ok && m.Cacheable {
		s.ledger.Add(x)
	}
	for m := range brought(e, x) {
		if m.Dir != wire.Received {
			continue
		}
		switch m.Kind {
		case wire.Notification:
			s.ledger.Invalidate(m)
			switch m.Method {
			case mcp.Cancelled:
				s.withdrawn(m)
			case mcp.TasksNotification, mcp.TaskStatus:
				s.taskNews(m.Params())
			}
			if m.Method == mcp.ElicitationComplete {
				s.completed(m)
			}
		case wire.Request:
			s.serve(m)
		case wire.NotJSON:
			s.alive()
			if s.info.Phase != wire.Ready {
				s.stray.note(m)
			}
		}
	}
	s.subscribed(x)
	c := s.calls[x.Seq()]
	if c == nil {
		if len(x.Late) > 0 && s.probe != 0 && x.Seq() == s.probe {
			s.late(x)
		}
		return
	}
	switch {
	case x.End == wire.Alone: // a notification on stdio, or the batch around its elements
		c.answer = Answer{Exchange: *x}
	case x.End == wire.Open:
		if c == mine {
			c.open++
		}
		c.answer = Answer{Exchange: *x}
		s.progress(e, x, c)
	default:
		s.ended(x, c)
	}
}

// brought are the messages that this entry brought to the exchange: one, but for batches.
func brought(e wire.Entry, x *wire.Exchange) iter.Seq[*wire.Message] {
	return func(yield func(*wire.Message) bool) {
		if e.Frame == nil {
			return
		}
		for _, m := range []*wire.Message{x.Lone, x.Reply} {
			if m != nil && m.Seq == e.Seq && !yield(m) {
				return
			}
		}
		for _, list := range [][]wire.Message{x.During, x.Late} {
			for i := len(list) - 1; i >= 0 && list[i].Seq == e.Seq; i-- {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}

func lastOf(list []wire.Message) *wire.Message {
	if len(list) == 0 {
		return nil
	}
	return &list[len(list)-1]
}

// ended notes that one of the call's exchanges is over.
func (s *Session) ended(x *wire.Exchange, c *Call) {
	if c.open > 0 {
		c.open--
	}
	if c.open > 0 {
		return
	}
	s.conclusion(c, *x)
}

// conclusion is the end of a call.
func (s *Session) conclusion(c *Call, x wire.Exchange) {
	s.challengedBy(x.Head)
	if c.over || c.login.under && !c.ending || s.authorize(c, x) || s.renew(c, x) {
		return
	}
	c.over = true
	c.answer = Answer{Exchange: x}
	if c.timer != nil {
		c.timer.Stop()
	}
	if c.stop != nil {
		c.stop()
	}
	delete(s.calls, c.seq)
	if c.store {
		s.keep(c.key, x)
	}
	s.doubt(c, x)
	close(c.done)
	if s.redetect && len(s.calls) == 0 && len(s.unbound) == 0 {
		s.redetect = false
		s.laterLocked(s.detectAgain)
	}
}

// arm starts the clock of a call when its frame went out.
func (s *Session) arm(c *Call) {
	if c.timeout <= 0 {
		return
	}
	c.armed = time.Now()
	most := s.opt.MaxTimeout
	if c.patient {
		most = 3 * c.timeout
	}
	c.limit = c.armed.Add(max(most, c.timeout))
	c.due = c.armed.Add(c.timeout)
	c.timer = time.AfterFunc(c.timeout, func() { s.expire(c) })
}

// progress starts the clock anew, within the limit.
func (s *Session) progress(e wire.Entry, x *wire.Exchange, c *Call) {
	for m := range brought(e, x) {
		if m.Method == mcp.Progress && m.Dir == wire.Received {
			s.rewind(c)
		}
	}
}

func (s *Session) rewind(c *Call) {
	if c.timer != nil && !c.ending {
		c.revived = true
		s.reset(c, max(0, min(c.timeout, time.Until(c.limit))))
	}
}

// reset sets the clock of a call anew. It is called with the lock held.
func (s *Session) reset(c *Call, wait time.Duration) {
	c.due = time.Now().Add(wait)
	c.timer.Reset(wait)
}

// alive is a sign of life of a child that is still starting: stderr or noise on stdout.
func (s *Session) alive() {
	for _, c := range s.calls {
		if c.patient {
			s.rewind(c)
		}
	}
}

func (s *Session) expire(c *Call) {
	s.mu.Lock()
	if time.Now().Before(c.due) { // the clock was set anew while this was on its way here: it comes again
		s.mu.Unlock()
		return
	}
	if s.thinking > 0 && !c.ending && !c.over { // the server waits for the person: so do we
		c.limit = c.limit.Add(c.timeout)
		s.reset(c, c.timeout)
		s.mu.Unlock()
		return
	}
	waited := time.Since(c.armed)
	if waited = waited.Round(time.Millisecond); waited > time.Second {
		waited = waited.Round(100 * time.Millisecond) // a person reads it
	}
	atLimit, revived := !time.Now().Before(c.limit), c.revived
	s.mu.Unlock()
	text := fmt.Sprintf("no answer within %s", c.timeout)
	switch {
	case !revived: // nothing ever came
	case atLimit:
		text = fmt.Sprintf("no answer within %s, for all its signs of life", waited)
	default:
		text = fmt.Sprintf("no answer within %s of the last sign of life (%s in all)", c.timeout, waited)
	}
	s.end(c, wire.TimedOut, text)
}

// end is our own verdict that a call is over, told to the log, and to the server in the transport's way.
func (s *Session) end(c *Call, how wire.End, text string) {
	if !s.conclude(c, how, text) || c.silent {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	conn, d, lane := s.conn, s.dialect, c.lane
	if conn == nil {
		return
	}
	s.told.Add(1)
	if !s.laterLocked(func() { defer s.told.Done(); s.tellCancelled(conn, d, c.id, lane, text) }) {
		s.told.Done()
	}
}

// conclude writes the Ending. false: the call was over already.
func (s *Session) conclude(c *Call, how wire.End, text string) bool {
	s.mu.Lock()
	if c.over || c.ending {
		s.mu.Unlock()
		<-c.done
		return false
	}
	c.ending = true
	seq := c.seq
	if c.login.under {
		seq = 0 // its exchange has ended already
	}
	s.mu.Unlock()
	if seq != 0 {
		s.append(wire.Entry{Ending: &wire.Ending{Of: seq, How: how, Text: text}})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unbound = slices.DeleteFunc(s.unbound, func(u *Call) bool { return u == c })
	x := c.answer.Exchange
	if x.End == wire.Open {
		x.End, x.EndText, x.Ended = how, text, time.Now()
	}
	s.conclusion(c, x)
	return true
}

// tellCancelled tells the server that we do not wait any longer. On stdio, and over HTTP before
// 2026-07-28 (where a closed stream means nothing), that is notifications/cancelled; over HTTP the
// response stream is closed.
func (s *Session) tellCancelled(conn transport.Conn, d dialect, id string, lane uint32, reason string) {
	if id != "" && id != "null" && (conn.Kind() != "http" || !d.modern) {
		params := fmt.Appendf(nil, `{"requestId":%s,"reason":%s}`, id, quoted(reason))
		m := d.notification(mcp.Cancelled, params, nil)
		ctx, cancel := context.WithTimeout(s.life, toldWait)
		defer cancel()
		c := s.newCall(mcp.Cancelled, m.body, 2*toldWait)
		c.silent, c.aside = true, true
		err := s.sendOn(ctx, conn, c, transport.Outgoing{Body: m.body, Header: m.header})
		if err == nil {
			_, err = c.Wait(ctx)
		}
		if err != nil && s.life.Err() == nil {
			s.note("warning", "telling the server about the cancelled request: "+err.Error())
		}
	}
	if lane != 0 {
		conn.CloseLane(lane)
	}
}

// laneLocked notes what a lane's end says beyond the exchange.
func (s *Session) laneLocked(e wire.Entry) {
	l := e.Lane
	switch l.Kind {
	case wire.LaneCut, wire.LaneFailed, wire.LaneEOF:
		for _, c := range s.calls {
			if c.lane == l.ID {
				c.laneEnd = l.Kind
			}
		}
	}
	switch {
	case l.ID != 0:
	case l.Kind == wire.LaneEOF && s.info.Kind == "stdio":
		s.gone = departure{"the server closed its output, but its process is still running", e.Seq}
		s.departedLocked()
	case l.Kind == wire.LaneOpen:
		s.stderr, s.gone = nil, departure{}
	}
}

// departure is how the other side ended the conversation: what to say of it, and the entry that shows it.
type departure struct {
	text string
	seq  wire.Seq
}

// departedLocked says that the other side has gone, once the session is ready. Before that the detection deals with it; what comes
// between its last step and being ready is said then.
func (s *Session) departedLocked() {
	if s.info.Phase != wire.Ready || s.gone.seq == 0 {
		return
	}
	epoch, gone := s.epoch, s.gone
	s.laterLocked(func() { s.lost(epoch, gone.text, gone.seq) })
}

// exited notes the end of the child.
func (s *Session) exited(e wire.Entry) {
	s.info.Exit = s.masked(e.Lane.Exit)
	s.forgetQuestions()
	if e.Lane.Exit != nil && e.Lane.Exit.Ours {
		return
	}
	text := "the server process ended"
	if x := s.info.Exit; x != nil {
		text += " by itself: " + exitWords(x) + " (" + strings.Join(x.Argv, " ") + ")"
		if n := len(x.Stderr); n > 0 {
			text += "; last words: " + strings.Join(x.Stderr[max(0, n-3):], " / ")
		}
	}
	s.gone = departure{text, e.Seq}
	s.departedLocked()
}

// masked is an exit as people may read it.
func (s *Session) masked(x *wire.Exit) *wire.Exit {
	if x == nil {
		return nil
	}
	m := *x
	m.Argv, m.Stderr = s.secrets.Words(x.Argv), s.maskedTexts(x.Stderr)
	m.Dir = s.secrets.Text(x.Dir)
	return &m
}

func (s *Session) maskedTexts(list []string) []string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = s.secrets.Text(text)
	}
	return out
}

// lost notes that the other side ended the conversation of an epoch.
func (s *Session) lost(epoch int, text string, evidence wire.Seq) {
	s.mu.Lock()
	ready := s.info.Phase == wire.Ready && s.epoch == epoch
	revive := ready && s.opt.Restarts > 0
	if revive {
		s.reviving++
	}
	s.mu.Unlock()
	if !ready {
		return
	}
	s.state(wire.Lost, text, evidence)
	if revive {
		s.later(func() { s.bringBack(epoch, s.secrets.Text(text)) })
	}
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// splitPath walks the labels of a dotted path.
func splitPath(path string) iter.Seq[string] { return strings.SplitSeq(path, ".") }
