package fields_test

import (
	"strings"
	"testing"
	"time"

	"mcploupe/inspect/fields"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// message reads a text as a message of a side.
func message(text string) *wire.Message {
	m := wire.Read(1, time.Time{}, (&wire.Frame{Dir: wire.Received, Body: []byte(text)}).Seal())
	return &m
}

// What stands in data of somebody's own, in answers to methods of somebody's own, or under a key of somebody's own gets no text about
// a member of the same name that MCP defines elsewhere; and the same key in two kinds of messages gets the text of its own.
func TestAtBesideMCP(t *testing.T) {
	const (
		own    = `{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":[{"type":"text","text":"x"}],"tools":[{"name":"n"}],"taskId":"1"}}`
		call   = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","inputResponses":{"k":{"action":"accept"}},"_meta":{"com.example/x":{"name":1},"name":"n"}}}`
		update = `{"jsonrpc":"2.0","id":2,"method":"tasks/update","params":{"taskId":"1","inputResponses":{"k":{"action":"accept"}}}}`
		waits  = `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","taskId":"1","status":"input_required","inputRequests":{"k":{"method":"roots/list"}}}}`
		asks   = `{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","inputRequests":{"k":{"method":"roots/list"}}}}`
		told   = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1,"_meta":{"com.example/x":1}}}`
		odd    = `{"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[{"type":"hologram","name":"x"}],"structuredContent":{"name":{"uri":1}},"name":"y","pollIntervalMs":1,"_meta":{"name":"z"}}}`
		data   = `{"jsonrpc":"2.0","id":4,"error":{"code":-32021,"message":"no","data":{"name":"x","requiredCapabilities":{"com":{"name":1}}}}}`
	)
	for _, c := range []struct {
		text, asked, path string
		entry             string // its first place, "" for none
		note              string
	}{
		{own, "acme/search", "/result/action", "Response.result", "`action` answers a method that MCP does not define"},
		{own, "acme/search", "/result/tools/0/name", "Response.result", "This is inside `tools`, which answers a method"},
		{own, "acme/search", "/result/content", "Response.result", "`content` answers a method"},
		{own, "", "/result/action", "ElicitResult.action", ""}, // our answer to a request of the server's
		{call, "", "/params/inputResponses/k", "CallToolRequestParams.inputResponses", "the key of the server's question"},
		{update, "", "/params/inputResponses/k", "UpdateTaskRequest.params.inputResponses", "the key of the server's question"},
		{waits, "tasks/get", "/result/inputRequests/k", "GetTaskResult.inputRequests", "a key that the server chose"},
		{asks, "tools/call", "/result/inputRequests/k", "InputRequiredResult.inputRequests", "a key that the server chose"},
		{call, "", "/params/_meta/com.example~1x", "Request", "belongs to whoever owns the prefix com.example/"},
		{call, "", "/params/_meta/com.example~1x/name", "Request", "This is inside `com.example/x`, which belongs to"},
		{call, "", "/params/_meta/name", "Request", "`name` is a key without a prefix"},
		{told, "", "/params/_meta/com.example~1x", "Notification", "belongs to whoever owns the prefix"},
		{odd, "tools/call", "/result/_meta/name", "Result", "`name` is a key without a prefix"},
		{odd, "tools/call", "/result/content/0/name", "", "a piece of content whose `type` MCP does not define"},
		{odd, "tools/call", "/result/structuredContent/name", "CallToolResult.structuredContent", "a member of the tool's own"},
		{odd, "tools/call", "/result/structuredContent/name/uri", "CallToolResult.structuredContent", "This is inside `name`, which is a member of the tool's own"},
		{odd, "tools/call", "/result/name", "", "Members of this name stand elsewhere, each with a meaning of its own: "},
		{data, "tools/call", "/error/data/name", "Error.data", "stands in data of the sender's own"},
		{data, "tools/call", "/error/data/requiredCapabilities/com/name", "", "This is inside `com`, which is not defined by MCP as a member of ClientCapabilities"},
	} {
		f := fields.At(fields.Place{Message: message(c.text), Asked: c.asked, Path: jsondoc.Pointer(c.path)})
		first := ""
		if f.Entry != nil {
			first = strings.Join(f.Entry.Places(), " ")
		}
		if (c.entry == "") != (f.Entry == nil) || !strings.Contains(first, c.entry) || !strings.Contains(f.Note, c.note) || c.note == "" && f.Note != "" {
			t.Errorf("%s of %.60s: about %q, note %q; want %q, %q", c.path, c.text, first, f.Note, c.entry, c.note)
		}
	}
}

// A name means what it means where it stands.
func TestAt(t *testing.T) {
	const (
		list    = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"a"},{"name":"b","inputSchema":{"type":"object","properties":{"x":{"type":"string","x-mcp-header":"X","myNote":1}},"$defs":{"p":{"type":"object"}},"oneOf":[{"required":["x"]}]},"outputSchema":{"properties":{"temp":{}}},"annotations":{"title":"t"},"execution":{"taskSupport":"optional"},"icons":[{"src":"data:,"}],"_meta":{"com.example/x":1,"io.modelcontextprotocol/new":2,"plain":3},"surprise":1,"ttlMs":9}],"ttlMs":1,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}`
		call    = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"b","arguments":{"x":{"deep":1}},"requestState":"s","inputResponses":{"q":{"action":"accept","content":{"f":1}},"r":{"roots":[{"uri":"file:///"}]},"s":{"role":"assistant","content":{"type":"text","text":""},"model":"m"}},"_meta":{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{},"com.example/z":{}}},"progressToken":1}}}`
		asks    = `{"jsonrpc":"2.0","id":2,"result":{"resultType":"input_required","requestState":"z","ttlMs":1,"inputRequests":{"q":{"method":"elicitation/create","params":{"mode":"form","message":"?","requestedSchema":{"type":"object","properties":{"f":{"type":"string","enum":["a"]},"g":{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]}}}}}},"u":{"method":"elicitation/create","params":{"mode":"url","url":"https://x"}},"m":{"method":"sampling/createMessage","params":{"messages":[{"role":"user","content":{"type":"text","text":"hi"}}],"modelPreferences":{"hints":[{"name":"x"}]}}}}}}`
		content = `{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","content":[{"type":"text","text":"t"},{"type":"resource","resource":{"uri":"u","blob":""}},{"type":"resource_link","uri":"u","name":"n"}],"isError":true,"structuredContent":{"temp":{"c":1}}}}`
		missing = `{"jsonrpc":"2.0","id":2,"error":{"code":-32021,"message":"no","data":{"requiredCapabilities":{"sampling":{"tools":{}}}}}}`
		other   = `{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"no","data":{"trace":"x"}}}`
		task    = `{"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","taskId":"1","status":"completed","ttlMs":1,"result":{"content":[{"type":"text","text":"t"}],"isError":false}}}`
		handle  = `{"jsonrpc":"2.0","id":3,"result":{"resultType":"task","taskId":"1","status":"working"}}`
		begin   = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true},"tasks":{"requests":{"elicitation":{"create":{}}}}},"clientInfo":{"name":"c","version":"1"}}}`
		told    = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":{"a":1},"_meta":{"traceparent":"x","io.modelcontextprotocol/serverInfo":{}}}}`
		ack     = `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"taskIds":["t"]}}}`
		made    = `{"jsonrpc":"2.0","id":9,"method":"my/thing","params":{"a":1}}`
		prompt  = `{"jsonrpc":"2.0","id":4,"result":{"prompts":[{"name":"p","arguments":[{"name":"a"}]}]}}`
		complet = `{"jsonrpc":"2.0","id":5,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"x"},"argument":{"name":"n","value":""}}}`
		batch   = `[{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"x"}]}},{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":1}}]`
	)
	for _, c := range []struct {
		text, asked, path string
		place, note       string // note: part of it
		here              string // name of the first entry about the value
	}{
		{list, "tools/list", "/result/tools/1/name", "Tool.name", "", ""},
		{prompt, "prompts/list", "/result/prompts/0/name", "Prompt.name", "", ""},
		{prompt, "prompts/list", "/result/prompts/0/arguments/0/name", "PromptArgument.name", "", ""},
		{list, "tools/list", "/result/_meta/io.modelcontextprotocol~1serverInfo/name", "Implementation.name", "", ""},
		{call, "", "/params/name", "CallToolRequestParams.name", "", ""},
		{complet, "", "/params/argument/name", "CompleteRequestParams.argument.name", "", ""},
		{complet, "", "/params/ref/uri", "ResourceTemplateReference.uri", "", ""},
		{list, "tools/list", "/result/ttlMs", "ListToolsResult.ttlMs", "", ""},
		{task, "tasks/get", "/result/ttlMs", "GetTaskResult.ttlMs", "", ""},
		{task, "tasks/get", "/result/status", "GetTaskResult.status", "", "completed"},
		{task, "tasks/get", "/result/result/isError", "CallToolResult.isError", "", ""},
		{task, "tasks/get", "/result/result/content/0/text", "TextContent.text", "", ""},
		{handle, "tools/call", "/result/taskId", "CreateTaskResult.taskId", "", ""},
		{handle, "tools/call", "/result/resultType", "CreateTaskResult.resultType", "", "task"},
		{list, "tools/list", "/result/tools/1/inputSchema", "Tool.inputSchema", "", ""},
		{list, "tools/list", "/result/tools/1/inputSchema/properties/x", "Tool.inputSchema", "`x` is a JSON Schema member of the tool's own: an argument", ""},
		{list, "tools/list", "/result/tools/1/outputSchema/properties/temp", "Tool.outputSchema", "a member of the structured result", ""},
		{list, "tools/list", "/result/tools/1/inputSchema/properties/x/x-mcp-header", "Tool.inputSchema", "", ""},
		{list, "tools/list", "/result/tools/1/inputSchema/properties/x/myNote", "Tool.inputSchema", "`myNote` is a keyword of JSON Schema, or a note", ""},
		{list, "tools/list", "/result/tools/1/inputSchema/$defs/p", "Tool.inputSchema", "so that `$ref` can point to it", ""},
		{list, "tools/list", "/result/tools/1/inputSchema/oneOf/0/required", "Tool.inputSchema", "", ""},
		{list, "tools/list", "/result/tools/1/annotations/title", "ToolAnnotations.title", "", ""},
		{list, "tools/list", "/result/tools/1/execution/taskSupport", "ToolExecution.taskSupport", "", ""},
		{list, "tools/list", "/result/tools/1/icons/0/src", "Icon.src", "", ""},
		{list, "tools/list", "/result/tools/1/_meta/com.example~1x", "", "belongs to whoever owns the prefix com.example/", ""},
		{list, "tools/list", "/result/tools/1/_meta/io.modelcontextprotocol~1new", "", "a prefix that is reserved for MCP", ""},
		{list, "tools/list", "/result/tools/1/_meta/plain", "", "a key without a prefix", ""},
		{list, "tools/list", "/result/tools/1/surprise", "", "`surprise` is not defined by MCP as a member of Tool", ""},
		{list, "tools/list", "/result/tools/1/ttlMs", "", "`ttlMs` is not defined by MCP as a member of Tool", ""},
		{list, "tools/list", "/result/tools/1", "ListToolsResult.tools", "", ""},
		{call, "", "/method", "CallToolRequest.method", "", "tools/call"},
		{call, "", "/params/arguments/x", "", "`x` is the name of an argument", ""},
		{call, "", "/params/arguments/x/deep", "", "This is inside `x`", ""},
		{call, "", "/params/inputResponses/q", "", "the key of the server's question", ""},
		{call, "", "/params/inputResponses/q/action", "ElicitResult.action", "", "accept"},
		{call, "", "/params/inputResponses/q/content/f", "", "what a person filled in", ""},
		{call, "", "/params/inputResponses/r/roots/0/uri", "Root.uri", "", ""},
		{call, "", "/params/inputResponses/s/model", "CreateMessageResult.model", "", ""},
		{call, "", "/params/_meta/progressToken", "RequestMetaObject.progressToken", "", ""},
		{call, "", "/params/_meta/io.modelcontextprotocol~1clientCapabilities/elicitation/form", "ClientCapabilities.elicitation.form", "", ""},
		{call, "", "/params/_meta/io.modelcontextprotocol~1clientCapabilities/extensions/com.example~1z", "", "identifier of an extension", ""},
		{asks, "tools/call", "/result/requestState", "InputRequiredResult.requestState", "", ""},
		{asks, "tools/call", "/result/ttlMs", "", "not defined by MCP as a member of InputRequiredResult", ""},
		{asks, "tools/call", "/result/inputRequests/q", "", "a key that the server chose", ""},
		{asks, "tools/call", "/result/inputRequests/q/method", "ElicitRequest.method", "", "elicitation/create"},
		{asks, "tools/call", "/result/inputRequests/q/params/requestedSchema/properties/f", "", "the name of a field of the form", ""},
		{asks, "tools/call", "/result/inputRequests/q/params/requestedSchema/properties/f/enum", "UntitledSingleSelectEnumSchema.enum", "", ""},
		{asks, "tools/call", "/result/inputRequests/q/params/requestedSchema/properties/g/items/anyOf/0/const", "TitledMultiSelectEnumSchema.items.anyOf.const", "", ""},
		{asks, "tools/call", "/result/inputRequests/u/params/url", "ElicitRequestURLParams.url", "", ""},
		{asks, "tools/call", "/result/inputRequests/m/params/messages/0/content/text", "TextContent.text", "", ""},
		{asks, "tools/call", "/result/inputRequests/m/params/modelPreferences/hints/0/name", "ModelHint.name", "", ""},
		{content, "tools/call", "/result/isError", "CallToolResult.isError", "", ""},
		{content, "tools/call", "/result/content/0/type", "TextContent.type", "", "text"},
		{content, "tools/call", "/result/content/1/resource/blob", "BlobResourceContents.blob", "", ""},
		{content, "tools/call", "/result/content/2/uri", "ResourceLink.uri", "", ""},
		{content, "tools/call", "/result/structuredContent/temp", "", "a member of the tool's own structured result", ""},
		{missing, "tools/call", "/error/code", "Error.code", "", "-32021"},
		{missing, "tools/call", "/error/data/requiredCapabilities", "MissingRequiredClientCapabilityError.error.data.requiredCapabilities", "", ""},
		{missing, "tools/call", "/error/data/requiredCapabilities/sampling/tools", "ClientCapabilities.sampling.tools", "", ""},
		{other, "tools/call", "/error/data/trace", "", "data of the sender's own", ""},
		{begin, "", "/params/protocolVersion", "InitializeRequestParams.protocolVersion", "", ""},
		{begin, "", "/params/capabilities/roots/listChanged", "ClientCapabilities.roots.listChanged", "", ""},
		{begin, "", "/params/capabilities/tasks/requests/elicitation/create", "ClientCapabilities.tasks.requests.elicitation.create", "", ""},
		{told, "", "/params/level", "LoggingMessageNotificationParams.level", "", ""},
		{told, "", "/params/data/a", "", "data of the sender's own", ""},
		{told, "", "/params/_meta/traceparent", "NotificationMetaObject.traceparent", "", ""},
		{told, "", "/params/_meta/io.modelcontextprotocol~1serverInfo", "", "is defined for another kind of message", ""},
		{ack, "", "/params/notifications/taskIds/0", "SubscriptionFilter.taskIds", "", ""},
		{made, "", "/method", "JSONRPCRequest.method", "`my/thing` is no method", ""},
		{made, "", "/params/a", "", "belongs to a method that MCP does not define", ""},
		{batch, "", "/0/result/tools/0/name", "Tool.name", "", ""},
		{batch, "", "/1/params/progress", "ProgressNotificationParams.progress", "", ""},
		{list, "", "/jsonrpc", "JSONRPCResultResponse.jsonrpc", "", ""},
	} {
		f := fields.At(fields.Place{Message: message(c.text), Asked: c.asked, Path: jsondoc.Pointer(c.path)})
		if c.place != "" && f.Place != c.place || c.note != "" && !strings.Contains(f.Note, c.note) || c.note == "" && f.Note != "" {
			t.Errorf("%s: %q, note %q; want %q, note %q", c.path, f.Place, f.Note, c.place, c.note)
		}
		if f.Entry == nil && f.Note == "" {
			t.Errorf("%s: nothing is said", c.path)
		}
		if c.place != "" && f.Entry == nil {
			t.Errorf("%s: no entry", c.path)
		}
		if c.here != "" && (len(f.Here) == 0 || f.Here[0].Name != c.here) {
			t.Errorf("%s: the value: %v, want %s", c.path, f.Here, c.here)
		}
	}
}

// A message as a whole is something too.
func TestAtTheRoot(t *testing.T) {
	for _, c := range []struct{ text, asked, entry, here string }{
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "", "tools/list", ""},
		{`{"jsonrpc":"2.0","method":"notifications/progress"}`, "", "notifications/progress", ""},
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, "tools/list", "result", "tools/list"},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}`, "tools/list", "error", "-32602"},
		{`[]`, "", "batch", ""},
	} {
		f := fields.At(fields.Place{Message: message(c.text), Asked: c.asked})
		if f.Entry == nil || f.Entry.Name != c.entry || c.here != "" && (len(f.Here) == 0 || f.Here[0].Name != c.here) {
			t.Errorf("%s: %+v", c.text, f)
		}
	}
	if f := fields.At(fields.Place{Message: message("Server listening")}); !f.Foreign || f.Note == "" {
		t.Errorf("noise: %+v", f)
	}
	if f := fields.At(fields.Place{Message: message(`{"jsonrpc":"2.0","id":1,"method":"x/y"}`)}); f.Entry != nil || !strings.Contains(f.Note, "no method") {
		t.Errorf("unknown method: %+v", f)
	}
}

// What is fetched on the way to a token is told by what it was for.
func TestDocuments(t *testing.T) {
	for what, want := range map[string]string{
		wire.ForResource: "ProtectedResourceMetadata.scopes_supported", wire.ForServer: "AuthorizationServerMetadata.scopes_supported",
	} {
		m := message(`{"scopes_supported":["a"]}`)
		m.Kind = wire.Document
		if f := fields.At(fields.Place{Message: m, For: what, Path: "/scopes_supported"}); f.Place != want || f.Entry == nil {
			t.Errorf("%s: %+v", what, f)
		}
		if f := fields.At(fields.Place{Message: m, For: what}); f.Entry == nil {
			t.Errorf("%s as a whole: %+v", what, f)
		}
	}
	m := message(`{"error":"invalid_grant"}`)
	m.Kind = wire.Document
	if f := fields.At(fields.Place{Message: m, For: wire.ForToken, Path: "/error"}); f.Place != "OAuthError.error" {
		t.Errorf("%+v", f)
	}
}

func TestAsk(t *testing.T) {
	for word, want := range map[string]string{
		"ttlMs": "CacheableResult", "TTLMS": "CacheableResult", "Tool.inputSchema": "Tool", "tool.INPUTSCHEMA": "Tool", "mcp-session-id": "requests", "404": "responses",
		"-32602": "error.code", "-32077": "error.code", "Mcp-Param-Region": "requests", "CompleteResult.completion.values": "CompleteResult.completion",
		"RequestMetaObject.io.modelcontextprotocol/protocolVersion": "RequestMetaObject",
	} {
		found := fields.Ask(word)
		if len(found) == 0 || found[0].In[0] != want {
			t.Errorf("%s: %v", word, found)
		}
	}
	if n := len(fields.Ask("name")); n < 10 {
		t.Errorf("name has only %d meanings", n)
	}
	if fields.Ask("no such thing") != nil || fields.Ask("-31000x") != nil {
		t.Error("something was found for nothing")
	}
	for word, want := range map[string]string{"tttlMs": "ttlMs", "inputShema": "inputSchema", "cacheScop": "cacheScope", "Mcp-Sesion-Id": "Mcp-Session-Id", "tools/cal": "tools/call"} {
		if near := fields.Near(word, 5); len(near) == 0 || near[0] != want {
			t.Errorf("near %s: %v, want %s", word, near, want)
		}
	}
	if near := fields.Near("zzzzqqqq", 5); len(near) != 0 {
		t.Errorf("near nonsense: %v", near)
	}
}

// How an entry stands to the revision that is spoken.
func TestStands(t *testing.T) {
	ttl := fields.In("ListToolsResult", "ttlMs")
	if !strings.Contains(ttl.Stands("2025-11-25"), "not have this yet") || ttl.Stands("2026-07-28") != "" || ttl.Stands("") != "" {
		t.Error(ttl.Stands("2025-11-25"), ttl.Stands("2026-07-28"))
	}
	if old := fields.ForMethod("initialize"); !strings.Contains(old.Stands("2026-07-28"), "any more") || old.Life() != "2024-11-05 to 2025-11-25" {
		t.Error(old.Stands("2026-07-28"), old.Life())
	}
}

// No text and no path makes a lookup fail.
func FuzzAt(f *testing.F) {
	f.Add(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"task","tools":[{"inputSchema":{"properties":{"a":1}}}]}}`, "tools/list", "/result/tools/0/inputSchema/properties/a")
	f.Add(`{"error":{"code":-32021,"data":{"requiredCapabilities":[]}}}`, "", "/error/data/requiredCapabilities/0/x")
	f.Add(`[{"params":{"_meta":{"a/b":1}}}]`, "", "/0/params/_meta/a~1b")
	f.Add(`{"result":{"inputRequests":[1]}}`, "", "/result/inputRequests/-1")
	f.Fuzz(func(t *testing.T, text, asked, path string) {
		m := message(text)
		got := fields.At(fields.Place{Message: m, Asked: asked, Path: jsondoc.Pointer(path)})
		if m.Doc().At(jsondoc.Pointer(path)).Exists() && got.Entry == nil && got.Note == "" && got.Here == nil {
			t.Errorf("nothing is said of %q in %q: %+v", path, text, got)
		}
		fields.ForHeader(text)
	})
}

// A place deep in a long list is found at once.
func BenchmarkAt(b *testing.B) {
	m := message(`{"jsonrpc":"2.0","id":1,"result":{"tools":[` + strings.Repeat(`{"name":"x","inputSchema":{"type":"object","properties":{"a":{"type":"string"}}}},`, 9999) + `{"name":"y"}]}}`)
	p := fields.Place{Message: m, Asked: "tools/list", Path: "/result/tools/9998/inputSchema/properties/a/type"}
	m.Doc()
	b.ReportAllocs()
	for b.Loop() {
		if fields.At(p).Entry == nil {
			b.Fatal("nothing found")
		}
	}
}

// Suggestions come while somebody waits.
func BenchmarkNear(b *testing.B) {
	for b.Loop() {
		fields.Near("inputShema", 5)
	}
}
