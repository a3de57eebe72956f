package inspect

import (
	"strings"

	"mcploupe/session/jsondoc"
)

const (
	exampleMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"example","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`
	done        = `< complete {"content":[{"type":"text","text":"The work is done"}]}` + "\n"
	// Everything that a client can declare, so that no question comes uninvited.
	obliging = `= client {"elicitation":{"form":{},"url":{}},"sampling":{"tools":{},"context":{}},"roots":{}}` + "\n" + `= tools [{"name":"ask"}]` + "\n"
	call     = `> tools/call {"name":"ask","arguments":{}}` + "\n"
	form     = `{"method":"elicitation/create","params":{"mode":"form","message":"Who is asking?","requestedSchema":{"type":"object","properties":PROPERTIES}}}`
	sampled  = `{"method":"sampling/createMessage","params":{"messages":MESSAGES,"tools":[{"name":"get_weather","description":"Tells the weather","inputSchema":{"type":"object"}}],"maxTokens":100}}`
	hello    = `{"role":"user","content":{"type":"text","text":"How is the weather?"}}`
)

// listens is a subscription with what the server sends on it, acknowledged before and ended in order unless sent says so.
func listens(filter, sent string) string {
	const id = `{"io.modelcontextprotocol/subscriptionId":"listen-1"}`
	if !strings.Contains(sent, "acknowledged") && !strings.HasPrefix(sent, "#") {
		sent = `< notifications/subscriptions/acknowledged {"_meta":` + id + `,"notifications":` + filter + "}\n" + sent
	}
	return `> {"jsonrpc":"2.0","id":"listen-1","method":"subscriptions/listen","params":{` + exampleMeta + `,"notifications":` + filter + "}}\n[http]<h sse\n" +
		sent + "@ +1m\n" + `< {"jsonrpc":"2.0","id":"listen-1","result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/subscriptionId":"listen-1","io.modelcontextprotocol/serverInfo":` + serverInfo + "}}}\n"
}

// asks is a call that is answered by questions.
func asks(questions string) string {
	return obliging + call + `< complete {"resultType":"input_required","inputRequests":` + questions + `,"requestState":"x7Gq2"}` + "\n"
}

// answers is such a call with its retry.
func answers(questions, responses string) string {
	return asks(questions) + ">h why=retry\n" + `> tools/call {"name":"ask","arguments":{},"inputResponses":` + responses + `,"requestState":"x7Gq2"}` + "\n" + done
}

func underQ(request string) string { return `{"q":` + request + `}` }
func samples(messages string) string {
	return asks(underQ(strings.Replace(sampled, "MESSAGES", messages, 1)))
}
func forms(properties string) string {
	return underQ(strings.Replace(form, "PROPERTIES", properties, 1))
}

// answered is a request with the id of the example, which is its answer.
func (x officialExample) answered(method, params string) string {
	if params != "" {
		params = "," + params
	}
	return `> {"jsonrpc":"2.0","id":` + x.at("id") + `,"method":"` + method + `","params":{` + exampleMeta + params + "}}\n< EXAMPLE\n"
}

// scenes are the conversations that an example is judged in, in the notation of pages; EXAMPLE stands for its text.
func (x officialExample) scenes() []string {
	if scene, ok := x.inError(); ok {
		return []string{scene}
	}
	switch x.definition {
	case "TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource":
		return []string{"= tools [{\"name\":\"ask\"}]\n" + call + "< complete {\"content\":[EXAMPLE]}\n",
			"> prompts/get {\"name\":\"p\"}\n< complete {\"messages\":[{\"role\":\"user\",\"content\":EXAMPLE}]}\n"}
	case "TextResourceContents", "BlobResourceContents":
		return []string{"> resources/read {\"uri\":" + x.at("uri") + "}\n< complete {\"contents\":[EXAMPLE]}\n",
			"= tools [{\"name\":\"ask\"}]\n" + call + "< complete {\"content\":[{\"type\":\"resource\",\"resource\":EXAMPLE}]}\n"}
	case "Tool":
		return []string{"> tools/list\n< complete {\"tools\":[EXAMPLE]}\n"}
	case "Resource":
		return []string{"> resources/list\n< complete {\"resources\":[EXAMPLE]}\n"}
	case "ClientCapabilities":
		return []string{"= client EXAMPLE\n= tools [{\"name\":\"ask\"}]\n" + call + done}
	case "ServerCapabilities":
		return []string{"= era none\n> server/discover\n< complete {\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":EXAMPLE}\n"}
	case "BooleanSchema", "NumberSchema", "StringSchema", "TitledMultiSelectEnumSchema", "TitledSingleSelectEnumSchema",
		"UntitledMultiSelectEnumSchema", "UntitledSingleSelectEnumSchema":
		return []string{asks(forms(`{"value":EXAMPLE}`))}
	}
	for _, in := range []func() string{x.inResult, x.inRequest, x.inNotification, x.inQuestion} {
		if scene := in(); scene != "" {
			return []string{scene}
		}
	}
	return nil
}

// inError is an error as the answer to a request that earns it.
func (x officialExample) inError() (string, bool) {
	switch x.definition {
	case "HeaderMismatchError":
		return "[http]>h Mcp-Name=foo why=header-name-mismatch\n[http]> tools/call {\"name\":\"bar\"}\n[http]<h status=400\n[http]< EXAMPLE\n", true
	case "InternalError":
		return "> resources/list\n< error EXAMPLE\n", true
	case "MethodNotFoundError":
		return "= declare {\"tools\":{}}\n> prompts/list\n[http]<h status=404\n< error EXAMPLE\n", true
	case "MissingRequiredClientCapabilityError":
		return "= client {}\n= tools [{\"name\":\"ask\"}]\n" + call + "[http]<h status=400\n< EXAMPLE\n", true
	case "ParseError":
		return ">h why=raw\n>> {\"jsonrpc\"\n[http]<h status=400\n< {\"jsonrpc\":\"2.0\",\"error\":EXAMPLE}\n", true
	case "UnsupportedProtocolVersionError":
		return "= era none\n= id 7\n> server/discover\n< complete {\"supportedVersions\":" + x.supported() + ",\"capabilities\":{}}\n" +
			"[stdio]>h why=unknown-version\n[http]>h why=unknown-version MCP-Protocol-Version=1900-01-01\n" +
			`> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + strings.Replace(exampleMeta, "2026-07-28", "1900-01-01", 1) + "}}\n" +
			"[http]<h status=400\n< EXAMPLE\n", true
	case "InvalidParamsError":
		asked, ok := map[string]string{
			"unknown-tool.json":           "= tools [{\"name\":\"add\"}]\n> tools/call {\"name\":\"invalid_tool_name\",\"arguments\":{}}\n",
			"invalid-tool-arguments.json": "= tools [{\"name\":\"calculate\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"expression\":{\"type\":\"string\"}},\"required\":[\"expression\"]}}]\n> tools/call {\"name\":\"calculate\",\"arguments\":{}}\n",
			"unknown-prompt.json":         "> prompts/get {\"name\":\"invalid_prompt_name\"}\n",
			"invalid-cursor.json":         "> tools/list {\"cursor\":\"of-no-page\"}\n",
		}[x.name]
		return asked + "< error EXAMPLE\n", ok
	}
	return "", false
}

// supported are the revisions that an example of a refusal names: the server's discover names the same.
func (x officialExample) supported() string {
	if list := x.at("error", "data", "supported"); list != "" {
		return list
	}
	return `["2026-07-28"]`
}

// inResult is a result as the answer to its method's request.
func (x officialExample) inResult() string {
	const complete = `"ref":{"type":"ref/prompt","name":"code_review"},"argument":{"name":"language","value":"f"}`
	switch x.definition {
	case "CallToolResult":
		tools := `[{"name":"ask"}]`
		switch {
		case jsondoc.Parse([]byte(x.text)).Root().Get("structuredContent").Is(jsondoc.Array):
			tools = `[{"name":"ask","outputSchema":{"type":"array","items":{"type":"object"}}}]`
		case x.at("structuredContent") != "":
			tools = `[{"name":"ask","outputSchema":{"type":"object"}}]`
		}
		return "= tools " + tools + "\n" + call + "< result EXAMPLE\n"
	case "InputRequiredResult":
		return obliging + call + "< result EXAMPLE\n"
	case "CompleteResult":
		return "> completion/complete {" + complete + "}\n< result EXAMPLE\n"
	case "DiscoverResult":
		return "= era none\n> server/discover\n< result EXAMPLE\n"
	case "GetPromptResult":
		return "> prompts/get {\"name\":\"code_review\",\"arguments\":{\"code\":\"x = 1\"}}\n< result EXAMPLE\n"
	case "ReadResourceResult":
		return "> resources/read {\"uri\":\"file:///project/src/main.rs\"}\n< result EXAMPLE\n"
	case "ListToolsResult":
		return "> tools/list\n< result EXAMPLE\n"
	case "ListPromptsResult":
		return "> prompts/list\n< result EXAMPLE\n"
	case "ListResourcesResult":
		return "> resources/list\n< result EXAMPLE\n"
	case "ListResourceTemplatesResult":
		return "> resources/templates/list\n< result EXAMPLE\n"
	case "SubscriptionsListenResult":
		begun, _, _ := strings.Cut(listens(`{"toolsListChanged":true}`, ""), `< {"jsonrpc"`)
		return begun + "< result EXAMPLE\n"
	case "SubscriptionsListenResultResponse":
		begun, _, _ := strings.Cut(listens(`{"toolsListChanged":true}`, ""), `< {"jsonrpc"`)
		return begun + "< EXAMPLE\n"
	case "CallToolResultResponse":
		return "= tools [{\"name\":\"ask\"}]\n" + x.answered("tools/call", `"name":"ask","arguments":{}`)
	case "CompleteResultResponse":
		return x.answered("completion/complete", complete)
	case "DiscoverResultResponse":
		return "= era none\n" + x.answered("server/discover", "")
	case "GetPromptResultResponse":
		return x.answered("prompts/get", `"name":"code_review","arguments":{"code":"x = 1"}`)
	case "ReadResourceResultResponse":
		return x.answered("resources/read", `"uri":"file:///project/src/main.rs"`)
	case "ListToolsResultResponse":
		return x.answered("tools/list", "")
	case "ListPromptsResultResponse":
		return x.answered("prompts/list", "")
	case "ListResourcesResultResponse":
		return x.answered("resources/list", "")
	case "ListResourceTemplatesResultResponse":
		return x.answered("resources/templates/list", "")
	}
	return ""
}

// inRequest is a request of the client, or its params, with a faithful answer.
func (x officialExample) inRequest() string {
	const tools = `= tools [{"name":"get_weather"},{"name":"build_simulation"}]` + "\n"
	for _, r := range []struct{ definition, method, before, answer string }{
		{"CallTool", "tools/call", tools, done},
		{"Complete", "completion/complete", "", `< complete {"completion":{"values":["python"],"total":1,"hasMore":false}}`},
		{"Discover", "server/discover", "= era none\n", `< complete {"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`},
		{"GetPrompt", "prompts/get", "", `< complete {"messages":[` + hello + `]}`},
		{"ListPrompts", "prompts/list", "", `< complete {"prompts":[]}`},
		{"ListResources", "resources/list", "", `< complete {"resources":[]}`},
		{"ListResourceTemplates", "resources/templates/list", "", `< complete {"resourceTemplates":[]}`},
		{"ListTools", "tools/list", "", `< complete {"tools":[]}`},
		{"ReadResource", "resources/read", "", `< complete {"contents":[{"uri":"file:///project/src/main.rs","text":"fn main() {}"}]}`},
		{"Paginated", "resources/list", "> resources/list\n< complete {\"resources\":[{\"uri\":\"file:///a\",\"name\":\"a\"}],\"nextCursor\":" + x.at("cursor") + "}\n",
			`< complete {"resources":[{"uri":"file:///b","name":"b"}]}`},
	} {
		switch x.definition {
		case r.definition + "Request":
			return r.before + "> EXAMPLE\n" + r.answer + "\n"
		case r.definition + "RequestParams":
			return r.before + "> " + r.method + " EXAMPLE\n" + r.answer + "\n"
		}
	}
	if x.definition == "SubscriptionsListenRequest" {
		_, rest, _ := strings.Cut(listens(x.at("params", "notifications"), ""), "\n")
		return "> EXAMPLE\n" + rest
	}
	return ""
}

// inNotification is a notification, or its params, in the midst of the request that asked for it.
func (x officialExample) inNotification() string {
	const begun = `> {"jsonrpc":"2.0","id":"123","method":"tools/call","params":{"name":"ask","arguments":{},`
	meta := func(member string) string {
		return strings.TrimSuffix(exampleMeta, "}") + "," + member + "}"
	}
	during := func(declare, member, line string) string {
		return "= declare " + declare + "\n= tools [{\"name\":\"ask\"}]\n" + begun + meta(member) + "}}\n[http]<h sse\n" + line + done
	}
	switch x.definition {
	case "CancelledNotification":
		return "[stdio]= tools [{\"name\":\"ask\"}]\n" + begun + exampleMeta + "}}\n> EXAMPLE\n"
	case "CancelledNotificationParams":
		return "[stdio]= tools [{\"name\":\"ask\"}]\n" + begun + exampleMeta + "}}\n> notifications/cancelled EXAMPLE\n"
	case "LoggingMessageNotification":
		return during(`{"tools":{},"logging":{}}`, `"io.modelcontextprotocol/logLevel":"info"`, "< EXAMPLE\n")
	case "LoggingMessageNotificationParams":
		return during(`{"tools":{},"logging":{}}`, `"io.modelcontextprotocol/logLevel":"info"`, "< notifications/message EXAMPLE\n")
	case "ProgressNotification":
		return during(`{"tools":{}}`, `"progressToken":`+x.at("params", "progressToken"), "< EXAMPLE\n")
	case "ProgressNotificationParams":
		return during(`{"tools":{}}`, `"progressToken":`+x.at("progressToken"), "< notifications/progress EXAMPLE\n")
	case "PromptListChangedNotification":
		return listens(`{"promptsListChanged":true}`, "< EXAMPLE\n")
	case "ResourceListChangedNotification":
		return listens(`{"resourcesListChanged":true}`, "< EXAMPLE\n")
	case "ToolListChangedNotification":
		return listens(`{"toolsListChanged":true}`, "< EXAMPLE\n")
	case "ResourceUpdatedNotification":
		return listens(`{"resourceSubscriptions":[`+x.at("params", "uri")+`]}`, "< EXAMPLE\n")
	case "ResourceUpdatedNotificationParams":
		return listens(`{"resourceSubscriptions":[`+x.at("uri")+`]}`, "< notifications/resources/updated EXAMPLE\n")
	case "SubscriptionsAcknowledgedNotification":
		return listens(x.at("params", "notifications"), "# acknowledged by the example\n< EXAMPLE\n")
	}
	return ""
}

// inQuestion is a question, or a part of one, inside a result that asks back; or what the client answers to it.
func (x officialExample) inQuestion() string {
	root := jsondoc.Parse([]byte(x.text)).Root()
	switch x.definition {
	case "InputRequests":
		return asks("EXAMPLE")
	case "InputRequest", "ElicitRequest", "CreateMessageRequest", "ListRootsRequest":
		return asks(underQ("EXAMPLE"))
	case "ElicitRequestFormParams", "ElicitRequestURLParams":
		return asks(underQ(`{"method":"elicitation/create","params":EXAMPLE}`))
	case "CreateMessageRequestParams":
		return asks(underQ(`{"method":"sampling/createMessage","params":EXAMPLE}`))
	case "ModelPreferences":
		return asks(underQ(`{"method":"sampling/createMessage","params":{"messages":[` + hello + `],"modelPreferences":EXAMPLE,"maxTokens":100}}`))
	case "SamplingMessage":
		var uses []string
		for _, c := range root.Get("content").Elements() {
			if id := c.Get("toolUseId"); id.Exists() {
				uses = append(uses, `{"type":"tool_use","id":`+string(id.Raw())+`,"name":"get_weather","input":{}}`)
			}
		}
		if len(uses) == 0 {
			return samples("[EXAMPLE]")
		}
		return samples("[" + hello + `,{"role":"assistant","content":[` + strings.Join(uses, ",") + `]},EXAMPLE]`)
	case "ToolUseContent":
		return samples("[" + hello + `,{"role":"assistant","content":[EXAMPLE]},{"role":"user","content":[{"type":"tool_result","toolUseId":` + x.at("id") +
			`,"content":[{"type":"text","text":"It is warm"}]}]}]`)
	case "ToolResultContent":
		return samples("[" + hello + `,{"role":"assistant","content":[{"type":"tool_use","id":` + x.at("toolUseId") +
			`,"name":"get_weather","input":{}}]},{"role":"user","content":[EXAMPLE]}]`)
	case "ElicitResult":
		if !root.Get("content").Exists() {
			return answers(underQ(`{"method":"elicitation/create","params":{"mode":"url","message":"Please allow access","url":"https://example.com/allow"}}`), underQ("EXAMPLE"))
		}
		return answers(forms(`{"name":{"type":"string"},"email":{"type":"string"},"age":{"type":"number"}}`), underQ("EXAMPLE"))
	case "CreateMessageResult":
		return answers(underQ(strings.Replace(sampled, "MESSAGES", "["+hello+"]", 1)), underQ("EXAMPLE"))
	case "ListRootsResult":
		return answers(underQ(`{"method":"roots/list"}`), underQ("EXAMPLE"))
	case "Root":
		return answers(underQ(`{"method":"roots/list"}`), underQ(`{"roots":[EXAMPLE]}`))
	case "InputResponses":
		return answers(`{"github_login":`+strings.Replace(form, "PROPERTIES", `{"name":{"type":"string"}}`, 1)+
			`,"capital_of_france":`+strings.Replace(sampled, "MESSAGES", "["+hello+"]", 1)+"}", "EXAMPLE")
	}
	return ""
}
