// Package feed is the way from the log to everybody who shows something: the screen and all headless
// commands read the same feed, live or from a recorded file.
//
//	log.After → fold.Add → inspector.See → one Page for all that was there
//
// A feed is pulled and has no goroutine of its own. Whoever is slow gets larger pages, not more of them,
// and holds up nobody: a flood of messages costs the reader a few pages. It must never know: Bubble Tea,
// terminals, where anything stands, sessions.
package feed

import (
	"context"
	"io"
	"time"

	"mcploupe/inspect"
	"mcploupe/session/wire"
)

// Judge is what a feed needs of an inspect.Inspector.
type Judge interface {
	// Observe takes every entry, before the exchanges that come of it.
	Observe(e *wire.Entry)
	// See judges what is new in an exchange.
	See(x *wire.Exchange) inspect.Verdict
}

// Judged is an exchange as it stood at one entry, with what was found then.
type Judged struct {
	Exchange wire.Exchange
	Verdict  inspect.Verdict
}

// Page is what is new since the page before, never nothing.
type Page struct {
	// Entries are all new entries of the log, in order, frames included.
	Entries []wire.Entry
	// Exchanges are those that the entries opened, changed or ended, in the order in which that happened.
	// One that changed several times is here several times, each time with what was found then, so that
	// findings do not depend on how entries are cut into pages.
	Exchanges []Judged
	// Cut names frames whose bodies were let go from memory meanwhile (wire.Log.Cut).
	Cut []wire.Seq
	// More tells that the log has further entries already.
	More bool
}

// MaxEntries bounds a page.
const MaxEntries = 4096

// enough is how long a page is worked on before it is handed out: a reader that shows it stays lively
// although judging is behind.
const enough = 20 * time.Millisecond

// burst is how many pages may follow each other at once before Pace counts.
const burst = 8

// Feed reads one log from its first entry. It belongs to one goroutine at a time.
type Feed struct {
	// Pace is the least time between two pages on the average; 0 hands out every page at once. A reader
	// that draws sets it to the time of a frame. After a quiet moment a few pages come at once, so that an
	// answer is not kept back.
	Pace time.Duration

	log   *wire.Log
	judge Judge
	fold  *wire.Fold
	last  wire.Seq
	rest  []wire.Entry // read from the log and not in a page yet
	cut   int
	due   time.Time // when the pages so far would have come at an even pace
}

// New is a feed of the log, judged by j. The judge is the feed's until Next has returned io.EOF; a nil
// judge finds nothing.
func New(log *wire.Log, j Judge) *Feed {
	return &Feed{log: log, judge: j, fold: wire.NewFold()}
}

// Next waits for something new and returns all that is there, within MaxEntries. After the last entry of a
// closed log it returns io.EOF, and when ctx ends its error; the feed can then be read on later.
func (f *Feed) Next(ctx context.Context) (Page, error) {
	if err := f.wait(ctx); err != nil {
		return Page{}, err
	}
	if err := f.keepPace(ctx); err != nil {
		return Page{}, err
	}
	var p Page
	start := time.Now()
	for len(p.Entries) < MaxEntries {
		if len(f.rest) == 0 {
			if f.fetch(); len(f.rest) == 0 {
				break
			}
		}
		f.add(&p, f.rest[0])
		f.rest = f.rest[1:]
		if time.Since(start) > enough {
			break
		}
	}
	p.Cut = f.log.Cut(f.cut)
	f.cut += len(p.Cut)
	p.More = len(f.rest) > 0 || f.log.Last() > f.last
	return p, nil
}

// fetch reads from the log into rest. more is nil at the end of a closed log.
func (f *Feed) fetch() (more <-chan struct{}) {
	f.rest, more = f.log.After(f.last)
	if n := len(f.rest); n > 0 {
		f.last = f.rest[n-1].Seq
	}
	return more
}

// wait waits until rest has something.
func (f *Feed) wait(ctx context.Context) error {
	for len(f.rest) == 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		more := f.fetch()
		switch {
		case len(f.rest) > 0:
			return nil
		case more == nil:
			return io.EOF
		}
		select {
		case <-more:
		case <-ctx.Done():
		}
	}
	return nil
}

// keepPace waits while pages would come faster than Pace.
func (f *Feed) keepPace(ctx context.Context) error {
	if f.Pace <= 0 {
		return nil
	}
	if now := time.Now(); f.due.Before(now) {
		f.due = now
	}
	if ahead := time.Until(f.due) - (burst-1)*f.Pace; ahead > 0 {
		timer := time.NewTimer(ahead)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	f.due = f.due.Add(f.Pace)
	return nil
}

func (f *Feed) add(p *Page, e wire.Entry) {
	if p.Entries == nil { // most pages are one entry, the large ones a flood
		p.Entries = make([]wire.Entry, 0, min(len(f.rest), MaxEntries))
		p.Exchanges = make([]Judged, 0, min(len(f.rest), MaxEntries))
	}
	p.Entries = append(p.Entries, e)
	if f.judge != nil {
		f.judge.Observe(&e)
	}
	exchanges := f.fold.Add(e)
	for i := range exchanges {
		j := Judged{Exchange: exchanges[i]}
		if f.judge != nil {
			j.Verdict = f.judge.See(&exchanges[i])
		}
		p.Exchanges = append(p.Exchanges, j)
	}
}

// Pending are the exchanges that have not ended, as of the last page.
func (f *Feed) Pending() []wire.Exchange { return f.fold.Pending() }
