package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// stage serves a modern server over HTTP and, for tools/call, or from the start, something that goes wrong.
func stage(t *testing.T, fromTheStart bool, wrong func(w http.ResponseWriter, id string)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m := wire.Read(1, time.Time{}, &wire.Frame{Dir: wire.Received, Body: body})
		if fromTheStart || m.Method == mcp.ToolsCall {
			wrong(w, m.ID)
			return
		}
		if m.ID == "" {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		var answer bytes.Buffer
		out := bufio.NewWriter(&answer)
		hostileAnswer("", &m, out, func(format string, a ...any) { fmt.Fprintf(out, format+"\n", a...); out.Flush() })
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer.Bytes())
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL + "/mcp"
}

func page(status int, mediaType, text string, header ...string) func(http.ResponseWriter, string) {
	return func(w http.ResponseWriter, id string) {
		if mediaType != "" {
			w.Header().Set("Content-Type", mediaType)
		}
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, strings.ReplaceAll(text, "$ID", id))
	}
}

// bytesOnWire answers with exactly these bytes and closes the connection.
func bytesOnWire(text string) func(http.ResponseWriter, string) {
	return func(w http.ResponseWriter, id string) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, strings.ReplaceAll(text, "$ID", id))
	}
}

func untilGone(first string) func(http.ResponseWriter, string) {
	return func(w http.ResponseWriter, _ string) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, first)
		w.(http.Flusher).Flush()
		// What a client that is gone makes of a write ends it; a timer, since nothing else tells.
		for tick := time.NewTicker(20 * time.Millisecond); ; <-tick.C {
			if _, err := io.WriteString(w, ": still here\n\n"); err != nil {
				tick.Stop()
				return
			}
			if http.NewResponseController(w).Flush() != nil {
				tick.Stop()
				return
			}
		}
	}
}

const fine = `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"complete","content":[{"type":"text","text":"fine"}]}}`

func TestHostileHTTP(t *testing.T) {
	list := []string{"list", "tools"}
	call := []string{"call", "go"}
	soon := func(words ...string) []string { return append(words, "--timeout", "300ms") }
	half := fine[:len(fine)-20]
	for _, c := range []struct {
		start bool
		wrong func(http.ResponseWriter, string)
		story
	}{
		{true, page(200, "text/html", "<html><body><h1>Log in</h1></body></html>"), story{"answers HTML", list, 3, "", "Log in", `<h1>Log in</h1>`}},
		{true, page(502, "text/html", "<h1>Bad Gateway</h1>"), story{"502", list, 3, "", "502", `"status":502`}},
		{true, page(404, "", ""), story{"404 without a body", list, 3, "", "404", `"status":404`}},
		{true, page(401, "", "", "WWW-Authenticate", `Bearer resource_metadata="https://a.example/x"`), story{"401", list, 4, "", "401", `"kind":"auth"`}},
		{true, page(403, "", "", "WWW-Authenticate", `Bearer error="insufficient_scope"`), story{"403 for want of a scope", list, 4, "", "403", `"kind":"auth"`}},
		{true, page(307, "", "", "Location", "http://other.example/mcp"), story{"redirects to another origin", list, 3, "", "other.example/mcp, which was not followed", `"status":307`}},
		{true, page(302, "", "", "Location", "/elsewhere"), story{"redirects in a way that loses the body", list, 3, "", "302", `"status":302`}},
		{true, page(308, "", "", "Location", "/mcp"), story{"redirects in a circle", list, 3, "", "redirect", `"status":308`}},
		{true, bytesOnWire("HTTP/1.1 200 OK\r\nContent-Type: text/\x1b[31mhtml\r\nX-Evil: \x1b]0;title\x07\r\n\r\n\x1b[2J"), story{"controls in its headers", list, 3, "", "", ""}},
		{true, bytesOnWire("HTTP/1.1 500 \x1b[31mNo\r\nContent-Length: 0\r\n\r\n"), story{"controls in its status line", list, 3, "", "500", ""}},
		{true, bytesOnWire("SSH-2.0-OpenSSH_9.9\r\n"), story{"is no HTTP server", list, 3, "", "HTTP", ""}},
		{true, bytesOnWire(""), story{"hangs up", list, 3, "", "connecting to", ""}},
		{false, page(200, "text/html", "<h1>Session expired</h1>"), story{"answers a call with HTML", call, 3, "Session expired", "", `Session expired`}},
		{false, page(200, "application/json", "not gzip", "Content-Encoding", "gzip"), story{"broken gzip", call, 3, "not gzip", "", `not gzip`}},
		{false, page(200, "application/json", fine, "Content-Encoding", "br"), story{"an encoding that we did not ask for, in name only", call, 0, `"fine"`, "", `http-encoding-unrequested`}},
		{false, page(200, "text/plain", fine), story{"a wrong content type", call, 0, `"fine"`, "", `"text":"fine"`}},
		{false, page(200, "application/json", ""), story{"an empty answer", call, 3, "", "no answer", `"status":200`}},
		{false, page(202, "", ""), story{"takes a request for a notification", call, 3, "", "no answer", `"status":202`}},
		{false, page(500, "application/json", `{"jsonrpc":"2.0","id":$ID,"error":{"code":-32603,"message":"out of cheese"}}`), story{"500 with an error", call, 1, "out of cheese", "", `"kind":"internal"`}},
		{false, bytesOnWire("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n" + half), story{"ends in the middle of a body", call, 3, "jsonrpc", "", `"kind":"truncated"`}},
		{false, bytesOnWire("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(": hello\n\ndata: "+half)), story{"ends in the middle of an event", call, 3, "", "", `"kind":"truncated"`}},
		{false, page(200, "text/event-stream", `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"$ID","progress":1}}`+"\n\n"), story{"ends its stream without an answer", call, 3, "", "no answer", `"progress":1`}},
		{false, untilGone(""), story{"keeps a stream alive for ever", soon(call...), 3, "", "300ms", `"kind":"timeout"`}},
		{false, page(200, "text/event-stream", "data: <html>\n\nevent: \x1b[31m\ndata: \x1b[2J\u202e\n\ndata: "+fine+"\n\n"), story{"noise between its events", call, 0, `"fine"`, "", `"text":"fine"`}},
		{false, page(200, "application/json", `{"jsonrpc":"2.0","id":999,"result":{"resultType":"complete","content":[]}}`), story{"a wrong id", call, 3, "wrong id", `"id":999`, `"kind":"id-mismatch"`}},
		{false, page(200, "application/json", "\xff\xfe\x00garbage\x1b[31m"), story{"garbage for JSON", call, 3, "garbage", "", `garbage`}},
		{false, page(200, "application/json", strings.Repeat("[", 100_000)), story{"100,000 brackets", call, 3, "[[[[", "", `[[[[`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.tell(t, stage(t, c.start, c.wrong))
		})
	}
}

func chunk(s string) string { return strconv.FormatInt(int64(len(s)), 16) + "\r\n" + s + "\r\n" }

// A server that takes the connection and says nothing.
func TestSilentHTTP(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	story{"is silent", []string{"list", "tools", "--timeout", "200ms"}, 3, "", "200ms", `"kind":"timeout"`}.tell(t, "http://"+l.Addr().String()+"/mcp")
}
