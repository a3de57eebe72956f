package wire

import (
	"fmt"
	"slices"
)

// lane takes what happened to a channel.
func (f *Fold) lane(e Entry, out *touched) {
	l := e.Lane
	if l.HTTP != nil && l.HTTP.Status != 0 {
		for _, x := range f.lanes[l.ID] {
			x.Head = l.HTTP
			out.add(x)
		}
	}
	switch l.Kind {
	case LaneHead:
		if fetch := f.answered(l.ID, l.HTTP); fetch != nil {
			f.fetched(Entry{Seq: e.Seq, At: e.At, Fetch: fetch}, out)
		}
	case LaneEOF, LaneCut, LaneFailed:
		delete(f.bare, l.ID)
		f.endLane(l.ID, e, l.Text, out)
	case LaneOpen:
		if l.ID == 0 {
			f.cut = nil // another child
		}
		if l.Resumes != 0 {
			f.pending.Resume(l.ID, l.Resumes)
		}
		f.opened(l)
	case LaneClosed:
		delete(f.bare, l.ID)
		if l.ID != 0 { // on stdio the child may still answer until it exits
			f.close(l, e, out)
		}
	case LaneExit:
		f.exit(e, out)
	}
}

// endLane ends what still waits on a lane that can bring nothing more.
func (f *Fold) endLane(id uint32, e Entry, text string, out *touched) {
	for _, x := range f.waitingOn(id, e.Lane == nil || e.Lane.Kind == LaneEOF) {
		if x.Head != nil && postedOnly(x.Request) {
			f.end(x, Posted, text, e.At, out)
			continue
		}
		if f.resumable(x) {
			f.ids[id] = true
			continue
		}
		f.end(x, Dropped, endText(x, text), e.At, out)
		if id == 0 {
			f.cut = append(f.cut, x)
		}
	}
}

// resumable tells that what was posted may still be answered on a GET that goes on with its event stream.
func (f *Fold) resumable(x *Exchange) bool {
	_, hasID := f.ids[x.Request.Lane]
	return f.resumes && hasID && x.Request.Kind == Request
}

// Held are the requests posted on an HTTP lane that its end did not end: they wait for a GET to go on with its event
// stream. (What waits for the event stream of HTTP+SSE is not meant.)
func (f *Fold) Held(lane uint32) []Ref {
	var held []Ref
	if !f.ids[lane] {
		return nil
	}
	for _, x := range f.lanes[lane] {
		if x.End == Open {
			held = append(held, x.Request.Ref())
		}
	}
	return held
}

// release ends what waits for a stream to be gone on with: the connection is over.
func (f *Fold) release(e Entry, out *touched) {
	for _, x := range slices.Clone(f.open) {
		if f.ids[x.Request.Lane] {
			f.end(x, Dropped, "the stream ended without an answer, and was not resumed", e.At, out)
		}
	}
}

// waitingOn are the open exchanges that the lane was to bring something for. On HTTP+SSE (2024-11-05)
// the orderly end of a POST tells only of the POST: its answer comes on the event stream, the one lane
// that nothing was posted on, and with that stream all answers are lost.
func (f *Fold) waitingOn(id uint32, orderly bool) []*Exchange {
	stream := f.pending.SSE && id != 0 && len(f.lanes[id]) == 0
	var list []*Exchange
	for _, x := range f.open {
		switch {
		case stream && x.Request.Kind == Request:
		case x.Request.Lane != id:
			continue
		case f.pending.SSE && id != 0 && orderly && x.Request.Kind == Request && (x.Head == nil || x.Head.Status/100 == 2):
			continue
		}
		list = append(list, x)
	}
	return list
}

// endText says why an exchange ended without a reply, when the lane has no reason of its own.
func endText(x *Exchange, text string) string {
	switch n := len(x.Foreign); {
	case text != "":
		return text
	case x.Request.Lane == 0:
		return "the server closed its output"
	case n > 0:
		return fmt.Sprintf("only an answer with another id came (frame %d)", x.Foreign[n-1])
	case x.Head != nil && len(x.During) == 0 && !eventStream(x.Head):
		return fmt.Sprintf("HTTP status %d without a body", x.Head.Status)
	}
	return "the stream ended without an answer"
}

func (f *Fold) close(l *Lane, e Entry, out *touched) {
	text := l.Text
	if text == "" {
		text = "we closed the connection"
	}
	for _, x := range f.waitingOn(l.ID, false) {
		f.end(x, Cancelled, text, e.At, out)
	}
}

// exit ends everything that waits for the child. What the end of its output ended a moment ago
// learns of the exit as well, because the exit is the better reason.
func (f *Fold) exit(e Entry, out *touched) {
	text := exitText(e.Lane)
	for _, x := range f.cut {
		x.Exit, x.EndText = e.Lane.Exit, text
		out.add(x)
	}
	f.cut = nil
	for _, x := range slices.Clone(f.open) {
		f.end(x, Dropped, text, e.At, out)
		x.Exit = e.Lane.Exit
	}
}

func exitText(l *Lane) string {
	switch x := l.Exit; {
	case l.Text != "":
		return l.Text
	case x == nil:
		return "the server exited"
	case x.Signal != "":
		return "the server was ended by signal " + x.Signal
	default:
		return fmt.Sprintf("the server exited with code %d", x.Code)
	}
}

func (f *Fold) weigh(m *Message) { f.weight += m.weight() }

// trim bounds what ended exchanges hold: first their bodies, then the exchanges themselves.
func (f *Fold) trim() {
	for f.weight > keepBodies && f.slim < len(f.ended)-1 {
		f.lighten(f.ended[f.slim])
		f.slim++
	}
	if len(f.ended) < 2*keepEnded {
		return
	}
	old := f.ended[:len(f.ended)-keepEnded]
	for _, x := range old {
		f.forget(x)
	}
	f.slim = max(0, f.slim-len(old))
	f.ended = slices.Clone(f.ended[len(old):])
}

// lighten replaces the larger frames of an ended exchange by copies without bodies. Readers keep theirs.
func (f *Fold) lighten(x *Exchange) {
	light := func(m Message) Message {
		if m.weight() > 512 {
			f.weight -= m.weight()
			m.Frame = m.Frame.without()
		}
		return m
	}
	req := light(*x.Request)
	x.Request = &req
	f.pending.replace(req.Ref(), &req)
	if x.Reply != nil {
		reply := light(*x.Reply)
		x.Reply = &reply
	}
	x.During, x.Late = slices.Clone(x.During), slices.Clone(x.Late)
	for i := range x.During {
		x.During[i] = light(x.During[i])
	}
	for i := range x.Late {
		x.Late[i] = light(x.Late[i])
	}
	f.asked = slices.DeleteFunc(f.asked, func(a *Exchange) bool { return a == x })
}

func (f *Fold) forget(x *Exchange) {
	f.weight -= x.Request.weight()
	if x.Reply != nil {
		f.weight -= x.Reply.weight()
	}
	for _, list := range [][]Message{x.During, x.Late} {
		for i := range list {
			f.weight -= list[i].weight()
		}
	}
	delete(f.all, x.Request.Ref())
	if lane := x.Request.Lane; len(f.lanes[lane]) > 0 {
		if f.lanes[lane] = slices.DeleteFunc(f.lanes[lane], func(o *Exchange) bool { return o == x }); len(f.lanes[lane]) == 0 {
			delete(f.lanes, lane)
			delete(f.ids, lane)
		}
	}
	f.asked = slices.DeleteFunc(f.asked, func(a *Exchange) bool { return a == x })
}
