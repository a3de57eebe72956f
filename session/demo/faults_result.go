package demo

import (
	"mcploupe/session/mcp"
)

// Faults of results in general, and of caching hints.
func resultFaults() []fault {
	const anyCall, anyList = "call get_weather", "list tools"
	return []fault{
		{Fault: Fault{"result-type-gone", "result-type-missing", "Leaves resultType out of what tools, resources and prompts return.", "", anyCall},
			result: onFetch(func(r *object) { r.drop("resultType") })},
		{Fault: Fault{"result-type-odd", "result-type-unknown", "Says resultType \"galaxy\", which nobody knows.", "", anyCall},
			result: onFetch(func(r *object) { r.set("resultType", "galaxy") })},
		{Fault: Fault{"result-type-number", "result-type-not-string", "Gives resultType as the number 1.", "", anyCall},
			result: onFetch(func(r *object) { r.set("resultType", 1) })},
		{Fault: Fault{"input-required-completion", "result-input-required-wrong-method", "Answers a completion with input_required, which only three methods may.", "", "check"},
			result: onResult(func(r *object) {
				r.set("resultType", mcp.ResultInputRequired).set("requestState", "b2Rk.c2lnbmVk")
				r.drop("completion")
			}, mcp.Complete)},
		{Fault: Fault{"prompts-member-gone", "result-shape-wrong-method", "Answers prompts/list without prompts.", "", "list prompts"},
			result: onResult(func(r *object) { r.drop("prompts") }, mcp.PromptsList)},
		{Fault: Fault{"server-info-gone", "result-server-info-missing", "Does not say in its results who it is.", "", anyList},
			result: func(_ *call, r *object) { r.object("_meta").drop(mcp.MetaServerInfo) }},
		{Fault: Fault{"server-info-no-version", "result-server-info-invalid", "Says who it is without a version.", "", anyList},
			result: func(_ *call, r *object) { r.object("_meta").set(mcp.MetaServerInfo, obj("name", Name)) }},
		{Fault: Fault{"request-state-on-complete", "result-complete-with-input-requests", "Puts a requestState on a complete result.", "", anyCall},
			result: onCall(func(r *object) { r.set("requestState", "bGVmdA.b3Zlcg") })},

		{Fault: Fault{"ttl-gone", "cache-ttl-missing", "Leaves ttlMs out.", "", anyList},
			result: onHints(func(r *object) { r.drop("ttlMs") })},
		{Fault: Fault{"ttl-negative", "cache-ttl-negative", "Says ttlMs -5.", "", anyList},
			result: onHints(func(r *object) { r.set("ttlMs", -5) })},
		{Fault: Fault{"ttl-text", "cache-ttl-not-integer", "Gives ttlMs as text, \"300000\".", "", anyList},
			result: onHints(func(r *object) { r.set("ttlMs", "300000") })},
		{Fault: Fault{"ttl-seconds", "cache-ttl-unit-suspect", "Gives ttlMs in seconds: 300.", "", anyList},
			result: onHints(func(r *object) { r.set("ttlMs", 300) })},
		{Fault: Fault{"ttl-century", "cache-ttl-huge", "Wants lists to be kept for a hundred years.", "", anyList},
			result: onHints(func(r *object) { r.set("ttlMs", 3_155_760_000_000) })},
		{Fault: Fault{"scope-gone", "cache-scope-missing", "Leaves cacheScope out.", "", anyList},
			result: onHints(func(r *object) { r.drop("cacheScope") })},
		{Fault: Fault{"scope-odd", "cache-scope-invalid", "Says cacheScope \"shared\", which is neither public nor private.", "", anyList},
			result: onHints(func(r *object) { r.set("cacheScope", "shared") })},
		{Fault: Fault{"scope-differs", "cache-scope-pages-differ", "Marks the first page of a list public and the others private.", "", anyList},
			result: func(c *call, r *object) {
				if c.cacheable() && c.params.Get("cursor").Exists() {
					r.set("cacheScope", mcp.ScopePrivate)
				}
			}},
		{Fault: Fault{"hints-on-call", "cache-hints-on-other-method", "Puts caching hints on the result of a tool.", "", anyCall},
			result: onCall(func(r *object) { r.set("ttlMs", 60_000).set("cacheScope", mcp.ScopePublic) })},
		{Fault: Fault{"hints-on-question", "cache-hints-on-input-required", "Puts caching hints on an input_required result.", "", "call log_observation"},
			result: func(_ *call, r *object) {
				if r.get("resultType") == mcp.ResultInputRequired {
					r.set("ttlMs", 60_000).set("cacheScope", mcp.ScopePrivate)
				}
			}},
	}
}

// Faults of discovery, versions and _meta.
func discoverFaults() []fault {
	const connect, probe = "list tools", "check --probe"
	discover := func(change func(r *object)) func(*call, *object) { return onResult(change, mcp.Discover) }
	return []fault{
		{Fault: Fault{"versions-gone", "discover-versions-missing", "Lists no supported version at all.", "", connect},
			result: discover(func(r *object) { r.set("supportedVersions", []string{}) })},
		{Fault: Fault{"capabilities-gone", "discover-capabilities-missing", "Discovers itself without capabilities.", "", connect},
			result: discover(func(r *object) { r.drop("capabilities") })},
		{Fault: Fault{"capability-true", "discover-capability-shape", "Declares tools as true rather than as an object.", "", connect},
			result: discover(func(r *object) { r.object("capabilities").set("tools", true) })},
		{Fault: Fault{"capability-hidden", "discover-capability-undeclared", "Serves prompts without declaring them.", "", probe},
			result: discover(func(r *object) { r.object("capabilities").drop("prompts") })},
		{Fault: Fault{"capability-unserved", "discover-capability-unserved", "Declares prompts and does not know prompts/list.", "", "check"}},
		{Fault: Fault{"extension-bare", "discover-extension-id", "Names an extension without a prefix.", "", connect},
			result: discover(func(r *object) { r.object("capabilities").set("extensions", obj("tides", obj())) })},
		{Fault: Fault{"extension-true", "discover-extension-settings", "Declares an extension as true.", "", connect},
			result: discover(func(r *object) { r.object("capabilities").set("extensions", obj("org.example/tides", true)) })},
		{Fault: Fault{"tasks-leftover", "discover-legacy-tasks-capability", "Still declares the tasks capability of 2025-11-25.", "", "list tools, declaring the tasks extension"},
			result: discover(func(r *object) { r.object("capabilities").set("tasks", obj("list", obj())) })},
		{Fault: Fault{"initialize-leftover", "discover-initialize-shape", "Answers server/discover with members of the old initialize result.", "", connect},
			result: discover(func(r *object) {
				r.set("protocolVersion", mcp.Latest).set("serverInfo", obj("name", Name, "version", Version))
			})},
		{Fault: Fault{"instructions-list", "discover-instructions-type", "Gives instructions as an array.", "", connect},
			result: discover(func(r *object) { r.set("instructions", []string{instructions}) })},

		{Fault: Fault{"version-accepted", "version-unsupported-accepted", "Serves a version that cannot exist.", "", probe}},
		{Fault: Fault{"version-code", "version-unsupported-code", "Refuses an unknown version with -32602.", "", probe},
			failure: onCode(mcp.CodeUnsupportedVersion, func(f *failure) { f.badRequest().code = mcp.CodeInvalidParams })},
		{Fault: Fault{"version-data", "version-unsupported-data", "Refuses an unknown version without saying which ones it knows.", "", probe},
			failure: onCode(mcp.CodeUnsupportedVersion, func(f *failure) { f.data = nil })},
		{Fault: Fault{"meta-accepted", "version-meta-missing-accepted", "Serves requests that do not declare their version and capabilities.", "", probe}},
		{Fault: Fault{"meta-code", "version-meta-missing-code", "Refuses incomplete _meta with -32600.", "", probe}},
		{Fault: Fault{"client-info-demanded", "version-client-info-demanded", "Refuses requests without the optional clientInfo.", "", "send tools/list without clientInfo"}},
		{Fault: Fault{"capability-code", "version-capability-missing-code", "Refuses to ask a client that cannot be asked with -32602.", "", "call log_observation, declaring no elicitation"},
			failure: onCode(mcp.CodeMissingClientCapability, func(f *failure) { f.badRequest().code = mcp.CodeInvalidParams })},
		{Fault: Fault{"capability-data", "version-capability-missing-data", "Refuses a client without saying which capability it lacks.", "", "call log_observation, declaring no elicitation"},
			failure: onCode(mcp.CodeMissingClientCapability, func(f *failure) { f.data = nil })},
	}
}
