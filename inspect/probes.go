package inspect

import (
	"encoding/base64"
	"slices"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Probe is a set of deliberately odd requests that make a server show how it handles them. This package says what to send
// and why; sending is somebody else's. The requests carry the probe's name as the reason (wire.Frame.Why), so that rules
// about ordinary traffic leave them alone. A rule judges every exchange that fits it, whoever sent it: the probe only makes
// sure that there is one.
type Probe struct {
	Name     string
	Why      string // for people: what it shows
	Safe     bool   // it calls no tool but those that a person named and that ask back, and does nothing where the server does as it should
	Stdio    bool   // over stdio only
	Built    bool   // its requests depend on what the server sent before, so whoever sends them makes them; Requests is nil
	Modern   bool   // for servers of 2026-07-28 and later only
	Legacy   string // for servers of older revisions only, from this one on; "" for all that Modern allows
	HTTP     bool   // over HTTP only
	Requests []ProbeRequest
}

// For tells whether the probe is for a server of this era and revision, over this kind of transport ("stdio", "http", "sse"). What
// another caller must send is for none: it needs that caller's headers.
func (p *Probe) For(era, version, kind string) bool {
	switch {
	case p.Name == ProbeOtherCaller, p.Modern && era != EraModern, p.HTTP && kind == "stdio", p.Stdio && kind != "stdio":
		return false
	case p.Legacy == "":
		return true
	}
	return era == EraLegacy && !(p.HTTP && kind == "sse") && mcp.AtLeast(version, p.Legacy)
}

// ProbeRequest is one request of a probe: an ordinary one, changed in one way.
type ProbeRequest struct {
	Method     string
	Params     string       // raw JSON, without _meta; "" for none
	Capability string       // send only when the server declared this; "" always
	Undeclared string       // send only when the server did not declare this; "" always
	Extension  string       // send only when the server lists this extension; "" always
	Client     string       // raw JSON of the client capabilities to declare instead of the usual ones; "" for those
	Version    string       // protocolVersion to claim in _meta and header instead of the one in use; "" for that
	OmitMeta   []string     // _meta keys to leave out, with the headers that repeat them left as they are
	Header     []wire.Field // HTTP headers to set instead of the right ones
	DropHeader []string     // HTTP headers to leave out
	Guarded    bool         // send only to a server that wants authorization
	Session    bool         // send only in a session that has an id (Mcp-Session-Id)
}

// Names that no server has. They are long and plain, so that a message that repeats them is recognised.
const (
	ProbeTool   = "mcploupe-no-such-tool"
	ProbeMethod = "mcploupe/no-such-method"
	ProbeURI    = "mcploupe://no/such/resource"
	ProbeCursor = "mcploupe-no-such-cursor"
	ProbePrompt = "mcploupe-no-such-prompt"
	ProbeTask   = "mcploupe-no-such-task"
	ProbeKey    = "mcploupe-no-such-key"
)

// ProbeOtherCaller is the name of the probe that asks again as somebody else.
const ProbeOtherCaller = "other-caller"

// Names of probes that rules or senders know.
const (
	ProbeMadeUpToken   = "made-up-token"
	ProbeMadeUpSession = "made-up-session"
	ProbeMadeUpVersion = "made-up-version-header"
	ProbeOldVersions   = "older-revisions"
)

// Probes lists the probes, safe ones first, in the order in which to send them.
func Probes() []Probe {
	list := func(capability, method string) ProbeRequest {
		return ProbeRequest{Method: method, Capability: capability}
	}
	lists := []ProbeRequest{
		list("tools", mcp.ToolsList), list("resources", mcp.ResourcesList),
		list("resources", mcp.TemplatesList), list("prompts", mcp.PromptsList),
	}
	var cursors, undeclared []ProbeRequest
	for _, l := range lists {
		c, u := l, l
		c.Params = `{"cursor":"` + ProbeCursor + `"}`
		u.Capability, u.Undeclared = "", l.Capability
		cursors, undeclared = append(cursors, c), append(undeclared, u)
	}
	discover := ProbeRequest{Method: mcp.Discover}
	with := func(r ProbeRequest, change func(*ProbeRequest)) []ProbeRequest {
		change(&r)
		return []ProbeRequest{r}
	}
	call := ProbeRequest{Method: mcp.ToolsCall, Params: `{"name":"` + ProbeTool + `","arguments":{}}`, Capability: "tools"}
	header := func(name, why string, r ProbeRequest, change func(*ProbeRequest)) Probe {
		return Probe{Name: name, Why: why, Safe: true, Modern: true, HTTP: true, Requests: with(r, change)}
	}
	const mismatch = "A gateway may route by a header and the server act by the body: the server has to notice when the two differ. "
	const missing = "The header repeats what the body says, for gateways that do not read bodies: a request without it has to be refused. "
	return slices.Concat([]Probe{
		{Name: "unknown-tool", Safe: true, Requests: []ProbeRequest{call},
			Why: "Calls a tool that does not exist: is it said, and is it said so that the model can see it?"},
		{Name: "malformed-call", Safe: true, Requests: []ProbeRequest{
			{Method: mcp.ToolsCall, Params: `{}`, Capability: "tools"},
			{Method: mcp.ToolsCall, Params: `{"name":"` + ProbeTool + `","arguments":[]}`, Capability: "tools"},
		}, Why: "Sends a tools/call without a tool name, and one whose arguments are an array: both are no calls at all and need a protocol error."},
		{Name: "unknown-method", Safe: true, Requests: []ProbeRequest{{Method: ProbeMethod}},
			Why: "Sends a method that does not exist: -32601 is due, a hanging request or a result would mislead every client."},
		{Name: "unknown-version", Safe: true, Modern: true,
			Requests: with(discover, func(r *ProbeRequest) { r.Version = "1900-01-01" }),
			Why:      "Claims a revision of 1900: the server has to refuse it with -32022 and name the revisions that it does speak."},
		{Name: "meta-without-capabilities", Safe: true, Modern: true,
			Requests: with(lists[0], func(r *ProbeRequest) { r.OmitMeta = []string{mcp.MetaClientCapabilities} }),
			Why:      "Leaves the client's capabilities out of _meta: without a session the server cannot know them from before, so it has to refuse."},
		{Name: "meta-without-version", Safe: true, Modern: true,
			Requests: with(lists[0], func(r *ProbeRequest) { r.OmitMeta = []string{mcp.MetaProtocolVersion} }),
			Why:      "Leaves the revision out of _meta: the server would have to guess by which rules to answer, so it has to refuse."},
		{Name: "meta-without-client-info", Safe: true, Modern: true,
			Requests: with(lists[0], func(r *ProbeRequest) { r.OmitMeta = []string{mcp.MetaClientInfo} }),
			Why:      "Leaves the client's name out of _meta, which every client may: the server has to answer all the same."},
		{Name: "missing-resource", Safe: true,
			Requests: []ProbeRequest{{Method: mcp.ResourcesRead, Params: `{"uri":"` + ProbeURI + `"}`, Capability: "resources"}},
			Why:      "Reads a resource that does not exist: clients tell “not there” from “not now” by the error."},
		{Name: "missing-prompt", Safe: true,
			Requests: []ProbeRequest{{Method: mcp.PromptsGet, Params: `{"name":"` + ProbePrompt + `"}`, Capability: "prompts"}},
			Why:      "Gets a prompt that does not exist."},
		{Name: "garbage-cursor", Safe: true, Requests: cursors,
			Why: "Asks each list for a page with an invented cursor: a server that answers with the first page makes clients walk in circles."},
		{Name: "undeclared-lists", Safe: true, Requests: undeclared,
			Why: "Asks for the lists of capabilities that the server did not declare: what is there but not declared is invisible to clients."},
		header("header-method-mismatch", mismatch+"Mcp-Method says prompts/list, the body server/discover.", discover,
			func(r *ProbeRequest) { r.Header = []wire.Field{{Name: mcp.HeaderMethod, Value: mcp.PromptsList}} }),
		header("header-name-mismatch", mismatch+"Mcp-Name names another tool than the body (neither exists).", call,
			func(r *ProbeRequest) { r.Header = []wire.Field{{Name: mcp.HeaderName, Value: ProbeTool + "-2"}} }),
		header("header-version-mismatch", mismatch+"MCP-Protocol-Version names an older revision than the body.", discover,
			func(r *ProbeRequest) {
				r.Header = []wire.Field{{Name: mcp.HeaderProtocolVersion, Value: mcp.LatestLegacy}}
			}),
		header("header-method-missing", missing+"Here Mcp-Method.", discover,
			func(r *ProbeRequest) { r.DropHeader = []string{mcp.HeaderMethod} }),
		header("header-name-missing", missing+"Here Mcp-Name.", call,
			func(r *ProbeRequest) { r.DropHeader = []string{mcp.HeaderName} }),
		header("header-version-missing", missing+"Here MCP-Protocol-Version.", discover,
			func(r *ProbeRequest) { r.DropHeader = []string{mcp.HeaderProtocolVersion} }),
		header("header-name-encoded", "A header may carry its value in Base64; here Mcp-Name does. The server has to decode it before comparing.", call,
			func(r *ProbeRequest) {
				encoded := base64.StdEncoding.EncodeToString([]byte(ProbeTool))
				r.Header = []wire.Field{{Name: mcp.HeaderName, Value: "=?base64?" + encoded + "?="}}
			}),
		header("foreign-origin", "Says that a page of another origin asks: a server on this machine has to refuse it, or any page in a browser could use it.", discover,
			func(r *ProbeRequest) {
				r.Header = []wire.Field{{Name: "Origin", Value: "http://mcploupe-foreign.example"}}
			}),
		{Name: "removed-methods", Safe: true, Modern: true, Requests: []ProbeRequest{
			{Method: "ping"}, {Method: mcp.ResourcesUnsubscribe, Params: `{"uri":"` + ProbeURI + `"}`},
		}, Why: "Sends two methods that older revisions had: in this one they do not exist, and a server that still serves them has two ways for everything."},
		{Name: ProbeMadeUpToken, Safe: true, HTTP: true,
			Requests: with(ProbeRequest{Method: mcp.ToolsList, Guarded: true}, func(r *ProbeRequest) {
				r.Header = []wire.Field{{Name: "Authorization", Value: "Bearer mcploupe-made-up-token"}}
			}),
			Why: "Comes with an access token that nobody issued, where one is wanted: the server has to notice, and to say so with 401."},
		{Name: "ping", Safe: true, Legacy: mcp.R20241105, Requests: []ProbeRequest{{Method: "ping"}},
			Why: "Asks whether the server is there: clients keep connections alive with it, and give up one that does not answer."},
		{Name: ProbeMadeUpSession, Safe: true, Legacy: mcp.R20250326, HTTP: true,
			Requests: []ProbeRequest{{Method: "ping", Session: true, Header: []wire.Field{{Name: mcp.HeaderSessionID, Value: "mcploupe-no-such-session"}}}},
			Why:      "Comes with the id of a session that does not exist: only 404 tells a client to open a new one."},
		{Name: ProbeMadeUpVersion, Safe: true, Legacy: mcp.R20250618, HTTP: true,
			Requests: []ProbeRequest{{Method: "ping", Header: []wire.Field{{Name: mcp.HeaderProtocolVersion, Value: "1900-01-01"}}}},
			Why:      "Says in the header that the session speaks a revision of 1900: 400 is due."},
		{Name: ProbeOldVersions, Safe: true, Legacy: mcp.R20250326, HTTP: true, Requests: openings(),
			Why: "Opens a session of its own in each older revision, and in one of 1900: a revision that the server speaks has to come back as it was asked for."},
		{Name: ProbeOtherCaller, Safe: true, Requests: lists,
			Why: "Asks for the lists again as another caller (--other-header): what is marked public must not depend on who asks."},
	}, taskProbes(), endpointProbes(), answerProbes(), unsafeProbes())
}

// openings are initialize requests for each revision that has them, and for one that never was.
func openings() []ProbeRequest {
	var all []ProbeRequest
	for _, v := range append([]string{"1900-01-01"}, mcp.Revisions()...) {
		if mcp.Modern(v) {
			continue
		}
		all = append(all, ProbeRequest{Method: mcp.Initialize, Params: `{"protocolVersion":"` + v + `","capabilities":{},"clientInfo":{"name":"mcploupe","version":"1.0.0"}}`,
			DropHeader: []string{mcp.HeaderSessionID, mcp.HeaderProtocolVersion}})
	}
	return all
}
