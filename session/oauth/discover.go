package oauth

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Resource is what the protected resource metadata says (RFC 9728).
type Resource struct {
	Resource string   // the identifier, sent as it is spelled in every request for a token
	Servers  []string // issuers
	Scopes   []string // scopes_supported
	Guessed  bool     // there was no metadata: the server's own origin is taken for its authorization server, as in 2025-03-26
}

// Metadata is what the authorization server says about itself (RFC 8414, OpenID Connect Discovery).
type Metadata struct {
	Issuer                        string
	Authorize, Token, Register    string   // endpoints
	Scopes                        []string // scopes_supported
	Grants, AuthMethods, AuthAlgs []string // AuthMethods: nil means client_secret_basic
	Challenges                    []string // code_challenge_methods_supported
	ClientDocuments, IssParameter bool
	Assumed                       bool // there was no metadata: the endpoints are those that 2025-03-26 prescribed
}

// Known is what a login has found out so far. It is a value: Next tells what to ask, Learn takes the answer.
type Known struct {
	Server   string // the MCP server's URL
	Demand   Demand
	Prefer   string // the issuer to choose when the resource names several, "" for the first
	Old      bool   // the protocol version is 2025-03-26: without any metadata the endpoints are at fixed paths
	Resource *Resource
	Metadata *Metadata
	tried    []string
}

// Ask is a document to fetch with GET, without any credentials.
type Ask struct{ Step, URL string }

// Next is the document to fetch now; ok is false when everything is known. The error is a *Refusal when
// there is nothing left to try.
func (k Known) Next() (a Ask, ok bool, err error) {
	if k.Resource == nil {
		for _, u := range resourcePlaces(k.Server, k.Demand.ResourceMetadata) {
			if !slices.Contains(k.tried, u) {
				return Ask{StepResource, u}, true, nil
			}
		}
		return Ask{}, false, refuse(StepResource, "auth-401-no-metadata", "the server needs authorization, but says nowhere which authorization server to go to")
	}
	if k.Metadata == nil {
		for _, u := range serverPlaces(k.Resource.Servers[0]) {
			if !slices.Contains(k.tried, u) {
				return Ask{StepServer, u}, true, nil
			}
		}
		if k.Resource.Guessed && k.Old {
			return Ask{}, false, nil // see Assume
		}
		if k.Resource.Guessed {
			return Ask{}, false, refuse(StepResource, "auth-401-no-metadata", "the server needs authorization, but says nowhere which authorization server to go to, and its own origin is none")
		}
		return Ask{}, false, refuse(StepServer, "auth-as-metadata-absent", "the authorization server %s has metadata at none of the places where it belongs", k.Resource.Servers[0])
	}
	return Ask{}, false, nil
}

// Answer is what came for an Ask. Status 0 means that nothing came, for the reason in Text.
type Answer struct {
	Status    int
	MediaType string
	Body      []byte
	Text      string
}

// Learn takes the answer to an Ask. text says in a sentence what it brought; failed, that it was not what
// was asked for. The error is a *Refusal when what came must not be used and nothing else may be tried.
func (k Known) Learn(a Ask, got Answer) (next Known, text string, failed bool, err error) {
	k.tried = append(slices.Clip(k.tried), a.URL)
	doc, why := document(nil), got.Text
	switch {
	case got.Status == 200:
		doc, why = readDocument(got.MediaType, got.Body)
	case got.Status != 0:
		why = "HTTP " + statusText(got.Status)
	}
	if doc == nil {
		if a.Step == StepResource {
			k = k.guess()
		}
		return k, "not there: " + why, true, nil
	}
	if a.Step == StepResource {
		r, err := readResource(doc, k.Server)
		if err != nil {
			return k, err.Text, true, err
		}
		if i := slices.Index(r.Servers, k.Prefer); i > 0 {
			r.Servers[0], r.Servers[i] = r.Servers[i], r.Servers[0]
		}
		k.Resource = r
		return k, "the authorization server is " + r.Servers[0] + more(len(r.Servers)-1), false, nil
	}
	m, refusal := readMetadata(doc, k.Resource.Servers[0])
	if refusal != nil {
		return k, refusal.Text, true, refusal
	}
	k.Metadata = m
	return k, "read: the issuer is the one that was asked", false, nil
}

// Assume fills in what revision 2025-03-26 prescribes for servers without any metadata (Fallbacks for
// Servers without Metadata Discovery), once everything was asked for in vain. assumed tells that it did.
func (k Known) Assume() (next Known, assumed bool) {
	if k.Metadata != nil || k.Resource == nil || !k.Resource.Guessed || !k.Old {
		return k, false
	}
	origin := k.Resource.Servers[0]
	k.Metadata = &Metadata{Issuer: origin, Authorize: origin + "/authorize", Token: origin + "/token", Register: origin + "/register", Assumed: true}
	return k, true
}

// guess falls back to what revision 2025-03-26 prescribed, once no place has resource metadata.
func (k Known) guess() Known {
	if _, ok, _ := k.Next(); ok {
		return k
	}
	if u, err := url.Parse(k.Server); err == nil {
		origin := u.Scheme + "://" + u.Host
		k.Resource = &Resource{Resource: canonical(u), Servers: []string{origin}, Guessed: true}
	}
	return k
}

// canonical is the resource identifier of a server that names none.
func canonical(u *url.URL) string {
	path := u.EscapedPath()
	if path == "/" {
		path = ""
	}
	s := strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Host) + path
	if u.RawQuery != "" {
		s += "?" + u.RawQuery
	}
	return s
}

// resourcePlaces are where the metadata of a server may be: where its challenge says, else at the
// well-known address for its path, then at that of its root. A challenge that leads nowhere does not
// stop the search.
func resourcePlaces(server, hinted string) []string {
	var places []string
	if hinted != "" {
		places = append(places, hinted)
	}
	u, err := url.Parse(server)
	if err != nil {
		return places
	}
	const wellKnown = "/.well-known/oauth-protected-resource"
	origin := u.Scheme + "://" + u.Host
	if path := strings.TrimSuffix(u.EscapedPath(), "/"); path != "" {
		places = append(places, origin+wellKnown+path)
	}
	return append(places, origin+wellKnown)
}

// serverPlaces are where the metadata of an issuer may be, in the order that MCP prescribes.
func serverPlaces(issuer string) []string {
	u, err := url.Parse(issuer)
	if err != nil {
		return nil
	}
	const oauth, openid = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	origin, path := u.Scheme+"://"+u.Host, strings.TrimSuffix(u.EscapedPath(), "/")
	if path == "" {
		return []string{origin + oauth, origin + openid}
	}
	return []string{origin + oauth + path, origin + openid + path, origin + path + openid}
}

func readResource(d document, server string) (*Resource, *Refusal) {
	r := &Resource{Resource: d.text("resource"), Servers: d.list("authorization_servers"), Scopes: d.list("scopes_supported")}
	if !identifies(r.Resource, server) {
		return nil, refuse(StepResource, "auth-prm-resource-mismatch", "the metadata is for the resource %q, not for %s: a token for it might be meant for somebody else", r.Resource, server)
	}
	if len(r.Servers) == 0 {
		return nil, refuse(StepResource, "auth-prm-authorization-servers", "the metadata names no authorization server")
	}
	for _, issuer := range r.Servers {
		if why := unsafe(issuer, server); why != "" {
			return nil, refuse(StepResource, "auth-prm-authorization-servers", "the metadata names the authorization server %q, which is not safe to use: %s", issuer, why)
		}
	}
	return r, nil
}

// identifies tells whether a resource identifier covers the server: the same address, or a parent of it
// on the same origin. Scheme and host may be spelled in any case.
func identifies(resource, server string) bool {
	r, errR := url.Parse(resource)
	s, errS := url.Parse(server)
	if errR != nil || errS != nil || r.Fragment != "" || r.Host == "" || r.User != nil || !sameOrigin(r, s) {
		return false
	}
	if r.RawQuery != "" && r.RawQuery != s.RawQuery {
		return false
	}
	a, b := strings.TrimSuffix(r.EscapedPath(), "/"), strings.TrimSuffix(s.EscapedPath(), "/")
	return a == b || strings.HasPrefix(b, a+"/")
}

func readMetadata(d document, issuer string) (*Metadata, *Refusal) {
	m := &Metadata{
		Issuer: d.text("issuer"), Authorize: d.text("authorization_endpoint"), Token: d.text("token_endpoint"), Register: d.text("registration_endpoint"),
		Scopes: d.list("scopes_supported"), Grants: d.list("grant_types_supported"),
		AuthMethods: d.list("token_endpoint_auth_methods_supported"), AuthAlgs: d.list("token_endpoint_auth_signing_alg_values_supported"),
		Challenges:      d.list("code_challenge_methods_supported"),
		ClientDocuments: d.flag("client_id_metadata_document_supported"), IssParameter: d.flag("authorization_response_iss_parameter_supported"),
	}
	if m.Issuer != issuer {
		return nil, refuse(StepServer, "auth-as-metadata-issuer", "the metadata is that of the issuer %q, but %q was asked; they must be the same, character by character", m.Issuer, issuer)
	}
	for _, e := range []struct{ name, address string }{{"authorization_endpoint", m.Authorize}, {"token_endpoint", m.Token}, {"registration_endpoint", m.Register}} {
		if e.address == "" {
			continue
		}
		if why := unsafe(e.address, issuer); why != "" {
			return nil, refuse(StepServer, "auth-as-endpoints-https", "the %s %q is not safe to use: %s", e.name, e.address, why)
		}
	}
	if m.Token == "" {
		return nil, refuse(StepServer, "auth-as-metadata-absent", "the metadata has no token_endpoint")
	}
	return m, nil
}

// unsafe says why an address that somebody named must not be used, "" when it may: it has to be https,
// or plain http on this very machine; and only somebody on this machine may send us to this machine or
// the network around it.
func unsafe(address, namedBy string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "":
		return "it is no absolute address"
	case u.User != nil:
		return "it holds credentials"
	case u.Fragment != "":
		return "it has a fragment"
	case u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())):
		return "it is not https"
	}
	by, err := url.Parse(namedBy)
	if inside(u.Hostname()) && (err != nil || !inside(by.Hostname())) {
		return "it leads into this machine or its network, and was named from outside"
	}
	return ""
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// inside tells whether a host is this machine or an address of a private network, as far as its name shows.
func inside(host string) bool {
	if loopback(host) {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && (ip.IsPrivate() || ip.IsLinkLocalUnicast() || ip.IsUnspecified())
}

func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch p := u.Port(); {
	case p != "":
		return p
	case strings.EqualFold(u.Scheme, "https"):
		return "443"
	}
	return "80"
}
