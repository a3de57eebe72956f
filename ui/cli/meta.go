package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
)

// metaFlags are --meta and --no-meta of the commands that send one request: its _meta, other than a faithful client's.
type metaFlags struct {
	set  []string
	omit []string
}

func (m *metaFlags) register(c *cobra.Command) {
	s := c.Flags()
	s.StringArrayVar(&m.set, "meta", nil, "`KEY=JSON` in the request's _meta, instead of ours or besides; other requests stay as they are")
	s.StringArrayVar(&m.omit, "no-meta", nil, "`KEY` of our _meta to leave out of the request; * leaves out all")
}

// options are the call's, with what the flags say; a value that is no JSON is refused before anything is started.
func (m *metaFlags) options() (session.CallOptions, error) {
	o := session.CallOptions{OmitMeta: m.omit}
	for _, kv := range m.set {
		key, text, ok := strings.Cut(kv, "=")
		if !ok || key == "" || !jsondoc.Parse([]byte(text)).Valid() {
			return o, usage(`for example --meta 'io.modelcontextprotocol/clientCapabilities={}'; a text needs its quotes: --meta 'com.example/who="ada"'`,
				"--meta needs KEY=JSON, not %s", startOf(kv))
		}
		o.SetMeta = append(o.SetMeta, session.Member{Name: key, Raw: []byte(text)})
	}
	if len(o.OmitMeta)+len(o.SetMeta) > 0 {
		o.Why = session.AlteredMeta
	}
	return o, nil
}

// rootList is what --root names.
func (f *flags) rootList() ([]session.Root, error) {
	var out []session.Root
	for _, text := range f.roots {
		root, err := session.RootOf(text)
		if err != nil {
			return nil, usage("", "--root: %w", err)
		}
		out = append(out, root)
	}
	return out, nil
}
