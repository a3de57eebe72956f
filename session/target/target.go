// Package target turns the words for a server into what is needed to reach it: a URL, a command, or a name in a
// configuration file. It must never know: how to connect, the protocol, screens.
package target

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcploupe/session/secret"
	"mcploupe/session/wire"
)

// Target is a server as somebody named it. Exactly one of URL and Argv is set.
type Target struct {
	Name   string // in the configuration file, "" for none
	URL    string
	Argv   []string     // as the operating system gets them: nothing is split or joined
	Env    []string     // K=V over the inherited environment
	Dir    string       // "" is ours
	Header []wire.Field // for URLs
	Notes  []string     // what a person should know: unknown fields, a ~ passed as it is
	// Secrets are values that a person was asked for, and those of variables whose names say that they are secret; they may stand
	// anywhere in the target.
	Secrets []string
}

// Options say where to look.
type Options struct {
	Config string                           // a configuration file; TARGET is then a name in it
	Getenv func(name string) (string, bool) // for ${…}; nil is the process's environment
	Dir    string                           // the directory we work in, for ${workspaceFolder} and servers of a project; "" for none
	// Input asks a person for ${input:…}; nil: nobody is there, and using one is an error.
	Input func(Input) (string, error)
}

// Error says why words name no server. Hint says what to try, "" when there is nothing better.
type Error struct{ Text, Hint string }

func (e *Error) Error() string { return e.Text }

// Resolve reads the words after the flags. command tells that they came behind --: they are a command and its
// arguments. Otherwise there is one word: what contains "://" is a URL; with Config anything else is a name in
// that file.
func Resolve(words []string, command bool, o Options) (Target, error) {
	switch {
	case len(words) == 0:
		return Target{}, &Error{"no target given", "a URL, or -- COMMAND [ARG…], or a NAME with --config FILE"}
	case command:
		if words[0] == "" {
			return Target{}, &Error{"the command is empty", ""}
		}
		return Target{Argv: slices.Clone(words)}, nil
	}
	word := words[0]
	scheme, _, isURL := strings.Cut(word, "://")
	switch {
	case isURL && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")):
		return Target{URL: word}, nil
	case isURL:
		return Target{}, &Error{fmt.Sprintf("cannot speak to %q", secret.MaskText(word)), "http and https URLs, or -- COMMAND for stdio"}
	case o.Config != "":
		return fromConfig(word, o)
	}
	word = secret.MaskText(word)
	hint := "to start it as a server over stdio write -- before it: -- " + word
	if strings.Contains(word, ":") || strings.HasPrefix(word, "localhost") {
		rest := word
		for _, scheme := range []string{"https:", "http:"} { // what is left of one
			if cut, ok := strings.CutPrefix(word, scheme); ok {
				rest = cut
			}
		}
		hint = "for a server on the network write http://" + strings.TrimLeft(rest, "/")
	}
	return Target{}, &Error{fmt.Sprintf("%q is no URL", word), hint}
}

// home replaces a leading ~ by the home directory: no shell does it for a path that a program reads from a file.
func home(path string) string {
	rest, ok := strings.CutPrefix(path, "~")
	if !ok || rest != "" && rest[0] != '/' && rest[0] != filepath.Separator {
		return path
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(dir, rest)
}
