package inspect

import (
	"bytes"
	"encoding/base64"
	"net/url"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// iconRules are the rules of the area icons: small pictures of servers, tools, prompts and resources.
func iconRules() []*Rule {
	on := Complete(append(lists(), mcp.Discover, mcp.Initialize, mcp.ToolsCall)...)
	return []*Rule{{
		ID:     "icons-shape",
		Level:  Must,
		Eras:   ">=2025-11-25",
		Source: "basic/index §icons; schema Icon",
		On:     on,
		Check:  checkIconShape,
	}, {
		ID:     "icons-unsafe-scheme",
		Level:  Must,
		Eras:   ">=2025-11-25",
		Source: "basic/index §icons Security considerations",
		On:     on,
		Check: func(p *Pass) {
			eachIcon(p, func(icon jsondoc.Value) {
				src := icon.Get("src")
				if !isAbsoluteURI(src) {
					return
				}
				switch schemeOf(src.Text()) {
				case "https", "http", "data":
				default:
					p.ReportSame("", p.At(src), "", "an https: or data: address")
				}
			})
		},
	}, {
		ID:     "icons-insecure",
		Level:  Advice,
		Eras:   ">=2025-11-25",
		Source: "basic/index §icons",
		On:     on,
		Check: func(p *Pass) {
			eachIcon(p, func(icon jsondoc.Value) {
				switch src := icon.Get("src"); schemeOf(src.Text()) {
				case "http":
					if u, err := url.Parse(src.Text()); err == nil && !isLoopback(u.Hostname()) {
						p.ReportSame("http", p.At(src), "", "an https: or data: address")
					}
				case "data":
					if d, ok := parseData(src.Text()); ok && d.mime == "image/svg+xml" && hasScript(d.bytes) {
						p.ReportSame("script", p.At(src), "", "an SVG picture without scripts and without references to elsewhere")
					}
				}
			})
		},
	}, {
		ID:     "icons-sizes-format",
		Level:  Should,
		Eras:   ">=2025-11-25",
		Source: "schema Icon.sizes",
		On:     on,
		Check: func(p *Pass) {
			eachIcon(p, func(icon jsondoc.Value) {
				for _, size := range icon.Get("sizes").Elements() {
					if size.Is(jsondoc.String) && !isSize(size.Text()) {
						p.ReportSame("", p.At(size), "", `width x height in pixels, like "48x48", or "any"`)
					}
				}
			})
		},
	}, {
		ID:     "icons-data-invalid",
		Level:  Should,
		Eras:   ">=2025-11-25",
		Source: "schema Icon.src; basic/index §icons",
		On:     on,
		Check:  checkIconData,
	}}
}

// eachIcons calls f for every member icons: of the entries of a list, of the server's own description, of links in a result.
func eachIcons(p *Pass, f func(icons jsondoc.Value)) {
	if p.Method() != mcp.ToolsCall && !bytes.Contains(p.Result().Raw(), []byte(`"icons"`)) {
		return
	}
	each := func(holder jsondoc.Value) {
		if icons := holder.Get("icons"); given(icons) {
			f(icons)
		}
	}
	switch m, _ := mcp.Lookup(p.Method()); {
	case m.List != "":
		for _, item := range p.Result().Get(m.List).Elements() {
			each(item)
		}
	case p.Method() == mcp.ToolsCall:
		for b := range p.blocks() {
			if says(b.Get("type"), mcp.ContentResourceLink) {
				each(b)
			}
		}
	default:
		each(p.Result().Get("serverInfo"))
		each(p.Meta().Get(mcp.MetaServerInfo))
	}
}

func eachIcon(p *Pass, f func(icon jsondoc.Value)) {
	eachIcons(p, func(icons jsondoc.Value) {
		for _, icon := range icons.Elements() {
			if icon.Is(jsondoc.Object) {
				f(icon)
			}
		}
	})
}

func checkIconShape(p *Pass) {
	eachIcons(p, func(icons jsondoc.Value) {
		if !icons.Is(jsondoc.Array) {
			p.ReportSame("array", p.At(icons), "", "an array of icons")
			return
		}
		for _, icon := range icons.Elements() {
			if !icon.Is(jsondoc.Object) {
				p.ReportSame("object", p.At(icon), "", "an object with src")
				continue
			}
			if src := icon.Get("src"); !p.wrongKind(icon, "src", jsondoc.String, "a string src: where the picture is") && !isAbsoluteURI(src) {
				p.ReportSame("uri", p.At(src), "", "an absolute address, like https://example.com/icon.png")
			}
			if sizes := icon.Get("sizes"); given(sizes) && !arrayOfTexts(sizes) {
				p.ReportSame("sizes", p.At(sizes), "", `an array of strings, like ["48x48"]`)
			}
			if theme := icon.Get("theme"); given(theme) && theme.Text() != "light" && theme.Text() != "dark" {
				p.ReportSame("theme", p.At(theme), "", `"light" or "dark"`)
			}
			if mime := icon.Get("mimeType"); given(mime) && !mime.Is(jsondoc.String) {
				p.ReportSame("mimeType", p.At(mime), "", "a string")
			}
		}
	})
}

func arrayOfTexts(v jsondoc.Value) bool {
	for _, e := range v.Elements() {
		if !e.Is(jsondoc.String) {
			return false
		}
	}
	return v.Is(jsondoc.Array)
}

// isSize tells whether a text is a size: digits, an x, digits; or "any".
func isSize(s string) bool {
	w, h, ok := strings.Cut(strings.ToLower(s), "x")
	return s == "any" || ok && w != "" && h != "" && digits(w) && digits(h)
}

// schemeOf is the scheme of an address in lower case, "" when it has none.
func schemeOf(uri string) string {
	scheme, _, ok := strings.Cut(uri, ":")
	if !ok {
		return ""
	}
	return strings.ToLower(scheme)
}

func isLoopback(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.") || strings.HasSuffix(host, ".localhost")
}

// dataURI is a data: address, read.
type dataURI struct {
	mime   string
	base64 bool
	text   string // after the comma, as written
	bytes  []byte // decoded; nil when it cannot be
}

func parseData(uri string) (d dataURI, ok bool) {
	if len(uri) < 5 || !strings.EqualFold(uri[:5], "data:") {
		return d, false
	}
	head, text, ok := strings.Cut(uri[5:], ",")
	if !ok {
		return d, false
	}
	d.mime, d.text = mediaType(head), text
	d.base64 = strings.HasSuffix(strings.ToLower(strings.TrimSpace(head)), ";base64")
	if plain, err := url.PathUnescape(text); err == nil {
		text = plain
	}
	if d.base64 {
		d.bytes, _ = base64.StdEncoding.DecodeString(text)
	} else {
		d.bytes = []byte(text)
	}
	return d, true
}

// checkIconData looks into icons that are given as data: addresses.
func checkIconData(p *Pass) {
	eachIcon(p, func(icon jsondoc.Value) {
		src := icon.Get("src")
		if schemeOf(src.Text()) != "data" {
			return
		}
		d, ok := parseData(src.Text())
		is := kindOfBytes(d.bytes[:min(len(d.bytes), 64)])
		said := sameKind(d.mime)
		switch {
		case !ok:
			p.ReportSame("comma", p.At(src), "", "data:image/png;base64, and the bytes after the comma")
		case !d.base64:
			p.ReportSame("base64", p.At(src), "", "data in Base64: data:image/png;base64,…")
		case len(d.bytes) == 0:
			p.ReportSame("broken", p.At(src), "", "standard Base64 after the comma")
		case !strings.HasPrefix(d.mime, "image/"):
			p.ReportSame("image", p.At(src), "", "an image type, like data:image/png;base64,…")
		case is != "" && said != "" && is != said:
			p.ReportSame("kind", p.At(src), "", is+", as the first bytes show")
		}
	})
}

// hasScript tells whether an SVG picture holds what may run or load something.
func hasScript(svg []byte) bool {
	low := strings.ToLower(string(svg[:min(len(svg), 1<<20)]))
	return contains(low, "<script", "<foreignobject", "javascript:", " onload=", " onclick=", " onerror=", " onmouseover=", " onbegin=",
		`href="http`, `href='http`, "@import", "url(http")
}
