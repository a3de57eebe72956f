package cli

import (
	"fmt"
	"io"
	"os"
	"strings"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// isJournal tells whether the word for a target names a recorded journal.
func isJournal(word, config string) bool {
	if config != "" || strings.Contains(word, "://") {
		return false
	}
	info, err := os.Stat(word)
	return err == nil && info.Mode().IsRegular()
}

// readJournal judges a recorded conversation as if it were seen live.
func (f *flags) readJournal(io streams, path string) (*run, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	log, info, err := openJournal(path, io.err)
	if err != nil {
		return nil, err
	}
	f.walks = true
	r := f.reader(io)
	log.Close()
	r.follow(log)
	r.finish(info)
	return r, nil
}

// openJournal reads a journal file into a log, and finds in it what is known of the server.
func openJournal(path string, warn io.Writer) (*wire.Log, session.Info, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, session.Info{}, usage("", "opening the journal: %w", err)
	}
	defer file.Close()
	entries, err := journalEntries(path, file, warn)
	if err != nil {
		return nil, session.Info{}, err
	}
	return filled(entries), known(entries), nil
}

// journalEntries reads a journal as far as it can be read; name is what it is called.
func journalEntries(name string, file io.Reader, warn io.Writer) ([]wire.Entry, error) {
	entries, faults, err := wire.ReadAll(file)
	if err != nil {
		return nil, usage("journals are written by --record FILE", "reading %s: %w", name, err)
	}
	for _, f := range faults {
		fmt.Fprintf(warn, "mcploupe: %s, %s; the rest is used\n", safe(name), safe(f.String()))
	}
	return entries, nil
}

func filled(entries []wire.Entry) *wire.Log {
	log := wire.NewLog(wire.LogOptions{})
	for _, e := range entries {
		log.Append(e)
	}
	return log
}

// known is what a journal's entries say of the server.
func known(entries []wire.Entry) (info session.Info) {
	for i := range entries {
		gather(&info, &entries[i])
	}
	return info
}

// gather takes what an entry says about the connection.
func gather(info *session.Info, e *wire.Entry) {
	s := e.State
	if s == nil {
		return
	}
	info.Era, info.Version, info.Kind, info.Target = s.Era, s.Version, s.Kind, s.Target
	if s.Server != "" {
		info.Server = jsondoc.Parse([]byte(s.Server)).Root()
	}
}
