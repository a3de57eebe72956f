package cli

import (
	"context"
	"errors"
	"fmt"
	stdio "io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"mcploupe/inspect"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/feed"
	"mcploupe/ui/kit"
)

func storyCommand(io streams) *cobra.Command {
	var f flags
	var markdown bool
	c := &cobra.Command{
		Use:   "story FILE [#N]",
		Short: "Tell a recorded exchange as a sequence diagram",
		Long: `Print an exchange of a recorded journal, with all that belongs to it, as a sequence diagram: who said what to whom, and
when. #N (or N) is the number of one of its messages, as the inspector and --json show it; without it all are told in turn.`,
		Example: `  mcploupe call slow --record slow.jsonl -- node server.js
  mcploupe story slow.jsonl '#9' --markdown > slow.md`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return f.story(io, args, markdown)
		},
	}
	c.Flags().BoolVar(&markdown, "markdown", false, "print Markdown with Mermaid sequence diagrams")
	f.judging(c)
	s := c.Flags()
	s.StringVar(&f.theme, "theme", "", "`name` of a theme: dark, light, high-contrast, mono, or a file of yours")
	s.BoolVar(&f.noColour, "no-color", false, "no colours (also with NO_COLOR set, or when the output is no terminal)")
	return c
}

func (f *flags) story(io streams, args []string, markdown bool) error {
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
	for _, r := range rows {
		if told[r] {
			continue
		}
		s, with := env.Story(b, r)
		for _, one := range with {
			told[one] = true
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
	return nil
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
