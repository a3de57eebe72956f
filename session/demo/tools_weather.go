package demo

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"mcploupe/session/mcp"
)

// The tools that tell what the weather is, was and will be.

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
