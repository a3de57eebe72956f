package schema

import (
	"net/url"
	"strings"

	"mcploupe/session/jsondoc"
)

// identify enters a subschema's own identifiers and gives the base URI that holds within it.
func (s *Survey) identify(v jsondoc.Value, base string, top bool) string {
	if top {
		s.resources[root] = v.Node()
	}
	id := v.Get("$id")
	if !id.Is(jsondoc.String) && strings.Contains(s.root.Get("$schema").Text(), "draft-04") {
		id = v.Get("id")
	}
	own := false
	if id.Is(jsondoc.String) {
		s.ids++
		if u, frag := join(base, id.Text()); u != "" && u != base {
			base, own = u, true
			if _, taken := s.resources[u]; !taken {
				s.resources[u] = v.Node()
			}
		} else if frag != "" && !strings.HasPrefix(frag, "/") {
			s.anchors[base+"#"+frag] = v.Node() // drafts 6 and 7 name places like this
		}
	}
	if _, known := Dialect(v); !known && (top || own) {
		s.Foreign = append(s.Foreign, s.pointer(v))
	}
	if a := v.Get("$anchor"); a.Is(jsondoc.String) {
		s.anchors[base+"#"+a.Text()] = v.Node()
	}
	if a := v.Get("$dynamicAnchor"); a.Is(jsondoc.String) {
		s.anchors[base+"#"+a.Text()] = v.Node()
		s.dynamic = append(s.dynamic, s.pointer(v))
	}
	return base
}

// resolve finds out where every reference leads.
func (s *Survey) resolve() {
	for id := 0; id < len(s.subs); id++ { // the table grows by stray targets
		v := s.subs[id].v
		for _, kw := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
			r := v.Get(kw)
			if !r.Is(jsondoc.String) {
				continue
			}
			ref := Ref{At: s.pointer(v), Keyword: kw, Text: r.Text()}
			target := s.follow(&ref, s.subs[id].base)
			n := len(s.Refs)
			s.Refs = append(s.Refs, ref)
			s.subs[id].refs = append(s.subs[id].refs, n)
			if ref.Class != RefLocal {
				continue
			}
			to, known := s.byNode[target.Node()]
			if !known {
				// A place that no keyword makes a subschema, say a member of one's own naming.
				if s.stray++; s.stray > MaxStrayRefs {
					continue
				}
				to = s.walk(applicators(), target, s.subs[id].base, false)
			}
			s.subs[id].inplace = append(s.subs[id].inplace, to)
			s.subs[id].links = append(s.subs[id].links, link{to, n})
		}
	}
	s.Subschemas = len(s.subs)
}

// follow classifies a reference and gives the value that a local one leads to.
func (s *Survey) follow(ref *Ref, base string) jsondoc.Value {
	ref.Class = RefUnresolved
	doc, frag := join(base, ref.Text)
	if doc == "" {
		return jsondoc.Value{}
	}
	node, ours := s.resources[doc]
	if !ours {
		switch {
		case isMeta(doc):
			ref.Class = RefMeta
		case !strings.HasPrefix(doc, "mem:"):
			ref.Class = RefRemote
		}
		ref.URI = doc
		if frag != "" {
			ref.URI += "#" + frag
		}
		return jsondoc.Value{}
	}
	d := s.root.Document()
	var target jsondoc.Value
	switch {
	case frag == "":
		target = d.Value(node)
	case strings.HasPrefix(frag, "/"):
		target = d.At(d.Pointer(node) + jsondoc.Pointer(frag))
	default:
		if n, ok := s.anchors[doc+"#"+frag]; ok {
			target = d.Value(n)
		}
	}
	if !isSchema(target) {
		return jsondoc.Value{}
	}
	ref.Class, ref.Target = RefLocal, s.pointer(target)
	return target
}

// join resolves a reference against a base; doc is "" when it is no URI reference at all.
func join(base, ref string) (doc, frag string) {
	before, after, _ := strings.Cut(ref, "#")
	frag, err := url.PathUnescape(after)
	if err != nil {
		return "", ""
	}
	if before == "" {
		return base, frag
	}
	b, err := url.Parse(base)
	if err != nil {
		return "", ""
	}
	u, err := b.Parse(before)
	if err != nil {
		return "", ""
	}
	return u.String(), frag
}

// isMeta says whether a document is one of the meta-schemas that the library carries.
func isMeta(doc string) bool {
	bare := bareDialect(doc)
	for _, d := range Dialects() {
		if bare == bareDialect(d) {
			return true
		}
	}
	for _, vocabularies := range []string{"json-schema.org/draft/2020-12/meta/", "json-schema.org/draft/2019-09/meta/"} {
		if name, ok := strings.CutPrefix(bare, vocabularies); ok {
			switch name {
			case "core", "applicator", "validation", "meta-data", "content", "unevaluated", "format", "format-annotation", "format-assertion":
				return true
			}
		}
	}
	return bare == "json-schema.org/schema"
}

// expand finds cycles and the largest number of subschemas that one value meets.
func (s *Survey) expand() {
	e := expander{s: s, state: make([]uint8, len(s.subs)), size: make([]int, len(s.subs))}
	for id := range s.subs {
		s.Expansion = max(s.Expansion, e.visit(id))
	}
}

type expander struct {
	s     *Survey
	state []uint8 // 0 new, 1 on the way, 2 done
	size  []int
	way   []int
}

func (e *expander) visit(id int) int {
	switch e.state[id] {
	case 1:
		e.cycle(id)
		return 1
	case 2:
		return e.size[id]
	}
	e.state[id] = 1
	e.way = append(e.way, id)
	n := 1
	for _, to := range e.s.subs[id].inplace {
		n = min(n+e.visit(to), MaxExpansion+1)
	}
	e.way = e.way[:len(e.way)-1]
	e.state[id], e.size[id] = 2, n
	return n
}

// cycle records the way from id back to id.
func (e *expander) cycle(id int) {
	from := len(e.way) - 1
	for e.way[from] != id {
		from--
	}
	round := e.way[from:]
	first, pure := 0, true
	for i, at := range round {
		if e.s.subs[at].v.Node() < e.s.subs[round[first]].v.Node() {
			first = i
		}
		pure = pure && e.s.linked(at, round[(i+1)%len(round)])
	}
	c := Cycle{Pure: pure}
	for i := range round {
		c.Through = append(c.Through, e.s.pointer(e.s.subs[round[(first+i)%len(round)]].v))
	}
	e.s.Cycles = append(e.s.Cycles, c)
}

// linked says whether a reference leads from one subschema to the other.
func (s *Survey) linked(from, to int) bool {
	for _, l := range s.subs[from].links {
		if l.to == to {
			return true
		}
	}
	return false
}
