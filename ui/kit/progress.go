package kit

import (
	"fmt"
	"strings"
	"time"

	"mcploupe/ui/book"
)

// How far a running request is, as its server says. It is drawn from Row.Shown, which changes with the screen's beat
// and not with every report.

// Slow is from when on a running request shows that it runs: whatever is quicker would only flicker.
const Slow = 200 * time.Millisecond

// Far is how far a request is, in at most w cells: a bar where the total is known, then what there is room for of the
// count, the rate, the estimated rest, and the server's own words. "" before the first report.
func (e *Env) Far(p book.Progress, w int) string {
	if !p.Any {
		return ""
	}
	s := e.Styles
	var parts []string
	used := 0
	add := func(text string) bool {
		n := Width(text)
		if used > 0 {
			n += 2
		}
		if text == "" || used+n > w {
			return false
		}
		parts, used = append(parts, text), used+n
		return true
	}
	if part, ok := p.Part(); ok {
		percent := s.Text.Render(fmt.Sprintf("%2d %%", int(part*100)))
		bar := min(max(w/4, 6), 24)
		if e.Still || !add(s.Running.Render(Bar(part, bar))+" "+percent) {
			add(percent)
		}
	}
	if p.Odd != "" {
		add(s.Should.Render(p.Count() + " " + p.Odd))
	} else {
		add(s.Text.Render(p.Count()))
	}
	message := p.Message
	if message != "" && Width(message) <= (w-used)*2/3 {
		add(s.Muted.Render(message)) // short words first: they say most
		message = ""
	}
	if rate, ok := p.Rate(); ok && !e.Still {
		add(s.Muted.Render(book.RateText(rate)))
	}
	if rest, ok := p.Rest(e.Now()); ok && rest >= time.Second && !e.Still {
		add(s.Muted.Render("about " + Clock(rest) + " left"))
	}
	if room := w - used - 2; message != "" && room >= 8 {
		add(s.Muted.Render(Cut(message, room)))
	}
	return strings.Join(parts, "  ")
}

// Percent is how far a request is in as few cells as possible: "40 %", or the count; "" before the first report.
func (e *Env) Percent(p book.Progress) string {
	if part, ok := p.Part(); ok {
		return fmt.Sprintf("%2d %%", int(part*100))
	}
	return p.Count()
}
