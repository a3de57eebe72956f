package inspect

import (
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

const (
	sourceSending   = "transports/streamable-http §Sending Messages"
	sourceReceiving = "transports/streamable-http §Receiving Messages"
)

// httpRules are about Streamable HTTP: the status and the headers of responses, the headers that repeat the body, event
// streams, and who may ask.
func httpRules() []*Rule {
	return slices.Concat(responseRules(), statusRules(), mirrorRules(), streamRules(), originRules(), endpointRules())
}

// responseRules are about the form of a response to a POST.
func responseRules() []*Rule {
	return []*Rule{{
		ID:     "http-content-type",
		Level:  Must,
		Eras:   ">=2025-03-26",
		Source: sourceSending + " 6",
		On:     Exchanges(),
		Check: func(p *Pass) {
			h := p.Head()
			if h == nil || h.Status/100 != 2 || h.Status == 202 || h.Status == 204 || !p.ordinary() || !p.ownBody() {
				return
			}
			switch mediaType(h.Get("Content-Type")) {
			case "application/json", "text/event-stream":
			default:
				p.Report(p.Header("Content-Type"), "", "application/json or text/event-stream")
			}
		},
	}, {
		ID:     "http-json-not-single",
		Level:  Must,
		Eras:   ">=2025-06-18",
		Source: sourceSending + " 6",
		On:     Exchanges(),
		Check: func(p *Pass) {
			h := p.Head()
			if h == nil || h.Status/100 != 2 || h.Status == 202 || h.Status == 204 || p.OnPurpose() || !p.ownBody() || p.OurEnd() ||
				mediaType(h.Get("Content-Type")) != "application/json" {
				return
			}
			const want = "one JSON object"
			switch {
			case p.m == nil:
				if p.x.End == wire.Dropped && len(p.x.Foreign) == 0 && p.History().LaneEnd(p.x.Request.Lane) == wire.LaneEOF {
					p.Report(p.Status(), "an empty body", want)
				}
			case p.m.Shape&(wire.ShapeCut|wire.ShapeTruncated|wire.ShapeEncoding) != 0 || p.m.Kind == wire.Batch:
			case p.m.Kind == wire.NotJSON || !readable(p.m.Doc()):
				p.Report(p.Stream(), "", want)
			}
		},
	}, {
		ID:     "http-request-202",
		Level:  Must,
		Eras:   ">=2025-03-26",
		Source: sourceSending + " 5, 6",
		On:     Exchanges(),
		Check: func(p *Pass) {
			if s := p.status(); (s == 202 || s == 204) && p.ordinary() && p.ownBody() {
				p.Report(p.Status(), "", "an answer, with status 200: 202 is for what needs none")
			}
		},
	}, {
		ID:     "http-notification-status",
		Level:  Must,
		Eras:   ">=2025-03-26",
		Source: sourceSending + " 5",
		On:     Posted(),
		Check: func(p *Pass) {
			s := p.status()
			if s == 0 || s/100 == 3 || s >= 400 || !p.ownBody() || !p.x.Request.Doc().Valid() {
				return
			}
			const want = "202 and an empty body"
			switch {
			case s != 202:
				p.Report(p.Status(), "", want)
			case p.m != nil && len(p.m.Body) > 0:
				p.Report(p.Stream(), "", want)
			}
		},
	}, {
		ID:     "http-session-id-minted",
		Level:  Should,
		Eras:   ">=2026-07-28",
		Source: "transports/streamable-http §Earlier Streamable HTTP Revisions; SEP-2567",
		On:     Exchanges(),
		Check: func(p *Pass) {
			h := p.Head()
			if h != nil && h.Get(mcp.HeaderSessionID) != "" && p.sent.Get("_meta").Get(mcp.MetaProtocolVersion).Exists() && p.Once("") {
				p.Report(p.Header(mcp.HeaderSessionID), "", "no such header: there are no sessions since 2026-07-28")
			}
		},
	}, {
		ID:     "http-session-required",
		Level:  Must,
		Eras:   ">=2026-07-28",
		Source: "basic/index §Statelessness; SEP-2567",
		On:     Errors(),
		Check: func(p *Pass) {
			if s := p.status(); s >= 400 && s < 500 && s != 401 && s != 403 && p.ordinary() && asksForSession(p.Error()) {
				p.Report(p.At(p.Error()), "", "an answer: a request needs no session and no initialize before it").Likely()
			}
		},
	}, {
		ID:     "http-encoding-unrequested",
		Level:  Should,
		Eras:   "all",
		Source: "RFC 9110 §12.5.3",
		On:     Frames(),
		Check: func(p *Pass) {
			if p.m.Shape&wire.ShapeEncoding != 0 && p.HTTP() && p.Once("") {
				p.Report(p.Header("Content-Encoding"), "", "an encoding that the request offered and that the bytes really have, or none")
			}
		},
	}, {
		ID:     "http-redirect",
		Level:  Advice,
		Eras:   ">=2025-03-26",
		Source: "transports/streamable-http §Sending Messages",
		On:     Exchanges().Or(Posted()),
		Check: func(p *Pass) {
			switch s := p.status(); s {
			case 301, 302, 303, 307, 308:
				r := p.Report(p.Status(), "", "an answer at this address; publish the final one")
				if p.Head().Get("Location") != "" {
					r.Also(p.Header("Location"))
				}
			}
		},
	}}
}

// originRules are about who asks, and over what.
func originRules() []*Rule {
	return []*Rule{{
		ID:     "http-origin-accepted",
		Level:  Must,
		Eras:   "all",
		Source: "transports/streamable-http §Security & Endpoint 1",
		On:     Exchanges(),
		Probe:  "foreign-origin",
		Check: func(p *Pass) {
			h := p.SentHead()
			if h == nil || h.Get("Origin") == "" || p.m == nil || p.m.Kind != wire.Result {
				return
			}
			origin, here := hostOf(h.Get("Origin")), hostOf(h.URL)
			if here == "" || origin == here || loopback(origin) {
				return
			}
			r := p.Report(p.SentHeader("Origin"), "", "status 403 for a page of another origin").Also(p.Status())
			if !loopback(here) {
				r.Guess() // a server for everybody may allow every origin
			}
		},
	}, {
		ID:     "http-host-rebinding",
		Level:  Advice,
		Eras:   "all",
		Source: "transports/streamable-http §Security & Endpoint",
		On:     Exchanges(),
		Check: func(p *Pass) {
			h := p.SentHead()
			if h == nil || h.Get("Host") == "" || p.m == nil || p.m.Kind != wire.Result || !loopback(hostOf(h.URL)) {
				return
			}
			if host := hostOf("http://" + h.Get("Host")); !loopback(host) {
				p.Report(p.SentHeader("Host"), "", "a refusal: a server on this machine answers to localhost only").Also(p.Status())
			}
		},
	}, {
		ID:     "http-tls",
		Level:  Advice,
		Eras:   "all",
		Source: "basic/authorization/security-considerations §Communication Security",
		On:     Exchanges(),
		Check: func(p *Pass) {
			h := p.SentHead()
			if h == nil || !strings.HasPrefix(strings.ToLower(h.URL), "http://") {
				return
			}
			if host := hostOf(h.URL); host != "" && !nearby(host) && p.Once(host) {
				p.Report(p.Frame(p.x.Seq()), fmt.Sprintf("http to %s", host), "https")
			}
		},
	}}
}

// hostOf is the host of a URL, in lower case and without port; "" when there is none.
func hostOf(text string) string {
	u, err := url.Parse(text)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// loopback tells that a host is this machine.
func loopback(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// nearby tells that a host is this machine or one of a private network, as far as its name shows.
func nearby(host string) bool {
	if loopback(host) || !strings.Contains(host, ".") && !strings.Contains(host, ":") {
		return true
	}
	for _, end := range []string{".local", ".internal", ".lan", ".test", ".home.arpa"} {
		if strings.HasSuffix(host, end) {
			return true
		}
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && (ip.Unmap().IsPrivate() || ip.Unmap().IsLinkLocalUnicast() || ip.IsUnspecified())
}

// lacksMeta tells that our request left out one of the members of _meta that every modern request has.
func (p *Pass) lacksMeta() bool {
	meta := p.sent.Get("_meta")
	return !meta.Get(mcp.MetaProtocolVersion).Is(jsondoc.String) || !meta.Get(mcp.MetaClientCapabilities).Is(jsondoc.Object)
}
