package wire

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// The words of scripts (and of journal files) for framing facts, lane events, phases and ends.

type named[T comparable] struct {
	word  string
	value T
}

func wordOf[T comparable](list []named[T], v T) string {
	for _, n := range list {
		if n.value == v {
			return n.word
		}
	}
	return ""
}

func valueOf[T comparable](list []named[T], word string) (v T, ok bool) {
	for _, n := range list {
		if n.word == word {
			return n.value, true
		}
	}
	return v, false
}

func shapeWords() []named[Shape] {
	return []named[Shape]{
		{"crlf", ShapeCRLF}, {"blank", ShapeBlank}, {"pretty", ShapePretty}, {"glued", ShapeGlued}, {"lsp", ShapeLSP}, {"noise", ShapeNoise},
		{"unterminated", ShapeUnterminated}, {"cut", ShapeCut}, {"truncated", ShapeTruncated}, {"encoding", ShapeEncoding},
	}
}

func laneWords() []named[LaneKind] {
	return []named[LaneKind]{
		{"open", LaneOpen}, {"head", LaneHead}, {"eof", LaneEOF}, {"cut", LaneCut}, {"failed", LaneFailed}, {"closed", LaneClosed}, {"exit", LaneExit},
	}
}

func phaseWords() []named[Phase] {
	return []named[Phase]{
		{"connecting", Connecting}, {"detecting", Detecting}, {"ready", Ready}, {"lost", Lost}, {"failed", Failed}, {"closed", Closed},
	}
}

func endWords() []named[End] {
	return []named[End]{{"cancel", Cancelled}, {"timeout", TimedOut}, {"drop", Dropped}}
}

type frameMarked struct{ plain bool }

// frameMarks reads the marks of a frame. event tells that frames of its lane are events.
func frameMarks(f *Frame, w *words, event bool) (frameMarked, error) {
	var m frameMarked
	if event {
		f.Event = new(Event)
	}
	ev := func() *Event {
		if f.Event == nil {
			f.Event = new(Event)
		}
		return f.Event
	}
	err := w.marks(func(name, value string) (bool, error) {
		if s, ok := valueOf(shapeWords(), name); ok {
			f.Shape |= s
			return true, nil
		}
		switch name {
		case "plain":
			m.plain = true
		case "lines":
			return number(&f.Lines, value)
		case "dropped":
			return number(&f.Dropped, value)
		case "before":
			f.Before = []byte(value)
		case "why":
			f.Why = value
		case "masked":
			f.Masked = true
		case "noevent":
			f.Event = nil
		case "sse":
			ev()
		case "event":
			ev().Name = value
		case "id":
			ev().ID = value
		case "retry":
			ev().Retry = value
		case "comment":
			ev().Comments = append(ev().Comments, value)
		case "nodata":
			ev().NoData = true
		case "raw":
			ev().Raw = []byte(value)
		default:
			return false, nil
		}
		return true, nil
	})
	return m, err
}

// channel reads a ~ line.
func (p *scriptParser) channel(lane uint32, laneNamed bool, w *words) error {
	t, err := w.next()
	if err != nil {
		return err
	}
	if how, ok := valueOf(endWords(), t.name); ok && !t.hasValue {
		return p.ending(how, w)
	}
	kind, ok := valueOf(laneWords(), t.name)
	if !ok || t.mark || t.hasValue {
		return fmt.Errorf("%q: a channel can open, eof, cut, failed, closed, exit; a request can cancel, timeout, drop", t.name)
	}
	l := &Lane{ID: lane, Kind: kind}
	switch {
	case kind == LaneExit:
		if !laneNamed {
			l.ID = 0
		}
		if err := p.exit(l, w); err != nil {
			return err
		}
	default:
		p.use(lane)
	}
	err = w.marks(func(name, value string) (bool, error) {
		switch x := l.Exit; {
		case name == "text":
			l.Text = value
		case x == nil:
			return false, nil
		case name == "signal":
			x.Signal = value
		case name == "ours":
			x.Ours = true
		case name == "late":
			x.Late = true
		case name == "dir":
			x.Dir = value
		case name == "arg":
			x.Argv = append(x.Argv, value)
		case name == "stderr":
			x.Stderr = append(x.Stderr, value)
		default:
			return false, nil
		}
		return true, nil
	})
	if t := w.text(); t != "" {
		l.Text = t
	}
	p.add(Entry{Lane: l})
	return err
}

func (p *scriptParser) exit(l *Lane, w *words) error {
	if w.end() || w.marked() {
		return nil
	}
	t, err := w.next()
	if err != nil {
		return err
	}
	l.Exit = new(Exit)
	if l.Exit.Code, err = strconv.Atoi(t.name); err != nil {
		return fmt.Errorf("reading the exit code: %w", err)
	}
	return nil
}

func (p *scriptParser) ending(how End, w *words) error {
	e := &Ending{How: how}
	id := ""
	if !w.end() {
		id, _, _ = strings.Cut(w.rest, " ")
		w.rest = w.rest[len(id):]
	}
	if seq, ok := strings.CutPrefix(id, "#"); ok {
		if _, err := number(&e.Of, seq); err != nil {
			return fmt.Errorf("reading the entry's number: %w", err)
		}
	} else if e.Of, ok = p.latestWaiting(id); !ok {
		return fmt.Errorf("no request %s waits", id)
	}
	err := w.marks(func(name, value string) (bool, error) {
		e.Text = value
		return name == "text", nil
	})
	if t := w.text(); t != "" {
		e.Text = t
	}
	p.add(Entry{Ending: e})
	return err
}

func (p *scriptParser) note(w *words) error {
	n := &Note{From: "stderr"}
	err := w.marks(func(name, value string) (bool, error) {
		switch name {
		case "from":
			n.From = value
		case "level":
			n.Level = value
		case "text":
			n.Text = value
		default:
			return false, nil
		}
		return true, nil
	})
	if t := w.text(); t != "" {
		n.Text = t
	}
	p.add(Entry{Note: n})
	return err
}

func (p *scriptParser) state(w *words) error {
	t, err := w.next()
	if err != nil {
		return err
	}
	s := new(State)
	var ok bool
	if s.Phase, ok = valueOf(phaseWords(), t.name); !ok {
		return errors.New("the phases are connecting, detecting, ready, lost, failed, closed")
	}
	err = w.marks(func(name, value string) (bool, error) {
		switch name {
		case "era":
			s.Era = value
		case "version":
			s.Version = value
		case "server":
			s.Server = value
		case "target":
			s.Target = value
		case "kind":
			s.Kind = value
		case "evidence":
			return number(&s.Evidence, value)
		case "try":
			return number(&s.Try, value)
		case "tries":
			return number(&s.Tries, value)
		case "session":
			return number(&s.Session, value)
		case "pause":
			d, err := time.ParseDuration(value)
			s.Pause = d
			return true, err
		case "text":
			s.Text = value
		default:
			return false, nil
		}
		return true, nil
	})
	if t := w.text(); t != "" {
		s.Text = t
	}
	p.add(Entry{State: s})
	return err
}

func (p *scriptParser) ask(w *words) error {
	t, err := w.next()
	if err != nil {
		return err
	}
	a := &Ask{Method: t.name}
	err = w.marks(func(name, value string) (bool, error) {
		switch name {
		case "of":
			return number(&a.Of, value)
		case "key":
			a.Key = value
		case "answer":
			a.Answer = value
		case "params":
			a.Params = value
		default:
			return false, nil
		}
		return true, nil
	})
	if t := w.text(); t != "" {
		a.Params = t
	}
	p.add(Entry{Ask: a})
	return err
}
