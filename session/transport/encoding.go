package transport

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
)

// decoded undoes the Content-Encoding of a body while it is read. What cannot be undone is handed on as
// it is: an inspector shows it rather than nothing.
type decoded struct {
	r      io.Reader // what to read from; nil until the first Read
	raw    *source
	names  []string // encodings, in the order in which they were applied
	opaque bool     // an encoding is unknown: the bytes stay encoded
	odd    bool     // unknown, not asked for, or contradicted by the bytes; final when all is read
	broken error    // the encoded text itself is faulty, while the body came whole
}

// source is a body that remembers how it ended.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil {
		s.err = err
	}
	return n, err
}

// maxEncodings is how many encodings one inside the other are undone. Nobody uses two.
const maxEncodings = 3

// decode undoes the encodings that the values of Content-Encoding name; offers is the Accept-Encoding
// that was sent.
func decode(body io.Reader, values []string, offers string) *decoded {
	d := &decoded{raw: &source{r: body}}
	for name := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		switch name {
		case "", "identity":
			continue
		case "x-gzip":
			name = "gzip"
		}
		switch name {
		case "gzip", "deflate":
		default:
			d.opaque = true
		}
		if !offered(offers, name) {
			d.odd = true
		}
		d.names = append(d.names, name)
	}
	if d.opaque = d.opaque || len(d.names) > maxEncodings; d.opaque {
		d.odd = true
	}
	return d
}

// offered says whether an Accept-Encoding value allows an encoding.
func offered(accept, name string) bool {
	for part := range strings.SplitSeq(accept, ",") {
		coding, weight, _ := strings.Cut(part, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding == name || coding == "*" || coding == "x-"+name {
			weight = strings.ReplaceAll(weight, " ", "")
			return strings.Trim(strings.TrimPrefix(weight, "q="), "0.") != "" || weight == ""
		}
	}
	return false
}

// Read implements io.Reader. The first call waits for the first bytes of the body.
func (d *decoded) Read(p []byte) (int, error) {
	if d.r == nil {
		d.r = d.raw
		if !d.opaque {
			for i := len(d.names) - 1; i >= 0; i-- {
				d.r = d.undo(d.r, d.names[i])
			}
		}
	}
	n, err := d.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) && (d.raw.err == nil || errors.Is(d.raw.err, io.EOF)) {
		d.odd = true
		d.broken = fmt.Errorf("undoing %s: %w", strings.Join(d.names, ", "), err)
	}
	return n, err
}

// undo puts a decoder over r when the bytes are what they are said to be.
func (d *decoded) undo(r io.Reader, name string) io.Reader {
	b := bufio.NewReader(r)
	first, err := b.Peek(2)
	if len(first) == 0 {
		return b // an empty body is empty in any encoding, or its error comes again
	}
	isZlib := len(first) == 2 && first[0]&0x0F == 8 && (int(first[0])<<8|int(first[1]))%31 == 0
	switch {
	case err != nil:
	case name == "gzip" && first[0] == 0x1F && first[1] == 0x8B:
		return &lazyGzip{b: b}
	case name == "deflate" && isZlib:
		if z, err := zlib.NewReader(b); err == nil {
			return z
		}
	case name == "deflate" && first[0] != '{' && first[0] != '[' && first[0] != '<':
		// Many take "deflate" at its word; the standard means zlib.
		return flate.NewReader(b)
	}
	d.odd = true
	return b
}

// lazyGzip reads the header with the first Read, so that its error is an error of the reading.
type lazyGzip struct {
	b *bufio.Reader
	z *gzip.Reader
}

func (l *lazyGzip) Read(p []byte) (int, error) {
	if l.z == nil {
		z, err := gzip.NewReader(l.b)
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return 0, err
		}
		l.z = z
	}
	return l.z.Read(p)
}
