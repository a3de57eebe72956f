package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"

	"mcploupe/session/secret"
	"mcploupe/session/target"
	"mcploupe/session/visible"
	"mcploupe/ui/pick"
)

func serversCommand(io streams) *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use:   "servers",
		Short: "List the servers in the configuration files of common clients, or in --config FILE",
		Long: `List the servers that are set up for other clients: Claude Code and Desktop, VS Code, Cursor, Windsurf, Zed. Files may use
mcpServers, servers, mcp.servers or context_servers, comments and trailing commas. Nothing is started.

mcploupe --config FILE without a name shows them to be opened, one or several.`,
		Example: `  mcploupe servers
  mcploupe --config .vscode/mcp.json
  mcploupe list tools --config ~/.claude.json NAME`,
		Args: words(0),
		RunE: func(*cobra.Command, []string) error {
			found, err := f.servers(io)
			if err != nil {
				return err
			}
			listServers(io, f.json, found)
			return nil
		},
	}
	c.Flags().StringVar(&f.config, "config", "", "`file` to read instead of those of the known clients")
	c.Flags().BoolVar(&f.json, "json", false, "print one JSON object a line instead of text for people")
	return c
}

// serversOf is one configuration file and whose it is.
type serversOf struct {
	client string
	file   *target.File
}

// servers reads --config, or the files of the known clients that exist. One that cannot be read is said and passed over.
func (f *flags) servers(io streams) ([]serversOf, error) {
	cwd, _ := os.Getwd() // without it there is no project to look for
	if f.config != "" {
		file, err := target.Read(f.config, cwd)
		if err != nil {
			return nil, wrongTarget(err)
		}
		return []serversOf{{"", file}}, nil
	}
	var out []serversOf
	for _, p := range target.Places(cwd, personal) {
		if _, err := os.Stat(p.Path); err != nil {
			continue
		}
		file, err := target.Read(p.Path, cwd)
		switch e, ok := errors.AsType[*target.Error](err); {
		case ok && strings.Contains(e.Text, "has no mcpServers"): // settings without servers
		case err != nil:
			fmt.Fprintf(io.err, "mcploupe: %s\n", safe(err.Error()))
		default:
			out = append(out, serversOf{p.Client, file})
		}
	}
	return out, nil
}

// personal looks up the directories of the person.
func personal(name string) string {
	var dir string
	var err error
	switch name {
	case "home":
		dir, err = os.UserHomeDir()
	case "config":
		dir, err = os.UserConfigDir()
	}
	if err != nil {
		return ""
	}
	return dir
}

func wrongTarget(err error) error {
	hint := ""
	if e, ok := errors.AsType[*target.Error](err); ok {
		hint = e.Hint
	}
	return usage(hint, "%w", err)
}

func listServers(io streams, asJSON bool, found []serversOf) {
	if len(found) == 0 && !asJSON {
		fmt.Fprintln(io.err, "mcploupe: no configuration file of a known client holds servers; --config FILE names one")
	}
	for n, s := range found {
		if !asJSON {
			if n > 0 {
				fmt.Fprintln(io.out)
			}
			fmt.Fprintf(io.out, "%s  %s\n", safe(s.file.Path), strings.TrimSpace(s.client+" "+s.file.Dialect))
		}
		for _, e := range s.file.Servers {
			what := discreet(e)
			if asJSON {
				o := object{}
				o.text("file", s.file.Path)
				o.text("client", s.client)
				o.text("dialect", s.file.Dialect)
				o.text("name", e.Name)
				o.text("kind", e.Kind)
				o.text("target", what)
				fmt.Fprintf(io.out, "%s\n", o.end())
				continue
			}
			if e.Disabled {
				what += "  (switched off there)"
			}
			fmt.Fprintf(io.out, "  %-24s %-6s %s\n", clip(visible.Escape(e.Name), 40), e.Kind, visible.Escape(what))
		}
	}
}

// discreet is what a server is, without what looks like a secret: files of other clients are full of them.
func discreet(e target.Entry) string {
	what := e.What
	if e.Kind != "stdio" {
		if u, err := url.Parse(what); err == nil && u.Host != "" {
			if u.User != nil {
				u.User = url.User("…")
			}
			if u.RawQuery != "" {
				u.RawQuery = "…"
			}
			return clip(strings.ReplaceAll(strings.ReplaceAll(u.String(), "%E2%80%A6", "…"), "\n", " "), 160)
		}
	}
	words := make([]string, len(e.Argv))
	for i, parts := range secret.Words(e.Argv) {
		words[i] = secret.Cover(e.Argv[i], parts, "…")
	}
	return clip(strings.ReplaceAll(strings.Join(words, " "), "\n", " "), 160)
}

// choose lets the person pick a server of --config.
func (f *flags) choose(c *cobra.Command, io streams) (name string, err error) {
	found, err := f.servers(io)
	if err != nil {
		return "", err
	}
	var items []pick.Item
	var names []string
	for _, s := range found {
		for _, e := range s.file.Servers {
			it := pick.Item{Name: visible.Escape(e.Name), Kind: e.Kind, What: visible.Escape(discreet(e)), Group: visible.Escape(s.file.Dialect)}
			if e.Kind == "" {
				it.Off = "it has neither command nor url"
			}
			items, names = append(items, it), append(names, e.Name)
		}
	}
	if err := f.terminal(io); err != nil {
		return "", usage("it has "+strings.Join(names, ", "), "--config needs the NAME of a server")
	}
	n, err := pick.Run(c.Context(), pick.Options{Title: f.config, Items: items, Styles: f.printer(io.out).styles, In: io.in, Out: io.out})
	if errors.Is(err, pick.ErrNone) {
		return "", silent(exitOK)
	}
	if err != nil {
		return "", err
	}
	return names[n], nil
}

// inputVariable is the environment variable that answers ${input:ID} where nobody sits.
func inputVariable(id string) string {
	up := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return r
		}
		return '_'
	}, id)
	return "MCPLOUPE_INPUT_" + strings.ToUpper(up)
}

// input asks for a value that a configuration file wants from a person. It is not written anywhere.
func (f *flags) input(streams streams) func(target.Input) (string, error) {
	if f.inputs != nil {
		return f.inputs
	}
	return func(in target.Input) (string, error) {
		name := inputVariable(in.ID)
		if v, ok := os.LookupEnv(name); ok {
			return v, nil
		}
		file, isFile := streams.in.(*os.File)
		if !isFile || !term.IsTerminal(file.Fd()) {
			return "", &target.Error{Text: fmt.Sprintf("the configuration asks for %q, and nobody is here to ask", in.ID), Hint: "set " + name}
		}
		words := in.Description
		if words == "" {
			words = in.ID
		}
		more := ""
		switch {
		case len(in.Choices) > 0:
			more = " (" + strings.Join(in.Choices, ", ") + ")"
		case in.Default != "" && !in.Password:
			more = " [" + in.Default + "]"
		}
		fmt.Fprintf(streams.err, "%s%s: ", visible.Escape(clip(words, 200)), visible.Escape(clip(more, 400)))
		text, err := typedLine(file, in.Password)
		fmt.Fprintln(streams.err)
		if err != nil {
			return "", &target.Error{Text: fmt.Sprintf("reading %q: %v", in.ID, err)}
		}
		if text == "" {
			text = in.Default
		}
		if text == "" || len(in.Choices) > 0 && !slices.Contains(in.Choices, text) {
			return "", &target.Error{Text: fmt.Sprintf("%q is no answer for %q", text, in.ID)}
		}
		return text, nil
	}
}

// typedLine reads a line; a password is not shown.
func typedLine(file *os.File, hidden bool) (string, error) {
	if hidden {
		text, err := term.ReadPassword(file.Fd())
		return string(text), err
	}
	// Byte by byte: what is typed behind the line belongs to whoever reads next.
	line, err := bufio.NewReaderSize(io.LimitReader(oneByte{file}, 64<<10), 16).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return strings.TrimRight(line, "\r\n"), nil
}

// oneByte hands out a byte at a time.
type oneByte struct{ r io.Reader }

func (o oneByte) Read(p []byte) (int, error) { return o.r.Read(p[:min(len(p), 1)]) }
