package cli

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"mcploupe/inspect"
	"mcploupe/session/demo"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/subs"
	"mcploupe/ui/app"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// faultsVariable names the file with the faults that are on to a built-in server that is started as a child. Its command line
// stays free of them, so that nobody who looks for a fault reads it there.
const faultsVariable = "MCPLOUPE_DEMO_FAULTS"

// faultSwitch is where the faults of a running built-in server are switched: a file of ours, which the server looks at before
// every message. It goes beside the wire, and a server that is started again finds the same faults on. Nothing is on the disk until
// a fault is switched: a terminal that is closed leaves nothing behind then. What a program leaves that was killed meanwhile, the next
// one removes.
type faultSwitch struct {
	dir string

	mu   sync.Mutex
	made bool
	held *os.File // keeps others from taking it for left behind; nil where there are no locks
}

func newFaultSwitch() *faultSwitch {
	var name [16]byte
	_, _ = rand.Read(name[:]) // it never fails
	return &faultSwitch{dir: filepath.Join(os.TempDir(), strings.TrimSuffix(faultDirs, "*")+hex.EncodeToString(name[:]))}
}

func (s *faultSwitch) path() string { return filepath.Join(s.dir, "on") }

// set puts exactly these faults on. The file is replaced as a whole, so that no reader sees half of it.
func (s *faultSwitch) set(names []string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.made {
		sweepFaults(filepath.Dir(s.dir))
		held, err := holdDir(s.dir)
		if err != nil {
			return err
		}
		s.made, s.held = true, held
	}
	next := filepath.Join(s.dir, "next")
	if err := os.WriteFile(next, []byte(strings.Join(names, "\n")+"\n"), 0o600); err != nil {
		return err
	}
	return os.Rename(next, s.path())
}

// close removes the switch: no fault is on then.
func (s *faultSwitch) close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held != nil {
		_ = s.held.Close() // it was only to be held
	}
	s.made, s.held = false, nil
	return os.RemoveAll(s.dir)
}

// faultMenu is what the screen needs to know of the faults of a built-in server that is spoken to over stdio.
func faultMenu(era string, s *faultSwitch, on []string) *app.Faults {
	f := &app.Faults{Set: s.set, Again: "mcploupe demo"}
	if era == "legacy" {
		f.Again += " --serve legacy"
	}
	for _, x := range demo.Faults() {
		one := app.Fault{Name: x.Name, What: x.What, Rule: x.Rule, Group: "other", Try: x.Try, Opening: x.Opening()}
		modern := x.ModernOnly()
		if r, ok := inspect.Lookup(x.Rule); ok {
			one.Group = r.Area
			modern = modern || !r.Holds(mcp.LatestLegacy, false)
		}
		legacy := strings.Contains(x.Try, "--era legacy")
		switch {
		case x.Transport == "http":
			one.Off = "it shows over HTTP only: mcploupe demo --http 127.0.0.1:8123 --fault " + x.Name
		case legacy && era != "legacy":
			one.Off = "it shows on an older revision only: mcploupe demo --serve legacy"
		case modern && era == "legacy":
			one.Off = "it shows on 2026-07-28 only: mcploupe demo"
		}
		one.Use, one.Plain = faultUse(x.Try)
		if x.Name == "page-only" { // the tool is listed anew before its page shows: two requests
			one.Use, one.Plain = nil, false
		}
		f.All = append(f.All, one)
	}
	slices.SortStableFunc(f.All, func(a, b app.Fault) int { return strings.Compare(a.Group, b.Group) })
	for _, name := range on {
		if x, ok := demo.Lookup(name); ok {
			f.On = append(f.On, x.Name)
		}
	}
	return f
}

// faultUse reads what makes a fault show, in the words of the command line. plain tells that a person comes across it by
// listing, reading and calling.
func faultUse(try string) (use *app.FaultUse, plain bool) {
	word, rest, _ := strings.Cut(try, " ")
	name, flags, _ := strings.Cut(rest, " ")
	switch word {
	case "list":
		for _, k := range book.Kinds() {
			if flags == "" && k.Noun()+"s" == name {
				return &app.FaultUse{List: &k}, true
			}
		}
	case "read":
		if flags == "" {
			return &app.FaultUse{Use: &kit.Use{Kind: book.Resources, ID: name}}, !strings.HasSuffix(name, "/nowhere")
		}
	case "prompt":
		if flags == "" {
			return &app.FaultUse{Use: &kit.Use{Kind: book.Prompts, ID: name}}, name == "morning_briefing"
		}
	case "listen":
		if rest == "--tools" {
			return &app.FaultUse{Listen: &subs.Filter{Tools: true}}, false
		}
	case "check":
		if rest == "--probe" {
			return &app.FaultUse{Probe: true}, false
		}
	case "call":
		args, task, ok := callArgs(name, flags)
		if !ok {
			return nil, false
		}
		return &app.FaultUse{Use: &kit.Use{Kind: book.Tools, ID: name, Args: args, Task: task}}, !task && !strings.HasPrefix(flags, "--args")
	}
	return nil, false
}

// callArgs are the arguments of a call in the words of the command line; ok is false where there is more to it than arguments.
func callArgs(tool, flags string) (args []byte, task, ok bool) {
	if whole, is := strings.CutPrefix(flags, "--args "); is {
		return []byte(strings.Trim(whole, "'")), false, true // as a shell quotes it
	}
	words := strings.Fields(flags)
	var pairs []string
	for len(words) > 0 {
		switch {
		case words[0] == "--task":
			task, words = true, words[1:]
		case words[0] == "--arg" && len(words) > 1:
			pairs, words = append(pairs, words[1]), words[2:]
		default:
			return nil, false, false
		}
	}
	if tool == "get_weather" && len(pairs) == 0 {
		pairs = []string{"location=Gannet Rock"}
	}
	args, err := arguments(nil, pairs, jsondoc.Value{})
	return args, task, err == nil
}

// misbehaving prepares the switch of a built-in server that the screen starts as a child: what the screen shows of it, and what
// the child must find in its environment. close ends it.
func misbehaving(era string, on []string) (f *app.Faults, env string, close func() error, err error) {
	s := newFaultSwitch()
	f = faultMenu(era, s, on)
	if len(f.On) > 0 {
		if err := s.set(f.On); err != nil {
			return nil, "", nil, usage("", "preparing the switch for faults: %w", errors.Join(err, s.close()))
		}
	}
	return f, faultsVariable + "=" + s.path(), s.close, nil
}
