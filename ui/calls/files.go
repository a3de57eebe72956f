package calls

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Dir is where a project keeps its saved calls, below its directory.
const Dir = ".mcploupe/calls"

// mostFiles bounds how many files of one directory are read.
const mostFiles = 500

// File is a saved call as it lies in a directory; Err says why it cannot be used.
type File struct {
	Path, Name string // Name: without directory and ending
	Call       Call
	Err        error
}

// List reads the files that end in .json in directories, by name; a directory that does not exist holds none.
func List(dirs ...string) []File {
	var out []File
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // nothing was ever saved there
		}
		n := 0
		for _, e := range entries {
			name, ok := strings.CutSuffix(e.Name(), ".json")
			if !ok || e.IsDir() {
				continue
			}
			if n++; n > mostFiles {
				break
			}
			path := filepath.Join(dir, e.Name())
			c, err := Open(path)
			out = append(out, File{path, name, c, err})
		}
	}
	return out
}

// Open reads one file. What is no regular file (a pipe, a device) is not opened.
func Open(path string) (Call, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Call{}, err
	}
	if !info.Mode().IsRegular() || info.Size() > mostBytes {
		return Call{}, fmt.Errorf("%s is no file of at most 1 MiB", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return Call{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil {
		return Call{}, err
	}
	return Parse(text)
}

// Save writes a call into a directory, which is made when it is not there. A file of that name is never written over.
func Save(dir, name string, c Call) (path string, err error) {
	file, err := fileName(name)
	if err != nil {
		return "", err
	}
	if len(c.Format()) > mostBytes {
		return "", errors.New("it is larger than 1 MiB")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path = filepath.Join(dir, file+".json")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s exists already: take another name", filepath.Base(path))
	}
	if err != nil {
		return "", err
	}
	_, err = f.Write(c.Format())
	return path, errors.Join(err, f.Close())
}

// fileName is a name that a person gave as the name of a file: blanks become hyphens; what some system cannot have is refused.
func fileName(name string) (string, error) {
	name = strings.Join(strings.Fields(strings.TrimSuffix(strings.TrimSpace(name), ".json")), "-")
	switch {
	case name == "":
		return "", errors.New("it needs a name")
	case len(name) > 100:
		return "", errors.New("the name is too long")
	case strings.HasPrefix(name, "."), strings.ContainsAny(name, `/\:*?"<>|`), strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\ufffd' }):
		return "", errors.New(`the name is made of letters, digits and blanks, without / \ : * ? " < > |`)
	}
	return name, nil
}
