package demo

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// What the headers of a request repeat from its body must agree with it (2026-07-28,
// transports/streamable-http, Server Validation), so that a gateway may route by headers alone.

// mirrored is an argument that a header repeats: x-mcp-header on a property that the schema's root
// reaches through properties alone.
type mirrored struct {
	header string
	path   []string
}

func mirroredIn(properties jsondoc.Value, path []string) []mirrored {
	var all []mirrored
	for name, schema := range properties.Members() {
		here := append(slices.Clone(path), name)
		if h := schema.Get(mcp.KeywordHeader); h.Is(jsondoc.String) {
			all = append(all, mirrored{h.Text(), here})
		}
		all = append(all, mirroredIn(schema.Get("properties"), here)...)
	}
	return all
}

func (c *call) mismatch(header, text string) *failure {
	sent := any(nil)
	if v := c.header.Values(header); len(v) > 0 {
		sent = strings.Join(v, ", ")
	}
	f := fail(mcp.CodeHeaderMismatch, "Header mismatch: "+text).with(obj("header", header, "sent", sent))
	if c.has("header-code") {
		f.code, f.status = mcp.CodeInvalidRequest, http.StatusBadRequest
	}
	return f
}

// checkVersionHeader compares MCP-Protocol-Version with the version in _meta.
func (c *call) checkVersionHeader(version string) *failure {
	if c.header == nil {
		return nil
	}
	sent := c.header.Get(mcp.HeaderProtocolVersion)
	switch {
	case sent == "" && c.has("header-missing-accepted"), sent != "" && c.has("header-mismatch-accepted"):
		return nil
	case sent == "":
		return c.mismatch(mcp.HeaderProtocolVersion, "MCP-Protocol-Version is missing")
	case sent != version:
		return c.mismatch(mcp.HeaderProtocolVersion, "MCP-Protocol-Version differs from _meta")
	}
	return nil
}

// checkHeaders compares Mcp-Method, Mcp-Name and Mcp-Param-* with the body.
func (c *call) checkHeaders() *failure {
	if c.header == nil {
		return nil
	}
	if f := c.compare(mcp.HeaderMethod, c.method); f != nil {
		return f
	}
	m, _ := mcp.Lookup(c.method)
	if name := c.params.Get(m.NameParam); m.NameParam != "" && (m.In(mcp.Latest) || m.InExtension(mcp.Latest)) && name.Is(jsondoc.String) {
		if f := c.compare(mcp.HeaderName, name.Text()); f != nil {
			return f
		}
	}
	if c.method != mcp.ToolsCall {
		return nil
	}
	t, ok := c.s.tool(c.params.Get("name").Text())
	if !ok || c.has("param-ignored") {
		return nil
	}
	for _, h := range t.headers {
		v := c.params.Get("arguments")
		for _, name := range h.path {
			v = v.Get(name)
		}
		if f := c.compareParam(mcp.HeaderParamPrefix+h.header, v); f != nil {
			return f
		}
	}
	return nil
}

// compare wants a header to say exactly text, plainly or in Base64.
func (c *call) compare(header, text string) *failure {
	sent := c.header.Values(header)
	if len(sent) == 0 || sent[0] == "" {
		if c.has("header-missing-accepted") {
			return nil
		}
		return c.mismatch(header, header+" is missing")
	}
	decoded, ok := mcp.DecodeHeader(sent[0])
	switch {
	case c.has("base64-not-decoded"):
		decoded, ok = sent[0], true
	case c.has("header-mismatch-accepted"):
		return nil
	}
	if !ok {
		return c.mismatch(header, header+" holds broken Base64")
	}
	if decoded != text {
		return c.mismatch(header, header+" differs from the body")
	}
	return nil
}

// compareParam compares one argument with its header: integers as numbers, true and false as words; an
// argument that is null or absent has no header.
func (c *call) compareParam(header string, arg jsondoc.Value) *failure {
	sent := c.header.Values(header)
	if !arg.Exists() || arg.Is(jsondoc.Null) {
		if len(sent) > 0 {
			return c.mismatch(header, header+" repeats an argument that is not there")
		}
		if c.has("param-demanded") {
			return c.mismatch(header, header+" is missing")
		}
		return nil
	}
	text := ""
	switch arg.Kind() {
	case jsondoc.String:
		text = arg.Text()
	case jsondoc.Bool, jsondoc.Number:
		text = string(arg.Raw())
	default:
		return nil // the wrong type: the tool's own validation says so
	}
	if arg.Is(jsondoc.Number) && len(sent) > 0 {
		got, err := strconv.ParseFloat(sent[0], 64)
		want, ok := arg.Float()
		if err == nil && ok && got == want {
			return nil
		}
	}
	return c.compare(header, text)
}
