package demo

import (
	"context"
	"net/http"
	"slices"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// call is one request being answered: what it asked for, what the client declared in it, and the way back.
type call struct {
	s      *Server
	peer   *peer
	ctx    context.Context
	method string
	id     raw
	params jsondoc.Value
	header http.Header // nil on stdio
	on     faultSet

	rev      string // revision that the request is answered by
	legacy   *session
	caps     jsondoc.Value // client capabilities, of this request (modern) or of initialize (legacy)
	level    string        // log level asked for; "": no log messages
	progress raw           // progress token; nil: none asked for

	send   func([]byte) // notifications of this request
	name   string       // the tool that is called
	args   jsondoc.Value
	silent bool // a fault: the call ends without a response
}

func (c *call) modern() bool { return c.legacy == nil }

// has says whether a fault is on for this request.
func (c *call) has(fault string) bool { return c.on[fault] }

func (c *call) meta() jsondoc.Value { return c.params.Get("_meta") }

// readMeta takes what a modern request says about itself (basic/index, _meta): protocolVersion and
// clientCapabilities are required on every request, nothing is remembered from earlier ones.
func (c *call) readMeta() *failure {
	meta := c.meta()
	if f := c.requireMeta(); f != nil {
		if c.has("meta-accepted") {
			c.rev = mcp.Latest
			return nil
		}
		return f
	}
	c.rev = mcp.Latest
	c.caps = meta.Get(mcp.MetaClientCapabilities)
	if info := meta.Get(mcp.MetaClientInfo); info.Exists() && (!info.Get("name").Is(jsondoc.String) || !info.Get("version").Is(jsondoc.String)) {
		return invalidParams("Invalid params: _meta " + mcp.MetaClientInfo + " needs a name and a version").badRequest()
	} else if !info.Exists() && c.has("client-info-demanded") {
		return invalidParams("Invalid params: _meta lacks " + mcp.MetaClientInfo).badRequest()
	}
	if level := meta.Get(mcp.MetaLogLevel); level.Exists() {
		if !slices.Contains(mcp.LogLevels(), level.Text()) {
			return invalidParams("Invalid params: unknown log level").with(obj("levels", mcp.LogLevels()))
		}
		c.level = level.Text()
	}
	if token := meta.Get(mcp.MetaProgressToken); token.Exists() {
		if !token.Is(jsondoc.String) && !token.IsInteger() {
			return invalidParams("Invalid params: a progressToken is a string or an integer")
		}
		c.progress = raw(token.Raw())
	}
	return nil
}

func (c *call) requireMeta() *failure {
	meta := c.meta()
	lacks := func(key string) *failure {
		f := invalidParams("Invalid params: _meta lacks " + key).badRequest()
		if c.has("meta-code") {
			f.code = mcp.CodeInvalidRequest
		}
		if c.has("meta-status") {
			f.status = http.StatusOK
		}
		return f
	}
	version := meta.Get(mcp.MetaProtocolVersion)
	if !version.Is(jsondoc.String) {
		return lacks(mcp.MetaProtocolVersion)
	}
	// The header is compared before the version is judged: when they differ, which of them is meant is open.
	if f := c.checkVersionHeader(version.Text()); f != nil {
		return f
	}
	if !slices.Contains(c.s.supported(), version.Text()) && !c.has("version-accepted") {
		return fail(mcp.CodeUnsupportedVersion, "Unsupported protocol version").
			with(obj("supported", c.s.supported(), "requested", version.Text()))
	}
	if !meta.Get(mcp.MetaClientCapabilities).Is(jsondoc.Object) {
		return lacks(mcp.MetaClientCapabilities)
	}
	return nil
}

// declares says whether the client declared a capability in this request: "elicitation", or a part of one.
func (c *call) declares(capability string, part ...string) bool {
	v := c.caps.Get(capability)
	for _, p := range part {
		v = v.Get(p)
	}
	return v.Exists()
}

// notify sends a notification that belongs to this request.
func (c *call) notify(method string, params *object) {
	m := obj("jsonrpc", "2.0", "method", method)
	if params != nil {
		m.set("params", params)
	}
	c.send(appendJSON(nil, m))
}

// report sends a progress notification when the client asked for progress. total 0 leaves open of how much.
func (c *call) report(progress, total float64, text string) {
	if c.progress == nil {
		return
	}
	p := obj("progressToken", c.progress, "progress", progress)
	if total > 0 {
		p.set("total", total)
	}
	p.set("message", text)
	for _, f := range c.faults() {
		if f.progress != nil {
			f.progress(c, p)
		}
	}
	c.notify(mcp.Progress, p)
}

// log sends a log message when the request asked for messages of this level.
func (c *call) log(level, text string) { c.logData(level, "station", text) }

// logData is log with any JSON value, and the name of who speaks.
func (c *call) logData(level, logger string, data any) {
	levels := mcp.LogLevels()
	if c.level == "" && !c.has("log-unasked") {
		return
	}
	if c.level != "" && slices.Index(levels, level) < slices.Index(levels, c.level) && !c.has("log-below-level") {
		return
	}
	c.notify(mcp.LogMessage, obj("level", level, "logger", logger, "data", data))
}

// handle runs the method. The result is without resultType and without the server's name: finish adds them.
func (c *call) handle() (*object, *failure) {
	switch c.method {
	case mcp.ToolsList:
		return c.listTools()
	case mcp.ToolsCall:
		return c.callTool()
	case mcp.ResourcesList:
		return c.listResources()
	case mcp.TemplatesList:
		return c.listTemplates()
	case mcp.ResourcesRead:
		return c.readResource()
	case mcp.PromptsList:
		return c.listPrompts()
	case mcp.PromptsGet:
		return c.getPrompt()
	case mcp.Complete:
		return c.complete()
	}
	if c.modern() {
		switch c.method {
		case mcp.Discover:
			return c.discover()
		case mcp.Listen:
			return c.listen()
		case mcp.TasksGet, mcp.TasksUpdate, mcp.TasksCancel:
			return c.tasks()
		case mcp.Ping:
			if c.has("ping-served") {
				return obj(), nil
			}
		case mcp.TasksList:
			if c.has("task-list-left") {
				return obj("tasks", []any{}), nil
			}
		}
	} else if r, f, ok := c.handleLegacy(); ok {
		return r, f
	}
	f := fail(mcp.CodeMethodNotFound, "Method not found: "+c.method)
	if c.has("method-code") {
		f.code = mcp.CodeInternalError
	}
	return nil, f
}

func (c *call) discover() (*object, *failure) {
	return c.cached(obj(
		"supportedVersions", c.s.supported(),
		"capabilities", c.s.capabilities().set("extensions", obj(mcp.ExtensionTasks, obj())),
		"instructions", instructions,
	), 3_600_000, mcp.ScopePublic), nil
}

// cached adds the hints of the six cacheable methods.
func (c *call) cached(r *object, ttl int64, scope string) *object {
	if c.modern() {
		r.set("ttlMs", ttl).set("cacheScope", scope)
	}
	return r
}

// finish makes a result what the revision asks for: resultType first, the server's name last.
func (c *call) finish(r *object) *object {
	if !c.modern() {
		if !mcp.AtLeast(c.rev, mcp.R20250618) {
			r.drop("structuredContent")
			c.oldBlocks(r)
		}
		return r
	}
	if !r.has("resultType") {
		r.first("resultType", mcp.ResultComplete)
	}
	meta := r.object("_meta")
	if meta == nil {
		meta = obj()
		r.set("_meta", meta)
	}
	meta.set(mcp.MetaServerInfo, c.s.info())
	return r
}

// oldBlocks leaves out the blocks of content that came with later revisions: resource_link with 2025-06-18, audio with 2025-03-26.
func (c *call) oldBlocks(r *object) {
	blocks, ok := r.get("content").([]any)
	if !ok {
		return
	}
	r.set("content", slices.DeleteFunc(slices.Clone(blocks), func(b any) bool {
		o, ok := b.(*object)
		return ok && (o.text("type") == "resource_link" || o.text("type") == "audio" && !mcp.AtLeast(c.rev, mcp.R20250326))
	}))
}

// respond runs the call and gives the text of its response, nil when it was cancelled meanwhile.
func (c *call) respond() (text []byte, status int) {
	if c.has("no-answer") && c.hangs() {
		select {
		case <-c.ctx.Done():
		case <-c.peer.closing:
		case <-c.s.closed:
		}
		return nil, 0
	}
	r, f := c.handle()
	if c.ctx.Err() != nil || c.silent {
		return nil, 0
	}
	if f != nil {
		return c.refuse(f)
	}
	r = c.finish(r)
	for _, fault := range c.faults() {
		if fault.result != nil {
			fault.result(c, r)
		}
	}
	return c.envelope(obj("jsonrpc", "2.0", "id", c.id, "result", r)), http.StatusOK
}

// refuse is the response to a call that failed.
func (c *call) refuse(f *failure) (text []byte, status int) {
	for _, fault := range c.faults() {
		if fault.failure != nil {
			fault.failure(c, f)
		}
	}
	m := obj("jsonrpc", "2.0", "id", c.id, "error", f.object())
	if f.noID {
		m.drop("id")
	}
	status = f.statusOf()
	if c.legacy != nil && f.status == 0 {
		status = http.StatusOK // the legacy revisions tie no status to a code
	}
	return c.envelope(m), status
}

// envelope writes a response after the faults had their say.
func (c *call) envelope(m *object) []byte {
	faults := c.faults()
	for _, fault := range faults {
		if fault.envelope != nil {
			fault.envelope(c, m)
		}
	}
	text := appendJSON(nil, m)
	for _, fault := range faults {
		if fault.text != nil {
			text = fault.text(c, text)
		}
	}
	return text
}
