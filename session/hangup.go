package session

import (
	"context"
	"net/http"
	"time"

	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// hangUp ends everything pending and the channel.
func (s *Session) hangUp(ctx context.Context, why string) error {
	s.mu.Lock()
	conn, d := s.conn, s.dialect
	s.conn = nil
	s.forgetQuestions()
	s.stopStream()
	s.watched = nil
	s.mu.Unlock()
	s.waitTold(ctx)
	s.mu.Lock()
	var pending []*Call
	for _, seq := range sortedKeys(s.calls) {
		pending = append(pending, s.calls[seq])
	}
	s.mu.Unlock()
	for _, c := range pending {
		s.conclude(c, wire.Cancelled, why)
	}
	if conn == nil {
		return nil
	}
	if conn.Kind() == "http" && !d.modern && d.session != "" {
		s.deleteSession(ctx, conn, d)
	}
	return conn.Close(ctx)
}

// toldWait is how long a server may take to accept what it is told about cancelled requests.
const toldWait = time.Second

// waitTold waits until the server was told about the requests that we cancelled: closing the channel
// would cut that off, and the server would go on working for nobody.
func (s *Session) waitTold(ctx context.Context) {
	all := make(chan struct{})
	go func() { s.told.Wait(); close(all) }()
	select {
	case <-all:
	case <-ctx.Done():
	}
}

// deleteWait is how long the answer to DELETE is awaited: nothing depends on it.
const deleteWait = 2 * time.Second

// deleteSession tells a legacy HTTP server that its session is over.
func (s *Session) deleteSession(ctx context.Context, conn transport.Conn, d dialect) {
	ctx, cancel := context.WithTimeout(ctx, deleteWait)
	defer cancel()
	watch := &laneWatch{ended: map[uint32]bool{}, news: make(chan struct{}, 1)}
	s.mu.Lock()
	s.lanes = watch
	s.mu.Unlock()
	sent, err := conn.Send(ctx, transport.Outgoing{HTTPMethod: http.MethodDelete, Header: d.legacyHeaders()})
	for err == nil {
		s.mu.Lock()
		over := watch.ended[sent.Lane]
		s.mu.Unlock()
		if over {
			break
		}
		select {
		case <-watch.news:
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	s.mu.Lock()
	s.lanes = nil
	s.mu.Unlock()
}

// laneWatch collects the lanes that ended.
type laneWatch struct {
	ended map[uint32]bool
	news  chan struct{}
}

func (w *laneWatch) see(e wire.Entry) {
	lane := uint32(0)
	switch {
	case e.Frame != nil && e.Frame.Dir == wire.Received && e.Frame.HTTP != nil:
		lane = e.Frame.Lane
	case e.Lane != nil && e.Lane.Kind != wire.LaneOpen && e.Lane.Kind != wire.LaneHead:
		lane = e.Lane.ID
	}
	if lane == 0 {
		return
	}
	w.ended[lane] = true
	select {
	case w.news <- struct{}{}:
	default:
	}
}
