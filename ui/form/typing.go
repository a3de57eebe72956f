package form

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/schema"
	"mcploupe/ui/kit"
)

// may tells that the value may have a type; anything may where the schema names none.
func (r *row) may(kind string) bool { return len(r.field.Types) == 0 || r.field.Is(kind) }

// typable tells whether the value can be typed in place.
func (r *row) typable() bool {
	if r.kind != scalar || len(r.options()) > 0 {
		return false
	}
	if only(r.field, "object") || only(r.field, "array") {
		return false // null, or what is none: opened, or edited as JSON
	}
	if open := r.openLevel(); open != nil && branching(open.variants) && !r.plain {
		return false
	}
	return !r.value.Is(jsondoc.Object) && !r.value.Is(jsondoc.Array)
}

// startText is the text to begin typing with.
func (r *row) startText() string {
	switch r.value.Kind() {
	case jsondoc.String:
		return r.value.Text()
	case jsondoc.Missing, jsondoc.Null:
		return ""
	}
	return string(r.value.Raw())
}

// spell turns what was typed into JSON: as the field's type asks, digits as typed. Where several types are open, what
// reads as one of the others is that, and text stays text. What does not fit its type is kept as a string, so that nothing
// typed is lost; the field then says what is wrong.
func (f *Form) spell(r *row, text string) []byte {
	types := r.field.Types
	if f.typing && f.typed == r.at && !f.asJSON {
		types = f.types // as it was when typing began: half a word is no reason to take it for text
	}
	v := literal(text)
	quoted := func() []byte { return jsondoc.AppendQuote(nil, text) }
	raw := bytes.TrimSpace([]byte(text))
	switch {
	case f.asJSON && v.Exists():
		return raw
	case f.asJSON, len(types) == 1 && types[0] == "string", f.asText && (len(types) == 0 || slices.Contains(types, "string")), !v.Exists(), v.Is(jsondoc.String):
		return quoted()
	case len(types) == 0, schema.OfType(v, types), !slices.Contains(types, "string"):
		return raw
	}
	return quoted()
}

// own is what the schema suggests for the text so far: its default, its examples, and for times the present one.
func (f *Form) own() (values, notes []string) {
	r := f.row()
	if !f.typing || f.naming || f.asJSON || r.kind != scalar {
		return nil, nil
	}
	add := func(text, note string) {
		if !slices.Contains(values, text) && text != f.line.text && strings.Contains(strings.ToLower(text), strings.ToLower(f.line.text)) {
			values, notes = append(values, text), append(notes, note)
		}
	}
	scalar := func(v jsondoc.Value) bool {
		return v.Exists() && !v.Is(jsondoc.Object) && !v.Is(jsondoc.Array) && !v.Is(jsondoc.Null)
	}
	if scalar(r.field.Default) {
		add(plain(r.field.Default), "default")
	}
	for _, e := range r.field.Examples[:min(len(r.field.Examples), kit.MaxSuggestions)] {
		if scalar(e) {
			add(plain(e), "example")
		}
	}
	now := f.env.Now().UTC()
	switch r.field.Format {
	case "date":
		add(now.Format(time.DateOnly), "today")
	case "time":
		add(now.Format("15:04:05Z"), "now")
	case "date-time":
		add(now.Truncate(time.Second).Format(time.RFC3339), "now")
	case "uuid":
		if f.line.text == "" {
			add(newUUID(), "a new one")
		}
	}
	return values, notes
}

// newUUID is a random UUID (version 4, RFC 9562).
func newUUID() string {
	var b [16]byte
	rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// textFault is why the text of a row does not look like its format says; "" when it does.
func (f *Form) textFault(r *row) string {
	if r.kind != scalar {
		return ""
	}
	return schema.TextFault(r.field, r.value)
}
