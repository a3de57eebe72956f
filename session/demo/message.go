package demo

import (
	"net/http"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// message is what a client sent, read only as far as routing needs it.
type message struct {
	id     raw // as it was spelt; nil for notifications
	method string
	params jsondoc.Value
	answer bool // a response to a request of ours (legacy elicitation)
	root   jsondoc.Value
}

// failure is a JSON-RPC error, and the HTTP status that goes with it.
type failure struct {
	code    any // an integer; a fault may put something else here
	message string
	data    any
	status  int // 0: statusOf the code
	noID    bool
}

func fail(code int, text string) *failure { return &failure{code: code, message: text} }

func invalidParams(text string) *failure { return fail(mcp.CodeInvalidParams, text) }

func (f *failure) with(data any) *failure { f.data = data; return f }

// badRequest says that the error goes with HTTP 400: errors about the request's own envelope do,
// errors about what was asked for do not.
func (f *failure) badRequest() *failure { f.status = http.StatusBadRequest; return f }

// pin keeps the HTTP status when the code changes.
func (f *failure) pin() *failure { f.status = f.statusOf(); return f }

func (f *failure) object() *object {
	o := obj("code", f.code, "message", f.message)
	if f.data != nil {
		o.set("data", f.data)
	}
	return o
}

// statusOf is the HTTP status of an error response (2026-07-28, transports/streamable-http and basic/index).
// Where the specification fixes none, it is 200: the exchange itself went well.
func (f *failure) statusOf() int {
	if f.status != 0 {
		return f.status
	}
	switch f.code {
	case mcp.CodeMethodNotFound:
		return http.StatusNotFound
	case mcp.CodeParseError, mcp.CodeInvalidRequest,
		mcp.CodeHeaderMismatch, mcp.CodeMissingClientCapability, mcp.CodeUnsupportedVersion:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// readMessage reads one JSON-RPC message. On failure the message still holds the id where that could be
// read, so that the error reaches the request that caused it.
func readMessage(body []byte) (message, *failure) {
	doc := jsondoc.Parse(body)
	root := doc.Root()
	m := message{root: root}
	if !doc.Valid() {
		return m, fail(mcp.CodeParseError, "Parse error: the message is not valid JSON")
	}
	if root.Is(jsondoc.Array) {
		return m, fail(mcp.CodeInvalidRequest, "Invalid request: batches left the protocol in 2025-06-18")
	}
	if !root.Is(jsondoc.Object) {
		return m, fail(mcp.CodeInvalidRequest, "Invalid request: a message is a JSON object")
	}
	if id := root.Get("id"); id.Exists() {
		if !id.Is(jsondoc.String) && !id.IsInteger() {
			return m, fail(mcp.CodeInvalidRequest, "Invalid request: an id is a string or an integer")
		}
		m.id = raw(id.Raw())
	}
	if v := root.Get("jsonrpc"); !v.Is(jsondoc.String) || v.Text() != "2.0" {
		return m, fail(mcp.CodeInvalidRequest, `Invalid request: jsonrpc must be "2.0"`)
	}
	method := root.Get("method")
	if !method.Exists() && (root.Get("result").Exists() || root.Get("error").Exists()) {
		m.answer = true
		return m, nil
	}
	if !method.Is(jsondoc.String) || method.Text() == "" {
		return m, fail(mcp.CodeInvalidRequest, "Invalid request: method is missing")
	}
	m.method = method.Text()
	m.params = root.Get("params")
	if m.params.Exists() && !m.params.Is(jsondoc.Object) {
		return m, invalidParams("Invalid params: params must be an object").badRequest()
	}
	return m, nil
}
