package transport

import (
	"context"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"time"

	"mcploupe/session/wire"
)

// spent is how the time went until the head of an answer began to come, from the moment at which the request was handed over.
// The hooks run on goroutines of net/http.
type spent struct {
	began         time.Time
	dialed, first atomic.Int64 // durations; 0: not known, or no connection was made for it
}

type spentKey struct{}

// traced is a request that keeps its times.
func (l *lane) traced(req *http.Request) *http.Request {
	s := &spent{began: l.began}
	ctx := httptrace.WithClientTrace(req.Context(), &httptrace.ClientTrace{
		GotConn: func(i httptrace.GotConnInfo) {
			if !i.Reused {
				s.dialed.Store(int64(time.Since(s.began)))
			}
		},
		GotFirstResponseByte: func() { s.first.Store(int64(time.Since(s.began))) },
	})
	return req.WithContext(context.WithValue(ctx, spentKey{}, s))
}

// timed puts the times of a response into its head. They are kept to the microsecond.
func timed(h *wire.Head, resp *http.Response) {
	if resp.Request == nil {
		return
	}
	if s, ok := resp.Request.Context().Value(spentKey{}).(*spent); ok {
		h.Dialed = time.Duration(s.dialed.Load()).Truncate(time.Microsecond)
		h.Waited = time.Duration(s.first.Load()).Truncate(time.Microsecond)
	}
}
