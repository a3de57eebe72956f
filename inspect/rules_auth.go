package inspect

import (
	"net/url"
	"slices"
	"strings"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// authRules are about how a server over HTTP asks for an access token, and about the documents that lead to one.
func authRules() []*Rule {
	return slices.Concat(challengeRules(), authMetadataRules(), authConductRules())
}

const wwwAuthenticate = "WWW-Authenticate"

// challengeAt is the place of the challenge of the newest 401.
func (p *Pass) challengeAt() Place {
	return Place{Frame: p.in.history.auth.at, Part: Header, Path: wwwAuthenticate}
}

// challengeRules are about the 401 and 403 themselves.
func challengeRules() []*Rule {
	const source = "basic/authorization"
	ended := Exchanges().Or(Posted())
	return []*Rule{{
		ID:     "auth-401-header-missing",
		Level:  Must,
		Eras:   ">=2025-03-26",
		Source: "RFC 9110 §11.6.1; RFC 6750 §3; 2025-06-18/" + source,
		On:     ended,
		Check: func(p *Pass) {
			if p.status() != 401 || p.SentHead() == nil {
				return
			}
			const want = `a challenge, like Bearer resource_metadata="…"`
			switch c := readChallenge(p.Head()); {
			case c.bearer:
			case c.text == "" && p.Once(""):
				p.Report(p.Status(), "401 without WWW-Authenticate", want)
			case c.text != "" && p.Once(""):
				p.Report(p.Header(wwwAuthenticate), c.text, want).Likely() // another scheme may be meant: no OAuth then
			}
		},
	}, {
		ID:     "auth-401-no-metadata",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: source + "/authorization-server-discovery §Protected Resource Metadata Discovery Requirements",
		On:     Fetched(),
		Check: func(p *Pass) {
			a := &p.in.history.auth
			if p.Fetch().For != wire.ForResource || a.resource.Exists() || a.server == "" {
				return
			}
			if all, sure := a.inVain(a.resourcePlaces()); all && p.Once(a.server) {
				r := p.Report(Place{Frame: p.seq(), Part: Status}, nowhere(a.resourcePlaces()),
					"protected resource metadata (RFC 9728), linked from the challenge or at the well-known address").Also(p.challengeAt())
				if !sure || p.Version() == "" { // servers of 2025-03-26 have none, and what this one speaks is unknown
					r.Likely()
				}
			}
		},
	}, {
		ID:     "auth-challenge-scope",
		Level:  Should,
		Eras:   ">=2025-11-25",
		Source: source + " §Scope Selection Strategy",
		On:     Fetched(),
		Check: func(p *Pass) {
			a := &p.in.history.auth
			scopes := a.resource.Get("scopes_supported")
			if p.Fetch().For != wire.ForResource || scopes.Len() == 0 || !a.challenge.bearer || len(a.challenge.scopes()) > 0 {
				return // a server without scopes has none to name
			}
			if p.Once(a.server) {
				p.Report(p.challengeAt(), a.challenge.text, `a parameter scope="…" with what this request needs`).Also(p.At(scopes))
			}
		},
	}, {
		ID:     "auth-offline-access",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: source + " §Refresh Tokens",
		On:     ended.Or(Fetched()),
		Check: func(p *Pass) {
			const word, want = "offline_access", "only scopes of the resource: whether there are refresh tokens is the authorization server's affair"
			if f := p.Fetch(); f != nil {
				if f.For != wire.ForResource {
					return
				}
				for _, v := range p.root.Get("scopes_supported").Elements() {
					if v.Text() == word && p.Once(f.Request.URL) {
						p.Report(p.At(v), "", want)
					}
				}
				return
			}
			if s := p.status(); s != 401 && s != 403 {
				return
			}
			if c := readChallenge(p.Head()); slices.Contains(c.scopes(), word) && p.Once("") {
				p.Report(p.Header(wwwAuthenticate), c.text, want)
			}
		},
	}, {
		ID:     "auth-insufficient-scope-shape",
		Level:  Should,
		Eras:   ">=2025-11-25",
		Source: source + " §Runtime Insufficient Scope Errors",
		On:     ended,
		Check:  checkInsufficientScope,
	}, {
		ID:     "auth-scope-drip",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: source + " §Runtime Insufficient Scope Errors",
		On:     Exchanges(),
		Check:  checkScopeDrip,
	}}
}

// checkInsufficientScope looks at a 403 to a request that had a token.
func checkInsufficientScope(p *Pass) {
	sent := p.SentHead()
	if p.status() != 403 || sent == nil || sent.Get("Authorization") == "" || p.OnPurpose() {
		return
	}
	c := readChallenge(p.Head())
	at := p.Header(wwwAuthenticate)
	want := ""
	switch {
	case !c.bearer:
		if p.Once("") { // it may be that no scope would help
			p.Report(p.Status(), "403 without a Bearer challenge", `WWW-Authenticate: Bearer error="insufficient_scope", scope="…", resource_metadata="…", if a scope is missing`).Likely()
		}
		return
	case c.params["error"] != "insufficient_scope":
		want = `error="insufficient_scope"`
	case len(c.scopes()) == 0:
		want = `scope="…" with the scopes that the request needs`
	case c.params["resource_metadata"] == "":
		want = `resource_metadata="…" as well, so that a client need not remember it`
	}
	if want != "" && p.Once(want) {
		p.Report(at, c.text, want)
	}
}

// drip is what operations were told that they need.
type drip struct{ of map[string]dripped }

type dripped struct {
	scopes []string
	at     wire.Seq
}

// maxDrips bounds how many operations are remembered.
const maxDrips = 1000

func checkScopeDrip(p *Pass) {
	c := readChallenge(p.Head())
	if p.status() != 403 || c.params["error"] != "insufficient_scope" || p.x.Request == nil {
		return
	}
	d := Keep[drip](p)
	if d.of == nil {
		d.of = map[string]dripped{}
	}
	op := p.x.Method() + " " + p.x.Name()
	before, again := d.of[op]
	for _, s := range c.scopes() {
		if again && !slices.Contains(before.scopes, s) && p.Once(op) {
			p.Report(p.Header(wwwAuthenticate), "now "+s+" as well", "every scope that the operation needs in the first challenge").
				Also(Place{Frame: before.at, Part: Header, Path: wwwAuthenticate})
		}
	}
	if again || len(d.of) < maxDrips {
		d.of[op] = dripped{append(before.scopes, c.scopes()...), p.seq()}
	}
}

// authConductRules are about what the server does with tokens, and without.
func authConductRules() []*Rule {
	const source = "basic/authorization"
	return []*Rule{{
		ID:     "auth-invalid-token-status",
		Level:  Must,
		Eras:   ">=2025-03-26",
		Source: source + " §Token Handling",
		On:     Exchanges(),
		Probe:  ProbeMadeUpToken,
		Check: func(p *Pass) {
			if p.Why() != ProbeMadeUpToken || !p.in.history.auth.bare {
				return // a server that asks nobody for a token need not look at one
			}
			switch s := p.status(); {
			case s == 401 || s == 0 || s == 429 || s == 503:
			case s/100 == 2:
				p.Report(p.Status(), "", "401: nobody issued this token")
			default:
				p.Report(p.Status(), "", "401, so that the client fetches a new token")
			}
		},
	}, {
		ID:     "auth-jsonrpc-instead-of-401",
		Level:  Advice,
		Eras:   ">=2025-03-26",
		Source: source + " §Error Handling",
		On:     Errors(),
		Check: func(p *Pass) {
			message := p.Error().Get("message")
			low := strings.ToLower(message.Text())
			if p.HTTP() && p.status() == 200 && contains(low, "unauthorized", "authentication required", "authentication is required", "not authenticated", "token expired", "token has expired") {
				p.Report(p.At(message), "", "HTTP 401 with a challenge, if it is a token that is missing: no login begins otherwise").Guess()
			}
		},
	}, {
		ID:     "auth-token-in-url",
		Level:  Must,
		Eras:   ">=2025-03-26",
		Source: source + " §Token Requirements",
		On:     Sent(),
		Check: func(p *Pass) {
			h := p.SentHead()
			if h == nil {
				return
			}
			_, query, _ := strings.Cut(h.URL, "?")
			for part := range strings.SplitSeq(query, "&") {
				name, value, _ := strings.Cut(part, "=")
				switch strings.ToLower(name) {
				case "access_token", "token", "api_key":
					if value != "" && p.Once(name) {
						p.Report(Place{Frame: p.seq(), Part: Header, Path: ":path"}, name+"=…", "an address without secrets, and the token in the header Authorization")
					}
				}
			}
		},
	}, {
		ID:     "auth-none-remote",
		Level:  Should,
		Eras:   "all",
		Source: "transports/streamable-http §Security & Endpoint",
		On:     Complete(mcp.ToolsCall),
		Check: func(p *Pass) {
			h := p.SentHead()
			if failed, _ := p.Result().Get("isError").Bool(); h == nil || failed || p.OnPurpose() || credentials(h) {
				return
			}
			u, err := url.Parse(h.URL)
			if err == nil && publicHost(u.Hostname()) && p.Once("") {
				p.Report(p.Status(), "a tool ran for somebody who did not say who they are, at "+u.Host, "authentication, at least for tools that change something").Likely()
			}
		},
	}}
}

// credentials tells whether a request holds anything by which the server may know who asks: a header that ordinary requests
// do not have may be that.
func credentials(h *wire.Head) bool {
	if strings.ContainsAny(h.URL, "@?") {
		return true
	}
	for _, f := range h.Header {
		name := strings.ToLower(f.Name)
		switch name {
		case "host", "content-length", "content-type", "accept", "accept-encoding", "user-agent", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id", "last-event-id", "origin":
		default:
			if !strings.HasPrefix(name, "mcp-param-") {
				return true
			}
		}
	}
	return false
}
