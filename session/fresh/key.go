package fresh

import (
	"crypto/sha256"
	"encoding/hex"
	"sort"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// Key is what a kept result is found by. It is comparable. The server is not in it: a Ledger is for one.
type Key struct {
	Method  string
	Params  string // the parameters but for _meta, in one canonical spelling; "" for none
	Version string
	Caps    string // hash of the client's capabilities
	Auth    string // the caller, for results that are not public; "" when there is but one
}

// longParams is the length from which parameters are kept as their hash.
const longParams = 256

// KeyOf makes the key of a request. params is its params member, with or without _meta. version and
// capsHash may be "": then they are taken from _meta. The order of members, blanks and the spelling of
// strings make no difference; the spelling of numbers does, which costs at most a second request.
func KeyOf(method string, params jsondoc.Value, version, capsHash, auth string) Key {
	meta := params.Get("_meta")
	if version == "" {
		version = meta.Get(mcp.MetaProtocolVersion).Text()
	}
	if capsHash == "" {
		capsHash = CapsHash(meta.Get(mcp.MetaClientCapabilities))
	}
	text := canonical(nil, params, true)
	if string(text) == "{}" {
		text = nil
	}
	k := Key{Method: method, Params: string(text), Version: version, Caps: capsHash, Auth: auth}
	if len(text) > longParams {
		k.Params = digest(text)
	}
	return k
}

// CapsHash is the hash of a client's capabilities as KeyOf wants it; "" when there are none to speak of.
func CapsHash(capabilities jsondoc.Value) string {
	if !capabilities.Is(jsondoc.Object) {
		return ""
	}
	return digest(canonical(nil, capabilities, false))
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// canonical writes a value with members sorted, of several with one name the last, and strings in one
// spelling. top leaves _meta out.
func canonical(dst []byte, v jsondoc.Value, top bool) []byte {
	switch v.Kind() {
	case jsondoc.String:
		return jsondoc.AppendQuote(dst, v.Text())
	case jsondoc.Array:
		dst = append(dst, '[')
		for i, w := range v.Elements() {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = canonical(dst, w, false)
		}
		return append(dst, ']')
	case jsondoc.Object:
		last := make(map[string]jsondoc.Value, v.Len())
		names := make([]string, 0, v.Len())
		for name, w := range v.Members() {
			if top && name == "_meta" {
				continue
			}
			if _, twice := last[name]; !twice {
				names = append(names, name)
			}
			last[name] = w
		}
		sort.Strings(names)
		dst = append(dst, '{')
		for i, name := range names {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(jsondoc.AppendQuote(dst, name), ':')
			dst = canonical(dst, last[name], false)
		}
		return append(dst, '}')
	}
	return append(dst, v.Raw()...)
}
