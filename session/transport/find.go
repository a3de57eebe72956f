package transport

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// errNotFound says that no directory of the PATH has the command.
var errNotFound = errors.New("command not found")

// findProgram finds the file of a command as a shell does, by the PATH that the child will have; by ours when it will have none, as with
// CleanEnv: where its program lies tells a child nothing. A command with a path is relative to the child's directory.
func findProgram(name, dir string, vars []Variable) (string, *StartError) {
	fail := func(err error) *StartError { return &StartError{Argv0: name, Dir: dir, Err: err} }
	if name == "" {
		return "", fail(errors.New("the command is empty"))
	}
	exts := programExts(name, vars)
	path := expandHome(name)
	if strings.ContainsRune(path, '/') || filepath.Base(path) != path {
		if !filepath.IsAbs(path) && dir != "" {
			path = filepath.Join(dir, path)
		}
		file, err := programAt(path, exts)
		if err == nil {
			return file, nil
		}
		e := fail(err)
		if errors.Is(err, fs.ErrNotExist) {
			e.Near = near(filepath.Base(path), []string{filepath.Dir(path)})
			if e.Hint = blankHint(name); e.Hint == "" && len(e.Near) == 0 {
				e.Hint = missingHint(path)
			}
		}
		return "", e
	}
	e := fail(errNotFound)
	search, given := lookupGiven(vars, "PATH")
	if !given {
		search = os.Getenv("PATH")
	}
	for _, d := range filepath.SplitList(search) {
		if !filepath.IsAbs(d) {
			continue // "" and "." would run whatever lies in the current directory
		}
		e.Searched = append(e.Searched, d)
		file, err := programAt(filepath.Join(d, path), exts)
		if err == nil {
			return file, nil
		}
		if !errors.Is(err, fs.ErrNotExist) && errors.Is(e.Err, errNotFound) {
			e.Err = err // there, but not to be run: more to the point than "not found"
		}
	}
	e.Near = near(name, e.Searched)
	if e.Hint = blankHint(name); e.Hint == "" {
		e.Hint = installHint(name)
	}
	return "", e
}

// programExts are the endings to try: PATHEXT on Windows, before it the name as it is when it has one of them.
func programExts(name string, vars []Variable) []string {
	if runtime.GOOS != "windows" {
		return []string{""}
	}
	list := lookup(vars, "PATHEXT")
	if list == "" {
		list = ".COM;.EXE;.BAT;.CMD"
	}
	var exts []string
	for ext := range strings.SplitSeq(strings.ToLower(list), ";") {
		if ext != "" {
			exts = append(exts, ext)
		}
	}
	if slices.Contains(exts, strings.ToLower(filepath.Ext(name))) {
		exts = slices.Insert(exts, 0, "")
	}
	return exts
}

// programAt is the file that path names, if it can be run.
func programAt(path string, exts []string) (string, error) {
	err := error(fs.ErrNotExist)
	for _, ext := range exts {
		info, e := os.Stat(path + ext)
		switch {
		case e != nil:
			if !errors.Is(e, fs.ErrNotExist) {
				err = e
			}
		case info.IsDir():
			err = fmt.Errorf("%s is a directory", path+ext)
		case runtime.GOOS != "windows" && info.Mode()&0o111 == 0:
			err = fmt.Errorf("%s is not executable: %w", path+ext, fs.ErrPermission)
		default:
			return path + ext, nil
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%s: %w", path, errNoFile)
	}
	return "", err
}

// errNoFile reads better than what the system says of a path, and is fs.ErrNotExist.
var errNoFile = noFile{}

type noFile struct{}

func (noFile) Error() string        { return "no such file" }
func (noFile) Is(target error) bool { return target == fs.ErrNotExist }

// missingHint says how much of a path is there: often it is a directory that is spelled wrong, or relative to another one.
func missingHint(path string) string {
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		if filepath.IsAbs(path) {
			return "there is a directory " + dir + ", but nothing of that name in it"
		}
		here, err := os.Getwd()
		if err != nil {
			return ""
		}
		return "looked for as " + filepath.Join(here, path) + "; --cwd DIR begins somewhere else"
	}
	for dir != filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Dir(dir)); err == nil {
			break
		}
		dir = filepath.Dir(dir)
	}
	return "there is no directory " + dir
}

// blankHint speaks up when a whole command line was given as the command.
func blankHint(name string) string {
	first, rest, ok := strings.Cut(strings.TrimSpace(name), " ")
	if !ok || rest == "" || strings.ContainsAny(first, `/\`) && strings.ContainsAny(rest, `/\`) && !strings.Contains(rest, " ") {
		return ""
	}
	return fmt.Sprintf("give the command and its arguments as separate words: %s, then %s", quoteArg(first), rest)
}

// installHint says where a command that starts many servers comes from.
func installHint(name string) string {
	switch strings.TrimSuffix(strings.ToLower(name), ".cmd") {
	case "npx", "npm", "node":
		return "it comes with Node.js, which is not installed or not on this PATH"
	case "uvx", "uv":
		return "it comes with uv, which is not installed or not on this PATH"
	case "docker", "podman", "bunx", "bun", "deno", "go", "dotnet", "java", "cargo":
		return "it is not installed, or not on this PATH"
	}
	return ""
}
