package demo

import (
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// interview asks the person in every way that the protocol has, one way a call, so that each can be tried. It answers
// with what came.
func interview(c *call) (*object, *failure) {
	how := c.text("how", "form")
	switch how {
	case "again":
		if state := c.params.Get("requestState"); !c.modern() || state.Exists() && c.s.ours(state.Text(), c) {
			return toolText("Thank you for coming again."), nil
		}
		return c.asking()
	case "forever":
		return c.askForever()
	case "address-first":
		if !c.modern() && c.addressRequired() {
			return nil, fail(mcp.CodeURLElicitationRequired, "The visitors' desk wants to see you first").
				with(obj("elicitations", []any{addressParams().set("elicitationId", addressID)}))
		}
		if c.modern() {
			how = "address"
		} else {
			c.notify(mcp.ElicitationComplete, obj("elicitationId", addressID))
			return toolText("You have been to the visitors' desk."), nil
		}
	}
	var questions []question
	switch how {
	case "address":
		p := addressParams()
		if !c.modern() {
			p.set("elicitationId", addressID)
		}
		questions = append(questions, question{"desk", mcp.ElicitationCreate, p, []string{"elicitation", "url"}})
	case "sampling":
		questions = append(questions, samplingQuestion(false))
	case "sampling-tools":
		questions = append(questions, samplingQuestion(true))
	case "roots":
		questions = append(questions, question{"folders", mcp.RootsList, nil, []string{"roots"}})
	case "several":
		questions = append(questions,
			question{"about", mcp.ElicitationCreate, everyKind(c), []string{"elicitation", "form"}},
			samplingQuestion(false),
			question{"folders", mcp.RootsList, nil, []string{"roots"}})
	default:
		questions = append(questions, question{"about", mcp.ElicitationCreate, everyKind(c), []string{"elicitation", "form"}})
	}
	answers, r, f := c.wonder(questions...)
	if r != nil || f != nil {
		return r, f
	}
	if how == "address" && !c.modern() && answers.Get("desk").Get("action").Text() == mcp.ActionAccept {
		c.notify(mcp.ElicitationComplete, obj("elicitationId", addressID))
	}
	if answers.Len() == 0 {
		return toolError("The client cannot be asked that way."), nil
	}
	return toolText("This came: " + string(jsondoc.Compact(nil, answers.Raw()))), nil
}

// askForever asks the same whatever is answered.
func (c *call) askForever() (*object, *failure) {
	p := obj("mode", "form", "message", "And what else? (This never ends.)",
		"requestedSchema", obj("type", "object", "properties", obj("else", obj("type", "string", "title", "What else"))))
	q := question{"else", mcp.ElicitationCreate, p, []string{"elicitation", "form"}}
	if c.modern() {
		return c.asking(q)
	}
	for c.ctx.Err() == nil {
		answers, r, f := c.wonder(q)
		if r != nil || f != nil {
			return r, f
		}
		if answers.Get("else").Get("action").Text() != mcp.ActionAccept {
			break
		}
	}
	return toolText("Nothing else, then."), nil
}

const addressID = "visitors-desk-1"

func addressParams() *object {
	return obj("mode", "url", "message", "Book your visit at the visitors' desk, then come back.", "url", "https://skerry.example/visitors?visit=1")
}

// addressRequired tells that the client was not sent to the visitors' desk yet.
func (c *call) addressRequired() bool {
	s := c.legacy
	if !c.declares("elicitation", "url") {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	was := s.visited
	s.visited = true
	return !was
}

// samplingQuestion asks for a verse, with tools in the middle of a conversation or without.
func samplingQuestion(tools bool) question {
	messages := []any{says(mcp.RoleUser, textBlock("Write two lines about the fog at Skerry Light."))}
	p := obj("messages", messages, "systemPrompt", "You write for the log book: plain words, no rhymes.", "maxTokens", 120)
	needs := []string{"sampling"}
	if tools {
		needs = append(needs, "tools")
		messages = append(messages,
			says(mcp.RoleAssistant, obj("type", "tool_use", "id", "call-1", "name", "look_out", "input", obj("direction", "west"))),
			says(mcp.RoleUser, obj("type", "tool_result", "toolUseId", "call-1", "content", []any{textBlock("Fog, one ship's horn, no lights.")})))
		p.set("messages", messages)
		p.set("tools", []any{obj("name", "look_out", "description", "Looks out of the window.", "inputSchema",
			obj("type", "object", "properties", obj("direction", obj("type", "string", "enum", []string{"north", "east", "south", "west"})), "required", []string{"direction"}))})
		p.set("toolChoice", obj("mode", "auto"))
	}
	return question{"verse", mcp.SamplingCreate, p, needs}
}

// everyKind is a form with a field of every kind that forms of the revision may have (client/elicitation, Requested Schema). Choices
// with titles as oneOf, and several at once, came with 2025-11-25.
func everyKind(c *call) *object {
	choice := func(value, title string) any { return obj("const", value, "title", title) }
	form := obj(
		"mode", "form",
		"message", "A few words about your visit.",
		"requestedSchema", obj("type", "object", "properties", obj(
			"name", obj("type", "string", "title", "Name", "minLength", 2, "maxLength", 40),
			"email", obj("type", "string", "title", "E-mail", "format", "email"),
			"homepage", obj("type", "string", "title", "Home page", "format", "uri"),
			"day", obj("type", "string", "title", "Day of the visit", "format", "date"),
			"landed", obj("type", "string", "title", "Time of landing", "format", "date-time"),
			"guests", obj("type", "integer", "title", "Guests", "minimum", 1, "maximum", 8, "default", 2),
			"walked", obj("type", "number", "title", "Miles walked", "minimum", 0),
			"swam", obj("type", "boolean", "title", "Swam in the sea", "default", false),
			"weather", obj("type", "string", "title", "Weather", "enum", []string{"clear", "fog", "gale"}, "default", "fog"),
			"boat", obj("type", "string", "title", "Boat", "oneOf", []any{choice("ferry", "The ferry"), choice("row", "A rowing boat")}),
			"seen", obj("type", "array", "title", "Seen", "items", obj("type", "string", "enum", []string{"seals", "gannets", "whales"}), "minItems", 1, "maxItems", 2),
			"again", obj("type", "array", "title", "Come again in", "items", obj("anyOf", []any{choice("spring", "Spring"), choice("autumn", "Autumn")}), "default", []string{"spring"}),
		), "required", []string{"name", "seen"}),
	)
	if !c.modern() && !mcp.AtLeast(c.rev, mcp.R20251125) {
		schema := form.object("requestedSchema")
		fields := schema.object("properties")
		fields.set("boat", obj("type", "string", "title", "Boat", "enum", []string{"ferry", "row"}, "enumNames", []string{"The ferry", "A rowing boat"}))
		fields.drop("seen")
		fields.drop("again")
		schema.set("required", []string{"name"})
	}
	return form
}
