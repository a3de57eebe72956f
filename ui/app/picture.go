package app

import (
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"mcploupe/themes"
	"mcploupe/ui/content"
	"mcploupe/ui/graphics"
	"mcploupe/ui/kit"
)

// pictures says how pictures are drawn into cells, for the theme and the terminal at hand.
func (m *Model) pictures() kit.Pictures {
	switch {
	case m.o.Images == graphics.None:
		return kit.PicturesNone
	case m.profile < colorprofile.ANSI256, m.o.ASCII, m.env.Styles.Theme.Name == themes.Pick(true, true):
		return kit.PicturesShades // 16 colours show nothing that one would know again
	}
	return kit.PicturesBlocks
}

// askGraphics asks the terminal what it can draw, where its environment does not tell and somebody wants to know.
func (m *Model) askGraphics() tea.Cmd {
	m.protocol = m.o.Images
	if m.protocol != graphics.Auto {
		return nil
	}
	if m.protocol = graphics.Detect(os.Getenv); m.protocol != graphics.Auto || m.o.NoColour {
		return nil
	}
	return tea.Raw(graphics.AsksSixel)
}

// answered takes what the terminal says of itself.
func (m *Model) answered(a uv.PrimaryDeviceAttributesEvent) {
	if m.protocol == graphics.Auto && graphics.HasSixel(a) {
		m.protocol = graphics.Sixel
	}
}

// shownMsg is how showing a picture ended.
type shownMsg struct {
	left bool
	err  error
}

// showPicture shows a picture as large as the terminal can: by its own protocol on a screen of its own, else in cells over the rest.
func (m *Model) showPicture(i kit.ShowPicture) tea.Cmd {
	switch m.protocol {
	case graphics.None:
		m.say("pictures are not drawn: --images none", true)
		return nil
	case graphics.Kitty, graphics.ITerm2, graphics.Sixel:
		return m.makePicture(i)
	}
	m.open("picture", content.NewPicture(m.env, i.Data, i.Title), large)
	return nil
}

// pictureShown goes on after a picture.
func (m *Model) pictureShown(msg shownMsg) tea.Cmd {
	switch {
	case msg.left:
		return m.act(leave{})
	case msg.err != nil:
		m.say("showing the picture: "+kit.Escape(msg.err.Error()), true)
	}
	return nil
}
