package cli

import (
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"mcploupe/session"
	"mcploupe/ui/store"
)

// memory remembers which era a target speaks, for this run and the next ones; nil where it is to be detected in any case.
func (f *flags) memory(t session.Target) session.Memory {
	if f.detects && !f.forget {
		return nil
	}
	eras := store.OpenEras(store.Options{Target: t, Path: store.ErasFile(os.Getenv, runtime.GOOS, home()), Forget: f.forget})
	if f.detects {
		return nil
	}
	return eras
}

// keptTasks are the tasks of a target that can be taken up again.
func keptTasks(t session.Target) *store.Tasks {
	return store.OpenTasks(store.Options{Target: t, Path: store.TasksFile(os.Getenv, runtime.GOOS, home())})
}

// remembering registers --no-history, for what opens the screen.
func (f *flags) remembering(c *cobra.Command) {
	c.Flags().BoolVar(&f.noHistory, "no-history", false, "keep no arguments and no targets for later runs, and offer none of earlier ones")
}

// history is the arguments that were sent to a target before; nil when none are to be kept.
func (f *flags) history(t session.Target) *store.History {
	if f.noHistory {
		return nil
	}
	return store.OpenHistory(store.Options{Target: t, Path: store.HistoryFile(os.Getenv, runtime.GOOS, home())})
}

// home is the person's home directory, "" when there is none.
func home() string {
	dir, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return dir
}

// keep remembers how a followed task is; one that has ended is forgotten.
func keep(tasks *store.Tasks, st session.TaskState) {
	t := st.Task
	if t.Over() {
		tasks.Drop(t.ID)
		return
	}
	until, _ := t.Expires()
	tasks.Keep(store.Task{ID: t.ID, Tool: st.Tool, Status: t.Status, Until: until})
}
