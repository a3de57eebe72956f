package inspect

import (
	"bytes"
	"fmt"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// Kinds of failed calls; each has a message pattern in SEP-2145.
const (
	kindUnknownTool = "unknown-tool"
	kindNotCallable = "not-callable"
	kindInput       = "input-validation"
	kindOutput      = "output-validation"
)

// patternOf is the kind whose SEP-2145 message pattern the text begins with, "" when none.
func patternOf(text string) string {
	low := strings.ToLower(strings.TrimSpace(text))
	switch {
	case strings.HasPrefix(low, "unknown tool:"):
		return kindUnknownTool
	case strings.HasPrefix(low, "tool unavailable:"):
		return kindNotCallable
	case strings.HasPrefix(low, "invalid input:"):
		return kindInput
	case strings.HasPrefix(low, "tool produced invalid structured output for"):
		return kindOutput
	}
	return ""
}

// The words by which servers name a failure. Texts are compared in lower case; a match alone is a sign, no proof.

func saysUnknownTool(text string) bool {
	low := strings.ToLower(text)
	if contains(low, "unknown tool", "no such tool") {
		return true
	}
	_, after, tool := strings.Cut(low, "tool")
	return tool && strings.Contains(after, "not found")
}

func saysNotCallable(text string) bool {
	return contains(strings.ToLower(text), "disabled", "unavailable", "not allowed", "forbidden", "policy", "permission")
}

func saysOutput(text string) bool {
	return contains(strings.ToLower(text), "structured content", "structuredcontent", "output schema", "outputschema", "output validation")
}

func saysInput(text string) bool {
	return contains(strings.ToLower(text),
		"invalid argument", "invalid input", "invalid param", "validation", "required", "expected")
}

func saysRetry(text string) bool { return contains(text, "requestState", "inputResponses") }

// looksFailed tells whether a text of a successful result reads like the report of a failure. It looks at the first words
// of the JSON token, so that long texts cost nothing.
func looksFailed(text jsondoc.Value) bool {
	if !text.Is(jsondoc.String) {
		return false
	}
	raw := text.Raw()
	start := 1
	for start+1 < len(raw) && (raw[start] == ' ' || raw[start] == '\\' && strings.IndexByte("nrt", raw[start+1]) >= 0) {
		if raw[start] == '\\' {
			start++
		}
		start++
	}
	if start >= len(raw) || strings.IndexByte("eEtTfFhH{", raw[start]) < 0 {
		return false // none of the words begins so
	}
	low := strings.ToLower(string(raw[start:min(len(raw), start+80)]))
	for _, word := range []string{"error", "exception", "traceback", "failed"} {
		rest, ok := strings.CutPrefix(low, word)
		if ok && (rest == "" || !('a' <= rest[0] && rest[0] <= 'z')) {
			return true
		}
	}
	if rest, ok := strings.CutPrefix(low, "http "); ok && len(rest) >= 3 && (rest[0] == '4' || rest[0] == '5') && digits(rest[:3]) {
		return true
	}
	if !strings.HasPrefix(low, "{") || !bytes.Contains(raw, []byte("error")) {
		return false
	}
	e := jsondoc.Parse([]byte(text.Text())).Root().Get("error")
	return e.Exists() && !e.Is(jsondoc.Null) && !e.Is(jsondoc.Bool) || isTrue(e)
}

func isTrue(v jsondoc.Value) bool { b, _ := v.Bool(); return b }

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

func contains(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// firstText is the text member of the first content block of type text; Missing when there is none.
func firstText(result jsondoc.Value) jsondoc.Value {
	for _, block := range result.Get("content").Elements() {
		if block.Get("type").Text() == mcp.ContentText && block.Get("text").Is(jsondoc.String) {
			return block.Get("text")
		}
	}
	return jsondoc.Value{}
}

// agree is how sure two signs make us: a local fact and the text.
func agree(fact, text bool) Confidence {
	switch {
	case fact && text:
		return Certain
	case fact || text:
		return Likely
	}
	return Guess
}

func quoted(text string) string {
	if text == "" {
		return ""
	}
	if len(text) > displayMax {
		text = text[:displayMax] + "…"
	}
	return "“" + text + "”"
}

func quotedIf(ok bool, text string) string {
	if !ok {
		return ""
	}
	return quoted(text)
}

func namedIf(ok bool, text string) string {
	if !ok {
		return ""
	}
	return text
}

func (c *Call) absence() string {
	if c.Listed != No {
		return ""
	}
	if c.ListSize == 0 && c.Name == ProbeTool {
		return "the name was made up"
	}
	return fmt.Sprintf("%q is absent from the complete list of %d", c.Name, c.ListSize)
}

func (c *Call) unfitText() string {
	if c.Fits != No || len(c.Unfit) == 0 {
		return ""
	}
	return "arguments" + string(c.Unfit[0].Instance) + ": " + c.Unfit[0].Text
}

// missingMember is the first member that a final result of this method must have and this one has not (or of the wrong
// kind: then v exists). The zero Member when all is well.
func missingMember(m mcp.Method, result jsondoc.Value) (member mcp.Member, v jsondoc.Value) {
	for _, need := range m.Required() {
		if v := result.Get(need.Name); !isKind(v, need.Kind) {
			return need, v
		}
	}
	return mcp.Member{}, jsondoc.Value{}
}

// isKind tells whether a value is of a kind that the vocabulary names.
func isKind(v jsondoc.Value, k mcp.Kind) bool {
	switch k {
	case mcp.String:
		return v.Is(jsondoc.String)
	case mcp.Integer:
		return v.IsInteger()
	case mcp.Bool:
		return v.Is(jsondoc.Bool)
	case mcp.Array:
		return v.Is(jsondoc.Array)
	case mcp.Object:
		return v.Is(jsondoc.Object)
	}
	return v.Exists()
}

// article is the kind with its article, for texts: "an array".
func article(k mcp.Kind) string {
	switch k {
	case mcp.Integer, mcp.Array, mcp.Object:
		return "an " + string(k)
	}
	return "a " + string(k)
}
