package session

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/schema"
	"mcploupe/session/wire"
)

// Request is one request, built around the params that a person gave. The zero values mean: as a
// faithful client would.
type Request struct {
	Method string
	// Params is the raw JSON of params; digits, order and spelling of its members are sent as typed, only
	// whitespace between tokens goes (a message is one line). nil is {}. When it is an object, our _meta is
	// added; members of a _meta in it win over ours. Anything else is sent as it is.
	Params []byte
	// Why is recorded with the frame: the name of a probe, "retry"; "" for a plain request.
	Why string
	// Timeout is the longest wait for the answer; 0 means Options.Timeout. Progress starts it anew.
	Timeout time.Duration
	// NoTimeout waits until the channel ends or the call is cancelled.
	NoTimeout bool
	// LogLevel asks for log messages during this request (modern); "" means Options.LogLevel.
	LogLevel string
	// Tasks declares the tasks extension in this request (modern), which the methods of that extension do anyway.
	Tasks bool
	// OmitMeta names keys of our _meta to leave out; "*" leaves out all.
	OmitMeta []string
	// SetMeta are members of _meta to send instead of ours, or besides.
	SetMeta []Member
	// Header are HTTP headers to send instead of ours (same name), or besides.
	Header []wire.Field
	// OmitHeader names HTTP headers of ours to leave out.
	OmitHeader []string
}

// Member is one member of a JSON object: its name, and its value as raw JSON.
type Member struct {
	Name string
	Raw  []byte
}

// Raw is a message sent exactly as given, wrong on purpose or not: one line of stdio, one POST body.
type Raw struct {
	Body []byte
	// Method and Name are what the HTTP headers Mcp-Method and Mcp-Name say; "" leaves the header out.
	Method, Name string
	Why          string        // "" means "raw"
	Timeout      time.Duration // 0 means Options.Timeout
	Header       []wire.Field
	OmitHeader   []string
}

// dialect is how requests look on the channel as it is now: what the era, the version and the
// transport ask for. It is a value; requests are pure functions of it.
type dialect struct {
	modern       bool
	http         bool // headers are sent
	version      string
	session      string // Mcp-Session-Id, legacy HTTP
	client       []byte // clientInfo, raw JSON
	capabilities []byte // raw JSON
	logLevel     string
}

// message is a built request: the body, and the headers to go with it.
type message struct {
	body   []byte
	header []wire.Field
}

// build spells a request with the given id. listed is the tool's entry when the method is tools/call.
func (d dialect) build(r Request, id int64, listed jsondoc.Value) message {
	token := strconv.FormatInt(id, 10)
	params := jsondoc.Parse(r.Params).Root()
	body := make([]byte, 0, 256+len(r.Params))
	body = append(body, `{"jsonrpc":"2.0","id":`...)
	body = append(body, token...)
	body = append(body, `,"method":`...)
	body = jsondoc.AppendQuote(body, r.Method)
	var at int
	body, at = d.params(body, r, token, params)
	body = append(body, '}')
	sent := jsondoc.Value{}
	if at > 0 && d.http {
		sent = jsondoc.Parse(body[at : len(body)-1]).Root()
	}
	return message{body, d.headers(r, sent, listed)}
}

// params appends the params member. at is where its value begins, 0 when there is none.
func (d dialect) params(body []byte, r Request, token string, params jsondoc.Value) (out []byte, at int) {
	given := len(bytes.TrimSpace(r.Params)) > 0
	if given && (!params.Is(jsondoc.Object) || !params.Document().Valid()) {
		body = append(body, `,"params":`...)
		at = len(body)
		return appendCompact(body, r.Params), at
	}
	typed := params.Get("_meta")
	meta := d.meta(r, token, typed)
	if !given && len(meta) == 0 && !d.modern {
		return body, 0 // legacy requests without params have none
	}
	body = append(body, `,"params":`...)
	at = len(body)
	body = append(body, '{')
	first := true
	separate := func() {
		if !first {
			body = append(body, ',')
		}
		first = false
	}
	placed := false
	for name, v := range params.Members() {
		separate()
		body = append(body, keyOf(v)...)
		body = append(body, ':')
		if name == "_meta" && v.Is(jsondoc.Object) && v.Node() == typed.Node() {
			body = appendObject(body, meta)
			placed = true
			continue
		}
		placed = placed || name == "_meta" // no object: sent as typed, ours would be a duplicate key
		body = jsondoc.Compact(body, v.Raw())
	}
	if !placed && len(meta) > 0 {
		separate()
		body = append(body, `"_meta":`...)
		body = appendObject(body, meta)
	}
	return append(body, '}'), at
}

// keyOf is the source text of a member's name, quotes included: spelled as typed.
func keyOf(v jsondoc.Value) []byte {
	d := v.Document()
	span := d.Nodes[v.Node()].Key
	return d.Text[span.From:span.To]
}

func appendObject(body []byte, members []Member) []byte {
	body = append(body, '{')
	for i, m := range members {
		if i > 0 {
			body = append(body, ',')
		}
		body = jsondoc.AppendQuote(body, m.Name)
		body = append(body, ':')
		body = jsondoc.Compact(body, m.Raw)
	}
	return append(body, '}')
}

func appendCompact(body, text []byte) []byte {
	if jsondoc.Parse(text).Valid() {
		return jsondoc.Compact(body, text)
	}
	return append(body, bytes.TrimSpace(text)...)
}

// meta is the _meta to send: ours in a fixed order, then what the request sets besides; what was typed wins.
func (d dialect) meta(r Request, token string, typed jsondoc.Value) []Member {
	var ours []Member
	add := func(name string, raw []byte) { ours = append(ours, Member{name, raw}) }
	if d.modern {
		add(mcp.MetaProtocolVersion, jsondoc.AppendQuote(nil, d.version))
		add(mcp.MetaClientInfo, d.client)
		capabilities := d.capabilities
		if r.Tasks || ofTasks(r.Method) {
			capabilities = withExtension(capabilities, mcp.ExtensionTasks)
		}
		add(mcp.MetaClientCapabilities, capabilities)
		level := d.logLevel
		if r.LogLevel != "" {
			level = r.LogLevel
		}
		if level != "" {
			add(mcp.MetaLogLevel, jsondoc.AppendQuote(nil, level))
		}
	}
	switch r.Method {
	case mcp.ToolsCall, mcp.PromptsGet, mcp.ResourcesRead:
		add(mcp.MetaProgressToken, jsondoc.AppendQuote(nil, token))
	}
	var meta []Member
	if !slices.Contains(r.OmitMeta, "*") {
		for _, m := range ours {
			if !slices.Contains(r.OmitMeta, m.Name) {
				meta = append(meta, m)
			}
		}
	}
	for _, m := range r.SetMeta {
		meta = setMember(meta, m)
	}
	if typed.Is(jsondoc.Object) {
		for name, v := range typed.Members() {
			meta = setMember(meta, Member{name, v.Raw()})
		}
	}
	return meta
}

func setMember(list []Member, m Member) []Member {
	for i := range list {
		if list[i].Name == m.Name {
			list[i] = m
			return list
		}
	}
	return append(list, m)
}

// headers are those that the revision asks for with a request. They repeat what the body really says,
// so that a probe that alters the body alone is told apart from one that makes them differ.
func (d dialect) headers(r Request, params, listed jsondoc.Value) []wire.Field {
	if !d.http {
		return nil
	}
	var ours []wire.Field
	if d.modern {
		version := d.version
		if v := params.Get("_meta").Get(mcp.MetaProtocolVersion); v.Is(jsondoc.String) {
			version = v.Text()
		}
		ours = append(ours, wire.Field{Name: mcp.HeaderProtocolVersion, Value: mcp.EncodeHeader(version)},
			wire.Field{Name: mcp.HeaderMethod, Value: mcp.EncodeHeader(r.Method)})
		if m, ok := mcp.Lookup(r.Method); ok && m.NameParam != "" {
			if v := params.Get(m.NameParam); v.Is(jsondoc.String) {
				ours = append(ours, wire.Field{Name: mcp.HeaderName, Value: mcp.EncodeHeader(v.Text())})
			}
		}
		if r.Method == mcp.ToolsCall {
			ours = append(ours, mirrored(listed.Get("inputSchema"), params.Get("arguments"))...)
		}
	} else {
		ours = d.legacyHeaders()
	}
	return override(ours, r.Header, r.OmitHeader)
}

// legacyHeaders: from initialize's answer on, the session id and (2025-06-18 on) the version.
func (d dialect) legacyHeaders() []wire.Field {
	var ours []wire.Field
	if mcp.AtLeast(d.version, mcp.R20250618) {
		ours = append(ours, wire.Field{Name: mcp.HeaderProtocolVersion, Value: d.version})
	}
	if d.session != "" {
		ours = append(ours, wire.Field{Name: mcp.HeaderSessionID, Value: d.session})
	}
	return ours
}

// mirrored are the Mcp-Param-* headers for arguments that the tool's schema marks with x-mcp-header (2026-07-28,
// transports/streamable-http, Value Encoding): text as it is or in Base64, whole numbers in decimal digits, true and
// false as words. Arguments that are null or absent have no header, nor have objects and arrays.
func mirrored(inputSchema, arguments jsondoc.Value) []wire.Field {
	if !inputSchema.Exists() || !arguments.Exists() {
		return nil
	}
	paths, _ := schema.Headers(inputSchema)
	var fields []wire.Field
	for _, h := range paths {
		if value, due := h.Value(arguments); due && mcp.IsToken(h.Name) { // else no header can have this name
			fields = append(fields, wire.Field{Name: mcp.HeaderParamPrefix + h.Name, Value: mcp.EncodeHeader(value)})
		}
	}
	return fields
}

// rawHeaders go with a body that is sent as it is.
func (d dialect) rawHeaders(r Raw) []wire.Field {
	if !d.http {
		return nil
	}
	var ours []wire.Field
	if d.modern {
		ours = append(ours, wire.Field{Name: mcp.HeaderProtocolVersion, Value: mcp.EncodeHeader(d.version)})
		if r.Method != "" {
			ours = append(ours, wire.Field{Name: mcp.HeaderMethod, Value: mcp.EncodeHeader(r.Method)})
		}
		if r.Name != "" {
			ours = append(ours, wire.Field{Name: mcp.HeaderName, Value: mcp.EncodeHeader(r.Name)})
		}
	} else {
		ours = d.legacyHeaders()
	}
	return override(ours, r.Header, r.OmitHeader)
}

// override applies a person's headers to ours: same name replaces, new ones follow, omitted ones go.
func override(ours, theirs []wire.Field, omit []string) []wire.Field {
	var out []wire.Field
	for _, f := range ours {
		if !named(omit, f.Name) && !hasField(theirs, f.Name) {
			out = append(out, f)
		}
	}
	return append(out, theirs...)
}

func named(names []string, name string) bool {
	for _, n := range names {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

func hasField(fields []wire.Field, name string) bool {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			return true
		}
	}
	return false
}

// notification spells a notification of ours. Modern HTTP has none of the client's, but a person may send one.
func (d dialect) notification(method string, params []byte, header []wire.Field) message {
	body := append([]byte(`{"jsonrpc":"2.0","method":`), jsondoc.AppendQuote(nil, method)...)
	if len(bytes.TrimSpace(params)) > 0 {
		body = append(body, `,"params":`...)
		body = appendCompact(body, params)
	}
	body = append(body, '}')
	if !d.http {
		return message{body, nil}
	}
	return message{body, d.rawHeaders(Raw{Method: method, Header: header})}
}
