package content

import (
	"fmt"

	"mcploupe/ui/kit"
)

// Spots implements kit.Spotted: the titles of the parts in view, and the names of their forms.
func (v *View) Spots() []kit.Spot {
	v.arrange()
	var out []kit.Spot
	for row := v.top; row < v.total() && row < v.top+v.h; row++ {
		i, k := v.find(row)
		if k != 0 || i < 0 {
			continue
		}
		b := v.blocks[i]
		y, key := row-v.top, fmt.Sprint("part ", i)
		forms := v.formsAt(b)
		w := max(v.w-2, 1)
		if len(forms) > 0 {
			w = max(forms[0].x-4, 1)
		}
		out = append(out, kit.Spot{X: 2, Y: y, W: w, Free: 2, Margin: true, Key: key, Do: func() kit.Intent { v.at = row; return nil }})
		for n, f := range forms {
			out = append(out, kit.Spot{X: f.x, Y: y, W: f.w, Free: 2, Key: fmt.Sprint(key, " form ", n), Do: func() kit.Intent {
				v.at = row
				v.turn(b, n-b.at)
				return nil
			}})
		}
	}
	return out
}

// named is where the name of a form stands in the title of a part.
type named struct{ x, w int }

// formsAt are the places of the names of a part's forms; none where they are not named.
func (v *View) formsAt(b *block) []named {
	if b.state != ready || len(b.made.forms) < 2 {
		return nil
	}
	width := -3
	for _, f := range b.made.forms {
		width += kit.Width(f.name()) + 3
	}
	x := v.w - width
	var out []named
	for _, f := range b.made.forms {
		w := kit.Width(f.name())
		out = append(out, named{x, w})
		x += w + 3
	}
	if out[0].x < 14 {
		return nil // there is no room for them all: what stands there is cut
	}
	return out
}

// ScrollTo implements kit.Scroller.
func (v *View) ScrollTo(from int) { v.top = min(max(from, 0), max(v.total()-v.h, 0)) }

// pressForm takes the form whose name stands at a cell of the last drawing; false where none does.
func (v *View) pressForm(x, y int) bool {
	for _, s := range v.Spots() {
		if s.Y == y && s.X > 2 && s.X <= x && x < s.X+s.W {
			s.Do()
			return true
		}
	}
	return false
}
