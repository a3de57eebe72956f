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
	defer h.mu.Unlock()
	one.At = h.now()
	h.own = add(h.own, one)
	var f historyFile
	if h.path != "" { // another run may have written meanwhile
		f = readHistory(h.path)
		h.mine, h.read = f.by[f.key(h.id)], true
	}
	h.mine = h.alive()
	for _, s := range h.own {
		h.mine = add(h.mine, s)
	}
	if h.path != "" {
		f.by[f.key(h.id)] = h.mine
		f.write(h.path)
	}
}

// add puts arguments at the end, within the bounds.
func add(list []Sent, one Sent) []Sent {
	same := 0
	list = slices.DeleteFunc(slices.Clone(list), func(k Sent) bool {
		return k.Kind == one.Kind && k.Name == one.Name && k.Args == one.Args
	})
	list = append(list, one)
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Kind == one.Kind && list[i].Name == one.Name {
			if same++; same > mostOfOne {
				list = slices.Delete(list, i, i+1)
			}
		}
	}
	return list[max(0, len(list)-mostOfTarget):]
}

// List is the arguments that were sent to a tool or prompt, the newest first.
func (h *History) List(kind, name string) []Sent {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.read && h.path != "" {
		f := readHistory(h.path)
		h.mine, h.read = f.by[f.key(h.id)], true
	}
	var out []Sent
	for _, s := range slices.Backward(h.alive()) {
		if s.Kind == kind && s.Name == name {
			out = append(out, s)
		}
	}
	return out
}

func (h *History) alive() []Sent {
	now := h.now()
	return slices.DeleteFunc(slices.Clone(h.mine), func(s Sent) bool { return now.Sub(s.At) > historyLife })
}

// historyFile is the file of arguments.
type historyFile struct{ *saved[[]Sent] }

func readHistory(path string) historyFile {
	return historyFile{read(path, listOf(mostOfTarget, readSent))}
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

func (f historyFile) write(path string) {
	f.fit()
	f.saved.write(path, "arguments that were sent to tools and prompts, so that they can be sent again; remove it at any time, or start with --no-history", writeList(func(s Sent) [][2]string {
		return [][2]string{{"kind", s.Kind}, {"name", s.Name}, {"at", stamp(s.At)}, {"args", s.Args}}
	}))
}
