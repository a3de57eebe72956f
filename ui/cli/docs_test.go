package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"mcploupe/inspect"
	"mcploupe/inspect/fields"
	"mcploupe/session/demo"
	"mcploupe/session/mcp"
	"mcploupe/ui/lesson"
)

// taught are the documents for people who learn: every command line in them is run, every name in them exists.
func taught() []string {
	return []string{"workshop.md", "tour.md", "from-2025-11-25-to-2026-07-28.md", "debug-your-server.md", "strangers-server.md"}
}

func pagesRead(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range taught() {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(text)
	}
	return all
}

// A command line as a document has it.
type commandLine struct {
	text  string
	words []string // behind the name of the program
}

var fence = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```")

// commandLines are the ones in a document's blocks that begin with mcploupe. What follows a pipe is not ours.
func commandLines(t *testing.T, page string) (all []commandLine) {
	t.Helper()
	for _, block := range fence.FindAllStringSubmatch(page, -1) {
		if block[1] != "sh" {
			continue
		}
		for line := range strings.Lines(strings.ReplaceAll(block[2], "\\\n", " ")) {
			words, err := shellWords(line)
			if err != nil {
				t.Errorf("%s: %v", line, err)
			}
			if len(words) > 0 && words[0] == "mcploupe" {
				all = append(all, commandLine{strings.TrimSpace(line), words[1:]})
			}
		}
	}
	return all
}

// shellWords splits a line as a shell does, without expanding anything, up to a comment, a pipe or a redirection.
func shellWords(line string) (words []string, err error) {
	var word strings.Builder
	var quote rune
	open := false
	end := func() {
		if open {
			words = append(words, word.String())
		}
		word.Reset()
		open = false
	}
	for _, c := range strings.TrimSpace(line) {
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ' || c == '\t':
			end()
		case !open && strings.ContainsRune("#|>&;", c):
			return words, nil
		default:
			word.WriteRune(c)
			open = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a quotation has no end: %s", line)
	}
	end()
	return words, nil
}

// parsed finds the command of a line and lets it read flags and words; nothing is run.
func parsed(words []string) (*cobra.Command, error) {
	c, rest, err := command(streams{}).Find(words)
	if err != nil {
		return nil, err
	}
	if err := c.ParseFlags(rest); err != nil {
		return nil, err
	}
	if c.Name() == "learn" && c.Flags().NArg() > 0 && !strings.HasSuffix(c.Flags().Arg(0), ".md") {
		if _, err := lesson.Find(lesson.All(), c.Flags().Arg(0)); err != nil {
			return nil, err
		}
	}
	return c, c.ValidateArgs(c.Flags().Args())
}

// runs tells whether a line ends by itself, and needs nobody at a screen.
func runs(c *cobra.Command) bool {
	is := func(flag string) bool { f := c.Flags().Lookup(flag); return f != nil && f.Changed }
	switch c.Name() {
	case "mcploupe", "replay", "learn":
		return false
	case "demo":
		return is("faults")
	case "listen":
		return is("for")
	}
	return !is("login")
}

// The command lines of the documents, one after the other as a reader would type them; each document in a directory of its
// own, with what another terminal serves.
func TestTheCommandLinesOfTheDocuments(t *testing.T) {
	if raced {
		t.Skip("starts more real programs than there is time for with the race detector, which looks into none of them")
	}
	room := openRoom(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, page := range pagesRead(t) {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for file, text := range filesOf(page) {
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			lines := commandLines(t, page)
			if len(lines) == 0 {
				t.Error("no command line")
			}
			for _, l := range lines {
				c, err := parsed(l.words)
				if err != nil {
					t.Errorf("%s: %v", l.text, err)
					continue
				}
				if !runs(c) {
					continue
				}
				if r := program(t, played(l.words, exe, room)...); r.code > exitFindings {
					t.Errorf("%s: %s", l.text, r)
				}
			}
		})
	}
}

// played puts the servers of a test in the place of those in a document.
func played(words []string, exe, room string) []string {
	words = slices.Clone(words)
	for i, w := range words {
		switch {
		case w == "--" && i+1 < len(words):
			faults := []string{}
			if words[i+1] == "mcploupe" { // demo --stdio …
				faults = words[i+4:]
			}
			return append(append(words[:i], "--", exe, "child:demo"), faults...)
		case strings.HasPrefix(w, "http://127.0.0.1:8123/"):
			words[i] = room + strings.TrimPrefix(w, "http://127.0.0.1:8123")
		case strings.HasPrefix(w, "https://example.com/"):
			words[i] = room + "/example/mcp"
		}
	}
	return words
}

// filesOf are the files that a document tells its reader to write: blocks behind a line that ends with the name and a colon.
func filesOf(page string) map[string]string {
	files := map[string]string{}
	for _, m := range regexp.MustCompile("(?ms)`([\\w.-]+\\.json)`:\n\n```json\n(.*?)^```").FindAllStringSubmatch(page, -1) {
		files[m[1]] = m[2]
	}
	return files
}

var codeSpan = regexp.MustCompile("`([^`\n]+)`")

// Every name in the documents exists: rules, faults, methods, headers, members, commands, flags, keys, tools, files.
func TestTheNamesInTheDocuments(t *testing.T) {
	known := knownNames(t)
	for name, text := range pagesRead(t) {
		text = fence.ReplaceAllString(text, "")
		for _, m := range codeSpan.FindAllStringSubmatch(text, -1) {
			if why := known.unknown(m[1]); why != "" {
				t.Errorf("%s: `%s`: %s", name, m[1], why)
			}
		}
		for _, m := range regexp.MustCompile(`\]\(([^)#]+)`).FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join("..", "..", "docs", m[1])); err != nil && !strings.Contains(m[1], "://") {
				t.Errorf("%s: a link to nowhere: %s", name, m[1])
			}
		}
	}
}

// names are what may stand in code in a document.
type names struct {
	words map[string]bool
	text  string // in which a member of a message stands as a word
}

func knownNames(t *testing.T) *names {
	t.Helper()
	n := &names{words: map[string]bool{}}
	add := func(all ...string) {
		for _, w := range all {
			n.words[w] = true
		}
	}
	for _, r := range inspect.Catalogue() {
		add(r.ID)
	}
	add(inspect.ToolShadowing)
	for _, f := range demo.Faults() {
		add(f.Name)
	}
	for _, m := range mcp.Methods() {
		add(m.Name)
	}
	add(mcp.Revisions()...)
	add(mcp.HeaderProtocolVersion, mcp.HeaderMethod, mcp.HeaderName, mcp.HeaderSessionID, mcp.HeaderLastEventID,
		mcp.MetaProtocolVersion, mcp.MetaClientInfo, mcp.MetaClientCapabilities, mcp.MetaServerInfo, mcp.MetaLogLevel, mcp.MetaSubscriptionID, mcp.ExtensionTasks)
	// The keys are in the README, where another test holds them against the program.
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, keys, _ := strings.Cut(string(readme), "<!-- keys: ")
	for row := range strings.Lines(keys) {
		if cell, _, ok := strings.Cut(strings.TrimPrefix(row, "| "), " | "); ok && strings.HasPrefix(row, "| `") {
			for _, m := range codeSpan.FindAllStringSubmatch(cell, -1) {
				add(m[1])
			}
		}
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		c.Flags().VisitAll(func(f *pflag.Flag) { add("--" + f.Name) })
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(command(streams{}))
	for _, l := range lesson.All() {
		add(l.Name)
	}
	add(fields.Names()...)
	for _, def := range fields.Definitions() {
		add(fields.Members(def)...)
	}
	// What the built-in server has stands in its scripts, words like public and fog in the pages of the rules.
	for _, dir := range []string{"../../inspect/pages", "../../session/demo/scripts"} {
		err := fs.WalkDir(os.DirFS(dir), ".", func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".txtar") {
				return err
			}
			text, err := os.ReadFile(filepath.Join(dir, path))
			n.text += string(text)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	// What is no name of the protocol or of ours, or stands in no script: marks of the list of tools, a key that is only
	// there on the built-in server (docs/pictures presses it).
	add("F", "README.md", "docs/answers.md", "◌", "◉", "{…}", "…", "NAME", "DIR", "Mcp-Param-…", "node server.js", "go run ./docs/pictures")
	return n
}

// unknown says what is wrong with a piece of code in a text, "" for nothing.
func (n *names) unknown(code string) string {
	words, err := shellWords(code)
	switch {
	case err != nil:
		return err.Error()
	case n.words[code]:
		return ""
	case words[0] == "mcploupe":
		if _, err := parsed(words[1:]); err != nil {
			return err.Error()
		}
		return ""
	case strings.HasPrefix(code, "http://127.0.0.1:8123/"), strings.HasPrefix(code, "http://HOST:8123"), strings.HasPrefix(code, "https://github.com/"):
		return ""
	case strings.HasPrefix(code, "docs/"), strings.HasPrefix(code, "ui/"):
		if _, err := os.Stat("../../" + code); err != nil {
			return err.Error()
		}
		return ""
	case strings.HasPrefix(words[0], "--") && n.words[words[0]]:
		return ""
	case regexp.MustCompile(`(^|[^\w/-])` + regexp.QuoteMeta(code) + `([^\w/-]|$)`).MatchString(n.text):
		return ""
	}
	return "nobody knows it"
}
