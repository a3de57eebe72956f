package demo

import (
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

func (c *call) listTools() (*object, *failure) {
	var entries []any
	for _, t := range c.s.tools() {
		def := t.def
		if !c.modern() && !mcp.AtLeast(c.rev, mcp.R20251125) {
			def = def.clone()
			def.drop("icons")
		}
		if !c.modern() && !mcp.AtLeast(c.rev, mcp.R20250618) {
			def.drop("outputSchema")
			def.drop("title")
		}
		if !c.modern() && !mcp.AtLeast(c.rev, mcp.R20250326) {
			def.drop("annotations")
		}
		if t.name == "survey_coast" && !c.modern() && c.rev == mcp.R20251125 {
			def = def.clone()
			def.set("execution", obj("taskSupport", "optional"))
		}
		entries = append(entries, def)
	}
	r, f := c.list("tools", entries)
	if f != nil {
		return nil, f
	}
	return c.cached(r, 300_000, mcp.ScopePublic), nil
}

// callTool runs a tool. Only what is wrong with the request itself is a JSON-RPC error; what is wrong with
// the arguments, and what goes wrong inside, is a result with isError, which the model sees.
func (c *call) callTool() (*object, *failure) {
	name := c.params.Get("name")
	c.args = c.params.Get("arguments")
	malformed := ""
	switch {
	case !name.Is(jsondoc.String):
		malformed = "tools/call needs a name"
	case c.args.Exists() && !c.args.Is(jsondoc.Object):
		malformed = "arguments must be an object"
	}
	if malformed != "" {
		if c.has("malformed-as-result") {
			return toolError("Invalid input: " + malformed), nil
		}
		return nil, invalidParams("Invalid params: " + malformed)
	}
	c.name = name.Text()
	t, ok := c.s.tool(c.name)
	if !ok {
		switch {
		case c.has("unknown-tool-success"):
			return toolText("Done: " + c.name), nil
		case c.has("unknown-tool-code"):
			return nil, fail(mcp.CodeInternalError, "Unknown tool: "+c.name)
		case c.s.opt.Published, !c.modern(), c.has("unknown-tool-protocol"):
			return nil, invalidParams("Unknown tool: " + c.name)
		}
		return toolError("Unknown tool: " + c.name), nil
	}
	args := c.args
	if !args.Exists() {
		args = jsondoc.Parse([]byte("{}")).Root()
	}
	if text := invalid(t.input, t.input, args, ""); text != "" && !c.has("input-accepted") {
		return c.badInput(text)
	}
	c.intrude()
	c.log("info", "running "+c.name)
	return c.runner()(c)
}

// badInput says that the arguments cannot be used.
func (c *call) badInput(text string) (*object, *failure) {
	if c.has("input-protocol") {
		return nil, invalidParams("Invalid arguments: " + text)
	}
	return toolError("Invalid input: " + text), nil
}

func (c *call) runner() func(*call) (*object, *failure) {
	switch c.name {
	case "get_weather":
		return getWeather
	case "get_forecast":
		return getForecast
	case "tide_table":
		return tideTable
	case "draw_barograph":
		return drawBarograph
	case "read_sensor":
		return readSensor
	case "calibrate":
		return calibrate
	case "set_alert":
		return setAlert
	case "export_readings":
		return exportReadings
	case "copy_log":
		return copyLog
	case "find_chart":
		return findChart
	case "log_observation":
		return logObservation
	case "interview":
		return interview
	case "delete_observation":
		return deleteObservation
	case "survey_coast":
		return surveyCoast
	case "hang_instrument":
		return hangInstrument
	case "ring_bell":
		return ringBell
	}
	return readRigged
}

// text is a string argument, or otherwise the default.
func (c *call) text(name, otherwise string) string {
	if v := c.args.Get(name); v.Is(jsondoc.String) {
		return v.Text()
	}
	return otherwise
}

// number is an integer argument within bounds, or otherwise the default. The schema has been checked
// before; the bounds matter when the fault input-accepted lets anything through.
func (c *call) number(name string, otherwise, low, high int64) int64 {
	n, ok := c.args.Get(name).Int()
	if !ok {
		return otherwise
	}
	return min(max(n, low), high)
}

func textBlock(text string) *object { return obj("type", "text", "text", text) }

func toolText(text string) *object { return obj("content", []any{textBlock(text)}) }

func toolError(text string) *object { return toolText(text).set("isError", true) }

// structured is a result with structured output, and the same as text for clients that read only that.
func structured(v *object) *object {
	return obj("content", []any{textBlock(jsonText(v))}, "structuredContent", v)
}
