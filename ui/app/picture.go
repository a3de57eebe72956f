package app

import (
	"bytes"
	"fmt"
	"image"
	"os"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"mcploupe/highlight/media"
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

// pictureMsg is a picture as the terminal wants it, or why there is none.
type pictureMsg struct {
	protocol graphics.Protocol
	bytes    []byte
	caption  string
	err      error
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
		if m.picturing { // a large one takes a moment, and who presses again wants to see it once
			return nil
		}
		m.picturing = true
		protocol, room := m.protocol, graphics.Room{Cols: m.w, Rows: m.h - 1}
		out := m.o.Out
		return func() tea.Msg {
			msg := pictureMsg{protocol: protocol}
			var picture image.Image
			if picture, msg.err = media.Decode(i.Data); msg.err != nil {
				return msg
			}
			if out == nil {
				out = os.Stdout
			}
			if f, ok := out.(*os.File); ok {
				room.CellW, room.CellH = graphics.Cell(f.Fd())
			}
			var b bytes.Buffer
			msg.err = graphics.Write(&b, protocol, picture, room)
			msg.bytes, msg.caption = b.Bytes(), fmt.Sprintf("%s  %d × %d", i.Title, picture.Bounds().Dx(), picture.Bounds().Dy())
			return msg
		}
	}
	m.open("picture", content.NewPicture(m.env, i.Data, i.Title), large)
	return nil
}

// drawPicture gives the terminal to a picture.
func (m *Model) drawPicture(msg pictureMsg) tea.Cmd {
	m.picturing = false
	if msg.err != nil {
		m.say("the picture: "+kit.Escape(msg.err.Error()), true)
		return nil
	}
	show := &graphics.Show{Ctx: m.ctx, Protocol: msg.protocol, Picture: msg.bytes, Caption: msg.caption, W: m.w, H: m.h}
	return tea.Exec(show, func(err error) tea.Msg { return shownMsg{show.Left, err} })
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
