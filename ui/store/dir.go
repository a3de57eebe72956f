package store

import (
	"path/filepath"
)

// ErasFile is where eras are kept: mcploupe/eras.json in the user's place for state, "" when there is none. getenv is
// os.Getenv, goos runtime.GOOS, home the user's home directory.
func ErasFile(getenv func(string) string, goos, home string) string {
	return file(getenv, goos, home, "eras.json")
}

// TasksFile is where the ids of tasks are kept: mcploupe/tasks.json beside it.
func TasksFile(getenv func(string) string, goos, home string) string {
	return file(getenv, goos, home, "tasks.json")
}

// HistoryFile is where arguments are kept: mcploupe/arguments.json beside it.
func HistoryFile(getenv func(string) string, goos, home string) string {
	return file(getenv, goos, home, "arguments.json")
}

// RecentsFile is where targets that were opened are kept: mcploupe/recent.json beside it.
func RecentsFile(getenv func(string) string, goos, home string) string {
	return file(getenv, goos, home, "recent.json")
}

func file(getenv func(string) string, goos, home, name string) string {
	dir := getenv("XDG_STATE_HOME")
	switch {
	case filepath.IsAbs(dir): // relative ones are to be ignored (XDG Base Directory Specification)
	case goos == "windows":
		dir = getenv("LocalAppData")
	case home == "":
		dir = ""
	case goos == "darwin":
		dir = filepath.Join(home, "Library", "Application Support")
	default:
		dir = filepath.Join(home, ".local", "state")
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "mcploupe", name)
}
