package inspect

import (
	"bytes"
	"iter"
	"slices"
	"strings"
	"sync"

	"mcploupe/session/jsondoc"
)

// Offered is the tools of one server, as last listed.
type Offered struct {
	Server string          // what the server is called, for texts; as it came
	Tools  []jsondoc.Value // their definitions, in order
}

// Likeness says in which way a tool can be taken for another, the surest first.
type Likeness uint8

// The ways.
const (
	SameName  Likeness = iota // the very name
	AlikeName                 // a name that looks the same: send_emai1
	NearName                  // a name that differs by one character
	Mentions                  // its description speaks of the other tool
	Mentioned                 // the other one's description speaks of it
)

// Shadow is a tool that can be taken for a tool of another server, or that one of them speaks of (rule ToolShadowing). What can be
// taken for each other is there twice, once from each side.
type Shadow struct {
	How                 Likeness
	Server, Tool        int // whose tool, by their places in what Shadows was given
	Other, OtherTool    int // for which one
	Name, OtherName     string
	Text                string // of Mentions and Mentioned: what the description says, in at most 120 characters; as it came
	Ordering            bool   // and it gives orders to the model beside (security-instruction-in-description)
	Confidence          Confidence
	ServerName, OtherOf string // what the servers are called
}

// mostShadows bounds what is found, and mostOfOneName how many tools of a name are held against each other: beyond that it is the same
// server several times. Of one server no more are kept under a name either, and no more than mostNear under a hash of gaps: whoever
// lists one name over and over costs no more time than its length.
const (
	mostShadows   = 2000
	mostOfOneName = 8
	mostNear      = 64
)

// Shadows finds the tools of each server that can be taken for tools of another one, or whose descriptions speak of them. It is a
// function of the lists alone. The time it takes grows with the text of all definitions together, not with the number of pairs.
func Shadows(all []Offered) []Shadow {
	f := shadowFinder{all: all, names: map[string][]toolAt{}, seen: map[[2]toolAt]bool{}}
	byLook, byGap := map[string][]toolAt{}, map[uint64][]toolAt{}
	for at, name := range f.tools() {
		if !keepAt(f.names, name, at, mostOfOneName) {
			continue
		}
		keepAt(byLook, skeleton(name), at, mostOfOneName)
		for gap := range gaps(name) {
			if list := byGap[gap]; len(list) == 0 || list[len(list)-1] != at { // "aab" has one gap twice
				keepAt(byGap, gap, at, mostNear)
			}
		}
	}
	for at, name := range f.tools() {
		f.pairs(SameName, Certain, at, f.names[name])
		f.pairs(AlikeName, Likely, at, byLook[skeleton(name)])
		for gap := range gaps(name) {
			f.pairs(NearName, Guess, at, byGap[gap])
		}
	}
	for at := range f.tools() {
		f.speaks(at)
	}
	slices.SortStableFunc(f.found, func(a, b Shadow) int {
		if a.Server != b.Server {
			return a.Server - b.Server
		}
		return a.Tool - b.Tool
	})
	return f.found
}

// toolAt is a tool by its places.
type toolAt struct{ server, tool int }

// keepAt puts a tool under a key, unless its server has as many there as are kept. Tools come server by server.
func keepAt[K comparable](by map[K][]toolAt, key K, at toolAt, most int) bool {
	list := by[key]
	if n := len(list); n >= most && list[n-most].server == at.server {
		return false
	}
	by[key] = append(list, at)
	return true
}

type shadowFinder struct {
	all   []Offered
	names map[string][]toolAt
	seen  map[[2]toolAt]bool // pairs that were told, with the surest likeness
	found []Shadow
}

// tools is every tool that has a name.
func (f *shadowFinder) tools() iter.Seq2[toolAt, string] {
	return func(yield func(toolAt, string) bool) {
		for i := range f.all {
			for j, t := range f.all[i].Tools {
				name := t.Get("name")
				if name.Is(jsondoc.String) && name.Text() != "" && !yield(toolAt{i, j}, name.Text()) {
					return
				}
			}
		}
	}
}

func (f *shadowFinder) name(at toolAt) string {
	return f.all[at.server].Tools[at.tool].Get("name").Text()
}

// pairs tells of those among others that are of another server.
func (f *shadowFinder) pairs(how Likeness, sure Confidence, at toolAt, others []toolAt) {
	n := 0
	for _, o := range others {
		if o.server != at.server && n < mostOfOneName && (how != NearName || oneApart(f.name(at), f.name(o))) {
			n++
			f.tell(Shadow{How: how, Confidence: sure}, at, o)
		}
	}
}

func (f *shadowFinder) tell(s Shadow, at, other toolAt) {
	pair := [2]toolAt{at, other}
	if f.seen[pair] || len(f.found) >= mostShadows {
		return
	}
	f.seen[pair] = true
	s.Server, s.Tool, s.Other, s.OtherTool = at.server, at.tool, other.server, other.tool
	s.Name, s.OtherName = f.name(at), f.name(other)
	s.ServerName, s.OtherOf = f.all[at.server].Server, f.all[other.server].Server
	f.found = append(f.found, s)
}

// shortestNear is the shortest name that is held against others that differ by a character: of short ones too many do.
const (
	shortestNear = 8
	longestNear  = 80
)

// gaps is hashes of a name and, each with one character left out or a zero in its place, of what it could be one character away from:
// two names that differ by one character have one in common. Numbers at the end tell tools apart on purpose: sensor_1, sensor_2.
func gaps(name string) iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		n := len(name)
		if n < shortestNear || n > longestNear || '0' <= name[n-1] && name[n-1] <= '9' {
			return
		}
		const base = 0x9E3779B97F4A7C15 // odd, and large: any would do, for what has a hash in common is compared
		var whole uint64
		for i := range n {
			whole = whole*base + uint64(name[i]) + 1
		}
		if !yield(whole) {
			return
		}
		// From the end on: what stands behind the place, and base to the power of its length.
		behind, power := uint64(0), uint64(1)
		before, undo := whole, inverse(base)
		for i := n - 1; i >= 0; i-- {
			before = (before - uint64(name[i]) - 1) * undo
			if !yield(before*power+behind) || !yield(before*power*base+behind) {
				return
			}
			behind += (uint64(name[i]) + 1) * power
			power *= base
		}
	}
}

// inverse is what an odd number must be multiplied by to give one, in 64 bits: Newton's way.
func inverse(x uint64) uint64 {
	y := x
	for range 5 {
		y *= 2 - x*y
	}
	return y
}

// oneApart tells that two names differ by one character at most: another one, or one more.
func oneApart(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch len(b) - len(a) {
	case 0:
		return i == len(a) || a[i+1:] == b[i+1:]
	case 1:
		return a[i:] == b[i+1:]
	}
	return false
}

// speaks looks for names of other servers' tools in a tool's description.
func (f *shadowFinder) speaks(at toolAt) {
	def := f.all[at.server].Tools[at.tool]
	text := def.Get("description").Text()
	if text == "" {
		return
	}
	ordering := sync.OnceValue(func() bool { return ordered(bytes.ToLower([]byte(text))) >= 0 })
	for word := range words(text) {
		others, known := f.names[word.text]
		if !known || !word.name(text) || f.has(at.server, word.text) {
			continue
		}
		s := Shadow{How: Mentions, Confidence: Guess, Text: around(text, word.from, word.to), Ordering: ordering()}
		if s.Ordering {
			s.Confidence = Likely
		}
		for _, o := range others[:min(len(others), mostOfOneName)] {
			f.tell(s, at, o)
			s.How = Mentioned
			f.tell(s, o, at)
			s.How = Mentions
		}
	}
}

// has tells that a server has a tool of this name itself: its descriptions may well speak of it.
func (f *shadowFinder) has(server int, name string) bool {
	return slices.ContainsFunc(f.names[name], func(at toolAt) bool { return at.server == server })
}

// word is a run of characters that names of tools are made of.
type word struct {
	text     string
	from, to int
}

// words cuts a text into them. Full stops and dashes at their ends belong to the sentence.
func words(text string) iter.Seq[word] {
	return func(yield func(word) bool) {
		from := -1
		for i := 0; i <= len(text); i++ {
			if i < len(text) && nameByte(text[i]) {
				if from < 0 {
					from = i
				}
				continue
			}
			if from < 0 {
				continue
			}
			w := strings.Trim(text[from:i], ".-/")
			at := from + strings.Index(text[from:i], w)
			from = -1
			if w != "" && !yield(word{w, at, at + len(w)}) {
				return
			}
		}
	}
}

func nameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c == '/' || c >= 0x80
}

// name tells that a word stands there as a name: it is no word of a language (send_email, sendEmail), or it is quoted, or called a tool.
func (w word) name(text string) bool {
	if strings.ContainsAny(w.text[1:], "_./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") && strings.ToUpper(w.text) != w.text {
		return true
	}
	if w.from > 0 && strings.IndexByte("`'\"<", text[w.from-1]) >= 0 && w.to < len(text) && strings.IndexByte("`'\">", text[w.to]) >= 0 {
		return true
	}
	return strings.HasPrefix(text[w.to:], " tool") || strings.HasPrefix(text[w.to:], "()")
}

// around is what stands around a part of a text.
func around(text string, from, to int) string {
	const room = 120
	a := max(from-(room-(to-from))/2, 0)
	b := min(a+room, len(text))
	a = max(min(a, b-room), 0)
	part := strings.ToValidUTF8(text[a:b], "")
	if a > 0 {
		part = "…" + part
	}
	if b < len(text) {
		part += "…"
	}
	return strings.ReplaceAll(part, "\n", " ")
}
