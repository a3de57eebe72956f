package app

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"mcploupe/highlight/media"
	"mcploupe/ui/graphics"
	"mcploupe/ui/kit"
)

// A picture that the terminal itself draws takes the whole screen, and a large one takes seconds to be made. It is shown only to whoever
// still waits for it: any key, click or turn of the wheel meanwhile says that something else is looked at.

// picturing is a picture that is being made.
type picturing struct {
	what  kit.ShowPicture
	overs int              // how many dialogs there were
	gone  atomic.Bool      // nobody waits for it any more
	next  *kit.ShowPicture // another one, asked for meanwhile: one is made at a time
}

// pictureMsg is a picture as the terminal wants it, or why there is none.
type pictureMsg struct {
	job      *picturing
	protocol graphics.Protocol
	bytes    []byte
	caption  string
	err      error
}

// makePicture has a picture made beside the screen.
func (m *Model) makePicture(i kit.ShowPicture) tea.Cmd {
	if job := m.picturing; job != nil {
		job.next = &i
		if len(i.Data) == len(job.what.Data) && (len(i.Data) == 0 || &i.Data[0] == &job.what.Data[0]) {
			job.next = nil // who presses again wants to see it once
		}
		job.gone.Store(false)
		m.saysMaking()
		return nil
	}
	job := &picturing{what: i, overs: len(m.overs)}
	m.picturing = job
	m.saysMaking()
	protocol, room, out := m.protocol, graphics.Room{Cols: m.w, Rows: m.h - 1}, m.o.Out
	return func() tea.Msg {
		msg := pictureMsg{job: job, protocol: protocol}
		var picture image.Image
		if picture, msg.err = media.Decode(i.Data); msg.err != nil || job.gone.Load() {
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

func (m *Model) saysMaking() { m.say("making the picture … any key goes on without it", false) }

// movedOn tells that somebody does something else than wait.
func (m *Model) movedOn() {
	if job := m.picturing; job != nil && !job.gone.Swap(true) {
		job.next = nil
		m.said = said{} // that it is made
	}
}

// drawPicture gives the terminal to a picture, if it is still wanted.
func (m *Model) drawPicture(msg pictureMsg) tea.Cmd {
	job := msg.job
	m.picturing = nil
	switch {
	case job.next != nil:
		return m.showPicture(*job.next)
	case job.gone.Load():
		return nil
	case msg.err != nil:
		m.say("the picture: "+kit.Escape(msg.err.Error()), true)
		return nil
	case len(m.overs) != job.overs:
		m.say("the picture is made: v shows it", false) // a question came meanwhile
		return nil
	case len(msg.bytes) == 0: // it was given up, and is wanted again
		return m.showPicture(job.what)
	}
	m.said = said{}
	show := &graphics.Show{Ctx: m.ctx, Protocol: msg.protocol, Picture: msg.bytes, Caption: msg.caption, W: m.w, H: m.h}
	return tea.Exec(show, func(err error) tea.Msg { return shownMsg{show.Left, err} })
}
