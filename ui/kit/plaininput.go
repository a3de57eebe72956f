package kit

import (
	"strings"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
)

// PlainInput is the least that an Input can be: a box of text with a cursor. It stands where no form or
// editor is given.
type PlainInput struct {
	env   *Env
	lines []string
	row   int
	col   int // in runes
	top   int
}

// NewPlainInput is an Inputs.JSON.
func NewPlainInput(env *Env, _ string, _ jsondoc.Value) Input {
	return &PlainInput{env: env, lines: []string{"{}"}, col: 1}
}

// SetValue implements Input.
func (p *PlainInput) SetValue(raw []byte) {
	p.lines = strings.Split(string(raw), "\n")
	p.row = min(p.row, len(p.lines)-1)
	p.clamp()
}

// Value implements Input.
func (p *PlainInput) Value() []byte { return []byte(strings.Join(p.lines, "\n")) }

// Lines implements Input.
func (p *PlainInput) Lines() int { return len(p.lines) }

// Problem implements Input: whether the text is JSON.
func (p *PlainInput) Problem() string {
	d := jsondoc.Parse(p.Value())
	switch {
	case !d.Valid() && len(d.Faults) > 0:
		return "this is not JSON yet: " + Escape(d.Faults[0].Detail)
	case !d.Root().Is(jsondoc.Object):
		return "arguments are a JSON object"
	}
	return ""
}

func (p *PlainInput) clamp() { p.col = min(max(p.col, 0), utf8.RuneCountInString(p.lines[p.row])) }

// Rows implements Pane.
func (p *PlainInput) Rows() []Row { return nil }

// Typing implements Pane.
func (p *PlainInput) Typing() bool { return true }

// Beat implements Lively.
func (p *PlainInput) Beat() time.Duration { return 0 }

// Text implements Pane.
func (p *PlainInput) Text(msg tea.Msg) (Intent, bool) {
	switch m := msg.(type) {
	case tea.PasteMsg:
		for i, line := range strings.Split(strings.ReplaceAll(m.Content, "\r\n", "\n"), "\n") {
			if i > 0 {
				p.newline()
			}
			p.insert(line)
		}
		return nil, true
	case tea.KeyPressMsg:
		switch m.String() {
		case "up":
			p.row = max(p.row-1, 0)
		case "down":
			p.row = min(p.row+1, len(p.lines)-1)
		case "left":
			p.col--
		case "right":
			p.col++
		case "home", "ctrl+a":
			p.col = 0
		case "end", "ctrl+e":
			p.col = 1 << 30
		case "enter":
			p.newline()
		case "backspace":
			p.backspace()
		default:
			if m.Text == "" {
				return nil, false
			}
			p.insert(m.Text)
		}
		p.clamp()
		return nil, true
	}
	return nil, false
}

// cut is the line under the cursor in two.
func (p *PlainInput) cut() (before, after string) {
	r := []rune(p.lines[p.row])
	return string(r[:p.col]), string(r[p.col:])
}

func (p *PlainInput) insert(s string) {
	before, after := p.cut()
	p.lines[p.row] = before + s + after
	p.col += utf8.RuneCountInString(s)
}

func (p *PlainInput) newline() {
	before, after := p.cut()
	lines := append([]string(nil), p.lines[:p.row]...)
	lines = append(lines, before, after)
	p.lines = append(lines, p.lines[p.row+1:]...)
	p.row, p.col = p.row+1, 0
}

func (p *PlainInput) backspace() {
	switch {
	case p.col > 0:
		before, after := p.cut()
		r := []rune(before)
		p.lines[p.row] = string(r[:len(r)-1]) + after
		p.col--
	case p.row > 0:
		p.col = utf8.RuneCountInString(p.lines[p.row-1])
		p.lines[p.row-1] += p.lines[p.row]
		p.lines = append(p.lines[:p.row:p.row], p.lines[p.row+1:]...)
		p.row--
	}
}

// Draw implements Pane.
func (p *PlainInput) Draw(w, h int, focused bool) string {
	s := p.env.Styles
	p.top = min(max(p.top, p.row-h+1), p.row)
	var out []string
	for i := p.top; i < len(p.lines) && len(out) < h; i++ {
		line := s.Input.Render(Escape(p.lines[i]))
		if i == p.row && focused {
			before, after := p.cut()
			at := " "
			if after != "" {
				_, n := utf8.DecodeRuneInString(after)
				at, after = after[:n], after[n:]
			}
			line = s.Input.Render(Escape(before)) + Caret(s.Input, Escape(at)) + s.Input.Render(Escape(after))
		}
		out = append(out, line)
	}
	return Block(out, w, h)
}

// Click implements Pane.
func (p *PlainInput) Click(_, y int, msg tea.MouseMsg) Intent {
	if m, ok := msg.(tea.MouseClickMsg); ok && m.Button == tea.MouseLeft {
		p.row = min(p.top+y, len(p.lines)-1)
		p.clamp()
	}
	return nil
}
