package kit

// Latest has work done beside the screen of which only the newest counts: one at a time, and of what is asked for meanwhile the last.
// So who types or drags faster than it is done waits for two at most, and nothing piles up.
type Latest struct {
	busy    bool
	waiting func() (then func())
}

// Do has work done as by Env.Later, after what is under way. What comes of work that is not the newest any more is dropped.
func (l *Latest) Do(e *Env, work func() (then func())) {
	if l.busy {
		l.waiting = work
		return
	}
	l.busy = true
	e.Later(func() func() {
		then := work()
		return func() {
			l.busy = false
			if next := l.waiting; next != nil {
				l.waiting = nil
				l.Do(e, next)
				return
			}
			then()
		}
	})
}

// Busy tells that something is still under way.
func (l *Latest) Busy() bool { return l.busy }
