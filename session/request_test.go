package session

import (
	"slices"
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

func web() dialect {
	return dialect{modern: true, http: true, version: "2026-07-28", client: []byte(`{"name":"mcploupe","version":"1"}`), capabilities: []byte(`{}`)}
}

const ourMeta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcploupe","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}`

func TestBuildBody(t *testing.T) {
	pipes, old := web(), dialect{version: "2025-11-25"}
	pipes.http = false
	for name, c := range map[string]struct {
		d    dialect
		r    Request
		want string // of params, "" for none
	}{
		"modern without params": {pipes, Request{Method: mcp.ToolsList}, `{"_meta":{` + ourMeta + `}}`},
		"legacy without params": {old, Request{Method: mcp.ToolsList}, ``},
		"legacy with progress":  {old, Request{Method: mcp.ResourcesRead, Params: []byte(`{"uri":"a:b"}`)}, `{"uri":"a:b","_meta":{"progressToken":"7"}}`},
		"spelling is kept": {pipes, Request{Method: "x", Params: []byte("{ \"\\u0061\" : 1.0e+2 ,\n \"a\":-0, \"s\":\"\\/ é\" }")},
			`{"\u0061":1.0e+2,"a":-0,"s":"\/ é","_meta":{` + ourMeta + `}}`},
		"typed _meta wins member by member, in its place": {pipes, Request{Method: "x", Params: []byte(`{"_meta":{"a":1,"io.modelcontextprotocol/protocolVersion":"1999-01-01"},"b":2}`)},
			`{"_meta":{` + strings.Replace(ourMeta, "2026-07-28", "1999-01-01", 1) + `,"a":1},"b":2}`},
		"a _meta that is no object is sent as typed":  {pipes, Request{Method: "x", Params: []byte(`{"_meta":5}`)}, `{"_meta":5}`},
		"params that are no object are sent as typed": {pipes, Request{Method: "x", Params: []byte(`[1, 2]`)}, `[1,2]`},
		"params that are no JSON are sent as typed":   {pipes, Request{Method: "x", Params: []byte(` {"a":} `)}, `{"a":}`},
		"keys left out":                                   {pipes, Request{Method: "x", OmitMeta: []string{mcp.MetaClientInfo, mcp.MetaClientCapabilities}}, `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`},
		"no _meta of ours":                                {pipes, Request{Method: mcp.ToolsCall, Params: []byte(`{"name":"x"}`), OmitMeta: []string{"*"}}, `{"name":"x"}`},
		"nothing at all left":                             {pipes, Request{Method: mcp.ToolsList, OmitMeta: []string{"*"}}, `{}`},
		"members set":                                     {pipes, Request{Method: "x", OmitMeta: []string{"*"}, SetMeta: []Member{{"k", []byte(`[ 1 ]`)}}}, `{"_meta":{"k":[1]}}`},
		"a log level when asked":                          {pipes, Request{Method: "x", LogLevel: "debug"}, `{"_meta":{` + ourMeta + `,"io.modelcontextprotocol/logLevel":"debug"}}`},
		"the progress token is the id as a string":        {pipes, Request{Method: mcp.PromptsGet, Params: []byte(`{"name":"p"}`)}, `{"name":"p","_meta":{` + ourMeta + `,"progressToken":"7"}}`},
		"a typed progress token wins":                     {old, Request{Method: mcp.ToolsCall, Params: []byte(`{"_meta":{"progressToken":99}}`)}, `{"_meta":{"progressToken":99}}`},
		"of two typed _meta the last one counts and both": {old, Request{Method: mcp.ToolsCall, Params: []byte(`{"_meta":{"a":1},"_meta":{"b":2}}`)}, `{"_meta":{"a":1},"_meta":{"progressToken":"7","b":2}}`},
	} {
		t.Run(name, func(t *testing.T) {
			want := `{"jsonrpc":"2.0","id":7,"method":` + jsondoc.Quote(c.r.Method)
			if c.want != "" {
				want += `,"params":` + c.want
			}
			if got := string(c.d.build(c.r, 7, jsondoc.Value{}).body); got != want+"}" {
				t.Errorf("got\n%s\nwant\n%s}", got, want)
			}
		})
	}
}

func TestBuildHeaders(t *testing.T) {
	tool := jsondoc.Parse([]byte(`{"name":"t","inputSchema":{"type":"object","properties":{
		"region":{"type":"string","x-mcp-header":"Region"},
		"n":{"type":"integer","x-mcp-header":"N"},
		"on":{"type":"boolean","x-mcp-header":"On"},
		"deep":{"type":"object","properties":{"a/b":{"type":"string","x-mcp-header":"Deep"}}},
		"plain":{"type":"string"}}}}`)).Root()
	legacy := dialect{http: true, version: "2025-06-18", session: "s1"}
	for name, c := range map[string]struct {
		d    dialect
		r    Request
		want []string
	}{
		"a list":     {web(), Request{Method: mcp.ToolsList}, []string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list"}},
		"a resource": {web(), Request{Method: mcp.ResourcesRead, Params: []byte(`{"uri":"x:é"}`)}, []string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: resources/read", "Mcp-Name: =?base64?eDrDqQ==?="}},
		"arguments are mirrored, digits as typed": {web(), Request{Method: mcp.ToolsCall, Params: []byte(`{"name":"t","arguments":{"plain":"p","region":" eu","n":9007199254740991,"on":false,"deep":{"a/b":"x"}}}`)},
			[]string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: t",
				"Mcp-Param-Region: =?base64?IGV1?=", "Mcp-Param-N: 9007199254740991", "Mcp-Param-On: false", "Mcp-Param-Deep: x"}},
		"null and absent arguments have none": {web(), Request{Method: mcp.ToolsCall, Params: []byte(`{"name":"t","arguments":{"region":null}}`)},
			[]string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: t"}},
		"they follow the body": {web(), Request{Method: mcp.ToolsList, SetMeta: []Member{{mcp.MetaProtocolVersion, []byte(`"2031-01-01"`)}}},
			[]string{"MCP-Protocol-Version: 2031-01-01", "Mcp-Method: tools/list"}},
		"without a version in the body ours stays": {web(), Request{Method: mcp.ToolsList, OmitMeta: []string{mcp.MetaProtocolVersion}},
			[]string{"MCP-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list"}},
		"a person's headers win": {web(), Request{Method: mcp.ToolsList, Header: []wire.Field{{Name: "mcp-method", Value: "x"}, {Name: "X-Y", Value: "z"}}, OmitHeader: []string{"mcp-protocol-version"}},
			[]string{"mcp-method: x", "X-Y: z"}},
		"legacy":              {legacy, Request{Method: mcp.ToolsCall, Params: []byte(`{"name":"t"}`)}, []string{"MCP-Protocol-Version: 2025-06-18", "Mcp-Session-Id: s1"}},
		"before 2025-06-18":   {dialect{http: true, version: "2025-03-26"}, Request{Method: mcp.ToolsList}, nil},
		"no headers on stdio": {dialect{modern: true, version: "2026-07-28"}, Request{Method: mcp.ToolsList}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, f := range c.d.build(c.r, 7, tool).header {
				got = append(got, f.Name+": "+f.Value)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q\nwant %q", got, c.want)
			}
		})
	}
}

// Whatever a person types as params: what is valid stays valid and keeps every token; nothing panics.
func FuzzBuild(f *testing.F) {
	for _, seed := range []string{`{"a":1}`, `{"_meta":{"x":1},"name":"é\u00e9"}`, `[]`, `{"a":`, `{"_meta":1,"_meta":{}}`, "{\"a\"\n:1}"} {
		f.Add([]byte(seed), mcp.ToolsCall)
	}
	f.Fuzz(func(t *testing.T, params []byte, method string) {
		given := jsondoc.Parse(params)
		body := web().build(Request{Method: method, Params: params}, 3, jsondoc.Value{}).body
		if !given.Valid() {
			return
		}
		doc := jsondoc.Parse(body)
		if !doc.Valid() {
			t.Fatalf("invalid: %s", body)
		}
		if strings.ContainsAny(string(body), "\r\n") {
			t.Fatalf("more than one line: %q", body)
		}
		if !given.Root().Is(jsondoc.Object) {
			return
		}
		for name, v := range given.Root().Members() {
			if name == "_meta" {
				continue
			}
			if got := doc.Root().Get("params").Get(name); !got.Exists() || !got.Same(given.Root().Get(name)) {
				t.Fatalf("%q became %s, was %s", name, got.Raw(), v.Raw())
			}
		}
	})
}

func BenchmarkBuild(b *testing.B) {
	params := []byte(`{"name":"get_weather","arguments":{"location":"Madrid","days":3,"units":"metric"}}`)
	d := web()
	b.ReportAllocs()
	for b.Loop() {
		d.build(Request{Method: mcp.ToolsCall, Params: params}, 12, jsondoc.Value{})
	}
}
