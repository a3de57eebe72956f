// Package media tells what bytes are that are no text: which kind by their first bytes, how long a recording
// plays, how large a picture is, and what it shows. Nothing here trusts the bytes: sizes that they claim are
// held against bounds before anything is made of them, and a decoder that fails or panics is a reason in words.
//
// The package must never know: messages, MIME types that somebody declared, colours of a theme, terminals.
package media

import (
	"bytes"
	"strings"
)

// kind is how files of one kind begin.
type kind struct {
	mime, name string
	at         int
	magic      string
}

// kinds in the order in which they are tried.
var kinds = []kind{
	{"image/png", "PNG", 0, "\x89PNG\r\n\x1a\n"},
	{"image/jpeg", "JPEG", 0, "\xff\xd8\xff"},
	{"image/gif", "GIF", 0, "GIF87a"},
	{"image/gif", "GIF", 0, "GIF89a"},
	{"image/webp", "WebP", 8, "WEBP"},
	{"image/bmp", "BMP", 0, "BM"},
	{"image/tiff", "TIFF", 0, "II*\x00"},
	{"image/tiff", "TIFF", 0, "MM\x00*"},
	{"image/avif", "AVIF", 4, "ftypavif"},
	{"image/heic", "HEIC", 4, "ftypheic"},
	{"image/x-icon", "icon", 0, "\x00\x00\x01\x00"},
	{"audio/wav", "WAV", 8, "WAVE"},
	{"audio/ogg", "Ogg", 0, "OggS"},
	{"audio/flac", "FLAC", 0, "fLaC"},
	{"audio/mpeg", "MP3", 0, "ID3"},
	{"audio/mp4", "M4A", 4, "ftypM4A"},
	{"video/mp4", "MP4", 4, "ftyp"},
	{"video/webm", "Matroska or WebM", 0, "\x1a\x45\xdf\xa3"},
	{"application/pdf", "PDF", 0, "%PDF-"},
	{"application/gzip", "gzip", 0, "\x1f\x8b"},
	{"application/zip", "ZIP", 0, "PK\x03\x04"},
	{"application/zstd", "Zstandard", 0, "\x28\xb5\x2f\xfd"},
	{"application/wasm", "WebAssembly", 0, "\x00asm"},
	{"application/vnd.sqlite3", "SQLite", 0, "SQLite format 3\x00"},
}

// Sniff is what the first bytes say: a MIME type and a name for people, both "" when they say nothing.
func Sniff(b []byte) (mime, name string) {
	for _, k := range kinds {
		if len(b) < k.at+len(k.magic) || !bytes.Equal(b[k.at:k.at+len(k.magic)], []byte(k.magic)) {
			continue
		}
		if k.at == 8 && !bytes.HasPrefix(b, []byte("RIFF")) {
			continue
		}
		if k.name == "BMP" && !looksLikeBMP(b) {
			continue
		}
		return k.mime, k.name
	}
	if f, ok := readMP3Frame(b); ok && f.layer != 1 { // UTF-16 text begins with the bits of layer 1, which nobody sends
		return "audio/mpeg", "MP3"
	}
	return "", ""
}

// looksLikeBMP: two letters are too few to go by. The four bytes behind the file's size are 0 by the format.
func looksLikeBMP(b []byte) bool {
	return len(b) >= 18 && b[6] == 0 && b[7] == 0 && b[8] == 0 && b[9] == 0
}

// aliases are MIME types that say the same.
var aliases = map[string]string{
	"image/jpg": "image/jpeg", "image/pjpeg": "image/jpeg", "image/x-png": "image/png", "image/x-ms-bmp": "image/bmp", "image/vnd.microsoft.icon": "image/x-icon", "image/apng": "image/png", "image/heif": "image/heic",
	"audio/x-wav": "audio/wav", "audio/wave": "audio/wav", "audio/vnd.wave": "audio/wav", "audio/mp3": "audio/mpeg", "audio/x-mp3": "audio/mpeg", "audio/x-flac": "audio/flac",
	"audio/opus": "audio/ogg", "audio/vorbis": "audio/ogg", "application/ogg": "audio/ogg", "video/ogg": "audio/ogg", "audio/m4a": "audio/mp4", "audio/x-m4a": "audio/mp4",
	"application/x-gzip": "application/gzip", "application/x-pdf": "application/pdf", "application/x-sqlite3": "application/vnd.sqlite3", "audio/webm": "video/webm", "video/x-matroska": "video/webm",
}

// Type is a MIME type in small letters and without its parameters, "image/png", however it is written.
func Type(declared string) string {
	declared, _, _ = strings.Cut(strings.ToLower(declared), ";")
	return strings.TrimSpace(declared)
}

// Agree tells that a declared MIME type and the one that the bytes show say the same, as far as they can be told apart: a
// container (ZIP, gzip) may hold what was declared, and application/octet-stream declares nothing.
func Agree(declared, shown string) bool {
	declared = Type(declared)
	if a, ok := aliases[declared]; ok {
		declared = a
	}
	switch {
	case shown == "", declared == "", declared == shown, declared == "application/octet-stream":
		return true
	case shown == "application/zip", shown == "application/gzip":
		return !strings.HasPrefix(declared, "image/") && !strings.HasPrefix(declared, "audio/")
	case shown == "video/mp4":
		return strings.HasPrefix(declared, "audio/mp4") || strings.HasPrefix(declared, "video/") || strings.HasPrefix(declared, "image/")
	}
	return false
}
