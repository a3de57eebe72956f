package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/ui/drive"
)

type checkFlags struct {
	flags
	failOn       string
	probe        bool
	unsafe       bool
	calls        []string
	callReadOnly bool
	reads        int
	yes          bool
	other        []string
	reports      reportFlags
}

func checkCommand(io streams) *cobra.Command {
	var f checkFlags
	c := &cobra.Command{
		Use:   "check [flags] TARGET | FILE",
		Short: "Judge a server, or a recorded journal, by every rule",
		Long: `Walk over a whole server and judge every message: discovery, all lists on all pages, each list once more,
resources, prompts without required arguments, one completion, one subscription, and how it ends. Tools are
called only when named by --call, or with --call-readonly when they are marked read-only. --probe also sends
deliberately odd requests: an unknown tool, an unknown method, missing _meta, mismatched headers and the like; tools
named by --call that ask something back are then called a few times more, with answers that are wrong on purpose.
--unsafe adds those that may do something when the server is at fault: calling the named tools once more, an HTTP
DELETE, and reading a file by an address that climbs out of its folder.

Exit code 0: nothing at or above --fail-on; 1: findings; 2: wrong usage; 3: no connection; 4: authorization needed.
A finding that rests on SEP-2145 alone is counted apart and fails only with --fail-on sep-2145.`,
		Example: `  mcploupe check -- node server.js
  mcploupe check --probe --call 'add={"a":1,"b":2}' http://127.0.0.1:3000/mcp
  mcploupe check --json session.jsonl`,
		RunE: func(c *cobra.Command, words []string) error {
			level, sep, err := f.failLevel()
			if err != nil {
				return err
			}
			calls, err := f.namedCalls()
			if err != nil {
				return err
			}
			if f.unsafe && !f.probe {
				return usage("add --probe", "--unsafe says which probes may be sent, and --probe is not there")
			}
			_, rest, command, err := split(c, words, 0, "")
			if err != nil {
				return err
			}
			if err := f.prepare(level, sep); err != nil {
				return err
			}
			if !command && len(rest) == 1 && isJournal(rest[0], f.config) {
				return f.judgeJournal(io, rest[0])
			}
			if word := rest[0]; !command && f.config == "" && !strings.Contains(word, "://") {
				return usage("a URL, a journal of --record, or -- COMMAND", "%q is neither a URL nor a file", word)
			}
			return f.judge(c.Context(), io, rest, command, calls)
		},
	}
	s := c.Flags()
	s.StringVar(&f.failOn, "fail-on", "must", "lowest `level` that fails: must, should, advice, never; or sep-2145: must, and what rests on SEP-2145 alone")
	s.BoolVar(&f.probe, "probe", false, "also send deliberately odd requests")
	s.BoolVar(&f.unsafe, "unsafe", false, "with --probe: also send what may do something on a server at fault")
	s.StringArrayVar(&f.calls, "call", nil, "also call a tool: `'TOOL=JSON'`; may be given several times")
	s.BoolVar(&f.tasks, "task", false, "declare the tasks extension with the calls, and follow the tasks that they become")
	s.BoolVar(&f.callReadOnly, "call-readonly", false, "also call tools that are marked read-only and need no arguments")
	s.IntVar(&f.reads, "read", 20, "read up to `N` of the listed resources")
	s.StringArrayVar(&f.other, "other-header", nil, "`'K: V'` of a second caller, who is asked for the same; results marked public are compared")
	s.BoolVar(&f.yes, "yes", false, "send probes to a remote server without asking")
	f.reports.register(s)
	f.connection(c)
	return c
}

// judgeJournal judges a recorded conversation.
func (f *checkFlags) judgeJournal(io streams, path string) error {
	r, err := f.readJournal(f.people(io), path)
	if err != nil {
		return err
	}
	return f.conclude(io, r)
}

// people is where the text for people goes: to standard error when a report takes standard output.
func (f *checkFlags) people(io streams) streams {
	if f.reports.stdout() {
		io.out = io.err
	}
	return io
}

// conclude shows what was found, writes the reports and gives the exit code.
func (f *checkFlags) conclude(io streams, r *run) error {
	r.report()
	r.showDrift(f.reporting)
	f.describe(r)
	if err := f.reporting.write(io); err != nil {
		return err
	}
	if f.reporting.fails() {
		return silent(exitFindings)
	}
	return nil
}

func (f *checkFlags) failLevel() (level inspect.Level, sep bool, err error) {
	switch f.failOn {
	case "never":
		return 0, false, nil
	case "sep-2145":
		return inspect.Must, true, nil
	}
	level, ok := inspect.ParseLevel(f.failOn)
	if !ok {
		return 0, false, usage("", "--fail-on takes must, should, advice, never or sep-2145, not %q", f.failOn)
	}
	return level, false, nil
}

func (f *checkFlags) namedCalls() ([]drive.Call, error) {
	var calls []drive.Call
	for _, text := range f.calls {
		tool, args, ok := strings.Cut(text, "=")
		if ok && !jsondoc.Parse([]byte(args)).Valid() {
			return nil, usage(`write it as --call 'add={"a":1}'`, "--call %s: the arguments are not JSON", tool)
		}
		call := drive.Call{Tool: tool}
		if ok {
			call.Args = []byte(args)
		}
		calls = append(calls, call)
	}
	return calls, nil
}

func (f *checkFlags) judge(ctx context.Context, io streams, words []string, command bool, calls []drive.Call) error {
	t, err := f.resolve(io, words, command)
	if err != nil {
		return err
	}
	if err := f.mayProbe(t, io); err != nil {
		return err
	}
	other, err := headerFields("other-header", f.other)
	if err != nil {
		return err
	}
	f.walks, f.detects = true, true // what is remembered must not weigh on a judgement
	say := steps(io)
	say("connect")
	r, err := f.open(ctx, f.people(io), t)
	if r == nil {
		return err
	}
	if err == nil {
		for _, h := range other {
			r.session.Secrets().Add(h.Value)
			r.session.Secrets().AddHeader(h.Name, h.Value)
		}
		walk := drive.Walk{
			Session: r.session, Reads: f.reads, Gets: 20, Calls: calls, CallReadOnly: f.callReadOnly, Probe: f.probe, Unsafe: f.unsafe,
			Gap: probeGap(t), OtherCaller: other, Timeout: f.timeout, Say: func(step string) { say(r.mask(step)) },
		}
		if err = walk.Run(ctx); err != nil {
			err = r.lost(ctx, err)
		}
	}
	if r.session.Challenged() {
		say("look at how the server asks for authorization")
		why := ""
		if f.probe {
			why = inspect.ProbeMadeUpToken
		}
		if survey := r.session.Survey(ctx, why); survey != nil && err == nil {
			err = r.lost(ctx, survey)
		}
	}
	say("close")
	r.close()
	say("")
	if err != nil {
		r.showStray()
		r.report()
		f.describe(r)
		if failed := f.reporting.write(io); failed != nil {
			return errors.Join(err, failed)
		}
		return err
	}
	return f.conclude(io, r)
}

// mayProbe asks before odd requests go to a server that is not on this machine: it may be somebody else's.
func (f *checkFlags) mayProbe(t session.Target, io streams) error {
	if !f.probe || t.URL == "" || loopback(t.URL) || f.yes {
		return nil
	}
	if !isTerminal(io.in) {
		return usage("--yes says that you may", "--probe sends deliberately odd requests to a remote server, and nobody is here to ask")
	}
	fmt.Fprintf(io.err, "--probe sends deliberately odd requests to %s. Go on? [y/N] ", safe(host(t.URL)))
	var answer string
	fmt.Fscanln(io.in, &answer)
	if !strings.HasPrefix(strings.ToLower(answer), "y") {
		return usage("", "not probing")
	}
	return nil
}

// probeGap keeps probes of a server that is not on this machine apart: it may serve others too.
func probeGap(t session.Target) time.Duration {
	if t.URL == "" || loopback(t.URL) {
		return 0
	}
	return 100 * time.Millisecond
}

// host is where a URL leads, without what may be secret in it.
func host(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "the target"
	}
	return u.Host
}

// loopback tells whether a URL leads to this very machine.
func loopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// steps says on a terminal what is being done, on one line that is written over.
func steps(io streams) func(string) {
	if !isTerminal(io.err) {
		return func(string) {}
	}
	return func(step string) {
		if step != "" {
			step = "· " + clip(safe(strings.ReplaceAll(step, "\n", " ")), 70)
		}
		fmt.Fprintf(io.err, "\r\x1b[K%s", step)
	}
}
