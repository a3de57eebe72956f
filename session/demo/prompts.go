package demo

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

func (c *call) listPrompts() (*object, *failure) {
	var entries []any
	for _, p := range c.s.cat.prompts {
		entries = append(entries, p)
	}
	r, f := c.list("prompts", entries)
	if f != nil {
		return nil, f
	}
	return c.cached(r, 300_000, mcp.ScopePublic), nil
}

func (c *call) getPrompt() (*object, *failure) {
	name := c.params.Get("name")
	if !name.Is(jsondoc.String) {
		return nil, invalidParams("Invalid params: prompts/get needs a name")
	}
	p := c.s.cat.prompt(name.Text())
	if p == nil {
		return nil, invalidParams("Unknown prompt: " + name.Text())
	}
	args := c.params.Get("arguments")
	if args.Exists() && !args.Is(jsondoc.Object) {
		return nil, invalidParams("Invalid params: arguments must be an object")
	}
	for _, a := range p.objects("arguments") {
		v := args.Get(a.text("name"))
		if a.get("required") == true && !v.Exists() {
			return nil, invalidParams("Missing required argument: " + a.text("name"))
		}
		if v.Exists() && !v.Is(jsondoc.String) {
			return nil, invalidParams("Invalid params: argument " + a.text("name") + " must be a string")
		}
	}
	if p.text("name") == "guest_book" {
		c.name, c.args = name.Text(), args
		who, asks, f := c.signGuestBook()
		if asks != nil || f != nil {
			return asks, f
		}
		return obj("description", p.get("description"), "messages", []any{
			says(mcp.RoleUser, textBlock("Write an entry for the guest book of Skerry Light, in the name of "+who+".")),
		}), nil
	}
	arg := func(name string) string { return args.Get(name).Text() }
	return obj("description", p.get("description"), "messages", c.messages(p.text("name"), arg)), nil
}

func says(role string, content *object) *object { return obj("role", role, "content", content) }

func (c *call) messages(prompt string, arg func(string) string) []any {
	user := func(format string, args ...any) *object {
		return says(mcp.RoleUser, textBlock(fmt.Sprintf(format, args...)))
	}
	switch prompt {
	case "morning_briefing":
		return []any{
			user("Read the weather of this morning to the breakfast table, in three calm sentences."),
			says(mcp.RoleUser, obj("type", "resource", "resource", obj("uri", weatherURI, "mimeType", "application/json", "text", c.s.weatherNow()))),
			says(mcp.RoleAssistant, textBlock("Good morning from Skerry Light.")),
		}
	case "compare_places":
		return []any{user("Which has the better weather for going out tomorrow, %s or %s? Ask get_weather for both and give one reason.", arg("first"), arg("second"))}
	case "sea_area_forecast":
		tone := arg("tone")
		if tone == "" {
			tone = "plain"
		}
		picture := base64.StdEncoding.EncodeToString(barographPNG(48, 160, c.s.opt.Now()))
		return []any{
			user("Write the forecast for %s in a %s voice, as the radio reads it. The barograph of two days is below.\n\n%s",
				arg("region"), tone, strings.Join(forecast(arg("region"), 2, c.s.opt.Now()), "\n")),
			says(mcp.RoleUser, obj("type", "image", "data", picture, "mimeType", "image/png")),
		}
	}
	subject := arg("subject")
	if subject == "" {
		subject = "the light"
	}
	return []any{
		user("Help me to write a short letter to the keeper of Skerry Light about %s.", subject),
		says(mcp.RoleAssistant, textBlock("Dear keeper,")),
	}
}

// complete suggests values for arguments of prompts and variables of templates.
func (c *call) complete() (*object, *failure) {
	if c.has("error-without-id") {
		return nil, fail(mcp.CodeInternalError, "No suggestions today")
	}
	ref, argument := c.params.Get("ref"), c.params.Get("argument")
	name, typed := argument.Get("name"), argument.Get("value")
	if !name.Is(jsondoc.String) || !typed.Is(jsondoc.String) {
		return nil, invalidParams("Invalid params: completion/complete needs argument.name and argument.value")
	}
	var values []string
	known := false
	switch ref.Get("type").Text() {
	case "ref/prompt":
		values, known = c.promptValues(ref.Get("name").Text(), name.Text())
	case "ref/resource":
		values, known = c.variableValues(ref.Get("uri").Text(), name.Text())
	}
	if !known {
		return nil, invalidParams("Invalid params: there is no such prompt, template or argument to complete")
	}
	matching := []string{}
	for _, v := range values {
		if strings.HasPrefix(strings.ToLower(v), strings.ToLower(typed.Text())) {
			matching = append(matching, v)
		}
	}
	total := len(matching)
	matching = matching[:min(total, mostValues)]
	return obj("completion", obj("values", matching, "total", total, "hasMore", total > len(matching))), nil
}

// mostValues is how many values one answer may hold (server/utilities/completion).
const mostValues = 100

func (c *call) promptValues(prompt, argument string) ([]string, bool) {
	p := c.s.cat.prompt(prompt)
	if p == nil {
		return nil, false
	}
	for _, a := range p.objects("arguments") {
		if a.text("name") != argument {
			continue
		}
		switch argument {
		case "region":
			return regions(), true
		case "tone":
			return tones(), true
		case "first":
			return places(), true
		case "second":
			// A place is not compared with itself.
			first := c.params.Get("context").Get("arguments").Get("first").Text()
			var others []string
			for _, p := range places() {
				if p != first {
					others = append(others, p)
				}
			}
			return others, true
		}
		return nil, true
	}
	return nil, false
}

func (c *call) variableValues(template, variable string) ([]string, bool) {
	for _, t := range c.s.cat.templates {
		if t.uri != template {
			continue
		}
		switch t.name + "." + variable {
		case "readings.instrument":
			return instruments(), true
		case "readings.date":
			var days []string
			for d := range 365 {
				days = append(days, c.s.opt.Now().UTC().AddDate(0, 0, -d).Format(time.DateOnly))
			}
			return days, true
		case "forecast.region":
			return regions(), true
		case "forecast.days":
			return []string{"1", "2", "3", "4", "5", "6", "7"}, true
		case "ship.callsign":
			var signs []string
			for _, v := range ships() {
				signs = append(signs, v.callsign)
			}
			return signs, true
		}
	}
	return nil, false
}
