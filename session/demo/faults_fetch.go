package demo

import (
	"fmt"
	"strings"

	"mcploupe/session/mcp"
)

// Faults of resources.
func resourceFaults() []fault {
	const list, about, missing = "list resources", "read station://skerry/about", "read station://skerry/nowhere"
	entry := func(name string, change func(r *object)) func(*call, *object) {
		return onEntry(mcp.ResourcesList, "resources", name, change)
	}
	read := func(change func(c *object)) func(*call, *object) {
		return onResult(func(r *object) {
			for _, e := range r.objects("contents") {
				change(e)
			}
		}, mcp.ResourcesRead)
	}
	return []fault{
		{Fault: Fault{"resource-nameless", "resources-shape", "Lists a resource without a name.", "", list},
			result: entry("logbook", func(r *object) { r.drop("name") })},
		{Fault: Fault{"resource-uri-blank", "resources-uri-invalid", "Lists a resource whose URI holds a blank.", "", list},
			result: entry("about", func(r *object) { r.set("uri", "station://skerry/about us") })},
		{Fault: Fault{"resource-size-lie", "resources-size-mismatch", "Announces a wrong size.", "", "check"},
			result: entry("about", func(r *object) { r.set("size", 7) })},
		{Fault: Fault{"resource-mime-lie", "resources-mime-mismatch", "Lists Markdown as JSON.", "", "check"},
			result: entry("about", func(r *object) { r.set("mimeType", "application/json") })},
		{Fault: Fault{"template-broken", "resources-template-invalid", "Lists a template that is no URI template.", "", "list templates"},
			result: onEntry(mcp.TemplatesList, "resourceTemplates", "ship", func(t *object) { t.set("uriTemplate", "station://skerry/ships/{callsign") })},
		{Fault: Fault{"contents-no-uri", "resources-contents-shape", "Returns contents without their URI.", "", about},
			result: read(func(e *object) { e.drop("uri") })},
		{Fault: Fault{"contents-text-and-blob", "resources-contents-text-and-blob", "Returns the same contents as text and as blob.", "", about},
			result: read(func(e *object) {
				if e.has("text") {
					e.set("blob", "U2tlcnJ5")
				}
			})},
		{Fault: Fault{"blob-url-safe", "resources-blob-not-base64", "Encodes a blob in the URL-safe alphabet.", "", "read station://skerry/charts/barograph.png"},
			result: read(func(e *object) {
				if e.has("blob") {
					e.set("blob", strings.NewReplacer("+", "-", "/", "_", "=", "").Replace(e.text("blob")))
				}
			})},
		{Fault: Fault{"not-found-empty", "resources-not-found-empty", "Answers a missing resource with empty contents.", "", "check --probe"}},
		{Fault: Fault{"not-found-code", "resources-not-found-code", "Answers a missing resource with -32603.", "", missing},
			failure: func(c *call, f *failure) {
				if c.is(mcp.ResourcesRead) && f.status == 0 && f.code == mcp.CodeInvalidParams {
					f.code = mcp.CodeInternalError
				}
			}},
		{Fault: Fault{"not-found-no-data", "resources-not-found-data", "Does not repeat the URI of a missing resource.", "", missing},
			failure: func(c *call, f *failure) {
				if c.is(mcp.ResourcesRead) {
					f.data = nil
				}
			}},
	}
}

// Faults of prompts and completion.
func promptFaults() []fault {
	const briefing = "prompt morning_briefing"
	refused := func(method string, change func(f *failure)) func(*call, *failure) {
		return func(c *call, f *failure) {
			if c.is(method) && f.status == 0 && f.code == mcp.CodeInvalidParams {
				change(f)
			}
		}
	}
	message := func(change func(m *object)) func(*call, *object) {
		return onResult(func(r *object) {
			for _, m := range r.objects("messages") {
				change(m)
			}
		}, mcp.PromptsGet)
	}
	return []fault{
		{Fault: Fault{"prompt-nameless", "prompts-shape", "Lists a prompt without a name.", "", "list prompts"},
			result: onEntry(mcp.PromptsList, "prompts", "letter_to_the_keeper", func(p *object) { p.drop("name") })},
		{Fault: Fault{"prompt-content-list", "prompts-message-shape", "Gives the content of a prompt's message as an array.", "", briefing},
			result: message(func(m *object) { m.set("content", []any{m.get("content")}) })},
		{Fault: Fault{"prompt-no-mime", "prompts-embedded-resource-mime", "Embeds a resource in a prompt without its type.", "", briefing},
			result: message(func(m *object) { m.object("content").object("resource").drop("mimeType") })},
		{Fault: Fault{"prompt-empty", "prompts-empty-messages", "Resolves prompts to no message at all.", "", briefing},
			result: onResult(func(r *object) { r.set("messages", []any{}) }, mcp.PromptsGet)},
		{Fault: Fault{"prompt-unknown-code", "prompts-unknown-name-code", "Answers an unknown prompt with -32603.", "", "prompt no_such_prompt"},
			failure: refused(mcp.PromptsGet, func(f *failure) {
				if strings.HasPrefix(f.message, "Unknown prompt") {
					f.code = mcp.CodeInternalError
				}
			})},
		{Fault: Fault{"prompt-argument-code", "prompts-missing-argument-code", "Answers a missing argument of a prompt with -32603.", "", "prompt compare_places"},
			failure: refused(mcp.PromptsGet, func(f *failure) {
				if strings.HasPrefix(f.message, "Missing required") {
					f.code = mcp.CodeInternalError
				}
			})},
		{Fault: Fault{"completion-flood", "completion-too-many", "Suggests 101 values at once.", "", "check"},
			result: onResult(func(r *object) {
				var values []string
				for i := range 101 {
					values = append(values, fmt.Sprintf("place %d", i+1))
				}
				r.set("completion", obj("values", values, "total", 101, "hasMore", false))
			}, mcp.Complete)},
		{Fault: Fault{"completion-text", "completion-values-shape", "Suggests a single text rather than an array.", "", "check"},
			result: onResult(func(r *object) { r.set("completion", obj("values", "Port Amber")) }, mcp.Complete)},
		{Fault: Fault{"completion-count-lie", "completion-count-inconsistent", "Counts fewer suggestions than it makes.", "", "check"},
			result: onResult(func(r *object) {
				r.set("completion", obj("values", []string{"Fairhaven", "Port Amber"}, "total", 1, "hasMore", false))
			}, mcp.Complete)},
	}
}
