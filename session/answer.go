package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// MaxRounds is how many times a request is sent again with answers, unless Options.Rounds says otherwise: a server that
// asks forever is left standing there.
const MaxRounds = 5

// Asker answers what the server asks; it may take as long as a person does. It is called beside everything else, for
// several rounds at once. Its error leaves the round unanswered.
type Asker func(ctx context.Context, r Round) (Replies, error)

// Unanswered says why a request that asks back was left as it is. The Answer beside it holds the last result.
type Unanswered struct {
	Seq  wire.Seq // the request
	Text string
}

func (e *Unanswered) Error() string { return "the server asks back: " + e.Text }

// Finish answers what the result of a request asks back, by Options.Ask, until a result comes that does not ask: each
// time the request is sent again with a new id. It returns the last Answer; one that asks nothing, and any when there is
// nobody to ask, is returned as it is. The error is *Unanswered when a question was not answered, else that of the
// request (see Call.Wait).
func (s *Session) Finish(ctx context.Context, a Answer, o CallOptions) (Answer, error) {
	if s.opt.Ask == nil {
		return a, nil
	}
	return s.rounds(ctx, a, o, 1, false)
}

// rounds answers from round n on. With byHand the first of them is one that a person opened himself, and may be one
// that cannot be answered faithfully.
func (s *Session) rounds(ctx context.Context, a Answer, o CallOptions, n int, byHand bool) (Answer, error) {
	for ; s.asksBack(a); n++ {
		round := s.round(a, n)
		if n > s.opt.Rounds && round.Problem == "" {
			round.Problem = fmt.Sprintf("it asked for the %s time, and no more than %d rounds are answered", ordinal(n), s.opt.Rounds)
		}
		s.keepAsked(a, o, n)
		if round.Problem != "" && !byHand {
			return a, s.unanswered(a, round.Problem)
		}
		byHand = false
		replies, err := s.question(ctx, round)
		if err == nil && round.Again {
			err = agreed(round, replies)
		}
		if err != nil {
			return a, s.unanswered(a, err.Error())
		}
		next, err := s.Continue(ctx, a, round, replies, o)
		if next.Seq() == 0 {
			return a, err
		}
		if a = next; err != nil {
			return a, err
		}
	}
	return a, nil
}

// asksBack tells that an answer wants something before the request can be done.
func (s *Session) asksBack(a Answer) bool { return a.InputRequired() || s.wantsAddress(a) }

func (s *Session) round(a Answer, n int) Round {
	if !a.InputRequired() {
		return roundOfAddresses(&a.Exchange, n, s.opt.Rounds)
	}
	return roundOf(&a.Exchange, n, s.opt.Rounds)
}

// Continue sends a request that was answered with input_required again, with these replies. Rounds are not counted here.
func (s *Session) Continue(ctx context.Context, a Answer, round Round, replies Replies, o CallOptions) (Answer, error) {
	d, _, err := s.ready()
	if err != nil {
		return Answer{}, err
	}
	r := retry(a.Exchange.Request, round, replies)
	r.Timeout, r.LogLevel, r.Header, r.OmitHeader = o.Timeout, o.LogLevel, o.Header, o.OmitHeader
	var listed jsondoc.Value
	if d.modern && d.http && r.Method == mcp.ToolsCall {
		listed, _ = s.Tool(a.Exchange.Name())
	}
	c, err := s.start(ctx, r, listed, startOptions{})
	if err != nil {
		return Answer{}, err
	}
	next, err := c.Wait(ctx)
	return s.remirrored(ctx, next, err, r)
}

func (s *Session) unanswered(a Answer, text string) error {
	s.note("warning", fmt.Sprintf("the question of #%d is left unanswered: %s", a.Seq(), text))
	return &Unanswered{Seq: a.Seq(), Text: text}
}

// question asks, and writes question and answer into the journal.
func (s *Session) question(ctx context.Context, r Round) (Replies, error) {
	s.mu.Lock()
	s.remember(r.Questions, r.Of)
	s.mu.Unlock()
	for _, q := range r.Questions {
		s.append(wire.Entry{Ask: &wire.Ask{Of: r.Of, Key: q.Key, Method: q.Method, Params: string(q.Params.Raw())}})
	}
	shown := s.maskedRound(r)
	replies, err := s.opt.Ask(ctx, shown)
	if err == nil && replies.Stop != "" {
		err = errors.New(replies.Stop)
	}
	if err != nil {
		return replies, err
	}
	replies.Whole = exactState(replies.Whole, r, shown)
	whole := jsondoc.Parse(replies.Whole).Root()
	for _, q := range r.Questions {
		text := string(whole.Get("inputResponses").Get(q.Key).Raw())
		for _, a := range replies.List {
			if a.Key == q.Key && !whole.Exists() {
				if text = string(a.Result); text == "" && r.Legacy {
					text = string(a.Error)
				}
			}
		}
		if text != "" {
			s.append(wire.Entry{Ask: &wire.Ask{Of: r.Of, Key: q.Key, Method: q.Method, Answer: text}})
		}
	}
	return replies, nil
}

// exactState puts the exact requestState in the place of the masked one that a person saw and left as it was.
func exactState(whole []byte, exact, shown Round) []byte {
	v := jsondoc.Parse(whole).Root()
	if state := v.Get("requestState"); !shown.State.Exists() || !bytes.Equal(state.Raw(), shown.State.Raw()) || bytes.Equal(state.Raw(), exact.State.Raw()) {
		return whole
	}
	var members []Member
	for name, m := range v.Members() {
		if name == "requestState" {
			m = exact.State
		}
		members = setMember(members, Member{name, m.Raw()})
	}
	return appendObject(nil, members)
}

// maskedRound is a round as people may read it: without secrets, like the journal.
func (s *Session) maskedRound(r Round) Round {
	mask := func(v jsondoc.Value) jsondoc.Value {
		if !v.Exists() {
			return v
		}
		raw := string(v.Raw())
		text := s.secrets.Text(raw)
		if text == raw {
			return v
		}
		return jsondoc.Parse([]byte(text)).Root()
	}
	shown := make([]Question, len(r.Questions))
	for i, q := range r.Questions {
		shown[i] = Question{Key: q.Key, Method: q.Method, Params: mask(q.Params)}
	}
	r.Questions, r.State = shown, mask(r.State)
	r.Name = s.secrets.Text(r.Name)
	return r
}

func ordinal(n int) string {
	switch {
	case n%10 == 1 && n%100 != 11:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2 && n%100 != 12:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3 && n%100 != 13:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}
