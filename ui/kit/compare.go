package kit

import (
	"fmt"
	"strings"

	"mcploupe/session/jsondiff"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
)

// Section is one part of what is compared.
type Section struct {
	Title string
	Note  string // what was left out, or cannot be compared
	Diff  jsondiff.Diff
}

// Comparison is two exchanges as they stood when they were held against each other: what was asked and what came. It may be worked
// out on any goroutine.
type Comparison struct {
	methods     [2]string
	asked, came [2]*wire.Message
	a, b        wire.Seq
	lone        bool // one or both are single messages, which are in asked
}

// Compared holds two exchanges against each other.
func Compared(a, b *book.Row) Comparison {
	c := Comparison{methods: [2]string{a.Method, b.Method}, a: a.Ref.Seq, b: b.Ref.Seq}
	c.asked = [2]*wire.Message{a.X.Request, b.X.Request}
	c.came = [2]*wire.Message{a.X.Reply, b.X.Reply}
	if c.asked[0] == nil || c.asked[1] == nil {
		c.lone = true
		for i, x := range []*wire.Exchange{&a.X, &b.X} {
			if x.Lone != nil {
				c.asked[i] = x.Lone
			}
		}
		c.came = [2]*wire.Message{}
	}
	return c
}

// Size is how many bytes are compared.
func (c *Comparison) Size() int {
	n := 0
	for _, m := range [...]*wire.Message{c.asked[0], c.asked[1], c.came[0], c.came[1]} {
		if m != nil {
			n += len(m.Body)
		}
	}
	return n
}

// Sections are the parts in which the two may differ; whole shows what stayed too.
func (c *Comparison) Sections(whole bool) []Section {
	one, two := c.asked[0], c.asked[1]
	if c.lone {
		if one == nil || two == nil {
			return []Section{{Title: "Message", Note: "there is nothing to compare"}}
		}
		return []Section{{Title: "Message", Diff: messages(one, two, whole)}}
	}
	request := Section{Title: "Request"}
	if c.methods[0] != c.methods[1] {
		request.Note = c.methods[0] + " became " + c.methods[1]
		request.Diff = jsondiff.Compare(one.Doc().Root(), two.Doc().Root(), jsondiff.Options{Whole: whole, Skip: []jsondoc.Pointer{"/id", token}})
	} else {
		request.Diff = jsondiff.Compare(one.Params(), two.Params(), jsondiff.Options{Whole: whole, Skip: []jsondoc.Pointer{token}})
	}
	response := Section{Title: "Response"}
	switch x, y := c.came[0], c.came[1]; {
	case x == nil && y == nil:
		response.Note = "neither was answered"
	case x == nil:
		response.Note = fmt.Sprintf("#%d has no answer", c.a)
	case y == nil:
		response.Note = fmt.Sprintf("#%d has no answer", c.b)
	default:
		response.Diff = messages(x, y, whole)
	}
	return []Section{request, response}
}

// token is another one for each request.
const token jsondoc.Pointer = "/params/_meta/progressToken"

// Answered says in a few words how an answer differs from an earlier one, "" when it does not: in what it brings, not in what comes
// along with it (_meta, how long it may be kept, as far as both say so). It may be worked out on any goroutine.
func Answered(before, after *wire.Message) string {
	if before.Kind != after.Kind {
		switch {
		case before.Kind == wire.Error:
			return "an error before"
		case after.Kind == wire.Error:
			return "no error before"
		}
	}
	d := compare(before, after, jsondiff.Options{Skip: []jsondoc.Pointer{"/id", "/result/_meta", "/result/ttlMs"}})
	if d.Changes() == 0 {
		return ""
	}
	return Summary(&d)
}

// messages compares two messages: their results or errors, else all of them; what is no JSON line by line.
func messages(a, b *wire.Message, whole bool) jsondiff.Diff {
	return compare(a, b, jsondiff.Options{Whole: whole, Skip: []jsondoc.Pointer{"/id"}})
}

func compare(a, b *wire.Message, o jsondiff.Options) jsondiff.Diff {
	switch {
	case a.Result().Exists() && b.Result().Exists() && !a.Err().Exists() && !b.Err().Exists():
		return jsondiff.Compare(a.Result(), b.Result(), o)
	case a.Err().Exists() && b.Err().Exists() && !a.Result().Exists() && !b.Result().Exists():
		return jsondiff.Compare(a.Err(), b.Err(), o)
	case a.Doc().Root().Is(jsondoc.Object) && b.Doc().Root().Is(jsondoc.Object):
		return jsondiff.Compare(a.Doc().Root(), b.Doc().Root(), o)
	}
	return jsondiff.Texts(string(a.Body), string(b.Body), o)
}

// Summary says in a few words what changed; "the same" when nothing did.
func Summary(d *jsondiff.Diff) string {
	var parts []string
	add := func(n int, word string) {
		if n > 0 {
			parts = append(parts, Number(n)+" "+word)
		}
	}
	add(d.Changed, "changed")
	add(d.Added, "added")
	add(d.Removed, "removed")
	switch {
	case len(parts) == 0 && d.Cut:
		return "too long to show"
	case len(parts) == 0:
		return "the same"
	case d.Cut:
		return strings.Join(parts, ", ") + ", and more than is shown"
	}
	return strings.Join(parts, ", ")
}
