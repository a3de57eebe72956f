package media

import (
	"bytes"
	"encoding/binary"
	"errors"
	"time"
)

// Audio is what the head of a recording says. Numbers are 0 where it does not say them.
type Audio struct {
	Format   string // "WAV", "MP3", "Ogg Vorbis", "Ogg Opus", "FLAC"
	Coding   string // what stands in a WAV: "PCM", "float", "A-law", "µ-law"
	MIME     string
	Duration time.Duration
	Guessed  bool // the duration is worked out from the bit rate at the beginning
	Rate     int  // samples a second
	Channels int
	Bits     int // of a sample
	BitRate  int // bits a second
}

// maxDuration bounds durations that heads claim: a year.
const maxDuration = 365 * 24 * time.Hour

// ReadAudio reads the head of a recording. The error says in words what is wrong; the Audio then holds what is known all the same.
func ReadAudio(b []byte) (Audio, error) {
	mime, name := Sniff(b)
	a := Audio{Format: name, MIME: mime}
	switch mime {
	case "audio/wav":
		return readWAV(b, a)
	case "audio/mpeg":
		return readMP3(b, a)
	case "audio/ogg":
		return readOgg(b, a)
	case "audio/flac":
		return readFLAC(b, a)
	case "":
		return a, errors.New("its first bytes are of no recording that is known here")
	}
	return a, nil
}

// lasting is n units of which so many fill a second, as a duration.
func lasting(n uint64, each uint64) time.Duration {
	if each == 0 || n/each > uint64(maxDuration/time.Second) {
		return 0
	}
	return time.Duration(n/each)*time.Second + time.Duration(n%each*uint64(time.Second)/each)
}

// readWAV walks the chunks of a RIFF file.
func readWAV(b []byte, a Audio) (Audio, error) {
	var perSecond uint32
	for at := 12; at+8 <= len(b); {
		id, size := string(b[at:at+4]), uint64(binary.LittleEndian.Uint32(b[at+4:]))
		body := b[at+8:]
		have := min(size, uint64(len(body)))
		switch id {
		case "fmt ":
			if have < 16 {
				return a, errors.New("its fmt chunk is cut short")
			}
			a.Coding = map[uint16]string{1: "PCM", 3: "float", 6: "A-law", 7: "µ-law", 0xfffe: "extensible"}[binary.LittleEndian.Uint16(body)]
			a.Channels, a.Rate = int(binary.LittleEndian.Uint16(body[2:])), int(binary.LittleEndian.Uint32(body[4:]))
			perSecond = binary.LittleEndian.Uint32(body[8:])
			a.Bits = int(binary.LittleEndian.Uint16(body[14:]))
			a.BitRate = int(perSecond) * 8
		case "data":
			a.Duration = lasting(have, uint64(perSecond))
			switch {
			case perSecond == 0:
				return a, errors.New("it does not say how many bytes a second takes")
			case have < size:
				return a, errors.New("it claims more bytes of sound than there are")
			}
			return a, nil
		}
		step := 8 + size + size&1
		if step > uint64(len(b)-at) {
			break
		}
		at += int(step)
	}
	return a, errors.New("there is no data chunk")
}

// mp3Frame is the head of one frame of MPEG audio.
type mp3Frame struct {
	version      int // 1, 2, or 3 for 2.5
	layer        int
	bitRate      int // bits a second
	rate         int
	channels     int
	samples      int // in one frame
	size         int // bytes, 0 for free format
	sideAndFrame int // bytes of head and side information
}

// Rates by the table of ISO 11172-3 and 13818-3, in thousand bits a second.
var mp3Rates = [2][3][15]int{
	{
		{0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448},
		{0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384},
		{0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320},
	}, {
		{0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256},
		{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
		{0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160},
	},
}

// readMP3Frame reads four bytes as the head of a frame.
func readMP3Frame(b []byte) (f mp3Frame, ok bool) {
	if len(b) < 4 || b[0] != 0xff || b[1]&0xe0 != 0xe0 {
		return f, false
	}
	version := [4]int{3, 0, 2, 1}[b[1]>>3&3]
	layer := [4]int{0, 3, 2, 1}[b[1]>>1&3]
	rate, bits := int(b[2]>>2&3), int(b[2]>>4)
	if version == 0 || layer == 0 || rate == 3 || bits == 15 || bits == 0 {
		return f, false
	}
	f.version, f.layer = version, layer
	f.rate = [3]int{44100, 48000, 32000}[rate] >> [4]int{0, 0, 1, 2}[version]
	f.bitRate = mp3Rates[min(version, 2)-1][layer-1][bits] * 1000
	f.channels = 2
	if b[3]>>6 == 3 {
		f.channels = 1
	}
	switch {
	case layer == 1:
		f.samples = 384
	case layer == 3 && version != 1:
		f.samples = 576
	default:
		f.samples = 1152
	}
	padding := int(b[2] >> 1 & 1)
	if layer == 1 {
		f.size = (12*f.bitRate/f.rate + padding) * 4
	} else {
		f.size = f.samples/8*f.bitRate/f.rate + padding
	}
	f.sideAndFrame = 4 + [2][2]int{{17, 32}, {9, 17}}[min(version, 2)-1][f.channels-1]
	return f, f.size >= 4
}

// maxSeek is how far the first frame is looked for.
const maxSeek = 64 << 10

func readMP3(b []byte, a Audio) (Audio, error) {
	at := 0
	if len(b) >= 10 && string(b[:3]) == "ID3" {
		at = 10 + (int(b[6]&0x7f)<<21 | int(b[7]&0x7f)<<14 | int(b[8]&0x7f)<<7 | int(b[9]&0x7f))
	}
	if at >= len(b) {
		return a, errors.New("behind its tag there is no sound")
	}
	for end := min(at+maxSeek, len(b)-4); at <= end; at++ {
		f, ok := readMP3Frame(b[at:])
		if !ok {
			continue
		}
		if next := at + f.size; next+4 <= len(b) { // by chance such bits stand anywhere: another frame has to follow
			if g, ok := readMP3Frame(b[next:]); !ok || g.rate != f.rate || g.layer != f.layer {
				continue
			}
		}
		a.Rate, a.Channels, a.BitRate = f.rate, f.channels, f.bitRate
		if frames, bytes, ok := mp3Frames(b[at:], f); ok {
			a.Duration = lasting(uint64(frames)*uint64(f.samples), uint64(f.rate))
			if s := a.Duration.Seconds(); s > 0 && bytes > 0 {
				a.BitRate = int(float64(bytes) * 8 / s)
			}
		} else {
			a.Duration, a.Guessed = lasting(uint64(len(b)-at)*8, uint64(f.bitRate)), true
		}
		return a, nil
	}
	return a, errors.New("there is no frame of sound in it")
}

// mp3Frames reads the number of frames, and bytes, from a Xing, Info or VBRI head in the first frame.
func mp3Frames(b []byte, f mp3Frame) (frames, size uint32, ok bool) {
	if x := f.sideAndFrame; len(b) >= x+16 && (bytes.Equal(b[x:x+4], []byte("Xing")) || bytes.Equal(b[x:x+4], []byte("Info"))) {
		flags := binary.BigEndian.Uint32(b[x+4:])
		if flags&1 == 0 {
			return 0, 0, false
		}
		if flags&2 != 0 {
			size = binary.BigEndian.Uint32(b[x+12:])
		}
		return binary.BigEndian.Uint32(b[x+8:]), size, true
	}
	if len(b) >= 4+32+18 && bytes.Equal(b[36:40], []byte("VBRI")) {
		return binary.BigEndian.Uint32(b[36+14:]), binary.BigEndian.Uint32(b[36+10:]), true
	}
	return 0, 0, false
}

// readOgg reads the first packet, and the position of the last page.
func readOgg(b []byte, a Audio) (Audio, error) {
	if len(b) < 28 || len(b) < 27+int(b[26]) {
		return a, errors.New("its first page is cut short")
	}
	packet := b[27+int(b[26]):]
	var skip, each uint64
	switch {
	case bytes.HasPrefix(packet, []byte("\x01vorbis")) && len(packet) >= 16:
		a.Format, a.Channels = "Ogg Vorbis", int(packet[11])
		a.Rate = int(binary.LittleEndian.Uint32(packet[12:]))
		each = uint64(a.Rate)
		if len(packet) >= 24 {
			a.BitRate = int(max(int32(binary.LittleEndian.Uint32(packet[20:])), 0))
		}
	case bytes.HasPrefix(packet, []byte("OpusHead")) && len(packet) >= 16:
		a.Format, a.Channels = "Ogg Opus", int(packet[9])
		a.Rate = int(binary.LittleEndian.Uint32(packet[12:]))
		skip, each = uint64(binary.LittleEndian.Uint16(packet[10:])), 48000 // positions count at 48 kHz, whatever went in (RFC 7845 §4)
	default:
		return a, errors.New("what it holds is neither Vorbis nor Opus")
	}
	tail := b[max(len(b)-maxSeek, 0):]
	for i := bytes.LastIndex(tail, []byte("OggS")); i >= 0; i = bytes.LastIndex(tail[:i], []byte("OggS")) {
		if len(tail)-i < 18 || !bytes.Equal(tail[i+14:i+18], b[14:18]) {
			continue
		}
		if end := binary.LittleEndian.Uint64(tail[i+6:]); end != 1<<64-1 {
			a.Duration = lasting(end-min(skip, end), each)
			return a, nil
		}
	}
	return a, nil
}

// readFLAC reads the STREAMINFO block, which has to be the first.
func readFLAC(b []byte, a Audio) (Audio, error) {
	if len(b) < 8+18 || b[4]&0x7f != 0 {
		return a, errors.New("its first block is not STREAMINFO")
	}
	v := binary.BigEndian.Uint64(b[18:])
	a.Rate, a.Channels, a.Bits = int(v>>44), int(v>>41&7)+1, int(v>>36&31)+1
	a.Duration = lasting(v&(1<<36-1), uint64(a.Rate))
	return a, nil
}
