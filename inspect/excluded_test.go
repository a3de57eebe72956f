package inspect

import (
	"fmt"
	"testing"

	"mcploupe/session/jsondoc"
)

// Each way of annotating a tool so that clients must leave it out names its rule, and the place. The rules themselves report
// the same places.
func TestExclusions(t *testing.T) {
	for _, c := range []struct{ properties, rule, at string }{
		{`{"a":{"type":"string","x-mcp-header":"A"}}`, "", ""},
		{`{"a":{"type":["string","null"],"x-mcp-header":"A"}}`, "", ""}, // unregulated: it stays
		{`{"a":{"type":"string","x-mcp-header":""}}`, "tools-xheader-empty", "/a/x-mcp-header"},
		{`{"a":{"type":"string","x-mcp-header":7}}`, "tools-xheader-empty", "/a/x-mcp-header"},
		{`{"a":{"type":"string","x-mcp-header":"Bad Name"}}`, "tools-xheader-token", "/a/x-mcp-header"},
		{`{"a":{"type":"string","x-mcp-header":"A\r\nB"}}`, "tools-xheader-token", "/a/x-mcp-header"},
		{`{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}`, "tools-xheader-duplicate", "/b/x-mcp-header"},
		{`{"a":{"type":"number","x-mcp-header":"A"}}`, "tools-xheader-type", "/a/x-mcp-header"},
		{`{"a":{"type":"array","items":{"type":"string","x-mcp-header":"A"}}}`, "tools-xheader-unreachable", "/a/items/x-mcp-header"},
		{`{"a/b":{"type":"integer","maximum":9223372036854775807,"x-mcp-header":"A"}}`, "tools-xheader-integer-range", "/a~1b/maximum"},
	} {
		def := jsondoc.Parse([]byte(`{"result":{"tools":[0,{"name":"t","inputSchema":{"type":"object","properties":` + c.properties + `}}]}}`)).
			Root().Get("result").Get("tools").Index(1)
		got := Exclusions(def)
		want := "[]"
		if c.rule != "" {
			want = fmt.Sprintf("[%s /inputSchema/properties%s]", c.rule, c.at)
		}
		var all []string
		for _, e := range got {
			all = append(all, e.Rule+" "+string(e.At))
			if e.Text == "" || !def.Document().At(def.Pointer()+e.At).Exists() {
				t.Errorf("%s: %+v", c.properties, e)
			}
		}
		if fmt.Sprint(all) != want {
			t.Errorf("%s\ngot  %s\nwant %s", c.properties, all, want)
		}
	}
	if got := Exclusions(jsondoc.Parse([]byte(`{"name":"t"}`)).Root()); got != nil {
		t.Errorf("a tool without a schema: %v", got)
	}
}
