package store

import (
	"cmp"
	"os"
	"slices"
	"sync"
	"time"

	"mcploupe/session/jsondoc"
)

// Bounds of the file of tasks.
const (
	mostTasks    = 50   // of one target
	mostID       = 1024 // bytes of an id; a longer one is not kept
	mostName     = 200  // bytes of a tool's name or a status
	taskLifetime = 7 * 24 * time.Hour
)

// Task is a task that went on in a server when we left it.
type Task struct {
	ID, Tool, Status string
	At               time.Time // when it was last heard of
	Until            time.Time // when the server may forget it; zero when it did not say
}

// Tasks keeps the ids of the tasks of one target, so that they can be taken up again (SEP-2663, Task Polling, asks for that).
// The ids stand in the file as they are: a server may treat one as a key to its task, so the file is its owner's alone.
// Methods may be called by several goroutines, and never fail.
type Tasks struct {
	path string
	id   []byte
	now  func() time.Time
	mu   sync.Mutex
	mine []Task // without a file: those of this run
}

// OpenTasks is what is kept of a target. Options.Forget has no meaning here.
func OpenTasks(o Options) *Tasks {
	t := &Tasks{path: o.Path, now: o.Now}
	if t.now == nil {
		t.now = time.Now
	}
	dir := o.Target.Dir
	if dir == "" {
		dir, _ = os.Getwd()
	}
	t.id = identity(o.Target, dir)
	return t
}

// Keep remembers a task, or what became of it. At is set here.
func (t *Tasks) Keep(one Task) {
	if one.ID == "" || len(one.ID) > mostID || len(one.Tool) > mostName || len(one.Status) > mostName {
		return
	}
	one.At = t.now()
	t.change(func(list []Task) []Task {
		list = slices.DeleteFunc(list, func(k Task) bool {
			if k.ID != one.ID {
				return false
			}
			one.Tool = cmp.Or(one.Tool, k.Tool)
			return true
		})
		list = append(list, one)
		return list[max(0, len(list)-mostTasks):]
	})
}

// Drop forgets a task: it has ended, or the server does not know it any more.
func (t *Tasks) Drop(id string) {
	if !slices.ContainsFunc(t.List(), func(k Task) bool { return k.ID == id }) {
		return
	}
	t.change(func(list []Task) []Task { return slices.DeleteFunc(list, func(k Task) bool { return k.ID == id }) })
}

// List is what is kept, the newest last, without those whose time is over.
func (t *Tasks) List() []Task {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := t.mine
	if t.path != "" {
		f := readTasks(content(t.path))
		list = f.by[f.key(t.id)]
	}
	return t.alive(list)
}

func (t *Tasks) alive(list []Task) []Task {
	now := t.now()
	return slices.DeleteFunc(slices.Clone(list), func(k Task) bool {
		return !k.Until.IsZero() && now.After(k.Until) || now.Sub(k.At) > taskLifetime
	})
}

func (t *Tasks) change(do func([]Task) []Task) {
	if t.path == "" {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.mine = do(t.alive(t.mine))
		return
	}
	change(t.path, func(old []byte) []byte {
		f := readTasks(old)
		key := f.key(t.id)
		if list := do(t.alive(f.by[key])); len(list) > 0 {
			f.by[key] = list
		} else {
			delete(f.by, key)
		}
		return f.text()
	})
}

// taskFile is the file of tasks.
type taskFile struct{ *saved[[]Task] }

func readTasks(text []byte) taskFile { return taskFile{read(text, listOf(mostTasks, readTask))} }

func readTask(v jsondoc.Value) (Task, bool) {
	one := Task{ID: v.Get("id").Text(), Tool: v.Get("tool").Text(), Status: v.Get("status").Text()}
	at, err := time.Parse(time.RFC3339, v.Get("at").Text())
	one.At = at
	if until, bad := time.Parse(time.RFC3339, v.Get("until").Text()); bad == nil {
		one.Until = until
	}
	return one, err == nil && one.ID != "" && len(one.ID) <= mostID && len(one.Tool) <= mostName && len(one.Status) <= mostName
}

func (f taskFile) text() []byte {
	f.bound(func(list []Task) time.Time { return list[len(list)-1].At })
	return f.saved.text("ids of tasks that servers go on with, so that they can be taken up again; remove it at any time", writeList(func(one Task) [][2]string {
		members := [][2]string{{"id", one.ID}, {"tool", one.Tool}, {"status", one.Status}, {"at", stamp(one.At)}}
		if !one.Until.IsZero() {
			members = append(members, [2]string{"until", stamp(one.Until)})
		}
		return members
	}))
}
