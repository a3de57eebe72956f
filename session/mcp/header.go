package mcp

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// HTTP header names, in the specification's spelling. HTTP compares them without regard to case.
const (
	HeaderProtocolVersion = "MCP-Protocol-Version" // 2025-06-18 on
	HeaderMethod          = "Mcp-Method"           // 2026-07-28 on
	HeaderName            = "Mcp-Name"             // 2026-07-28 on, for methods with a NameParam
	HeaderParamPrefix     = "Mcp-Param-"           // 2026-07-28 on, tools/call; the rest is the tool's x-mcp-header
	HeaderSessionID       = "Mcp-Session-Id"       // 2025-03-26 … 2025-11-25
	HeaderLastEventID     = "Last-Event-ID"        // 2025-03-26 … 2025-11-25
)

// KeywordHeader is the annotation in a tool's inputSchema that mirrors an argument into a header.
const KeywordHeader = "x-mcp-header"

// Safe integers: a mirrored integer outside cannot be compared by everybody on the way.
const (
	MaxSafeInteger = 1<<53 - 1
	MinSafeInteger = -MaxSafeInteger
)

// The sentinel around a value that a header could not carry as it is. It is case-sensitive:
// "=?BASE64?…?=" is an ordinary value.
const (
	sentinelOpen  = "=?base64?"
	sentinelClose = "?="
)

// EncodeHeader is value as Mcp-Name and Mcp-Param-* carry it (2026-07-28, transports/streamable-http,
// Value Encoding): as it is when it consists of the characters U+0020 to U+007E, does not begin or end
// with a blank and does not look like the sentinel; otherwise its UTF-8 bytes in standard Base64
// between "=?base64?" and "?=". The empty text is "=?base64??=": an empty field value is legal HTTP, but
// intermediaries drop it and servers (go-sdk 1.8.0 among them) take it for a missing header. Booleans
// and integers are the caller's to spell ("true", decimal digits).
func EncodeHeader(value string) string {
	if headerSafe(value) {
		return value
	}
	return sentinelOpen + base64.StdEncoding.EncodeToString([]byte(value)) + sentinelClose
}

func headerSafe(value string) bool {
	if value == "" || value[0] == ' ' || value[len(value)-1] == ' ' {
		return false
	}
	if strings.HasPrefix(value, sentinelOpen) && strings.HasSuffix(value, sentinelClose) {
		return false // also "=?base64?=", which is no sentinel but may be taken for one
	}
	for i := range len(value) {
		// A tab inside is a legal field value, but not a character of this encoding.
		if c := value[i]; c < 0x20 || c > 0x7E {
			return false
		}
	}
	return true
}

func sentinel(value string) bool {
	return len(value) >= len(sentinelOpen)+len(sentinelClose) &&
		strings.HasPrefix(value, sentinelOpen) && strings.HasSuffix(value, sentinelClose)
}

// DecodeHeader is the text that a header value stands for. ok is false when the value has the form of
// the sentinel but what it holds is not standard, padded Base64 of UTF-8 text; a server must refuse
// such a value. Anything else stands for itself.
func DecodeHeader(value string) (text string, ok bool) {
	if !sentinel(value) {
		return value, true
	}
	inner := value[len(sentinelOpen) : len(value)-len(sentinelClose)]
	if strings.ContainsAny(inner, "\r\n") { // the decoder would skip them
		return "", false
	}
	b, err := base64.StdEncoding.Strict().DecodeString(inner)
	if err != nil || !utf8.Valid(b) {
		return "", false
	}
	return string(b), true
}

// IsToken says whether s can be part of a header's name: one or more characters of RFC 9110's token.
func IsToken(s string) bool {
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		case strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0:
		default:
			return false
		}
	}
	return s != ""
}
