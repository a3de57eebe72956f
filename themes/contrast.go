package themes

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
)

// Weak is two colours that are hard to tell apart where they meet. On is the role whose bar the text stands on, "" for the
// background. Got and Want are contrast ratios by the WCAG: 4.5 is its AA for text, 3 that for what may be overlooked.
type Weak struct {
	Role, On  Role
	Got, Want float64
}

// String says it: "muted on the bar selected: contrast 3.1:1, wanted 4.5:1".
func (w Weak) String() string {
	on := "the background"
	if w.On != "" {
		on = "the bar " + string(w.On)
	}
	return fmt.Sprintf("%s on %s: contrast %.1f:1, wanted %.1f:1", w.Role, on, w.Got, w.Want)
}

// rowRoles are the roles of the parts of a row in a list: they keep their colours on the bar under the cursor.
func rowRoles() []Role {
	return []Role{Text, Muted, Faint, Title, Accent, Keycap, Match, OK, Must, Should, Advice, Fresh, Stale, Running, Sent, Received}
}

// onBar is how much contrast text needs on a bar, at most: the bar stands out by itself, and so does its row.
const onBar = 3.9

// Contrasts judges every pair of colours that meets on the screen: each role on the background, or on its own, and the parts of a
// row on the two bars. Colours 0 to 15 are the terminal's own: nobody knows them, they are not judged. Weak is those pairs that
// are hard to tell apart; judged is how many there were.
func (t *Theme) Contrasts() (weak []Weak, judged int) {
	pair := func(role, on Role, fg, bg string, want float64) {
		a, okA := rgb(fg)
		b, okB := rgb(bg)
		if !okA || !okB {
			return
		}
		judged++
		if got := contrast(a, b); got < want-0.005 {
			weak = append(weak, Weak{role, on, got, want})
		}
	}
	for _, r := range Roles() {
		l := t.Roles[r]
		fg, bg := cmp.Or(l.Fg, t.Foreground), cmp.Or(l.Bg, t.Background)
		if l.Reverse {
			fg, bg = bg, fg
		}
		pair(r, "", fg, bg, wanted(r))
	}
	for _, bar := range []Role{Selected, SelectedUp} {
		under := t.Roles[bar]
		if under.Bg == "" || under.Reverse {
			continue // a bar without colour: what stands on it is judged above, or turned round with it
		}
		for _, r := range rowRoles() {
			if l := t.Roles[r]; l.Bg == "" { // else it brings its own
				pair(r, bar, cmp.Or(l.Fg, under.Fg, t.Foreground), under.Bg, min(wanted(r), onBar))
			}
		}
	}
	return weak, judged
}

// wanted is how much contrast a role needs.
func wanted(r Role) float64 {
	switch r {
	case Border: // lines of boxes are decoration, but must be seen at all
		return 1.5
	case Faint, Punct, Comment, Ghost: // what may be overlooked
		return 3
	}
	return 4.5
}

// rgb is a colour's light, as parts of one; ok is false for the terminal's own colours and for none.
func rgb(c string) (out [3]float64, ok bool) {
	if len(c) == 7 && c[0] == '#' {
		n, err := strconv.ParseUint(c[1:], 16, 32)
		if err != nil {
			return out, false
		}
		return [3]float64{float64(n>>16&0xff) / 255, float64(n>>8&0xff) / 255, float64(n&0xff) / 255}, true
	}
	n, err := strconv.Atoi(c)
	switch {
	case err != nil || n < 16 || n > 255:
		return out, false
	case n >= 232: // the greys of the 256
		g := float64(8+10*(n-232)) / 255
		return [3]float64{g, g, g}, true
	}
	level := func(i int) float64 { // their cube
		if i == 0 {
			return 0
		}
		return float64(55+40*i) / 255
	}
	n -= 16
	return [3]float64{level(n / 36), level(n / 6 % 6), level(n % 6)}, true
}

// contrast is the WCAG contrast ratio of two colours.
func contrast(a, b [3]float64) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

func luminance(c [3]float64) float64 {
	part := func(x float64) float64 {
		if x <= 0.03928 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c[0]) + 0.7152*part(c[1]) + 0.0722*part(c[2])
}
