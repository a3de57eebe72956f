package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"mcploupe/docs"
	"mcploupe/session/demo"
	"mcploupe/session/mcp"
	"mcploupe/ui/lesson"
	"mcploupe/ui/workshop"
)

func workshopCommand(io streams) *cobra.Command {
	c := &cobra.Command{
		Use:   "workshop",
		Short: "What a workshop about the protocol needs",
		Args:  words(0),
		RunE:  func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	var force bool
	pack := &cobra.Command{
		Use:   "pack DIR",
		Short: "Write a folder for learners that works offline: lessons, journals, saved calls, exercises, guides",
		Long: `Write a folder for learners: a README, the lessons, recorded conversations of each main pattern under 2026-07-28 and
2025-11-25, journals with a fault to be found, saved calls, and guides. It needs nothing but this program. The journals are
recorded now, from the built-in server on this machine. A folder that holds something is left alone without --force, which
writes over files of the same names and leaves the others.`,
		Example: `  mcploupe workshop pack mcp-workshop
  cd mcp-workshop && mcploupe learn`,
		Args: words(1, "DIR"),
		RunE: func(c *cobra.Command, args []string) error {
			if !force {
				if entries, err := os.ReadDir(args[0]); err == nil && len(entries) > 0 {
					return usage("--force writes over files of the same names", "%s is not empty", args[0])
				} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
					return usage("", "packing: %w", err)
				}
			}
			files, err := packed(c.Context(), lesson.Files(), docs.Pages())
			if err != nil {
				return err
			}
			if err := unpack(args[0], files, force); err != nil {
				return usage("", "packing: %w", err)
			}
			fmt.Fprintf(io.out, "%d files in %s; begin with %s\n", len(files), safe(args[0]), safe(filepath.Join(args[0], "README.md")))
			return nil
		},
	}
	pack.Flags().BoolVar(&force, "force", false, "write into a folder that holds something, over files of the same names")
	c.AddCommand(pack)
	return c
}

// packed is a whole pack: files by their paths with slashes.
func packed(ctx context.Context, lessons, pages fs.FS) (map[string][]byte, error) {
	files, err := workshop.Files(lessons, pages, func(fault string) string {
		f, _ := demo.Lookup(fault)
		return f.Rule
	})
	if err != nil {
		return nil, fmt.Errorf("packing: %w", err)
	}
	dir, err := os.MkdirTemp("", "mcploupe-workshop")
	if err != nil {
		return nil, fmt.Errorf("packing: %w", err)
	}
	defer os.RemoveAll(dir)
	rec := recorder{ctx: ctx, dir: dir, answers: filepath.Join(dir, workshop.AnswersFile)}
	if err := os.WriteFile(rec.answers, []byte(workshop.Answers), 0o600); err != nil {
		return nil, fmt.Errorf("packing: %w", err)
	}
	type task struct {
		name, revision string
		recipe         workshop.Recipe
	}
	var tasks []task
	for _, revision := range []string{mcp.Latest, mcp.LatestLegacy} {
		for _, r := range workshop.Conversations() {
			tasks = append(tasks, task{path.Join(workshop.Journals, revision, r.Name+".jsonl"), revision, r})
		}
	}
	for _, r := range workshop.Mysteries() {
		tasks = append(tasks, task{path.Join(workshop.Puzzles, r.Name+".jsonl"), mcp.Latest, r})
	}
	// Most of the time is spent waiting, for a subscription to bring something say: so some are made at once.
	journals, failed := make([][]byte, len(tasks)), make([]error, len(tasks))
	var all sync.WaitGroup
	seats := make(chan struct{}, 6)
	for i, t := range tasks {
		all.Go(func() {
			seats <- struct{}{}
			defer func() { <-seats }()
			var err error
			if journals[i], err = rec.record(fmt.Sprint(i), t.recipe, t.revision); err != nil {
				failed[i] = &failure{exitTransport, fmt.Errorf("recording %s: %w", t.name, err), ""}
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		return nil, silent(exitInterrupted)
	}
	for i, t := range tasks {
		if failed[i] != nil {
			return nil, failed[i]
		}
		files[t.name] = journals[i]
	}
	return files, nil
}

// recorder lets this very program speak to a built-in server and takes the journal.
type recorder struct {
	ctx     context.Context
	dir     string // for files that are needed meanwhile
	answers string
}

// record gives the journal of a recipe. The server is one of its own, on loopback: so nothing of another conversation is in
// it, and its address does not tell the fault. name is that of a file which nobody else uses.
func (rec recorder) record(name string, r workshop.Recipe, revision string) ([]byte, error) {
	o := demo.Options{Era: demo.Both, Tick: 250 * time.Millisecond}
	if r.Fault != "" {
		o.Faults = []string{r.Fault}
	}
	address, end, err := demoHere(rec.ctx, o)
	if err != nil {
		return nil, err
	}
	defer end()
	journal := filepath.Join(rec.dir, name)
	words := slices.Clone(r.Words)
	for i, w := range words {
		if w == workshop.AnswersFile {
			words[i] = rec.answers
		}
	}
	var said bytes.Buffer
	root := command(streams{bytes.NewReader(nil), io.Discard, &said})
	if c, _, err := root.Find(words); err == nil && c.Flags().Lookup("forget") != nil {
		words = append(words, "--forget") // nothing of this is to be remembered
	}
	root.SetArgs(append(words, "--protocol", revision, "--record", journal, "--timeout", "10s", address))
	if code := tellError(&said, root.ExecuteContext(rec.ctx)); code > exitFindings {
		return nil, fmt.Errorf("exit code %d: %s", code, safe(said.String()))
	}
	return os.ReadFile(journal)
}

// unpack writes files below a directory, which is made where it is not there. Nothing is written outside of it, and without
// force nothing is written over.
func unpack(dir string, files map[string][]byte, force bool) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	how := os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	if !force {
		how |= os.O_EXCL
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return err
		}
		f, err := root.OpenFile(name, how, 0o644)
		if err != nil {
			return err
		}
		_, err = f.Write(files[name])
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	return nil
}
