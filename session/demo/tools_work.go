package demo

import (
	"fmt"
	"time"

	"mcploupe/session/jsondoc"
)

// calibrate is slow on purpose: it reports progress after each step and stops when it is cancelled.
func calibrate(c *call) (*object, *failure) {
	steps, pause := c.number("steps", 5, 1, 100), c.number("stepMs", 400, 0, 10_000)
	instrument := c.text("instrument", "barometer")
	total := float64(steps)
	if on, is := c.args.Get("total").Bool(); is && !on {
		total = 0
	}
	c.log("info", fmt.Sprintf("calibrating the %s in %d steps", instrument, steps))
	for i := range steps {
		select {
		case <-c.ctx.Done():
			return nil, nil
		case <-time.After(time.Duration(pause) * time.Millisecond):
		}
		c.logData("debug", instrument, obj("step", i+1, "of", steps, "reading", obj("raw", 1013+i, "corrected", raw(fmt.Sprintf("%d.25", 1012+i)))))
		c.report(float64(i+1), total, fmt.Sprintf("step %d of %d", i+1, steps))
	}
	if steps < 3 {
		c.logData("warning", instrument, "few steps make a coarse calibration")
	}
	c.logData("notice", instrument, obj("message", "calibrated", "steps", steps))
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
	if c.has("state-carried") && c.modern() {
		switch answer := c.params.Get("inputResponses").Get("observation"); answer.Get("action").Text() {
		case "accept", "decline", "cancel":
		default:
			return c.askObservation()
		}
	}
	about := c.text("about", "weather")
	switch about {
	case "closing time":
		return toolText(fmt.Sprintf("Ding, ding. Subscriptions that end: %d.", c.s.hub.dismiss())), nil
	case "weather":
		c.s.Announce(weatherURI)
	default:
		c.s.Announce(about)
	}
	return toolText("Ding. Everybody who listens for " + about + " has been told."), nil
}

const (
	logbookURI = "station://skerry/logbook"
	weatherURI = "station://skerry/weather"
	diaryURI   = "station://skerry/diary"
)
