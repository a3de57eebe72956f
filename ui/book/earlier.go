package book

import (
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// mostEarlier bounds how many earlier requests are looked at for one with the same arguments.
const mostEarlier = 200

// Earlier is the answered request before r that its answer is best held against: of the same method on the same thing, with the
// same arguments if there is one, else the newest; but the one that it was edited from comes first. A question of the server is held against a question only. nil: there is
// none.
func (t *Timeline) Earlier(r *Row) *Row {
	if r == nil || r.X.Request == nil || r.X.Reply == nil {
		return nil
	}
	if from, ok := r.EditedFrom(); ok { // what the editing changed is what a person wants to know
		if e := t.Row(wire.Ref{Seq: from}); e != nil && e.X.Reply != nil && e.AsksBack() == r.AsksBack() {
			return e
		}
	}
	var newest *Row
	seen := 0
	for e := range t.before(r) {
		if seen++; seen > mostEarlier {
			break
		}
		switch {
		case e.X.Reply == nil, e.AsksBack() != r.AsksBack(), e.Round > 0 && r.Round > 0 && e.First == r.First:
			continue
		case SameArguments(e, r):
			return e
		case newest == nil:
			newest = e
		}
	}
	return newest
}

// before walks the requests of r's method on the same thing that were sent before it, the newest first.
func (t *Timeline) before(r *Row) func(yield func(*Row) bool) {
	return func(yield func(*Row) bool) {
		if r.Of != "" {
			for e := t.byRef[r.Before]; e != nil && e != r; e = t.byRef[e.Before] {
				if !yield(e) {
					return
				}
			}
			return
		}
		passed := false
		for i := len(t.Rows) - 1; i >= 0; i-- {
			e := t.Rows[i]
			if passed && e.X.Request != nil && e.Method == r.Method && !yield(e) {
				return
			}
			passed = passed || e == r
		}
	}
}

// SameArguments tells that two requests asked the same: their params are the same but for _meta, which differs by itself.
func SameArguments(a, b *Row) bool {
	if a.X.Request == nil || b.X.Request == nil {
		return false
	}
	x, y := a.X.Request.Params(), b.X.Request.Params()
	return holds(x, y) && holds(y, x)
}

// holds tells that y has every member of x but _meta.
func holds(x, y jsondoc.Value) bool {
	if !x.Is(jsondoc.Object) {
		return x.Same(y)
	}
	for name, v := range x.Members() {
		if name != "_meta" && !v.Same(y.Get(name)) {
			return false
		}
	}
	return true
}

// EditedFrom is the number of the request that the row's was made from by a person; ok is false when it was made from none.
func (r *Row) EditedFrom() (from wire.Seq, ok bool) {
	if r.X.Request == nil {
		return 0, false
	}
	return r.X.Request.EditedFrom()
}
