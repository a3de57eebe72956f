package oauth

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
)

const (
	maxBody      = 1 << 20          // more of a document is not read; it would not parse then, and is refused
	maxHops      = 3                // redirects within one origin that a document may take
	fetchTimeout = 30 * time.Second // for one request with its answer
	shownBody    = 4 << 10          // of a body that is no JSON and no form, in a Step
	wholeBody    = 256 << 10        // of one that is
)

// web makes the flow's own requests: never with cookies, never to another origin than asked.
type web struct {
	network http.RoundTripper
	hide    func(string)
}

// outgoing is a request of the flow.
type outgoing struct {
	method, url string
	header      []Field
	body        string
	post        bool // redirects are never followed: the body holds secrets
}

// do makes a request and gives the answer, with both heads for the Step. It does not fail: when nothing
// comes, Answer.Status is 0 and Text says why.
func (w web) do(ctx context.Context, o outgoing) (got Answer, sent, came *Head) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	sent = &Head{Method: o.method, URL: maskURL(o.url), Header: maskFields(o.header)}
	sent.Body = maskBody(contentType(o.header), []byte(o.body))
	at := o.url
	for hop := 0; ; hop++ {
		resp, err := w.round(ctx, o, at)
		if err != nil {
			return Answer{Text: reason(ctx, err)}, sent, nil
		}
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
		_ = resp.Body.Close()
		got = Answer{Status: resp.StatusCode, Body: body}
		got.MediaType, _, _ = mime.ParseMediaType(resp.Header.Get("Content-Type"))
		for _, secret := range bodySecrets(got.MediaType, body) {
			w.hide(secret)
		}
		came = &Head{Status: resp.StatusCode, Header: responseFields(resp.Header), Body: maskBody(got.MediaType, body)}
		switch {
		case err != nil:
			return Answer{Text: "the answer broke off: " + reason(ctx, err)}, sent, came
		case len(body) > maxBody:
			return Answer{Text: "an answer of more than 1 MiB"}, sent, came
		}
		to, why := follow(o, at, resp, hop)
		if to == "" {
			if why != "" {
				got = Answer{Text: why}
			}
			return got, sent, came
		}
		at = to
	}
}

func (w web) round(ctx context.Context, o outgoing, at string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, o.method, at, strings.NewReader(o.body))
	if err != nil {
		return nil, errors.New("no usable address")
	}
	req.Header.Set("User-Agent", "mcploupe")
	for _, f := range o.header {
		req.Header.Set(f.Name, f.Value)
	}
	return w.network.RoundTrip(req)
}

// follow tells where a redirect leads, or why it is not followed.
func follow(o outgoing, at string, resp *http.Response, hop int) (to, why string) {
	location := resp.Header.Get("Location")
	if resp.StatusCode < 300 || resp.StatusCode > 399 || location == "" {
		return "", ""
	}
	from, err := url.Parse(at)
	if err != nil {
		return "", "no usable address"
	}
	u, err := from.Parse(location)
	switch {
	case err != nil:
		return "", "a redirect to something that is no address"
	case o.post:
		return "", "a redirect to " + maskURL(u.String()) + ", which is not followed: the request holds secrets"
	case !sameOrigin(from, u):
		return "", "a redirect to " + maskURL(u.String()) + ", which is another origin and not followed"
	case hop >= maxHops:
		return "", "too many redirects in a row"
	}
	return u.String(), ""
}

// reason is a network error without the address, which may hold secrets.
func reason(ctx context.Context, err error) string {
	if ctx.Err() != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return "no answer in time"
		}
		return "interrupted"
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return err.Error()
}

func contentType(fields []Field) string {
	for _, f := range fields {
		if strings.EqualFold(f.Name, "Content-Type") {
			return f.Value
		}
	}
	return ""
}

// responseFields are those of an answer, sorted, with what is secret masked.
func responseFields(h http.Header) []Field {
	var fields []Field
	for name, values := range h {
		for _, v := range values {
			fields = append(fields, Field{name, v})
		}
	}
	slices.SortFunc(fields, func(a, b Field) int { return strings.Compare(a.Name+a.Value, b.Name+b.Value) })
	return maskFields(fields)
}

const stars = "***"

func maskFields(fields []Field) []Field {
	out := slices.Clone(fields)
	for i, f := range out {
		switch strings.ToLower(f.Name) {
		case "authorization", "proxy-authorization":
			scheme, _, _ := strings.Cut(f.Value, " ")
			out[i].Value = scheme + " " + stars
		case "cookie", "set-cookie", "dpop":
			out[i].Value = stars
		case "location":
			out[i].Value = maskURL(f.Value)
		}
	}
	return out
}

// secretMember tells whether a parameter or member of this name must not be shown. The state and the
// code challenge are no secrets once the browser has them, and the person needs the whole address.
func secretMember(name string) bool {
	switch name {
	case "code", "code_verifier", "client_secret", "client_assertion", "access_token", "refresh_token", "id_token", "registration_access_token", "device_code", "password":
		return true
	}
	return false
}

func maskURL(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return "(an unreadable address)"
	}
	if u.User != nil {
		u.User = url.User(stars)
	}
	u.RawQuery = maskForm(u.RawQuery)
	u.Fragment, u.RawFragment = "", ""
	return u.String()
}

func maskForm(form string) string {
	parts := strings.Split(form, "&")
	for i, p := range parts {
		if name, value, ok := strings.Cut(p, "="); ok && value != "" && secretMember(name) {
			parts[i] = name + "=" + stars
		}
	}
	return strings.Join(parts, "&")
}

// looseSecret finds what looks like a secret where no member of a JSON object says so: in a body that is
// cut off, a form, or further inside.
func looseSecret() *regexp.Regexp {
	return regexp.MustCompile(`\b(code_verifier|client_secret|client_assertion|access_token|refresh_token|id_token|registration_access_token)(["']?\s*[=:]\s*["']?)([^\s"'&,<>{}]+)`)
}

// bodySecrets are the secrets of an answer.
func bodySecrets(mediaType string, body []byte) []string {
	d, _ := readDocument(mediaType, body)
	var all []string
	for _, m := range looseSecret().FindAllSubmatch(body, 20) {
		all = append(all, string(m[3]))
	}
	for name := range d {
		if v := d.text(name); secretMember(name) && v != "" {
			all = append(all, v)
		}
	}
	return all
}

// maskBody is a body for a Step.
func maskBody(mediaType string, body []byte) string {
	if strings.HasPrefix(mediaType, "application/x-www-form-urlencoded") {
		return maskForm(string(body))
	}
	most := shownBody
	if d, _ := readDocument(mediaType, body); d != nil {
		most = wholeBody
		for name := range d {
			if v := bytes.TrimSpace(d[name]); secretMember(name) && len(v) > 2 {
				body = bytes.ReplaceAll(body, v, []byte(`"`+stars+`"`))
			}
		}
	}
	body = looseSecret().ReplaceAll(body, []byte("${1}${2}"+stars))
	if len(body) > most {
		return strings.ToValidUTF8(string(body[:most]), "") + " …"
	}
	return strings.ToValidUTF8(string(body), "\uFFFD")
}
