package demo

import (
	"mcploupe/session/mcp"
)

// Faults of tool calls: what is an error, what is a result, and whether it keeps its promise.
func callFaults() []fault {
	const weather, broken, unknown = "call get_weather", "call read_sensor --arg sensor=hygrometer", "check --probe"
	const bad = `call get_weather --args '{"location":7}'`
	onError := func(change func(r *object)) func(*call, *object) {
		return onCall(func(r *object) {
			if r.get("isError") == true {
				change(r)
			}
		})
	}
	return []fault{
		{Fault: Fault{"unknown-tool-protocol", "tool-error-unknown-tool-protocol", "Answers an unknown tool with a JSON-RPC error, as the published text alone wants.", "", unknown}},
		{Fault: Fault{"unknown-tool-code", "tool-error-unknown-tool-protocol", "Answers an unknown tool with error -32603; by the published text tool-error-unknown-tool-code catches it.", "", unknown}},
		{Fault: Fault{"unknown-tool-success", "tool-error-unknown-tool-success", "Says that an unknown tool did its work.", "", unknown}},
		{Fault: Fault{"input-protocol", "tool-error-input-protocol-sep2145", "Answers wrong arguments with a JSON-RPC error, which the model never sees.", "", bad}},
		{Fault: Fault{"input-accepted", "tool-error-input-accepted", "Runs tools with whatever arguments come.", "", bad}},
		{Fault: Fault{"malformed-as-result", "tool-error-malformed-as-result", "Answers a call without a name with a tool result.", "", unknown}},
		{Fault: Fault{"exception-protocol", "tool-error-execution-protocol-sep2145", "Answers a failure inside a tool with a JSON-RPC error.", "", broken}},
		{Fault: Fault{"masked-failure", "tool-error-masked-success", "Says that a tool failed without setting isError.", "", broken}},
		{Fault: Fault{"is-error-text", "tool-error-iserror-type", "Gives isError as text.", "", weather},
			result: onCall(func(r *object) {
				if r.get("isError") != true {
					r.set("isError", "false")
				}
			})},
		{Fault: Fault{"is-error-elsewhere", "tool-error-iserror-elsewhere", "Puts isError on what a resource returns.", "", "read station://skerry/about"},
			result: onResult(func(r *object) { r.set("isError", false) }, mcp.ResourcesRead)},
		{Fault: Fault{"error-without-words", "tool-error-content-empty", "Fails without a word.", "", broken},
			result: onError(func(r *object) { r.set("content", []any{}) })},
		{Fault: Fault{"error-vague", "tool-error-vague", "Fails saying no more than \"error\".", "", broken},
			result: onError(func(r *object) { r.set("content", []any{textBlock("error")}) })},
		{Fault: Fault{"error-leak", "tool-error-leak", "Fails with a stack trace that shows its insides.", "", broken},
			result: onError(func(r *object) {
				r.set("content", []any{textBlock("Traceback (most recent call last):\n  File \"/home/keeper/station/sensors.py\", line 71, in read\nConnectionError: hygrometer@10.0.0.7")})
			})},
		{Fault: Fault{"error-names-tools", "tool-error-enumerates-tools", "Answers an unknown tool with the names of all others.", "", unknown},
			result: onError(func(r *object) {
				for _, block := range r.objects("content") {
					block.set("text", block.text("text")+". Available tools: get_weather, get_forecast, tide_table, ring_bell")
				}
			})},
		{Fault: Fault{"output-gone", "tool-error-output-missing", "Leaves structuredContent out although the tool has an outputSchema.", "", weather},
			result: onCall(func(r *object) { r.drop("structuredContent") })},
		{Fault: Fault{"output-invalid", "tool-error-output-invalid", "Returns data that does not fit the tool's outputSchema.", "", weather},
			result: onStructured(func(v *object) {
				switch {
				case v.has("temperature"):
					v.set("temperature", "22")
				case v.has("conditions"):
					v.set("conditions", "two")
				default:
					v.set("rows", obj())
				}
			})},
		{Fault: Fault{"output-on-error", "tool-error-structured-on-error", "Puts data that does not fit the outputSchema on a failure.", "", bad},
			result: onError(func(r *object) { r.set("structuredContent", obj("failed", true)) })},
	}
}

// onStructured changes structured output, and the text that repeats it.
func onStructured(change func(v *object)) func(*call, *object) {
	return onCall(func(r *object) {
		v := r.object("structuredContent")
		if v == nil {
			return
		}
		change(v)
		r.set("content", []any{textBlock(jsonText(v))})
	})
}

// Faults of the content that a tool returns.
func contentFaults() []fault {
	const weather = "call get_weather"
	first := func(change func(block *object)) func(*call, *object) {
		return onCall(func(r *object) {
			if blocks := r.objects("content"); len(blocks) > 0 {
				change(blocks[0])
			}
		})
	}
	return []fault{
		{Fault: Fault{"content-object", "content-not-array", "Gives content as a single object.", "", weather},
			result: onCall(func(r *object) {
				if blocks := r.list("content"); len(blocks) > 0 {
					r.set("content", blocks[0])
				}
			})},
		{Fault: Fault{"content-odd", "content-type-unknown", "Returns a content block of type hologram.", "", weather},
			result: onCall(func(r *object) { r.set("content", append(r.list("content"), obj("type", "hologram", "depth", 3))) })},
		{Fault: Fault{"text-number", "content-text-shape", "Returns a text block whose text is a number.", "", "call tide_table"},
			result: first(func(b *object) {
				if b.text("type") == "text" {
					b.set("text", 42)
				}
			})},
		{Fault: Fault{"image-data-url", "content-binary-shape", "Returns a picture as a data: URL rather than as Base64.", "", "call draw_barograph"},
			result: first(func(b *object) {
				if b.text("type") == "image" {
					b.set("data", "data:image/png;base64,"+b.text("data"))
				}
			})},
		{Fault: Fault{"image-mime-lie", "content-binary-mime-mismatch", "Calls a PNG a JPEG.", "", "call draw_barograph"},
			result: first(func(b *object) {
				if b.text("type") == "image" {
					b.set("mimeType", "image/jpeg")
				}
			})},
		{Fault: Fault{"link-nameless", "content-resource-shape", "Returns a link without a name.", "", "call find_chart --arg name=tides"},
			result: onCall(func(r *object) {
				for _, b := range r.objects("content") {
					if b.text("type") == "resource_link" {
						b.drop("name")
					}
				}
			})},
		{Fault: Fault{"annotation-priority", "content-annotations", "Gives a content block the priority 5.", "", weather},
			result: first(func(b *object) { b.set("annotations", obj("priority", 5)) })},
		{Fault: Fault{"null-optional", "result-null-optional", "Sends optional members as null instead of leaving them out.", "", weather},
			result: first(func(b *object) { b.set("annotations", nil) })},
		{Fault: Fault{"structured-no-text", "content-structured-no-text", "Returns structured output without the same as text.", "", weather},
			result: onCall(func(r *object) {
				if r.has("structuredContent") {
					r.set("content", []any{textBlock("The data has it all.")})
				}
			})},
		{Fault: Fault{"structured-differs", "content-structured-text-differs", "Says one thing as data and another as text.", "", weather},
			result: onCall(func(r *object) {
				if v := r.object("structuredContent"); v != nil && len(v.members) > 0 {
					other := v.clone()
					other.members[len(other.members)-1].value = "elsewhere"
					r.set("content", []any{textBlock(jsonText(other))})
				}
			})},
		{Fault: Fault{"number-unsafe", "content-number-unsafe", "Returns a number that most readers change: 9007199254740993.", "", weather},
			result: onStructured(func(v *object) {
				if v.has("reading") {
					v.set("reading", raw("9007199254740993"))
				}
			})},
		{Fault: Fault{"success-says-nothing", "content-empty-success", "Succeeds without saying anything.", "", "call tide_table"},
			result: onCall(func(r *object) {
				if r.get("isError") != true && !r.has("structuredContent") {
					r.set("content", []any{})
				}
			})},
	}
}
