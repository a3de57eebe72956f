package wire

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"time"

	"mcploupe/session/jsondoc"
)

// ErrNotJournal is what reading text that is no journal of ours ends with.
var ErrNotJournal = errors.New("not a journal of mcploupe")

// maxHeader bounds the first line: text that has no line end in it for so long is no journal.
const maxHeader = 64 << 10

// maxLine bounds a line in memory. The transports' caps keep what we write far below it.
const maxLine = 1 << 30

// JournalFault is a line that could not be read; its neighbours can.
type JournalFault struct {
	Line int // from 1, the header being 1
	Text string
}

func (f JournalFault) String() string { return fmt.Sprintf("line %d: %s", f.Line, f.Text) }

// Reader reads a journal entry by entry.
type Reader struct {
	in     *bufio.Reader
	number int // of the line read last
	last   Seq
	faults []JournalFault
}

// OpenJournal reads the header of a journal. The error is ErrNotJournal (wrapped) for other text, says which
// version a newer journal has, and is that of r when it cannot be read.
func OpenJournal(r io.Reader) (*Reader, error) {
	j := &Reader{in: bufio.NewReaderSize(r, maxHeader)}
	line, err := j.in.ReadSlice('\n')
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
		return nil, fmt.Errorf("reading the journal: %w", err)
	}
	j.number = 1
	header := jsondoc.Parse(line).Root()
	if errors.Is(err, bufio.ErrBufferFull) || header.Get("mcploupe").Text() != "journal" {
		return nil, fmt.Errorf("reading the journal: %w", ErrNotJournal)
	}
	switch version, ok := header.Get("version").Int(); {
	case !ok || version < 1:
		return nil, fmt.Errorf("reading the journal: %w: its version is unreadable", ErrNotJournal)
	case version > JournalVersion:
		return nil, fmt.Errorf("reading the journal: it has version %d, this program knows version %d and older", version, JournalVersion)
	}
	return j, nil
}

// Next is the next entry; io.EOF after the last. Lines that cannot be read are passed over and noted in
// Faults: a last line that was cut off, and whatever else somebody did to the file. Another error is that
// of the underlying reader.
func (j *Reader) Next() (Entry, error) {
	for {
		line, err := j.line()
		if err != nil && !errors.Is(err, io.EOF) {
			return Entry{}, fmt.Errorf("reading the journal: %w", err)
		}
		if !blank(line) {
			e, fault := readEntry(line)
			switch {
			case fault == "" && e.Seq <= j.last && j.last > 0:
				// References (Ending.Of and the like) go by number: a number that was there before would mislead them.
				j.fault(fmt.Sprintf("number %d comes after number %d", e.Seq, j.last))
			case fault == "":
				j.last = e.Seq
				return e, nil
			case err != nil:
				j.fault("the file ends inside this line (" + fault + ")")
			default:
				j.fault(fault)
			}
		}
		if err != nil {
			return Entry{}, io.EOF
		}
	}
}

// Faults are the lines that could not be read so far.
func (j *Reader) Faults() []JournalFault { return j.faults }

func (j *Reader) fault(text string) { j.faults = append(j.faults, JournalFault{j.number, text}) }

func (j *Reader) line() ([]byte, error) {
	j.number++
	var line []byte
	for {
		part, err := j.in.ReadSlice('\n')
		switch {
		case err == nil && line == nil:
			return append([]byte(nil), part...), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return append(line, part...), err
		}
		if line = append(line, part...); len(line) > maxLine {
			return nil, fmt.Errorf("line %d is longer than %d MiB", j.number, maxLine>>20)
		}
	}
}

// ReadAll reads a whole journal into memory: its entries and the lines that could not be read.
func ReadAll(r io.Reader) ([]Entry, []JournalFault, error) {
	j, err := OpenJournal(r)
	if err != nil {
		return nil, nil, err
	}
	var entries []Entry
	for {
		e, err := j.Next()
		if errors.Is(err, io.EOF) {
			return entries, j.Faults(), nil
		}
		if err != nil {
			return entries, j.Faults(), err
		}
		entries = append(entries, e)
	}
}

// readEntry reads one line; fault says in plain words why it cannot be read.
func readEntry(line []byte) (e Entry, fault string) {
	d := jsondoc.Parse(line)
	if !d.Valid() {
		return e, "no JSON"
	}
	root := d.Root()
	seq, ok := root.Get("seq").Int()
	if !ok || seq < 1 {
		return e, "no number"
	}
	at, err := time.Parse(time.RFC3339Nano, root.Get("at").Text())
	if err != nil {
		return e, "no time"
	}
	e.Seq, e.At = Seq(seq), at.UTC()
	switch {
	case root.Get("frame").Is(jsondoc.Object):
		e.Frame = recordedFrame(root.Get("frame"))
	case root.Get("lane").Is(jsondoc.Object):
		e.Lane = recordedLane(root.Get("lane"))
	case root.Get("state").Is(jsondoc.Object):
		v := root.Get("state")
		e.State = &State{Era: text(v, "era"), Version: text(v, "version"), Server: text(v, "server"), Target: text(v, "target"),
			Kind: text(v, "kind"), Text: text(v, "text"), Evidence: Seq(num(v, "evidence")),
			Try: int(num(v, "try")), Tries: int(num(v, "tries")), Pause: time.Duration(num(v, "pauseMs")) * time.Millisecond, Session: int(num(v, "session"))}
		e.State.Phase, _ = valueOf(phaseWords(), text(v, "phase"))
	case root.Get("ask").Is(jsondoc.Object):
		v := root.Get("ask")
		e.Ask = &Ask{Of: Seq(num(v, "of")), Key: text(v, "key"), Method: text(v, "method"), Params: text(v, "params"), Answer: text(v, "answer")}
	case root.Get("note").Is(jsondoc.Object):
		v := root.Get("note")
		e.Note = &Note{From: text(v, "from"), Level: text(v, "level"), Text: text(v, "text")}
	case root.Get("ending").Is(jsondoc.Object):
		v := root.Get("ending")
		e.Ending = &Ending{Of: Seq(num(v, "of")), Text: text(v, "text")}
		e.Ending.How, _ = valueOf(endWords(), text(v, "how"))
	case root.Get("fetch").Is(jsondoc.Object):
		e.Fetch = recordedFetch(root.Get("fetch"))
	default:
		return e, "no entry of a known kind"
	}
	return e, ""
}

// bytes64 is the member as exact bytes, from its text or its Base64; nil when there is neither.
func bytes64(v jsondoc.Value, name string) []byte {
	if t := v.Get(name); t.Is(jsondoc.String) {
		return []byte(t.Text())
	}
	if t := v.Get(name + "64"); t.Is(jsondoc.String) {
		b, err := base64.StdEncoding.DecodeString(t.Text())
		if err == nil {
			return b
		}
	}
	return nil
}

func text(v jsondoc.Value, name string) string { return string(bytes64(v, name)) }

func num(v jsondoc.Value, name string) int64 {
	n, _ := v.Get(name).Int()
	return n
}

func yes(v jsondoc.Value, name string) bool {
	b, ok := v.Get(name).Bool()
	return b && ok
}

func texts(v jsondoc.Value, name string) []string {
	var list []string
	for _, t := range v.Get(name).Elements() {
		if t.Is(jsondoc.Object) {
			list = append(list, text(t, "text"))
		} else {
			list = append(list, t.Text())
		}
	}
	return list
}

func recordedHead(v jsondoc.Value) *Head {
	if v = v.Get("http"); !v.Is(jsondoc.Object) {
		return nil
	}
	h := &Head{Method: text(v, "method"), URL: text(v, "url"), Status: int(num(v, "status")), Proto: text(v, "proto"),
		Waited: micros(num(v, "waitedUs")), Dialed: micros(num(v, "dialedUs"))}
	for _, f := range v.Get("header").Elements() {
		h.Header = append(h.Header, Field{text(f, "name"), text(f, "value")})
	}
	return h
}

// micros is a time in microseconds; nothing for what no clock says.
func micros(n int64) time.Duration {
	if n < 0 || n > int64(1<<62/time.Microsecond) {
		return 0
	}
	return time.Duration(n) * time.Microsecond
}

func recordedFrame(v jsondoc.Value) *Frame {
	f := &Frame{Dir: Sent, Lane: uint32(num(v, "lane")), HTTP: recordedHead(v), Why: text(v, "why"), Before: bytes64(v, "before"),
		Lines: int(num(v, "lines")), Dropped: num(v, "dropped"), Masked: yes(v, "masked"), Body: bytes64(v, "body")}
	if text(v, "dir") == "received" {
		f.Dir = Received
	}
	for _, word := range texts(v, "shape") {
		s, _ := valueOf(shapeWords(), word)
		f.Shape |= s
	}
	if e := v.Get("event"); e.Is(jsondoc.Object) {
		f.Event = &Event{Name: text(e, "name"), ID: text(e, "id"), Retry: text(e, "retry"), Comments: texts(e, "comments"),
			NoData: yes(e, "nodata"), Raw: bytes64(e, "raw")}
	}
	return f.Seal()
}

func recordedLane(v jsondoc.Value) *Lane {
	l := &Lane{ID: uint32(num(v, "id")), HTTP: recordedHead(v), Text: text(v, "text")}
	if l.Kind, _ = valueOf(laneWords(), text(v, "kind")); l.Kind == LaneOpen && l.HTTP != nil {
		l.Resumes = uint32(num(v, "resumes"))
	}
	if x := v.Get("exit"); x.Is(jsondoc.Object) {
		l.Exit = &Exit{Argv: texts(x, "argv"), Dir: text(x, "dir"), Code: int(num(x, "code")), Signal: text(x, "signal"),
			Stderr: texts(x, "stderr"), Ours: yes(x, "ours"), Late: yes(x, "late")}
	}
	return l
}
