package inspect

import (
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
)

const sourceSafeURL = sourceElicitation + " §Safe URL Handling"

// addressRules are about questions that send a person to a web page.
func addressRules() []*Rule {
	const since = ">=2025-11-25"
	return []*Rule{{
		ID:     "elicitation-url-invalid",
		Level:  Must,
		Eras:   since,
		Source: sourceElicitation + " §URL Mode",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.addresses(func(q question, v jsondoc.Value) {
				const want = "the whole address of a page, beginning with https://"
				switch {
				case !v.Exists():
					p.Report(p.At(q.params), "no url", want)
				case webAddress(v.Text()) == nil:
					p.Report(p.At(v), "", want)
				}
			})
		},
	}, {
		ID:     "elicitation-url-insecure",
		Level:  Should,
		Eras:   since,
		Source: sourceSafeURL + " 4",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.addresses(func(q question, v jsondoc.Value) {
				if u := webAddress(v.Text()); u != nil && u.Scheme == "http" && !isLoopback(u.Hostname()) {
					p.Report(p.At(v), "", "https: whoever is on the way can read and change a page of http")
				}
			})
		},
	}, {
		ID:     "elicitation-url-sensitive",
		Level:  Must,
		Eras:   since,
		Source: sourceSafeURL + " 1, 2",
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.addresses(func(q question, v jsondoc.Value) {
				if what := credentialIn(webAddress(v.Text())); what != "" {
					p.Report(p.At(v), what, "an address that opens nothing by itself; let the person sign in on the page")
				}
			})
		},
	}, {
		ID:     "elicitation-url-suspicious",
		Level:  Advice,
		Eras:   since,
		Source: sourceSafeURL,
		On:     whereAsked(),
		Check: func(p *Pass) {
			p.addresses(func(q question, v jsondoc.Value) {
				u := webAddress(v.Text())
				if u == nil || isLoopback(u.Hostname()) {
					return
				}
				host := strings.ToLower(u.Hostname())
				switch _, err := netip.ParseAddr(host); {
				case strings.HasPrefix(host, "xn--") || strings.Contains(host, ".xn--"):
					p.Report(p.At(v), "", "a host that people can read: this one is spelled in punycode").Guess()
				case err == nil:
					p.Report(p.At(v), "", "a host with a name rather than a number").Guess()
				}
			})
		},
	}, {
		ID:     "elicitation-url-in-form",
		Level:  Should,
		Eras:   since,
		Source: sourceSafeURL + " 3",
		On:     whereAsked(),
		Check: func(p *Pass) {
			const want = "no address to follow in a form; mode url is for that"
			look := func(v jsondoc.Value) {
				if v.Is(jsondoc.String) && (strings.Contains(v.Text(), "https://") || strings.Contains(v.Text(), "http://")) {
					p.Report(p.At(v), "", want).Likely()
				}
			}
			p.forms(func(q question, schema jsondoc.Value) { look(q.params.Get("message")) })
			p.fields(func(q question, name string, field jsondoc.Value) {
				if field.Get("format").Text() == "uri" {
					return // where an address is asked for, one may be shown as an example
				}
				look(field.Get("title"))
				look(field.Get("description"))
				look(field.Get("default"))
			})
		},
	}}
}

// webAddress reads the address of a web page, nil when it is none.
func webAddress(text string) *url.URL {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil
	}
	return u
}

// credentialIn names what in an address lets in whoever holds it, "" when nothing does.
func credentialIn(u *url.URL) string {
	if u == nil {
		return ""
	}
	if u.User != nil {
		return "a user name before the host"
	}
	fragment, _ := url.ParseQuery(u.Fragment)
	for _, values := range []url.Values{u.Query(), fragment} {
		for _, name := range []string{"X-Amz-Signature", "X-Goog-Signature", "access_token"} {
			if values.Get(name) != "" {
				return name
			}
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			for _, v := range values[name] {
				if looksLikeJWT(v) {
					return name + " with a token (JWT)"
				}
			}
		}
	}
	return ""
}
