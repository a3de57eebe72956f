package inspect

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// authStory is what has been learned of how a server asks for authorization: the newest 401, and the documents that it led to.
type authStory struct {
	server    string          // URL of the endpoint that answered 401; "" before
	challenge challenge       // of that 401
	at        wire.Seq        // its exchange
	bare      bool            // a request without credentials got 401
	failed    map[string]bool // documents asked for in vain, by URL; true: something answered
	resource  jsondoc.Value   // the resource metadata; Missing before
	metadata  jsondoc.Value   // the authorization server's; Missing before
}

// maxTried bounds what is remembered of documents asked for in vain.
const maxTried = 200

// asks learns the revision that a request of ours names.
func (h *History) asks(x *wire.Exchange) {
	v := requestedVersion(x)
	if x.Request.Method == mcp.Initialize {
		v = x.Request.Params().Get("protocolVersion").Text()
	}
	if mcp.Known(v) {
		h.named = v
	}
}

// refused learns from an exchange that ended with 401.
func (a *authStory) refused(x *wire.Exchange) {
	if x.Head == nil || x.Head.Status != 401 || x.Request == nil || x.Request.HTTP == nil {
		return
	}
	sent := x.Request.HTTP
	if a.server != "" && a.server != sent.URL {
		*a = authStory{}
	}
	a.server, a.challenge, a.at = sent.URL, readChallenge(x.Head), x.Seq()
	a.bare = a.bare || sent.Get("Authorization") == ""
}

// fetched learns from a document.
func (h *History) fetched(x *wire.Exchange) {
	h.tick(x.Lone.Seq, x.Lone.At)
	a, f := &h.auth, x.Fetch
	if f.Request == nil || f.For != wire.ForResource && f.For != wire.ForServer {
		return
	}
	switch doc, ok := documentOf(x); {
	case !ok:
		if a.failed == nil {
			a.failed = map[string]bool{}
		}
		if len(a.failed) < maxTried {
			a.failed[f.Request.URL] = f.Response != nil && f.Response.Status < 500
		}
		return
	case f.For == wire.ForResource:
		a.resource = doc
	default:
		a.metadata = doc
	}
	h.keep(x.Lone)
}

// documentOf is the JSON object that a fetch brought.
func documentOf(x *wire.Exchange) (jsondoc.Value, bool) {
	root := x.Lone.Doc().Root()
	return root, x.Fetch.Response != nil && x.Fetch.Response.Status == 200 && root.Is(jsondoc.Object)
}

// inVain tells that all these places were asked for a document, and none had one. sure is false when some of them could
// not be reached or were in trouble.
func (a *authStory) inVain(places []string) (all, sure bool) {
	sure = true
	for _, at := range places {
		answered, asked := a.failed[at]
		if !asked {
			return false, false
		}
		sure = sure && answered
	}
	return len(places) > 0, sure
}

// resourcePlaces are where the metadata of a protected resource may be (RFC 9728 §3.1): where the challenge says, at the
// well-known address for the server's path, at that of its root.
func (a *authStory) resourcePlaces() []string {
	u, err := url.Parse(a.server)
	if err != nil || u.Host == "" {
		return nil
	}
	var places []string
	if hint := a.challenge.params["resource_metadata"]; hint != "" {
		places = append(places, hint)
	}
	known := u.Scheme + "://" + u.Host + "/.well-known/oauth-protected-resource"
	if path := strings.TrimSuffix(u.EscapedPath(), "/"); path != "" {
		places = append(places, known+path)
	}
	return append(places, known)
}

// issuers are the authorization servers that the resource metadata names.
func (a *authStory) issuers() []jsondoc.Value {
	var all []jsondoc.Value
	for _, v := range a.resource.Get("authorization_servers").Elements() {
		if v.Is(jsondoc.String) {
			all = append(all, v)
		}
	}
	return all
}

// issuerPlaces are where the metadata of an issuer may be (RFC 8414 §3.1, OpenID Connect Discovery).
func issuerPlaces(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" {
		return nil
	}
	const oauth, openid = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	origin, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	if path == "" {
		return []string{origin + oauth, origin + openid}
	}
	return []string{origin + oauth + path, origin + openid + path, origin + path + openid}
}

// issuerAt is the named issuer whose metadata belongs at this address; Missing when none of them does.
func (a *authStory) issuerAt(address string) jsondoc.Value {
	for _, v := range a.issuers() {
		if slices.Contains(issuerPlaces(v.Text()), address) {
			return v
		}
	}
	return jsondoc.Value{}
}

// covers tells whether a resource identifier is that of the server, or of a parent of it on the same origin.
func covers(resource, server string) bool {
	r, err := url.Parse(resource)
	s, err2 := url.Parse(server)
	if err != nil || err2 != nil || r.Host == "" || strings.Contains(resource, "#") || r.User != nil ||
		!strings.EqualFold(r.Scheme, s.Scheme) || !strings.EqualFold(hostPort(r), hostPort(s)) {
		return false
	}
	a, b := strings.TrimSuffix(r.EscapedPath(), "/"), strings.TrimSuffix(s.EscapedPath(), "/")
	return a == b || strings.HasPrefix(b, a+"/")
}

func hostPort(u *url.URL) string {
	if u.Port() != "" {
		return u.Host
	}
	return u.Host + map[string]string{"https": ":443", "http": ":80"}[strings.ToLower(u.Scheme)]
}

// encrypted tells whether an address is https, or on this very machine, where tests have their servers.
func encrypted(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (strings.EqualFold(u.Scheme, "https") || strings.EqualFold(u.Scheme, "http") && loopbackHost(u.Hostname()))
}

func loopbackHost(host string) bool {
	ip, err := netip.ParseAddr(host)
	return strings.EqualFold(host, "localhost") || err == nil && ip.IsLoopback()
}

// publicHost tells whether a host looks like one that anybody can reach.
func publicHost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return !ip.IsLoopback() && !ip.IsPrivate() && !ip.IsLinkLocalUnicast() && !ip.IsUnspecified()
	}
	_, last, dotted := strings.Cut(host, ".")
	if !dotted || last == "" {
		return false
	}
	return !slices.ContainsFunc([]string{".localhost", ".local", ".internal", ".lan", ".home.arpa", ".test"}, func(s string) bool { return strings.HasSuffix(host, s) })
}

// nowhere says where a document was asked for in vain.
func nowhere(places []string) string { return "nothing at " + strings.Join(places, ", ") }
