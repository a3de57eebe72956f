//go:build unix

package graphics

import "golang.org/x/sys/unix"

// Cell is the size of a cell of a terminal in pixels; zeros where it does not tell.
func Cell(fd uintptr) (w, h int) {
	s, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
	if err != nil || s.Col == 0 || s.Row == 0 {
		return 0, 0
	}
	return int(s.Xpixel) / int(s.Col), int(s.Ypixel) / int(s.Row)
}
