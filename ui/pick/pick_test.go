package pick

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/themes"
	"mcploupe/ui/kit"
)

func story(w, h int, keys ...string) *model {
	m := newModel(Options{Title: "Servers", Styles: themes.Plain(), Items: []Item{
		{Name: "files", Kind: "stdio", What: "npx -y @modelcontextprotocol/server-filesystem /home/ada", Group: "Claude Desktop"},
		{Name: "api", Kind: "http", What: "https://example.test/mcp", Group: "VS Code"},
		{Name: "old", Group: "VS Code", Off: "it has neither command nor url"},
	}})
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	for _, k := range keys {
		switch k {
		case "enter":
			m.Update(tea.KeyPressMsg{Code: tea.KeyEnter})
		case "esc":
			m.Update(tea.KeyPressMsg{Code: tea.KeyEscape})
		case "down":
			m.Update(tea.KeyPressMsg{Code: tea.KeyDown})
		default:
			for _, r := range k {
				m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
			}
		}
	}
	return m
}

func TestChoosing(t *testing.T) {
	for _, c := range []struct {
		keys   []string
		chosen int
		shows  string
	}{
		{[]string{"enter"}, 0, ""},
		{[]string{"down", "enter"}, 1, ""},
		{[]string{"api", "enter"}, 1, ""},
		{[]string{"down", "down", "enter"}, -1, "old: it has neither command nor url"},
		{[]string{"zzz", "enter"}, -1, "nothing fits"},
		{[]string{"zzz", "esc", "enter"}, 0, ""},
		{[]string{"esc"}, -1, ""},
	} {
		for _, size := range [][2]int{{120, 36}, {80, 24}, {20, 6}} {
			m := story(size[0], size[1], c.keys...)
			screen := ansi.Strip(strings.Join(m.lines(), "\n"))
			if m.chosen != c.chosen || size[0] > 20 && !strings.Contains(screen, c.shows) {
				t.Errorf("%q at %v: chosen %d, want %d\n%s", c.keys, size, m.chosen, c.chosen, screen)
			}
			lines := m.lines()
			for _, line := range lines {
				if kit.Width(line) != size[0] {
					t.Errorf("a line of %d cells at %v: %q", kit.Width(line), size, ansi.Strip(line))
				}
			}
			if len(lines) != size[1] {
				t.Errorf("%d lines at %v", len(lines), size)
			}
		}
	}
}

func TestTheListShowsWhereEachIsFrom(t *testing.T) {
	screen := ansi.Strip(strings.Join(story(120, 36).lines(), "\n"))
	for _, want := range []string{"Servers", "files", "stdio", "@modelcontextprotocol/server-filesystem", "Claude Desktop", "https://example.test/mcp", "enter open"} {
		if !strings.Contains(screen, want) {
			t.Errorf("%q is missing in\n%s", want, screen)
		}
	}
}
