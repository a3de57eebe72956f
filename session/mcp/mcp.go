// Package mcp is the protocol's vocabulary as facts: which revisions there are, which methods exist in
// which of them and who sends them, error codes, _meta keys, header names and how a value is written
// into a header. The facts are read off the official schemas (2025-11-25, 2026-07-28) and, for older
// revisions, off their specification pages.
//
// It holds no opinion and no state. It must never know: JSON, the wire, rules, screens; it imports
// nothing of ours.
package mcp

// Revisions of the protocol, by date.
const (
	R20241105 = "2024-11-05"
	R20250326 = "2025-03-26"
	R20250618 = "2025-06-18"
	R20251125 = "2025-11-25"
	R20260728 = "2026-07-28"

	// Latest is the newest revision known here, the one that modern servers are judged by.
	Latest = R20260728
	// LatestLegacy is the newest revision that begins with initialize.
	LatestLegacy = R20251125
)

// Revisions lists the published revisions, oldest first.
func Revisions() []string {
	return []string{R20241105, R20250326, R20250618, R20251125, R20260728}
}

// Known says whether rev is one of the published revisions.
func Known(rev string) bool {
	for _, r := range Revisions() {
		if r == rev {
			return true
		}
	}
	return false
}

// IsRevision says whether s has the form of a revision, YYYY-MM-DD with a month and a day that can be.
func IsRevision(s string) bool {
	if len(s) != len("2006-01-02") || s[4] != '-' || s[7] != '-' {
		return false
	}
	for i := range len(s) {
		if i != 4 && i != 7 && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	month, day := s[5:7], s[8:10]
	return month >= "01" && month <= "12" && day >= "01" && day <= "31"
}

// AtLeast says whether rev is min or later. Text that is no revision is never at least anything, so
// that a server's invented version is not taken for a modern one.
func AtLeast(rev, min string) bool { return IsRevision(rev) && rev >= min }

// Modern says whether rev belongs to the stateless protocol: 2026-07-28 or later, known or not.
func Modern(rev string) bool { return AtLeast(rev, R20260728) }

// Resumable says whether rev has event streams over HTTP that can be gone on with: event ids, and GET with
// Last-Event-ID (basic/transports, Resumability and Redelivery). 2024-11-05 had no such transport; 2026-07-28 took it out.
func Resumable(rev string) bool { return AtLeast(rev, R20250326) && !Modern(rev) }

// Reserved keys of _meta.
const (
	// MetaPrefix is the prefix of the keys that the protocol itself uses.
	MetaPrefix = "io.modelcontextprotocol/"

	MetaProtocolVersion    = MetaPrefix + "protocolVersion"    // requests, required from 2026-07-28
	MetaClientInfo         = MetaPrefix + "clientInfo"         // requests, recommended from 2026-07-28
	MetaClientCapabilities = MetaPrefix + "clientCapabilities" // requests, required from 2026-07-28
	MetaLogLevel           = MetaPrefix + "logLevel"           // requests: opt in to notifications/message
	MetaServerInfo         = MetaPrefix + "serverInfo"         // results, recommended from 2026-07-28
	MetaSubscriptionID     = MetaPrefix + "subscriptionId"     // on a listen stream: the id of the listen request
	MetaRelatedTask        = MetaPrefix + "related-task"       // 2025-11-25: the task a message belongs to
	MetaImmediateResponse  = MetaPrefix + "model-immediate-response"
	MetaProgressToken      = "progressToken" // requests, every revision
)

// Identifiers of official extensions, as they stand in capabilities.extensions.
const (
	ExtensionTasks = MetaPrefix + "tasks"
	ExtensionUI    = MetaPrefix + "ui"
)

// Values of result.resultType. Absent on a legacy server.
const (
	ResultComplete      = "complete"
	ResultInputRequired = "input_required"
	ResultTask          = "task" // only under ExtensionTasks
)

// Values of result.cacheScope.
const (
	ScopePublic  = "public"
	ScopePrivate = "private"
)

// Roles of messages in prompts and sampling.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// Actions of an elicitation's answer.
const (
	ActionAccept  = "accept"
	ActionDecline = "decline"
	ActionCancel  = "cancel"
)

// LogLevels lists the levels of notifications/message, least severe first (RFC 5424).
func LogLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

// LogRank is the place of a level in LogLevels; false for a word that is no level.
func LogRank(level string) (int, bool) {
	for i, l := range LogLevels() {
		if l == level {
			return i, true
		}
	}
	return 0, false
}

// Types of content blocks.
const (
	ContentText         = "text"
	ContentImage        = "image"
	ContentAudio        = "audio"
	ContentResource     = "resource"
	ContentResourceLink = "resource_link"
	ContentToolUse      = "tool_use"    // sampling messages only
	ContentToolResult   = "tool_result" // sampling messages only
)

// Content is one type of content block: the revision that brought it and its required members beside type.
type Content struct {
	Type     string
	Since    string
	Sampling bool // only inside sampling messages, never in tool results or prompts
	Required []Member
}

// Contents lists the types of content blocks.
func Contents() []Content {
	data := []Member{{"data", String}, {"mimeType", String}}
	return []Content{
		{Type: ContentText, Since: R20241105, Required: []Member{{"text", String}}},
		{Type: ContentImage, Since: R20241105, Required: data},
		{Type: ContentAudio, Since: R20250326, Required: data},
		{Type: ContentResource, Since: R20241105, Required: []Member{{"resource", Object}}},
		{Type: ContentResourceLink, Since: R20250618, Required: []Member{{"name", String}, {"uri", String}}},
		{Type: ContentToolUse, Since: R20251125, Sampling: true, Required: []Member{{"id", String}, {"input", Object}, {"name", String}}},
		{Type: ContentToolResult, Since: R20251125, Sampling: true, Required: []Member{{"content", Array}, {"toolUseId", String}}},
	}
}

// ContentType looks a type of content block up. In sampling messages resource and resource_link do not
// occur; that is for the caller to know.
func ContentType(name string) (Content, bool) {
	for _, c := range Contents() {
		if c.Type == name {
			return c, true
		}
	}
	return Content{}, false
}

// ServerCapabilities lists the names that a server's capabilities object may hold in a revision.
func ServerCapabilities(rev string) []string {
	names := []string{"experimental", "logging", "prompts", "resources", "tools"}
	if AtLeast(rev, R20250326) {
		names = append(names, "completions")
	}
	return append(names, since2025(rev)...)
}

// ClientCapabilities lists the names that a client's capabilities object may hold in a revision.
func ClientCapabilities(rev string) []string {
	names := []string{"experimental", "roots", "sampling"}
	if AtLeast(rev, R20250618) {
		names = append(names, "elicitation")
	}
	return append(names, since2025(rev)...)
}

// since2025 is what both sides gained: tasks lived in the core for one revision and then moved into
// an extension, which has its own place.
func since2025(rev string) []string {
	switch {
	case Modern(rev):
		return []string{"extensions"}
	case AtLeast(rev, R20251125):
		return []string{"tasks"}
	}
	return nil
}
