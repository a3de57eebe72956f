package inspect

import "testing"

func TestCasesOfListsAndWhatIsOnThem(t *testing.T) {
	const ping = `{"name":"ping","description":"reply","inputSchema":{"type":"object"}}`
	const page = `< result {"resultType":"complete","tools":[` + ping + `],"nextCursor":"8","ttlMs":0,"cacheScope":"private"}`
	checkCases(t, []publicCase{
		{name: "C25 the same page and cursor for ever", script: "> tools/list\n" + page +
			"\n> tools/list {\"cursor\":\"8\"}\n" + page + "\n> tools/list {\"cursor\":\"8\"}\n" + page,
			rules: []string{"pagination-loop"}, may: []string{"tools-name-duplicate"}, outcome: []string{"success/", "success/", "success/"}},
		{name: "C25 on an older server", script: `= era 2025-06-18
> tools/list
< result {"tools":[{"name":"a","description":"A","inputSchema":{"type":"object"}}],"nextCursor":"8"}
> tools/list {"cursor":"8"}
< result {"tools":[{"name":"b","description":"B","inputSchema":{"type":"object"}}],"nextCursor":"8"}`,
			rules: []string{"pagination-loop"}},
		{name: "C25 circles of two are circles", script: `> prompts/list
< complete {"prompts":[{"name":"a"}],"nextCursor":"x"}
> prompts/list {"cursor":"x"}
< complete {"prompts":[{"name":"b"}],"nextCursor":"y"}
> prompts/list {"cursor":"y"}
< complete {"prompts":[{"name":"c"}],"nextCursor":"x"}`,
			rules: []string{"pagination-loop"}},
		{name: "C25 the first page for every cursor", script: `> prompts/list
< complete {"prompts":[{"name":"a"}],"nextCursor":"x"}
> prompts/list {"cursor":"x"}
< complete {"prompts":[{"name":"a"}],"nextCursor":"y"}`,
			rules: []string{"pagination-loop"}},
	})
}

// The stories that a faithful server tells in these areas give nothing, not even advice.
func TestFaithfulListsResourcesAndPromptsAreSilent(t *testing.T) {
	for name, script := range map[string]string{
		"walks, reads and gets": `> resources/list
< complete {"resources":[{"uri":"file:///srv/a%20b.txt","name":"a","mimeType":"text/plain","size":3}],"nextCursor":"p2"}
> resources/list {"cursor":"p2"}
< complete {"resources":[{"uri":"notes://2026","name":"notes"}]}
> resources/templates/list
< complete {"resourceTemplates":[{"uriTemplate":"notes://{year}{/month*}{?q}","name":"notes"}]}
> resources/read {"uri":"file:///srv/a%20b.txt"}
< complete {"contents":[{"uri":"file:///srv/a b.txt","mimeType":"text/plain","text":"abc"}]}
> resources/read {"uri":"notes://2026"}
< complete {"contents":[{"uri":"notes://2026/07","mimeType":"text/markdown","text":"# July"},{"uri":"notes://2026/08","mimeType":"application/octet-stream","blob":"AAEC"}]}
> prompts/list
< complete {"prompts":[{"name":"greet","title":"Greeting","arguments":[{"name":"who","required":true}]}]}
> prompts/get {"name":"greet","arguments":{"who":"Ada"}}
< complete {"description":"Greets","messages":[{"role":"user","content":{"type":"text","text":"Greet Ada"}}]}
> prompts/get {"name":"greet"}
< complete {"resultType":"input_required","inputRequests":{"who":{"method":"elicitation/create","params":{"message":"Who?","requestedSchema":{"type":"object","properties":{"who":{"type":"string"}}}}}}}
> completion/complete {"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"A"}}
< complete {"completion":{"values":["Ada","Alan"],"total":12,"hasMore":true}}`,
		"a directory read with a slash too many": `> resources/read {"uri":"file:///SRV/"}
< complete {"contents":[{"uri":"file:///srv","mimeType":"text/plain","text":"a, b"}]}`,
		"every probe answered well": `>h why=unknown-version
> server/discover {"_meta":{"io.modelcontextprotocol/protocolVersion":"1900-01-01"}}
< error {"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],"requested":"1900-01-01"}}
>h why=meta-without-capabilities
> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
< error {"code":-32602,"message":"_meta has no client capabilities"}
>h why=meta-without-version
> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{}}}}
< error {"code":-32602,"message":"_meta has no protocol version"}
>h why=missing-resource
> resources/read {"uri":"mcploupe://no/such/resource"}
< error {"code":-32602,"message":"Resource not found","data":{"uri":"mcploupe://no/such/resource"}}
>h why=missing-prompt
> prompts/get {"name":"mcploupe-no-such-prompt"}
< error {"code":-32602,"message":"Unknown prompt: mcploupe-no-such-prompt"}
>h why=garbage-cursor
> prompts/list {"cursor":"mcploupe-no-such-cursor"}
< error {"code":-32602,"message":"Invalid cursor"}`,
		"what is not declared is not there": `= declare {"tools":{}}
>h why=undeclared-lists
> prompts/list
< error {"code":-32601,"message":"There is no method prompts/list"}
>h why=undeclared-lists
> resources/list
< complete {"resources":[]}`,
		"an older server": `= era 2025-06-18
> resources/list
< result {"resources":[{"uri":"demo://a","name":"a","size":1}]}
> resources/read {"uri":"demo://a"}
< result {"contents":[{"uri":"demo://a","mimeType":"text/plain","text":"A"}]}
>h why=missing-resource
> resources/read {"uri":"mcploupe://no/such/resource"}
< error {"code":-32002,"message":"Resource not found","data":{"uri":"mcploupe://no/such/resource"}}
> prompts/list
< result {"prompts":[]}
> prompts/get {"name":"nobody"}
< error {"code":-32602,"message":"Unknown prompt: nobody"}`,
		"the oldest server knows no completions capability": `= era 2024-11-05
= declare {"prompts":{}}
> completion/complete {"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":"A"}}
< result {"completion":{"values":["Ada"]}}`,
		"an older server met by era detection": `= era none
> server/discover
< error {"code":-32601,"message":"Method not found"}
> initialize {"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}
< result {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}
> notifications/initialized
> {"jsonrpc":"2.0","id":3,"method":"tools/list"}
< result {"tools":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			e := Example{Script: script, Profile: ProfileDefault}
			played, err := e.Play(Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range append(played.Before, played.Findings...) {
				if f.Rule.ID == "legacy-only-server" {
					continue // no fault, but worth a remark
				}
				t.Errorf("%s at line %d %s %q: got %s, want %s", f.Rule.ID, played.Line(f.At.Frame), f.At.Part, f.At.Path, f.Got, f.Want)
			}
		})
	}
}
