package kit

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// CutMiddle shortens s to at most w cells where names tell least: in the middle. Tools of one server often begin alike, and so do
// the addresses of its resources; what tells them apart stands at the end. Styles stay whole.
func CutMiddle(s string, w int) string { return cutAround(s, w, w/2) }

// CutAddress shortens an address likewise, and leaves more of its end: its beginning is the same for many.
func CutAddress(s string, w int) string { return cutAround(s, w, w*2/3) }

// cutAround keeps tail cells of the end of s.
func cutAround(s string, w, tail int) string {
	have := Width(s)
	switch {
	case w <= 0:
		return ""
	case have <= w:
		return s
	case w < 8: // halves of that say nothing
		return Cut(s, w)
	}
	end := ansi.TruncateLeft(s, have-tail, "")
	if n := Width(end); n > tail { // a wide character stood across the cut
		end = ansi.TruncateLeft(s, have-tail+1, "")
	}
	return ansi.Truncate(s, w-Width(end), "…") + end
}

// Names is as many names as fit whole into w cells, with a sign between them, and how many others there are: "tools · prompts +3".
func Names(names []string, w int) string {
	all := strings.Join(names, " "+SignDot+" ")
	if Width(all) <= w {
		return all
	}
	for n := len(names) - 1; n > 0; n-- {
		line := strings.Join(names[:n], " "+SignDot+" ") + " +" + Number(len(names)-n)
		if Width(line) <= w {
			return line
		}
	}
	return Cut(all, w)
}

// Longest is the first of some ways to say the same that fits into w cells; the last one is cut when none does.
func Longest(w int, ways ...string) string {
	for _, way := range ways {
		if Width(way) <= w {
			return way
		}
	}
	return Cut(ways[len(ways)-1], w)
}
