package demo

import "mcploupe/session/mcp"

// Faults of how answers to questions are taken, and a few that only odd requests bring to light.
func answerFaults() []fault {
	const ask = "check --probe, with --call log_observation"
	return []fault{
		{Fault: Fault{"answer-unchecked", "mrtr-malformed-response", "Takes whatever comes for an answer.", "", ask}},
		{Fault: Fault{"answer-missing-refused", "mrtr-missing-responses", "Fails when an answer is missing.", "", ask}},
		{Fault: Fault{"answer-extra-refused", "mrtr-unexpected-response-rejected", "Fails when there is an answer too many.", "", ask}},
		{Fault: Fault{"state-unchecked", "mrtr-request-state-tamper", "Does not look whether its requestState was changed.", "", ask}},
		{Fault: Fault{"state-carried", "mrtr-request-state-replay", "Takes the requestState of one tool for another.", "", ask + ` and --call 'ring_bell={"about":"weather"}'`}},
		{Fault: Fault{"task-cancel-taken", "tasks-unknown-id-acknowledged", "Agrees to cancel a task that does not exist.", "", "check --task --probe"}},
		{Fault: Fault{"task-param", "tasks-legacy-param-honoured", "Makes a task because of the member task.", "", "check --probe --unsafe --call survey_coast={}"}},
		{Fault: Fault{"task-answer-strict", "tasks-update-unknown-key", "Refuses answers that nobody waits for.", "", "check --task --probe --call survey_coast={}"}},
		{Fault: Fault{"cancel-breaks", "cancel-broke-channel", "Ends when a request is cancelled that it does not know.", "stdio", "check --probe"}},
		{Fault: Fault{"list-by-connection", "version-list-varies-by-connection", "Offers a tool less on a connection of its own.", "http", "check --probe"},
			result: func(c *call, r *object) {
				if list := r.list("tools"); c.is(mcp.ToolsList) && c.header.Get("Connection") == "close" && len(list) > 0 {
					r.set("tools", list[:len(list)-1])
				}
			}},
		{Fault: Fault{"path-climbs", "resources-path-traversal", "Reads any file that an address leads to.", "", "check --probe --unsafe"},
			result: func(c *call, r *object) {
				if list := r.list("resources"); c.is(mcp.ResourcesList) && len(list) > 0 {
					r.set("resources", append([]any{obj("uri", "file:///station/notes/readme.txt", "name", "readme")}, list...))
				}
			}},
		{Fault: Fault{"page-only", "meta-apps-no-fallback", "Answers with a page, and with nothing for clients without pages.", "", "call draw_barograph"},
			result: func(c *call, r *object) {
				for _, t := range r.objects("tools") {
					if t.text("name") == "draw_barograph" {
						t.set("_meta", obj("ui", obj("resourceUri", "ui://station/barograph.html")))
					}
				}
				if c.is(mcp.ToolsCall) && c.name == "draw_barograph" && r.get("isError") != true {
					r.set("content", []any{})
				}
			}},
	}
}
