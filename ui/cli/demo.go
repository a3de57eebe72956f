package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcploupe/session/demo"
)

func demoCommand(io streams) *cobra.Command {
	var f flags
	var http string
	var stdio, list, published, login bool
	var faults, hosts []string
	var era string
	var poll time.Duration
	var forget int
	var faultsFrom string
	var find bool
	var seed uint64
	c := &cobra.Command{
		Use:   "demo",
		Short: "Open the inspector on the built-in server, or serve it over stdio or HTTP",
		Long: `Open the inspector on the built-in server, a weather station in a lighthouse, or serve it.

With --http it serves a room: /mcp is the station that all share, /NAME/mcp is a world of its own for whoever uses that
name, with its own state, subscriptions, tasks and sessions, and /NAME+FAULT/mcp is one that misbehaves (a number from 1
to 9999 for FAULT chooses one and does not say which). A world begins with the first request, and is forgotten after three
hours without one; there are 200 at most. A browser finds at / what to type. Other machines can come in only when an
address that they reach is named, like 0.0.0.0:8123. See docs/workshop.md.`,
		Example: `  mcploupe demo                               open the inspector on it
  mcploupe demo --fault cache-ttl-negative    let it misbehave (on the screen the command fault switches all ways)
  mcploupe demo --find-the-fault              one fault is on, findings are hidden: name the rule
  mcploupe check -- mcploupe demo --stdio     judge it like any other server
  mcploupe demo --http 127.0.0.1:8123         serve it over HTTP
  mcploupe demo --http 0.0.0.0:8123           serve it to a class (mcploupe http://HOST:8123/NAME/mcp)
  mcploupe demo --http 127.0.0.1:8123 --login serve it to whoever logs in (mcploupe --login http://127.0.0.1:8123/mcp)`,
		Args: words(0),
		RunE: func(c *cobra.Command, _ []string) error {
			if list {
				listFaults(io, f.json)
				return nil
			}
			if err := oneOf("serve", era, "both", "modern", "legacy"); err != nil {
				return err
			}
			o := demo.Options{
				Faults: faults, FaultsFile: faultsFrom, Published: published, Poll: poll, Forget: forget, Login: login, Hosts: hosts,
				Era: eraServed(era),
			}
			if err := o.Check(); err != nil {
				return usage("mcploupe demo --faults lists them", "%w", err)
			}
			if o.FaultsFile == "" && stdio {
				o.FaultsFile = os.Getenv(faultsVariable)
			}
			switch {
			case stdio && http != "":
				return usage("", "--stdio and --http exclude each other")
			case find && (stdio || http != "" || len(faults) > 0):
				return usage("", "--find-the-fault chooses the fault itself, on the screen: leave --fault, --stdio and --http out")
			case find && f.plain:
				return usage("", "--find-the-fault needs the screen: --plain hides no findings")
			case f.plain && (stdio || http != ""):
				return usage("", "--plain belongs to the inspector, not to --stdio and --http")
			case !find && c.Flags().Changed("seed"):
				return usage("", "--seed belongs to --find-the-fault")
			case faultsFrom != "" && !stdio && http == "":
				return usage("on the screen the command fault switches them", "--faults-from belongs to --stdio or --http")
			case login && http == "":
				return usage("", "--login needs --http: over stdio nobody logs in")
			case http == "" && len(hosts) > 0:
				return usage("", "--host needs --http")
			case login && demo.Everywhere(http):
				return usage("--http with the address of this machine that browsers come to", "--login needs one address, not all of them")
			case stdio:
				return served(c.Context(), demo.ServeStdio(c.Context(), io.in, io.out, io.err, o))
			case http != "":
				return served(c.Context(), demo.ListenAndServe(c.Context(), http, io.err, o))
			}
			screen, env, end, err := misbehaving(era, faults)
			if err != nil {
				return err
			}
			screen.Find, screen.Seed = find, seed
			f.faults = screen
			return errors.Join(openDemo(c, io, &f, env, append([]string{"--serve", era}, demoWords(published)...)), end())
		},
	}
	s := c.Flags()
	s.BoolVar(&stdio, "stdio", false, "serve on standard input and output")
	s.StringVar(&http, "http", "", "serve Streamable HTTP at `address`, like 127.0.0.1:8123 (loopback unless a host is named): /mcp, /NAME/mcp for each learner, and HTTP+SSE at /sse and /NAME/sse")
	s.StringArrayVar(&hosts, "host", nil, "with --http: another `name` by which requests may ask for it, that of a proxy or tunnel; may be given several times")
	s.StringArrayVar(&faults, "fault", nil, "misbehave in this way; may be given several times")
	s.StringVar(&faultsFrom, "faults-from", "", "misbehave in the ways that `file` names, one a line; it is read again before every message, so that they are switched meanwhile")
	s.BoolVar(&find, "find-the-fault", false, "open the inspector with one fault on and all findings hidden: the rule is to be named")
	s.Uint64Var(&seed, "seed", 0, "choose the fault of --find-the-fault by this `number`, the same for everybody")
	s.BoolVar(&list, "faults", false, "list the ways to misbehave, with the rule that catches each")
	s.BoolVar(&published, "published", false, "answer tool failures as the published 2026-07-28 text asks, not as SEP-2145 does")
	s.DurationVar(&poll, "poll", 0, "revisions before 2026-07-28 over HTTP: end the stream of a request after this time, to be gone on with by GET")
	s.BoolVar(&login, "login", false, "over HTTP: want a login; the server brings its own authorization server, whose page lets anybody in")
	s.IntVar(&forget, "forget", 0, "revisions before 2026-07-28 over HTTP: forget a session after this many `messages`")
	s.StringVar(&era, "serve", "both", "both, modern or legacy revisions")
	f.judging(c)
	f.remembering(c)
	f.pictures(c)
	f.output(c)
	f.motion(c)
	f.printing(c)
	return c
}

func demoWords(published bool) []string {
	if published {
		return []string{"--published"}
	}
	return nil
}

// eraServed is what --serve says, or a lesson in the same words; "" is both.
func eraServed(word string) demo.Era {
	switch word {
	case "modern":
		return demo.Modern
	case "legacy":
		return demo.Legacy
	}
	return demo.Both
}

// demoHere serves the built-in server at an address of this machine alone, until end is called, which waits for its end.
func demoHere(ctx context.Context, o demo.Options) (address string, end func(), err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	ctx, stop := context.WithCancel(ctx)
	server, done := demo.New(o), make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(ctx, listener) // whoever speaks to it sees that it has ended
	}()
	return "http://" + listener.Addr().String() + demo.Path, func() { stop(); <-done }, nil
}

// served turns the end of a server into an exit code: ending it by ^C is how it is meant to end.
func served(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return nil
	}
	return &failure{exitTransport, err, ""}
}

func listFaults(io streams, asJSON bool) {
	for _, f := range demo.Faults() {
		if asJSON {
			o := object{}
			o.text("fault", f.Name)
			o.text("rule", f.Rule)
			o.text("what", f.What)
			fmt.Fprintf(io.out, "%s\n", o.end())
			continue
		}
		fmt.Fprintf(io.out, "%-28s %s\n%-28s caught by %s\n", f.Name, f.What, "", f.Rule)
	}
}

// self is the command that starts the built-in server as a child: this very program, by its short name where the
// search path leads to it.
func self(words ...string) ([]string, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding our own program: %w", err)
	}
	name := strings.TrimSuffix(filepath.Base(exe), ".exe")
	if found, err := exec.LookPath(name); err == nil && found == exe {
		exe = name
	}
	return append([]string{exe, "demo", "--stdio"}, words...), nil
}
