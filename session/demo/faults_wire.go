package demo

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// Faults of JSON-RPC messages.
func rpcFaults() []fault {
	const list, weather, refused = "list tools", "call get_weather", "read station://skerry/nowhere"
	hanging := func(change func(c *call, m *object)) func(*call, *object) {
		return func(c *call, m *object) {
			if c.hangs() {
				change(c, m)
			}
		}
	}
	return []fault{
		{Fault: Fault{"jsonrpc-gone", "jsonrpc-version-missing", "Leaves jsonrpc out of its responses.", "", list},
			envelope: func(_ *call, m *object) { m.drop("jsonrpc") }},
		{Fault: Fault{"result-and-error", "jsonrpc-result-and-error", "Answers with a result and an error at once.", "", weather},
			envelope: hanging(func(_ *call, m *object) {
				if m.has("result") {
					m.set("error", obj("code", mcp.CodeInternalError, "message", "Not quite"))
				}
			})},
		{Fault: Fault{"neither-result-nor-error", "jsonrpc-no-result-no-error", "Answers with neither a result nor an error.", "", weather},
			envelope: hanging(func(_ *call, m *object) { m.drop("result"); m.drop("error") })},
		{Fault: Fault{"result-null", "jsonrpc-result-not-object", "Answers with the result null.", "", weather},
			envelope: hanging(func(_ *call, m *object) {
				if m.has("result") {
					m.set("result", nil)
				}
			})},
		{Fault: Fault{"id-wrong", "jsonrpc-id-mismatch", "Answers with an id of its own.", "", weather},
			envelope: hanging(func(_ *call, m *object) { m.set("id", 990_001) })},
		{Fault: Fault{"id-as-text", "jsonrpc-id-type-changed", "Answers the id 7 with \"7\", and an id that is text with 7.", "", weather},
			envelope: hanging(func(c *call, m *object) {
				if c.id[0] == '"' {
					m.set("id", 7)
				} else {
					m.set("id", string(c.id))
				}
			})},
		{Fault: Fault{"answered-twice", "jsonrpc-duplicate-response", "Answers the same request twice.", "", weather}},
		{Fault: Fault{"ping-served", "legacy-method-still-served", "Still answers ping, which the revision has no more.", "", "check --probe"}},
		{Fault: Fault{"no-answer", "jsonrpc-no-response", "Never answers.", "", weather}},
		{Fault: Fault{"batch", "jsonrpc-batch", "Answers with an array of one message.", "", weather},
			text: func(c *call, text []byte) []byte {
				if c.hangs() {
					return slices.Concat([]byte("["), text, []byte("]"))
				}
				return text
			}},
		{Fault: Fault{"server-request", "jsonrpc-server-request", "Sends a request of its own before it answers.", "", weather}},
		{Fault: Fault{"unknown-notification", "jsonrpc-unknown-notification", "Sends a notification that no revision knows.", "", weather}},

		{Fault: Fault{"error-without-id", "jsonrpc-error-id-missing", "Leaves the id out of errors, and has nothing but an error for completions.", "", "check"},
			failure: func(c *call, f *failure) {
				onRefusal(func(f *failure) { f.noID = true })(c, f)
				f.noID = f.noID || c.is(mcp.Complete)
			}},
		{Fault: Fault{"error-code-text", "jsonrpc-error-code-not-integer", "Gives an error's code as text.", "", refused},
			failure: onRefusal(func(f *failure) { f.pin().code = "E_NOT_HERE" })},
		{Fault: Fault{"error-no-message", "jsonrpc-error-message-missing", "Gives an error without a message.", "", refused},
			envelope: func(c *call, m *object) {
				if e := m.object("error"); e != nil && c.is(mcp.ResourcesRead, mcp.PromptsGet) {
					e.drop("message")
				}
			}},
		{Fault: Fault{"error-trace", "jsonrpc-error-message-long", "Puts a stack trace into an error's message.", "", refused},
			failure: onRefusal(func(f *failure) {
				f.message += "\n  at Keeper.look (keeper.js:31:9)\n  at Door.open (door.js:7:2)\n  at main (light.js:3:1)"
			})},
		{Fault: Fault{"code-reserved", "jsonrpc-code-reserved-undefined", "Makes up a code in the range that is the specification's.", "", refused},
			failure: onRefusal(func(f *failure) { f.pin().code = -32050 })},
		{Fault: Fault{"code-retired", "jsonrpc-code-32002", "Answers a missing resource with -32002, which is retired.", "", refused},
			failure: func(c *call, f *failure) {
				if c.is(mcp.ResourcesRead) && f.status == 0 && f.code == mcp.CodeInvalidParams {
					f.code = mcp.CodeResourceNotFound
				}
			}},
		{Fault: Fault{"code-frozen", "jsonrpc-code-legacy-range", "Answers with -32000, which means nothing any more.", "", refused},
			failure: onRefusal(func(f *failure) { f.pin().code = -32000 })},
		{Fault: Fault{"code-zero", "jsonrpc-code-zero", "Answers with the code 0.", "", refused},
			failure: onRefusal(func(f *failure) { f.pin().code = 0 })},
		{Fault: Fault{"method-code", "jsonrpc-method-not-found-code", "Answers an unknown method with -32603.", "", "send no/such/method"}},

		{Fault: Fault{"duplicate-keys", "jsonrpc-duplicate-keys", "Writes ttlMs twice in one object.", "", list},
			text: func(_ *call, text []byte) []byte {
				return bytes.Replace(text, []byte(`"ttlMs":`), []byte(`"ttlMs":0,"ttlMs":`), 1)
			}},
		{Fault: Fault{"bad-utf8", "jsonrpc-invalid-utf8", "Sends bytes that are no UTF-8.", "", weather},
			text: func(c *call, text []byte) []byte {
				if !c.is(mcp.ToolsCall, mcp.ResourcesRead, mcp.PromptsGet) {
					return text
				}
				return bytes.Replace(text, []byte(`"text":"`), []byte("\"text\":\"\xc3\x28 "), 1)
			}},
		{Fault: Fault{"bom", "jsonrpc-invalid-utf8", "Begins its responses with a byte order mark.", "", list},
			text: func(_ *call, text []byte) []byte { return slices.Concat([]byte("\xef\xbb\xbf"), text) }},
	}
}

// Faults of stdio framing and of the process.
func stdioFaults() []fault {
	const list, weather = "list tools", "call get_weather"
	return []fault{
		{Fault: Fault{"noise", "stdio-stdout-noise", "Prints lines for people between its messages.", "stdio", list}},
		{Fault: Fault{"pretty", "stdio-embedded-newline", "Spreads its messages over several lines.", "stdio", list}},
		{Fault: Fault{"glued", "stdio-glued-messages", "Puts a message and whatever follows on one line.", "stdio", list}},
		{Fault: Fault{"lsp", "stdio-content-length", "Frames its messages with Content-Length headers.", "stdio", list}},
		{Fault: Fault{"crlf", "stdio-crlf", "Ends its lines with CR LF.", "stdio", list}},
		{Fault: Fault{"exit-early", "stdio-exit-early", "Exits in the middle of a call.", "stdio", weather}},
		{Fault: Fault{"no-exit", "stdio-no-exit-on-eof", "Goes on running after its input was closed.", "stdio", "check"}},
		{Fault: Fault{"one-at-a-time", "stdio-serial-blocking", "Answers one request at a time: a slow one blocks all others.", "stdio", "call calibrate, and list tools meanwhile"}},
	}
}

// framed is a message as it goes to stdout: one line, unless a fault frames it otherwise.
func framed(text []byte, on faultSet) []byte {
	if on["pretty"] {
		text = jsondoc.Indent(nil, jsondoc.Parse(text).Root(), "", "  ")
	}
	if on["noise"] {
		text = slices.Concat([]byte("[skerry] the light is on, one more message goes out\n"), text)
	}
	switch {
	case on["lsp"]:
		return slices.Concat([]byte("Content-Length: "+strconv.Itoa(len(text))+"\r\n\r\n"), text)
	case on["glued"] && bytes.Contains(text, []byte(`"method":"`+mcp.Progress+`"`)):
		return text // the next message follows on the same line
	case on["glued"] && !bytes.Contains(text, []byte(`"method":"`)):
		return append(text, " -- sent by the keeper\n"...)
	case on["crlf"]:
		return append(text, "\r\n"...)
	}
	return append(text, '\n')
}

// Faults of Streamable HTTP.
func httpFaults() []fault {
	const list, weather, slow, probe = "list tools", "call get_weather", "call calibrate --arg stepMs:=50", "check --probe"
	ok := func(f *failure) { f.status = http.StatusOK }
	return []fault{
		{Fault: Fault{"content-type", "http-content-type", "Labels its JSON text/plain.", "http", list}},
		{Fault: Fault{"two-objects", "http-json-not-single", "Puts two objects into one JSON body.", "http", weather}},
		{Fault: Fault{"request-202", "http-request-202", "Answers a request with 202 and no body.", "http", weather}},
		{Fault: Fault{"encoding-odd", "http-encoding-unrequested", "Claims that its body is compressed with br, which nobody offered.", "http", weather}},
		{Fault: Fault{"method-status", "http-method-not-found-status", "Sends -32601 with status 200.", "http", probe},
			failure: onCode(mcp.CodeMethodNotFound, ok)},
		{Fault: Fault{"404-empty", "http-404-without-body", "Answers an unknown method with 404 and an empty body.", "http", probe}},
		{Fault: Fault{"error-500", "http-status-unexpected", "Sends errors about what was asked for with status 500.", "http", "read station://skerry/nowhere"},
			failure: func(_ *call, f *failure) {
				if f.status == 0 && f.code == mcp.CodeInvalidParams {
					f.status = http.StatusInternalServerError
				}
			}},
		{Fault: Fault{"version-status", "version-http-status", "Refuses an unknown version with status 200.", "http", probe},
			failure: onCode(mcp.CodeUnsupportedVersion, ok)},
		{Fault: Fault{"capability-status", "version-capability-http-status", "Refuses a client that lacks a capability with status 200.", "http", "call log_observation, declaring no elicitation"},
			failure: onCode(mcp.CodeMissingClientCapability, ok)},
		{Fault: Fault{"meta-status", "http-meta-invalid-status", "Refuses incomplete _meta with status 200.", "http", probe}},
		{Fault: Fault{"header-status", "http-header-mismatch-status", "Refuses headers that contradict the body with status 200.", "http", probe},
			failure: onCode(mcp.CodeHeaderMismatch, ok)},
		{Fault: Fault{"header-code", "http-header-mismatch-code", "Refuses headers that contradict the body with -32600.", "http", probe}},
		{Fault: Fault{"header-mismatch-accepted", "http-header-mismatch-accepted", "Serves requests whose headers contradict the body.", "http", probe}},
		{Fault: Fault{"header-missing-accepted", "http-header-missing-accepted", "Serves requests without the headers that the revision demands.", "http", probe}},
		{Fault: Fault{"base64-not-decoded", "http-base64-not-decoded", "Compares header values without decoding them.", "http", "call tide_table --header 'Mcp-Name: =?base64?dGlkZV90YWJsZQ==?='"}},
		{Fault: Fault{"param-ignored", "http-param-header-mismatch-accepted", "Does not look at Mcp-Param headers.", "http", "call get_forecast --arg region='Amber Bay' --header 'Mcp-Param-Region: The Narrows'"}},
		{Fault: Fault{"param-demanded", "http-param-header-null-demanded", "Demands Mcp-Param headers for arguments that are not there.", "http", "call get_forecast --arg region='Amber Bay'"}},
		{Fault: Fault{"session-minted", "http-session-id-minted", "Hands out session ids, which the revision has no more.", "http", list}},
		{Fault: Fault{"origin-accepted", "http-origin-accepted", "Serves pages of any origin.", "http", "list tools --header 'Origin: http://evil.example'"}},
		{Fault: Fault{"host-accepted", "http-host-rebinding", "Answers to any host name, on loopback too.", "http", "list tools --header 'Host: evil.example'"}},
		{Fault: Fault{"get-served", "http-get-status", "Answers GET with a page.", "http", probe}},
		{Fault: Fault{"delete-served", "http-delete-status", "Answers DELETE as if there were a session.", "http", probe}},
		{Fault: Fault{"notification-200", "http-notification-status", "Answers a notification with 200.", "http", `send notifications/cancelled --params '{"requestId":0}'`}},
		{Fault: Fault{"sse-no-response", "http-sse-no-response", "Ends an event stream without the response.", "http", weather}},
		{Fault: Fault{"sse-after-response", "http-sse-after-response", "Sends more after the response.", "http", slow}},
		{Fault: Fault{"sse-bad-data", "http-sse-bad-data", "Sends an event that is no JSON.", "http", weather}},
		{Fault: Fault{"sse-buffering", "http-sse-buffering-header", "Leaves X-Accel-Buffering out of its event streams.", "http", weather}},
		{Fault: Fault{"sse-event-id", "http-sse-event-id", "Numbers its events as if streams could be resumed.", "http", weather}},
	}
}

// spoil does what a fault does instead of, or before, running a call over HTTP. done: that was all.
func (s *Server) spoil(c *call, out *stream) (done bool) {
	if c.hangs() && c.has("request-202") {
		out.w.WriteHeader(http.StatusAccepted)
		return true
	}
	if !out.sse || !c.hangs() {
		return false
	}
	for _, name := range []string{"sse-no-response", "sse-bad-data", "sse-after-response", "sse-buffering", "sse-event-id", "answered-twice"} {
		if c.has(name) {
			out.open() // these show on event streams only
		}
	}
	if c.has("sse-bad-data") {
		out.send([]byte("the light is on"))
	}
	return c.has("sse-no-response")
}

// spoilBody does what faults do to a JSON body.
func (s *stream) spoilBody(h http.Header, text *[]byte, status *int) {
	if s.on["content-type"] {
		h.Set("Content-Type", "text/plain; charset=utf-8")
	}
	if s.on["encoding-odd"] && *status == http.StatusOK {
		h.Set("Content-Encoding", "br")
	}
	if s.on["two-objects"] && *status == http.StatusOK {
		*text = slices.Concat(*text, []byte("\n"), appendJSON(nil, obj("jsonrpc", "2.0", "method", mcp.LogMessage, "params", obj("level", "info", "data", "sent"))))
	}
	if s.on["404-empty"] && *status == http.StatusNotFound {
		h.Del("Content-Type")
		*text = nil
	}
}

// afterwards are the messages that faults send behind a response.
func (c *call) afterwards(response []byte) [][]byte {
	var more [][]byte
	if c.has("answered-twice") && c.hangs() {
		more = append(more, response)
	}
	if (c.has("progress-late") || c.has("sse-after-response") && c.header != nil) && c.is(mcp.ToolsCall) && c.progress != nil {
		more = append(more, appendJSON(nil, obj("jsonrpc", "2.0", "method", mcp.Progress,
			"params", obj("progressToken", c.progress, "progress", 1000, "message", "still here"))))
	}
	if c.has("task-progress") && c.progress != nil && bytes.Contains(response, []byte(`"resultType":"task"`)) {
		more = append(more, appendJSON(nil, obj("jsonrpc", "2.0", "method", mcp.Progress, "params", obj("progressToken", c.progress, "progress", 1, "message", "on our way"))))
	}
	return more
}

// intrude sends what does not belong before a tool's answer.
func (c *call) intrude() {
	if c.has("server-request") {
		c.send(appendJSON(nil, obj("jsonrpc", "2.0", "id", "station-1", "method", mcp.ElicitationCreate, "params", observationForm())))
	}
	if c.has("unknown-notification") {
		c.notify("notifications/skerry/tide_turned", obj("height", 3.9))
	}
}
