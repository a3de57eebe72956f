package workshop

import "mcploupe/ui/calls"

// Recipe is a conversation to be recorded: what to ask the built-in server.
type Recipe struct {
	Name  string   // of the file, without directory and ending
	About string   // for the learner, one sentence
	Words []string // of the command line, without flags for recording and without a target
	Fault string   // of the server; "" for a faithful one
}

// Answers is the text of the file of answers that recipes take with --answers answers.json.
const Answers = `{
  "elicitation/create": {
    "action": "accept",
    "content": { "sky": "fog", "visibility": 1.5, "remark": "Fog signal sounding." }
  }
}
`

// AnswersFile is its name in a pack.
const AnswersFile = "answers.json"

// Conversations are the recipes for each main pattern of the protocol. All can be had under 2026-07-28 and 2025-11-25.
func Conversations() []Recipe {
	return []Recipe{
		{"three-exchanges", "Who are you, what do you have, do something: what MCP is.", []string{"call", "get_weather", "--arg", "location=Fairhaven"}, ""},
		{"lists-and-pages", "A list that comes in pages.", []string{"list", "tools"}, ""},
		{"resource", "A resource is read; the answer says how long it may be kept.", []string{"read", "station://skerry/weather"}, ""},
		{"missing-resource", "A resource that does not exist.", []string{"read", "station://skerry/nowhere"}, ""},
		{"prompt", "A prompt with arguments.", []string{"prompt", "compare_places", "--arg", "first=Fairhaven", "--arg", "second=Amber Bay"}, ""},
		{"completion", "The server suggests values for an argument.", []string{"complete", "prompt", "sea_area_forecast", "region", "N"}, ""},
		{"question", "The server asks back before it does what it was asked.", []string{"call", "log_observation", "--answers", AnswersFile}, ""},
		{"progress-and-log", "A tool that takes its time says how far it is.", []string{"call", "calibrate", "--arg", "steps:=3", "--arg", "stepMs:=20", "--log-level", "info"}, ""},
		{"subscription", "The server tells when a resource changes.", []string{"listen", "--tools", "--uri", "station://skerry/weather", "--for", "700ms"}, ""},
		{"task", "A call that becomes a task, and is asked for until it is done.", []string{"call", "survey_coast", "--task", "--arg", "legs:=1", "--arg", "legMs:=100", "--arg", "ask:=false"}, ""},
		{"tool-failed", "A tool that ran and failed: the model is told.", []string{"call", "read_sensor", "--arg", "sensor=hygrometer"}, ""},
		{"unknown-tool", "A tool that does not exist.", []string{"send", "tools/call", "--params", `{"name":"no_such_tool"}`}, ""},
		{"everything", "All that mcploupe check asks.", []string{"check"}, ""},
	}
}

// Mysteries are conversations with a server that does one thing wrong; which, is to be found out.
func Mysteries() []Recipe {
	weather := []string{"call", "get_weather", "--arg", "location=Fairhaven"}
	return []Recipe{
		{"1", "A list of tools.", []string{"list", "tools"}, "ttl-negative"},
		{"2", "The weather at Fairhaven.", weather, "output-invalid"},
		{"3", "A sensor is read.", []string{"call", "read_sensor", "--arg", "sensor=hygrometer"}, "exception-protocol"},
		{"4", "The weather at Fairhaven.", weather, "result-type-gone"},
		{"5", "A list of tools. Read it as a model would.", []string{"list", "tools"}, "poisoned-description"},
		{"6", "A subscription.", []string{"listen", "--tools", "--uri", "station://skerry/weather", "--for", "700ms"}, "ack-missing"},
		{"7", "A tool that takes its time.", []string{"call", "calibrate", "--arg", "steps:=3", "--arg", "stepMs:=20"}, "progress-stuck"},
		{"8", "A call with an argument that is wrong.", []string{"send", "tools/call", "--params", `{"name":"get_weather","arguments":{"location":7}}`}, "input-protocol"},
	}
}

// Saved are the saved calls of a pack by the names of their files (docs/calls.md).
func Saved() map[string]calls.Call {
	return map[string]calls.Call{
		"weather.json":        {Kind: calls.Tool, Name: "get_weather", Arguments: []byte(`{"location":"Skerry Light","days":3}`), Note: "three days at the light: structured output and the same as text"},
		"forecast.json":       {Kind: calls.Tool, Name: "get_forecast", Arguments: []byte(`{"region":"Amber Bay","days":3,"style":{"language":"en"}}`), Note: "over HTTP some arguments are repeated in headers"},
		"observation.json":    {Kind: calls.Tool, Name: "log_observation", Note: "without arguments: the server asks back"},
		"broken-sensor.json":  {Kind: calls.Tool, Name: "read_sensor", Arguments: []byte(`{"sensor":"hygrometer"}`), Note: "a tool that fails, and says so to the model"},
		"wrong-argument.json": {Kind: calls.Tool, Name: "get_weather", Arguments: []byte(`{"location":"Fairhaven","days":99}`), Note: "an argument that the schema forbids"},
		"slow.json":           {Kind: calls.Tool, Name: "calibrate", Arguments: []byte(`{"steps":5,"stepMs":300}`), Note: "with progress; cancel it"},
		"picture.json":        {Kind: calls.Tool, Name: "draw_barograph", Note: "content that is a picture"},
		"compare.json":        {Kind: calls.Prompt, Name: "compare_places", Arguments: []byte(`{"first":"Fairhaven","second":"Amber Bay"}`), Note: "a prompt with two arguments"},
		"logbook.json":        {Kind: calls.Resource, Name: "station://skerry/logbook", Note: "stale at once: ttlMs is 0"},
		"diary.json":          {Kind: calls.Resource, Name: "station://skerry/diary", Note: "private: not to be shared between callers"},
	}
}
