package wire

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
)

// A journal file is JSON lines: a header, then one entry a line, in the order of their numbers.
//
//	{"mcploupe":"journal","version":1,"created":"2026-08-01T12:00:00Z"}
//	{"seq":1,"at":"2026-08-01T12:00:00.01Z","frame":{"dir":"sent","lane":1,"http":{…},"body":"{\"jsonrpc\":…}"}}
//	{"seq":2,"at":"…","lane":{"id":1,"kind":"eof"}}
//
// Members with nothing in them are left out. Texts are JSON strings, so that the file can be searched with
// ordinary tools; a text that is not valid UTF-8 stands in Base64 under its name with 64 behind it (body64).
// The file holds what the Log holds, with secrets masked there. Readers skip members that they do not know;
// what older readers would misunderstand needs a new version and a converter from the one before.

// JournalVersion is the version of the format that is written.
const JournalVersion = 1

// File is a journal file that is being written. It is safe for several goroutines.
type File struct {
	mu     sync.Mutex
	f      *os.File
	buf    []byte
	broken bool // the last write stopped inside a line
}

// Create makes a journal file that only its owner can read (0600), and writes its header. A file that
// exists is an error (fs.ErrExist), unless force says to overwrite it.
func Create(path string, force bool) (*File, error) {
	mode := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if force {
		mode = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	f, err := os.OpenFile(path, mode, 0o600)
	if err != nil {
		return nil, fmt.Errorf("creating the journal: %w", err)
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Mode().Perm() != 0o600 {
		if err := f.Chmod(0o600); err != nil && !errors.Is(err, fs.ErrInvalid) {
			f.Close()
			return nil, fmt.Errorf("creating the journal: %w", err)
		}
	}
	w := &File{f: f}
	header := fmt.Sprintf(`{"mcploupe":"journal","version":%d,"created":%q}`+"\n", JournalVersion, time.Now().UTC().Format(time.RFC3339))
	if err := w.write([]byte(header)); err != nil {
		f.Close()
		return nil, err
	}
	return w, nil
}

// Write adds an entry with one write to the system, so that the file is complete to the last entry
// however the program ends. An entry with a number of 0 is written as it is.
func (w *File) Write(e Entry) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buf = w.buf[:0]
	if w.broken {
		w.buf = append(w.buf, '\n') // close the line that was cut off; readers pass over it
	}
	w.buf = appendEntry(w.buf, e)
	w.buf = append(w.buf, '\n')
	err := w.write(w.buf)
	if cap(w.buf) > 1<<20 {
		w.buf = nil
	}
	return err
}

func (w *File) write(line []byte) error {
	n, err := w.f.Write(line)
	if err != nil {
		w.broken = w.broken || n > 0
		return fmt.Errorf("writing the journal: %w", err)
	}
	w.broken = false
	return nil
}

// Close closes the file.
func (w *File) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.f.Close(); err != nil {
		return fmt.Errorf("closing the journal: %w", err)
	}
	return nil
}

// Record writes every entry of the log to the file, from the first, in a goroutine that follows the log.
// Readers of the log get what is in the file, so that a crash while an entry is judged or shown cannot
// take it along; whoever appends never waits. (A second recording of one log follows as a reader does.)
//
// It ends by stop, which first writes what was appended before it was called and then closes the file,
// or when the log is closed. The first error ends the recording; stop returns it, and a note in the log
// says it at once.
func Record(l *Log, f *File) (stop func() error) {
	halt, done := make(chan struct{}), make(chan struct{})
	first := l.hold()
	var err error
	go func() {
		defer close(done)
		if err = record(l, f, first, halt); err != nil {
			l.Append(Entry{Note: &Note{From: "client", Level: "error", Text: "the recording has ended: " + err.Error()}})
		}
		if first {
			l.recorded(0, true)
		}
	}()
	var once sync.Once
	return func() error {
		once.Do(func() {
			close(halt)
			<-done
			if closed := f.Close(); err == nil {
				err = closed
			}
		})
		return err
	}
}

func record(l *Log, f *File, first bool, halt <-chan struct{}) error {
	after := l.After
	if first {
		after = l.unrecorded
	}
	var last, until Seq
	for halted := false; !halted || last < until; {
		entries, more := after(last)
		for _, e := range entries {
			if err := f.Write(e); err != nil {
				return err
			}
			last = e.Seq
		}
		if first && len(entries) > 0 {
			l.recorded(last, false)
		}
		if more == nil {
			return nil
		}
		if halted {
			continue
		}
		select {
		case <-more:
		case <-halt:
			halted, until = true, l.Last()
		}
	}
	return nil
}

// members64 writes the members of one JSON object; empty values are left out.
type members64 struct {
	dst   []byte
	empty bool
}

func begin(dst []byte) members64 { return members64{append(dst, '{'), true} }

func (o *members64) key(name, suffix string) {
	if !o.empty {
		o.dst = append(o.dst, ',')
	}
	o.empty = false
	o.dst = append(o.dst, '"')
	o.dst = append(o.dst, name...)
	o.dst = append(o.dst, suffix...)
	o.dst = append(o.dst, '"', ':')
}

func (o *members64) text(name, s string) {
	if s != "" {
		o.always(name, s)
	}
}

func (o *members64) always(name, s string) {
	if utf8.ValidString(s) {
		o.key(name, "")
		o.dst = jsondoc.AppendQuote(o.dst, s)
		return
	}
	o.key(name, "64")
	o.dst = append(o.dst, '"')
	o.dst = base64.StdEncoding.AppendEncode(o.dst, []byte(s))
	o.dst = append(o.dst, '"')
}

func (o *members64) num(name string, n int64) {
	if n != 0 {
		o.key(name, "")
		o.dst = strconv.AppendInt(o.dst, n, 10)
	}
}

func (o *members64) flag(name string, on bool) {
	if on {
		o.key(name, "")
		o.dst = append(o.dst, "true"...)
	}
}

// texts writes a list of {"text":…} objects, which can hold any bytes.
func (o *members64) texts(name string, list []string) {
	if len(list) == 0 {
		return
	}
	o.key(name, "")
	for i, s := range list {
		o.dst = append(o.dst, "[,"[min(i, 1)])
		if utf8.ValidString(s) {
			o.dst = jsondoc.AppendQuote(o.dst, s)
			continue
		}
		in := begin(o.dst)
		in.always("text", s)
		o.dst = append(in.dst, '}')
	}
	o.dst = append(o.dst, ']')
}

func (o *members64) object(name string, fill func(*members64)) {
	o.key(name, "")
	in := begin(o.dst)
	fill(&in)
	o.dst = append(in.dst, '}')
}

func (o *members64) head(h *Head) {
	if h == nil {
		return
	}
	o.object("http", func(o *members64) {
		o.text("method", h.Method)
		o.text("url", h.URL)
		o.num("status", int64(h.Status))
		o.text("proto", h.Proto)
		o.num("waitedUs", h.Waited.Microseconds())
		o.num("dialedUs", h.Dialed.Microseconds())
		if len(h.Header) == 0 {
			return
		}
		o.key("header", "")
		for i, f := range h.Header {
			o.dst = append(o.dst, "[,"[min(i, 1)])
			in := begin(o.dst)
			in.always("name", f.Name)
			in.always("value", f.Value)
			o.dst = append(in.dst, '}')
		}
		o.dst = append(o.dst, ']')
	})
}

func appendEntry(dst []byte, e Entry) []byte {
	o := begin(dst)
	o.num("seq", int64(e.Seq))
	o.always("at", e.At.UTC().Format(time.RFC3339Nano))
	switch {
	case e.Frame != nil:
		o.object("frame", e.Frame.record)
	case e.Lane != nil:
		o.object("lane", e.Lane.record)
	case e.State != nil:
		s := e.State
		o.object("state", func(o *members64) {
			o.text("phase", wordOf(phaseWords(), s.Phase))
			o.text("era", s.Era)
			o.text("version", s.Version)
			o.text("server", s.Server)
			o.text("target", s.Target)
			o.text("kind", s.Kind)
			o.text("text", s.Text)
			o.num("evidence", int64(s.Evidence))
			o.num("try", int64(s.Try))
			o.num("tries", int64(s.Tries))
			o.num("pauseMs", s.Pause.Milliseconds())
			o.num("session", int64(s.Session))
		})
	case e.Ask != nil:
		a := e.Ask
		o.object("ask", func(o *members64) {
			o.num("of", int64(a.Of))
			o.text("key", a.Key)
			o.text("method", a.Method)
			o.text("params", a.Params)
			o.text("answer", a.Answer)
		})
	case e.Note != nil:
		n := e.Note
		o.object("note", func(o *members64) {
			o.text("from", n.From)
			o.text("level", n.Level)
			o.text("text", n.Text)
		})
	case e.Ending != nil:
		x := e.Ending
		o.object("ending", func(o *members64) {
			o.num("of", int64(x.Of))
			o.text("how", wordOf(endWords(), x.How))
			o.text("text", x.Text)
		})
	case e.Fetch != nil:
		o.object("fetch", e.Fetch.record)
	}
	return append(o.dst, '}')
}

func (f *Frame) record(o *members64) {
	dir := "sent"
	if f.Dir == Received {
		dir = "received"
	}
	o.text("dir", dir)
	o.num("lane", int64(f.Lane))
	o.head(f.HTTP)
	if e := f.Event; e != nil {
		o.object("event", func(o *members64) {
			o.text("name", e.Name)
			o.text("id", e.ID)
			o.text("retry", e.Retry)
			o.texts("comments", e.Comments)
			o.flag("nodata", e.NoData)
			o.text("raw", string(e.Raw))
		})
	}
	o.text("why", f.Why)
	var shapes []string
	for _, s := range shapeWords() {
		if f.Shape&s.value != 0 {
			shapes = append(shapes, s.word)
		}
	}
	o.texts("shape", shapes)
	o.text("before", string(f.Before))
	o.num("lines", int64(f.Lines))
	o.num("dropped", f.Dropped)
	o.flag("masked", f.Masked)
	o.always("body", string(f.Body))
}

func (l *Lane) record(o *members64) {
	o.num("id", int64(l.ID))
	o.text("kind", wordOf(laneWords(), l.Kind))
	o.head(l.HTTP)
	o.text("text", l.Text)
	o.num("resumes", int64(l.Resumes))
	if x := l.Exit; x != nil {
		o.object("exit", func(o *members64) {
			o.texts("argv", x.Argv)
			o.text("dir", x.Dir)
			o.num("code", int64(x.Code))
			o.text("signal", x.Signal)
			o.texts("stderr", x.Stderr)
			o.flag("ours", x.Ours)
			o.flag("late", x.Late)
		})
	}
}
