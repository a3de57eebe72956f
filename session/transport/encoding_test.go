package transport

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"mcploupe/session/wire"
)

func compress(t *testing.T, kind, text string) string {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	switch kind {
	case "gzip":
		w = gzip.NewWriter(&b)
	case "zlib":
		w = zlib.NewWriter(&b)
	case "flate":
		w, _ = flate.NewWriter(&b, 5)
	}
	_, _ = io.WriteString(w, text)
	_ = w.Close()
	return b.String()
}

func TestHTTPEncodings(t *testing.T) {
	gz := compress(t, "gzip", one)
	broken := []byte(compress(t, "gzip", strings.Repeat(one, 10)))
	broken[len(broken)-5] ^= 0xFF // the checksum
	for _, c := range []struct{ name, encoding, body, want string }{
		{"gzip", "gzip", gz, "200 < : " + one + "\neof"},
		{"X-GZIP", "X-GZIP", gz, "200 < : " + one + "\neof"},
		{"identity", "identity", one, "200 < : " + one + "\neof"},
		{"gzip twice", "gzip, gzip", compress(t, "gzip", gz), "200 < : " + one + "\neof"},
		{"deflate, not asked for", "deflate", compress(t, "zlib", one), "200 < encoding: " + one + "\neof"},
		{"raw deflate", "deflate", compress(t, "flate", one), "200 < encoding: " + one + "\neof"},
		{"br", "br", "\x0b\x11", "200 < encoding: \x0b\x11\neof"},
		{"gzip that is none", "gzip", one, "200 < encoding: " + one + "\neof"},
		{"gzip with a wrong checksum", "gzip", string(broken), "200 < encoding: " + strings.Repeat(one, 10) + "\neof undoing gzip: gzip: invalid checksum"},
		{"gzip cut short", "gzip", gz[:len(gz)-12], "200 < truncated,encoding: %\neof undoing gzip: unexpected EOF"},
		{"empty", "gzip", "", "head 200\neof"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tap, l := listen(t)
			conn, _ := serve(t, tap, raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: "+c.encoding+"\r\n\r\n"+c.body), HTTPOptions{})
			_, got := post(t, conn, l, Outgoing{})
			before, after, any := strings.Cut(c.want, "%")
			if got != c.want && !(any && strings.HasPrefix(got, before) && strings.HasSuffix(got, after)) {
				t.Errorf("got\n%q\nwant\n%q", got, c.want)
			}
		})
	}
	t.Run("asked for by the caller", func(t *testing.T) {
		tap, l := listen(t)
		conn, _ := serve(t, tap, raw("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n"+compress(t, "zlib", one)), HTTPOptions{Header: []wire.Field{{Name: "Accept-Encoding", Value: "gzip;q=0, deflate"}}})
		if _, got := post(t, conn, l, Outgoing{}); got != "200 < : "+one+"\neof" {
			t.Errorf("got %q", got)
		}
	})
	// A compressed stream is read as it comes, not when it is over.
	t.Run("gzip stream", func(t *testing.T) {
		tap, l := listen(t)
		hold := make(chan struct{})
		conn, _ := serve(t, tap, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			fmt.Fprintf(z, "data: %s\n\n", one)
			_ = z.Flush()
			w.(http.Flusher).Flush()
			<-hold
			fmt.Fprintf(z, "data: %s\n\n", two)
			_ = z.Close()
		}, HTTPOptions{})
		s, err := conn.Send(background(t), Outgoing{Body: []byte(one)})
		if err != nil {
			t.Fatal(err)
		}
		l.wait(t, 0, "the first event", isReceived(one))
		close(hold)
		l.laneEnd(t, s.Lane)
		if got := l.told(s.Lane); got != "head 200\nevent < : "+one+"\nevent < : "+two+"\neof" {
			t.Errorf("got\n%s", got)
		}
	})
}
