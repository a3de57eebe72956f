package app

import (
	"testing"
)

// i says what stands under the cursor; the page of a finding that lies there comes first, and f leads from it to the field.
func TestExplainWhatIsUnderTheCursor(t *testing.T) {
	sizes(t, opening+lists+ask+wrongAnswer, func(s *story) {
		s.press("5", "i")
		s.sees("tools/call", "Runs a tool, usually because a language model wants it to")
		s.press("esc", "enter") // the call with the wrong answer
		s.sees("output invalid")
		s.press("down", "i") // "jsonrpc"
		s.sees("jsonrpc", "member", "JSONRPCResultResponse.jsonrpc", "/jsonrpc", "The version of JSON-RPC", `here       "2.0"`, "Rules about it", "jsonrpc-version-missing")
		s.fits()
		s.press("esc", ">", ">", "i") // in the request nothing was found
		s.sees("Request", "tools/call", "Runs a tool")
		s.press("esc", "<", "<", "]", "i")
		s.sees("tool-error-output-invalid", "f what this field is")
		s.press("f")
		s.sees("is a member of the tool's own structured result")
		s.fits()
		s.press("esc", "esc")
		s.seesNot("own structured result", "tool-error-output-invalid   ")
	})
}

// From a field one goes on to its rules, and to fields beside it and back.
func TestAFieldLeadsOn(t *testing.T) {
	sizes(t, opening+lists, func(s *story) {
		s.press("5", "home", "down", "enter") // tools/list
		s.sees("tools/list")
		s.press("down", "down", "down", "down", "i")
		s.sees("resultType", "ListToolsResult.resultType", "complete", "The request is done and this is its final answer")
		s.fits()
		s.press("G", "enter")
		s.sees("backspace back to resultType")
		s.press("backspace")
		s.sees("ListToolsResult.resultType")
		s.press("g", "enter")
		s.sees("result-type-missing", "How to fix it")
		s.press("esc")
		s.sees("ListToolsResult.resultType")
		s.press("esc", "q")
	})
}

// The parts of the strip say what they mean and why they say so here.
func TestTheVerdictIsExplained(t *testing.T) {
	sizes(t, opening+lists+ask+wrongAnswer, func(s *story) {
		s.press("5", "enter", "I")
		s.sees("Why this verdict", "What it calls itself", "it stood in the result", "The answer calls itself final", "What happened")
		s.press("G")
		s.sees("How long it may be kept", "Nobody may keep this answer", "judged by")
		s.fits()
	})
}

const lostOverHTTP = `
> http POST /mcp Content-Type=application/json MCP-Protocol-Version=2026-07-28 Mcp-Method=tools/list X-Mine=1
> {"jsonrpc":"2.0","id":70,"method":"tools/list","params":{` + meta + `}}
< http 404 Content-Type=application/json Mcp-Session-Id=abc
< {"jsonrpc":"2.0","id":70,"error":{"code":-32601,"message":"no such method"}}
`

// Among the headers a cursor stands on the status and each field.
func TestHeadersAreExplained(t *testing.T) {
	sizes(t, opening+lists+lostOverHTTP, func(s *story) {
		s.press("5", "enter")
		for range 4 {
			s.press(">")
		}
		s.sees("Mcp-Method", "tools/list", "POST /mcp")
		s.press("down", "down", "down", "i")
		s.sees("Mcp-Method", "header of the request", "Repeats the method of the body", `here       tools/list`, "since 2026-07-28")
		s.fits()
		s.press("esc", "down", "i")
		s.sees("X-Mine", "is no header of MCP")
		s.press("esc", "down", "i")
		s.sees("404 Not Found", "status of the response", "From a modern server: it does not have this method")
		s.press("esc", "G", "i") // a finding lies on it
		s.sees("http-session-id-minted", "f what this field is")
		s.press("f")
		s.sees("Mcp-Session-Id", "header of the response", "Named a session of an older server", "does not have this any more")
		s.fits()
	})
}

// Two presses on a value say what it means.
func TestTwoPressesExplain(t *testing.T) {
	sizes(t, opening+lists, func(s *story) {
		s.press("5", "enter")
		s.sees("prompts/list")
		x, y := s.find(`"cacheScope"`)
		s.click(x, y)
		s.click(x, y)
		s.sees("cacheScope", "Who may share a kept result")
	})
}

// The palette explains whatever is typed after "explain".
func TestExplainFromThePalette(t *testing.T) {
	sizes(t, opening+lists, func(s *story) {
		s.press(":")
		s.typed("explain")
		s.sees("explain … a field, header, status")
		s.typed(" mcp-name")
		s.sees("explain Mcp-Name", "header")
		s.press("enter")
		s.sees("Repeats what is called, read or fetched")
		s.press("esc", ":")
		s.typed("explain cache-ttl-neg")
		s.press("enter")
		s.sees("cache-ttl-negative", "Why")
	})
}

// In a tool's definition the keywords of JSON Schema are explained, and the names are the tool's own.
func TestADefinitionIsExplained(t *testing.T) {
	sizes(t, opening+lists, func(s *story) {
		s.press("enter", "esc", ">")
		s.sees("inputSchema")
		s.press("down", "i")
		s.sees("Tool.inputSchema", "What arguments the tool takes")
		s.press("esc", "down", "down", "down", "i")
		s.sees("is a JSON Schema member of the tool's own")
		s.fits()
	})
}
