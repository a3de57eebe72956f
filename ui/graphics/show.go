package graphics

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
)

// Show is a picture on a screen of its own, until a key is pressed. It has the shape of a command that has the terminal to itself
// (tea.ExecCommand).
type Show struct {
	Ctx      context.Context // its end ends the waiting
	Protocol Protocol
	Picture  []byte // as Write wrote it: making that may take its time
	Caption  string // one line, escaped
	W, H     int    // of the screen in cells
	// Left tells, afterwards, that the key was ctrl+c: whoever pressed it wants to leave altogether.
	Left bool

	in  io.Reader
	out io.Writer
}

// SetStdin takes the keyboard.
func (s *Show) SetStdin(r io.Reader) { s.in = r }

// SetStdout takes the screen.
func (s *Show) SetStdout(w io.Writer) { s.out = w }

// SetStderr does nothing: nothing is said there.
func (s *Show) SetStderr(io.Writer) {}

// Run shows the picture and waits. The terminal is as before when it returns.
func (s *Show) Run() (err error) {
	if f, ok := s.in.(*os.File); ok && term.IsTerminal(f.Fd()) {
		was, err := term.MakeRaw(f.Fd())
		if err != nil {
			return fmt.Errorf("reading keys: %w", err)
		}
		defer term.Restore(f.Fd(), was)
	}
	if _, err := io.WriteString(s.out, ansi.SetModeAltScreenSaveCursor+ansi.ResetModeTextCursorEnable+ansi.EraseEntireScreen+ansi.CursorHomePosition); err != nil {
		return err
	}
	defer func() {
		_, e := io.WriteString(s.out, Clear(s.Protocol)+ansi.EraseEntireScreen+ansi.SetModeTextCursorEnable+ansi.ResetModeAltScreenSaveCursor)
		if err == nil {
			err = e
		}
	}()
	if _, err := s.out.Write(s.Picture); err != nil {
		return err
	}
	caption := ansi.Truncate(s.Caption+" · any key goes back", max(s.W-1, 1), "…")
	if _, err := io.WriteString(s.out, ansi.CursorPosition(1, s.H)+caption); err != nil {
		return err
	}
	return s.wait()
}

// wait reads until a key, or the end of the context.
func (s *Show) wait() error {
	r, err := cancelreader.NewReader(s.in)
	if err != nil {
		return err
	}
	defer r.Close()
	stop := context.AfterFunc(s.Ctx, func() { r.Cancel() })
	defer stop()
	b := make([]byte, 256) // a key may be several bytes: they are one
	n, err := r.Read(b)
	for _, c := range b[:n] {
		s.Left = s.Left || c == 3
	}
	if n > 0 || err == io.EOF || s.Ctx.Err() != nil {
		return nil
	}
	return err
}
