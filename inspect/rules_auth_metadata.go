package inspect

import (
	"net/url"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// authMetadataRules are about the documents on the way to a token, and about the browser's way back.
func authMetadataRules() []*Rule {
	const source = "basic/authorization"
	return []*Rule{{
		ID:     "auth-prm-authorization-servers",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: source + "/authorization-server-discovery §Authorization Server Location",
		On:     Fetched(),
		Check: func(p *Pass) {
			if !p.document(wire.ForResource) {
				return
			}
			const want = "an array with the https address of at least one authorization server"
			v := p.root.Get("authorization_servers")
			if v.Len() == 0 || !v.Is(jsondoc.Array) {
				p.Report(p.memberOr(v, p.root), gotOr(v), want)
				return
			}
			for _, e := range v.Elements() {
				if !e.Is(jsondoc.String) || !encrypted(e.Text()) {
					p.ReportSame("", p.At(e), "", want)
				}
			}
		},
	}, {
		ID:     "auth-prm-resource-mismatch",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: "RFC 9728 §3.3; " + source + " §Canonical Server URI",
		On:     Fetched(),
		Check: func(p *Pass) {
			server := p.in.history.auth.server
			v := p.root.Get("resource")
			if !p.document(wire.ForResource) || server == "" || v.Is(jsondoc.String) && covers(v.Text(), server) {
				return
			}
			p.Report(p.memberOr(v, p.root), gotOr(v), server+", the server whose metadata this is")
		},
	}, {
		ID:     "auth-as-metadata-absent",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: source + " §Overview; " + source + "/authorization-server-discovery §Authorization Server Metadata Discovery",
		On:     Fetched(),
		Check: func(p *Pass) {
			a, f := &p.in.history.auth, p.Fetch()
			if f.For != wire.ForServer {
				return
			}
			issuer := a.issuerAt(f.Request.URL)
			if all, sure := a.inVain(issuerPlaces(issuer.Text())); issuer.Exists() && all && p.Once(issuer.Text()) {
				r := p.Report(Place{Frame: p.seq(), Part: Status}, nowhere(issuerPlaces(issuer.Text())),
					"authorization server metadata (RFC 8414), or OpenID Connect Discovery").Also(p.At(issuer))
				if !sure {
					r.Likely()
				}
			}
		},
	}, {
		ID:     "auth-as-metadata-issuer",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: source + "/authorization-server-discovery §Authorization Server Metadata Discovery; RFC 8414 §3.3",
		On:     Fetched(),
		Check: func(p *Pass) {
			v := p.root.Get("issuer")
			if !p.document(wire.ForServer) {
				return
			}
			asked := p.in.history.auth.issuerAt(p.Fetch().Request.URL)
			if asked.Exists() && v.Text() != asked.Text() {
				p.Report(p.memberOr(v, p.root), gotOr(v), asked.Text()+", character by character as the resource names it").Also(p.At(asked))
			}
		},
	}, {
		ID:     "auth-as-endpoints-https",
		Level:  Must,
		Eras:   ">=2025-03-26",
		Source: source + "/security-considerations §Communication Security",
		On:     Fetched(),
		Check: func(p *Pass) {
			if !p.document(wire.ForServer) {
				return
			}
			for _, name := range []string{"authorization_endpoint", "token_endpoint", "registration_endpoint", "jwks_uri"} {
				if v := p.root.Get(name); given(v) && !encrypted(v.Text()) {
					p.Report(p.At(v), "", "an https address")
				}
			}
		},
	}, {
		ID:     "auth-pkce-unadvertised",
		Level:  Must,
		Eras:   ">=2025-11-25",
		Source: source + "/security-considerations §Authorization Code Protection",
		On:     Fetched(),
		Check: func(p *Pass) {
			if !p.document(wire.ForServer) || !given(p.root.Get("authorization_endpoint")) {
				return // without a page to log in at there are no codes to protect
			}
			v := p.root.Get("code_challenge_methods_supported")
			for _, e := range v.Elements() {
				if e.Text() == "S256" {
					return
				}
			}
			p.Report(p.memberOr(v, p.root), gotOr(v), `["S256"]`)
		},
	}, {
		ID:     "auth-iss-parameter",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: source + " §Authorization Response Validation; SEP-2468; RFC 9207",
		On:     Fetched(),
		Check:  checkIss,
	}, {
		ID:     "auth-dcr-only",
		Level:  Advice,
		Eras:   ">=2026-07-28",
		Source: source + "/client-registration; deprecated",
		On:     Fetched(),
		Check: func(p *Pass) {
			v := p.root.Get("registration_endpoint")
			if on, _ := p.root.Get("client_id_metadata_document_supported").Bool(); !on && p.document(wire.ForServer) && given(v) {
				p.Report(p.At(v), "", "client_id_metadata_document_supported as well: dynamic registration is deprecated")
			}
		},
	}}
}

// document tells that what is judged is a document of this kind that came whole, the first time that this address gave it.
func (p *Pass) document(what string) bool {
	if p.Fetch().For != what {
		return false
	}
	_, ok := documentOf(p.x)
	return ok && p.m.Doc().Valid() && p.Once(p.Fetch().Request.URL)
}

// memberOr is the place of a member, or of the object that should hold it.
func (p *Pass) memberOr(v, holder jsondoc.Value) Place {
	if v.Exists() {
		return p.At(v)
	}
	return p.At(holder)
}

func gotOr(v jsondoc.Value) string {
	if v.Exists() {
		return ""
	}
	return "nothing"
}

// checkIss looks for the issuer's name in the answer to the login, and for the announcement of it.
func checkIss(p *Pass) {
	const flag = "authorization_response_iss_parameter_supported"
	m := p.in.history.auth.metadata
	announced, _ := m.Get(flag).Bool()
	switch p.Fetch().For {
	case wire.ForServer:
		if p.document(wire.ForServer) && given(p.root.Get("authorization_endpoint")) && !announced {
			v := p.root.Get(flag)
			p.Report(p.memberOr(v, p.root), gotOr(v), "true: the login's answer names its issuer (iss)")
		}
	case wire.ForRedirect:
		u, err := url.Parse(p.Fetch().Request.URL)
		if err != nil || !m.Exists() {
			return
		}
		at := Place{Frame: p.seq(), Part: Header, Path: ":path"}
		switch iss := u.Query(); {
		case iss.Has("iss") && iss.Get("iss") != m.Get("issuer").Text():
			p.Report(at, "iss="+iss.Get("iss"), m.Get("issuer").Text()+", the issuer that the login was with").Also(p.At(m.Get("issuer")))
		case announced && !iss.Has("iss"):
			p.Report(at, "no iss", "iss="+m.Get("issuer").Text()+", as announced").Also(p.At(m.Get(flag)))
		}
	}
}
