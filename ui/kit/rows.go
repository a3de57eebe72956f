package kit

import (
	"strings"
	"unicode/utf8"

	"mcploupe/themes"
)

// Printable tells that a key types a character, so that it is text while somebody types.
func Printable(key string) bool {
	return key == "space" || utf8.RuneCountInString(key) == 1
}

// Find is the row that a key means, nil when none does. Rows that do not work now are found too: pressing
// such a key says why.
func Find(rows []Row, key string) *Row {
	for i := range rows {
		for _, k := range rows[i].Keys {
			if k == key {
				return &rows[i]
			}
		}
	}
	return nil
}

// Unprinted is the rows without their printable keys: what works while letters are text.
func Unprinted(rows []Row) []Row {
	out := make([]Row, 0, len(rows))
	for _, r := range rows {
		var keys []string
		for _, k := range r.Keys {
			if !Printable(k) {
				keys = append(keys, k)
			}
		}
		if len(keys) > 0 || len(r.Keys) == 0 {
			r.Keys = keys
			out = append(out, r)
		}
	}
	return out
}

// KeyName is a key as people write it: "ctrl+s", "↑", "space".
func KeyName(key string) string {
	switch key {
	case "up":
		return "↑"
	case "down":
		return "↓"
	case "left":
		return "←"
	case "right":
		return "→"
	case "pgup":
		return "page up"
	case "pgdown":
		return "page down"
	}
	return strings.Replace(key, "shift+tab", "⇧tab", 1)
}

// Hint is one row of the footer: the key and what it does.
func Hint(s *themes.Styles, r *Row) string {
	key := ""
	if len(r.Keys) > 0 {
		key = s.Keycap.Render(KeyName(r.Keys[0])) + " "
	}
	return key + s.Muted.Render(r.Words)
}

// Footer is as many rows as fit into w cells, in their order: those that work now and are not quiet. tail
// stands at the right end and always fits.
func Footer(s *themes.Styles, rows []Row, tail string, w int) string {
	line, _ := Hints(s, rows, w-Width(tail)-2)
	return Ends(line, tail, w)
}

// Hinted is where a row of a footer stands: its first cell, and how many there are.
type Hinted struct {
	Row  *Row
	X, W int
}

// Hints is as many rows as fit into w cells, in their order, and where each of them stands.
func Hints(s *themes.Styles, rows []Row, w int) (line string, at []Hinted) {
	var b strings.Builder
	used := 0
	for i := range rows {
		r := &rows[i]
		if r.Off != "" || r.Quiet || len(r.Keys) == 0 {
			continue
		}
		h := Hint(s, r)
		n, gap := Width(h), 0
		if used > 0 {
			gap = 2
		}
		if used+gap+n > w {
			continue // a shorter one may still fit
		}
		b.WriteString(Blank(gap))
		b.WriteString(h)
		at = append(at, Hinted{r, used + gap, n})
		used += gap + n
	}
	return b.String(), at
}
