package store

import (
	"bytes"
	"maps"
	"slices"
	"sync"
	"time"

	"mcploupe/session/jsondoc"
)

// Bounds of the file of lessons.
const (
	mostLessons = 500
	mostPages   = 100 // done in one lesson
)

// LessonsFile is where progress in lessons is kept: mcploupe/lessons.json beside the other files of state.
func LessonsFile(getenv func(string) string, goos, home string) string {
	return file(getenv, goos, home, "lessons.json")
}

// Lessons keeps how far somebody is in each lesson: the titles of the pages that are done. Without a Path it lasts for this run.
// Methods may be called by several goroutines, and never fail.
type Lessons struct {
	path string
	now  func() time.Time
	mu   sync.Mutex
	mine map[string]progress // of this run: it stays, also when nothing can be written
}

type progress struct {
	done []string
	at   time.Time
}

// OpenLessons is what is kept in a file; path "" keeps for this run. now nil is time.Now.
func OpenLessons(path string, now func() time.Time) *Lessons {
	if now == nil {
		now = time.Now
	}
	return &Lessons{path: path, now: now, mine: map[string]progress{}}
}

// Done are the titles of the pages of a lesson that are done.
func (l *Lessons) Done(lesson string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.read()[lesson].done)
}

// Progress is how far somebody is in all lessons, as it stands in the file now: the titles of the pages that are done, by lesson, and
// the lesson in which something was done last, "" when nothing ever was. The file is read once.
func (l *Lessons) Progress() (done map[string][]string, latest string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	all, at := l.read(), time.Time{}
	done = make(map[string][]string, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		done[name] = slices.Clone(all[name].done)
		if all[name].at.After(at) {
			latest, at = name, all[name].at
		}
	}
	return done, latest
}

// Keep remembers what is done in a lesson: what was done in another run as well stays done. Nothing done forgets the lesson.
func (l *Lessons) Keep(lesson string, done []string) {
	if lesson == "" || len(lesson) > mostID || len(done) > mostPages || slices.ContainsFunc(done, func(t string) bool { return len(t) > mostID }) {
		return
	}
	l.mu.Lock()
	one := progress{slices.Clone(done), l.now()}
	if len(done) == 0 {
		delete(l.mine, lesson)
	} else {
		l.mine[lesson] = one
	}
	l.mu.Unlock()
	if l.path == "" {
		return
	}
	change(l.path, func(old []byte) []byte {
		all := readLessons(old)
		if len(done) == 0 {
			delete(all, lesson)
		} else {
			all[lesson] = all[lesson].with(one)
		}
		for len(all) > mostLessons {
			delete(all, slices.MinFunc(slices.Collect(maps.Keys(all)), func(a, b string) int { return all[a].at.Compare(all[b].at) }))
		}
		return lessonsText(all)
	})
}

// with is the progress of two runs in one lesson: what either of them did.
func (p progress) with(other progress) progress {
	for _, title := range other.done {
		if !slices.Contains(p.done, title) && len(p.done) < mostPages {
			p.done = append(slices.Clip(p.done), title)
		}
	}
	if other.at.After(p.at) {
		p.at = other.at
	}
	return p
}

// read is what the file holds, and what was done in this run.
func (l *Lessons) read() map[string]progress {
	all := map[string]progress{}
	if l.path != "" {
		all = readLessons(content(l.path))
	}
	for name, one := range l.mine {
		all[name] = all[name].with(one)
	}
	return all
}

func readLessons(text []byte) map[string]progress {
	all := map[string]progress{}
	for name, v := range jsondoc.Parse(text).Root().Get("lessons").Members() {
		at, err := time.Parse(time.RFC3339, v.Get("at").Text())
		if err != nil || name == "" || len(name) > mostID || len(all) > 2*mostLessons {
			continue
		}
		one := progress{at: at}
		for _, t := range v.Get("done").Elements() {
			if title := t.Text(); title != "" && len(title) <= mostID && len(one.done) < mostPages {
				one.done = append(one.done, title)
			}
		}
		all[name] = one
	}
	return all
}

func lessonsText(all map[string]progress) []byte {
	var b bytes.Buffer
	b.WriteString("{\n \"about\": \"how far somebody is in the lessons; remove it at any time\",\n \"lessons\": ")
	writeEntries(&b, all, func(b *bytes.Buffer, one progress) {
		b.WriteString(`{"at": `)
		b.Write(jsondoc.AppendQuote(nil, stamp(one.at)))
		b.WriteString(`, "done": [`)
		for k, title := range one.done {
			if k > 0 {
				b.WriteString(", ")
			}
			b.Write(jsondoc.AppendQuote(nil, title))
		}
		b.WriteString("]}")
	})
	b.WriteString("\n}\n")
	return b.Bytes()
}
