package inspect

import (
	"encoding/base64"
	"mime"
	"net/url"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// resourceContentRules are about what resources/read returns.
func resourceContentRules() []*Rule {
	return []*Rule{{
		ID:     "resources-contents-shape",
		Level:  Must,
		Eras:   "all",
		Source: "schema ReadResourceResult, TextResourceContents, BlobResourceContents",
		On:     Complete(mcp.ResourcesRead),
		Check: func(p *Pass) {
			for _, c := range p.Result().Get("contents").Elements() {
				checkMembers(p, c, "an entry of contents", []string{"uri"}, []string{"mimeType", "text", "blob"})
				text, blob := c.Get("text"), c.Get("blob")
				if c.Is(jsondoc.Object) && !hasValue(text) && !hasValue(blob) {
					p.Report(p.At(c), "neither text nor blob", "text (a string) or blob (bytes in Base64)")
				}
			}
		},
	}, {
		ID:     "resources-contents-text-and-blob",
		Level:  Advice,
		Eras:   "all",
		Source: "schema ReadResourceResult.contents (text or blob)",
		On:     Complete(mcp.ResourcesRead),
		Check: func(p *Pass) {
			for _, c := range p.Result().Get("contents").Elements() {
				if text, blob := c.Get("text"), c.Get("blob"); hasValue(text) && hasValue(blob) {
					p.Report(p.Key(blob), "", "one of the two").Also(p.Key(text))
				}
			}
		},
	}, {
		ID:     "resources-blob-not-base64",
		Level:  Must,
		Eras:   "all",
		Source: "server/resources §Security Considerations; schema BlobResourceContents.blob (format byte)",
		On:     Complete(mcp.ResourcesRead),
		Check: func(p *Pass) {
			for _, c := range p.Result().Get("contents").Elements() {
				if fault := blobFault(c.Get("blob")); fault != "" {
					p.Report(p.At(c.Get("blob")), "", "bytes in standard Base64; "+fault)
				}
			}
		},
	}, {
		ID:     "resources-read-uri-mismatch",
		Level:  Advice,
		Eras:   "all",
		Source: "server/resources §Reading Resources",
		On:     Complete(mcp.ResourcesRead),
		Check:  checkReadURI,
	}, {
		ID:     "resources-size-mismatch",
		Level:  Advice,
		Eras:   "all",
		Source: "schema Resource.size",
		On:     Complete(mcp.ResourcesRead),
		Check: func(p *Pass) {
			c, entry := p.readAndListed()
			want, ok := entry.Get("size").Int()
			size, known := sizeOf(c)
			if ok && known && size != want {
				p.Reportf(p.At(orElse(c.Get("text"), c.Get("blob"))), bytesText(size), "%s, as the list says", bytesText(want)).
					Also(p.At(entry.Get("size"))).Likely()
			}
		},
	}, {
		ID:     "resources-mime-mismatch",
		Level:  Advice,
		Eras:   "all",
		Source: "schema ResourceContents.mimeType",
		On:     Complete(mcp.ResourcesRead),
		Check:  checkResourceType,
	}}
}

func hasValue(v jsondoc.Value) bool { return v.Exists() && !v.Is(jsondoc.Null) }

// blobFault says what is wrong with a text that should be bytes in standard Base64 with padding; "" when nothing is, and for
// what is no text. Line breaks are let through: decoders skip them.
func blobFault(v jsondoc.Value) string {
	if !v.Is(jsondoc.String) {
		return ""
	}
	s := v.Text()
	if strings.HasPrefix(s, "data:") {
		return "without the beginning of a data: address"
	}
	n, pad := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\n' || c == '\r':
			continue
		case c == '-' || c == '_':
			return "+ and / where this has - and _"
		case c == '=':
			pad++
		case pad > 0:
			return "with = only at the end"
		case c != '+' && c != '/' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z'):
			return "which has no such character as " + jsondoc.Quote(s[i:i+1])
		}
		n++
	}
	switch {
	case pad > 2 || n%4 != 0 && pad > 0, n%4 == 1:
		return "whose length is a multiple of four"
	case n%4 != 0:
		return "filled up with = to a multiple of four"
	}
	return ""
}

// checkReadURI compares what was asked for with what came. Contents of a directory have addresses below it.
func checkReadURI(p *Pass) {
	asked := p.Request().Get("uri")
	contents := p.Result().Get("contents")
	if !asked.Is(jsondoc.String) || contents.Len() == 0 {
		return
	}
	want := plainURI(asked.Text())
	for _, c := range contents.Elements() {
		got := c.Get("uri")
		if !got.Is(jsondoc.String) || strings.HasPrefix(plainURI(got.Text()), want) || strings.HasPrefix(want, plainURI(got.Text())) {
			return
		}
	}
	p.Report(p.At(contents.Index(0).Get("uri")), "", string(asked.Raw())+", which was asked for").Also(p.At(asked))
}

// plainURI is a URI made comparable: spellings of the same address that servers like to change are made one.
func plainURI(uri string) string {
	if u, err := url.PathUnescape(uri); err == nil {
		uri = u
	}
	return strings.TrimRight(strings.ToLower(uri), "/")
}

// readAndListed is the one entry of contents with the address that was asked for, and the entry of the latest complete list with
// the same address. Both are Missing unless both are there: several contents cannot be compared with one entry.
func (p *Pass) readAndListed() (c, entry jsondoc.Value) {
	asked := p.Request().Get("uri")
	contents := p.Result().Get("contents")
	w := p.History().Walk(mcp.ResourcesList, p.x.Seq())
	if !asked.Is(jsondoc.String) || contents.Len() != 1 || w == nil {
		return jsondoc.Value{}, jsondoc.Value{}
	}
	c = contents.Index(0)
	if c.Get("uri").Text() != asked.Text() {
		return jsondoc.Value{}, jsondoc.Value{}
	}
	for _, item := range w.Items {
		if item.Get("uri").Text() == asked.Text() {
			return c, item
		}
	}
	return jsondoc.Value{}, jsondoc.Value{}
}

// sizeOf is the number of bytes that an entry of contents holds.
func sizeOf(c jsondoc.Value) (n int64, known bool) {
	switch text, blob := c.Get("text"), c.Get("blob"); {
	case text.Is(jsondoc.String) && !blob.Exists():
		return int64(len(text.Text())), true
	case blob.Is(jsondoc.String) && !text.Exists() && blobFault(blob) == "":
		s := strings.NewReplacer("\n", "", "\r", "").Replace(blob.Text())
		return int64(base64.RawStdEncoding.DecodedLen(len(strings.TrimRight(s, "=")))), true
	}
	return 0, false
}

// checkResourceType holds the type of contents against its own grammar, the text, and the list.
func checkResourceType(p *Pass) {
	for _, c := range p.Result().Get("contents").Elements() {
		t := c.Get("mimeType")
		if !t.Is(jsondoc.String) {
			continue
		}
		text := c.Get("text")
		switch media, _, err := mime.ParseMediaType(t.Text()); {
		case err != nil || !strings.Contains(media, "/"):
			p.Report(p.At(t), "", "a type and a subtype, like text/plain")
		case media == "application/json" && text.Is(jsondoc.String) && text.Text() != "" && !jsondoc.Parse([]byte(text.Text())).Valid():
			p.Report(p.At(t), "", "the type of the text, which is no JSON").Also(p.At(text))
		}
	}
	c, entry := p.readAndListed()
	here, listed := c.Get("mimeType"), entry.Get("mimeType")
	if here.Is(jsondoc.String) && listed.Is(jsondoc.String) && mediaType(here.Text()) != mediaType(listed.Text()) {
		p.Report(p.At(here), "", string(listed.Raw())+", as the list says").Also(p.At(listed))
	}
}
