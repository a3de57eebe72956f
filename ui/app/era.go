package app

import (
	"strings"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/era"
	"mcploupe/ui/kit"
)

// openEra shows the request at hand under two revisions: that of the exchange that is looked at, else what the call would
// send now.
func (m *Model) openEra() {
	r, name, ok := m.atHand()
	if !ok {
		m.say("no request is selected: choose an exchange of ours, or a tool, resource or prompt", true)
		return
	}
	against := m.book.Server.Version
	if mcp.Modern(against) || !mcp.Known(against) {
		against = mcp.LatestLegacy
	}
	client, capabilities := m.introduced()
	var tool jsondoc.Value
	if r.Method == mcp.ToolsCall {
		if it := m.book.List(book.Tools).Find(name); it != nil {
			tool = it.Def
		}
	}
	level := m.env.LogLevel
	ask := func(against string, http bool) era.Comparison {
		side := func(version string) era.Side {
			s := era.Side{Version: version}
			for _, x := range session.Spell(r, session.Spelling{Version: version, HTTP: http, Client: client, Capabilities: capabilities, LogLevel: level, Tool: tool}) {
				s.Messages = append(s.Messages, era.Message(x))
			}
			return s
		}
		return era.Compare(r.Method, side(mcp.Latest), side(against))
	}
	m.open("era", era.New(m.env, strings.TrimSpace(r.Method+" "+name), against, m.book.Server.Kind != "stdio", ask), large)
}

// atHand is the request that the screen is about.
func (m *Model) atHand() (r session.Request, name string, ok bool) {
	m.sync()
	if row := m.book.Timeline.Row(m.exchange.Ref()); row != nil && (m.driver == atExchanges || m.focus == atResult) {
		x := row.X.Request
		if x == nil || x.Kind != wire.Request {
			return r, "", false
		}
		return session.Request{Method: x.Method, Params: x.Params().Raw()}, row.Of, true
	}
	switch i := m.call.Send(true).(type) {
	case kit.Use:
		method, key := mcp.ToolsCall, "name"
		switch i.Kind {
		case book.Prompts:
			method = mcp.PromptsGet
		case book.Resources, book.Templates:
			method, key = mcp.ResourcesRead, "uri"
		}
		params := `{` + jsondoc.Quote(key) + `:` + jsondoc.Quote(i.ID)
		if len(i.Args) > 0 && key == "name" {
			params += `,"arguments":` + string(i.Args)
		}
		return session.Request{Method: method, Params: []byte(params + "}")}, i.ID, true
	case kit.Reread:
		return session.Request{Method: mcp.ResourcesRead, Params: []byte(`{"uri":` + jsondoc.Quote(i.URI) + `}`)}, i.URI, true
	}
	return r, "", false
}

// introduced is how we introduced ourselves last: in the _meta of a request, or in initialize; nil where we did not.
func (m *Model) introduced() (client, capabilities []byte) {
	row := m.book.Timeline.Last(func(r *book.Row) bool {
		return r.X.Request != nil && (r.X.Request.Method == mcp.Initialize || r.X.Request.Params().Get("_meta").Get(mcp.MetaClientInfo).Exists())
	})
	if row == nil {
		return nil, nil
	}
	params := row.X.Request.Params()
	if row.Method == mcp.Initialize {
		return params.Get("clientInfo").Raw(), params.Get("capabilities").Raw()
	}
	return params.Get("_meta").Get(mcp.MetaClientInfo).Raw(), params.Get("_meta").Get(mcp.MetaClientCapabilities).Raw()
}
