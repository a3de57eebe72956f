package wire

import (
	"slices"
	"sort"
	"sync"
	"time"
)

// LogOptions are the settings of a Log. The zero value is the usual one.
type LogOptions struct {
	Budget int64            // bytes of message text kept in memory; 0 means DefaultBudget, below 0 no bound
	Now    func() time.Time // the clock that stamps entries; nil means time.Now
}

// DefaultBudget is how many bytes of message text a Log keeps.
const DefaultBudget = 512 << 20

// chunk is how many entries stand in one piece of memory. Growing never moves what is there, so Append
// costs the same for the first entry and for the millionth.
const chunk = 1024

// largeBody is the size from which a body counts as large: large ones are let go first.
const largeBody = 4 << 10

// maxBatch bounds one answer of After; a reader that begins late gets a long journal in pieces.
const maxBatch = 8 * chunk

// Log is the journal in memory: what happened, in order. One side appends, from any goroutine, and is
// never held up by the other; readers follow at their own pace with After. Entries are never dropped, unless a reader
// says that nobody needs them any more (Forget).
// While the log is recorded (Record), readers get an entry only after it is in the file: whatever
// somebody saw, or broke something, can be found there.
// When the message text exceeds the budget, the oldest large bodies are let go, then the oldest of any
// size: their frames are replaced by copies that say so (ShapeCut, Dropped).
type Log struct {
	mu     sync.Mutex
	opts   LogOptions
	chunks [][]Entry
	n      int
	last   Seq
	more   chan struct{} // closed when readers can have more; nil when nobody waits
	closed bool

	held    bool          // a recorder goes before the readers
	written Seq           // the last entry that it has written
	seen    Seq           // the last entry that readers could have before it came
	tail    chan struct{} // closed at the next Append; nil when the recorder does not wait

	gone   int // chunks that were forgotten
	weight int64
	large  int   // entries before this index hold no large body any more
	small  int   // entries before this index hold no body at all
	cut    []Seq // frames that lost their body, in the order of the loss
}

// NewLog is an empty Log.
func NewLog(o LogOptions) *Log {
	if o.Budget == 0 {
		o.Budget = DefaultBudget
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Log{opts: o}
}

// Append adds an entry and returns its number. It stamps At when it is zero, and Seq unless the entry
// brings one that is greater than all before (a journal that is read back keeps its numbers). The
// entry's frame is sealed: nobody may change it from now on.
func (l *Log) Append(e Entry) Seq {
	if e.Frame != nil {
		e.Frame.Seal()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Seq <= l.last {
		e.Seq = l.last + 1
	}
	if e.At.IsZero() {
		e.At = l.opts.Now()
	}
	l.last = e.Seq
	if l.n%chunk == 0 {
		l.chunks = append(l.chunks, make([]Entry, 0, chunk))
	}
	tail := &l.chunks[len(l.chunks)-1]
	*tail = append(*tail, e)
	l.n++
	if e.Frame != nil {
		l.weight += e.Frame.weight()
		l.trim()
	}
	if l.held {
		wake(&l.tail)
	} else {
		wake(&l.more)
	}
	return e.Seq
}

func wake(c *chan struct{}) {
	if *c != nil {
		close(*c)
		*c = nil
	}
}

func (l *Log) at(i int) *Entry { return &l.chunks[i/chunk][i%chunk] }

// trim lets bodies go until the rest is within the budget. The last entry keeps its body, and so does
// what is still to be recorded.
func (l *Log) trim() {
	if l.opts.Budget < 0 || l.weight <= l.opts.Budget {
		return
	}
	end := l.n - 1
	if l.held {
		end = min(end, l.index(l.written))
	}
	for ; l.weight > l.opts.Budget && l.large < end; l.large++ {
		l.drop(l.at(l.large), largeBody)
	}
	for ; l.weight > l.opts.Budget && l.small < end; l.small++ {
		l.drop(l.at(l.small), 1)
	}
}

func (l *Log) drop(e *Entry, least int64) {
	if e.Frame == nil || e.Frame.weight() < least {
		return
	}
	l.weight -= e.Frame.weight()
	e.Frame = e.Frame.without()
	l.weight += e.Frame.weight()
	l.cut = append(l.cut, e.Seq)
}

// index is the position of the first entry with a number greater than s.
func (l *Log) index(s Seq) int {
	if l.last == Seq(l.n) { // the usual case: no gaps
		return int(min(s, l.last))
	}
	first := l.gone * chunk
	return first + sort.Search(l.n-first, func(i int) bool { return l.at(first+i).Seq > s })
}

// Forget lets the entries up to s go from memory, as far as they fill whole pieces of it and have been recorded: for a
// conversation without end that nobody looks back on. Whoever reads on from before gets what is left.
func (l *Log) Forget(s Seq) {
	l.mu.Lock()
	defer l.mu.Unlock()
	end := l.index(s)
	if l.held {
		end = min(end, l.index(l.written))
	}
	for ; (l.gone+1)*chunk <= end; l.gone++ {
		for i := range l.chunks[l.gone] {
			if f := l.chunks[l.gone][i].Frame; f != nil {
				l.weight -= f.weight()
			}
		}
		l.chunks[l.gone] = nil
	}
	l.large, l.small = max(l.large, l.gone*chunk), max(l.small, l.gone*chunk)
}

// After returns the entries that follow number s, as many as fit in one answer, and a channel that is
// closed once there are newer ones than these (at once, when some did not fit). Both are nil when the
// Log was closed and has nothing after s.
//
// The entries are copies; what they point to is shared and immutable.
func (l *Log) After(s Seq) (entries []Entry, more <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	visible := l.n
	if l.held {
		visible = l.index(max(l.written, l.seen))
	}
	return l.read(s, visible, &l.more)
}

// read is After for the entries before index end, waiting on wait.
func (l *Log) read(s Seq, end int, wait *chan struct{}) (entries []Entry, more <-chan struct{}) {
	from := min(max(l.index(s), l.gone*chunk), end)
	to := min(end, from+maxBatch)
	if from == l.n && l.closed {
		return nil, nil
	}
	if from < to {
		entries = make([]Entry, 0, to-from)
	}
	for i := from; i < to; {
		c := l.chunks[i/chunk]
		part := c[i%chunk : min(len(c), i%chunk+to-i)]
		entries = append(entries, part...)
		i += len(part)
	}
	if to < end || to == l.n && l.closed {
		return entries, closedChannel()
	}
	if *wait == nil {
		*wait = make(chan struct{})
	}
	return entries, *wait
}

// hold makes the readers wait for a recorder; false when they do so already.
func (l *Log) hold() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.held {
		return false
	}
	l.held, l.seen = true, l.last
	return true
}

// unrecorded is After for the recorder.
func (l *Log) unrecorded(s Seq) (entries []Entry, more <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.read(s, l.n, &l.tail)
}

// recorded lets the readers have the entries up to s; with last, everything from now on.
func (l *Log) recorded(s Seq, last bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.written = max(l.written, s)
	if last {
		l.held = false
	}
	l.trim()
	wake(&l.more)
}

func closedChannel() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// Get is the entry with number s.
func (l *Log) Get(s Seq) (Entry, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s == 0 {
		return Entry{}, false
	}
	if i := l.index(s - 1); l.gone*chunk <= i && i < l.n && l.at(i).Seq == s {
		return *l.at(i), true
	}
	return Entry{}, false
}

// Len is the number of entries.
func (l *Log) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.n
}

// Last is the number of the last entry, 0 when there is none.
func (l *Log) Last() Seq {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.last
}

// Cut lists the frames whose body was let go from memory, without the first n of them: a reader that
// keeps messages lets go of them too, or gets the copies that say so with Get.
func (l *Log) Cut(n int) []Seq {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n >= len(l.cut) {
		return nil
	}
	return slices.Clone(l.cut[n:])
}

// Close tells the readers that all was said. An entry that is appended afterwards is kept, but readers
// may have left. Closing twice is allowed.
func (l *Log) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	wake(&l.more)
	wake(&l.tail)
}
