package demo

import (
	"fmt"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// logObservation asks for what it was not told. A modern client gets an input_required result and calls
// again with the answer (basic/patterns/mrtr); a legacy client is sent an elicitation/create request.
func logObservation(c *call) (*object, *failure) {
	if c.args.Get("sky").Exists() {
		visibility, _ := c.args.Get("visibility").Float()
		return c.writeLog(c.text("sky", "fog"), visibility, c.text("remark", ""))
	}
	if !c.modern() {
		answer, f := c.askLegacy(mcp.ElicitationCreate, observationForm())
		if f != nil || answer.Kind() == jsondoc.Missing {
			return toolError("Nothing was written: the client cannot ask anybody."), f
		}
		return c.observed(answer)
	}
	responses, state := c.params.Get("inputResponses"), c.params.Get("requestState")
	if c.has("answer-unchecked") && responses.Exists() {
		return c.writeLog("fog", 0, "")
	}
	if c.has("answer-extra-refused") && responses.Len() > 1 {
		return nil, invalidParams("Invalid params: more answers than questions")
	}
	if responses.Exists() && !responses.Is(jsondoc.Object) {
		return nil, invalidParams("Invalid params: inputResponses must be an object")
	}
	if state.Exists() && !c.s.ours(state.Text(), c) && !c.has("state-unchecked") && !c.has("state-carried") {
		return nil, invalidParams("Invalid params: requestState was not issued for this request")
	}
	answer := responses.Get("observation")
	if c.has("answer-missing-refused") && state.Exists() && !answer.Exists() {
		return nil, invalidParams("Invalid params: the answer to the observation is missing")
	}
	if !state.Exists() || !answer.Exists() {
		return c.askObservation()
	}
	return c.observed(answer)
}

func (c *call) askObservation() (*object, *failure) {
	form := c.caps.Get("elicitation")
	if !form.Exists() || form.Len() > 0 && !form.Get("form").Exists() {
		if !c.has("question-undeclared") {
			return nil, fail(mcp.CodeMissingClientCapability, "This tool asks the user: the client must declare elicitation").
				with(obj("requiredCapabilities", obj("elicitation", obj("form", obj()))))
		}
	}
	return obj(
		"resultType", mcp.ResultInputRequired,
		"inputRequests", obj("observation", obj("method", mcp.ElicitationCreate, "params", observationForm())),
		"requestState", c.s.stateFor(c),
	), nil
}

func observationForm() *object {
	return obj(
		"mode", "form",
		"message", "What do you see from the gallery?",
		"requestedSchema", obj(
			"type", "object",
			"properties", obj(
				"sky", obj("type", "string", "title", "Sky", "description", "What the sky looks like.", "enum", skies()),
				"visibility", obj("type", "integer", "title", "Visibility", "description", "Kilometres.", "minimum", 0, "maximum", 60, "default", 20),
				"remark", obj("type", "string", "title", "Remark", "description", "Ships, birds, lights.", "maxLength", 200),
				"fogSignal", obj("type", "boolean", "title", "Fog signal", "description", "Is the fog signal sounding?", "default", false),
			),
			"required", []string{"sky"},
		),
	)
}

// observed takes the answer to the form.
func (c *call) observed(answer jsondoc.Value) (*object, *failure) {
	switch action := answer.Get("action"); action.Text() {
	case mcp.ActionAccept:
		content := answer.Get("content")
		sky := content.Get("sky")
		if !sky.Is(jsondoc.String) || !slices.Contains(skies(), sky.Text()) {
			return c.badInput("sky is required, one of " + strings.Join(skies(), ", "))
		}
		visibility, _ := content.Get("visibility").Float()
		remark := content.Get("remark").Text()
		if sounding, _ := content.Get("fogSignal").Bool(); sounding {
			remark = strings.TrimSpace(remark + " Fog signal sounding.")
		}
		return c.writeLog(sky.Text(), visibility, remark)
	case mcp.ActionDecline, mcp.ActionCancel:
		return toolText("Nothing was written: the question was not answered."), nil
	default:
		return nil, invalidParams("Invalid params: inputResponses.observation needs an action")
	}
}

func (c *call) writeLog(sky string, visibility float64, remark string) (*object, *failure) {
	o := c.s.station.write(sky, visibility, remark)
	c.s.Announce(logbookURI)
	return toolText(fmt.Sprintf("Observation %d is in the log book.", o.number)), nil
}
