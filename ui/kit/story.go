package kit

import (
	"cmp"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/inspect"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/story"
)

// Story tells the exchange with everything that belongs to it; rows are the exchanges that belong to it, in order.
func (e *Env) Story(b *book.Book, r *book.Row) (s story.Story, rows []*book.Row) {
	name, parts, rows := e.gathered(b, r)
	return story.Tell(name, parts), rows
}

// Frames tells the same with every message in a row of its own.
func (e *Env) Frames(b *book.Book, r *book.Row) (s story.Story, rows []*book.Row) {
	name, parts, rows := e.gathered(b, r)
	return story.Frames(name, parts), rows
}

// gathered is what a story of an exchange is told from: the name of the other side, and the parts with their exchanges.
func (e *Env) gathered(b *book.Book, r *book.Row) (name string, parts []story.Part, rows []*book.Row) {
	all := b.Timeline.Rows
	at := -1
	for i := len(all) - 1; i >= 0; i-- {
		if all[i] == r {
			at = i
			break
		}
	}
	if at < 0 { // it is not kept any more
		rows = []*book.Row{r}
	}
	for _, i := range story.Gather(len(all), func(i int) *wire.Exchange { return &all[i].X }, at) {
		rows = append(rows, all[i])
	}
	parts = make([]story.Part, len(rows))
	for i, row := range rows {
		parts[i] = e.part(row)
	}
	return cmp.Or(b.Server.Name(), b.Server.Target), parts, rows
}

// part is a row as a part of a story, with its verdict in words.
func (e *Env) part(r *book.Row) story.Part {
	p := story.Part{X: &r.X}
	if r.Lone() || r.Running() || !r.V.Ended || r.X.Request.Kind != wire.Request {
		return p
	}
	words := []string{e.ResultType(r).short().Render()} // the message of an error stands below
	if out := e.Outcome(r); out.Text != "" && r.X.End != wire.Cancelled && r.X.End != wire.TimedOut {
		words = append(words, out.Render())
	}
	if n := e.Counts(r.Count, false); n != "" {
		words = append(words, n)
	}
	p.Verdict = visible.Escape(ansi.Strip(strings.Join(words, " "+SignDot+" ")))
	switch {
	case r.Worst == inspect.Must, r.X.Reply == nil && r.X.End != wire.Cancelled:
		p.Tone = story.Bad
	case r.Worst == inspect.Should, r.V.Outcome.Class != inspect.Success:
		p.Tone = story.Warn
	default:
		p.Tone = story.Good
	}
	return p
}

// StoryFile is what a file with the story of an exchange is called, without its ending.
func StoryFile(of wire.Ref, s *story.Story) string {
	return fmt.Sprintf("story-%d-%s", of.Seq, s.Title)
}

// WriteStory writes the story of an exchange as Markdown.
func WriteStory(of wire.Ref, s *story.Story) Write {
	return Write{Name: StoryFile(of, s), Ext: ".md", Text: s.Markdown(), What: "the story"}
}

// StoryLines sets a story in at most w cells, in colour.
func (e *Env) StoryLines(s *story.Story, w int) []string { return e.PaintStory(s.Lines(w)) }

// PaintStory is lines of a story in colour.
func (e *Env) PaintStory(lines []story.Line) []string {
	st := e.Styles
	style := [...]*lipgloss.Style{
		story.Lane: &st.Faint, story.Time: &st.Muted, story.Words: &st.Text, story.Quiet: &st.Muted, story.Name: &st.Title,
		story.Fine: &st.OK, story.Warned: &st.Should, story.Broken: &st.Must, story.Ours: &st.Sent, story.Theirs: &st.Received,
	}
	out := make([]string, len(lines))
	for i, l := range lines {
		var b strings.Builder
		for _, seg := range l {
			b.WriteString(style[seg.Role].Render(seg.Text))
		}
		out[i] = b.String()
	}
	return out
}
