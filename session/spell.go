package session

import (
	"fmt"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// Spelling says under which circumstances a request is to be spelled. See Spell.
type Spelling struct {
	Version      string        // the revision
	HTTP         bool          // with the headers of the transport; false is stdio
	Client       []byte        // clientInfo, raw JSON; nil: ours
	Capabilities []byte        // client capabilities, raw JSON; nil: DefaultCapabilities
	LogLevel     string        // asked for, "" for none
	Tool         jsondoc.Value // the tool's entry in tools/list, for what its headers repeat; Missing for none
}

// Spelled is one message of ours as a revision wants it.
type Spelled struct {
	What   string // its method
	HTTP   string // "POST", "GET"; "" on stdio
	Header []wire.Field
	Body   []byte // nil for a GET
}

// UnknownSession stands in spelled headers for the session id that only the server can give.
const UnknownSession = "(as the server gave it)"

// Spell is everything that has to be sent for a request in a fresh connection under a revision, the handshake included;
// nothing is sent. It is a pure function, by the same spelling that requests really have. Members of _meta that the
// revision does not know are not in params any more, and neither is a completion's context before 2025-06-18.
func Spell(r Request, o Spelling) []Spelled {
	if len(o.Client) == 0 {
		o.Client = clientInfo("devel")
	}
	if len(o.Capabilities) == 0 {
		o.Capabilities = []byte(DefaultCapabilities)
	}
	r.Params = bare(r.Method, r.Params, o.Version)
	d := dialect{modern: mcp.Modern(o.Version), http: o.HTTP, version: o.Version, client: o.Client, capabilities: o.Capabilities, logLevel: o.LogLevel}
	var out []Spelled
	add := func(what string, m message) {
		s := Spelled{What: what, Body: m.body}
		if o.HTTP {
			s.HTTP = "POST"
			s.Header = append([]wire.Field{{Name: "Accept", Value: "application/json, text/event-stream"}, {Name: "Content-Type", Value: "application/json"}}, m.header...)
		}
		out = append(out, s)
	}
	if d.modern {
		add(r.Method, d.build(r, 1, o.Tool))
		return out
	}
	if o.HTTP && !mcp.AtLeast(o.Version, mcp.R20250326) {
		out = append(out, Spelled{What: "the stream for answers", HTTP: "GET", Header: []wire.Field{{Name: "Accept", Value: "text/event-stream"}}})
	}
	opening := dialect{http: o.HTTP}
	begin := Request{Method: mcp.Initialize, Params: appendObject(nil, []Member{
		{"protocolVersion", quoted(o.Version)}, {"capabilities", o.Capabilities}, {"clientInfo", o.Client}})}
	id := int64(1)
	add(mcp.Initialize, opening.build(begin, id, jsondoc.Value{}))
	if o.HTTP && mcp.AtLeast(o.Version, mcp.R20250326) {
		d.session = UnknownSession
	}
	add(mcp.Initialized, d.notification(mcp.Initialized, nil, nil))
	if o.LogLevel != "" && r.Method != mcp.SetLevel {
		id++
		add(mcp.SetLevel, d.build(Request{Method: mcp.SetLevel, Params: fmt.Appendf(nil, `{"level":%s}`, quoted(o.LogLevel))}, id, jsondoc.Value{}))
	}
	if r.Method != mcp.Initialize {
		add(r.Method, d.build(r, id+1, jsondoc.Value{}))
	}
	return out
}

// bare is params without what a session puts into each request by itself.
func bare(method string, raw []byte, version string) []byte {
	params := jsondoc.Parse(raw).Root()
	if !params.Is(jsondoc.Object) || !params.Document().Valid() {
		return raw
	}
	var members []Member
	for name, v := range params.Members() {
		switch {
		case name == "_meta" && v.Is(jsondoc.Object):
			var kept []Member
			for key, m := range v.Members() {
				switch key {
				case mcp.MetaProtocolVersion, mcp.MetaClientInfo, mcp.MetaClientCapabilities, mcp.MetaLogLevel, mcp.MetaProgressToken:
				default:
					kept = append(kept, Member{key, m.Raw()})
				}
			}
			if len(kept) > 0 {
				members = append(members, Member{name, appendObject(nil, kept)})
			}
		case name == "context" && method == mcp.Complete && !mcp.AtLeast(version, mcp.R20250618):
		default:
			members = append(members, Member{name, v.Raw()})
		}
	}
	if len(members) == 0 {
		return nil
	}
	return appendObject(nil, members)
}
