package inspect

import "testing"

func TestCasesOfToolsSchemasAndContent(t *testing.T) {
	const list = "> tools/list\n< complete {\"tools\":["
	call := func(result string) string {
		return "> tools/call {\"name\":\"x\",\"arguments\":{}}\n< complete " + result
	}
	checkCases(t, []publicCase{
		{name: "C28 one bad tool hides the whole list", script: list + `{"name":"wave","description":"waves","inputSchema":{"type":"object"}},{"name":"none"},{"name":"text","inputSchema":{"type":"string"}},{"name":"untyped","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#"}}]}`,
			rules: []string{"tools-input-schema-missing", "tools-input-schema-root-type"}},
		{name: "C30 two tools of one name, and an odd name", script: list + `{"name":"post","inputSchema":{"type":"object"}},{"name":"post","inputSchema":{"type":"object"}},{"name":"été / 1","inputSchema":{"type":"object"}}]}`,
			rules: []string{"tools-name-duplicate", "tools-name-charset"}},
		{name: "C31 a union at the root", script: list + `{"name":"tell","inputSchema":{"type":"object","oneOf":[{"properties":{"by":{"const":"mail"},"to":{"type":"string"}},"required":["by","to"]},{"properties":{"by":{"const":"phone"},"number":{"type":"string"}},"required":["by","number"]}]}}]}`},
		{name: "C33 a tree is fine, a circle is not", script: list + `{"name":"tree","inputSchema":{"type":"object","properties":{"top":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/n"}}}},"round":{"$ref":"#/$defs/round"}}}}]}`,
			rules: []string{"schema-ref-cycle"}},
		{name: "C35 a header name with a blank", script: "= over http\n" + list + `{"name":"q","inputSchema":{"type":"object","properties":{"area":{"type":"string","x-mcp-header":"Bad Name"}}}}]}`,
			rules: []string{"tools-xheader-token"}},
		{name: "C36 hidden characters", script: list + `{"name":"add","description":"Sums\udb40\udc68\udb40\udc69 and\u202e more\u200b","inputSchema":{"type":"object"}}]}`,
			rules: []string{"security-hidden-unicode"}},
		{name: "C37 terminal sequences", script: call(`{"content":[{"type":"text","text":"ok\u001b[2J\u001b]52;c;aGk=\u0007\u009b31mred\rfake"}]}`),
			rules: []string{"security-ansi-escape"}},
		{name: "C38 data of a failed call needs no text", script: call(`{"content":[{"type":"text","text":"No such record"}],"structuredContent":{"error":{"code":"GONE"}},"isError":true}`)},
		{name: "C41 data and no content", script: call(`{"content":[],"structuredContent":{"state":"done"}}`),
			rules: []string{"content-structured-no-text"}},
		{name: "C44 integers beyond 2^53", script: call(`{"content":[{"type":"text","text":"{\"id\":9007199254740993,\"f\":1.10}"}],"structuredContent":{"id":9007199254740993,"f":1.10}}`),
			rules: []string{"content-number-unsafe"}},
	})
}
