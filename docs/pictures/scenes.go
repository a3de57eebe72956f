//go:build !windows

package main

var scenes = []scene{
	{
		name: "inspector", title: "A tool was called; its output breaks its own schema, and the offending value is marked", w: 120, h: 36,
		args:  []string{"demo", "--fault", "output-invalid", "--fault", "input-schema-gone"},
		steps: []step{{"get_weather", []string{"enter"}}, {"location", []string{"Bergen", "ctrl+s"}}, {"resultType", []string{"esc", "tab", "]"}}, {"temperature", nil}},
	},
	{
		name: "findings", title: "All findings by rule, with the page of the rule under the cursor", w: 120, h: 36,
		args:  []string{"demo", "--fault", "ttl-negative", "--fault", "tool-twice", "--fault", "output-invalid"},
		steps: []step{{"get_weather", []string{"enter"}}, {"location", []string{"Bergen", "ctrl+s"}}, {"resultType", []string{"esc", "!"}}, {"How to fix it", nil}},
	},
	{
		name: "small", title: "The same at 80×24", w: 80, h: 24,
		args:  []string{"demo"},
		steps: []step{{"get_weather", []string{"enter"}}, {"location", []string{"Bergen", "ctrl+s"}}, {"resultType", nil}},
	},
}
