package inspect

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// Facts that the rules about what a server offers share.

// refusal tells that the reply's HTTP status says why by itself: a login is needed, too many requests, the server is down.
// What a body says besides is not held against the server.
func (p *Pass) refusal() bool {
	s := p.status()
	return s == 401 || s == 403 || s == 429 || s >= 500
}

// asked is the revision that the request names in its _meta; Missing when it names none.
func (p *Pass) asked() jsondoc.Value { return p.sent.Get("_meta").Get(mcp.MetaProtocolVersion) }

// stringsIn is the strings among the elements of an array.
func stringsIn(array jsondoc.Value) []string {
	var all []string
	for _, v := range array.Elements() {
		if v.Is(jsondoc.String) {
			all = append(all, v.Text())
		}
	}
	return all
}

// impossibleRevision tells that no server can know a revision of this name: it is older than the protocol, or no date.
func impossibleRevision(v jsondoc.Value) bool {
	return v.Is(jsondoc.String) && string(v.Raw()) != latestToken && (!mcp.IsRevision(v.Text()) || v.Text() < mcp.R20241105)
}

// latestToken is the newest revision as nearly every request spells it: comparing with it costs nothing.
const latestToken = `"` + mcp.Latest + `"`

// hasText tells whether an array has an element that is the same text as this string.
func hasText(array, text jsondoc.Value) bool {
	for _, v := range array.Elements() {
		if v.Same(text) {
			return true
		}
	}
	return false
}

// asksBack tells that the result is one that asks the client for something first.
func (p *Pass) asksBack() bool {
	return string(p.result.Get("resultType").Raw()) == `"`+mcp.ResultInputRequired+`"`
}

// metaKey is the grammar of keys in _meta and of names of extensions (basic/index §_meta): an optional prefix of labels joined
// by dots and a slash, then a name, which may be empty after a prefix.
var metaKey = sync.OnceValue(func() *regexp.Regexp {
	const label = `[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?`
	return regexp.MustCompile(`^(?:(` + label + `(?:\.` + label + `)*)/)?((?:[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)?)$`)
})

// splitMetaKey cuts a key into the labels of its prefix and its name; ok is false when it breaks the grammar.
func splitMetaKey(key string) (labels []string, name string, ok bool) {
	m := metaKey().FindStringSubmatch(key)
	if m == nil || m[1] == "" && m[2] == "" {
		return nil, "", false
	}
	if m[1] != "" {
		labels = strings.Split(m[1], ".")
	}
	return labels, m[2], true
}

// keyOf is what tells the items of a list apart: the member name, uri or uriTemplate.
func keyOf(method string) string {
	switch method {
	case mcp.ResourcesList:
		return "uri"
	case mcp.TemplatesList:
		return "uriTemplate"
	}
	return "name"
}

// lastPage is the page that this exchange brought to its walk; nil when it brought none.
func (p *Pass) lastPage() *ListPage {
	if w := p.Walk(); w != nil && len(w.Pages) > 0 && w.Last().Request == p.x.Seq() {
		return w.Last()
	}
	return nil
}

// hasCapability tells whether servers of a revision may declare a capability at all.
func hasCapability(version, name string) bool {
	return version != "" && slices.Contains(mcp.ServerCapabilities(version), name)
}
