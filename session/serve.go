package session

import (
	"context"
	"fmt"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// maxQuestions is how many requests of a legacy server wait for a person at once; more are refused, so that a server
// cannot bury anybody.
const maxQuestions = 16

// serve deals with a request of the server. Modern servers have none: it is recorded and not answered
// (its kinds live in input_required results now). Legacy servers get an honest answer. It is called with the lock held.
func (s *Session) serve(m *wire.Message) {
	conn, d := s.conn, s.dialect
	if conn == nil || d.modern || m.ID == "null" {
		return
	}
	if what, _ := mcp.Lookup(m.Method); what.Input && s.opt.Ask != nil && s.able(m.Method) {
		s.wonder(conn, d, m)
		return
	}
	body, note := answerServer(m)
	s.laterLocked(func() {
		if note != "" {
			s.note("info", note)
		}
		s.tell(conn, d, m, body)
	})
}

// able tells that we declared what the request needs. An elicitation is always put to the person, who may decline it.
func (s *Session) able(method string) bool {
	if method == mcp.ElicitationCreate {
		return true
	}
	declared := jsondoc.Parse(s.dialect.capabilities).Root()
	name, _, _ := strings.Cut(method, "/")
	return declared.Get(name).Is(jsondoc.Object)
}

// wonder puts a request of a legacy server to the person, beside everything else.
func (s *Session) wonder(conn transport.Conn, d dialect, m *wire.Message) {
	id := m.ID
	if s.tooMany() {
		s.laterLocked(func() {
			s.note("warning", fmt.Sprintf("the server does not stop asking: %s is refused after %d questions", clip(m.Method, 60), s.mostQuestions()))
			s.tell(conn, d, m, failed(m.ID, `{"code":-32603,"message":"Too many questions"}`))
		})
		return
	}
	if _, twice := s.questions[id]; twice || len(s.questions) >= maxQuestions {
		s.laterLocked(func() {
			s.note("warning", "the server asks too much at once: "+clip(m.Method, 60)+" is refused")
			s.tell(conn, d, m, failed(m.ID, `{"code":-32603,"message":"Too many questions at once"}`))
		})
		return
	}
	ctx, cancel := context.WithCancel(s.life)
	r := Round{Of: m.Seq, Legacy: true, Questions: []Question{{Method: m.Method, Params: m.Params()}}}
	if c := s.only(); c != nil {
		r.Request, r.Method, r.Name = c.seq, c.method, c.answer.Exchange.Name()
	}
	s.questions[id] = cancel
	s.remember(r.Questions, r.Of)
	if !s.laterLocked(func() {
		defer cancel()
		s.think(1)
		replies, err := s.question(ctx, r)
		s.think(-1)
		withdrawn := ctx.Err() != nil
		s.mu.Lock()
		delete(s.questions, id)
		gone := s.conn != conn
		s.mu.Unlock()
		switch {
		case gone || withdrawn:
		case err != nil:
			s.note("info", "the server asked for "+clip(m.Method, 60)+": "+err.Error())
			s.tell(conn, d, m, refusal(m, err))
		case len(replies.List) > 0 && len(replies.List[0].Result) > 0:
			s.tell(conn, d, m, answered(m.ID, replies.List[0].Result))
		case len(replies.List) > 0 && len(replies.List[0].Error) > 0:
			s.tell(conn, d, m, failed(m.ID, string(replies.List[0].Error)))
		default:
			s.tell(conn, d, m, refusal(m, fmt.Errorf("left unanswered")))
		}
	}) {
		cancel()
	}
}

// mostQuestions is how many questions a legacy server may put in turn while a request waits, or between requests: as many
// rounds as a modern one, and more, for it asks one thing at a time. Beyond, they are refused, so that a server that asks
// without end cannot keep a request, or whoever answers from a file, busy for good.
func (s *Session) mostQuestions() int { return 20 * s.opt.Rounds }

// tooMany counts a question of a legacy server, and tells whether it is one too many. It is called with the lock held.
func (s *Session) tooMany() bool {
	count := &s.wondered
	if c := s.only(); c != nil {
		count = &c.wondered
	}
	*count++
	return *count > s.mostQuestions()
}

// only is the call under way when there is but one: then a request of the server can only be about that.
func (s *Session) only() (one *Call) {
	for _, c := range s.calls {
		if c.aside || !mayAsk(c.method) {
			continue
		}
		if one != nil {
			return nil
		}
		one = c
	}
	return one
}

// think counts the questions that a person has before him.
func (s *Session) think(by int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.thinking += by
	if s.thinking == 0 {
		for _, c := range s.calls {
			s.rewind(c)
		}
	}
}

// withdrawn ends a question that the server does not want answered any more (notifications/cancelled).
func (s *Session) withdrawn(m *wire.Message) {
	if cancel := s.questions[string(m.Params().Get("requestId").Raw())]; cancel != nil {
		cancel()
	}
}

// forgetQuestions ends all of them: nobody is there any more to answer. It is called with the lock held.
func (s *Session) forgetQuestions() {
	for _, cancel := range s.questions {
		cancel()
	}
}

// tell sends our answer to a request of the server.
func (s *Session) tell(conn transport.Conn, d dialect, m *wire.Message, body []byte) {
	var header []wire.Field
	if d.http {
		header = d.legacyHeaders()
	}
	ctx, cancel := context.WithTimeout(s.life, s.opt.Timeout)
	defer cancel()
	if _, err := conn.Send(ctx, transport.Outgoing{Body: body, Header: header}); err != nil && s.life.Err() == nil {
		s.note("warning", fmt.Sprintf("answering the server's %s (stream %d): %v", clip(m.Method, 60), m.Lane, err))
	}
}

func answered(id string, result []byte) []byte {
	body := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	return append(appendCompact(append(body, `,"result":`...), result), '}')
}

func failed(id, fault string) []byte {
	body := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	return append(appendCompact(append(body, `,"error":`...), []byte(fault)), '}')
}

// refusal is how a question that nobody answers is answered: an elicitation has a no of its own; a person who does not
// want to sample or to give roots is an error (client/sampling, Error Handling: -1).
func refusal(m *wire.Message, why error) []byte {
	if m.Method == mcp.ElicitationCreate {
		return answered(m.ID, Decline())
	}
	return failed(m.ID, `{"code":-1,"message":`+jsondoc.Quote("The user rejected the request: "+why.Error())+`}`)
}

// answerServer is our answer to a legacy server's request when nobody is there to ask, and what to tell about it: an
// elicitation is declined, and everything else that is not ping is not there.
func answerServer(m *wire.Message) (body []byte, note string) {
	switch m.Method {
	case mcp.Ping:
		return answered(m.ID, []byte(`{}`)), ""
	case mcp.ElicitationCreate:
		return answered(m.ID, Decline()), "the server asked for input (elicitation/create): declined, nobody was asked"
	}
	return failed(m.ID, `{"code":-32601,"message":"Method not found","data":{"method":`+jsondoc.Quote(m.Method)+`}}`),
		"the server asked for " + clip(m.Method, 60) + ": refused with -32601, this client does not have it"
}
