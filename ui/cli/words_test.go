package cli

import (
	"strings"
	"testing"
)

// What is typed wrongly is answered with what was meant, on stderr, with the exit code of wrong usage.
func TestSlipsOnTheCommandLine(t *testing.T) {
	for line, want := range map[string]string{
		"chekc":                         "there is no command \"chekc\", and it is no URL\n  hint: did you mean mcploupe check? To start chekc",
		"lst tools":                     "did you mean mcploupe list?",
		"demo --plian":                  "unknown flag: --plian\n  hint: did you mean --plain?",
		"--themes dark demo":            "did you mean --theme?",
		"check --plain x":               "it is a flag of mcploupe; mcploupe check --help lists the flags",
		"demo --nothinglikeit":          "unknown flag: --nothinglikeit\n  hint: mcploupe demo --help lists the flags",
		"-x":                            "unknown shorthand flag",
		"replay":                        "missing FILE\n  hint: mcploupe replay FILE",
		"story":                         "missing FILE",
		"story a 1 b":                   "unexpected \"b\"",
		"era":                           "missing METHOD",
		"demo x":                        "unexpected \"x\"\n  hint: mcploupe demo [flags]",
		"workshop pack":                 "missing DIR",
		"workshop pak":                  "did you mean mcploupe workshop pack?",
		"task gte":                      "did you mean mcploupe task get?",
		"task nothing":                  "mcploupe task --help lists its commands",
		"help chekc":                    "did you mean mcploupe check?",
		"help task gte":                 "did you mean mcploupe task get?",
		"help nothinglikeit":            "there is no command \"nothinglikeit\"\n  hint: mcploupe --help lists its commands",
		"--":                            "missing COMMAND after --",
		"--plain":                       "--plain needs a TARGET",
		"http:/host/mcp":                "write http://host/mcp",
		"https:host":                    "write http://host",
		"localhost:8080":                "write http://localhost:8080",
		"demo --plain --http :0":        "--plain belongs to the inspector",
		"demo --plain --find-the-fault": "needs the screen",
		"weahter":                       "is no URL\n  hint: to start it as a server over stdio",
	} {
		r := program(t, strings.Fields(line)...)
		if r.code != exitUsage || !strings.Contains(r.err, want) || r.out != "" {
			t.Errorf("mcploupe %s: want %q\n%s", line, want, r)
		}
	}
}

// What stands behind -- is a command, however much it looks like one of ours.
func TestACommandOfOursBehindDashes(t *testing.T) {
	if r := program(t, "--", "chekc"); r.code != exitUsage || !strings.Contains(r.err, "needs a terminal") {
		t.Error(r)
	}
}

func TestHelpAndVersion(t *testing.T) {
	for line, want := range map[string]string{
		"--version": "mcploupe ", "version": "mcploupe ", "help": "Available Commands", "help check": "mcploupe check", "help task get": "mcploupe task get", "task": "Available Commands", "demo --help": "--plain",
	} {
		if r := program(t, strings.Fields(line)...); r.code != 0 || !strings.Contains(r.out, want) || r.err != "" {
			t.Errorf("mcploupe %s: %s", line, r)
		}
	}
	if a, b := program(t, "--version"), program(t, "version"); a.out != b.out {
		t.Errorf("%q and %q", a.out, b.out)
	}
}
