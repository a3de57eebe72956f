package inspect

import (
	"fmt"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// resultOutcome is rows 16 to 27.
func (p *Pass) resultOutcome(result jsondoc.Value) Outcome {
	rt := result.Get("resultType")
	if p.modern && rt.Exists() {
		value := rt.Text()
		switch {
		case !rt.Is(jsondoc.String) || !p.knownResultType(value): // 16
			return Outcome{Class: Invalid, Kind: "result-type"}.sure(Certain, "resultType "+string(rt.Raw())+" is not defined for this request")
		case value == mcp.ResultInputRequired: // 17
			return p.inputRequired(result)
		case value == mcp.ResultTask && p.x.Method() == mcp.ToolsCall: // 18
			return Outcome{Class: TaskCreated}.sure(Certain, "resultType is task")
		case value == mcp.ResultTask && p.x.Method() != mcp.TasksGet: // of tasks/get the status tells
			return Outcome{Class: Invalid, Kind: "result-type"}.sure(Certain, "task is not for "+p.x.Method())
		}
	}
	if p.taskMade(result) {
		o, _ := p.taskOutcome(result)
		return o
	}
	if fault := p.shapeFault(result); fault != "" { // 19
		return Outcome{Class: Invalid, Kind: "shape"}.sure(Certain, fault)
	}
	if o, is := p.taskOutcome(result); is { // 18
		return o
	}
	call := p.Call()
	if call == nil {
		return Outcome{Class: Success}
	}
	if isError, _ := result.Get("isError").Bool(); isError {
		return p.toolError(call, result)
	}
	bad := func(kind string, evidence ...string) Outcome {
		return Outcome{Class: Success, Kind: kind}.sure(Certain, evidence...).judged(deviates, deviates)
	}
	switch { // 25, 26
	case !call.Formed:
		return bad("input-validation", "the call had no string name, or arguments that are no object")
	case call.Tool != nil && call.Tool.HasOutput() && p.outputDue() && !call.Structured.Exists():
		return bad("output-missing", "the tool has an outputSchema, the result no structuredContent")
	case call.Output == No && p.outputDue():
		return bad("output-validation", "structuredContent"+string(call.OutputBad[0].Instance)+": "+call.OutputBad[0].Text)
	case call.Listed == No:
		return bad("unknown-tool", call.absence(), "and yet the call succeeded")
	case call.Fits == No:
		return bad("input-validation", call.unfitText(), "and yet the call succeeded")
	}
	o := Outcome{Class: Success}.judged(conforms, conforms) // 27
	if text := firstText(result); looksFailed(text) {
		o = o.sure(Likely, "the text looks like an error: "+quoted(text.Text()))
	}
	return o
}

// outputDue tells whether the revision knows output schemas at all.
func (p *Pass) outputDue() bool { return p.version == "" || p.AtLeast(mcp.R20250618) }

// inputRequired is row 17. An answer that the client cannot give makes the whole result invalid.
func (p *Pass) inputRequired(result jsondoc.Value) Outcome {
	switch p.x.Method() {
	case mcp.ToolsCall, mcp.PromptsGet, mcp.ResourcesRead:
	default:
		return Outcome{Class: Invalid, Kind: "result-type"}.sure(Certain, "input_required is not for "+p.x.Method())
	}
	var kinds []string
	for _, entry := range result.Get("inputRequests").Members() {
		method := entry.Get("method").Text()
		if need := inputCapability(method); need != "" && !p.ClientCapabilities().Get(need).Exists() {
			return Outcome{Class: Invalid, Kind: "capability"}.sure(Certain, method+" was asked for, and the request did not declare "+need)
		}
		kinds = append(kinds, method)
	}
	if len(kinds) == 0 {
		return Outcome{Class: InputRequired}.sure(Certain, "the server asks to send the request again")
	}
	return Outcome{Class: InputRequired}.sure(Certain, "the server asks for "+strings.Join(kinds, ", "))
}

// inputCapability is the client capability that an input request needs.
func inputCapability(method string) string {
	switch method {
	case mcp.ElicitationCreate:
		return "elicitation"
	case mcp.SamplingCreate:
		return "sampling"
	case mcp.RootsList:
		return "roots"
	}
	return ""
}

// shapeFault says what is wrong with the shape of a final result, "" when nothing is.
func (p *Pass) shapeFault(result jsondoc.Value) string {
	if p.x.Method() == mcp.ToolsCall {
		return contentFault(result)
	}
	m, ok := mcp.Lookup(p.x.Method())
	if !ok {
		return ""
	}
	if m.InExtension(p.version) && m.Name != mcp.TasksGet {
		return "" // an acknowledgment, which is empty
	}
	if member, v := missingMember(m, result); member.Name != "" {
		if v.Exists() {
			return fmt.Sprintf("%s is not %s", member.Name, article(member.Kind))
		}
		return "there is no " + member.Name
	}
	return ""
}

func contentFault(result jsondoc.Value) string {
	content := result.Get("content")
	if !content.Is(jsondoc.Array) {
		return "content is not an array"
	}
	if e := result.Get("isError"); e.Exists() && !e.Is(jsondoc.Bool) {
		return "isError is not a boolean"
	}
	for i, block := range content.Elements() {
		kind := block.Get("type")
		if !kind.Is(jsondoc.String) {
			return fmt.Sprintf("content %d has no type", i)
		}
		c, _ := mcp.ContentType(kind.Text())
		for _, need := range c.Required {
			if !isKind(block.Get(need.Name), need.Kind) {
				return fmt.Sprintf("content %d (%s) has no %s that is %s", i, c.Type, need.Name, article(need.Kind))
			}
		}
	}
	return ""
}

// toolError is rows 20 to 24: which kind of tool execution error it is.
func (p *Pass) toolError(call *Call, result jsondoc.Value) Outcome {
	text := strings.TrimSpace(firstText(result).Text())
	o := func(kind string, c Confidence, evidence ...string) Outcome {
		return Outcome{Class: ToolError, Kind: kind}.sure(c, evidence...)
	}
	if !call.Formed {
		return o("input-validation", Certain, "the call had no string name, or arguments that are no object").judged(deviates, deviates)
	}
	exact := patternOf(text)
	says := saysUnknownTool(text)
	switch {
	case exact == kindUnknownTool && call.Listed != Yes, call.Listed == No && says: // 20
		return o(kindUnknownTool, agree(call.Listed == No, says), call.absence(), quoted(text)).judged(deviates, conforms)
	case exact == kindNotCallable, call.Listed == Yes && exact == "" && saysNotCallable(text): // 21
		return o(kindNotCallable, agree(call.Listed == Yes, true), quoted(text)).judged(open, conforms)
	case exact == kindOutput, exact == "" && saysOutput(text): // 22
		hasOutput := call.Tool != nil && call.Tool.HasOutput()
		return o(kindOutput, agree(hasOutput, true), quoted(text)).judged(open, conforms)
	}
	if weak := saysInput(text); exact == kindInput || call.Fits == No || weak { // 23
		c := agree(call.Fits == No, exact == kindInput || weak)
		if call.Fits == Yes && exact == "" {
			c = Guess // the arguments satisfy the schema, and the words may mean something else
		}
		return o(kindInput, c, call.unfitText(), quoted(text)).judged(conforms, conforms)
	}
	return o("execution", Likely, quoted(text)).judged(conforms, conforms) // 24
}
