package kit

import (
	"strings"

	"mcploupe/session/fresh"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
)

// StripPart is one of the parts of a verdict strip.
type StripPart int

// The parts, in their order.
const (
	PartType StripPart = iota
	PartOutcome
	PartFreshness
	PartFindings
	PartStop // of a running request
)

// Stripped is where a part stands: its first cell, and how many there are.
type Stripped struct {
	Part StripPart
	X, W int
}

// Strip is the four-part verdict of an exchange in one line of w cells; state is its freshness now. What
// does not fit becomes shorter, the least telling first: never is a part left out.
func (e *Env) Strip(r *book.Row, state fresh.State, w int) string {
	line, _ := e.StripParts(r, state, w)
	return line
}

// StripParts is the strip, and where its parts stand that can be pressed.
func (e *Env) StripParts(r *book.Row, state fresh.State, w int) (string, []Stripped) {
	s := e.Styles
	if r.Lone() {
		return e.loneStrip(r, w), nil
	}
	if r.Running() {
		stop := 2 + Width("cancel")
		if r.Listens() {
			stop = 2 + Width("end")
		}
		return e.RunningStrip(r, w), []Stripped{{PartStop, w - stop, stop}}
	}
	rt, out := e.ResultType(r), e.Outcome(r)
	fr := e.Freshness(state, &r.V.Freshness)
	counts := e.Counts(r.Count, false)
	switch {
	case r.Muted > 0:
		counts = strings.TrimSpace(counts + " " + s.Muted.Render(Number(r.Muted)+" muted"))
	case counts == "":
		counts = s.OK.Render("no findings")
		if e.Hidden {
			counts = s.Muted.Render("findings hidden")
		}
	}
	took := ""
	if d, ok := r.Took(); ok {
		took = Took(d)
	}
	end := took
	if n := r.Size(); n > 0 {
		end = strings.TrimSpace(end + "  " + Size(n))
	}
	gap := "   "
	var at []Stripped
	line := func() string {
		var b strings.Builder
		at = at[:0]
		x := 0
		for i, p := range []string{rt.Render(), out.Render(), fr.Render(), counts} {
			if p == "" {
				continue
			}
			if x > 0 {
				b.WriteString(gap)
				x += len(gap)
			}
			b.WriteString(p)
			at = append(at, Stripped{StripPart(i), x, Width(p)})
			x += Width(p)
		}
		return b.String()
	}
	left := line()
	for _, shorter := range []func(){
		func() { rt = cutPiece(rt, 40) },
		func() { gap = "  " },
		func() { end = took },
		func() { fr.Text, _, _ = strings.Cut(fr.Text, " (") },
		func() { fr.Text, _, _ = strings.Cut(fr.Text, " of ") },
		func() { out = out.short() },
		func() { rt = rt.short() },
		func() { end = "" },
		func() { fr = fr.short() },
		func() { gap = " " },
	} {
		if Width(left)+Width(end)+2 <= w {
			break
		}
		shorter()
		left = line()
	}
	return Ends(left, s.Muted.Render(end), w), at
}

func cutPiece(p Piece, n int) Piece { p.Text = Cut(p.Text, n); return p }

// RunningStrip is what stands there while an answer is awaited: for how long, how far, and how to stop it.
func (e *Env) RunningStrip(r *book.Row, w int) string {
	s := e.Styles
	if r.Listens() {
		open := s.OK.Render(SignReady+" open ") + s.Muted.Render(e.Open(e.Now().Sub(r.At())))
		return Ends(open, s.Keycap.Render("S")+" "+s.Muted.Render("subscriptions")+"  "+s.Keycap.Render("c")+" "+s.Muted.Render("end"), w)
	}
	left := s.Running.Render(Spinner(e.Frame) + " running " + e.For(e.Now().Sub(r.At())))
	stop := s.Keycap.Render("c") + " " + s.Muted.Render("cancel")
	if far := e.Far(r.Shown, w-Width(left)-Width(stop)-3); far != "" {
		left += "  " + far
	}
	return Ends(left, stop, w)
}

func (e *Env) loneStrip(r *book.Row, w int) string {
	s := e.Styles
	dir, style := SignReceived+" received", &s.Received
	if r.Sent() {
		dir, style = SignSent+" sent", &s.Sent
	}
	what := "message of its own"
	switch r.X.Lone.Kind {
	case wire.Notification:
		what = "notification"
	case wire.Request:
		what = "request of the server"
	case wire.Result, wire.Error:
		what = "answer that belongs to no request"
	case wire.NotJSON:
		what = "not JSON"
	case wire.Batch:
		what = "batch"
	}
	if f := r.X.Fetch; f != nil {
		what = Escape(strings.TrimSpace(f.For + "   " + f.Text))
		switch f.For {
		case wire.ForStream:
			what = "the answer to a GET, which asks for an event stream"
		case wire.ForSession:
			what = "the answer to a DELETE, which ends the session"
		}
	}
	left := style.Render(dir) + "   " + s.Text.Render(what)
	if c := e.Counts(r.Count, false); c != "" {
		left += "   " + c
	}
	return Ends(left, s.Muted.Render(Size(r.Size())), w)
}
