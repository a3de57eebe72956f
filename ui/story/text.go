package story

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// Role is what a part of a line is, for whoever paints it.
type Role uint8

// Roles.
const (
	Lane  Role = iota // lanes, shafts of arrows
	Time              // times, numbers
	Words             // what is said
	Quiet             // details
	Name              // names of the two sides
	Fine              // verdicts by tone
	Warned
	Broken
	Ours   // the head of an arrow of ours
	Theirs // and of one of the server
)

// Segment is a piece of a line in one role.
type Segment struct {
	Role Role
	Text string
}

// Line is one line of the diagram.
type Line []Segment

// String is the line as plain text, without blanks at its end.
func (l Line) String() string {
	var b strings.Builder
	for _, s := range l {
		b.WriteString(s.Text)
	}
	return strings.TrimRight(b.String(), " ")
}

// Widths in cells: of the column of times, the least between the lanes (with less there are none), and the most that is good to
// follow with the eye.
const (
	timeWidth = 9
	leastBody = 28
	mostWidth = 120
)

// Lines sets the story in lines of at most w cells.
func (s *Story) Lines(w int) []Line {
	w = min(max(w, 16), mostWidth)
	d := drawingIn(w)
	var out []Line
	if d.lanes {
		out = append(out, d.names("mcploupe", s.Server))
	}
	for i := range s.Rows {
		out = append(out, s.rowLines(d, i)...)
	}
	return append(out, Line{{Time, strings.Repeat(" ", timeWidth)}, {Quiet, cut(s.Summary(), w-timeWidth)}})
}

// RowLines are the lines that Lines gives for one row, and before the first one the names of the two sides.
func (s *Story) RowLines(i, w int) []Line {
	d := drawingIn(w)
	var out []Line
	if i == 0 && d.lanes {
		out = append(out, d.names("mcploupe", s.Server))
	}
	return append(out, s.rowLines(d, i)...)
}

func (s *Story) rowLines(d drawing, i int) []Line {
	var out []Line
	if s.Left > 0 && i == firstRows {
		out = append(out, d.body("", Quiet, "… "+strconv.Itoa(s.Left)+" rows are left out here …"))
	}
	return append(out, d.row(&s.Rows[i])...)
}

// Summary is how long it took and how much was said.
func (s *Story) Summary() string {
	text := plural(s.messages(), "message")
	if s.Requests > 0 {
		text = plural(s.Requests, "request") + " · " + text
	}
	if s.Open {
		return text + " · not over yet"
	}
	return text + " · " + clock(s.Took)
}

func (s *Story) messages() int {
	n := s.Left
	for i := range s.Rows {
		switch r := &s.Rows[i]; r.Way {
		case Both:
			n += 2 * r.Count
		case Aside:
		default:
			n += r.Count
		}
	}
	return n
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// drawing is how a story is laid out: in is what stands between the lanes.
type drawing struct {
	in    int
	lanes bool
}

func drawingIn(w int) drawing {
	w = min(max(w, 16), mostWidth)
	d := drawing{in: w - timeWidth - 2}
	d.lanes = d.in >= leastBody
	if !d.lanes {
		d.in = w - timeWidth
	}
	return d
}

func (d drawing) names(left, right string) Line {
	right = cut(right, max(d.in-len(left), 8))
	gap := timeWidth + d.in + 2 - len(left) - ansi.StringWidth(right) - timeWidth
	return Line{{Time, strings.Repeat(" ", timeWidth)}, {Name, left}, {Lane, strings.Repeat(" ", max(gap, 1))}, {Name, right}}
}

// body is a line without an arrow.
func (d drawing) body(at string, role Role, text string) Line {
	l := Line{{Time, padLeft(at)}}
	if !d.lanes {
		return append(l, Segment{role, cut(text, d.in)})
	}
	text = cut("  "+text, d.in)
	return append(l, Segment{Lane, "│"}, Segment{role, text}, Segment{Lane, strings.Repeat(" ", max(d.in-ansi.StringWidth(text), 0)) + "│"})
}

func padLeft(at string) string {
	return strings.Repeat(" ", max(timeWidth-1-ansi.StringWidth(at), 0)) + at + " "
}

func (d drawing) row(r *Row) []Line {
	at := "+" + clock(r.At)
	var out []Line
	label := d.label(r)
	switch {
	case r.Way == Aside:
		out = append(out, d.aside(at, label))
	case d.lanes:
		out = append(out, d.arrow(at, r, label))
	default:
		head := map[Way]Segment{ToServer: {Ours, "→ "}, ToClient: {Theirs, "← "}, Both: {Ours, "↔ "}}[r.Way]
		out = append(out, append(Line{{Time, padLeft(at)}, head}, fit(label, d.in-2)...))
	}
	for _, text := range r.Detail {
		room := max(d.in-6, 8)
		lines := strings.Split(ansi.Wrap(text, room, ""), "\n")
		if len(lines) > 2 { // what is left out is said
			lines[1] = ansi.Truncate(strings.TrimRight(lines[1], " ")+"…", room, "…")
			lines = lines[:2]
		}
		for _, l := range lines {
			out = append(out, d.body("", Quiet, "  "+strings.TrimSpace(l)))
		}
	}
	return out
}

// label is what stands on an arrow.
func (d drawing) label(r *Row) Line {
	var l Line
	add := func(role Role, text string) {
		if text == "" {
			return
		}
		if len(l) > 0 {
			text = " " + text
		}
		l = append(l, Segment{role, text})
	}
	if r.Peer != "" {
		add(Time, "["+r.Peer+"]")
	}
	head, tone := Words, Fine
	switch r.Tone {
	case Warn:
		tone = Warned
	case Bad:
		tone = Broken
	case Plain:
		tone = Words
	}
	if r.Verdict == "" && r.Tone != Plain {
		head = tone
	}
	add(head, r.Head)
	add(tone, r.Verdict)
	if r.Count > 1 {
		add(Words, "×"+strconv.Itoa(r.Count))
		add(Time, "until +"+clock(r.Until))
	}
	add(Time, r.Number)
	return l
}

func (d drawing) arrow(at string, r *Row, label Line) Line {
	shaft := "─"
	if r.Answer {
		shaft = "╌"
	}
	from, to := Segment{Ours, shaft}, Segment{Ours, "▸"}
	switch r.Way {
	case ToClient:
		from, to = Segment{Theirs, "◂"}, Segment{Theirs, shaft}
	case Both:
		from, to = Segment{Theirs, "◂"}, Segment{Ours, "▸"}
	}
	label = fit(label, d.in-6)
	room := d.in - 5 - width(label)
	l := Line{{Time, padLeft(at)}, {Lane, "│"}, from, {Lane, shaft + " "}}
	l = append(l, label...)
	return append(l, Segment{Lane, " " + strings.Repeat(shaft, max(room, 0))}, to, Segment{Lane, "│"})
}

func (d drawing) aside(at string, label Line) Line {
	l := Line{{Time, padLeft(at)}}
	if !d.lanes {
		return append(append(l, Segment{Lane, "· "}), fit(label, d.in-2)...)
	}
	label = fit(label, d.in-4)
	l = append(l, Segment{Lane, "│  "})
	l = append(l, label...)
	return append(l, Segment{Lane, strings.Repeat(" ", max(d.in-2-width(label), 0)) + "│"})
}

func width(l Line) int {
	n := 0
	for _, s := range l {
		n += ansi.StringWidth(s.Text)
	}
	return n
}

// fit cuts a label; the verdict and what stands behind it stay, the head gives way.
func fit(l Line, w int) Line {
	over := width(l) - w
	if over <= 0 || len(l) == 0 {
		return l
	}
	out := append(Line(nil), l...)
	widest := 0
	for i := range out {
		if ansi.StringWidth(out[i].Text) > ansi.StringWidth(out[widest].Text) {
			widest = i
		}
	}
	out[widest].Text = cut(out[widest].Text, max(ansi.StringWidth(out[widest].Text)-over, 4))
	for width(out) > w && len(out) > 1 {
		out = out[:len(out)-1]
	}
	if width(out) > w {
		out[0].Text = cut(out[0].Text, max(w, 1))
	}
	return out
}

func cut(s string, w int) string { return ansi.Truncate(s, max(w, 1), "…") }

// clock is a duration in at most seven cells.
func clock(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d == 0:
		return "0 ms"
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 100*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d:%02d m", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d:%02d h", int(d.Hours()), int(d.Minutes())%60)
}
