//go:build !windows

package main

// scenes are the pictures of README.md and docs/tour.md, in the order in which the tour shows them.
func scenes() []scene {
	called := []step{{"get_weather", []string{"enter"}}, {"location", []string{"Fairhaven", "ctrl+s"}}, {"resultType", nil}}
	asked := []step{{"get_weather", []string{"/", "log_obs", "enter", "enter"}}, {"visibility", []string{"ctrl+s"}}, {"What do you see", nil}}
	return []scene{
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
			args: []string{"demo"}, steps: called,
		},
		{
			name: "tour-field", title: "What is under the cursor: a member of a message, what it means and who sends it", w: 100, h: 28,
			args:  []string{"demo"},
			steps: append(called, step{"resultType", []string{"esc", "tab", "/", "resultType", "enter", "i"}}, step{"sent by", nil}),
		},
		{
			name: "tour-question", title: "The server asks back: who asks, the form, and the JSON that will be sent", w: 100, h: 28,
			args: []string{"demo"}, steps: asked,
		},
		{
			name: "tour-story", title: "The story of a call that asked back, as a sequence diagram", w: 100, h: 28,
			args:  []string{"demo"},
			steps: append(asked, step{"required", []string{"right", "right", "ctrl+s"}}, step{"round 2", []string{"5", "G", "enter", "<"}}, step{"2 requests", nil}),
		},
		{
			name: "tour-changes", title: "Two calls compared: what changed in the request and in the answer", w: 100, h: 28,
			args:  []string{"demo"},
			steps: append(called, step{"resultType", []string{"ctrl+p", "backspace", "ctrl+s"}}, step{"Changes", []string{"esc", "tab", "d"}}, step{"with other arguments", nil}),
		},
		{
			name: "tour-subscriptions", title: "A subscription: what was asked for, what the server grants, and how it stands", w: 100, h: 28,
			args:  []string{"demo"},
			steps: append(called, step{"resultType", []string{"esc", "S", "n"}}, step{"Tell me when", []string{"enter"}}, step{"acknowledged", nil}),
		},
		{
			name: "tour-era", title: "One request under two revisions, side by side, with the reason for each difference", w: 120, h: 36,
			args:  []string{"demo"},
			steps: append(called, step{"resultType", []string{"esc", "5", "G", ":"}}, step{"Commands", []string{"era"}}, step{"two revisions", []string{"enter"}}, step{"under 2025-11-25", nil}),
		},
		{
			name: "tour-faults", title: "The menu of faults: each with its rule, switched while the server runs", w: 100, h: 28,
			args:  []string{"demo"},
			steps: []step{{"get_weather", []string{"F"}}, {"output-invalid", []string{"enter"}}, {"1 on", nil}},
		},
		{
			name: "tour-learn", title: "A lesson beside the live screen", w: 110, h: 30,
			args:  []string{"learn", "three-exchanges"},
			steps: []step{{"Lesson 1", nil}},
		},
		{
			name: "tour-present", title: "For a projector: words beside signs, the keys that were pressed, a spotlight on a line", w: 100, h: 28,
			args:  []string{"demo", "--present", "--fault", "output-invalid"},
			steps: []step{{"get_weather", []string{"enter"}}, {"location", []string{"Fairhaven", "ctrl+s"}}, {"bad output", []string{"esc", "tab", "]", "*"}}, {"spotlight", nil}},
		},
		{
			name: "tour-check", title: "mcploupe check in a terminal: the same findings without a screen", w: 120, h: 18,
			args:  []string{"check", "--call", `get_weather={"location":"Fairhaven"}`, "--", "mcploupe", "demo", "--stdio", "--fault", "output-invalid"},
			steps: []step{{"exchanges ·", nil}},
		},
	}
}
