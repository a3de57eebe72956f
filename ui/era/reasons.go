package era

import (
	"fmt"
	"strings"

	"mcploupe/session/mcp"
)

// The reasons are our own words; what they tell stands in the changelogs of the revisions.

// whyMessage is why the other side has no such message.
func whyMessage(what, other string) string {
	switch what {
	case mcp.Initialize:
		return other + " has no handshake: a request stands for itself, and says version and capabilities in its _meta"
	case mcp.Initialized:
		return other + " has no handshake, so nothing tells its end"
	case mcp.SetLevel:
		return other + " asks for log messages with each request, by logLevel in its _meta, not once for a session"
	case "the stream for answers":
		return "HTTP+SSE (2024-11-05): a stream is opened first; its first event names where to POST, and the answers come on it. " + other + " answers each POST itself"
	}
	return other + " begins otherwise"
}

// whyHeader is why the other side has no such header, or (has) another value.
func whyHeader(name string, has bool) string {
	switch {
	case strings.EqualFold(name, mcp.HeaderProtocolVersion) && has:
		return "the revision that is spoken"
	case strings.EqualFold(name, mcp.HeaderProtocolVersion):
		return "a header for the version exists from 2025-06-18 on, after the handshake; from 2026-07-28 on it goes with every request and repeats its _meta"
	case strings.EqualFold(name, mcp.HeaderMethod), strings.EqualFold(name, mcp.HeaderName):
		return "from 2026-07-28 on headers repeat method and name, so that whatever stands between need not read the body"
	case strings.HasPrefix(strings.ToLower(name), strings.ToLower(mcp.HeaderParamPrefix)):
		return "from 2026-07-28 on arguments that the tool's schema marks with x-mcp-header are repeated in headers"
	case strings.EqualFold(name, mcp.HeaderSessionID):
		return "sessions over HTTP exist from 2025-03-26 to 2025-11-25; 2026-07-28 keeps no state between requests"
	case has:
		return "another value"
	}
	return "the other revision has no such header"
}

// whyMember is why a member of the body differs.
func whyMember(at string) string {
	name := at[strings.LastIndex(at, "/")+1:]
	if key, is := strings.CutPrefix(at, "/params/_meta/"); is {
		name = key
	}
	switch name {
	case "id":
		return "the handshake used the ids before it"
	case "params", "_meta":
		return "without a handshake every request carries a _meta that says version, client and capabilities"
	case mcp.MetaProtocolVersion:
		return "which version is spoken: agreed on once in initialize, or said by each request (2026-07-28)"
	case mcp.MetaClientInfo:
		return "who asks: said once in initialize, or by each request (2026-07-28)"
	case mcp.MetaClientCapabilities:
		return "what the client can do: said once in initialize, or by each request (2026-07-28), and so it may differ between requests"
	case mcp.MetaLogLevel:
		return "log messages are asked for with the request (2026-07-28); before, by logging/setLevel for the whole session"
	case mcp.MetaProgressToken:
		return "the token is ours to choose: here it is the id of the request"
	case "context":
		return "suggestions for an argument know the other arguments from 2025-06-18 on"
	case "protocolVersion":
		return "the revision that is asked for"
	}
	return "another value"
}

// answer is what differs in what comes back, and on the way to it.
func answer(method, a, b string) []string {
	modern := mcp.Modern(a) || mcp.Modern(b)
	m, known := mcp.Lookup(method)
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if modern && mcp.Modern(a) != mcp.Modern(b) {
		add("every result says what it is by resultType; before 2026-07-28 there is none, and complete is assumed")
		if known && m.Cacheable {
			add("the result says how long it may be kept, by ttlMs and cacheScope; before 2026-07-28 nothing does")
		}
		switch method {
		case mcp.ToolsCall, mcp.PromptsGet, mcp.ResourcesRead:
			add("what the server asks on the way ends the request with input_required, and it is sent again with the answers; before, the server sends requests of its own meanwhile")
		}
		add("who gives up closes the stream over HTTP; before 2026-07-28, and on stdio, notifications/cancelled tells it")
		add("changes of lists are told to whoever asked by subscriptions/listen; before, unasked")
	}
	for _, v := range []string{a, b} {
		switch method {
		case mcp.ToolsCall:
			if !mcp.AtLeast(v, mcp.R20250618) {
				add("%s knows no structuredContent and no resource links in results", v)
			}
		case mcp.ResourcesRead:
			if !mcp.Modern(v) {
				add("in %s an unknown resource is error -32002; from 2026-07-28 on -32602", v)
			}
		}
	}
	return out
}
