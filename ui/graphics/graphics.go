// Package graphics shows pictures as terminals can that draw more than cells: which protocol one understands, as far as its environment
// tells, and the bytes of each. What is written is made anew from pixels, and is base64 or digits between our own escapes: no byte of
// a server's file is in it. The package must never know: messages, panes, Bubble Tea.
package graphics

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/png"
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/ansi/iterm2"
	"github.com/charmbracelet/x/ansi/kitty"
	"github.com/charmbracelet/x/ansi/sixel"

	"mcploupe/highlight/media"
)

// Protocol is a way to show a picture.
type Protocol uint8

// The protocols. Auto is none: it is to be found out which.
const (
	Auto   Protocol = iota
	Blocks          // half blocks in cells: everywhere
	Kitty
	ITerm2
	Sixel
	None // pictures are not drawn at all
)

// names of the protocols, as a person sets them.
var names = [...]string{Auto: "auto", Blocks: "blocks", Kitty: "kitty", ITerm2: "iterm2", Sixel: "sixel", None: "none"}

func (p Protocol) String() string { return names[p] }

// Parse reads a name.
func Parse(name string) (Protocol, error) {
	for i, n := range names {
		if n == name {
			return Protocol(i), nil
		}
	}
	return Auto, fmt.Errorf("%q is no way to show pictures: %s", name, strings.Join(names[:], ", "))
}

// Detect is what the environment tells. Auto: it tells nothing, and the terminal may be asked (AsksSixel). A multiplexer stands
// between us and the terminal and keeps its own cells: half blocks there.
func Detect(getenv func(string) string) Protocol {
	name, program := getenv("TERM"), strings.ToLower(getenv("TERM_PROGRAM"))
	switch {
	case getenv("TMUX") != "" || getenv("ZELLIJ") != "" || getenv("STY") != "" || program == "tmux" || strings.HasPrefix(name, "tmux") || strings.HasPrefix(name, "screen"):
		return Blocks
	case getenv("KITTY_WINDOW_ID") != "", name == "xterm-kitty", program == "ghostty", name == "xterm-ghostty":
		return Kitty
	case getenv("WEZTERM_EXECUTABLE") != "", program == "wezterm", program == "iterm.app", getenv("LC_TERMINAL") == "iTerm2", program == "mintty", program == "rio":
		return ITerm2
	case getenv("KONSOLE_VERSION") != "":
		return Kitty
	case strings.HasPrefix(name, "foot"), strings.HasPrefix(name, "mlterm"), strings.HasPrefix(name, "contour"), strings.HasPrefix(name, "yaft"):
		return Sixel
	case program == "apple_terminal", program == "vscode", strings.HasPrefix(name, "linux"), name == "dumb":
		return Blocks
	}
	return Auto
}

// AsksSixel is the question whose answer tells of sixel: the primary device attributes.
const AsksSixel = ansi.RequestPrimaryDeviceAttributes

// HasSixel tells that the answer to AsksSixel does.
func HasSixel(attributes []int) bool { return slices.Contains(attributes, 4) }

// Room is where a picture is shown: cells, and pixels of one cell as far as the terminal tells.
type Room struct{ Cols, Rows, CellW, CellH int }

// maxZoom bounds how much larger than it is a picture is shown, maxSent how many pixels a side has that is sent.
const (
	maxZoom = 6
	maxSent = 2000
)

// fit is the size of a picture in the room, in pixels and in cells.
func (r Room) fit(w, h int) (pw, ph, cols, rows int) {
	cw, ch := r.CellW, r.CellH
	if cw <= 0 || ch <= 0 {
		cw, ch = 10, 20 // a cell of most fonts is about twice as high as it is wide
	}
	pw, ph = media.Fit(w*maxZoom, h*maxZoom, r.Cols*cw, r.Rows*ch)
	return max(pw, 1), max(ph, 1), min(max((pw+cw-1)/cw, 1), max(r.Cols, 1)), min(max((ph+ch-1)/ch, 1), max(r.Rows, 1))
}

// Write shows a picture from the cursor's cell on, as large as the room allows.
func Write(w io.Writer, p Protocol, m image.Image, room Room) error {
	b := m.Bounds()
	pw, ph, cols, rows := room.fit(b.Dx(), b.Dy())
	switch p {
	case Kitty:
		return kitty.EncodeGraphics(w, sent(m), &kitty.Options{Action: kitty.TransmitAndPut, Transmission: kitty.Direct, Format: kitty.PNG, Quiet: 2,
			Columns: cols, Rows: rows, Chunk: true, DoNotMoveCursor: true})
	case ITerm2:
		var file bytes.Buffer
		if err := png.Encode(&file, sent(m)); err != nil {
			return err
		}
		text := base64.StdEncoding.AppendEncode(nil, file.Bytes())
		_, err := io.WriteString(w, ansi.ITerm2(iterm2.File{Size: int64(file.Len()), Width: iterm2.Cells(cols), Height: iterm2.Cells(rows), Inline: true, Content: text}))
		return err
	case Sixel:
		var payload bytes.Buffer
		var e sixel.Encoder
		if err := e.Encode(&payload, media.Scale(m, min(pw, maxSent), min(ph, maxSent))); err != nil {
			return err
		}
		_, err := io.WriteString(w, ansi.SixelGraphics(0, 1, 0, payload.Bytes()))
		return err
	}
	return fmt.Errorf("%s is nothing that is written", p)
}

// sent is the picture with no more pixels than a screen shows.
func sent(m image.Image) image.Image {
	b := m.Bounds()
	w, h := media.Fit(b.Dx(), b.Dy(), maxSent, maxSent)
	return media.Scale(m, w, h)
}

// Clear takes away what Write has shown, where clearing the screen does not.
func Clear(p Protocol) string {
	if p == Kitty {
		return ansi.KittyGraphics(nil, "a=d", "d=A", "q=2")
	}
	return ""
}
