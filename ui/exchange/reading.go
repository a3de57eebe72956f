package exchange

import (
	"sync/atomic"
	"time"

	"mcploupe/highlight"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/kit"
)

// reading is an exchange with messages too large to be read between a key and its screen. They are read and laid out beside the
// screen; until then the pane shows the verdict, which was reached long before, and says that it reads.
type reading struct {
	main, request *wire.Message // what is read; of the small ones nil
	ahead         map[*wire.Message]*kit.Ahead
	done          bool
	left          atomic.Bool // somebody went on to another exchange before it was done
	then          func()      // a place that was asked for meanwhile
}

// rest is how long the cursor stays on an exchange before it is read: whoever only passes it should not wait for it.
const rest = 30 * time.Millisecond

// main is the message that the first tab shows.
func (p *Pane) main() *wire.Message {
	if x := &p.row.X; x.Lone != nil {
		return x.Lone
	}
	return p.row.X.Reply
}

func heavy(m *wire.Message) *wire.Message {
	if m == nil || len(m.Body) < kit.Heavy {
		return nil
	}
	return m
}

// reads tells that the exchange is being read. The first question begins that.
func (p *Pane) reads() bool {
	main, request := heavy(p.main()), heavy(p.row.X.Request)
	if r := p.reading; r != nil && r.main == main && r.request == request {
		return !r.done
	} else if r != nil {
		r.left.Store(true)
		if p.reading = nil; r.done {
			p.readBefore = r
		}
	}
	if main == nil && request == nil {
		return false
	}
	if r := p.readBefore; r != nil && r.main == main && r.request == request {
		p.reading = r
		return false
	}
	r := &reading{main: main, request: request}
	p.reading = r
	lay := map[*wire.Message]func(*jsondoc.Document) *kit.Ahead{}
	if main != nil {
		lay[main] = p.answer.Ahead()
	}
	if request != nil {
		lay[request] = p.request.Ahead()
	}
	p.env.Later(func() func() {
		if p.env.Aside != nil {
			time.Sleep(rest)
		}
		made := map[*wire.Message]*kit.Ahead{}
		for m, f := range lay {
			if !r.left.Load() {
				made[m] = f(m.Doc())
			}
		}
		return func() {
			if r.left.Load() {
				return
			}
			if r.ahead, r.done = made, true; r.then != nil {
				r.then()
			}
		}
	})
	return !r.done
}

// show puts a message into a view; a large one as it was laid out ahead.
func (p *Pane) show(v *kit.View, m *wire.Message, marks []highlight.Mark) {
	if p.reading != nil && p.reading.ahead[m] != nil && !foreign(m) {
		v.Use(p.reading.ahead[m], marks)
		return
	}
	show(v, m, marks)
}

// biggest is the body of the largest message that is read.
func (p *Pane) biggest() []byte {
	var body []byte
	for _, m := range []*wire.Message{p.reading.main, p.reading.request} {
		if m != nil && len(m.Body) > len(body) {
			body = m.Body
		}
	}
	return body
}
