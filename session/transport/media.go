package transport

import "strings"

// mediaType is the type and subtype of a Content-Type value, in lower case and without parameters
// (RFC 9110 §8.3.1). It is lenient: broken parameters do not matter.
func mediaType(value string) string {
	value, _, _ = strings.Cut(value, ";")
	return strings.ToLower(strings.TrimSpace(value))
}
