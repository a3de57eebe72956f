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

// Differences are the parts in which two exchanges may differ: what was asked and what came. whole shows what stayed too.
func Differences(a, b *book.Row, whole bool) []Section {
	request := Section{Title: "Request"}
	switch {
	case a.X.Request == nil || b.X.Request == nil:
		one, two := a.X.Lone, b.X.Lone
		if one == nil {
			one = a.X.Request
		}
		if two == nil {
			two = b.X.Request
		}
		if one == nil || two == nil {
			return []Section{{Title: "Message", Note: "there is nothing to compare"}}
		}
		return []Section{{Title: "Message", Diff: messages(one, two, whole)}}
	case a.Method != b.Method:
		request.Note = a.Method + " became " + b.Method
		request.Diff = jsondiff.Compare(a.X.Request.Doc().Root(), b.X.Request.Doc().Root(), jsondiff.Options{Whole: whole, Skip: []jsondoc.Pointer{"/id", token}})
	default:
		request.Diff = jsondiff.Compare(a.X.Request.Params(), b.X.Request.Params(), jsondiff.Options{Whole: whole, Skip: []jsondoc.Pointer{token}})
	}
	response := Section{Title: "Response"}
	switch x, y := a.X.Reply, b.X.Reply; {
	case x == nil && y == nil:
		response.Note = "neither was answered"
	case x == nil:
		response.Note = fmt.Sprintf("#%d has no answer", a.Ref.Seq)
	case y == nil:
		response.Note = fmt.Sprintf("#%d has no answer", b.Ref.Seq)
	default:
		response.Diff = messages(x, y, whole)
	}
	return []Section{request, response}
}

// token is another one for each request.
const token jsondoc.Pointer = "/params/_meta/progressToken"

// messages compares two messages: their results or errors, else all of them; what is no JSON line by line.
func messages(a, b *wire.Message, whole bool) jsondiff.Diff {
	o := jsondiff.Options{Whole: whole, Skip: []jsondoc.Pointer{"/id"}}
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
