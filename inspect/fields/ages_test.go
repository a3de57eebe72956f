package fields

import (
	"strings"
	"testing"

	"mcploupe/session/mcp"
)

// oneOf is what stands behind the words of shapes.txt that mean one of several.
func oneOf(what string) []string {
	switch strings.Trim(what, "{}") {
	case "Content":
		return []string{"TextContent", "ImageContent", "AudioContent", "EmbeddedResource", "ResourceLink", "ToolUseContent", "ToolResultContent"}
	case "Contents":
		return []string{"TextResourceContents", "BlobResourceContents"}
	case "InputRequest":
		return []string{"ElicitRequest", "CreateMessageRequest", "ListRootsRequest"}
	case "InputResponse":
		return []string{"ElicitResult", "CreateMessageResult", "ListRootsResult"}
	case "ElicitParams":
		return []string{"ElicitRequestFormParams", "ElicitRequestURLParams"}
	case "FormField":
		return []string{"StringSchema", "NumberSchema", "BooleanSchema", "UntitledSingleSelectEnumSchema", "TitledSingleSelectEnumSchema", "LegacyTitledEnumSchema", "UntitledMultiSelectEnumSchema", "TitledMultiSelectEnumSchema"}
	case "Reference":
		return []string{"PromptReference", "ResourceTemplateReference"}
	case "TaskOutcome":
		return []string{"CallToolResult"}
	}
	return []string{strings.Trim(what, "{}")}
}

// contents is the type of a piece of content by its definition.
func contents() map[string]string {
	return map[string]string{
		"TextContent": mcp.ContentText, "ImageContent": mcp.ContentImage, "AudioContent": mcp.ContentAudio, "EmbeddedResource": mcp.ContentResource,
		"ResourceLink": mcp.ContentResourceLink, "ToolUseContent": mcp.ContentToolUse, "ToolResultContent": mcp.ContentToolResult,
	}
}

// ages is since when each definition can have been sent at all: no earlier than the first method that leads to it, than a member on the
// way, and, for content, than its type. Definitions to which no method leads are left out.
func ages(c *catalogue) map[string]string {
	since := map[string]string{}
	reach := func(def, rev string) bool {
		if _, known := c.shapes.defs[def]; !known {
			return false
		}
		if t, ok := mcp.ContentType(contents()[def]); ok {
			rev = max(rev, t.Since)
		}
		if was, ok := since[def]; ok && was <= rev {
			return false
		}
		since[def] = rev
		return true
	}
	reach("JSONRPCResultResponse", mcp.R20241105)
	reach("JSONRPCErrorResponse", mcp.R20241105)
	for name, pair := range c.shapes.methods {
		m, ok := mcp.Lookup(name)
		if !ok {
			continue
		}
		rev := m.Since
		if rev == "" {
			rev = m.ExtensionSince
		}
		for _, def := range pair {
			reach(def, rev)
		}
	}
	for more := true; more; {
		more = false
		for def, rev := range since {
			for member, what := range c.shapes.defs[def] {
				if what == "" {
					continue
				}
				came := rev
				if e := c.member[def+"."+member]; e != nil {
					came = max(came, e.Since)
				}
				for _, inside := range oneOf(what) {
					more = reach(inside, came) || more
				}
			}
		}
	}
	return since
}

// No member is said to be older than every message in which it can stand: the vocabulary knows when methods and kinds of content came,
// also those of revisions whose schema is not at hand.
func TestNoMemberIsOlderThanItsMessage(t *testing.T) {
	c := load()
	since := ages(c)
	if len(since) < 60 || since["ElicitResult"] != mcp.R20250618 || since["AudioContent"] != mcp.R20250326 || since["DiscoverResult"] != mcp.R20260728 {
		t.Fatalf("%d definitions: %v", len(since), since)
	}
	earliest := map[*Entry]string{}
	for def, rev := range since {
		for member := range c.shapes.defs[def] {
			e := c.member[def+"."+member]
			if was, seen := earliest[e]; e != nil && (!seen || rev < was) {
				earliest[e] = rev
			}
		}
	}
	if len(earliest) < 150 {
		t.Fatalf("only %d entries are held against their messages", len(earliest))
	}
	for e, rev := range earliest {
		if e.Since != "" && e.Since < rev {
			t.Errorf("%s of %v is said to be there since %s, and nothing in which it stands was before %s", e.Name, e.In, e.Since, rev)
		}
	}
}

// What a kind of content cannot be without is as old as that kind.
func TestContentIsAsOldAsItsMembers(t *testing.T) {
	c := load()
	for def, name := range contents() {
		kind, ok := mcp.ContentType(name)
		if !ok {
			t.Fatalf("no content is of the type %q", name)
		}
		for _, m := range kind.Required {
			if e := c.member[def+"."+m.Name]; e == nil || e.Since > kind.Since {
				t.Errorf("%s.%s: %+v, and this content is there since %s", def, m.Name, e, kind.Since)
			}
		}
	}
}
