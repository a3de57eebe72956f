// Package pick lets a person choose one of several things before there is a screen for it: a server of a configuration file. It
// must never know: sessions, configuration files, what is done with the choice.
package pick

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/themes"
	"mcploupe/ui/kit"
)

// Item is one thing to choose.
type Item struct {
	Name  string // what is chosen; escaped
	Kind  string // a short word in a column of its own; escaped
	What  string // more about it; escaped
	Group string // where it is from; escaped
	Off   string // why it should not be chosen, "" when it may
}

// Options say what is asked. Title stands over the list.
type Options struct {
	Title  string
	Items  []Item
	Styles *themes.Styles
	In     io.Reader
	Out    io.Writer
}

// ErrNone says that nothing was chosen.
var ErrNone = errors.New("nothing was chosen")

// Run shows the list until one is chosen, and gives its index. The error is ErrNone, that of ctx, or a fault of the terminal.
func Run(ctx context.Context, o Options) (int, error) {
	m := newModel(o)
	options := []tea.ProgramOption{tea.WithContext(ctx)}
	if o.In != nil {
		options = append(options, tea.WithInput(o.In))
	}
	if o.Out != nil {
		options = append(options, tea.WithOutput(o.Out))
	}
	if _, err := tea.NewProgram(m, options...).Run(); err != nil && ctx.Err() == nil && !errors.Is(err, tea.ErrInterrupted) {
		return 0, fmt.Errorf("showing the list: %w", err)
	}
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if m.chosen < 0 {
		return 0, ErrNone
	}
	return m.chosen, nil
}

// model is the whole program: a list whose filter is typed at once.
type model struct {
	env    *kit.Env
	o      Options
	list   *kit.ListPane
	w, h   int
	chosen int
	said   string
}

func newModel(o Options) *model {
	m := &model{o: o, env: &kit.Env{Styles: o.Styles, Now: time.Now}, chosen: -1, w: 80, h: 24}
	m.list = &kit.ListPane{List: kit.NewList(m.env, &source{m.env, o.Items})}
	m.list.Heading = func(bool) (string, string) {
		return o.Styles.Title.Render(o.Title), o.Styles.Muted.Render(kit.Number(m.list.Len()))
	}
	m.list.OpenFilter()
	return m
}

// Init implements tea.Model.
func (m *model) Init() tea.Cmd { return nil }

// Update implements tea.Model.
func (m *model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.KeyPressMsg:
		m.said = ""
		switch msg.String() {
		case "enter":
			return m, m.choose()
		case "ctrl+c", "ctrl+q":
			return m, tea.Quit
		case "esc":
			if m.list.Filter() == "" {
				return m, tea.Quit
			}
			m.list.List.Text(msg)
			m.list.OpenFilter()
		case "backspace":
			if m.list.Filter() != "" {
				m.list.List.Text(msg)
			}
		default:
			m.list.List.Text(msg)
		}
	case tea.PasteMsg:
		m.list.List.Text(msg)
	}
	return m, nil
}

// choose takes the row under the cursor.
func (m *model) choose() tea.Cmd {
	i := m.list.Selected()
	if i < 0 {
		m.said = "nothing fits"
		return nil
	}
	if off := m.o.Items[i].Off; off != "" {
		m.said = m.o.Items[i].Name + ": " + off
		return nil
	}
	m.chosen = i
	return tea.Quit
}

// View implements tea.Model.
func (m *model) View() tea.View {
	screen, x, y, typing := kit.TakeCaret(strings.Join(m.lines(), "\n"))
	v := tea.NewView(screen)
	v.AltScreen = true
	if typing {
		v.Cursor = tea.NewCursor(x, y)
	}
	return v
}

func (m *model) lines() []string {
	s := m.o.Styles
	w, h := max(m.w, 20), max(m.h, 6)
	title, right := m.list.Head(true)
	f := kit.Frame{Title: title, Right: right, Focused: true, Top: true, Bottom: true, Scroll: m.list.Scroll()}
	lines := f.Draw(s, strings.Split(m.list.Draw(w-4, h-3, true), "\n"), w)
	foot := s.Keycap.Render("enter") + " " + s.Muted.Render("open") + "   " + s.Keycap.Render("type") + " " + s.Muted.Render("to filter") + "   " + s.Keycap.Render("esc") + " " + s.Muted.Render("leave")
	if m.said != "" {
		foot = s.Should.Render(m.said)
	}
	return append(lines, kit.Fit(" "+foot, w))
}

// source is the items as rows of a list.
type source struct {
	env   *kit.Env
	items []Item
}

func (s *source) Len() int          { return len(s.items) }
func (s *source) Version() int      { return 0 }
func (s *source) Key(i int) string  { return fmt.Sprint(i) }
func (s *source) Text(i int) string { return s.items[i].Name }

// Line implements the list's source.
func (s *source) Line(i, w int, match []int) string {
	st := s.env.Styles
	it := &s.items[i]
	name := s.env.Matched(it.Name, match, &st.Text)
	if it.Off != "" {
		name = st.Faint.Render(it.Name)
	}
	right := st.Faint.Render(it.Group)
	room := w - kit.Width(right) - 2
	left := kit.Fit(name, min(26, room/3)) + "  " + st.Muted.Render(kit.Fit(it.Kind, 6)) + " "
	left += st.Muted.Render(kit.Cut(it.What, max(room-kit.Width(left), 0)))
	return kit.Ends(left, right, w)
}
