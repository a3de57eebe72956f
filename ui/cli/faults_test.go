package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/wire"
	"mcploupe/ui/app"
	"mcploupe/ui/book"
	"mcploupe/ui/drive"
	"mcploupe/ui/feed"
)

// Whatever the game may hide shows by what a person does anyway, and "try it" does exactly that: each such fault, switched by
// the file while the server runs, is caught by its rule after one use.
func TestWhatIsToBeFoundShowsByOrdinaryUse(t *testing.T) {
	if raced {
		t.Skip("starts more real programs than there is time for with the race detector, which looks into none of them")
	}
	for era, least := range map[string]int{"both": 100, "legacy": 60} {
		t.Run(era, func(t *testing.T) { showsByOrdinaryUse(t, era, least) })
	}
}

// What is tried by the probes shows by those that the screen sends, without the rest of a check.
func TestWhatTheProbesShow(t *testing.T) {
	if raced {
		t.Skip("starts more real programs than there is time for with the race detector, which looks into none of them")
	}
	exe, err := os.Executable()
	must(t, err)
	menu, _, end, err := misbehaving("both", nil)
	must(t, err)
	must(t, end())
	n := 0
	for i := range menu.All {
		x := &menu.All[i]
		if x.Off != "" || x.Opening || x.Use == nil || !x.Use.Probe {
			continue
		}
		n++
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			faults, env, end, err := misbehaving("both", nil)
			must(t, err)
			t.Cleanup(func() { _ = end() })
			if got := foundBy(t, session.Target{Argv: []string{exe, "child:demo", "--serve", "both"}, Env: []string{env}}, faults, x); !slices.Contains(got, x.Rule) {
				t.Errorf("%s is not caught by %s, but by %q", x.Name, x.Rule, got)
			}
		})
	}
	if n < 10 {
		t.Errorf("only %d faults are tried by the probes", n)
	}
}

// The same number chooses the same fault only among the same faults: the command line for others says which server it was.
func TestOthersLookForTheSameFault(t *testing.T) {
	for era, want := range map[string]string{"both": "mcploupe demo", "modern": "mcploupe demo", "legacy": "mcploupe demo --serve legacy"} {
		if f := faultMenu(era, newFaultSwitch(), nil); f.Again != want {
			t.Errorf("%s: %q", era, f.Again)
		}
	}
}

// showsByOrdinaryUse tries all that the game chooses from when the server speaks these revisions: at least so many.
func showsByOrdinaryUse(t *testing.T, era string, least int) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	menu, _, end, err := misbehaving(era, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	plain := 0
	for i := range menu.All {
		x := &menu.All[i]
		switch {
		case x.Off != "":
			continue
		case x.Plain:
			plain++
		case x.Use == nil || x.Use.Use == nil || x.Use.Use.Kind != book.Resources: // what is read may be tried, and shows then
			continue
		}
		t.Run(x.Name, func(t *testing.T) {
			t.Parallel()
			faults, env, end, err := misbehaving(era, nil)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = end() })
			if got := foundBy(t, session.Target{Argv: []string{exe, "child:demo", "--serve", era}, Env: []string{env}}, faults, x); !slices.Contains(got, x.Rule) {
				t.Errorf("%s is not caught by %s, but by %q; it should show by: %s", x.Name, x.Rule, got, x.Try)
			}
		})
	}
	if plain < least {
		t.Errorf("the game chooses from %d faults", plain)
	}
}

// foundBy connects, switches the fault on, does what makes it show, and gives the rules that found something.
func foundBy(t *testing.T, target session.Target, faults *app.Faults, x *app.Fault) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	log := wire.NewLog(wire.LogOptions{})
	caps := onScreen
	s := session.New(target, session.Options{Log: log, Timeout: time.Second, Capabilities: []byte(caps), Ask: func(_ context.Context, r session.Round) (session.Replies, error) {
		var out session.Replies
		for _, q := range r.Questions {
			out.List = append(out.List, session.Reply{Key: q.Key, Result: session.Decline()})
		}
		return out, nil
	}})
	var rules []string
	var done sync.WaitGroup
	done.Go(func() {
		f := feed.New(log, inspect.New(inspect.Options{}))
		for {
			page, err := f.Next(context.Background())
			if errors.Is(err, io.EOF) {
				return
			}
			for _, j := range page.Exchanges {
				for _, f := range j.Verdict.Findings {
					rules = append(rules, f.Rule.ID)
				}
			}
		}
	})
	if err := s.Connect(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := s.List(ctx, session.Tools, session.ListOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := faults.Set([]string{x.Name}); err != nil {
		t.Fatal(err)
	}
	if x.Opening {
		_ = s.Restart(ctx) // with what it then says the connection may well fail
	}
	switch u := x.Use; {
	case u.Probe:
		w := drive.Walk{Session: s, Timeout: time.Second}
		_ = w.Probes(ctx) // a fault may end the server
	case u.List != nil:
		kinds := map[book.Kind]session.ListKind{book.Tools: session.Tools, book.Resources: session.Resources, book.Templates: session.Templates, book.Prompts: session.Prompts}
		_, _ = s.List(ctx, kinds[*u.List], session.ListOptions{Fresh: true})
	case u.Use.Kind == book.Tools:
		a, err := s.CallTool(ctx, u.Use.ID, u.Use.Args, session.CallOptions{})
		if err == nil {
			_, _ = s.Finish(ctx, a, session.CallOptions{})
		}
	case u.Use.Kind == book.Prompts:
		_, _ = s.Prompt(ctx, u.Use.ID, u.Use.Args, session.CallOptions{})
	default:
		_, _ = s.Read(ctx, u.Use.ID, session.CallOptions{})
	}
	_ = s.Close(ctx)
	log.Close()
	done.Wait()
	slices.Sort(rules)
	return slices.Compact(rules)
}

// Every fault says what it breaks and how it shows, and those that cannot show say why.
func TestTheMenuOfFaults(t *testing.T) {
	menu, env, end, err := misbehaving("both", []string{"cache-ttl-negative", "noise"})
	if err != nil {
		t.Fatal(err)
	}
	_, path, _ := strings.Cut(env, "=")
	if text, err := os.ReadFile(path); err != nil || string(text) != "ttl-negative\nnoise\n" {
		t.Errorf("the file says %q, %v", text, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v, %v", info, err)
	}
	if err := end(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is left behind: %v", err)
	}
	if !slices.Equal(menu.On, []string{"ttl-negative", "noise"}) {
		t.Errorf("on are %q", menu.On)
	}
	idle, env, end, err := misbehaving("both", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, path, _ = strings.Cut(env, "=")
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is something on the disk before any fault is on: %v", err)
	}
	if err := idle.Set([]string{"noise"}); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the directory: %v, %v", info, err)
	}
	if err := errors.Join(end(), end()); err != nil {
		t.Error(err)
	}
	for _, x := range menu.All {
		if x.Group == "other" || x.What == "" || x.Try == "" {
			t.Errorf("%+v", x)
		}
		if legacy := strings.Contains(x.Try, "--era legacy"); legacy && x.Off == "" {
			t.Errorf("%s cannot show, and does not say so", x.Name)
		}
	}
}

func TestWordsOfTheGame(t *testing.T) {
	for _, args := range [][]string{{"demo", "--find-the-fault", "--stdio"}, {"demo", "--find-the-fault", "--fault", "ttl-gone"}, {"demo", "--seed", "3"}, {"demo", "--faults-from", "x"}} {
		if r := program(t, args...); r.code != 2 {
			t.Errorf("%q: %s", args, r)
		}
	}
}
