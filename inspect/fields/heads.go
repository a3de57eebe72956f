package fields

import (
	"fmt"
	"strconv"
	"strings"

	"mcploupe/session/mcp"
)

// ForHeader is what is known of an HTTP header field, in whatever case it is written.
func ForHeader(name string) Found {
	f := Found{Name: name, Entry: of(name, Header)}
	if f.Entry == nil && len(name) > len(mcp.HeaderParamPrefix) && strings.EqualFold(name[:len(mcp.HeaderParamPrefix)], mcp.HeaderParamPrefix) {
		f.Entry = of(mcp.HeaderParamPrefix+"*", Header)
		f.Note = "`" + name[len(mcp.HeaderParamPrefix):] + "` is what the tool's `inputSchema` says in `x-mcp-header` at the argument that is repeated here."
	}
	if f.Entry == nil && strings.HasPrefix(strings.ToLower(name), "access-control-") {
		f.Entry = of("Access-Control-*", Header)
	}
	if f.Entry == nil {
		f.Note = "`" + name + "` is no header of MCP. It is one of HTTP's own, or of a server, proxy or host on the way; MCP gives it no meaning."
	}
	return f
}

// ForStatus is what is known of an HTTP status.
func ForStatus(status int) Found {
	name := strconv.Itoa(status)
	f := Found{Name: name, Entry: of(name, Status)}
	if f.Entry == nil {
		f.Note = fmt.Sprintf("MCP gives %d no meaning of its own. HTTP says: %s.", status, statusClass(status))
	}
	return f
}

func statusClass(status int) string {
	switch status / 100 {
	case 1:
		return "the answer is still to come"
	case 2:
		return "the request was understood and accepted"
	case 3:
		return "what was asked for is elsewhere"
	case 4:
		return "the request is at fault, and sending it again unchanged will not help"
	case 5:
		return "the server, or a proxy before it, is at fault"
	}
	return "this is no status of HTTP"
}

// ForCode is the entry about a JSON-RPC error code: its own, else that of the range it lies in. It is nil for codes that nobody reserves.
func ForCode(code int64) *Entry {
	if e := of(strconv.FormatInt(code, 10), Code); e != nil {
		return e
	}
	switch {
	case mcp.CodeFrozen(code):
		return of("-32000…-32019", Code)
	case code >= mcp.CodeServerMin && code < mcp.CodeFrozenMin:
		return of("-32020…-32099", Code)
	case code >= mcp.CodeReservedMin && code <= mcp.CodeReservedMax:
		return of("-32768…-32000", Code)
	}
	return of("application code", Code)
}

// ForMethod is the entry about a method or notification, nil when there is none.
func ForMethod(name string) *Entry { return of(name, Method, Notification) }

// ForVerdict is the entry about a word of our own verdict strip; part is "resultType", "outcome", "kind" or "freshness".
func ForVerdict(part, word string) *Entry {
	for _, e := range named(word) {
		if e.Kind == Verdict && len(e.In) > 0 && e.In[0] == part {
			return e
		}
	}
	return nil
}
