package inspect

import (
	"bytes"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// toolTextRules are about the words by which a failure is told, and the flag that tells it.
func toolTextRules() []*Rule {
	return []*Rule{{
		ID:     "tool-error-content-empty",
		Level:  Should,
		Eras:   "SEP-2145",
		Source: "SEP-2145 §Error message guidance; schema CallToolResult",
		On:     Complete(mcp.ToolsCall),
		Check: func(p *Pass) {
			if isTrue(p.Result().Get("isError")) && !hasWords(p.Result()) && !unreadable(p.Result()) {
				p.Report(p.contentPlace(), "no text", "a text that says what went wrong").Published(Advice)
			}
		},
	}, {
		ID:     "tool-error-text-not-first",
		Level:  Advice,
		Eras:   "SEP-2145",
		Source: "SEP-2145 §Error message guidance",
		On:     Complete(mcp.ToolsCall),
		Check: func(p *Pass) {
			first := p.Result().Get("content").Index(0).Get("type")
			if isTrue(p.Result().Get("isError")) && first.Exists() && first.Text() != mcp.ContentText && firstText(p.Result()).Exists() {
				p.Report(p.At(first), "", "the text first, other content after it")
			}
		},
	}, {
		ID:     "tool-error-message-pattern",
		Level:  Advice,
		Eras:   "SEP-2145",
		Source: "SEP-2145 §Error message guidance",
		On:     Exchanges(mcp.ToolsCall),
		Check:  checkMessagePattern,
	}, {
		ID:     "tool-error-vague",
		Level:  Advice,
		Eras:   "all",
		Source: "server/tools §Error Handling; SEP-1303",
		On:     Complete(mcp.ToolsCall),
		Check:  checkVague,
	}, {
		ID:     "tool-error-leak",
		Level:  Advice,
		Eras:   "all",
		Source: "SEP-2145 §Error message guidance, §Security; server/tools §Security (sanitize outputs)",
		On:     Replies(mcp.ToolsCall),
		Check:  checkLeak,
	}, {
		ID:     "tool-error-iserror-type",
		Level:  Must,
		Eras:   "all",
		Source: "schema CallToolResult.isError",
		On:     Complete(mcp.ToolsCall),
		Check: func(p *Pass) {
			v := p.Result().Get("isError")
			if v.Exists() && !v.Is(jsondoc.Bool) && !v.Is(jsondoc.Null) { // null: see result-null-optional
				p.Report(p.At(v), "", "true or false")
			}
		},
	}, {
		ID:     "tool-error-iserror-elsewhere",
		Level:  Advice,
		Eras:   "all",
		Source: "schema (isError only on CallToolResult, tool_result)",
		On:     Complete(),
		Check: func(p *Pass) {
			m, ok := mcp.Lookup(p.Method())
			if v := p.Result().Get("isError"); v.Exists() && ok && m.Name != mcp.ToolsCall && !strings.HasPrefix(m.Name, "tasks/") {
				p.Report(p.Key(v), "", "a JSON-RPC error, or no isError: clients look for it in the results of tools/call only")
			}
		},
	}, {
		ID:     "tool-error-masked-success",
		Level:  Advice,
		Eras:   "all",
		Source: "server/tools §Error Handling",
		On:     Complete(mcp.ToolsCall),
		Check: func(p *Pass) {
			if text := firstText(p.Result()); !isTrue(p.Result().Get("isError")) && looksFailed(text) {
				p.Report(p.At(text), "", "isError true, if the call failed").Guess()
			}
		},
	}}
}

// contentPlace is the content of a result, or the result when it has none.
func (p *Pass) contentPlace() Place {
	if c := p.Result().Get("content"); c.Exists() {
		return p.At(c)
	}
	return p.At(p.Result())
}

// hasWords tells whether a result holds a text that is not blank.
func hasWords(result jsondoc.Value) bool {
	for _, block := range result.Get("content").Elements() {
		if block.Get("type").Text() == mcp.ContentText && strings.TrimSpace(block.Get("text").Text()) != "" {
			return true
		}
	}
	return false
}

// checkMessagePattern reports a text that does not follow the pattern of its kind, where we had to find out the kind by
// other signs. Failures inside the tool have no pattern.
func checkMessagePattern(p *Pass) {
	o := p.Outcome()
	text := firstText(p.Result())
	if o.Class != ToolError || o.Kind == "execution" || !text.Exists() || !p.Call().Formed || patternOf(text.Text()) != "" {
		return
	}
	name := p.Call().Name
	pattern := map[string]string{
		kindUnknownTool: "Unknown tool: " + name,
		kindNotCallable: "Tool unavailable: " + name,
		kindInput:       "Invalid input: " + name,
		kindOutput:      "Tool produced invalid structured output for " + name,
	}[o.Kind]
	p.Report(p.At(text), "", "a text that begins with “"+pattern+"”").Sure(max(o.Confidence, Likely))
}

// checkVague reports texts that no model can act on. The empty text is tool-error-content-empty's under SEP-2145; by the
// published text it is advice and said here.
func checkVague(p *Pass) {
	if !isTrue(p.Result().Get("isError")) {
		return
	}
	text := firstText(p.Result())
	words := strings.TrimSpace(text.Text())
	if words == "" {
		if !p.sep && !hasWords(p.Result()) {
			p.Report(p.contentPlace(), "no text", "what was wrong, and what to try next")
		}
		return
	}
	plain := strings.Trim(strings.ToLower(words), " .!:")
	switch plain {
	case "error", "failed", "failure", "invalid params", "invalid input", "invalid arguments", "internal error", "internal server error",
		"unknown error", "an error occurred", "something went wrong", "[object object]":
	default:
		if len([]rune(words)) >= 12 {
			return
		}
	}
	p.Report(p.At(text), "", "what was wrong, and what to try next")
}

// leak is a kind of inside information. find gets the text as it is and in lower case (of the same length) and says where
// the sign stands, from -1 when it does not.
type leak struct {
	what string
	find func(text, low string) (from, to int)
}

// leaks are the signs, most telling first.
func leaks() []leak {
	word := func(what string, words ...string) leak {
		return leak{what, func(_, low string) (int, int) {
			for _, w := range words {
				if i := strings.Index(low, w); i >= 0 {
					return i, i + len(w)
				}
			}
			return -1, -1
		}}
	}
	return []leak{
		word("a private key", "-----begin "),
		word("credentials", "bearer ey", "password=", "passwd=", "pwd=", "api_key=", "apikey="),
		{"credentials", findAWSKey},
		word("a stack trace", "traceback (most recent", "goroutine 1 [", "stack trace:", "\n    at "),
		{"a stack trace", func(_, low string) (int, int) { return findFrame(low) }},
		{"a database query", func(text, _ string) (int, int) {
			i := strings.Index(text, "SELECT ")
			if j := strings.Index(text[max(i, 0):], " FROM "); i >= 0 && j > 0 {
				return i, i + j + len(" FROM ")
			}
			return -1, -1
		}},
		{"a path on the server", func(_, low string) (int, int) { return findPath(low) }},
	}
}

// findAWSKey finds an access key id of Amazon Web Services: AKIA and sixteen capitals or digits.
func findAWSKey(text, _ string) (int, int) {
	i := strings.Index(text, "AKIA")
	if i < 0 || len(text) < i+20 || strings.Trim(text[i:i+20], "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
		return -1, -1
	}
	return i, i + 20
}

// findFrame finds `at name (file:line` and `file "…", line n`.
func findFrame(text string) (int, int) {
	if i := strings.Index(text, `file "`); i >= 0 && strings.Contains(text[i:], `", line `) {
		return i, i + len(`file "`)
	}
	for at := 0; ; {
		i := strings.Index(text[at:], "at ")
		if i < 0 {
			return -1, -1
		}
		i += at
		rest := text[i:min(len(text), i+200)]
		if open := strings.IndexByte(rest, '('); open > 0 && !strings.Contains(rest[:open], "\n") {
			inside, _, closed := strings.Cut(rest[open+1:], ")")
			if file, line, ok := strings.Cut(inside, ":"); closed && ok && file != "" && strings.Contains(file, ".") && line != "" && '0' <= line[0] && line[0] <= '9' {
				return i, i + open
			}
		}
		at = i + 3
	}
}

// findPath finds an absolute path in the places where servers live.
func findPath(text string) (int, int) {
	for _, root := range []string{"/home/", "/users/", "/srv/", "/var/", "/opt/", "/usr/", "/root/", "/app/", `c:\`, `d:\`} {
		for at := 0; ; {
			i := strings.Index(text[at:], root)
			if i < 0 {
				break
			}
			i += at
			// A path begins at a word: "https://example.org/users/7" is an address.
			if i == 0 || strings.IndexByte(" \t\n\"'`(=:,[", text[i-1]) >= 0 && !strings.HasSuffix(text[:i], "://") {
				end := i
				for end < len(text) && strings.IndexByte(" \t\n\"'`),;", text[end]) < 0 {
					end++
				}
				return i, end
			}
			at = i + len(root)
		}
	}
	return -1, -1
}

// checkLeak looks for inside information in the text of a failed call. What the call's own arguments contain is no secret.
func checkLeak(p *Pass) {
	var texts []jsondoc.Value
	switch {
	case p.Error().Exists():
		texts = []jsondoc.Value{p.Error().Get("message")}
	case isTrue(p.Result().Get("isError")):
		for _, block := range p.Result().Get("content").Elements() {
			texts = append(texts, block.Get("text"))
		}
	}
	arguments := bytes.ToLower(p.Request().Get("arguments").Raw())
	for _, text := range texts {
		words := clip(text.Text())
		low := strings.ToLower(words)
		if len(low) != len(words) {
			words = low // so that places in one are places in the other
		}
		for _, l := range leaks() {
			from, to := l.find(words, low)
			if from < 0 || bytes.Contains(arguments, []byte(strings.TrimSpace(low[from:to]))) {
				continue
			}
			p.Report(p.At(text), l.what+": "+words[from:min(len(words), from+80)], "a short cause; details belong into the server's log").Guess()
			break
		}
	}
}

// clip is the first 4096 bytes of a text: what explains an error stands at its beginning.
func clip(text string) string { return text[:min(len(text), 4096)] }

// lower is clip in lower case.
func lower(text string) string { return strings.ToLower(clip(text)) }

// holdsWord tells whether a name stands in a text as a word of its own.
func holdsWord(text, name string) bool {
	part := func(c byte) bool {
		return c == '_' || c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	}
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		i += at
		end := i + len(name)
		if (i == 0 || !part(text[i-1])) && (end == len(text) || !part(text[end])) {
			return true
		}
		at = end
	}
}
