package transport

import (
	"io"
	"net/http"
	"testing"
	"time"

	"mcploupe/session/wire"
)

// The head of an answer knows how long it was waited for, and the first one how long the connection took; a stream's head comes
// before its events, a whole answer's when its first byte does, not its last.
func TestHeadsKnowHowLongTheyTook(t *testing.T) {
	const pause = 10 * time.Millisecond
	tap, l := listen(t)
	c, _ := serve(t, tap, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		time.Sleep(pause)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0",`)
		w.(http.Flusher).Flush()
		time.Sleep(pause)
		_, _ = io.WriteString(w, `"id":1,"result":{}}`)
	}, HTTPOptions{})
	for i := range 2 {
		began := time.Now()
		sent, _ := post(t, c, l, Outgoing{Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)})
		e, _ := l.wait(t, 0, "the answer", func(e wire.Entry) bool {
			return e.Frame != nil && e.Frame.Lane == sent.Lane && e.Frame.Dir == wire.Received
		})
		h, whole := e.Frame.HTTP, time.Since(began)
		if h.Waited < pause || h.Waited > whole-pause/2 {
			t.Errorf("request %d: waited %v of %v", i, h.Waited, whole)
		}
		if (h.Dialed > 0) != (i == 0) || h.Dialed > h.Waited {
			t.Errorf("request %d: dialed %v, waited %v", i, h.Dialed, h.Waited)
		}
	}
}
