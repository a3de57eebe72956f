package inspect

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/uritemplate"
)

// resourcesRules are about resources: how they are listed, what reading one gives, and how a missing one is told.
func resourcesRules() []*Rule {
	return slices.Concat(resourceListRules(), resourceContentRules(), resourceMissingRules(), resourcePathRules())
}

// resourceListRules are about entries of resources/list and resources/templates/list.
func resourceListRules() []*Rule {
	return []*Rule{{
		ID:     "resources-shape",
		Level:  Must,
		Eras:   "all",
		Source: "schema Resource",
		On:     Complete(mcp.ResourcesList),
		Check:  checkResourceShape,
	}, {
		ID:     "resources-uri-invalid",
		Level:  Must,
		Eras:   "all",
		Source: "server/resources §Common URI Schemes; schema Resource.uri (format uri); RFC 3986",
		On:     Complete(mcp.ResourcesList),
		Check: func(p *Pass) {
			for _, r := range p.Result().Get("resources").Elements() {
				if uri := r.Get("uri"); uri.Is(jsondoc.String) && !isURI(uri.Text()) {
					p.Report(p.At(uri), "", "an address with a scheme and without blanks, like file:///my%20file.txt")
				}
			}
		},
	}, {
		ID:     "resources-uri-duplicate",
		Level:  Advice,
		Eras:   "all",
		Source: "server/resources (each resource is uniquely identified by a URI)",
		On:     Complete(mcp.ResourcesList),
		Check:  func(p *Pass) { checkTwice(p, p.Result().Get("resources"), "uri", "each address once") },
	}, {
		ID:     "resources-https-scheme",
		Level:  Should,
		Eras:   "all",
		Source: "server/resources §Common URI Schemes (https://)",
		On:     Complete(mcp.ResourcesList),
		Check: func(p *Pass) {
			for _, r := range p.Result().Get("resources").Elements() {
				if uri := r.Get("uri"); uri.Is(jsondoc.String) && privateHTTPS(uri.Text()) {
					p.Report(p.At(uri), "", "a scheme of your own: clients cannot load this from the web themselves").Guess()
				}
			}
		},
	}, {
		ID:     "resources-template-invalid",
		Level:  Must,
		Eras:   "all",
		Source: "schema ResourceTemplate; RFC 6570",
		On:     Complete(mcp.TemplatesList),
		Check:  checkTemplates,
	}}
}

// checkMembers reports members of an entry of a list that must be strings: those that are required when they are missing or of
// another kind, the optional ones when they are of another kind. A null in an optional one has a rule of its own.
func checkMembers(p *Pass, entry jsondoc.Value, what string, required, optional []string) {
	if !entry.Is(jsondoc.Object) {
		p.Report(p.At(entry), "", "an object: "+what)
		return
	}
	for _, name := range required {
		switch v := entry.Get(name); {
		case !v.Exists():
			p.ReportSame("no "+name, p.At(entry), "no "+name, "a string "+name+" in "+what)
		case !v.Is(jsondoc.String):
			p.ReportSame(name, p.At(v), "", "a string")
		}
	}
	for _, name := range optional {
		if v := entry.Get(name); v.Exists() && !v.Is(jsondoc.String) && !v.Is(jsondoc.Null) {
			p.ReportSame(name, p.At(v), "", "a string, or no "+name)
		}
	}
}

func checkResourceShape(p *Pass) {
	for _, r := range p.Result().Get("resources").Elements() {
		checkMembers(p, r, "a resource", []string{"uri", "name"}, []string{"title", "description", "mimeType"})
		size := r.Get("size")
		if size.Exists() && !size.Is(jsondoc.Null) && (!size.Is(jsondoc.Number) || isNegative(size)) {
			p.ReportSame("size", p.At(size), "", "a number of bytes")
		}
	}
}

// isURI tells whether a text begins with a scheme and holds no blanks or control characters (RFC 3986 §3). Letters that should be
// percent-encoded are let through: clients cope with them.
func isURI(s string) bool {
	colon := strings.IndexByte(s, ':')
	if colon < 1 || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return false
	}
	for i := range colon {
		letter := 'a' <= s[i]|0x20 && s[i]|0x20 <= 'z'
		if !letter && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(s[i]))) {
			return false
		}
	}
	return true
}

// privateHTTPS tells that a URI is an https one whose host has a name that is never found on the web (RFC 6761, RFC 6762, RFC 9476).
func privateHTTPS(uri string) bool {
	if !strings.HasPrefix(strings.ToLower(uri), "https://") {
		return false
	}
	u, err := url.Parse(uri)
	if err != nil {
		return false
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	return slices.ContainsFunc([]string{".local", ".internal", ".invalid", ".alt", ".home.arpa"}, func(end string) bool {
		return strings.HasSuffix(host, end)
	})
}

// checkTwice reports values of a member that stand in two elements of an array.
func checkTwice(p *Pass, array jsondoc.Value, member, want string) {
	seen := map[string]jsondoc.Value{}
	for _, e := range array.Elements() {
		v := e.Get(member)
		if !v.Is(jsondoc.String) {
			continue
		}
		if first, twice := seen[v.Text()]; twice {
			p.Report(p.At(v), "", want).Also(p.At(first))
			continue
		}
		seen[v.Text()] = v
	}
}

func checkTemplates(p *Pass) {
	for _, t := range p.Result().Get("resourceTemplates").Elements() {
		checkMembers(p, t, "a template", []string{"uriTemplate", "name"}, []string{"title", "description", "mimeType"})
		text := t.Get("uriTemplate")
		if !text.Is(jsondoc.String) {
			continue
		}
		_, err := uritemplate.Parse(text.Text())
		var bad *uritemplate.Error
		if errors.As(err, &bad) && len(bad.Faults) > 0 {
			p.Report(p.At(text), "", "a URI template as in RFC 6570: "+bad.Faults[0].Text)
		}
	}
}
