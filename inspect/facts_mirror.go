package inspect

import (
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/schema"
	"mcploupe/session/wire"
)

// Since 2026-07-28 a request over HTTP repeats parts of its body in headers, for gateways that do not read bodies. How the
// headers of one of our requests stand to its body is a fact that many rules need.

// likeness says how a header stands to the part of the body that it repeats.
type likeness uint8

const (
	mirrorRight   likeness = iota
	mirrorMissing          // it is owed and not there
	mirrorWrong            // it contradicts the body
	mirrorBroken           // it has the Base64 form and cannot be decoded
	mirrorUnknown          // there is nothing in the body to compare it with
)

// mirror is one header that repeats a part of the body.
type mirror struct {
	Header string
	Body   jsondoc.Value // what it repeats; Missing when that is not there
	Param  bool          // an argument of a tool
	Like   likeness
}

// mirrors are the headers that our request owes, in a fixed order. all is false when there may be more than these: the tool that
// it calls is not known, or is annotated in a way that cannot be read.
func (p *Pass) mirrors() (list []mirror, all bool) {
	if p.mirrored == nil {
		list, all = p.findMirrors()
		p.mirrored = &mirrored{list, all}
	}
	return p.mirrored.list, p.mirrored.all
}

// mirrored is what mirrors has found, once for all rules of an occasion.
type mirrored struct {
	list []mirror
	all  bool
}

func (p *Pass) findMirrors() (list []mirror, all bool) {
	h := p.SentHead()
	if h == nil || p.x.Request.Kind != wire.Request || !p.modern {
		return nil, false
	}
	add := func(name string, body jsondoc.Value) {
		list = append(list, mirror{Header: name, Body: body, Like: likenessOf(h, name, body)})
	}
	add(mcp.HeaderProtocolVersion, p.sent.Get("_meta").Get(mcp.MetaProtocolVersion))
	add(mcp.HeaderMethod, p.x.Request.Root().Get("method"))
	if m, known := mcp.Lookup(p.x.Request.Method); known && m.NameParam != "" {
		add(mcp.HeaderName, p.sent.Get(m.NameParam))
	}
	if p.x.Request.Method != mcp.ToolsCall {
		return list, true
	}
	c := p.Call()
	if c.Tool == nil {
		return list, c.Listed == No
	}
	params, problems := schema.Headers(c.Tool.Value.Get("inputSchema"))
	for _, param := range params {
		name := mcp.HeaderParamPrefix + param.Name
		m := mirror{Header: name, Param: true, Body: argument(c.Arguments, param.Path)}
		value, due := param.Value(c.Arguments)
		switch {
		case !due && !hasHeader(h, name):
			m.Like = mirrorRight
		case !due:
			m.Like = mirrorUnknown
		case !hasHeader(h, name):
			m.Like = mirrorMissing
		default:
			m.Like = compared(h.Get(name), value, param.Type == "integer")
		}
		list = append(list, m)
	}
	return list, len(problems) == 0
}

func argument(arguments jsondoc.Value, at jsondoc.Pointer) jsondoc.Value {
	v := arguments
	for _, name := range at.Tokens() {
		v = v.Get(name)
	}
	return v
}

func likenessOf(h *wire.Head, name string, body jsondoc.Value) likeness {
	switch {
	case !body.Is(jsondoc.String):
		return mirrorUnknown
	case !hasHeader(h, name):
		return mirrorMissing
	}
	return compared(h.Get(name), body.Text(), false)
}

// compared holds a header's value against what it repeats; whole numbers are equal as numbers (42.0 is 42).
func compared(header, body string, integer bool) likeness {
	text, ok := mcp.DecodeHeader(strings.Trim(header, " \t"))
	switch {
	case !ok:
		return mirrorBroken
	case text == body:
		return mirrorRight
	}
	if integer {
		a, errA := strconv.ParseFloat(text, 64)
		b, errB := strconv.ParseFloat(body, 64)
		if errA == nil && errB == nil && a == b {
			return mirrorRight
		}
	}
	return mirrorWrong
}

// mirrorsRight tells that every header that repeats a part of the body surely does so. It is not sure when the server speaks of a
// header that the list of tools does not know: the tool may be another one since it was listed.
func (p *Pass) mirrorsRight() bool {
	list, all := p.mirrors()
	for _, m := range list {
		all = all && m.Like == mirrorRight
	}
	for _, name := range p.paramsNamed() {
		all = all && slices.ContainsFunc(list, func(m mirror) bool { return m.Param && strings.EqualFold(m.Header, name) })
	}
	return all
}

// paramsNamed are the headers of arguments that an error speaks of.
func (p *Pass) paramsNamed() []string {
	text := strings.ToLower(string(p.Error().Raw()))
	prefix := strings.ToLower(mcp.HeaderParamPrefix)
	var names []string
	for _, part := range strings.Split(text, prefix)[1:] {
		n := 0
		for n < len(part) && mcp.IsToken(part[n:n+1]) {
			n++
		}
		if name := strings.TrimRight(part[:n], ".*'`"); name != "" { // the end of a sentence, or Mcp-Param-*
			names = append(names, prefix+name)
		}
	}
	return names
}

// oddSpelling is a header of our request that says the right thing in an unusual but allowed way, with the way: "encoded",
// "case", "blanks". The name is "" when all are in the usual form.
func (p *Pass) oddSpelling() (name, way string) {
	h := p.SentHead()
	if h == nil {
		return "", ""
	}
	for _, f := range h.Header {
		if len(f.Name) < 4 || !strings.EqualFold(f.Name[:4], "mcp-") {
			continue
		}
		switch {
		case strings.HasPrefix(f.Value, "=?base64?"):
			return f.Name, "encoded"
		case strings.Trim(f.Value, " \t") != f.Value:
			return f.Name, "blanks"
		case h.Proto == "HTTP/1.1" && (f.Name == strings.ToLower(f.Name) || f.Name == strings.ToUpper(f.Name)):
			return f.Name, "case"
		}
	}
	return "", ""
}

// nullArgument is the header of a tool's argument that is null or left out, so that no header is due; "" when there is none. When
// the error speaks of headers it is one of these.
func (p *Pass) nullArgument() string {
	list, _ := p.mirrors()
	named := p.paramsNamed()
	for _, m := range list {
		if m.Param && (len(named) == 0 || slices.Contains(named, strings.ToLower(m.Header))) && (!m.Body.Exists() || m.Body.Is(jsondoc.Null)) {
			return m.Header
		}
	}
	return ""
}
