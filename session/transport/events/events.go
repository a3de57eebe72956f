// Package events reads text/event-stream, the format of server-sent events (HTML standard, §9.2.6), from
// bytes that come in pieces. Unlike a browser it also tells what the standard throws away: comments,
// blocks without data, the raw text of a block, and an event that the end of the stream cut off.
//
// It is pure: no clock, no network, no goroutine. It must never know what the data of an event means.
package events

import "bytes"

// DefaultMax is the length of an event up to which it is kept whole.
const DefaultMax = 64 << 20

// Event is one block of the stream: the lines up to a blank one.
type Event struct {
	// Name is the value of the last event field; "" means "message".
	Name string
	// ID is the value of the last id field of this block. HasID tells an empty one from none.
	ID    string
	HasID bool
	// Retry is the raw value of the last retry field, whether it is a number or not.
	Retry string
	// Data is what the data fields hold, joined by line feeds. HasData tells empty data from a block
	// that had no data field; such a block is no event to the standard.
	Data    []byte
	HasData bool
	// Comments are the comment lines, without the colon, as they stood; at most MaxComments of them.
	Comments []string
	// Raw is the block as it stood, with its line ends but without the blank line that ends it, when it
	// was anything but plain lines "event: …", "id: …", "data: …" (each at most once, in this order,
	// ending in LF); else nil. Of a block over the limit it is nil.
	Raw []byte
	// Cut says that the stream ended before the blank line. The standard drops such a block: it was
	// never dispatched.
	Cut bool
	// Dropped is how many bytes in the middle of Data were left out, because the block was over the limit.
	Dropped int64
}

// MaxComments is how many comment lines of one block are kept.
const MaxComments = 1000

// Parser reads one stream. The zero Parser is ready. How the bytes are divided over calls of Feed does
// not matter.
type Parser struct {
	// Max is the length of a block in bytes up to which it is kept whole; 0 means DefaultMax.
	Max int

	out   []Event
	line  []byte // the begun line
	fate  fate   // of the rest of the begun line
	begun bool   // a line was read: no byte order mark may follow
	cr    bool   // the last line ended in CR: a LF that follows belongs to it

	// The block that is being read.
	event Event
	any   bool   // it has a line
	plain stage  // which plain lines it has so far
	odd   bool   // it is not plain; raw holds it
	raw   []byte // of all lines so far, when odd
	size  int    // of all lines so far
	clip  *Clip  // takes the data when the block is over the limit
}

// fate is what becomes of the rest of a line.
type fate uint8

const (
	keep    fate = iota
	clipped      // it is data of a block over the limit
	ignored      // it is another field of such a block
)

// stage is a set of plain lines, in their order.
type stage uint8

const (
	hasName stage = 1 << iota
	hasID
	hasData
)

// Feed takes the next bytes and returns the blocks that ended in them. It does not keep b.
func (p *Parser) Feed(b []byte) []Event {
	lf := -1 // the next line feed at or behind the start of b: -1 unknown, len(b) none
	for len(b) > 0 {
		if p.cr {
			if p.cr = false; b[0] == '\n' {
				if p.any && p.clip == nil {
					p.raw = append(p.raw, '\n')
				}
				b = b[1:]
				lf--
				continue
			}
		}
		if lf < 0 {
			if lf = bytes.IndexByte(b, '\n'); lf < 0 {
				lf = len(b)
			}
		}
		i := lf
		if cr := bytes.IndexByte(b[:lf], '\r'); cr >= 0 {
			i = cr
		}
		if i == len(b) {
			p.add(b)
			break
		}
		line, own := b[:i], false
		if len(p.line) > 0 || p.fate != keep || p.size+i >= p.max() {
			p.add(line)
			line, own = p.line, true
			p.line = nil
		}
		p.cr = b[i] == '\r'
		p.end(line, own, b[i:i+1])
		b = b[i+1:]
		lf -= i + 1
	}
	out := p.out
	p.out = nil
	return out
}

// End says that the stream is over, and returns the block that this cut off, if any.
func (p *Parser) End() (Event, bool) {
	if line := p.line; len(line) > 0 || p.fate != keep {
		p.line = nil
		p.end(line, true, nil)
	}
	if !p.any {
		return Event{}, false
	}
	p.dispatch()
	e := p.out[len(p.out)-1]
	p.out = nil
	e.Cut = true
	return e, true
}

func (p *Parser) max() int {
	if p.Max <= 0 {
		return DefaultMax
	}
	return p.Max
}

// add takes bytes of the begun line.
func (p *Parser) add(b []byte) {
	if p.fate == keep {
		// Enough in any case to see whether it is data.
		room := max(len("data: "), p.max()-p.size) - len(p.line)
		if len(b) <= room {
			p.line = append(p.line, b...)
			return
		}
		p.line = append(p.line, b[:room+1]...) // the first byte too many decides, however the bytes come
		b = b[room+1:]
		p.overflow()
	}
	if p.fate == clipped {
		p.clip.Write(b)
	}
}

// startClip gives the raw text of the block up, and keeps of its data head and tail from now on.
func (p *Parser) startClip() {
	if p.clip == nil {
		p.clip = NewClip(p.max())
		p.clip.Write(p.event.Data)
		p.event.Data, p.raw, p.odd, p.size = nil, nil, true, 0
	}
}

// overflow decides the fate of a begun line that makes the block too long.
func (p *Parser) overflow() {
	p.startClip()
	p.any, p.begun = true, true
	if !bytes.HasPrefix(p.line, []byte("data:")) {
		p.fate = ignored
		p.line = p.line[:min(len(p.line), 1024)]
		return
	}
	value := p.line[len("data:"):]
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	p.data(value, false)
	p.fate, p.line = clipped, nil
}

// end takes a whole line, or of a line over the limit what was kept. own: its memory is the parser's.
func (p *Parser) end(line []byte, own bool, eol []byte) {
	if p.fate == clipped {
		p.fate = keep
		return
	}
	p.fate = keep
	bom := false
	if !p.begun {
		p.begun = true
		bom = bytes.HasPrefix(line, []byte("\xEF\xBB\xBF"))
	}
	if len(line) == 0 || bom && len(line) == 3 {
		p.dispatch()
		return
	}
	p.any = true
	if p.clip == nil {
		if p.size += len(line) + 1; p.size > p.max()+1 {
			p.startClip()
		}
	}
	field := line
	if bom {
		field = line[3:]
	}
	p.remember(line, eol, bom)
	p.field(field, own)
}

// remember keeps the line in raw if the block is not plain, or is not plain from this line on.
func (p *Parser) remember(line, eol []byte, bom bool) {
	if p.clip != nil {
		return
	}
	if !p.odd {
		next := plainStage(line)
		if next > p.plain && !bom && len(eol) == 1 && eol[0] == '\n' {
			p.plain |= next
			return
		}
		p.odd = true
		if p.plain&hasName != 0 {
			p.raw = append(append(append(p.raw, "event: "...), p.event.Name...), '\n')
		}
		if p.plain&hasID != 0 {
			p.raw = append(append(append(p.raw, "id: "...), p.event.ID...), '\n')
		}
		if p.plain&hasData != 0 {
			p.raw = append(append(append(p.raw, "data: "...), p.event.Data...), '\n')
		}
	}
	p.raw = append(append(p.raw, line...), eol...)
}

// plainStage is the stage of a line that can be told again from the field's value; 0 for any other.
func plainStage(line []byte) stage {
	switch {
	case bytes.HasPrefix(line, []byte("data: ")):
		return hasData
	case bytes.HasPrefix(line, []byte("event: ")):
		return hasName
	case bytes.HasPrefix(line, []byte("id: ")) && bytes.IndexByte(line, 0) < 0:
		return hasID
	}
	return 0
}

func (p *Parser) field(line []byte, own bool) {
	name, value, colon := bytes.Cut(line, []byte{':'})
	if len(value) > 0 && value[0] == ' ' && len(name) > 0 {
		value = value[1:]
	}
	e := &p.event
	switch string(name) {
	case "":
		if colon && len(e.Comments) < MaxComments {
			e.Comments = append(e.Comments, string(value))
		}
	case "event":
		e.Name = string(value)
	case "data":
		p.data(value, own)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			e.ID, e.HasID = string(value), true
		}
	case "retry":
		e.Retry = string(value)
	}
}

func (p *Parser) data(value []byte, own bool) {
	e := &p.event
	first := !e.HasData
	e.HasData = true
	switch {
	case p.clip != nil:
		if !first {
			p.clip.Write([]byte{'\n'})
		}
		p.clip.Write(value)
	case !first:
		e.Data = append(append(e.Data, '\n'), value...)
	case own:
		e.Data = value[:len(value):len(value)]
	default:
		e.Data = append(make([]byte, 0, len(value)), value...)
	}
}

// dispatch ends the block. Blank lines that end nothing are passed over.
func (p *Parser) dispatch() {
	if !p.any {
		return
	}
	e := p.event
	e.Raw = p.raw
	if p.clip != nil {
		e.Data, e.Dropped = p.clip.End()
	}
	p.out = append(p.out, e)
	p.event, p.any, p.plain, p.odd, p.raw, p.size, p.clip = Event{}, false, 0, false, nil, 0, nil
}
