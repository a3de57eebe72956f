package learn

import (
	"fmt"
	"strings"

	"mcploupe/ui/kit"
)

// Entry is a lesson in the list.
type Entry struct {
	Key       string // by which it is opened
	Number    int    // 0 for a file of somebody's own
	Title     string
	Minutes   int
	Done, All int // of its tasks and questions
}

// Open says that a lesson is wanted.
type Open struct{ Key string }

// NewList is the list of lessons; at is the key of the one under the cursor.
func NewList(env *kit.Env, entries []Entry, at string) *kit.ListPane {
	src := &list{env, entries}
	p := &kit.ListPane{List: kit.NewList(env, src), Open: "begin"}
	p.Heading = func(bool) (string, string) {
		done := 0
		for _, e := range entries {
			if e.Done == e.All {
				done++
			}
		}
		return env.Styles.Title.Render("Lessons"), env.Styles.Muted.Render(fmt.Sprintf("%d of %d done", done, len(entries)))
	}
	p.Opened = func() kit.Intent {
		if i := p.Selected(); i >= 0 {
			return Open{entries[i].Key}
		}
		return nil
	}
	p.Select(at)
	return p
}

type list struct {
	env     *kit.Env
	entries []Entry
}

func (l *list) Len() int          { return len(l.entries) }
func (l *list) Version() int      { return 0 }
func (l *list) Key(i int) string  { return l.entries[i].Key }
func (l *list) Text(i int) string { return kit.Escape(l.entries[i].Title) }

func (l *list) Line(i, w int, match []int) string {
	s := l.env.Styles
	e := &l.entries[i]
	sign := s.Faint.Render(kit.SignWaiting)
	switch {
	case e.Done == e.All:
		sign = s.OK.Render(kit.SignOK)
	case e.Done > 0:
		sign = s.Accent.Render(kit.SignPointer)
	}
	number := "  "
	if e.Number > 0 {
		number = fmt.Sprintf("%2d", e.Number)
	}
	dots := s.OK.Render(strings.Repeat(kit.SignReady, e.Done)) + s.Faint.Render(strings.Repeat(kit.SignWaiting, e.All-e.Done))
	left := sign + " " + s.Muted.Render(number) + "  " + l.env.Matched(l.Text(i), match, &s.Text)
	return kit.Ends(left, dots+s.Muted.Render(fmt.Sprintf("  %2d min", e.Minutes)), w)
}
