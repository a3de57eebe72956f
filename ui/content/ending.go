package content

import (
	"path"

	"mcploupe/highlight"
	"mcploupe/highlight/media"
)

// endings of files by MIME type.
var endings = map[string]string{
	"image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif", "image/webp": ".webp", "image/bmp": ".bmp", "image/tiff": ".tiff", "image/svg+xml": ".svg",
	"audio/wav": ".wav", "audio/mpeg": ".mp3", "audio/ogg": ".ogg", "audio/flac": ".flac", "video/mp4": ".mp4", "video/webm": ".webm",
	"application/pdf": ".pdf", "application/zip": ".zip", "application/gzip": ".gz", "application/json": ".json", "text/markdown": ".md", "text/html": ".html", "text/csv": ".csv", "text/xml": ".xml",
}

// plainEnding tells that an ending is a dot and a few letters and digits, which mean nothing but themselves.
func plainEnding(e string) bool {
	if len(e) < 2 || len(e) > 9 {
		return false
	}
	for _, c := range e[1:] {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z') {
			return false
		}
	}
	return true
}

// ending is how a file with the block's bytes is called: by what the bytes are, else by what they are said to be, else as the URI ends.
func ending(b *block) string {
	if shown, _ := media.Sniff(b.made.bytes); endings[shown] != "" {
		return endings[shown]
	}
	if e := endings[media.Type(b.mime)]; e != "" {
		return e
	}
	if e := path.Ext(b.uri); plainEnding(e) {
		return e
	}
	switch {
	case b.from == fromValue, highlight.IsJSON(b.mime), b.made.doc != nil:
		return ".json"
	case b.from == fromText:
		return ".txt"
	}
	return ".bin"
}
