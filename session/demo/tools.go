package demo

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

func (c *call) listTools() (*object, *failure) {
	var entries []any
	for _, t := range c.s.cat.tools {
		def := t.def
		if !c.modern() && !mcp.AtLeast(c.rev, mcp.R20251125) {
			def = def.clone()
			def.drop("icons")
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
	t, ok := c.s.cat.tool(c.name)
	if !ok {
		switch {
		case c.has("unknown-tool-success"):
			return toolText("Done: " + c.name), nil
		case c.has("unknown-tool-code"):
			return nil, fail(mcp.CodeInternalError, "Unknown tool: "+c.name)
		case c.s.opt.Published, c.has("unknown-tool-protocol"):
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
	case "delete_observation":
		return deleteObservation
	}
	return ringBell
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

func getWeather(c *call) (*object, *failure) {
	place := strings.TrimSpace(c.text("location", "Skerry Light"))
	if place == "" {
		return c.badInput("location is blank")
	}
	w := c.s.station.weather(place)
	units := c.text("units", "metric")
	degrees := func(v float64) float64 {
		if units == "imperial" {
			return round(v*9/5 + 32)
		}
		return v
	}
	speed := w.wind
	if units == "imperial" {
		speed = round(w.wind * 2.23694)
	}
	v := obj(
		"location", place,
		"observedAt", w.at.Format(time.RFC3339),
		"reading", w.reading,
		"temperature", degrees(w.temperature),
		"wind", obj("speed", speed, "from", w.from),
		"pressure", w.pressure,
		"sky", w.sky,
		"units", units,
	)
	if c.args.Get("days").Exists() {
		var days []any
		for d := range c.number("days", 1, 1, 14) {
			day := w.at.AddDate(0, 0, int(d)+1).Truncate(24 * time.Hour)
			night, noon := weatherAt(place, day.Add(4*time.Hour)), weatherAt(place, day.Add(14*time.Hour))
			low, high := min(night.temperature, noon.temperature), max(night.temperature, noon.temperature)
			days = append(days, obj("date", day.Format(time.DateOnly), "low", degrees(low), "high", degrees(high), "sky", noon.sky))
		}
		v.set("days", days)
	}
	return structured(v), nil
}

func getForecast(c *call) (*object, *failure) {
	region := c.text("region", regions()[0])
	lines := forecast(region, int(c.number("days", 2, 1, 7)), c.s.opt.Now())
	if gales, _ := c.args.Get("gales").Bool(); gales {
		var warnings []string
		for _, l := range lines {
			if strings.Contains(l, "gale") {
				warnings = append(warnings, l)
			}
		}
		if lines = warnings; len(lines) == 0 {
			lines = []string{"No gale warnings."}
		}
	}
	if brief, _ := c.args.Get("style").Get("brief").Bool(); brief {
		for i, l := range lines {
			lines[i], _, _ = strings.Cut(l, ",")
		}
	}
	text := region + "\n" + strings.Join(lines, "\n")
	if language := c.args.Get("style").Get("language").Text(); language != "" && !strings.HasPrefix(language, "en") {
		text += "\n(The keeper writes English only; " + language + " was asked for.)"
	}
	return toolText(text), nil
}

func tideTable(c *call) (*object, *failure) {
	day := c.s.opt.Now().UTC()
	if date := c.text("date", ""); date != "" {
		var err error
		if day, err = time.Parse(time.DateOnly, date); err != nil {
			return c.badInput("date is no day of the calendar: " + date)
		}
	}
	return toolText(tides(day)), nil
}

func drawBarograph(c *call) (*object, *failure) {
	hours, width := c.number("hours", 48, 6, 168), c.number("width", 240, 64, 640)
	picture := barographPNG(int(hours), int(width), c.s.opt.Now())
	return obj("content", []any{
		obj("type", "image", "data", base64.StdEncoding.EncodeToString(picture), "mimeType", "image/png",
			"annotations", obj("audience", []string{"user"}, "priority", 0.9)),
		textBlock(fmt.Sprintf("Pressure at Skerry Light over the last %d hours.", hours)),
	}), nil
}

func readSensor(c *call) (*object, *failure) {
	sensor := c.text("sensor", "thermometer")
	if sensor != "hygrometer" {
		value, unit := c.s.station.weather("Skerry Light").value(sensor)
		return toolText(fmt.Sprintf("%s: %.1f %s", sensor, value, unit)), nil
	}
	switch {
	case c.has("exception-protocol"):
		return nil, fail(mcp.CodeInternalError, "The hygrometer does not answer")
	case c.has("masked-failure"):
		return toolText("Error: the hygrometer does not answer"), nil
	}
	return toolError("The hygrometer does not answer: its cable has been chewed through. Try another sensor."), nil
}
