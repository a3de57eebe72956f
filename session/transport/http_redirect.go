package transport

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"mcploupe/session/wire"
)

// maxRedirects is how many redirects in a row are followed.
const maxRedirects = 5

// roundTrip sends the request and returns the answer to be read. With an error, the lane's end was told. A redirect is followed only where method, body and credentials are safe: 307 and
// 308 (for GET any) to the same origin. Any other redirect is the answer, and a note says why.
func (c *client) roundTrip(l *lane, req *http.Request) (*http.Response, error) {
	for hops := 0; ; hops++ {
		resp, err := c.tripper(req).RoundTrip(l.traced(req))
		if err != nil {
			if c.byUs(l) {
				c.tap.Lane(wire.Lane{ID: l.id, Kind: wire.LaneClosed, Text: closedByUs})
			} else {
				c.tap.Lane(wire.Lane{ID: l.id, Kind: wire.LaneFailed, Text: err.Error()})
			}
			return nil, err
		}
		if !isRedirect(resp.StatusCode) {
			return resp, nil
		}
		next, reason := redirect(req, resp, hops)
		location := MaskURL(resp.Header.Get("Location"))
		if reason != "" {
			c.tap.Note(wire.Note{From: "client", Level: "warning", Text: fmt.Sprintf("did not follow the redirect (HTTP %d) to %s: %s", resp.StatusCode, location, reason)})
			return resp, nil
		}
		c.tap.Lane(wire.Lane{ID: l.id, Kind: wire.LaneHead, HTTP: responseHead(resp), Text: "following the redirect to " + location})
		_, _ = io.CopyN(io.Discard, resp.Body, 64<<10)
		_ = resp.Body.Close()
		req = next
	}
}

const closedByUs = "we closed the connection"

func isRedirect(status int) bool {
	return slices.Contains([]int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect}, status)
}

// redirect is the request to make next, or the reason why none is made.
func redirect(req *http.Request, resp *http.Response, hops int) (next *http.Request, reason string) {
	location := resp.Header.Get("Location")
	if location == "" {
		return nil, "it names no location"
	}
	to, err := req.URL.Parse(location)
	if err != nil {
		return nil, "the location is no URL"
	}
	status := resp.StatusCode
	switch {
	case req.Method != http.MethodGet && status != http.StatusTemporaryRedirect && status != http.StatusPermanentRedirect:
		return nil, "only 307 and 308 keep method and body"
	case !sameOrigin(req.URL, to):
		return nil, "it leads to another origin, which is not to get our credentials"
	case hops >= maxRedirects:
		return nil, fmt.Sprintf("%d redirects in a row", hops+1)
	}
	to.User, to.Fragment, to.RawFragment = nil, "", ""
	next = req.Clone(req.Context())
	next.URL = to
	if next.Host == req.URL.Host {
		next.Host = to.Host
	}
	if req.GetBody != nil {
		if next.Body, err = req.GetBody(); err != nil {
			return nil, err.Error()
		}
	}
	return next, ""
}

// sameOrigin compares scheme, host and port.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}
