package demo

import (
	"fmt"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// calibrate is slow on purpose: it reports progress after each step and stops when it is cancelled.
func calibrate(c *call) (*object, *failure) {
	steps, pause := c.number("steps", 5, 1, 100), c.number("stepMs", 400, 0, 10_000)
	instrument := c.text("instrument", "barometer")
	c.log("info", fmt.Sprintf("calibrating the %s in %d steps", instrument, steps))
	for i := range steps {
		select {
		case <-c.ctx.Done():
			return nil, nil
		case <-time.After(time.Duration(pause) * time.Millisecond):
		}
		c.log("debug", fmt.Sprintf("step %d done", i+1))
		c.report(float64(i+1), float64(steps), fmt.Sprintf("step %d of %d", i+1, steps))
	}
	return toolText(fmt.Sprintf("The %s agrees with the reference after %d steps.", instrument, steps)), nil
}

func setAlert(c *call) (*object, *failure) {
	name := c.text("name", "unnamed")
	var priority any
	if p := c.args.Get("priority"); p.IsInteger() {
		priority = raw(p.Raw())
	}
	return structured(obj(
		"alert", fmt.Sprintf("alert-%04x", seedOf(name)%0x10000),
		"conditions", max(conditions(c.args.Get("when")), 1),
		"contacts", c.args.Get("notify").Len(),
		"priority", priority,
	)), nil
}

// conditions counts the conditions in a tree of them.
func conditions(when jsondoc.Value) int {
	all := when.Get("all")
	if !all.Exists() {
		return 1
	}
	n := 0
	for e := range all.Children() {
		n += conditions(e)
	}
	return n
}

func exportReadings(c *call) (*object, *failure) {
	instrument := c.text("instrument", "thermometer")
	n := c.number("rows", 100, 1, 200_000)
	start := c.s.opt.Now().UTC().Truncate(time.Minute).Add(-time.Duration(n) * time.Minute)
	rows := make([]any, 0, n)
	for i := range n {
		at := start.Add(time.Duration(i) * time.Minute)
		value, _ := weatherAt("Skerry Light", at).value(instrument)
		rows = append(rows, obj("at", at.Format(time.RFC3339), "value", value, "good", i%97 != 13))
	}
	return structured(obj("instrument", instrument, "rows", rows)), nil
}

func copyLog(c *call) (*object, *failure) {
	size := int(c.number("kilobytes", 4, 1, 51_200)) * 1024
	sky, wind, end := skies(), compass(), "\n"
	if c.text("shape", "lines") == "line" {
		end = " "
	}
	text := make([]byte, 0, size+80)
	for i := 1; len(text) < size; i++ {
		from := len(text)
		text = fmt.Appendf(text, "%06d  %s, wind %s; the light burned clear all night", i, sky[i%len(sky)], wind[i%len(wind)])
		for len(text) < from+79 {
			text = append(text, ' ')
		}
		text = append(text, end...)
	}
	return toolText(string(text[:size])), nil
}

func findChart(c *call) (*object, *failure) {
	name := c.text("name", "tides")
	for _, r := range c.s.cat.resources {
		if r.name != name {
			continue
		}
		link := r.def.clone()
		link.drop("annotations")
		link.first("type", "resource_link")
		legend := obj("uri", "station://skerry/about", "mimeType", "text/markdown", "text", "Chart *"+name+"* was drawn at Skerry Light.")
		return obj("content", []any{
			textBlock("The chart is here: " + r.uri),
			link,
			obj("type", "resource", "resource", legend),
		}), nil
	}
	return toolError("There is no chart named " + name + "."), nil
}

func deleteObservation(c *call) (*object, *failure) {
	number := c.number("number", 0, 0, 1<<31)
	if !c.s.station.strike(int(number)) {
		return toolError(fmt.Sprintf("There is no observation number %d in the log book.", number)), nil
	}
	c.s.Announce(logbookURI)
	return toolText(fmt.Sprintf("Observation %d is struck from the log book.", number)), nil
}

func ringBell(c *call) (*object, *failure) {
	about := c.text("about", "weather")
	if about == "weather" {
		c.s.Announce(weatherURI)
	} else {
		c.s.Announce(about)
	}
	return toolText("Ding. Everybody who listens for " + about + " has been told."), nil
}

const (
	logbookURI = "station://skerry/logbook"
	weatherURI = "station://skerry/weather"
	diaryURI   = "station://skerry/diary"
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
	if responses.Exists() && !responses.Is(jsondoc.Object) {
		return nil, invalidParams("Invalid params: inputResponses must be an object")
	}
	if state.Exists() && !c.s.ours(state.Text(), c) {
		return nil, invalidParams("Invalid params: requestState was not issued for this request")
	}
	answer := responses.Get("observation")
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
		if !sky.Is(jsondoc.String) || !contains(skies(), sky.Text()) {
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

func contains(words []string, word string) bool {
	for _, w := range words {
		if w == word {
			return true
		}
	}
	return false
}

func (c *call) writeLog(sky string, visibility float64, remark string) (*object, *failure) {
	o := c.s.station.write(sky, visibility, remark)
	c.s.Announce(logbookURI)
	return toolText(fmt.Sprintf("Observation %d is in the log book.", o.number)), nil
}
