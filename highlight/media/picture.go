package media

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/bmp"
	"golang.org/x/image/webp"
)

// Bounds of pictures. A picture beyond them is told of in words and never decoded.
const (
	MaxPixels = 16 << 20 // 4096 × 4096
	maxSide   = 1 << 16
	// maxPasses bounds how often a progressive JPEG may go over all its pixels: each pass takes the whole time again and costs the
	// sender a few bytes only.
	maxPasses = 64
)

// Picture is what the head of a picture says.
type Picture struct {
	Format string // "PNG"
	MIME   string
	W, H   int // pixels
	// Left are the names of parts that are left out because their checksum is wrong, as they stand there; the picture is whole
	// without them.
	Left []string
}

// decoders by MIME type.
var decoders = map[string]struct {
	head  func(*bytes.Reader) (image.Config, error)
	whole func(*bytes.Reader) (image.Image, error)
}{
	"image/png":  {func(r *bytes.Reader) (image.Config, error) { return png.DecodeConfig(r) }, func(r *bytes.Reader) (image.Image, error) { return png.Decode(r) }},
	"image/jpeg": {func(r *bytes.Reader) (image.Config, error) { return jpeg.DecodeConfig(r) }, func(r *bytes.Reader) (image.Image, error) { return jpeg.Decode(r) }},
	"image/gif":  {func(r *bytes.Reader) (image.Config, error) { return gif.DecodeConfig(r) }, func(r *bytes.Reader) (image.Image, error) { return gif.Decode(r) }},
	"image/webp": {func(r *bytes.Reader) (image.Config, error) { return webp.DecodeConfig(r) }, func(r *bytes.Reader) (image.Image, error) { return webp.Decode(r) }},
	"image/bmp":  {func(r *bytes.Reader) (image.Config, error) { return bmp.DecodeConfig(r) }, func(r *bytes.Reader) (image.Image, error) { return bmp.Decode(r) }},
}

// ReadPicture reads the head of a picture. The error says in words why there is none, or why it will not be decoded; the Picture
// then holds what is known all the same.
func ReadPicture(b []byte) (p Picture, err error) {
	p.MIME, p.Format = Sniff(b)
	d, ok := decoders[p.MIME]
	switch {
	case len(b) == 0:
		return p, errors.New("there are no bytes")
	case p.MIME == "":
		return p, errors.New("its first bytes are of no picture that is known here")
	case p.MIME == "image/png":
		b, p.Left = mend(b)
	case !ok:
		return p, errors.New("pictures of this kind (" + p.Format + ") are not decoded here")
	}
	var c image.Config
	if err := guard(func() (err error) { c, err = d.head(bytes.NewReader(b)); return err }); err != nil {
		return p, fmt.Errorf("its head cannot be read: %w", err)
	}
	p.W, p.H = c.Width, c.Height
	switch {
	case p.W <= 0 || p.H <= 0:
		return p, errors.New("it has no pixels")
	case p.W > maxSide || p.H > maxSide || p.W*p.H > MaxPixels:
		return p, fmt.Errorf("it claims %d × %d pixels; more than %d million are not decoded", p.W, p.H, MaxPixels>>20)
	case p.MIME == "image/jpeg":
		if n := jpegPasses(b); n > maxPasses {
			return p, fmt.Errorf("it goes over its pixels %d times; more than %d are not followed", n, maxPasses)
		}
	}
	return p, nil
}

// Decode is the picture itself, within the bounds; of an animation the first frame.
func Decode(b []byte) (image.Image, error) {
	p, err := ReadPicture(b)
	if err != nil {
		return nil, err
	}
	if p.MIME == "image/png" {
		b, _ = mend(b)
	}
	var m image.Image
	if err := guard(func() (err error) { m, err = decoders[p.MIME].whole(bytes.NewReader(b)); return err }); err != nil {
		return nil, fmt.Errorf("it cannot be decoded: %w", err)
	}
	if r := m.Bounds(); r.Empty() || r.Dx() > maxSide || r.Dy() > maxSide || r.Dx()*r.Dy() > MaxPixels {
		return nil, errors.New("its pixels are others than its head says")
	}
	return m, nil
}

// guard turns a panic of a decoder into an error: the bytes are a stranger's.
func guard(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("the decoder gave up on it")
		}
	}()
	return f()
}

// jpegPasses counts the scans of a JPEG: its SOS segments.
func jpegPasses(b []byte) int {
	n := 0
	for i := 2; i+1 < len(b); {
		if b[i] != 0xff { // inside a scan
			next := bytes.IndexByte(b[i:], 0xff)
			if next < 0 {
				break
			}
			i += next
			continue
		}
		switch m := b[i+1]; {
		case m == 0xff:
			i++
		case m == 0 || m == 1 || 0xd0 <= m && m <= 0xd8: // stuffed byte, or a marker without a segment
			i += 2
		case m == 0xd9:
			return n
		default:
			if m == 0xda {
				n++
			}
			if i+3 >= len(b) {
				return n
			}
			i += 2 + max(int(b[i+2])<<8|int(b[i+3]), 2)
		}
	}
	return n
}
