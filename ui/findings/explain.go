package findings

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/highlight"
	"mcploupe/inspect"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/themes"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Explained is the page of a rule: what was found, why it matters, how to fix it, a bad and a good example.
type Explained struct {
	env   *kit.Env
	rule  string
	found *book.Found
	// Muted tells that the rule is muted; nil where that cannot be changed.
	Muted func() bool

	// Lead stands before everything else, a paragraph an element.
	Lead []string
	// Wrong shows no more than what breaking the rule looks like.
	Wrong bool

	body   kit.Page
	w      int
	styles *themes.Styles
}

// NewExplained is the page of a rule; found may be nil.
func NewExplained(env *kit.Env, rule string, found *book.Found) *Explained {
	return &Explained{env: env, rule: rule, found: found}
}

// Rows implements kit.Pane.
func (p *Explained) Rows() []kit.Row {
	var rows []kit.Row
	if f := p.found; f != nil {
		rows = append(rows, kit.Row{Keys: []string{"enter"}, Words: "go there", Group: "findings", Do: func() kit.Intent {
			return kit.Several{kit.Back{}, kit.Show{Row: f.Row, Frame: f.At.Frame, Path: f.At.Path, Key: f.At.Part == inspect.Key}}
		}})
	}
	if ask, ok := p.place(); ok {
		rows = append(rows, kit.Row{Keys: []string{"f"}, Words: "what this field is", Group: "findings", Do: func() kit.Intent { return ask }})
	}
	if p.Muted != nil {
		words, on := "mute the rule", !p.Muted()
		if !on {
			words = "unmute the rule"
		}
		rows = append(rows, kit.Row{Keys: []string{"m"}, Words: words, Group: "findings", Do: func() kit.Intent { return kit.Mute{Rule: p.rule, On: on} }})
	}
	rows = append(rows, kit.Row{Keys: []string{"y"}, Words: "copy rule name", Group: "copy", Do: func() kit.Intent { return kit.Copy{Text: p.rule, What: "rule name"} }})
	return append(rows, p.body.Rows()...)
}

// place is the field that the finding is about; ok is false for what is about no field.
func (p *Explained) place() (ask kit.ExplainField, ok bool) {
	f := p.found
	if f == nil {
		return ask, false
	}
	ask = kit.ExplainField{Row: f.Row, Frame: f.At.Frame}
	switch f.At.Part {
	case inspect.Body, inspect.Key:
		ask.Path = f.At.Path
	case inspect.Header:
		ask.Header = string(f.At.Path)
	case inspect.Status:
		ask.Status = -1
	default:
		return ask, false
	}
	return ask, true
}

// Typing implements kit.Pane.
func (p *Explained) Typing() bool { return false }

// Text implements kit.Pane.
func (p *Explained) Text(tea.Msg) (kit.Intent, bool) { return nil, false }

// Click implements kit.Pane.
func (p *Explained) Click(_, _ int, msg tea.MouseMsg) kit.Intent { p.body.Click(msg); return nil }

// Scroll implements kit.Framed.
func (p *Explained) Scroll() kit.Scroll { return p.body.Scroll() }

// Beat implements kit.Lively.
func (p *Explained) Beat() time.Duration { return 0 }

// Head implements kit.Framed.
func (p *Explained) Head(bool) (title, right string) {
	s := p.env.Styles
	title = s.Title.Render(kit.Escape(p.rule))
	r, ok := inspect.Lookup(p.rule)
	if !ok {
		r, ok = inspect.Beside(p.rule)
	}
	if ok {
		sign, style := p.env.Level(r.Level)
		right = style.Render(sign + " " + r.Level.String())
		if p.Muted != nil && p.Muted() {
			right = s.Muted.Render("muted  ") + right
		}
	}
	return title, right
}

// Draw implements kit.Pane.
func (p *Explained) Draw(w, h int, focused bool) string {
	if w != p.w || p.styles != p.env.Styles {
		p.w, p.styles = w, p.env.Styles
		p.body.SetLines(p.lines(w))
	}
	return kit.Block(p.body.Draw(w, h), w, h)
}

func (p *Explained) lines(w int) []string {
	s := p.env.Styles
	page, ok, err := inspect.Explain(p.rule)
	if err != nil || !ok {
		text := "There is no page for " + p.rule + "."
		if err != nil {
			text = err.Error()
		}
		return []string{s.Should.Render(kit.Cut(kit.Escape(text), w))}
	}
	var out []string
	add := func(more ...string) { out = append(out, more...) }
	for _, text := range p.Lead {
		for _, l := range kit.Wrap(text, w) {
			add(s.Accent.Render(l))
		}
	}
	if len(p.Lead) > 0 {
		add("")
	}
	for _, l := range kit.Wrap(kit.Escape(page.Title), w) {
		add(s.Title.Render(l))
	}
	add("")
	pairs := [][2]string{{"source", page.Rule.Source}, {"holds for", eras(page.Rule.Eras)}}
	if f := p.found; f != nil {
		pairs = append(pairs, [2]string{"found in", fmt.Sprintf("#%d %s", f.At.Frame, f.At.Part)}, [2]string{"at", kit.Escape(string(f.At.Path))}, [2]string{"here too", again(&f.Finding)},
			[2]string{"got", kit.Escape(f.Got)}, [2]string{"want", kit.Escape(f.Want)},
			[2]string{"rests on", book.Word(&f.Finding)}, [2]string{"confidence", f.Confidence.String()})
	}
	add(p.env.Labelled(pairs, w)...)
	for _, part := range []struct{ head, text string }{{"Why", page.Why}, {"How to fix it", page.Fix}} {
		if p.Wrong {
			continue
		}
		if strings.TrimSpace(part.text) != "" {
			add("", p.env.Section(part.head, w))
			add(highlight.Markdown(strings.TrimSpace(part.text), w, s)...)
		}
	}
	for _, part := range []struct {
		head     string
		examples []inspect.Example
	}{{"Wrong", page.Bad}, {"Right", page.Good}} {
		for i := range part.examples {
			if p.Wrong && (part.head != "Wrong" || i > 0) {
				continue
			}
			add("", p.env.Section(part.head, w))
			add(p.example(page, &part.examples[i], w)...)
		}
	}
	return out
}

// maxAgain bounds how many places of one fault are named.
const maxAgain = 5

// again are the places where the same is wrong once more in the message, escaped; "" for none.
func again(f *inspect.Finding) string {
	var paths []string
	for _, at := range f.Places()[1:] {
		paths = append(paths, kit.Escape(string(at.Path)))
	}
	if n := len(paths) - maxAgain; n > 0 {
		paths = append(paths[:maxAgain], "and "+kit.Number(n)+" more")
	}
	return strings.Join(paths, "  ")
}

func eras(text string) string {
	if text == "" || text == "all" {
		return "every revision"
	}
	return text
}

// example is a conversation with marks on what is wrong in it.
func (p *Explained) example(page *inspect.Page, e *inspect.Example, w int) []string {
	s := p.env.Styles
	steps, err := page.Steps(e)
	if err != nil {
		return []string{s.Should.Render(kit.Cut(kit.Escape(err.Error()), w))}
	}
	broken := slices.ContainsFunc(steps, func(st inspect.Step) bool { return len(st.Findings) > 0 })
	var out []string
	for i := range steps {
		st := &steps[i]
		f := st.Entry.Frame
		if f == nil || p.Wrong && broken && len(st.Findings) == 0 {
			continue
		}
		dir, style := kit.SignReceived+" server", &s.Received
		if f.Dir == wire.Sent {
			dir, style = kit.SignSent+" client", &s.Sent
		}
		head := style.Render(dir)
		if f.HTTP != nil {
			line := kit.Escape(strings.TrimSpace(f.HTTP.Method + " " + f.HTTP.URL))
			if f.HTTP.Status != 0 {
				line = fmt.Sprintf("HTTP %d", f.HTTP.Status)
			}
			head += "  " + s.Muted.Render(line)
		}
		out = append(out, head)
		var marks []highlight.Mark
		var beside []string
		for j := range st.Findings {
			x := &st.Findings[j]
			at := f.Doc().At(x.At.Path)
			sign, role := p.env.Level(x.Level())
			if at.Exists() && x.At.Part.InText() {
				marks = append(marks, highlight.Mark{Node: at.Node(), Key: x.At.Part == inspect.Key, Role: kit.RoleOf(x), Note: "want " + x.Want})
				continue
			}
			beside = append(beside, role.Render(kit.Cut(sign+" "+kit.Escape(string(x.At.Path))+" want "+kit.Escape(x.Want), w)))
		}
		var painter *highlight.Painter
		if d := f.Doc(); d.Root().Is(jsondoc.Object) || d.Root().Is(jsondoc.Array) {
			painter = highlight.JSON(jsondoc.NewLayout(d), s)
		} else {
			painter = highlight.Text(f.Body, "", "", s)
		}
		painter.SetMarks(marks)
		painter.SetLook(highlight.Look{Width: w - 2, Wrap: true})
		for k := range painter.Rows() {
			out = append(out, "  "+painter.Row(k, 0).Text)
		}
		out = append(out, beside...)
	}
	return out
}

// ScrollTo implements kit.Scroller.
func (p *Explained) ScrollTo(from int) { p.body.ScrollTo(from) }
