package cli

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// asProgram is the variable that makes the test binary the program itself, for stories that start it by its path.
const asProgram = "MCPLOUPE_TEST_AS_PROGRAM"

// The test binary is the program: every story runs it as a person would. It is also the servers that the stories need.
func TestMain(m *testing.M) {
	const quiet = "MCPLOUPE_TEST_FORGETS" // nothing is remembered from story to story, but where one says so; children keep what it says
	if os.Getenv(quiet) == "" {
		_ = os.Setenv(quiet, "yes")
		_ = os.Setenv("XDG_STATE_HOME", os.DevNull)
	}
	if len(os.Args) > 1 {
		if serve := children()[os.Args[1]]; serve != nil {
			serve(os.Args[2:])
			os.Exit(0)
		}
	}
	if os.Getenv(asProgram) != "" {
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"mcploupe": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error { e.Setenv("XDG_STATE_HOME", os.DevNull); return nil }})
}
