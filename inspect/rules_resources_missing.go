package inspect

import (
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// resourceMissingRules are about resources that are not there.
func resourceMissingRules() []*Rule {
	const modern, probe, source = ">=2026-07-28", "missing-resource", "server/resources §Error Handling; SEP-2164"
	return []*Rule{{
		ID:     "resources-not-found-code",
		Level:  Must,
		Eras:   modern,
		Source: source,
		On:     Errors(mcp.ResourcesRead),
		Probe:  probe,
		Check: func(p *Pass) {
			missing, sure := p.missingResource()
			code, ok := p.Code()
			// -32002, the code of older revisions, has a rule of its own; headers, version and capabilities may be wrong first.
			if !missing || !ok || code == mcp.CodeInvalidParams || code == mcp.CodeResourceNotFound || p.refusal() ||
				code <= mcp.CodeHeaderMismatch && code >= mcp.CodeUnsupportedVersion {
				return
			}
			p.Report(p.At(p.Error().Get("code")), "", "-32602: there is no such resource").Also(p.At(p.Request().Get("uri"))).Sure(sure)
		},
	}, {
		ID:     "resources-not-found-empty",
		Level:  Must,
		Eras:   modern,
		Source: source,
		On:     Complete(mcp.ResourcesRead),
		Probe:  probe,
		Check: func(p *Pass) {
			contents := p.Result().Get("contents")
			if p.Request().Get("uri").Text() == ProbeURI && contents.Is(jsondoc.Array) && contents.Len() == 0 {
				p.Report(p.At(contents), "", "the error -32602: there is no such resource").Also(p.At(p.Request().Get("uri")))
			}
		},
	}, {
		ID:     "resources-not-found-data",
		Level:  Should,
		Eras:   modern,
		Source: "SEP-2164 §Specification",
		On:     Errors(mcp.ResourcesRead),
		Probe:  probe,
		Check: func(p *Pass) {
			missing, sure := p.missingResource()
			asked, data := p.Request().Get("uri"), p.Error().Get("data")
			code, _ := p.Code()
			if !missing || code != mcp.CodeInvalidParams {
				return
			}
			switch uri := data.Get("uri"); {
			case !data.Exists():
				p.Report(p.At(p.Error()), "no data", "data.uri with the address that was asked for").Sure(sure)
			case !uri.Exists():
				p.Report(p.At(data), "", "uri in data, with the address that was asked for").Sure(sure)
			case uri.Text() != asked.Text():
				p.Report(p.At(uri), "", string(asked.Raw())+", which was asked for").Also(p.At(asked)).Sure(sure)
			}
		},
	}, {
		ID:     "resources-link-read-fails",
		Level:  Advice,
		Eras:   ">=2025-06-18",
		Source: "server/tools §Resource Links",
		On:     Complete(mcp.ToolsCall).Or(Errors(mcp.ResourcesRead)),
		Check:  checkDeadLink,
	}}
}

// missingResource tells whether the read that this error answers was surely for something that is not there: the invented
// address, or one that the error itself says is not found (then we are not as sure).
func (p *Pass) missingResource() (missing bool, sure Confidence) {
	uri := p.Request().Get("uri")
	if !uri.Is(jsondoc.String) {
		return false, Guess
	}
	if uri.Text() == ProbeURI {
		return true, Certain
	}
	text := strings.ToLower(p.Error().Get("message").Text())
	says := strings.Contains(text, "resource") && contains(text, "not found", "unknown", "no such", "does not exist")
	return says && !p.OnPurpose() && !p.listedResource(uri.Text()), Likely
}

// listedResource tells whether the latest complete list has this address.
func (p *Pass) listedResource(uri string) bool {
	if w := p.History().Walk(mcp.ResourcesList, p.x.Seq()); w != nil {
		for _, item := range w.Items {
			if item.Get("uri").Text() == uri {
				return true
			}
		}
	}
	return false
}

// linksMax is how many links of tools are remembered.
const linksMax = 4096

// deadLinks is the memory of resources-link-read-fails: addresses that tools linked to.
type deadLinks struct{ seen map[string]Place }

func checkDeadLink(p *Pass) {
	k := Keep[deadLinks](p)
	if p.Method() == mcp.ToolsCall {
		for _, block := range p.Result().Get("content").Elements() {
			if uri := block.Get("uri"); block.Get("type").Text() == mcp.ContentResourceLink && uri.Is(jsondoc.String) && len(k.seen) < linksMax {
				if k.seen == nil {
					k.seen = map[string]Place{}
				}
				k.seen[uri.Text()] = p.At(uri)
			}
		}
		return
	}
	code, _ := p.Code()
	at, linked := k.seen[p.Request().Get("uri").Text()]
	if linked && (code == mcp.CodeInvalidParams || code == mcp.CodeResourceNotFound) {
		p.Report(p.At(p.Error()), "", "contents: a tool gave out a link to this resource").Also(at)
	}
}

// bytesText is a number of bytes for people.
func bytesText(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
