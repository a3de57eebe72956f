package inspect

import (
	"bytes"
	"encoding/base64"
	"iter"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// textMemory is where the rules about blocks share whether there is anything to look at: a rule by its address only. It is
// never changed.
var textMemory = new(Rule)

type textKept struct {
	of   *wire.Message
	only bool
}

// onlyTexts tells whether the result of a call is nothing but well-made text blocks without annotations, as most are. It is
// found out once for all rules.
func (p *Pass) onlyTexts() bool {
	k, ok := p.in.kept[textMemory].(*textKept)
	if !ok {
		k = new(textKept)
		p.in.kept[textMemory] = k
	}
	if k.of == p.m {
		return k.only
	}
	k.of, k.only = p.m, true
	for _, b := range p.Result().Get("content").Elements() {
		k.only = k.only && says(b.Get("type"), mcp.ContentText) && b.Get("text").Is(jsondoc.String) && !b.Get("annotations").Exists()
	}
	return k.only
}

// blocks is every content block of a tools/call or prompts/get result that is an object, in order; none when a call's are
// nothing but texts, in which the rules about blocks find nothing.
func (p *Pass) blocks() iter.Seq[jsondoc.Value] {
	return func(yield func(jsondoc.Value) bool) {
		if p.Method() == mcp.ToolsCall && p.onlyTexts() {
			return
		}
		if p.Method() == mcp.PromptsGet {
			for _, m := range p.Result().Get("messages").Elements() {
				if b := m.Get("content"); b.Is(jsondoc.Object) && !yield(b) {
					return
				}
			}
			return
		}
		for _, b := range p.Result().Get("content").Elements() {
			if b.Is(jsondoc.Object) && !yield(b) {
				return
			}
		}
	}
}

// base64Fault says what keeps a string from being standard Base64 (RFC 4648 §4, padded), "" when nothing does. Line breaks
// are let pass: decoders skip them.
func base64Fault(v jsondoc.Value) string {
	text := inside(v)
	if bytes.HasPrefix(text, []byte("data:")) {
		return "bare Base64 without a data: prefix"
	}
	digits, padding := 0, 0
	for _, c := range text {
		switch {
		case c == '\n' || c == '\r':
		case c == '=':
			padding++
		case padding > 0:
			return "Base64 with = at its end only"
		case c == '-' || c == '_':
			return "standard Base64, with + and / rather than - and _"
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '+', c == '/':
			digits++
		default:
			return "standard Base64"
		}
	}
	if padding > 2 || (digits+padding)%4 != 0 || digits%4 == 1 {
		return "Base64 padded with = to a multiple of four characters"
	}
	return ""
}

// inside is a string's bytes without its quotes, decoded only when it holds escapes: pictures are long.
func inside(v jsondoc.Value) []byte {
	raw := v.Raw()
	if len(raw) < 2 || raw[0] != '"' {
		return nil
	}
	if bytes.IndexByte(raw, '\\') >= 0 {
		return []byte(v.Text())
	}
	return raw[1 : len(raw)-1]
}

// firstBytes decodes the beginning of a Base64 string.
func firstBytes(v jsondoc.Value) []byte {
	text := inside(v)
	text = text[:min(len(text), 64)&^3]
	out := make([]byte, base64.StdEncoding.DecodedLen(len(text)))
	n, _ := base64.StdEncoding.Decode(out, text)
	return out[:n]
}

// kindOfBytes is the media type that the first bytes of a file show, "" when they show none of a few common ones.
func kindOfBytes(b []byte) string {
	has := func(prefix string) bool { return bytes.HasPrefix(b, []byte(prefix)) }
	switch {
	case has("\x89PNG\r\n\x1a\n"):
		return "image/png"
	case has("\xff\xd8\xff"):
		return "image/jpeg"
	case has("GIF87a"), has("GIF89a"):
		return "image/gif"
	case has("RIFF") && len(b) >= 12 && string(b[8:12]) == "WEBP":
		return "image/webp"
	case has("RIFF") && len(b) >= 12 && string(b[8:12]) == "WAVE":
		return "audio/wav"
	case has("ID3"):
		return "audio/mpeg"
	case has("OggS"):
		return "audio/ogg"
	case has("fLaC"):
		return "audio/flac"
	case has("<svg"):
		return "image/svg+xml"
	}
	return ""
}

// sameKind is a media type by the name that kindOfBytes gives it; "" for types that it does not know.
func sameKind(mime string) string {
	switch t := mediaType(mime); t {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml", "audio/mpeg", "audio/ogg", "audio/flac", "audio/wav":
		return t
	case "image/jpg", "image/pjpeg":
		return "image/jpeg"
	case "image/x-png", "image/apng", "image/vnd.mozilla.apng":
		return "image/png"
	case "audio/x-wav", "audio/wave", "audio/vnd.wave":
		return "audio/wav"
	case "audio/mp3", "audio/x-mp3":
		return "audio/mpeg"
	case "audio/opus", "audio/vorbis":
		return "audio/ogg"
	case "audio/x-flac":
		return "audio/flac"
	case "image/bmp", "image/tiff", "audio/aac", "audio/mp4":
		return t
	}
	return ""
}

// twin tells how the text blocks of a result stand to its structured content.
type twin struct {
	same    bool          // one of them is the same JSON
	other   jsondoc.Value // the first that is another object or array, as written in the message
	readers bool          // there is some text that is not blank
}

// twinMemory is where the rules about structured content share the comparison: a rule by its address only. It is never
// changed.
var twinMemory = new(Rule)

type twinKept struct {
	of *wire.Message
	twin
}

// twin compares the text blocks of the result judged with its structured content, once for all rules.
func (p *Pass) twin() twin {
	k, ok := p.in.kept[twinMemory].(*twinKept)
	if !ok {
		k = new(twinKept)
		p.in.kept[twinMemory] = k
	}
	if k.of != p.m {
		k.of, k.twin = p.m, twinOf(p.Result())
	}
	return k.twin
}

// says tells whether a value is a string of just this text, without decoding it where it holds no escapes.
func says(v jsondoc.Value, text string) bool {
	raw := v.Raw()
	if len(raw) == len(text)+2 && raw[0] == '"' && string(raw[1:len(raw)-1]) == text {
		return true
	}
	return bytes.IndexByte(raw, '\\') >= 0 && v.Text() == text
}

// twinOf compares. Most servers write both from one value, so equal text is looked for before anything is parsed.
func twinOf(result jsondoc.Value) twin {
	var t twin
	s := result.Get("structuredContent")
	for _, b := range result.Get("content").Elements() {
		text := b.Get("text")
		if !says(b.Get("type"), mcp.ContentText) || !text.Is(jsondoc.String) {
			continue
		}
		if spells(text, s.Raw()) {
			t.same = true
			return t
		}
		words := strings.TrimSpace(text.Text())
		if words == "" {
			continue
		}
		t.readers = true
		first := words[0]
		if s.Is(jsondoc.Object) && first != '{' || s.Is(jsondoc.Array) && first != '[' && first != '{' {
			continue
		}
		d := jsondoc.Parse([]byte(words))
		if !d.Valid() {
			continue
		}
		if d.Root().Same(s) {
			t.same = true
			return t
		}
		if !t.other.Exists() && (first == '{' || first == '[') {
			t.other = text
		}
	}
	return t
}

// spells tells whether a string is just this text, byte for byte, without decoding it. Escapes other than the simplest are not
// looked into: then the answer is no.
func spells(v jsondoc.Value, text []byte) bool {
	raw := v.Raw()
	if len(raw) < 2 || raw[0] != '"' {
		return false
	}
	raw = raw[1 : len(raw)-1]
	for _, want := range text {
		if len(raw) > 1 && raw[0] == '\\' && (raw[1] == '"' || raw[1] == '\\' || raw[1] == '/') {
			raw = raw[1:]
		} else if len(raw) == 0 || raw[0] == '\\' {
			return false
		}
		if raw[0] != want {
			return false
		}
		raw = raw[1:]
	}
	return len(raw) == 0
}
