package content

import (
	"fmt"
	"image"
	"strings"
	"unicode/utf8"

	"mcploupe/highlight"
	"mcploupe/highlight/media"
	"mcploupe/session/jsondoc"
	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// made is what preparing a block gave: the ways in which it can be shown, the best first.
type made struct {
	forms []form
	card  [][2]string
	notes []string
	bytes []byte      // of the block, decoded
	thumb image.Image // a picture, made small
	whole bool        // of the picture everything is known: it can be shown larger
	doc   *jsondoc.Document
}

// Bounds up to which a block is prepared while it is drawn; beyond, it is prepared beside the screen.
const (
	smallBytes  = 64 << 10
	smallPixels = 300_000
	thumbSide   = 640 // pixels that are kept of a picture's longer side: more than a screen of half blocks has
	maxMarkdown = 256 << 10
)

// heavy tells that preparing the block would be felt.
func (b *block) heavy() bool {
	if b.size() > smallBytes {
		return true
	}
	if b.from != fromBase64 {
		return false
	}
	raw, _, err := decoded(b.v.Text())
	if err != nil {
		return false
	}
	p, err := media.ReadPicture(raw)
	return err == nil && p.W*p.H > smallPixels
}

// prepare finds out what a block is. It reads only what does not change, so that it may run beside the screen.
func (b *block) prepare(s *themes.Styles) made {
	switch b.from {
	case fromText:
		return b.text([]byte(b.v.Text()), s)
	case fromBase64:
		return b.binary(s)
	case fromValue:
		raw := b.v.Raw()
		m := made{bytes: raw}
		b.json(&m, jsondoc.Parse(raw), s)
		m.forms = append(m.forms, &hexForm{b: raw})
		return m
	case fromBytes:
		return made{bytes: b.raw, forms: []form{&hexForm{b: b.raw}}}
	}
	return made{forms: []form{&empty{"card"}}}
}

// text is a text by its type, or by what it looks like.
func (b *block) text(text []byte, s *themes.Styles) made {
	m := made{bytes: text}
	declared := highlight.IsJSON(b.mime)
	looks := b.mime == "" || strings.HasPrefix(b.mime, "text/plain")
	if declared || looks && highlight.LooksLikeJSON(text) {
		d := jsondoc.Parse(text)
		if d.Valid() {
			b.json(&m, d, s)
		} else if declared {
			m.notes = append(m.notes, "it calls itself JSON and is not: "+fault(d))
		}
	}
	if len(m.forms) == 0 {
		d, why := records(text, b.mime, b.uri)
		if why != "" {
			m.notes = append(m.notes, why)
		} else if d != nil {
			if t := newTables(d.Root(), s); t != nil {
				m.forms = append(m.forms, t)
			}
		}
	}
	markdown := highlight.IsMarkdown(b.mime) || len(m.forms) == 0 && looks && highlight.LooksLikeMarkdown(string(text[:min(len(text), maxMarkdown)]))
	if markdown && len(text) <= maxMarkdown {
		m.forms = append(m.forms, &markdownForm{text: string(text)})
	}
	m.forms = append(m.forms, &textForm{p: highlight.Text(text, b.mime, b.uri, s), text: text}, &hexForm{b: text})
	return m
}

// fault is the first fault of a document in words.
func fault(d *jsondoc.Document) string {
	for _, f := range d.Faults {
		if f.Kind != jsondoc.DuplicateKey {
			text := f.Kind.String()
			if f.Detail != "" {
				text += ", " + f.Detail
			}
			return fmt.Sprintf("%s at byte %d", text, f.At.From)
		}
	}
	return "it is cut short"
}

// json adds the forms of JSON: tables where there are any, and the document that folds.
func (b *block) json(m *made, d *jsondoc.Document, s *themes.Styles) {
	m.doc = d
	if t := newTables(d.Root(), s); t != nil {
		m.forms = append(m.forms, t)
		if name, ok := t.twice(); ok {
			m.notes = append(m.notes, "a row has the name "+kit.Cut(name, 60)+" more than once; the table shows its last value, JSON all")
		}
	}
	layout := jsondoc.NewLayout(d)
	m.forms = append(m.forms, &jsonForm{layout: layout, textForm: textForm{p: highlight.JSON(layout, s), text: d.Text}})
}

// binary is Base64: a picture, a recording, a text after all, or other bytes.
func (b *block) binary(s *themes.Styles) (m made) {
	text := b.v.Text()
	raw, odd, err := decoded(text)
	if err != nil {
		return made{bytes: []byte(text), notes: []string{"this is not Base64: " + kit.Escape(err.Error())}, forms: []form{&textForm{p: highlight.Text([]byte(text), "", "", s), text: []byte(text)}, &hexForm{b: []byte(text)}}}
	}
	if odd != "" {
		defer func() {
			m.notes = append([]string{"not plain Base64: " + odd + "; what it means is shown"}, m.notes...)
		}()
	}
	shown, name := media.Sniff(raw)
	hex := &hexForm{b: raw}
	if shown == "" && utf8.Valid(raw) && len(raw) > 0 && textual(b.mime) {
		m = b.text(raw, s)
		m.card = append(m.card, [2]string{"size", kit.Size(int64(len(raw))) + ", as Base64"})
		return m
	}
	m = made{bytes: raw, forms: []form{hex}}
	what := name
	if what == "" {
		what = "bytes of no kind that is known here"
	}
	if !media.Agree(b.mime, shown) {
		m.notes = append(m.notes, "it is called "+kit.Escape(beginning(b.mime))+", its bytes are "+name)
	}
	major, _, _ := strings.Cut(strings.ToLower(b.mime), "/")
	switch {
	case strings.HasPrefix(shown, "image/") || shown == "" && major == "image":
		b.picture(&m, raw)
		return m
	case strings.HasPrefix(shown, "audio/"):
		a, err := media.ReadAudio(raw)
		m.card = append(m.card, audioFacts(&a, len(raw))...)
		if err != nil {
			m.notes = append(m.notes, kit.Escape(err.Error()))
		}
		m.forms = []form{&empty{"facts"}, hex}
		return m
	}
	m.card = append(m.card, [2]string{"kind", what}, [2]string{"size", exactly(len(raw))})
	return m
}

// textual tells that a MIME type is of something made of letters.
func textual(mime string) bool {
	mime = media.Type(mime)
	switch mime {
	case "application/xml", "application/yaml", "application/x-yaml", "application/toml", "application/javascript", "application/sql":
		return true
	}
	return strings.HasPrefix(mime, "text/") || highlight.IsJSON(mime) || strings.HasSuffix(mime, "+xml")
}

// picture decodes a picture and keeps it small.
func (b *block) picture(m *made, raw []byte) {
	p, err := media.ReadPicture(raw)
	kind := p.Format
	if kind == "" {
		kind = "bytes"
	}
	if p.W > 0 {
		kind += fmt.Sprintf(", %s × %s pixels", kit.Number(p.W), kit.Number(p.H))
	}
	m.card = append(m.card, [2]string{"picture", kind + ", " + exactly(len(raw))})
	for _, name := range p.Left {
		m.notes = append(m.notes, "the checksum of its part "+kit.Escape(name)+" is wrong; viewers leave that part out")
	}
	var whole image.Image
	if err == nil {
		whole, err = media.Decode(raw)
	}
	if err != nil {
		m.notes = append(m.notes, "no picture is drawn: "+kit.Escape(err.Error()))
		return
	}
	w, h := media.Fit(p.W, p.H, thumbSide, thumbSide)
	m.thumb, m.whole = media.Scale(whole, w, h), true
	m.forms = append([]form{&pictureForm{m: m.thumb, w: p.W, h: p.H}}, m.forms...)
}

// exactly is a size, with all its digits where the short form leaves some out.
func exactly(n int) string {
	if n < 1000 {
		return kit.Size(int64(n))
	}
	return kit.Size(int64(n)) + " (" + kit.Number(n) + " bytes)"
}

// audioFacts are what is known of a recording, for the card.
func audioFacts(a *media.Audio, n int) [][2]string {
	var words []string
	add := func(format string, v int) {
		if v > 0 {
			words = append(words, fmt.Sprintf(format, v))
		}
	}
	if a.Coding != "" {
		words = append(words, a.Coding)
	}
	if a.Rate > 0 {
		words = append(words, kit.Number(a.Rate)+" Hz")
	}
	switch a.Channels {
	case 1:
		words = append(words, "mono")
	case 2:
		words = append(words, "stereo")
	default:
		add("%d channels", a.Channels)
	}
	add("%d bits", a.Bits)
	if a.BitRate > 0 {
		words = append(words, kit.Number((a.BitRate+500)/1000)+" kbit/s")
	}
	length := ""
	if a.Duration > 0 {
		length = kit.Clock(a.Duration)
		if a.Duration.Seconds() < 60 {
			length = kit.Took(a.Duration)
		}
		if a.Guessed {
			length = "about " + length + ", by its bit rate"
		}
	}
	return [][2]string{{"recording", a.Format + ", " + exactly(n)}, {"plays for", length}, {"sound", strings.Join(words, ", ")}}
}
