package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"mcploupe/session"
	"mcploupe/session/secret"
	"mcploupe/session/target"
)

// split parts the words of a command into those before TARGET (n of them) and TARGET itself.
func split(c *cobra.Command, args []string, n int, names string) (own, targetArgs []string, command bool, err error) {
	dash := c.ArgsLenAtDash()
	before := args
	if dash >= 0 {
		before, command = args[:dash], true
	}
	if len(before) < n {
		return nil, nil, false, usage("mcploupe "+c.Use, "missing %s", names)
	}
	own, rest := args[:n], args[n:]
	if command && len(before) > n {
		return nil, nil, false, usage("either a URL or a name, or -- COMMAND", "unexpected %q before --", secret.MaskText(before[n]))
	}
	if len(rest) == 0 {
		return nil, nil, false, usage("mcploupe "+c.Use, "no target given")
	}
	if !command && len(rest) > 1 {
		rest = secret.Mask(rest)
		return nil, nil, false, usage("to start a server write -- before its command: -- "+strings.Join(rest, " "), "unexpected %q after the target", rest[1])
	}
	return own, rest, command, nil
}

// resolve turns the words for TARGET and the flags into a target.
func (f *flags) resolve(io streams, words []string, command bool) (session.Target, error) {
	fields, err := headerFields("header", f.headers)
	if err != nil {
		return session.Target{}, err
	}
	cwd, _ := os.Getwd() // without it nothing is filled in for ${workspaceFolder}
	t, err := target.Resolve(words, command, target.Options{Config: f.config, Getenv: os.LookupEnv, Dir: cwd, Input: f.input(io)})
	if err != nil {
		return session.Target{}, wrongTarget(err)
	}
	f.secrets, f.named = append(f.secrets, t.Secrets...), t.Name
	for _, n := range t.Notes {
		fmt.Fprintf(io.err, "mcploupe: %s\n", safe(n))
	}
	out := session.Target{
		URL: t.URL, Argv: t.Argv, Env: append(t.Env, f.env...), CleanEnv: f.cleanEnv, Dir: t.Dir,
		Header: append(t.Header, fields...), CAFile: f.caFile, Insecure: f.insecure,
	}
	if f.cwd != "" {
		out.Dir = f.cwd
	}
	return out, nil
}
