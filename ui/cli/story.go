package cli

import (
	"context"
	"errors"
	"fmt"
	stdio "io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcploupe/inspect"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/feed"
	"mcploupe/ui/handout"
	"mcploupe/ui/kit"
)

func storyCommand(io streams) *cobra.Command {
	var f flags
	var markdown bool
	var page string
	c := &cobra.Command{
		Use:   "story FILE [#N]",
		Short: "Tell a recorded exchange as a sequence diagram",
		Long: `Print an exchange of a recorded journal, with all that belongs to it, as a sequence diagram: who said what to whom, and
when. #N (or N) is the number of one of its messages, as the inspector and --json show it; without it all are told in turn.`,
		Example: `  mcploupe call slow --record slow.jsonl -- node server.js
  mcploupe story slow.jsonl '#9' --markdown > slow.md
  mcploupe story slow.jsonl --html slow.html      all of them as a page to hand out`,
		Args: words(1, "FILE", "#N"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			if page != "" && markdown {
				return usage("", "--html and --markdown exclude each other")
			}
			return f.story(io, args, markdown, page)
		},
	}
	c.Flags().BoolVar(&markdown, "markdown", false, "print Markdown with Mermaid sequence diagrams")
	c.Flags().StringVar(&page, "html", "", "write one HTML page, with all messages and what was found in them, to `file`, which must not exist; - is standard output")
	f.judging(c)
	s := c.Flags()
	s.StringVar(&f.theme, "theme", "", "`name` of a theme: dark, light, high-contrast, mono, or a file of yours")
	s.BoolVar(&f.noColour, "no-color", false, "no colours (also with NO_COLOR set, or when the output is no terminal)")
	return c
}

func (f *flags) story(io streams, args []string, markdown bool, page string) error {
	var of wire.Seq
	if len(args) > 1 {
		n, err := strconv.ParseUint(strings.TrimPrefix(args[1], "#"), 10, 64)
		if err != nil || n == 0 {
			return usage("the number of a message in the journal: #9", "%q is no number of an exchange", args[1])
		}
		of = wire.Seq(n)
	}
	log, _, err := openJournal(args[0], io.err)
	if err != nil {
		return err
	}
	log.Close()
	b, err := bookOf(log, inspect.New(inspect.Options{Profile: f.profile}))
	if err != nil {
		return err
	}
	rows := b.Timeline.Rows
	if of != 0 {
		r := b.Timeline.Holding(of)
		if r == nil {
			return usage("mcploupe replay FILE shows all of them", "there is no message #%d in an exchange of %s", of, safe(args[0]))
		}
		rows = []*book.Row{r}
	}
	p := f.printer(io.out)
	env := &kit.Env{Styles: p.styles, Now: time.Now}
	told := map[*book.Row]bool{}
	out := handout.Handout{Server: b.Server.About(), Version: Version()}
	for _, r := range rows {
		if told[r] {
			continue
		}
		s, with := env.Story(b, r)
		for _, one := range with {
			told[one] = true
		}
		if page != "" {
			out.Chapters = append(out.Chapters, env.Chapter(b, r))
			continue
		}
		if len(told) > len(with) {
			fmt.Fprintln(io.out)
		}
		if markdown {
			fmt.Fprint(io.out, s.Markdown())
			continue
		}
		fmt.Fprintln(p.out, p.styles.Title.Render(s.Title))
		for _, line := range env.StoryLines(&s, p.width) {
			fmt.Fprintln(p.out, strings.TrimRight(line, " "))
		}
	}
	if page != "" {
		return writePage(io, page, out.HTML())
	}
	return nil
}

// writePage writes a page into a new file; "-" is standard output.
func writePage(io streams, name, text string) error {
	if name == "-" {
		_, err := stdio.WriteString(io.out, text)
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return usage("a file that is there is never written over", "writing the page: %w", err)
	}
	_, err = stdio.WriteString(f, text)
	if err = errors.Join(err, f.Close()); err == nil {
		fmt.Fprintln(io.err, "wrote "+safe(name))
	}
	return err
}

// bookOf reads a closed log to its end.
func bookOf(log *wire.Log, judge feed.Judge) (*book.Book, error) {
	b, in := book.New(), feed.New(log, judge)
	for {
		page, err := in.Next(context.Background())
		if errors.Is(err, stdio.EOF) {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
		b.Take(&page)
	}
}
