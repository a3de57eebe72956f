package cli

import (
	"os"
	"runtime"

	"mcploupe/session"
	"mcploupe/ui/store"
)

// memory remembers which era a target speaks, for this run and the next ones; nil where it is to be detected in any case.
func (f *flags) memory(t session.Target) session.Memory {
	if f.detects && !f.forget {
		return nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	eras := store.OpenEras(store.Options{Target: t, Path: store.ErasFile(os.Getenv, runtime.GOOS, home), Forget: f.forget})
	if f.detects {
		return nil
	}
	return eras
}
