package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"mcploupe/session/wire"
)

// recordings are the journals of one screen: the first server is recorded in the file of --record, each further one in a file of
// its own beside it, which has its name: run.jsonl, run-weather.jsonl, run-weather-2.jsonl. A server for which another file was
// asked is recorded there. The zero value is not ready.
type recordings struct {
	path  string // of --record; "" records what asks for it by itself
	force bool   // files of earlier runs are written over

	mu     sync.Mutex
	used   map[string]bool // in this run
	failed []error
}

func newRecordings(path string, force bool) *recordings {
	return &recordings{path: path, force: force, used: map[string]bool{}}
}

// mostOfName is how many servers of one name are recorded beside each other.
const mostOfName = 1000

// begin records a server that is called name; own are its flags. path is where, "" for nowhere. end is called once its log is closed.
func (r *recordings) begin(log *wire.Log, name string, own *flags) (path string, end func(), err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var file *wire.File
	switch {
	case own != nil && own.record != "":
		path = own.record
		file, err = create(path, own.force && !r.used[key(path)])
	case r.path == "":
		return "", func() {}, nil
	case !r.used[key(r.path)]:
		path = r.path
		file, err = create(path, r.force)
	default:
		path, file, err = r.beside(name)
	}
	if err != nil {
		return "", nil, err
	}
	r.used[key(path)] = true
	stop := wire.Record(log, file)
	return path, func() {
		if err := stop(); err != nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.failed = append(r.failed, err)
		}
	}, nil
}

// beside makes a file beside the first one.
func (r *recordings) beside(name string) (path string, file *wire.File, err error) {
	ext := filepath.Ext(r.path)
	stem := strings.TrimSuffix(r.path, ext) + "-" + fileName(name)
	for n := 1; n <= mostOfName; n++ {
		path = stem + ext
		if n > 1 {
			path = stem + "-" + strconv.Itoa(n) + ext
		}
		file, err = create(path, r.force && !r.used[key(path)])
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return path, file, err
}

// ended is what went wrong with recordings that have ended.
func (r *recordings) ended() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return errors.Join(r.failed...)
}

// key tells files apart, however they are spelled.
func key(path string) string { return absolute(filepath.Clean(path)) }

func create(path string, force bool) (*wire.File, error) {
	file, err := wire.Create(path, force)
	if err != nil {
		return nil, usage(hintExists(err), "recording: %w", err)
	}
	return file, nil
}

func hintExists(err error) string {
	if errors.Is(err, fs.ErrExist) {
		return "--force writes over it"
	}
	return ""
}

// recordable tells why nothing can be recorded in the file of --record, before it is made: there is no server yet.
func (f *flags) recordable() error {
	if f.record == "" {
		return nil
	}
	if _, err := os.Lstat(f.record); err == nil && !f.force {
		return usage("--force writes over it", "recording: %s exists", f.record)
	}
	if info, err := os.Stat(filepath.Dir(f.record)); err != nil || !info.IsDir() {
		return usage("", "recording: there is no directory %s", filepath.Dir(f.record))
	}
	return nil
}

// fileName is a name as a part of a file's name: letters, digits and what is harmless between them.
func fileName(name string) string {
	out := strings.FieldsFunc(name, func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c) && c != '_' && c != '.'
	})
	text := strings.Trim(strings.Join(out, "-"), ".-")
	if cut := []rune(text); len(cut) > 40 {
		text = string(cut[:40])
	}
	if text == "" {
		return "server"
	}
	return text
}
