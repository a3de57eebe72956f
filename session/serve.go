package session

import (
	"context"
	"fmt"

	"mcploupe/session/mcp"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// serve deals with a request of the server. Modern servers have none: it is recorded and not answered
// (its kinds live in input_required results now). Legacy servers get an honest answer.
func (s *Session) serve(m *wire.Message) {
	conn, d := s.conn, s.dialect
	if conn == nil || d.modern || m.ID == "null" {
		return
	}
	body, note := answerServer(m)
	lane := m.Lane
	s.laterLocked(func() {
		if note != "" {
			s.note("info", note)
		}
		var header []wire.Field
		if d.http {
			header = d.legacyHeaders()
		}
		ctx, cancel := context.WithTimeout(s.life, s.opt.Timeout)
		defer cancel()
		if _, err := conn.Send(ctx, transport.Outgoing{Body: body, Header: header}); err != nil && s.life.Err() == nil {
			s.note("warning", fmt.Sprintf("answering the server's %s (stream %d): %v", clip(m.Method, 60), lane, err))
		}
	})
}

// answerServer is our answer to a legacy server's request, and what to tell the person about it. Nobody
// is asked yet, so an elicitation is declined and everything else that is not ping is not there.
func answerServer(m *wire.Message) (body []byte, note string) {
	body = append(body, `{"jsonrpc":"2.0","id":`...)
	body = append(body, m.ID...)
	switch m.Method {
	case mcp.Ping:
		return append(body, `,"result":{}}`...), ""
	case mcp.ElicitationCreate:
		return append(body, `,"result":{"action":"decline"}}`...),
			"the server asked for input (elicitation/create): declined, nobody was asked"
	}
	body = append(body, `,"error":{"code":-32601,"message":"Method not found","data":{"method":`...)
	body = append(body, quoted(m.Method)...)
	return append(body, `}}}`...), "the server asked for " + clip(m.Method, 60) + ": refused with -32601, this client does not have it"
}
