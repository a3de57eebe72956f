// Package cli is the command line: the headless commands, and the only place that starts the screen.
// Its flags, exit codes and JSON lines are a contract that scripts depend on. It must never know how
// a message is judged or drawn; it connects the rooms that do.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"mcploupe/session/visible"
)

// streams are the program's three standard streams; tests give their own.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// Main runs the program with the words after its name and gives the exit code.
func Main(args []string, in io.Reader, out, errOut io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	context.AfterFunc(ctx, stop) // the second ^C ends us at once: the first may wait for something that does not listen
	io := streams{in, out, errOut}
	root := command(io)
	root.SetArgs(codesLast(args))
	return tellError(errOut, root.ExecuteContext(ctx))
}

func command(io streams) *cobra.Command {
	var f flags
	var all, version bool
	root := &cobra.Command{
		Use:   "mcploupe [flags] TARGET",
		Short: "A loupe for MCP: inspect a Model Context Protocol server",
		Long: `mcploupe connects to an MCP server and shows what every response is, which kind of
error it is, how long it stays fresh, and where it breaks the specification.

TARGET is a URL, or -- COMMAND [ARG…] to start a server over stdio, or a NAME with --config FILE.
Without TARGET, on a terminal, it shows what can be opened: recent targets, the servers of other clients' configuration files and a
built-in one.`,
		Example: `  mcploupe
  mcploupe demo
  mcploupe -- npx -y @modelcontextprotocol/server-everything
  mcploupe check https://example.com/mcp
  mcploupe call echo --arg message=hello -- node server.js`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, args []string) error {
			if version {
				tellVersion(io)
				return nil
			}
			if err := f.seekable(); err != nil {
				return err
			}
			switch {
			case len(args) > 0:
				if all {
					return usage("", "--all and a target exclude each other")
				}
				if err := mistaken(c, args, f.config); err != nil {
					return err
				}
			case c.ArgsLenAtDash() == 0:
				return usage("for example: mcploupe -- node server.js", "missing COMMAND after --")
			case f.plain && f.config == "":
				return usage("for example: mcploupe --plain demo; mcploupe servers lists what other clients have configured", "--plain needs a TARGET")
			case !f.plain && atTerminal(io):
				return openHome(c, io, &f, all)
			case f.config != "":
				name, err := f.choose(c, io)
				if err != nil {
					return err
				}
				args = []string{name}
			default:
				return c.Help()
			}
			return openScreen(c, io, &f, args)
		},
	}
	root.SetFlagErrorFunc(unknownFlag)
	root.SetHelpCommand(helpCommand())
	root.SetHelpFunc(help)
	root.SetUsageFunc(howTo)
	root.SetIn(io.in)
	root.SetOut(io.out)
	root.SetErr(io.err)
	f.connection(root)
	f.restarting(root)
	f.printing(root)
	root.Flags().BoolVar(&all, "all", false, "with --config FILE and no NAME: open every server of the file")
	root.Flags().BoolVarP(&version, "version", "v", false, "print the version of mcploupe")
	f.remembering(root)
	f.pictures(root)
	f.motion(root)
	f.seeking(root)
	root.AddCommand(
		checkCommand(io), listCommand(io), callCommand(io), taskCommand(io), readCommand(io), promptCommand(io), sendCommand(io),
		completeCommand(io), eraCommand(io), listenCommand(io), replayCommand(io), storyCommand(io), explainCommand(io), serversCommand(io), demoCommand(io), learnCommand(io), workshopCommand(io), themeCommand(io), versionCommand(io),
	)
	return root
}

// tellVersion prints the version for people. Cobra's own flag for it would do so by a template, whose engine calls methods by their
// names: the linker then keeps every exported method of everything, which made the program 4.8 MB larger.
func tellVersion(io streams) { fmt.Fprintf(io.out, "mcploupe %s\n", Version()) }

func versionCommand(io streams) *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use: "version", Short: "Print the version of mcploupe", Args: words(0),
		RunE: func(*cobra.Command, []string) error {
			if f.json {
				o := object{}
				o.text("name", "mcploupe")
				o.text("version", Version())
				fmt.Fprintf(io.out, "%s\n", o.end())
				return nil
			}
			tellVersion(io)
			return nil
		},
	}
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object instead of text for people")
	return c
}

// Version is the program's version: the module's when built as one, else the revision of the checkout.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}

// safe makes a text of anybody fit for one place on a terminal: no control or invisible character survives.
func safe(s string) string { return visible.EscapeText(s) }

// interrupted tells whether an error is our own ^C.
func interrupted(ctx context.Context, err error) bool {
	return ctx.Err() != nil && errors.Is(err, context.Canceled)
}
