package kit

// Heavy is how many bytes of JSON are read, laid out or compared at once, between a key and its screen. More takes longer than
// the eye allows: it is done beside the screen (Env.Later), which says so meanwhile.
const Heavy = 1 << 20

// Later does work beside the screen, and then what it gives back, on the screen's own goroutine. work must not touch what belongs to
// a pane: it gets what it needs beforehand and hands over what it made. Where nobody waits for keys (tests of a single pane) it is
// done at once.
func (e *Env) Later(work func() (then func())) {
	if e.Aside == nil {
		work()()
		return
	}
	e.Aside(work)
}
