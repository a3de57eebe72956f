package media

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"
	"time"
)

// half is a picture of w × h: red at the left, blue at the right.
func half(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{R: 255, A: 255}
			if x >= w/2 {
				c = color.NRGBA{B: 255, A: 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func encoded(t testing.TB, format string, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	var err error
	switch format {
	case "png":
		err = png.Encode(&b, m)
	case "jpeg":
		err = jpeg.Encode(&b, m, nil)
	case "gif":
		err = gif.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// wav is a recording of n bytes of sound.
func wav(n int) []byte {
	b := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00\x44\xac\x00\x00\x10\xb1\x02\x00\x04\x00\x10\x00LIST\x03\x00\x00\x00abc\x00data")
	return append(binary.LittleEndian.AppendUint32(b, uint32(n)), make([]byte, n)...)
}

// mp3 is n frames of MPEG 1 layer III, 128 kbit/s, 44.1 kHz.
func mp3(n int, xing bool) []byte {
	frame := make([]byte, 417)
	copy(frame, "\xff\xfb\x90\x00")
	b := append([]byte("ID3\x04\x00\x00\x00\x00\x00\x05tags."), bytes.Repeat(frame, n)...)
	if xing {
		copy(b[15+36:], "Xing\x00\x00\x00\x03\x00\x00\x10\x00\x00\x20\x00\x00")
	}
	return b
}

// ogg is a first page with a packet, and a last one that ends at a position.
func ogg(packet string, end uint64) []byte {
	page := func(pos uint64, body string) []byte {
		b := binary.LittleEndian.AppendUint64([]byte("OggS\x00\x02"), pos)
		b = append(b, "seri\x00\x00\x00\x00crc.\x01"...)
		return append(append(b, byte(len(body))), body...)
	}
	return append(page(0, packet), page(end, "x")...)
}

func flac(rate, channels, bits, samples uint64) []byte {
	b := []byte("fLaC\x00\x00\x00\x22\x10\x00\x10\x00\x00\x00\x00\x00\x00\x00")
	return append(binary.BigEndian.AppendUint64(b, rate<<44|(channels-1)<<41|(bits-1)<<36|samples), make([]byte, 16)...)
}

func TestTheHeadOfARecordingTellsHowLongItPlays(t *testing.T) {
	for _, c := range []struct {
		name string
		b    []byte
		want Audio
	}{
		{"wav", wav(88200), Audio{Format: "WAV", Coding: "PCM", MIME: "audio/wav", Duration: 500 * time.Millisecond, Rate: 44100, Channels: 2, Bits: 16, BitRate: 1411200}},
		{"mp3", mp3(100, false), Audio{Format: "MP3", MIME: "audio/mpeg", Duration: 2606250 * time.Microsecond, Guessed: true, Rate: 44100, Channels: 2, BitRate: 128000}},
		{"xing", mp3(3, true), Audio{Format: "MP3", MIME: "audio/mpeg", Duration: 106997551020, Rate: 44100, Channels: 2, BitRate: 156800}},
		{"vorbis", ogg("\x01vorbis\x00\x00\x00\x00\x02\x44\xac\x00\x00\x00\x00\x00\x00\x00\xee\x02\x00\x00\x00\x00\x00\x00", 441000), Audio{Format: "Ogg Vorbis", MIME: "audio/ogg", Duration: 10 * time.Second, Rate: 44100, Channels: 2, BitRate: 192000}},
		{"opus", ogg("OpusHead\x01\x01\x38\x01\x80\xbb\x00\x00\x00\x00\x00", 48312), Audio{Format: "Ogg Opus", MIME: "audio/ogg", Duration: time.Second, Rate: 48000, Channels: 1}},
		{"flac", flac(48000, 2, 24, 96000), Audio{Format: "FLAC", MIME: "audio/flac", Duration: 2 * time.Second, Rate: 48000, Channels: 2, Bits: 24}},
	} {
		got, err := ReadAudio(c.b)
		if got != c.want || err != nil {
			t.Errorf("%s: %+v, %v\nwant %+v", c.name, got, err, c.want)
		}
	}
	for name, b := range map[string][]byte{
		"empty": nil, "text": []byte("hello"), "cut wav": wav(100)[:30], "wav without rate": append(append(wav(4)[:28:28], 0, 0, 0, 0), wav(4)[32:]...),
		"claims": append(wav(4), 0)[:49], "ogg of speex": ogg("Speex   1.2", 1), "flac": []byte("fLaC\x01"), "id3 alone": []byte("ID3\x04\x00\x00\x7f\x7f\x7f\x7f"), "mp3 noise": append([]byte("ID3\x04\x00\x00\x00\x00\x00\x00"), 1, 2, 3, 4, 5, 6),
	} {
		if a, err := ReadAudio(b); err == nil {
			t.Errorf("%s: nothing is wrong with %+v", name, a)
		}
	}
}

func TestPicturesAreDecodedWithinBounds(t *testing.T) {
	for _, format := range []string{"png", "jpeg", "gif"} {
		b := encoded(t, format, half(20, 10))
		p, err := ReadPicture(b)
		if err != nil || p.W != 20 || p.H != 10 || p.MIME != "image/"+format {
			t.Errorf("%s: %+v, %v", format, p, err)
		}
		m, err := Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		small := Scale(m, 2, 1)
		if l, r := small.NRGBAAt(0, 0), small.NRGBAAt(1, 0); l.R < 200 || l.B > 60 || r.B < 200 || r.R > 60 {
			t.Errorf("%s: %v %v", format, l, r)
		}
	}
}

// A colour profile with a wrong checksum hides no picture, as in a well-known test image; a wrong checksum of the pixels does.
func TestAWrongChecksumOfWhatIsNotNeeded(t *testing.T) {
	whole := encoded(t, "png", half(20, 10))
	const afterHead = 8 + 25
	profile := "\x00\x00\x00\x03iCCPabc\x00\x00\x00\x00"
	b := append(append(append([]byte(nil), whole[:afterHead]...), profile...), whole[afterHead:]...)
	p, err := ReadPicture(b)
	if err != nil || len(p.Left) != 1 || p.Left[0] != "iCCP" {
		t.Errorf("%+v, %v", p, err)
	}
	if m, err := Decode(b); err != nil || m.Bounds().Dx() != 20 {
		t.Errorf("%v", err)
	}
	if out, names := mend(whole); names != nil || &out[0] != &whole[0] {
		t.Errorf("a picture without fault is changed: %q", names)
	}
	spoilt := append([]byte(nil), whole...)
	spoilt[len(spoilt)-12-2] ^= 0xff // in the checksum of IDAT
	if _, err := Decode(spoilt); err == nil {
		t.Error("pixels with a wrong checksum are drawn")
	}
	many := append([]byte(nil), whole[:afterHead]...)
	for range 1000 {
		many = append(many, profile...)
	}
	if p, err := ReadPicture(append(many, whole[afterHead:]...)); err != nil || len(p.Left) != mostNamed {
		t.Errorf("%d named, %v", len(p.Left), err)
	}
}

func TestOtherPicturesAreDecodedToo(t *testing.T) {
	const bmp = "BM\x3a\x00\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01\x00\x18\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xff\x00"
	const webp = "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"
	for text, format := range map[string]string{bmp: "BMP", webp: "WebP"} {
		p, err := ReadPicture([]byte(text))
		if err != nil || p.Format != format || p.W != 1 || p.H != 1 {
			t.Errorf("%s: %+v, %v", format, p, err)
		}
		if m, err := Decode([]byte(text)); err != nil || m.Bounds().Dx() != 1 {
			t.Errorf("%s: %v", format, err)
		}
	}
}

func TestWhatIsNoPictureIsAReason(t *testing.T) {
	good := encoded(t, "png", half(4, 4))
	huge := bytes.Clone(good)
	binary.BigEndian.PutUint32(huge[16:], 60000)
	binary.BigEndian.PutUint32(huge[20:], 60000)
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	passes := encoded(t, "jpeg", half(8, 8))
	passes = append(passes[:len(passes)-2:len(passes)-2], bytes.Repeat([]byte{0xff, 0xda, 0, 8, 1, 1, 0, 0, 0x3f, 0, 7}, 1000)...)
	for name, c := range map[string]struct {
		b    []byte
		want string
	}{
		"empty": {nil, "no bytes"}, "text": {[]byte("<svg/>"), "no picture that is known"}, "cut": {good[:40], "cannot be decoded"}, "head alone": {good[:20], "head cannot be read"},
		"huge": {huge, "60000 × 60000"}, "sound": {wav(4), "WAV"}, "tiff": {[]byte("II*\x00\x08"), "TIFF"}, "passes": {passes, "1001 times"},
	} {
		m, err := Decode(c.b)
		if err == nil || m != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestFirstBytesTellTheKind(t *testing.T) {
	for text, want := range map[string]string{
		"\x89PNG\r\n\x1a\n": "image/png", "RIFF....WEBP": "image/webp", "....WEBP": "", "RIFF....WAVE": "audio/wav", "BM\x00\x00\x00\x00\x00\x00\x00\x00........": "image/bmp", "BMW is a car, no picture": "",
		"%PDF-1.7": "application/pdf", "PK\x03\x04": "application/zip", "": "", "hello": "", "\xff\xfb\x90\x00": "audio/mpeg", "....ftypisom": "video/mp4", "\xff\xfeH\x00i\x00": "", "\xff\xfeT\x00i\x00": "",
	} {
		if got, _ := Sniff([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for _, c := range []struct {
		declared, shown string
		want            bool
	}{
		{"image/png", "image/png", true}, {"image/jpg", "image/jpeg", true}, {"IMAGE/PNG; x=y", "image/png", true}, {"image/jpeg", "image/png", false}, {"", "image/png", true},
		{"application/octet-stream", "image/png", true}, {"application/vnd.openxmlformats", "application/zip", true}, {"image/png", "application/zip", false}, {"image/png", "", true}, {"audio/wav", "audio/mpeg", false}, {"image/apng", "image/png", true}, {"image/heif", "image/heic", true},
	} {
		if got := Agree(c.declared, c.shown); got != c.want {
			t.Errorf("%s and %s: %v", c.declared, c.shown, got)
		}
	}
}

func TestFitKeepsTheShape(t *testing.T) {
	for _, c := range [][6]int{{240, 120, 80, 100, 80, 40}, {240, 120, 500, 500, 240, 120}, {100, 1000, 80, 50, 5, 50}, {1, 10000, 10, 10, 1, 10}, {10000, 1, 10, 10, 10, 1}, {0, 5, 10, 10, 0, 0}, {5, 5, 0, 9, 0, 0}} {
		if w, h := Fit(c[0], c[1], c[2], c[3]); w != c[4] || h != c[5] {
			t.Errorf("%v: %d × %d", c, w, h)
		}
	}
}

func FuzzReadAudio(f *testing.F) {
	for _, b := range [][]byte{wav(8), mp3(2, true), mp3(2, false), ogg("OpusHead\x01\x01\x38\x01\x80\xbb\x00\x00\x00\x00\x00", 48312), flac(1, 1, 1, 1), []byte("RIFF....WAVEdata\xff\xff\xff\xff")} {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		a, _ := ReadAudio(b)
		if a.Duration < 0 || a.Duration > maxDuration+time.Second || a.Rate < 0 || a.Channels < 0 || a.BitRate < 0 {
			t.Errorf("%+v", a)
		}
	})
}

func FuzzPicture(f *testing.F) {
	for _, format := range []string{"png", "jpeg", "gif"} {
		f.Add(encoded(f, format, half(3, 3)))
	}
	f.Add([]byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := ReadPicture(b)
		if err != nil || p.W*p.H > 1<<20 {
			return // a fuzzer that decodes large pictures finds nothing else
		}
		if m, err := Decode(b); err == nil {
			w, h := Fit(m.Bounds().Dx(), m.Bounds().Dy(), 20, 20)
			Scale(m, w, h)
		}
	})
}

func BenchmarkPictureOf16MegapixelsForAPane(b *testing.B) {
	m := half(4096, 4096)
	for b.Loop() {
		Scale(m, 160, 100)
	}
}
