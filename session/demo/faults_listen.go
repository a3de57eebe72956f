package demo

import (
	"mcploupe/session/mcp"
)

// Faults of questions to the person (input_required).
func askFaults() []fault {
	const ask = "call log_observation"
	asking := func(change func(r *object)) func(*call, *object) {
		return func(_ *call, r *object) {
			if r.get("resultType") == mcp.ResultInputRequired {
				change(r)
			}
		}
	}
	form := func(change func(params, properties *object)) func(*call, *object) {
		return asking(func(r *object) {
			params := r.object("inputRequests").object("observation").object("params")
			change(params, params.object("requestedSchema").object("properties"))
		})
	}
	return []fault{
		{Fault: Fault{"question-empty", "mrtr-empty", "Asks for input without saying for what.", "", ask},
			result: asking(func(r *object) { r.drop("inputRequests"); r.drop("requestState") })},
		{Fault: Fault{"question-list", "mrtr-input-requests-type", "Gives its questions as an array.", "", ask},
			result: asking(func(r *object) { r.set("inputRequests", []any{r.object("inputRequests").get("observation")}) })},
		{Fault: Fault{"question-method", "mrtr-input-request-method", "Asks the client to run a shell.", "", ask},
			result: asking(func(r *object) { r.object("inputRequests").object("observation").set("method", "shell/run") })},
		{Fault: Fault{"question-envelope", "mrtr-input-request-envelope", "Writes its question as a request of its own.", "", ask},
			result: asking(func(r *object) { r.object("inputRequests").object("observation").set("jsonrpc", "2.0").set("id", 1) })},
		{Fault: Fault{"question-undeclared", "mrtr-capability-undeclared", "Asks a client that did not say it can be asked.", "", "call log_observation, declaring no elicitation"}},
		{Fault: Fault{"state-object", "mrtr-request-state-type", "Gives requestState as an object.", "", ask},
			result: asking(func(r *object) { r.set("requestState", obj("tool", "log_observation")) })},
		{Fault: Fault{"form-no-message", "elicitation-message-missing", "Asks without a message.", "", ask},
			result: form(func(p, _ *object) { p.drop("message") })},
		{Fault: Fault{"form-nested", "elicitation-schema-nested", "Asks with a form that is nested.", "", ask},
			result: form(func(_, p *object) {
				p.set("ship", obj("type", "object", "properties", obj("name", obj("type", "string"))))
			})},
		{Fault: Fault{"form-password", "elicitation-sensitive-form", "Asks for a password in a form.", "", ask},
			result: form(func(_, p *object) { p.set("password", obj("type", "string", "title", "Password")) })},
	}
}

// Faults of subscriptions, progress and logging.
func listenFaults() []fault {
	const listen, slow = "listen --tools", "call calibrate --arg stepMs:=50"
	return []fault{
		{Fault: Fault{"ack-missing", "subscription-ack-missing", "Never acknowledges a subscription.", "", listen}},
		{Fault: Fault{"ack-late", "subscription-ack-not-first", "Sends a change before it acknowledges the subscription.", "", listen}},
		{Fault: Fault{"ack-superset", "subscription-ack-superset", "Acknowledges what nobody asked for.", "", listen},
			event: func(_ *call, m string, p *object) {
				if m == mcp.Acknowledged {
					p.object("notifications").set("promptsListChanged", true).set("resourcesListChanged", true).set("toolsListChanged", true)
				}
			}},
		{Fault: Fault{"subscription-id-gone", "subscription-id-missing", "Does not say to which subscription a notification belongs.", "", listen},
			event: func(_ *call, _ string, p *object) { p.drop("_meta") }},
		{Fault: Fault{"subscription-id-odd", "subscription-id-unknown", "Names a subscription that nobody opened.", "", listen},
			event: func(_ *call, _ string, p *object) { p.set("_meta", obj(mcp.MetaSubscriptionID, "nobody")) }},
		{Fault: Fault{"event-unasked", "subscription-type-unrequested", "Sends changes of a kind that the subscription did not ask for.", "", listen}},
		{Fault: Fault{"listen-ends", "subscription-ungraceful-end", "Drops a subscription without a word.", "http", listen}},

		{Fault: Fault{"progress-stuck", "progress-not-increasing", "Reports the same progress again and again.", "", slow},
			progress: func(_ *call, p *object) { p.set("progress", 1) }},
		{Fault: Fault{"progress-foreign", "progress-token-unknown", "Reports progress to a token that nobody gave.", "", slow},
			progress: func(_ *call, p *object) { p.set("progressToken", "somebody-else") }},
		{Fault: Fault{"progress-text", "progress-shape", "Reports progress as text.", "", slow},
			progress: func(_ *call, p *object) { p.set("progress", "half") }},
		{Fault: Fault{"progress-over", "progress-exceeds-total", "Reports more progress than there is to make.", "", slow},
			progress: func(_ *call, p *object) { p.set("total", 1) }},
		{Fault: Fault{"progress-late", "progress-after-completion", "Goes on reporting progress after the answer.", "", slow}},
		{Fault: Fault{"cancel-ignored", "cancel-response-after", "Works on after a request was cancelled, and answers it.", "stdio", "call calibrate, and cancel it"}},
		{Fault: Fault{"log-unasked", "log-without-level", "Sends log messages that the request did not ask for.", "", slow}},
		{Fault: Fault{"log-below-level", "log-below-level", "Sends log messages below the level that was asked for.", "", slow + ", asking for level error"}},
	}
}
