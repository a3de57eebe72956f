package demo

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

func (c *call) listResources() (*object, *failure) {
	var entries []any
	for _, r := range c.s.cat.resources {
		entries = append(entries, r.def)
	}
	r, f := c.list("resources", entries)
	if f != nil {
		return nil, f
	}
	return c.cached(r, 60_000, mcp.ScopePublic), nil
}

func (c *call) listTemplates() (*object, *failure) {
	var entries []any
	for _, t := range c.s.cat.templates {
		entries = append(entries, t.def)
	}
	r, f := c.list("resourceTemplates", entries)
	if f != nil {
		return nil, f
	}
	return c.cached(r, 300_000, mcp.ScopePublic), nil
}

func (c *call) readResource() (*object, *failure) {
	uri := c.params.Get("uri")
	if !uri.Is(jsondoc.String) {
		return nil, invalidParams("Invalid params: resources/read needs a uri")
	}
	for _, r := range c.s.cat.resources {
		if r.uri == uri.Text() && r.name == "safe" {
			c.name = r.uri
			text, asks, f := c.openSafe()
			if asks != nil || f != nil {
				return asks, f
			}
			return c.cached(obj("contents", []any{obj("uri", r.uri, "mimeType", r.mime, "text", text)}), r.ttl, r.scope), nil
		}
		if r.uri == uri.Text() {
			return c.cached(obj("contents", []any{c.contents(r)}), r.ttl, r.scope), nil
		}
	}
	for _, t := range c.s.cat.templates {
		if text, ok := c.s.expanded(t, uri.Text()); ok {
			entry := obj("uri", uri.Text(), "mimeType", t.mime, "text", text)
			return c.cached(obj("contents", []any{entry}), t.ttl, t.scope), nil
		}
	}
	if c.has("path-climbs") && strings.HasPrefix(uri.Text(), "file://") {
		return c.cached(obj("contents", []any{obj("uri", uri.Text(), "mimeType", "text/plain", "text", "skerry-light")}), 0, mcp.ScopePrivate), nil
	}
	if c.has("not-found-empty") {
		return c.cached(obj("contents", []any{}), 0, mcp.ScopePublic), nil
	}
	code := mcp.CodeInvalidParams
	if !c.modern() {
		code = mcp.CodeResourceNotFound
	}
	return nil, fail(code, "Resource not found").with(obj("uri", uri.Text()))
}

// contents is what one resource holds at the moment.
func (c *call) contents(r resource) *object {
	entry := obj("uri", r.uri, "mimeType", r.mime)
	switch r.name {
	case "weather":
		entry.set("text", c.s.weatherNow())
	case "logbook":
		entry.set("text", c.s.station.logbook())
	case "barograph":
		entry.set("blob", base64.StdEncoding.EncodeToString(chartPNG))
	default:
		entry.set("text", r.text)
	}
	return entry
}

func (s *Server) weatherNow() string {
	w := s.station.weather("Skerry Light")
	return jsonText(obj(
		"station", "Skerry Light",
		"at", w.at.Format(time.RFC3339),
		"reading", w.reading,
		"temperature", w.temperature,
		"pressure", w.pressure,
		"wind", obj("speed", w.wind, "from", w.from),
		"rain", w.rain,
		"sky", w.sky,
	))
}

// expanded is what a template gives for a URI. The three templates differ too much in what they accept
// to be worth a general matcher.
func (s *Server) expanded(t resource, uri string) (string, bool) {
	head, _, _ := strings.Cut(t.uri, "{")
	rest, ok := strings.CutPrefix(uri, head)
	if !ok {
		return "", false
	}
	path, query, _ := strings.Cut(rest, "?")
	segments := strings.Split(path, "/")
	for i, p := range segments {
		plain, err := url.PathUnescape(p)
		if err != nil {
			return "", false
		}
		segments[i] = plain
	}
	switch {
	case t.name == "readings" && len(segments) == 2:
		return s.readingsOf(segments[0], segments[1])
	case t.name == "forecast" && len(segments) == 1 && slices.Contains(regions(), segments[0]):
		days := 2
		if q, err := url.ParseQuery(query); err == nil && q.Has("days") {
			if days, err = strconv.Atoi(q.Get("days")); err != nil || days < 1 || days > 7 {
				return "", false
			}
		}
		return segments[0] + "\n" + strings.Join(forecast(segments[0], days, s.opt.Now()), "\n") + "\n", true
	case t.name == "ship" && len(segments) == 1:
		for _, v := range ships() {
			if v.callsign == segments[0] {
				return jsonText(obj("callsign", v.callsign, "name", v.name, "kind", v.kind, "seen", v.seen)), true
			}
		}
	}
	return "", false
}

func (s *Server) readingsOf(instrument, date string) (string, bool) {
	day, err := time.Parse(time.DateOnly, date)
	if err != nil || !slices.Contains(instruments(), instrument) {
		return "", false
	}
	var b strings.Builder
	_, unit := weatherAt("Skerry Light", day).value(instrument)
	fmt.Fprintf(&b, "hour,%s (%s)\n", instrument, unit)
	for h := range 24 {
		value, _ := weatherAt("Skerry Light", day.Add(time.Duration(h)*time.Hour)).value(instrument)
		fmt.Fprintf(&b, "%02d:00,%.1f\n", h, value)
	}
	return b.String(), true
}
