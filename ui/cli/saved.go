package cli

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"mcploupe/ui/calls"
)

// callDirs are the directories of saved calls: the project's, where they are saved, and the person's.
func callDirs() []string {
	dirs := []string{filepath.FromSlash(calls.Dir)}
	if dir := configDir(); dir != "" {
		dirs = append(dirs, filepath.Join(dir, "calls"))
	}
	return dirs
}

// savedFlag is --saved: a file (docs/calls.md) that gives the name, and the arguments where the command takes some.
type savedFlag struct{ file string }

func (s *savedFlag) register(c *cobra.Command, what string) {
	c.Flags().StringVar(&s.file, "saved", "", "take "+what+" from a saved call, a `file` (docs/calls.md)")
}

// split is split for a command whose one word of its own may stand in a saved call instead.
func (s *savedFlag) split(c *cobra.Command, words []string, name, kind string) (call calls.Call, rest []string, command bool, err error) {
	if s.file == "" {
		own, rest, command, err := split(c, words, 1, name)
		if err != nil {
			return calls.Call{}, nil, false, err
		}
		return calls.Call{Kind: kind, Name: own[0]}, rest, command, nil
	}
	call, err = calls.Open(s.file)
	if err != nil {
		return calls.Call{}, nil, false, usage("the format is in docs/calls.md", "reading the saved call %s: %w", s.file, err)
	}
	if call.Kind != kind {
		with := map[string]string{calls.Tool: "call", calls.Prompt: "prompt", calls.Resource: "read"}[call.Kind]
		return calls.Call{}, nil, false, usage("mcploupe "+with+" --saved "+s.file, "%s is about a %s", s.file, call.Kind)
	}
	_, rest, command, err = split(c, words, 0, "")
	return call, rest, command, err
}

// arguments is --args, or the saved arguments when that is not given.
func (s *savedFlag) arguments(args []byte, call calls.Call) ([]byte, error) {
	if s.file == "" || len(args) == 0 {
		if len(args) == 0 {
			return call.Arguments, nil
		}
		return args, nil
	}
	return nil, usage("--arg changes one argument of a saved call", "--args and --saved exclude each other")
}
