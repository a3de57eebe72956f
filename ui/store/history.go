package store

import (
	"os"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
)

// Bounds of the file of arguments.
const (
	mostArgs     = 16 << 10  // bytes of one set of arguments; a larger one is not kept
	mostOfOne    = 30        // sets of one tool or prompt
	mostOfTarget = 300       // sets of one target
	historyRoom  = 900 << 10 // bytes of all texts; beyond, the oldest go
	historyLife  = 180 * 24 * time.Hour
)

// Sent is a set of arguments that was sent.
type Sent struct {
	Kind, Name string // "tool" or "prompt", and its name
	Args       string // raw JSON, byte for byte
	At         time.Time
}

// History keeps the arguments that were sent to the tools and prompts of one target, so that they can be sent again in a later
// run. They stand in the file as they are, which is its owner's alone; what held a known secret must not be given to Keep.
// Methods may be called by several goroutines, and never fail.
type History struct {
	path string
	id   []byte
	now  func() time.Time
	mu   sync.Mutex
	mine []Sent // of this target, oldest first
	own  []Sent // those of this run: they stay, also when nothing can be written
	read bool
}

// OpenHistory is what is kept of a target; without a Path it lasts for this run. Options.Forget has no meaning here.
func OpenHistory(o Options) *History {
	h := &History{path: o.Path, now: o.Now}
	if h.now == nil {
		h.now = time.Now
	}
	dir := o.Target.Dir
	if dir == "" {
		dir, _ = os.Getwd()
	}
	h.id = identity(o.Target, dir)
	return h
}

// Keep remembers arguments; those that were sent before move to the end. At is set here.
func (h *History) Keep(one Sent) {
	if one.Name == "" || len(one.Name) > mostName || len(one.Args) > mostArgs || len(one.Args) == 0 || !utf8.ValidString(one.Args) {
		return
	}
	h.mu.Lock()
	one.At = h.now()
	h.own = merged(h.own, one)
	h.mine = merged(h.alive(h.mine), h.own...)
	h.mu.Unlock()
	if h.path == "" {
		return
	}
	change(h.path, func(old []byte) []byte {
		f := readHistory(old)
		key := f.key(h.id)
		h.mu.Lock()
		h.mine = merged(h.alive(f.by[key]), h.own...) // also those that could not be written before
		h.read = true
		f.by[key] = h.mine
		h.mu.Unlock()
		return f.text()
	})
}

// merged is a list of arguments with more of them, the oldest first and each once, within the bounds. It is a list of its own.
func merged(list []Sent, more ...Sent) []Sent {
	type what struct{ kind, name, args string }
	var all []Sent
	at := map[what]int{}
	for _, s := range slices.Concat(list, more) {
		key := what{s.Kind, s.Name, s.Args}
		if i, again := at[key]; !again {
			at[key] = len(all)
			all = append(all, s)
		} else if !s.At.Before(all[i].At) {
			all[i] = Sent{} // it is sent anew: it goes to the end
			at[key] = len(all)
			all = append(all, s)
		}
	}
	all = slices.DeleteFunc(all, func(s Sent) bool { return s.Name == "" })
	slices.SortStableFunc(all, func(a, b Sent) int { return a.At.Compare(b.At) })
	same := map[what]int{}
	for i := len(all) - 1; i >= 0; i-- {
		of := what{kind: all[i].Kind, name: all[i].Name}
		if same[of]++; same[of] > mostOfOne {
			all = slices.Delete(all, i, i+1)
		}
	}
	return all[max(0, len(all)-mostOfTarget):]
}

// List is the arguments that were sent to a tool or prompt, the newest first.
func (h *History) List(kind, name string) []Sent {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.read && h.path != "" {
		f := readHistory(content(h.path))
		h.mine, h.read = merged(f.by[f.key(h.id)], h.own...), true
	}
	var out []Sent
	for _, s := range slices.Backward(h.alive(h.mine)) {
		if s.Kind == kind && s.Name == name {
			out = append(out, s)
		}
	}
	return out
}

func (h *History) alive(list []Sent) []Sent {
	now := h.now()
	return slices.DeleteFunc(slices.Clone(list), func(s Sent) bool { return now.Sub(s.At) > historyLife })
}

// historyFile is the file of arguments.
type historyFile struct{ *saved[[]Sent] }

func readHistory(text []byte) historyFile {
	return historyFile{read(text, listOf(mostOfTarget, readSent))}
}

func readSent(v jsondoc.Value) (Sent, bool) {
	one := Sent{Kind: v.Get("kind").Text(), Name: v.Get("name").Text(), Args: v.Get("args").Text()}
	at, err := time.Parse(time.RFC3339, v.Get("at").Text())
	one.At = at
	return one, err == nil && (one.Kind == "tool" || one.Kind == "prompt") && one.Name != "" && len(one.Name) <= mostName && one.Args != "" && len(one.Args) <= mostArgs
}

// fit lets the oldest arguments go until the rest fits.
func (f historyFile) fit() {
	room := historyRoom
	for _, list := range f.by {
		for _, s := range list {
			room -= size(s)
		}
	}
	for room < 0 || len(f.by) > mostTargets {
		key := f.oldest(func(list []Sent) time.Time { return list[0].At })
		room += size(f.by[key][0])
		if f.by[key] = f.by[key][1:]; len(f.by[key]) == 0 {
			delete(f.by, key)
		}
	}
}

// size is how many bytes an entry takes in the file.
func size(s Sent) int {
	return len(jsondoc.AppendQuote(nil, s.Args)) + len(jsondoc.AppendQuote(nil, s.Name)) + 100
}

func (f historyFile) text() []byte {
	f.fit()
	return f.saved.text("arguments that were sent to tools and prompts, so that they can be sent again; remove it at any time, or start with --no-history", writeList(func(s Sent) [][2]string {
		return [][2]string{{"kind", s.Kind}, {"name", s.Name}, {"at", stamp(s.At)}, {"args", s.Args}}
	}))
}
