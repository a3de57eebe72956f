package store

import (
	"bytes"
	"cmp"
	"slices"
	"sync"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/ui/shell"
)

// Bounds of the file of recent targets.
const (
	mostRecents = 20
	mostWords   = 100     // of one target
	mostTarget  = 4 << 10 // bytes of all its words
	recentLife  = 365 * 24 * time.Hour
)

// Recent is a target that was opened on the screen: flags and words with which it is reached again. Where a secret stood there is the
// name of a variable, and nothing else is kept of it.
type Recent struct {
	Words []shell.Word
	Name  string // what the server called itself, or what it was opened by; plain
	Kind  string // "stdio", "http", or ""
	At    time.Time
}

// ID tells a target from others.
func (r *Recent) ID() string { return shell.Line(r.Words) }

// Recents keeps the targets that were opened, in a file of at most twenty. Methods may be called by several goroutines, and never fail.
type Recents struct {
	path string
	now  func() time.Time
	mu   sync.Mutex
	own  []Recent // of this run, where there is no file
}

// OpenRecents is what is kept in a file; "" keeps it for this run. now is the clock; nil is time.Now.
func OpenRecents(path string, now func() time.Time) *Recents {
	if now == nil {
		now = time.Now
	}
	return &Recents{path: path, now: now}
}

// List is the recent targets, the newest first.
func (r *Recents) List() []Recent {
	r.mu.Lock()
	list := slices.Clone(r.own)
	r.mu.Unlock()
	if r.path != "" {
		list = readRecents(content(r.path))
	}
	list = slices.DeleteFunc(list, func(one Recent) bool { return r.now().Sub(one.At) > recentLife })
	slices.SortStableFunc(list, func(a, b Recent) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.ID(), b.ID()))
	})
	return list
}

// Keep puts a target first. At is set here. An empty name leaves the one that is known.
func (r *Recents) Keep(one Recent) {
	if !one.fits() {
		return
	}
	one.At = r.now()
	r.change(func(list []Recent) []Recent {
		id := one.ID()
		list = slices.DeleteFunc(slices.Clone(list), func(k Recent) bool {
			if k.ID() != id {
				return false
			}
			one.Name = cmp.Or(one.Name, k.Name)
			return true
		})
		list = append([]Recent{one}, list...)
		return list[:min(len(list), mostRecents)]
	})
}

// Call gives a target that is kept another name.
func (r *Recents) Call(words []shell.Word, name string) {
	if name == "" || len(name) > mostName {
		return
	}
	id := shell.Line(words)
	if !slices.ContainsFunc(r.List(), func(k Recent) bool { return k.ID() == id && k.Name != name }) {
		return
	}
	r.change(func(list []Recent) []Recent {
		for i := range list {
			if list[i].ID() == id {
				list[i].Name = name
			}
		}
		return list
	})
}

// Drop forgets a target.
func (r *Recents) Drop(words []shell.Word) {
	id := shell.Line(words)
	if !slices.ContainsFunc(r.List(), func(k Recent) bool { return k.ID() == id }) {
		return
	}
	r.change(func(list []Recent) []Recent {
		return slices.DeleteFunc(slices.Clone(list), func(k Recent) bool { return k.ID() == id })
	})
}

func (r *Recents) change(do func([]Recent) []Recent) {
	if r.path == "" {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.own = do(r.own)
		return
	}
	change(r.path, func(old []byte) []byte { return writeRecents(do(readRecents(old))) })
}

func readRecents(text []byte) []Recent {
	list, _ := listOf(mostRecents, readRecent)(jsondoc.Parse(text).Root().Get("recent"))
	return list
}

// fits tells that a target is of a sensible size.
func (r *Recent) fits() bool {
	n := 0
	for _, w := range r.Words {
		for _, p := range w {
			n += len(p.Text) + len(p.Env)
		}
	}
	return len(r.Words) > 0 && len(r.Words) <= mostWords && n > 0 && n <= mostTarget && len(r.Name) <= mostName
}

func readRecent(v jsondoc.Value) (Recent, bool) {
	one := Recent{Name: v.Get("name").Text(), Kind: v.Get("kind").Text()}
	at, err := time.Parse(time.RFC3339, v.Get("at").Text())
	one.At = at
	for w := range v.Get("words").Children() {
		var word shell.Word
		switch {
		case w.Is(jsondoc.String):
			word = shell.Text(w.Text())
		case w.Is(jsondoc.Array):
			for p := range w.Children() {
				word = append(word, shell.Part{Text: p.Get("text").Text(), Env: p.Get("env").Text()})
			}
		}
		if len(word) == 0 {
			return Recent{}, false
		}
		one.Words = append(one.Words, word)
	}
	known := one.Kind == "stdio" || one.Kind == "http" || one.Kind == ""
	return one, err == nil && known && one.fits()
}

func writeRecents(list []Recent) []byte {
	var b bytes.Buffer
	b.WriteString("{\n \"about\": ")
	b.Write(jsondoc.AppendQuote(nil, "servers that were opened, to be opened again; of secrets only the names of variables are kept; remove it at any time, or start with --no-history"))
	b.WriteString(",\n \"recent\": [")
	for i, one := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n  {\"words\": [")
		for j, w := range one.Words {
			if j > 0 {
				b.WriteString(", ")
			}
			writeWord(&b, w)
		}
		b.WriteString("], ")
		b.WriteString("\"name\": " + jsondoc.Quote(one.Name) + ", \"kind\": " + jsondoc.Quote(one.Kind) + ", \"at\": " + jsondoc.Quote(stamp(one.At)) + "}")
	}
	b.WriteString("\n ]\n}\n")
	return b.Bytes()
}

// writeWord writes a word: a string, or an array where a part of it is a secret's name.
func writeWord(b *bytes.Buffer, w shell.Word) {
	if len(w) == 1 && w[0].Env == "" {
		b.Write(jsondoc.AppendQuote(nil, w[0].Text))
		return
	}
	b.WriteByte('[')
	for i, p := range w {
		if i > 0 {
			b.WriteString(", ")
		}
		if p.Env != "" {
			writeObject(b, [][2]string{{"env", p.Env}})
		} else {
			writeObject(b, [][2]string{{"text", p.Text}})
		}
	}
	b.WriteByte(']')
}
