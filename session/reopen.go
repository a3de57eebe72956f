package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mcploupe/session/wire"
)

// Results that ask back are kept, so that a question that was left unanswered can be answered later, or one that was
// answered once more. These bound what is kept; the newest one always is.
const (
	keptAsked      = 64
	keptAskedBytes = 16 << 20
)

// asked is a result that asks back.
type asked struct {
	answer  Answer
	options CallOptions
	n       int  // which round it asks for
	asking  bool // somebody is being asked
}

// keepAsked remembers a result that asks back.
func (s *Session) keepAsked(a Answer, o CallOptions, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	seq := a.Seq()
	if i := s.findAsked(seq); i >= 0 {
		s.asked = slices.Delete(s.asked, i, i+1)
	}
	s.asked = append(s.asked, asked{answer: a, options: o, n: n})
	size := 0
	for i := len(s.asked) - 1; i >= 0; i-- {
		x := &s.asked[i].answer.Exchange
		size += len(x.Reply.Body) + len(x.Request.Body)
		if i < len(s.asked)-1 && (size > keptAskedBytes || len(s.asked)-i > keptAsked) {
			s.asked = slices.Clone(s.asked[i+1:])
			return
		}
	}
}

func (s *Session) findAsked(seq wire.Seq) int {
	return slices.IndexFunc(s.asked, func(a asked) bool { return a.answer.Seq() == seq })
}

// Reopen asks again what the result of the request with this number asks back, and goes on like Finish. It also works
// for what was answered before: whether a server takes an answer twice is worth knowing. What no faithful client could
// answer is put to the person as well, who may write the answer by hand. The last 64 such results are kept.
func (s *Session) Reopen(ctx context.Context, seq wire.Seq) (Answer, error) {
	if s.opt.Ask == nil {
		return Answer{}, errors.New("reopening a question: there is nobody to ask")
	}
	s.mu.Lock()
	i := s.findAsked(seq)
	if i < 0 {
		s.mu.Unlock()
		return Answer{}, fmt.Errorf("reopening a question: what #%d asked is not kept any more", seq)
	}
	if s.asked[i].asking {
		s.mu.Unlock()
		return Answer{}, fmt.Errorf("reopening a question: what #%d asked is being answered already", seq)
	}
	s.asked[i].asking = true
	k := s.asked[i]
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		if i := s.findAsked(seq); i >= 0 {
			s.asked[i].asking = false
		}
		s.mu.Unlock()
	}()
	return s.rounds(ctx, k.answer, k.options, k.n, true)
}
