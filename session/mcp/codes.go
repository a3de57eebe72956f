package mcp

// Error codes. The first block is JSON-RPC's own, the second MCP's from 2026-07-28 on, the third is
// retired: right in the revisions named, wrong in a modern answer.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603

	CodeHeaderMismatch          = -32020 // headers contradict the body, or are missing
	CodeMissingClientCapability = -32021 // error.data.requiredCapabilities says which
	CodeUnsupportedVersion      = -32022 // error.data: requested, supported

	CodeResourceNotFound       = -32002 // until 2025-11-25; since then CodeInvalidParams
	CodeURLElicitationRequired = -32042 // 2025-11-25 only
)

// Ranges of codes. JSON-RPC reserves -32768…-32000 for itself; its server-error part begins at -32099.
// MCP froze -32000…-32019 for what old servers made up there and assigns its own from -32020 down.
const (
	CodeReservedMin = -32768
	CodeReservedMax = -32000
	CodeServerMin   = -32099
	CodeFrozenMin   = -32019
	CodeFrozenMax   = -32000
)

// CodeName is the name that the specification gives an error code; "" when it gives none.
func CodeName(code int64) string {
	switch code {
	case CodeParseError:
		return "parse error"
	case CodeInvalidRequest:
		return "invalid request"
	case CodeMethodNotFound:
		return "method not found"
	case CodeInvalidParams:
		return "invalid params"
	case CodeInternalError:
		return "internal error"
	case CodeHeaderMismatch:
		return "header mismatch"
	case CodeMissingClientCapability:
		return "missing required client capability"
	case CodeUnsupportedVersion:
		return "unsupported protocol version"
	case CodeResourceNotFound:
		return "resource not found"
	case CodeURLElicitationRequired:
		return "URL elicitation required"
	}
	return ""
}

// CodeRetired is the last revision in which a code was right; "" for a code that is not retired.
func CodeRetired(code int64) string {
	switch code {
	case CodeResourceNotFound, CodeURLElicitationRequired:
		return R20251125
	}
	return ""
}

// CodeFrozen says whether a code lies in -32000…-32019, where servers of old put codes of their own
// and which has no portable meaning since 2026-07-28. CodeResourceNotFound lies in it too.
func CodeFrozen(code int64) bool { return code >= CodeFrozenMin && code <= CodeFrozenMax }
