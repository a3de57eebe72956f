package inspect

import (
	"slices"
	"testing"

	"mcploupe/session/mcp"
)

// Nobody sends a probe to a server that it is not for.
func TestAProbeIsForSomeServers(t *testing.T) {
	type server struct{ era, version, kind string }
	names := func(s server) (out []string) {
		for _, p := range Probes() {
			if p.For(s.era, s.version, s.kind) {
				out = append(out, p.Name)
			}
		}
		return out
	}
	modern, web := names(server{EraModern, mcp.R20260728, "stdio"}), names(server{EraModern, mcp.R20260728, "http"})
	older, sse := names(server{EraLegacy, mcp.R20251125, "http"}), names(server{EraLegacy, mcp.R20241105, "sse"})
	for _, c := range []struct {
		probe string
		in    [][]string
		not   [][]string
	}{
		{"unknown-tool", [][]string{modern, web, older, sse}, nil},
		{"unknown-version", [][]string{modern, web}, [][]string{older, sse}},
		{"header-method-mismatch", [][]string{web}, [][]string{modern, older, sse}},
		{ProbeMadeUpSession, [][]string{older}, [][]string{modern, web, sse}},
		{ProbeOtherCaller, nil, [][]string{modern, web, older, sse}},
	} {
		for i, list := range c.in {
			if !slices.Contains(list, c.probe) {
				t.Errorf("%s is missing in %d: %q", c.probe, i, list)
			}
		}
		for i, list := range c.not {
			if slices.Contains(list, c.probe) {
				t.Errorf("%s is in %d: %q", c.probe, i, list)
			}
		}
	}
}
