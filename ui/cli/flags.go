package cli

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/target"
	"mcploupe/session/wire"
	"mcploupe/ui/app"
)

// flags are the words that every command shares. Each command registers the groups it understands.
type flags struct {
	looks
	plain     bool
	seek      bool            // what is found is hidden until the rule is named
	asker     session.Asker   // answers what the server asks instead of --answers; nil mostly
	secrets   []string        // typed in for a configuration file; masked wherever they turn up
	reporting *reporting      // of check; nil elsewhere
	rules     []*inspect.Rule // to judge by; nil is all
	json      bool
	record    string
	force     bool
	timeout   time.Duration
	headers   []string
	env       []string
	cleanEnv  bool
	cwd       string
	config    string
	profile   string
	protocol  string
	era       string
	transport string
	caps      string
	logLevel  string
	noStream  bool
	caFile    string
	insecure  bool
	payload   string
	walks     bool // nobody asks for the verdict on one exchange (judged): none is kept, nor its bytes
	endless   bool // it may go on for days: what came is shown and judged, and then let go
	login     loginFlags
	answers   string
	tasks     bool // calls declare the tasks extension (check)
	forget    bool
	restart   bool
	noHistory bool
	watch     []string
	detects   bool // the era is always detected: nothing is remembered
	roots     []string
	recorded  *recordings                        // of the screen; nil elsewhere
	watchAll  bool                               // no target was named: --watch holds for whatever is opened
	faults    *app.Faults                        // of the built-in server, for the screen
	named     string                             // the target's name in --config, "" for none
	inputs    func(target.Input) (string, error) // asks for what a configuration file wants; nil asks at the terminal
}

// connection registers the flags that say how to reach a server and how to speak to it.
func (f *flags) connection(c *cobra.Command) {
	s := c.Flags()
	s.DurationVar(&f.timeout, "timeout", 30*time.Second, "longest wait for one answer; progress starts it anew, up to 5m")
	s.StringArrayVar(&f.headers, "header", nil, "`'K: V'` sent with every HTTP request, or @file with one a line")
	s.StringArrayVar(&f.env, "env", nil, "`K=V` for the child, over the inherited environment; masked in everything shown or recorded, but for paths and words like localhost")
	s.BoolVar(&f.cleanEnv, "clean-env", false, "start the child with --env alone instead of the inherited environment")
	s.StringVar(&f.cwd, "cwd", "", "`directory` the child starts in")
	s.StringVar(&f.config, "config", "", "`file` with mcpServers; TARGET is then a name in it")
	s.StringVar(&f.protocol, "protocol", "", "protocol `version` to send, without falling back to another")
	s.StringVar(&f.era, "era", "auto", "auto, modern (2026-07-28 and later) or legacy (initialize); the last two skip detection")
	s.BoolVar(&f.forget, "forget", false, "forget which era this server spoke the last time, detect it, and keep nothing")
	s.StringVar(&f.transport, "transport", "auto", "auto, http (Streamable HTTP) or sse (the HTTP+SSE of 2024-11-05)")
	s.StringVar(&f.caps, "capabilities", "", "client capabilities to declare, as `JSON`")
	s.StringVar(&f.answers, "answers", "", "`FILE` with answers for what the server asks: a JSON object from the key of a question, its method or * to {\"action\",\"content\"} or a result")
	s.StringArrayVar(&f.roots, "root", nil, "`URI` or directory that the server may be told about; declares roots, and answers roots/list")
	s.BoolVar(&f.noStream, "no-stream", false, "servers before 2026-07-28 over HTTP: do not open the stream for what the server says by itself")
	s.StringVar(&f.logLevel, "log-level", "", "ask for log messages from this `level` on")
	s.StringVar(&f.caFile, "cacert", "", "`file` with certificates to trust for https")
	s.BoolVar(&f.insecure, "insecure", false, "do not verify https certificates")
	s.StringVar(&f.record, "record", "", "write the journal of this conversation to `file`; further servers on the screen are recorded beside it, in files with their names")
	s.BoolVar(&f.force, "force", false, "let --record write over an existing file")
	f.login.register(s)
	f.judging(c)
	f.output(c)
}

// restarting registers --restart, for commands that go on when the server is started again.
func (f *flags) restarting(c *cobra.Command) {
	c.Flags().BoolVar(&f.restart, "restart", false, "bring back a connection that the server ended: start a crashed one again, with growing pauses, up to 5 times in a row")
	c.Flags().StringArrayVar(&f.watch, "watch", nil, "start the server again when files like `'src/**/*.ts'` change, and call again what was called last; it holds for TARGET, without one for what is opened; may be given several times")
}

// restarts is how many times in a row a connection is brought back.
func (f *flags) restarts() int {
	if f.restart {
		return 5
	}
	return 0
}

// judging registers the flags that say by which text to judge.
func (f *flags) judging(c *cobra.Command) {
	c.Flags().StringVar(&f.profile, "profile", profileSEP2145, "judge by `profile` "+profileSEP2145+", or by the published text alone: "+profilePublished)
}

// output registers the flags that say how to print.
func (f *flags) output(c *cobra.Command) {
	s := c.Flags()
	s.BoolVar(&f.json, "json", false, "print one JSON object a line instead of text for people")
	s.StringVar(&f.theme, "theme", "", "`name` of a theme: dark, light, high-contrast, mono, or a file of yours")
	s.BoolVar(&f.noColour, "no-color", false, "no colours (also with NO_COLOR set, or when the output is no terminal)")
}

// seeking registers the flag of the commands that open the screen on what somebody is to judge by eye.
func (f *flags) seeking(c *cobra.Command) {
	c.Flags().BoolVar(&f.seek, "find-the-fault", false, "hide all that is found until the rule is named that is broken")
}

// seekable refuses where nothing can be hidden.
func (f *flags) seekable() error {
	if f.seek && (f.plain || f.json) {
		return usage("", "--find-the-fault hides what is found on the screen: leave --plain and --json out")
	}
	return nil
}

// motion registers the flag of the commands that open the screen.
func (f *flags) motion(c *cobra.Command) {
	c.Flags().BoolVar(&f.noMotion, "no-motion", false, "nothing on the screen moves by itself (also with REDUCED_MOTION, NO_MOTION or NO_PROGRESS set)")
}

// still tells that nothing shall move. There is no agreed name for that wish: the ones in use are understood, 0 and false are no.
func (f *flags) still(env func(string) string) bool {
	for _, name := range []string{"REDUCED_MOTION", "NO_MOTION", "NO_PROGRESS"} {
		switch strings.ToLower(env(name)) {
		case "", "0", "false", "no":
		default:
			return true
		}
	}
	return f.noMotion
}

const (
	profileSEP2145   = "2026-07-28+sep-2145"
	profilePublished = "2026-07-28"
)

// sep2145 tells whether SEP-2145 is on, or why the profile is unknown.
func (f *flags) sep2145() (bool, error) {
	switch f.profile {
	case profileSEP2145, "":
		return true, nil
	case profilePublished:
		return false, nil
	}
	return false, usage("profiles: "+profileSEP2145+" (default), "+profilePublished, "unknown profile %q", f.profile)
}

// headerFields reads the values of a header flag: "K: V", or @file with one such line each. Reading from a file
// keeps secrets out of the process list and the shell's history.
func headerFields(flag string, values []string) ([]wire.Field, error) {
	var fields []wire.Field
	for _, h := range values {
		lines := []string{h}
		if name, ok := strings.CutPrefix(h, "@"); ok {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, usage("", "reading headers: %w", err)
			}
			lines = strings.Split(string(text), "\n")
		}
		for _, line := range lines {
			line = strings.TrimSpace(line)
			if line == "" {
				continue
			}
			name, value, ok := strings.Cut(line, ":")
			if !ok || strings.TrimSpace(name) == "" {
				return nil, usage(`write it as 'Name: value'`, "--%s needs a name and a value", flag)
			}
			fields = append(fields, wire.Field{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
		}
	}
	return fields, nil
}

// oneOf checks a flag that takes one of a few words; "" among them is a flag that the command does not have.
func oneOf(flag, value string, words ...string) error {
	for _, w := range words {
		if value == w {
			return nil
		}
	}
	return usage("", "--%s takes %s, not %q", flag, strings.TrimPrefix(strings.Join(words, ", "), ", "), value)
}

// check looks at the values that need no server to be found wrong.
func (f *flags) check() error {
	if err := oneOf("era", f.era, "", "auto", "modern", "legacy"); err != nil {
		return err
	}
	if err := oneOf("transport", f.transport, "", "auto", "http", "sse"); err != nil {
		return err
	}
	if f.timeout < 0 {
		return usage("", "--timeout must be more than zero, not %s", f.timeout)
	}
	for _, kv := range f.env {
		if k, _, ok := strings.Cut(kv, "="); !ok || k == "" {
			return usage("", "--env needs K=V")
		}
	}
	if _, err := f.sep2145(); err != nil {
		return err
	}
	if f.theme != "" {
		if _, err := loadTheme(f.theme, true); err != nil {
			return usage("", "%w", err)
		}
	}
	return f.checkPayload()
}

func plural(n int, one string) string {
	if n == 1 {
		return fmt.Sprintf("1 %s", one)
	}
	return fmt.Sprintf("%d %ss", n, one)
}
