package media

import (
	"encoding/binary"
	"hash/crc32"
)

// mostNamed is how many parts are named; a stranger's file may have any number.
const mostNamed = 4

// mend leaves the ancillary chunks of a PNG out whose checksum is wrong, and names them: a colour profile, a comment. Viewers
// pass over them, and the picture is whole without them; Go's decoder refuses the file. A wrong checksum of what makes up the picture
// stays. Without such chunks b itself comes back. Source: PNG (third edition) §5.3, §5.4.
func mend(b []byte) (out []byte, names []string) {
	const head, length = 8, 12 // the signature; length, type and checksum of a chunk
	from := 0
	for at := head; at+length <= len(b); {
		n := int64(binary.BigEndian.Uint32(b[at:]))
		end := int64(at) + length + n
		if end > int64(len(b)) {
			break
		}
		body := b[at+4 : end-4]
		if ancillary := body[0]&0x20 != 0; ancillary && crc32.ChecksumIEEE(body) != binary.BigEndian.Uint32(b[end-4:]) {
			out = append(out, b[from:at]...)
			if len(names) < mostNamed {
				names = append(names, string(body[:4]))
			}
			from = int(end)
		}
		at = int(end)
	}
	if from == 0 {
		return b, nil
	}
	return append(out, b[from:]...), names
}
