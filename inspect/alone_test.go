package inspect

import "testing"

// One fault is found by its own rule, and not by a neighbour that sees no more than its consequences.
func TestAFaultIsFoundByItsOwnRuleAlone(t *testing.T) {
	const asks = `< complete {"resultType":"input_required","inputRequests":{"size":{"method":"elicitation/create","params":{"message":"Which size?","requestedSchema":{"type":"object","properties":{"size":{"type":"string"}}}}}},"requestState":"x7Gq2"}`
	const task = `< result {"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":60000}`
	const add = "= tools [{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"number\"}},\"required\":[\"a\"]}}]\n"
	checkCases(t, []publicCase{
		{name: "a task in place of a resource has a ttlMs that is no cache hint", script: `= declare {"resources":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
= client {"extensions":{"io.modelcontextprotocol/tasks":{}}}
> resources/read {"uri":"demo://a"}
< result {"resultType":"task","taskId":"786512e2-9e0d-44bd-8f29-789f320fe840","status":"working","createdAt":"2026-07-28T10:30:00Z","lastUpdatedAt":"2026-07-28T10:30:00Z","ttlMs":null}`,
			rules: []string{"tasks-wrong-method"}},
		{name: "content that is no array says nothing about what is in it", script: `= tools [{"name":"sum"}]
> tools/call {"name":"sum","arguments":{}}
< complete {"content":{"type":"text","text":"{\"sum\":4}"},"structuredContent":{"sum":4}}
> tools/call {"name":"sum","arguments":{}}
< complete {"isError":true,"content":{"type":"text","text":"There is nothing to sum"}}`,
			rules: []string{"content-not-array"}},
		{name: "a text that is a number is there, but no text", script: `= tools [{"name":"sum"}]
> tools/call {"name":"sum","arguments":{}}
< complete {"content":[{"type":"text","text":4}],"structuredContent":{"sum":4}}
> tools/call {"name":"sum","arguments":{}}
< complete {"isError":true,"content":[{"type":"text","text":4}]}`,
			rules: []string{"content-text-shape"}},
		{name: "completions that are no list are there, in the wrong shape", script: `> completion/complete {"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"A"}}
< complete {"completion":{"values":"Ada"}}`, rules: []string{"completion-values-shape"}},
		{name: "completions that are missing are a wrong shape of the result", script: `> completion/complete {"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"A"}}
< complete {"completion":{}}`, rules: []string{"result-shape-wrong-method"}},
		{name: "who opens a session without a name", script: `= era none
> initialize {"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"mcploupe","version":"1"}}
< result {"protocolVersion":"2025-06-18","capabilities":{}}`, rules: []string{"legacy-init-shape"}},
		{name: "who opens a session without a revision", script: `= era none
> initialize {"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"mcploupe","version":"1"}}
< result {"capabilities":{},"serverInfo":{"name":"a","version":"1"}}`, rules: []string{"result-shape-wrong-method"}},
		{name: "who asks anybody remembers nobody", script: `= client {}
> tools/call {"name":"order"}
` + asks + `
> tools/list {"_meta":{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}
< complete {"tools":[{"name":"order","description":"Orders","inputSchema":{"type":"object"}}]}
> tools/call {"name":"order"}
` + asks, rules: []string{"mrtr-capability-undeclared"}},
		{name: "a task that comes in any case does not come of the member task", script: `= declare {"tools":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}
= tools [{"name":"survey"}]
> tools/call {"name":"survey","arguments":{}}
` + task + `
>h why=task-param
> tools/call {"name":"survey","arguments":{},"task":{"ttl":1000}}
` + task, rules: []string{"tasks-result-undeclared"}},
		{name: "a result null accepted no arguments", script: add + `> tools/call {"name":"add","arguments":{}}
< result null`, rules: []string{"jsonrpc-result-not-object"}, may: []string{"result-type-missing"}},
		{name: "a refusal with another id is a refusal", script: `= over http
>h Mcp-Method=prompts/list why=header-method-mismatch
> server/discover
<h status=400
< {"jsonrpc":"2.0","id":990001,"error":{"code":-32020,"message":"Mcp-Method is not the method of the body"}}`,
			rules: []string{"jsonrpc-id-mismatch"}},
		{name: "a wrong answer is not a failure of the tool", script: add + `> tools/call {"name":"add","arguments":{"a":1}}
` + asks + `
>h why=answer-malformed
> tools/call {"name":"add","arguments":{"a":1},"inputResponses":[],"requestState":"x7Gq2"}
< error {"code":-32050,"message":"No"}`, rules: []string{"jsonrpc-code-reserved-undefined"}},
	})
}
