package learn

import (
	tea "charm.land/bubbletea/v2"

	"mcploupe/highlight"
	"mcploupe/ui/kit"
	"mcploupe/ui/lesson"
)

// Answered says that the question on the page was answered rightly just now; the window still stands, and says why.
type Answered struct{}

// Question is the choice of an answer, in a window of its own.
type Question struct {
	env   *kit.Env
	page  *lesson.Page
	at    int          // the choice under the cursor
	tried map[int]bool // chosen so far
	right bool
	body  kit.Page
}

// NewQuestion asks the question of a page.
func NewQuestion(env *kit.Env, page *lesson.Page) *Question {
	return &Question{env: env, page: page, tried: map[int]bool{}}
}

// Rows implements kit.Pane.
func (q *Question) Rows() []kit.Row {
	words := "this one"
	if q.right {
		words = "go on"
	}
	move := func(d int) func() kit.Intent {
		return func() kit.Intent {
			q.at = kit.Step(q.at, d, len(q.page.Question.Choices))
			return nil
		}
	}
	return []kit.Row{
		{Keys: []string{"enter", "space"}, Words: words, Group: "question", Do: q.choose},
		{Keys: []string{"up", "k"}, Words: "choice above", Group: "question", Quiet: true, Do: move(-1)},
		{Keys: []string{"down", "j"}, Words: "choice below", Group: "question", Quiet: true, Do: move(1)},
	}
}

// choose takes the choice under the cursor; once the right one was found it closes the window. The right one counts at once: the
// window may be left in other ways.
func (q *Question) choose() kit.Intent {
	if q.right {
		return kit.Back{}
	}
	q.tried[q.at] = true
	if q.right = q.page.Question.Choices[q.at].Right; q.right {
		return Answered{}
	}
	return nil
}

// Typing implements kit.Pane.
func (q *Question) Typing() bool { return false }

// Text implements kit.Pane.
func (q *Question) Text(tea.Msg) (kit.Intent, bool) { return nil, false }

// Head implements kit.Framed.
func (q *Question) Head(bool) (title, right string) {
	return q.env.Styles.Title.Render("A question"), ""
}

// Scroll implements kit.Framed.
func (q *Question) Scroll() kit.Scroll { return q.body.Scroll() }

// Click implements kit.Pane: the wheel scrolls.
func (q *Question) Click(_, _ int, msg tea.MouseMsg) kit.Intent {
	q.body.Click(msg)
	return nil
}

// Size is how large the window would like to be.
func (q *Question) Size(w, h int) (int, int) {
	w = min(w-8, 84)
	lines, _ := q.lines(w - 4)
	return w, min(len(lines)+2, h-2)
}

// Draw implements kit.Pane.
func (q *Question) Draw(w, h int, _ bool) string {
	lines, at := q.lines(w)
	q.body.SetLines(lines)
	q.body.Draw(w, h) // for the height
	if s := q.body.Scroll(); at < s.From || at >= s.From+h-2 {
		q.body.By(at - s.From - h/2)
	}
	return kit.Block(q.body.Draw(w, h), w, h)
}

// lines is all of it, and the line of the cursor.
func (q *Question) lines(w int) (out []string, cursor int) {
	s := q.env.Styles
	for _, l := range kit.Wrap(q.page.Title, w) {
		out = append(out, s.Title.Render(l))
	}
	out = append(out, "")
	for i := range q.page.Question.Choices {
		c := &q.page.Question.Choices[i]
		sign := s.Muted.Render(kit.SignWaiting)
		switch {
		case q.tried[i] && c.Right:
			sign = s.OK.Render(kit.SignOK)
		case q.tried[i]:
			sign = s.Should.Render(kit.SignMust)
		}
		for k, l := range kit.Wrap(plain(c.Text), w-4) {
			lead := "    "
			if k == 0 {
				lead = "  " + sign + " "
				if i == q.at {
					cursor = len(out)
					lead = s.Accent.Render(kit.SignPointer) + " " + sign + " "
				}
			}
			style := &s.Text
			if i == q.at {
				style = &s.Title
			}
			out = append(out, lead+style.Render(l))
		}
		if q.tried[i] {
			for _, l := range highlight.Markdown(c.Why, w-4, s) {
				out = append(out, "    "+l)
			}
		}
	}
	if q.right {
		out = append(out, "", s.Keycap.Render("enter")+" "+s.Muted.Render("go on"))
	}
	return out, cursor
}
