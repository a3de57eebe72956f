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
// never held up by the other; readers follow at their own pace with After. Entries are never dropped.
// When the message text exceeds the budget, the oldest large bodies are let go, then the oldest of any
// size: their frames are replaced by copies that say so (ShapeCut, Dropped).
type Log struct {
	mu     sync.Mutex
	opts   LogOptions
	chunks [][]Entry
	n      int
	last   Seq
	more   chan struct{} // closed at the next Append; nil when nobody waits
	closed bool

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
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
	return e.Seq
}

func (l *Log) at(i int) *Entry { return &l.chunks[i/chunk][i%chunk] }

// trim lets bodies go until the rest is within the budget. The last entry keeps its body.
func (l *Log) trim() {
	if l.opts.Budget < 0 {
		return
	}
	for ; l.weight > l.opts.Budget && l.large < l.n-1; l.large++ {
		l.drop(l.at(l.large), largeBody)
	}
	for ; l.weight > l.opts.Budget && l.small < l.n-1; l.small++ {
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
	return sort.Search(l.n, func(i int) bool { return l.at(i).Seq > s })
}

// After returns the entries that follow number s, as many as fit in one answer, and a channel that is
// closed once there are newer ones than these (at once, when some did not fit). Both are nil when the
// Log was closed and has nothing after s.
//
// The entries are copies; what they point to is shared and immutable.
func (l *Log) After(s Seq) (entries []Entry, more <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	from := l.index(s)
	to := min(l.n, from+maxBatch)
	if to == l.n && l.closed && from == to {
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
	if to < l.n || l.closed {
		return entries, closedChannel()
	}
	if l.more == nil {
		l.more = make(chan struct{})
	}
	return entries, l.more
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
	if i := l.index(s - 1); i < l.n && l.at(i).Seq == s {
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
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
}
