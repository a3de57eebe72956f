package meaning

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcploupe/inspect"
	"mcploupe/inspect/fields"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// subject is what the page is about, ready to be set. Texts are escaped where they come from a message.
type subject struct {
	ask      kit.ExplainField
	name     string // the page's title
	kind     string
	where    string // the place in the schema and in the message
	note     string
	parts    []part
	seen     [][2]string // what stands there
	revision string      // that is spoken, "" unknown
}

// part is one text of the page.
type part struct {
	head  string
	entry *fields.Entry
}

// about gathers what is known of what was asked.
func about(row *book.Row, ask kit.ExplainField) subject {
	s := subject{ask: ask}
	if row != nil {
		s.revision = row.V.Version
	}
	if row != nil && ask.Header != "" && row.X.Request != nil && ask.Frame == row.X.Request.Seq {
		ask.Ours = true
	}
	if ask.Status < 0 {
		ask.Status = heads(row, false).Status
	}
	s.ask = ask
	var f fields.Found
	switch {
	case ask.Name != "":
		return s.named()
	case ask.Header != "":
		f = fields.ForHeader(ask.Header)
		s.where = "header of " + headWords(ask.Ours) + dot + s.number()
		s.see(heads(row, ask.Ours).Get(ask.Header))
	case ask.Status != 0:
		f = fields.ForStatus(ask.Status)
		s.where = "status of the response" + dot + s.number()
	case ask.Doc != nil:
		f = fields.At(fields.Place{Doc: ask.Doc, Def: ask.Def, Path: ask.Path})
		s.where = join(f.Place, kit.Escape(string(ask.Path)))
		s.value(ask.Doc, ask.Path)
	default:
		var m *wire.Message
		if row != nil {
			m = row.X.Message(ask.Frame)
		}
		if m == nil {
			s.name, s.note = "nothing", "There is no message to explain here."
			return s
		}
		place := fields.Of(&row.X, m)
		place.Path = ask.Path
		f = fields.At(place)
		s.where = join(f.Place, kit.Escape(string(ask.Path)), s.number())
		if ask.Path != "" {
			s.value(m.Doc(), ask.Path)
		}
	}
	s.name, s.note = f.Name, f.Note
	if f.Entry != nil {
		s.name, s.kind = f.Entry.Heading(), string(f.Entry.Kind)
		if f.Note != "" || strings.HasSuffix(f.Name, "]") { // the entry is about what is around it
			s.name = f.Name
		}
		s.parts = append(s.parts, part{entry: f.Entry})
		if s.note != "" && f.Entry.Kind != fields.Header {
			s.parts[0].head = f.Entry.Name
		}
	}
	for _, e := range f.Here {
		head := e.Heading()
		if len(s.parts) == 0 {
			head = ""
		}
		s.parts = append(s.parts, part{head, e})
	}
	if e := f.Entry; e != nil && len(f.Here) > 0 && ask.Path != "" && (e.Name == "method" || e.Name == "code") { // what they name says more
		s.parts[0], s.parts[1] = part{"", f.Here[0]}, part{e.Name, e}
		s.name, s.kind = f.Here[0].Heading(), string(f.Here[0].Kind)
	}
	if f.Foreign {
		s.kind = "not of MCP"
	}
	return s
}

// named is what is known of a name, wherever it stands.
func (s subject) named() subject {
	s.name = s.ask.Name
	found := fields.Ask(s.ask.Name)
	for _, e := range found {
		p := part{entry: e}
		if len(found) > 1 {
			p.head = strings.Join(e.Places(), ", ")
		} else {
			s.name, s.kind = e.Heading(), string(e.Kind)
		}
		s.parts = append(s.parts, p)
	}
	return s
}

// join puts what is there into one line.
func join(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), dot)
}

const dot = " " + kit.SignDot + " "

func (s *subject) number() string { return fmt.Sprintf("#%d", s.ask.Row.Seq) }

func headWords(ours bool) string {
	if ours {
		return "the request"
	}
	return "the response"
}

// heads is the head of one side of an exchange; never nil.
func heads(row *book.Row, ours bool) *wire.Head {
	var head *wire.Head
	switch {
	case row == nil:
	case !ours:
		head = row.X.Answered()
	default:
		if q := row.X.Request; q != nil {
			head = q.HTTP
		}
		if f := row.X.Fetch; f != nil && head == nil {
			head = f.Request
		}
	}
	if head == nil {
		return &wire.Head{}
	}
	return head
}

// see adds a value that stands there.
func (s *subject) see(value string) { s.seen = append(s.seen, [2]string{"here", clip(value)}) }

// mostSeen bounds how many neighbours are looked at.
const mostSeen = 2000

// mostTold bounds how much of a value is looked at: what begins alike for so long is not told apart.
const mostTold = 1000

// value adds what stands at a path, and in a list what stands at the same place of the others.
func (s *subject) value(d *jsondoc.Document, path jsondoc.Pointer) {
	v := d.At(path)
	s.seen = append(s.seen, [2]string{"here", brief(v)})
	tokens := path.Tokens()
	for i := len(tokens) - 2; i >= 0; i-- { // the innermost list around it, but not itself
		list := d.At(jsondoc.Join("", tokens[:i]...))
		if _, err := strconv.Atoi(tokens[i]); err != nil || !list.Is(jsondoc.Array) {
			continue
		}
		if list.Len() > 1 {
			text := neighbours(list, tokens[i+1:])
			if n := list.Len(); n > mostSeen {
				text += fmt.Sprintf(", in the first %s of %s", kit.Number(mostSeen), kit.Number(n))
			}
			s.seen = append(s.seen, [2]string{"in the list", text})
		}
		return
	}
}

// neighbours counts the values at the same place of the elements of a list, the most frequent first.
func neighbours(list jsondoc.Value, rest []string) string {
	type seen struct {
		v jsondoc.Value
		n int
	}
	var all []seen
	index := map[string]int{}
	looked := 0
	for i, e := range list.Elements() {
		if i == mostSeen {
			break
		}
		looked++
		v := e
		for _, t := range rest {
			v = v.Step(t)
		}
		raw := v.Raw()
		raw = raw[:min(len(raw), mostTold)]
		k, ok := index[string(raw)]
		if !ok {
			k = len(all)
			index[string(raw)] = k
			all = append(all, seen{v: v})
		}
		all[k].n++
	}
	if len(all) == looked { // all differ
		return fmt.Sprintf("%s values, all different", kit.Number(looked))
	}
	slices.SortStableFunc(all, func(a, b seen) int { return b.n - a.n })
	var out []string
	for _, x := range all[:min(len(all), 4)] {
		text := "absent"
		if x.v.Exists() {
			text = brief(x.v)
		}
		out = append(out, fmt.Sprintf("%s %d×", text, x.n))
	}
	if n := len(all) - 4; n > 0 {
		out = append(out, fmt.Sprintf("%d more", n))
	}
	return strings.Join(out, "  ")
}

// brief is a value in a few words.
func brief(v jsondoc.Value) string {
	switch v.Kind() {
	case jsondoc.Object:
		return counted(v.Len(), "an object with", "member")
	case jsondoc.Array:
		return counted(v.Len(), "a list of", "element")
	}
	raw := v.Raw()
	return clip(string(raw[:min(len(raw), mostTold)]))
}

func counted(n int, what, one string) string {
	switch n {
	case 0:
		return "empty"
	case 1:
		return what + " 1 " + one
	}
	return what + " " + kit.Number(n) + " " + one + "s"
}

func clip(text string) string { return kit.Cut(kit.Escape(text), 200) }

// leads lists the rules and the names that the page leads to, each once.
func (s *subject) leads() (rules, names []string) {
	for _, p := range s.parts {
		for _, id := range p.entry.Rules {
			if !slices.Contains(rules, id) {
				rules = append(rules, id)
			}
		}
		for _, name := range p.entry.See {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return rules, names
}

// found is the finding of a rule at this very place, nil when there is none.
func (s *subject) found(row *book.Row, rule string) *book.Found {
	if row == nil || s.ask.Name != "" {
		return nil
	}
	for i := range row.Findings {
		f := &row.Findings[i]
		if f.Rule.ID != rule {
			continue
		}
		switch {
		case s.ask.Header != "" && f.At.Part == inspect.Header && strings.EqualFold(string(f.At.Path), s.ask.Header),
			s.ask.Header == "" && s.ask.Status != 0 && f.At.Part == inspect.Status,
			s.ask.Header == "" && s.ask.Status == 0 && f.At.Part.InText() && f.At.Frame == s.ask.Frame && f.At.Path == s.ask.Path:
			return &book.Found{Finding: *f, Row: row.Ref}
		}
	}
	return nil
}

// plain is the page as text, to be copied.
func (s *subject) plain() string {
	var b strings.Builder
	b.WriteString(s.name + "\n")
	if s.note != "" {
		b.WriteString(s.note + "\n")
	}
	for _, p := range s.parts {
		if p.head != "" {
			b.WriteString(p.head + "\n")
		}
		b.WriteString(p.entry.Text + "\n" + p.entry.Source + "\n")
	}
	return b.String()
}
