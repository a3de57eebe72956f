package inspect

import (
	"strings"
	"testing"
)

// What a faithful server says, for cases in which something else is wrong.
const (
	tools1 = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}}`
	tools2 = `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":0,"cacheScope":"private"}}`
)

func TestCasesOfPipes(t *testing.T) {
	checkCases(t, []publicCase{
		{name: "C01 lines for people between the messages", script: `<< weather-server 0.3 listening
> tools/list
< ` + tools1 + `
<< cache warmed in 12ms
> tools/list
< ` + tools2,
			rules: []string{"stdio-stdout-noise"}, outcome: []string{"success/", "success/"}},
		{name: "C03 CR LF and empty lines", script: `> tools/list
> tools/list
<h shape=crlf
< ` + tools1 + `
<h shape=crlf,blank
<< 
<h shape=crlf
< ` + tools2,
			rules: []string{"stdio-crlf"}, outcome: []string{"success/", "success/"}},
		{name: "C05 a message on five lines", script: `> tools/list
<h shape=pretty lines=5
<< {\n  "jsonrpc": "2.0",\n  "id": 1,\n  "result": { "resultType": "complete" }\n}`,
			rules: []string{"stdio-embedded-newline"},
			may:   []string{"result-shape-wrong-method", "cache-ttl-missing", "cache-scope-missing"}},
		{name: "C06 the framing of language servers", script: `> tools/list
<h shape=lsp before="Content-Length: 103\r\nContent-Type: application/json\r\n\r\n"
< ` + tools1,
			rules: []string{"stdio-content-length"}, outcome: []string{"success/"}},
		{name: "C09 the server exits and explains on stderr", script: `> tools/list
! FATAL: API_KEY is not set
~ exit 1`,
			rules: []string{"stdio-exit-early"}, outcome: []string{"transport-failure/crash"}},
		{name: "C09 an exit is none of the server's faults when we closed its input", script: `> tools/list
~ exit 0 ours`},
		{name: "C09 nor when it answers the first question of all", script: `= era none
> server/discover
~ exit 1`},
		{name: "C10 JSON that is no message", script: `> tools/list
< {"ok":true,"took_ms":41}
< ` + tools1,
			rules: []string{"stdio-stdout-noise", "jsonrpc-version-missing"}, outcome: []string{"success/"}},
	})
}

func TestCasesOfEnvelopes(t *testing.T) {
	checkCases(t, []publicCase{
		{name: "C17 every answer has the id 0", script: `= id 5
> tools/list
< {"jsonrpc":"2.0","id":0,"result":{"resultType":"complete"}}
@ +30s
~ timeout 5`,
			rules: []string{"jsonrpc-id-mismatch"}, may: []string{"result-shape-wrong-method", "jsonrpc-no-response"}},
		{name: "C17 over HTTP", script: `= over http
= id 5
> tools/list
< {"jsonrpc":"2.0","id":0,"result":{"resultType":"complete"}}`,
			rules: []string{"jsonrpc-id-mismatch"}, may: []string{"result-shape-wrong-method"}},
		{name: "C19 null for an id is noted", script: `> tools/list
< ` + tools1 + `
< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`,
			rules: []string{"jsonrpc-error-id-null"}},
		{name: "C19 no id is right when nothing waits", script: `> tools/list
< ` + tools1 + `
< {"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"}}`},
		{name: "C19 to what we wrote wrong on purpose both are right", script: `= over http
>h why=raw
>> {"jsonrpc"
<h status=400
< {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`},
		{name: "C20 progress for a token of nobody, and after the answer", script: `> tools/call {"name":"a","arguments":{},"_meta":{"progressToken":"p-1"}}
< notifications/progress {"progressToken":"made-up","progress":1,"total":1}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}
< notifications/progress {"progressToken":"p-1","progress":1,"total":1}`,
			rules: []string{"progress-token-unknown", "progress-after-completion"}},
		{name: "C23 two hundred times the news that a list has changed", script: "= era 2025-11-25\n> ping\n" +
			strings.Repeat("< notifications/tools/list_changed\n", 200) + "< #1 complete {}"},
		{name: "C24 a request of the server", script: `> tools/call {"name":"a","arguments":{}}
< request elicitation/create {"message":"Continue?","requestedSchema":{"type":"object","properties":{}}}`,
			rules: []string{"jsonrpc-server-request"}},
		{name: "C24 in the revision before it was right", script: `= era 2025-11-25
> tools/call {"name":"a","arguments":{}}
< request elicitation/create {"message":"Continue?","requestedSchema":{"type":"object","properties":{}}}
> {"jsonrpc":"2.0","id":"s1","result":{"action":"decline"}}`},
	})
}

func TestCasesOfHTTP(t *testing.T) {
	checkCases(t, []publicCase{
		{name: "C47 a media type in capitals and with parameters", script: `= over http
> tools/list
<h sse Content-Type="Text/Event-Stream; charset=UTF-8"
< ` + tools1,
			outcome: []string{"success/"}},
		{name: "C47 the same for JSON", script: `= over http
> tools/list
<h Content-Type=Application/JSON;charset=utf-8
< ` + tools1},
		{name: "C48 comments, an event without data and an answer that is cut off, on a stream of old", script: `= over http
= era 2025-11-25
> tools/list
<h sse comment=keep-alive nodata
<< 
<h event=ping
<< 
<h retry=3000 nodata
<< 
< {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
> tools/list
<h sse shape=unterminated
< {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}`,
			rules: []string{"http-sse-no-response"}},
		{name: "C48 empty data is no message on a stream of today", script: `= over http
> tools/list
<h sse event=ping
<< 
< ` + tools1,
			rules: []string{"http-sse-bad-data"}, outcome: []string{"success/"}},
	})
}

// Two answers that a server of today never mixes up with each other: which of them is odd depends on the era.
func TestLegacyServersAreNotHeldToWhatCameLater(t *testing.T) {
	checkCases(t, []publicCase{
		{name: "batches, codes and statuses of their time", script: `= over http
= era 2025-03-26
> tools/list
< [{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","description":"Does A","inputSchema":{"type":"object"}}]}}]
> prompts/get {"name":"a"}
<h Mcp-Session-Id=abc
< error {"code":-32000,"message":"Busy"}
> mcploupe/no-such-method
< error {"code":-32601,"message":"Method not found"}
> resources/read {"uri":"demo://gone"}
< error {"code":-32002,"message":"Resource not found"}`,
			may: []string{"resources-not-found-data"}},
		{name: "a server of old that knows nothing of the first question", script: `= over http
= era none
> server/discover
<h status=400
< {"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Bad Request: Server not initialized"}}`},
		{name: "or answers it with a page", script: `= over http
= era none
> server/discover
<h status=404 Content-Type=text/html
<< <h1>Not Found</h1>`},
		{name: "or with 202", script: `= over http
= era none
> server/discover
<h status=202
< nothing`},
		{name: "or not at all", script: `= era none
> server/discover
@ +10s
~ timeout 1
> initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"mcploupe","version":"1"}}
< {"jsonrpc":"2.0","id":2,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"a","version":"1"}}}`},
	})
}

// The bodies of HTTP errors need not be JSON-RPC.
func TestHTTPErrorsMayHaveBodiesOfTheirOwn(t *testing.T) {
	for _, body := range []string{
		`<h status=401 WWW-Authenticate="Bearer realm=x"` + "\n" + `< {"error":"invalid_token","error_description":"expired"}`,
		`<h status=403` + "\n" + `< {"message":"Forbidden","id":"req-1"}`,
		`<h status=502 Content-Type=text/html` + "\n" + `<< <h1>Bad Gateway</h1>`,
		`<h status=503` + "\n" + `<< "later"`,
		`<h status=429 -Content-Type` + "\n" + `< nothing`,
	} {
		for _, era := range []string{"2026-07-28", "2025-11-25", "none"} {
			checkCases(t, []publicCase{{name: era + " " + body, script: "= over http\n= era " + era + "\n> tools/call {\"name\":\"a\"}\n" + body}})
		}
	}
}
