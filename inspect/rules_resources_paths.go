package inspect

import (
	"net/url"
	"path"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// resourcePathRules are about files that a server was never meant to hand out.
func resourcePathRules() []*Rule {
	return []*Rule{{
		ID:     "resources-path-traversal",
		Level:  Must,
		Eras:   "all",
		Source: "server/resources §Security Considerations 5",
		On:     Complete(mcp.ResourcesRead),
		Probe:  ProbeTraversal,
		Check: func(p *Pass) {
			uri := p.Request().Get("uri")
			climbed, ok := climbs(uri.Text())
			if !ok || p.Result().Get("contents").Len() == 0 {
				return
			}
			for _, root := range p.listedFolders() {
				if root == "/" || strings.HasPrefix(climbed+"/", root+"/") {
					return
				}
			}
			p.Report(p.At(p.Result().Get("contents")), "the contents of "+jsondoc.Quote(climbed), "an error: the address leads out of every folder that is listed").Also(p.At(uri))
		},
	}}
}

// climbs is the path that a file address with dot-dot segments leads to; ok is false for other addresses.
func climbs(uri string) (string, bool) {
	rest, ok := strings.CutPrefix(uri, "file://")
	if !ok {
		return "", false
	}
	for range 2 { // encoded, and encoded again
		if plain, err := url.PathUnescape(rest); err == nil {
			rest = plain
		}
	}
	if !slices.Contains(strings.Split(rest, "/"), "..") {
		return "", false
	}
	if i := strings.IndexByte(rest, '/'); i > 0 {
		rest = rest[i:] // without a host
	}
	return path.Clean(rest), true
}

// listedFolders are the folders of the files that resources/list named last.
func (p *Pass) listedFolders() []string {
	w := p.History().Walk(mcp.ResourcesList, p.x.Seq())
	if w == nil {
		return []string{"/"}
	}
	var all []string
	for _, item := range w.Items {
		if rest, ok := strings.CutPrefix(item.Get("uri").Text(), "file://"); ok {
			if plain, err := url.PathUnescape(rest); err == nil {
				all = append(all, path.Dir(path.Clean(plain)))
			}
		}
	}
	if all == nil {
		return []string{"/"}
	}
	return all
}
