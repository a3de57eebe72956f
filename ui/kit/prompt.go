package kit

import (
	"strings"

	"charm.land/bubbles/v2/spinner"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/themes"
)

// prompt is the line behind a /: what is typed there, with a cursor in it. The editing is the usual one of
// bubbles; the drawing is ours, since what is pasted may come from a server.
type prompt struct {
	in   textinput.Model
	made bool
}

func (p *prompt) make() {
	if p.made {
		return
	}
	p.in, p.made = textinput.New(), true
	p.in.KeyMap.Paste.Unbind() // it would read the clipboard by itself; terminals send pastes
	p.in.Focus()
}

// text is what has been typed.
func (p *prompt) text() string { return p.in.Value() }

// set replaces it.
func (p *prompt) set(s string) {
	p.make()
	p.in.SetValue(s)
	p.in.CursorEnd()
}

// key gives it a key or a paste; changed tells that the text is another now, used that it meant something.
func (p *prompt) key(msg tea.Msg) (changed, used bool) {
	p.make()
	if paste, ok := msg.(tea.PasteMsg); ok {
		msg = tea.PasteMsg{Content: ansi.Strip(Escape(paste.Content))}
	}
	text, at := p.in.Value(), p.in.Position()
	p.in, _ = p.in.Update(msg)
	changed = p.in.Value() != text
	k, _ := msg.(tea.KeyPressMsg)
	return changed, changed || p.in.Position() != at || k.Text != ""
}

// draw is the line; the cursor shows only while somebody types.
func (p *prompt) draw(s *themes.Styles, typing bool) string {
	r := []rune(p.in.Value())
	if !typing {
		return s.Keycap.Render("/") + s.Input.Render(Escape(string(r)))
	}
	at, rest := " ", ""
	if i := p.in.Position(); i < len(r) {
		at, rest = Escape(string(r[i])), Escape(string(r[i+1:]))
		r = r[:i]
	}
	return s.Keycap.Render("/") + s.Input.Render(Escape(string(r))) + Caret(s.Input, at) + s.Input.Render(rest)
}

// Spinner is what turns while something runs; the index grows ten times a second. At StillFrame it is a sign.
func Spinner(i int) string {
	if i == StillFrame {
		return stillSign
	}
	frames := spinner.MiniDot.Frames
	n := len(frames)
	return strings.TrimSpace(frames[(i%n+n)%n])
}
