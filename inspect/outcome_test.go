package inspect

import (
	"strings"
	"testing"

	"mcploupe/session/wire"
)

// judgeScript plays a script in the notation of the pages and returns the verdict of its last ended exchange.
func judgeScript(t *testing.T, profile, script string) Verdict {
	t.Helper()
	e := Example{Script: script, Profile: profile}
	played, err := e.Play(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := len(played.Verdicts) - 1; i >= 0; i-- {
		if v := played.Verdicts[i]; v.Ended {
			return v
		}
	}
	t.Fatalf("no exchange ended in\n%s", script)
	return Verdict{}
}

const weather = `= tools [{"name":"weather","inputSchema":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]},"outputSchema":{"type":"object","properties":{"t":{"type":"number"}},"required":["t"]}},{"name":"add"}]
`

// The rows of the table in the project's notes, with what makes each of them surer or less sure.
func TestOutcomeTable(t *testing.T) {
	call := func(params, answer string) string { return weather + "> tools/call " + params + "\n" + answer }
	good, unfit := `{"name":"weather","arguments":{"city":"Bonn"}}`, `{"name":"weather","arguments":{"city":7}}`
	add, nope := `{"name":"add","arguments":{}}`, `{"name":"nope","arguments":{}}`
	text := func(s string) string { return `"content":[{"type":"text","text":"` + s + `"}]` }
	failed := func(s string) string { return `< complete {"isError":true,` + text(s) + `}` }
	fails := func(code, message string) string {
		return `< error {"code":` + code + `,"message":"` + message + `"}`
	}
	for _, c := range []struct {
		name, script, want string // class/kind confidence published/sep2145
	}{
		{"1 timeout", call(add, "~ timeout 1"), "transport-failure/timeout certain"},
		{"1 cancelled", call(add, "~ cancel 1"), "transport-failure/cancelled certain"},
		{"1 crash", call(add, "~ exit 3"), "transport-failure/crash certain"},
		{"1 crash told after the end of its output", call(add, "~ eof\n~ exit 3"), "transport-failure/crash certain"},
		{"1 end of output", call(add, "~ eof"), "transport-failure/truncated certain"},
		{"1 no connection", "= over http\n" + call(add, "~ failed"), "transport-failure/connect certain"},
		{"1 stream ends early", "= over http\n" + call(add, "<h sse\n< notifications/progress {\"progressToken\":1,\"progress\":1}\n~ cut"), "transport-failure/truncated certain"},
		{"1 foreign id", "= over http\n" + call(add, `<h sse
< {"jsonrpc":"2.0","id":99,"result":{"resultType":"complete","content":[]}}
~ eof`), "transport-failure/id-mismatch certain"},
		{"1 not JSON", "= over http\n" + call(add, "<h Content-Type=text/html\n<< <html>"), "transport-failure/not-json certain"},
		{"1 JSON under a wrong type is read", "= over http\n" + call(add, "<h Content-Type=text/plain\n< complete {"+text("3 apples")+"}"), "success/ certain conforms/conforms"},
		{"2 login", "= over http\n" + call(add, "<h status=401\n<< no"), "transport-failure/auth certain"},
		{"2 scope", "= over http\n" + call(add, "<h status=403 WWW-Authenticate=\"Bearer error=insufficient_scope\"\n<< no"), "transport-failure/auth certain"},
		{"2 a plain 403 is none", "= over http\n" + call(add, "<h status=403\n<< no"), "transport-failure/http-status certain"},
		{"3 status", "= over http\n" + call(add, "<h status=502 Content-Type=text/html\n<< <html>Bad Gateway"), "transport-failure/http-status certain"},
		{"3 accepted", "= over http\n" + call(add, "<h status=202\n< nothing"), "transport-failure/http-status certain"},
		{"4 both", call(add, `< {"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}`), "invalid/envelope certain"},
		{"4 neither", call(add, `< {"jsonrpc":"2.0","id":1}`), "invalid/envelope certain"},
		{"4 result is a list", call(add, `< result []`), "invalid/envelope certain"},
		{"5 header", call(add, fails("-32020", "no")), "protocol-error/header certain"},
		{"5 capability", call(add, `< error {"code":-32021,"message":"no","data":{"requiredCapabilities":{"sampling":{}}}}`), "protocol-error/capability certain"},
		{"5 version", call(add, `< error {"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"x"}}`), "protocol-error/version certain"},
		{"6 parse", call(add, fails("-32700", "no")), "protocol-error/parse certain"},
		{"6 invalid request", call(nope, fails("-32600", "Unknown tool: nope")), "protocol-error/invalid-request certain"},
		{"7 unknown tool by the wrong code", call(nope, fails("-32601", "no such tool nope")), "protocol-error/unknown-tool certain deviates/deviates"},
		{"7 method not found", call(add, fails("-32601", "Method not found")), "protocol-error/method-not-found certain"},
		{"8 meta", weather + `> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}` + "\n" + fails("-32602", "missing _meta"), "protocol-error/meta certain"},
		{"9 malformed", call(`{"name":"add","arguments":[]}`, fails("-32602", "arguments")), "protocol-error/malformed-call certain conforms/conforms"},
		{"9 malformed by another code", call(`{"name":"nope","arguments":[]}`, fails("-32603", "Tool nope not found")), "protocol-error/malformed-call likely conforms/conforms"},
		{"10 fact and text", call(nope, fails("-32602", "Unknown tool: nope")), "protocol-error/unknown-tool certain conforms/deviates"},
		{"10 fact only", call(nope, fails("-32602", "bad name")), "protocol-error/unknown-tool likely conforms/deviates"},
		{"10 text only", "> tools/call " + nope + "\n" + fails("-32602", "Tool nope not found"), "protocol-error/unknown-tool likely conforms/deviates"},
		{"10 text against the list", call(add, fails("-32602", "unknown tool add")), "protocol-error/invalid-params guess"},
		{"11 not callable", call(add, fails("-32603", "add is disabled")), "protocol-error/not-callable certain open/deviates"},
		{"12 output", call(good, fails("-32603", "output schema violated")), "protocol-error/output-validation certain open/deviates"},
		{"13 fact and text", call(unfit, fails("-32602", "Invalid arguments")), "protocol-error/input-validation certain deviates/deviates"},
		{"13 fact only", call(unfit, fails("-32602", "no")), "protocol-error/input-validation likely deviates/deviates"},
		{"13 text only", call(good, fails("-32602", "validation failed")), "protocol-error/input-validation likely deviates/deviates"},
		{"13 not for a retry", call(`{"name":"add","arguments":{},"requestState":"s"}`, fails("-32602", "requestState: validation failed")), "protocol-error/invalid-params likely"},
		{"14 internal", call(add, fails("-32603", "boom")), "protocol-error/internal guess deviates/deviates"},
		{"14 another code", call(add, fails("-32000", "boom")), "protocol-error/execution guess deviates/deviates"},
		{"14 unknown facts", "> tools/call " + add + "\n" + fails("-32603", "boom"), "protocol-error/internal guess open/open"},
		{"15 retired", call(add, fails("-32042", "url")), "protocol-error/retired-code certain"},
		{"15 legacy", "> tools/call " + add + "\n" + fails("-32000", "boom"), "protocol-error/legacy-code certain"},
		{"15 application", "> tools/call " + add + "\n" + fails("42", "boom"), "protocol-error/application-code certain"},
		{"16 unknown type", call(add, `< result {"resultType":"later","content":[]}`), "invalid/result-type certain"},
		{"16 task undeclared", call(add, `< result {"resultType":"task"}`), "invalid/result-type certain"},
		{"17 asks back", call(add, `< result {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create"}}}`), "input-required/ certain"},
		{"17 asks for what nobody declared", call(add, `< result {"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}`), "invalid/capability certain"},
		{"17 asks on a list", weather + "> tools/list\n" + `< result {"resultType":"input_required","requestState":"s"}`, "invalid/result-type certain"},
		{"18 task", `= client {"extensions":{"io.modelcontextprotocol/tasks":{}}}` + "\n" + call(add, `< result {"resultType":"task","taskId":"t"}`), "task/ certain"},
		{"19 no content", call(add, `< complete {}`), "invalid/shape certain"},
		{"19 block without text", call(add, `< complete {"content":[{"type":"text"}]}`), "invalid/shape certain"},
		{"20 fact and text", call(nope, failed("Unknown tool: nope")), "tool-error/unknown-tool certain deviates/conforms"},
		{"20 pattern only", "> tools/call " + nope + "\n" + failed("Unknown tool: nope"), "tool-error/unknown-tool likely deviates/conforms"},
		{"21 not callable", call(add, failed("Tool unavailable: add")), "tool-error/not-callable certain open/conforms"},
		{"22 output", call(good, failed("Tool produced invalid structured output for weather: t")), "tool-error/output-validation certain open/conforms"},
		{"23 fact and pattern", call(unfit, failed("Invalid input: weather")), "tool-error/input-validation certain conforms/conforms"},
		{"23 fact only", call(unfit, failed("nothing to say here")), "tool-error/input-validation likely conforms/conforms"},
		{"23 words against the schema", call(good, failed("a login is required")), "tool-error/input-validation guess conforms/conforms"},
		{"24 execution", call(good, failed("the thermometer broke")), "tool-error/execution likely conforms/conforms"},
		{"25 missing", call(good, `< complete {`+text("22")+`}`), "success/output-missing certain deviates/deviates"},
		{"25 mismatch", call(good, `< complete {`+text("22")+`,"structuredContent":{"t":"22"}}`), "success/output-validation certain deviates/deviates"},
		{"26 unknown tool accepted", call(nope, `< complete {`+text("fine")+`}`), "success/unknown-tool certain deviates/deviates"},
		{"26 bad input accepted", call(unfit, `< complete {`+text("fine")+`,"structuredContent":{"t":1}}`), "success/input-validation certain deviates/deviates"},
		{"27 success", call(good, `< complete {`+text("fine")+`,"structuredContent":{"t":1}}`), "success/ certain conforms/conforms"},
		{"27 looks like a trace", call(add, `< complete {`+text("\\n Traceback: x")+`}`), "success/ likely conforms/conforms"},
		{"27 looks like an error", call(add, `< complete {`+text("Error: no")+`}`), "success/ likely conforms/conforms"},

		{"read: not found by data", `> resources/read {"uri":"a:b"}` + "\n" + `< error {"code":-32602,"message":"no","data":{"uri":"a:b"}}`, "protocol-error/not-found likely"},
		{"read: not found, the old way", "= era 2025-06-18\n" + `> resources/read {"uri":"a:b"}` + "\n" + fails("-32002", "Resource not found"), "protocol-error/not-found likely"},
		{"read: other", `> resources/read {"uri":"a:b"}` + "\n" + fails("-32602", "uri is no URI"), "protocol-error/invalid-params certain"},
		{"prompt: not found", `> prompts/get {"name":"a"}` + "\n" + fails("-32602", "Unknown prompt"), "protocol-error/not-found likely"},
		{"list: bad cursor", `> tools/list {"cursor":"x"}` + "\n" + fails("-32602", "Invalid cursor"), "protocol-error/invalid-params certain"},
		{"list: internal", "> tools/list\n" + fails("-32603", "boom"), "protocol-error/internal certain"},
		{"list: success", "> tools/list\n< complete {\"tools\":[]}", "success/ certain"},
		{"list: wrong shape", "> tools/list\n< complete {\"items\":[]}", "invalid/shape certain"},
		{"legacy success", "= era 2025-06-18\n> tools/call " + add + "\n< result {" + text("fine") + "}", "success/ certain"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := judgeScript(t, ProfileDefault, c.script)
			o := v.Outcome
			got := string(o.Class) + "/" + o.Kind + " " + o.Confidence.String()
			if o.Published != "" || o.SEP2145 != "" {
				got += " " + o.Published + "/" + o.SEP2145
			}
			if got != c.want {
				t.Errorf("got %s, want %s; evidence: %s", got, c.want, strings.Join(o.Evidence, " · "))
			}
			if o.Class != Success && len(o.Evidence) == 0 {
				t.Error("no evidence")
			}
		})
	}
}

// "Not on the list" needs a list that can be trusted.
func TestNameAbsentNeedsATrustworthyList(t *testing.T) {
	const ask = "> tools/call {\"name\":\"nope\"}\n< error {\"code\":-32602,\"message\":\"bad name\"}"
	for _, c := range []struct{ name, script, want string }{
		{"no list", ask, "invalid-params"},
		{"complete", "> tools/list\n< complete {\"tools\":[]}\n" + ask, "unknown-tool"},
		{"more pages to come", "> tools/list\n< complete {\"tools\":[],\"nextCursor\":\"2\"}\n" + ask, "invalid-params"},
		{"walked to its end", "> tools/list\n< complete {\"tools\":[],\"nextCursor\":\"2\"}\n> tools/list {\"cursor\":\"2\"}\n< complete {\"tools\":[]}\n" + ask, "unknown-tool"},
		{"two minutes old, kept for one", "> tools/list\n< complete {\"tools\":[]}\n@ 2m\n" + ask, "invalid-params"},
		{"two minutes old, kept for ten", "> tools/list\n< complete {\"tools\":[],\"ttlMs\":600000}\n@ 2m\n" + ask, "unknown-tool"},
		{"half a minute old, kept not at all", "> tools/list\n< complete {\"tools\":[],\"ttlMs\":0}\n@ 30s\n" + ask, "unknown-tool"},
		{"changed since", "> tools/list\n< complete {\"tools\":[],\"ttlMs\":600000}\n< notifications/tools/list_changed\n" + ask, "invalid-params"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if o := judgeScript(t, ProfileDefault, c.script).Outcome; o.Kind != c.want {
				t.Errorf("got %s, want %s; evidence: %s", o.Kind, c.want, strings.Join(o.Evidence, " · "))
			}
		})
	}
}

func TestResultTypes(t *testing.T) {
	for _, c := range []struct {
		script, value, from string
		known               bool
	}{
		{`> tools/list` + "\n" + `< complete {"tools":[]}`, "complete", "wire", true},
		{`> tools/list` + "\n" + `< result {"tools":[]}`, "complete", "missing", true},
		{"= era 2025-11-25\n" + `> tools/list` + "\n" + `< result {"tools":[]}`, "complete", "assumed", true},
		{`> tools/list` + "\n" + `< result {"resultType":7}`, "7", "wire", false},
		{`> tools/list` + "\n" + `< result {"resultType":"weird"}`, "weird", "wire", false},
		{`> tools/list` + "\n" + `< error {"code":-32603,"message":"x"}`, "", "none", false},
	} {
		rt := judgeScript(t, ProfileDefault, c.script).ResultType
		if rt.Value != c.value || rt.From.String() != c.from || rt.Known != c.known {
			t.Errorf("%s: got %+v (%s)", c.script, rt, rt.From)
		}
	}
}

// The tool definition that counts is the one that was in force when the call was sent, not the newest.
func TestSchemaInForceAtCallTime(t *testing.T) {
	v := judgeScript(t, ProfilePublished, `= tools [{"name":"a","outputSchema":{"type":"object","properties":{"n":{"type":"string"}}}}]
> tools/call {"name":"a"}
> tools/list
< #2 complete {"tools":[{"name":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"number"}}}}]}
< #1 complete {"content":[{"type":"text","text":"{\"n\":\"x\"}"}],"structuredContent":{"n":"x"}}`)
	if o := v.Outcome; o.Class != Success || o.Kind != "" {
		t.Errorf("got %s/%s: %v", o.Class, o.Kind, o.Evidence)
	}
}

func TestEras(t *testing.T) {
	in := New(Options{})
	e := Example{Script: "= era none\n> server/discover\n< error {\"code\":-32601,\"message\":\"Method not found\"}\n" +
		"> initialize {\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"x\",\"version\":\"1\"}}\n" +
		"< result {\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}"}
	entries, _, err := e.Entries()
	if err != nil {
		t.Fatal(err)
	}
	fold := wire.NewFold()
	var versions []string
	for i := range entries {
		for _, x := range fold.Add(entries[i]) {
			if v := in.See(&x); v.Ended {
				versions = append(versions, v.Era+" "+v.Version)
			}
		}
	}
	if got := strings.Join(versions, ", "); got != " , legacy 2025-06-18" {
		t.Errorf("judged by %q", got)
	}
	if in.History().Era() != EraLegacy || in.History().Version() != "2025-06-18" {
		t.Errorf("learned %s %s", in.History().Era(), in.History().Version())
	}
	if declared, known := in.History().Declared("tools"); !declared || !known {
		t.Error("the tools capability was not learned")
	}
}
