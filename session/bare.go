package session

import (
	"context"
	"fmt"
	"time"

	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// bareWait is the longest wait for the response to a request without a body: what comes, or that nothing does, is seen in
// the journal.
const bareWait = 5 * time.Second

// Bare sends an HTTP request that carries no message to the endpoint: a GET or a DELETE, by which clients of revisions with
// sessions open a stream or end their session (transports/streamable-http §Earlier Streamable HTTP Revisions). It waits for the
// head of the response and reads no stream. What came stands in the journal. Over other transports it is an error.
func (s *Session) Bare(ctx context.Context, method string) error {
	d, conn, err := s.ready()
	if err != nil {
		return err
	}
	if conn.Kind() != "http" {
		return fmt.Errorf("sending %s: the transport %s has no such requests", method, conn.Kind())
	}
	ctx, cancel := context.WithTimeout(ctx, bareWait)
	defer cancel()
	sent, err := conn.Send(ctx, transport.Outgoing{HTTPMethod: method, Header: d.rawHeaders(Raw{})})
	if err != nil {
		return fmt.Errorf("sending %s: %w", method, err)
	}
	defer conn.CloseLane(sent.Lane)
	for after := sent.Seq; ; {
		entries, more := s.log.After(after)
		for _, e := range entries {
			after = e.Seq
			if answersLane(e, sent.Lane) {
				return nil
			}
		}
		if more == nil {
			return nil // the journal is closed: nobody looks any more
		}
		select {
		case <-more:
		case <-ctx.Done():
			return nil // no response is an answer too
		}
	}
}

// answersLane tells that an entry is the response on a lane, or its end without one.
func answersLane(e wire.Entry, lane uint32) bool {
	switch {
	case e.Lane != nil:
		return e.Lane.ID == lane && e.Lane.Kind != wire.LaneOpen
	case e.Frame != nil:
		return e.Frame.Lane == lane && e.Frame.Dir == wire.Received
	}
	return false
}
