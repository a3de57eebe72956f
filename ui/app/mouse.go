package app

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/ui/kit"
)

// click is the last press, to know a second one at the same cell.
type click struct {
	x, y int
	when time.Time
	at   place // the pane, and where that was
	r    rect
}

// doubleClick is how soon the second press has to come.
const doubleClick = 400 * time.Millisecond

// drag is what the pressed button holds.
type drag struct {
	what dragged
	at   place // of the scroll bar
}

type dragged int

const (
	nothing       dragged = iota
	theDivider            // the line between panels and main
	theCut                // the line between main and result
	theMiddle             // the same where they stand side by side
	aBar                  // the scroll bar of a place
	theOverlayBar         // that of the overlay on top
)

// mouse routes a press, a release or a turn of the wheel to what is under it. A press on a pane also moves the focus there; lines
// between panes and scroll bars can be dragged; words of the first and the last line and names of tabs can be pressed; two
// presses are enter.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	e := msg.Mouse()
	m.arrange()
	if cmd, ok := m.mouseLesson(msg); ok {
		return cmd
	}
	switch msg := msg.(type) {
	case tea.MouseReleaseMsg:
		m.drag = drag{}
		return nil
	case tea.MouseMotionMsg:
		m.dragTo(e.X, e.Y)
		return nil
	case tea.MouseClickMsg:
		m.labels = nil
		if msg.Button != tea.MouseLeft {
			break
		}
		now, was := time.Now(), m.clicked
		m.clicked = click{x: e.X, y: e.Y, when: now, at: places}
		if at := m.lay.hit(e.X, e.Y); at != places && len(m.overs) == 0 {
			m.clicked.at, m.clicked.r = at, m.lay.at[at]
		}
		if n := len(m.overs); n > 0 && m.overs[n-1].deaf(m.env.Now()) {
			return nil
		}
		if cmd, ok := m.pressFrame(e.X, e.Y); ok {
			if e.Y == m.lay.cut && len(m.overs) == 0 {
				m.drag = m.grab(e.X, e.Y) // the line can be dragged by its words too
			}
			return cmd
		}
		if was.x == e.X && was.y == e.Y && now.Sub(was.when) < doubleClick {
			m.clicked = click{}
			return m.double(was, kit.DoubleClickMsg(e))
		}
		if m.drag = m.grab(e.X, e.Y); m.drag.what != nothing {
			if m.drag.what >= aBar {
				m.dragTo(e.X, e.Y)
			}
			return nil
		}
	}
	if n := len(m.overs); n > 0 {
		return m.mouseOver(&m.overs[n-1], msg)
	}
	at := m.lay.hit(e.X, e.Y)
	if at == places {
		return nil
	}
	r := m.lay.at[at]
	if _, press := msg.(tea.MouseClickMsg); press && e.Button == tea.MouseLeft && m.focus != at {
		m.setFocus(at)
	}
	if _, wheel := msg.(tea.MouseWheelMsg); !wheel && e.Y == r.y {
		return nil
	}
	return m.act(m.pane(at).Click(e.X-r.x-2, e.Y-r.y-1, msg))
}

// double is two presses. The first one may have moved the focus, and that the pane: the second then means what was pressed.
func (m *Model) double(was click, msg kit.DoubleClickMsg) tea.Cmd {
	if was.at == places || len(m.overs) > 0 || m.lay.at[was.at] == was.r {
		return m.mouse(msg)
	}
	if r := kit.Find(m.pane(was.at).Rows(), "enter"); m.focus == was.at && r != nil && r.Do != nil && r.Off == "" {
		return m.act(r.Do())
	}
	return nil
}

// mouseOver routes the mouse to the overlay on top; a press beside it closes it.
func (m *Model) mouseOver(o *overlay, msg tea.MouseMsg) tea.Cmd {
	e := msg.Mouse()
	if o.deaf(m.env.Now()) {
		return nil
	}
	if !o.at.holds(e.X, e.Y) {
		if _, press := msg.(tea.MouseClickMsg); press && o.name != "question" && o.name != "wanted" { // these are answered
			m.shut()
		}
		return nil
	}
	return m.act(o.pane.Click(e.X-o.at.x-2, e.Y-o.at.y-1, msg))
}

// pressFrame presses what does not belong to a pane's content: words of the first and the last line, titles, names of tabs.
func (m *Model) pressFrame(x, y int) (tea.Cmd, bool) {
	press := func(spots []spot) (tea.Cmd, bool) {
		for i := range spots {
			if spots[i].holds(x, y) {
				return spots[i].do(), true
			}
		}
		return nil, false
	}
	if cmd, ok := press(m.foot); ok || len(m.overs) > 0 {
		return cmd, ok
	}
	if cmd, ok := press(m.head); ok {
		return cmd, true
	}
	if at := m.lay.hit(x, y); at != places && m.lay.at[at].y == y {
		return press(m.frameSpots(at))
	}
	return nil, false
}

// grab is what a press at a cell takes hold of.
func (m *Model) grab(x, y int) drag {
	if n := len(m.overs); n > 0 {
		o := &m.overs[n-1]
		if r := o.at; x == r.x+r.w-1 && y > r.y && y < r.y+r.h-1 && m.bar(o.pane) {
			return drag{what: theOverlayBar}
		}
		return drag{}
	}
	at := m.lay.hit(x, y)
	if at == places {
		return drag{}
	}
	r := m.lay.at[at]
	switch {
	case x == r.x+r.w-1 && y > r.y && m.bar(m.pane(at)):
		return drag{aBar, at}
	case m.lay.divider >= 0 && (x == m.lay.divider || x == m.lay.divider-1):
		return drag{what: theDivider}
	case m.lay.middle >= 0 && (x == m.lay.middle || x == m.lay.middle-1):
		return drag{what: theMiddle}
	case y == m.lay.cut && m.lay.at[atResult].holds(x, y):
		return drag{what: theCut}
	}
	return drag{}
}

// bar tells that a pane's frame has a scroll bar that can be dragged.
func (m *Model) bar(p kit.Framed) bool {
	_, ok := p.(kit.Scroller)
	s := p.Scroll()
	return ok && s.Total > s.Shown
}

// dragTo moves what is held.
func (m *Model) dragTo(x, y int) {
	scroll := func(p kit.Framed, y, h int) {
		if from, ok := p.Scroll().At(y, h); ok {
			p.(kit.Scroller).ScrollTo(from)
		}
	}
	switch m.drag.what {
	case theDivider:
		m.left = x
	case theMiddle:
		m.middle = x - m.lay.at[atMain].x
	case theCut:
		m.split = y - m.lay.at[atMain].y
	case aBar:
		r := m.lay.at[m.drag.at]
		h := r.h - 1
		if m.lowest(m.drag.at) {
			h--
		}
		scroll(m.pane(m.drag.at), y-r.y-1, h)
	case theOverlayBar:
		if n := len(m.overs); n > 0 {
			o := &m.overs[n-1]
			scroll(o.pane, y-o.at.y-1, o.at.h-2)
		}
	}
}
