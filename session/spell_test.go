package session

import (
	"bytes"
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

func whats(list []Spelled) string {
	var out []string
	for _, s := range list {
		out = append(out, s.What)
	}
	return strings.Join(out, " ")
}

func field(list []wire.Field, name string) string {
	for _, f := range list {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// A request is spelled as each revision wants it, with the handshake that it needs.
func TestSpellUnderEachRevision(t *testing.T) {
	r := Request{Method: mcp.ToolsCall, Params: []byte(`{"name":"add","arguments":{"n":1.50,"s":"v"},"_meta":{"io.modelcontextprotocol/protocolVersion":"x","own/key":1,"progressToken":"9"}}`)}
	tool := jsondoc.Parse([]byte(`{"name":"add","inputSchema":{"type":"object","properties":{"s":{"type":"string","x-mcp-header":"S"}}}}`)).Root()
	for version, want := range map[string]string{
		mcp.R20260728: "tools/call",
		mcp.R20251125: "initialize notifications/initialized logging/setLevel tools/call",
		mcp.R20241105: "the stream for answers initialize notifications/initialized logging/setLevel tools/call",
	} {
		got := Spell(r, Spelling{Version: version, HTTP: true, LogLevel: "info", Tool: tool})
		if whats(got) != want {
			t.Errorf("%s: %s", version, whats(got))
		}
		last := got[len(got)-1]
		meta := jsondoc.Parse(last.Body).Root().Get("params").Get("_meta")
		modern := version == mcp.R20260728
		if !bytes.Contains(last.Body, []byte(`"arguments":{"n":1.50,"s":"v"}`)) || !meta.Get("own/key").Exists() || meta.Get(mcp.MetaClientInfo).Exists() != modern || meta.Get(mcp.MetaLogLevel).Exists() != modern {
			t.Errorf("%s: %s", version, last.Body)
		}
		if v := meta.Get(mcp.MetaProtocolVersion).Text(); v == "x" || modern != (v == version) {
			t.Errorf("%s: the version in _meta is %q", version, v)
		}
		if (field(last.Header, "Mcp-Param-S") == "v") != modern || (field(last.Header, mcp.HeaderSessionID) != "") != (version == mcp.R20251125) {
			t.Errorf("%s: %v", version, last.Header)
		}
	}
	if got := Spell(r, Spelling{Version: mcp.R20251125}); whats(got) != "initialize notifications/initialized tools/call" || got[0].Header != nil || got[0].HTTP != "" {
		t.Errorf("over stdio: %+v", got)
	}
	if got := Spell(Request{Method: mcp.Initialize}, Spelling{Version: mcp.R20251125}); whats(got) != "initialize notifications/initialized" {
		t.Errorf("initialize itself: %s", whats(got))
	}
	q := Request{Method: mcp.Complete, Params: []byte(`{"ref":{},"context":{"arguments":{}}}`)}
	for version, has := range map[string]bool{mcp.R20250326: false, mcp.R20250618: true} {
		got := Spell(q, Spelling{Version: version})
		if last := got[len(got)-1].Body; bytes.Contains(last, []byte("context")) != has {
			t.Errorf("%s: %s", version, last)
		}
	}
	for _, odd := range []string{`[1]`, `{"a":`, `7`, ``, `{"_meta":5}`} {
		for _, version := range mcp.Revisions() {
			Spell(Request{Method: "x/y\x1b", Params: []byte(odd)}, Spelling{Version: version, HTTP: true})
		}
	}
}
