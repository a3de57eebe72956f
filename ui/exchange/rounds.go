package exchange

import (
	"bytes"
	"fmt"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// chained sums up the chain of the row, so that a page about it is made anew when it grows.
func (p *Pane) chained(r *book.Row) int {
	chain := p.book.Timeline.Rounds(r)
	if len(chain) == 0 {
		return 0
	}
	return len(chain)<<8 | int(chain[len(chain)-1].X.End)
}

// mostAsked bounds how many questions of one round the page lists.
const mostAsked = 50

// rounds is the chain of requests that answer each other's questions: what each was asked, what was answered, and what
// became of the requestState.
func (p *Pane) rounds(w int) []string {
	s := p.env.Styles
	var out []string
	byRef := map[wire.Seq]*book.Row{}
	for _, r := range p.book.Timeline.Rounds(p.row) {
		byRef[r.Ref.Seq] = r
		head := fmt.Sprintf("Round %d", r.Round)
		if p.Rounds > 0 {
			head += fmt.Sprintf(" of at most %d", p.Rounds)
		}
		head += fmt.Sprintf(" %s #%d", kit.SignDot, r.Ref.Seq)
		if r.Ref == p.ref {
			head += " (shown here)"
		}
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, p.env.Section(head, w))
		if why := r.X.Request.Why; r.Altered() {
			out = append(out, s.Should.Render(kit.SignShould+" "+kit.Cut("on purpose: "+kit.Escape(strings.TrimPrefix(why, wire.Retry+"-")), w-2)))
		}
		var pairs [][2]string
		add := func(label, text string) { pairs = append(pairs, [2]string{label, text}) }
		if before := byRef[r.X.Retries]; before != nil {
			add("retries", fmt.Sprintf("#%d", before.Ref.Seq))
			p.answered(before, r, add)
		}
		p.asked(r, add)
		out = append(out, p.env.Labelled(pairs, w)...)
	}
	return out
}

// answered is what a retry answers.
func (p *Pane) answered(before, r *book.Row, add func(label, text string)) {
	params := r.X.Request.Params()
	label, n := "answers", 0
	answers := params.Get("inputResponses")
	if answers.Exists() && !answers.Is(jsondoc.Object) {
		add(label, "inputResponses "+short(answers))
	}
	for name, v := range answers.Members() {
		if n++; n > mostAsked {
			add("", fmt.Sprintf("… %d more", answers.Len()-mostAsked))
			break
		}
		add(label, kit.Escape(name)+"  "+short(v))
		label = ""
	}
	for name := range before.X.Reply.Result().Get("inputRequests").Members() {
		if n++; n > 2*mostAsked {
			break
		}
		if !answers.Get(name).Exists() {
			add("left out", kit.Escape(name))
		}
	}
	given, sent := before.X.Reply.Result().Get("requestState"), params.Get("requestState")
	switch {
	case !given.Exists() && !sent.Exists():
	case !given.Exists():
		add("state", "made up: none was given out; "+short(sent)+" was sent")
	case !sent.Exists():
		add("state", fmt.Sprintf("not sent back; #%d gave out %s", before.Ref.Seq, kit.Size(int64(len(given.Raw())))))
	case bytes.Equal(given.Raw(), sent.Raw()):
		add("state", fmt.Sprintf("the same %s that #%d gave out, byte for byte", kit.Size(int64(len(sent.Raw()))), before.Ref.Seq))
	case given.Same(sent):
		add("state", "the same value, spelt otherwise: "+short(sent)+" for "+short(given))
	default:
		add("state", "altered: "+short(sent)+" for "+short(given))
	}
}

// asked is how a round ended: what it asks, or its outcome.
func (p *Pane) asked(r *book.Row, add func(label, text string)) {
	if !r.AsksBack() {
		ended := "the answer has not come yet"
		if !r.Running() {
			ended = string(r.V.Outcome.Class)
			if r.V.Outcome.Kind != "" {
				ended += ", " + r.V.Outcome.Kind
			}
			if r.V.ResultType.Value != "" {
				ended = r.V.ResultType.Value + ": " + ended
			}
		}
		add("ends", kit.Escape(ended))
		return
	}
	result := r.X.Reply.Result()
	label, n := "asks", 0
	one := func(name string, method string, params jsondoc.Value) bool {
		if n++; n > mostAsked {
			add("", "… more")
			return false
		}
		what := kit.Escape(name) + "  " + kit.Escape(method)
		if method == mcp.ElicitationCreate {
			mode := params.Get("mode").Text()
			if mode == "" {
				mode = "form"
			}
			what += " (" + kit.Escape(mode) + ")"
		}
		if m := params.Get("message"); m.Exists() {
			what += "  " + kit.Cut(kit.Escape(m.Text()), 160)
		}
		add(label, what)
		label = ""
		return true
	}
	for name, entry := range result.Get("inputRequests").Members() {
		if !one(name, entry.Get("method").Text(), entry.Get("params")) {
			break
		}
	}
	for _, e := range r.X.Reply.Err().Get("data").Get("elicitations").Elements() {
		if !one(e.Get("elicitationId").Text(), mcp.ElicitationCreate, e) {
			break
		}
	}
	if n == 0 && r.X.Reply.Err().Raw() == nil {
		add("asks", "nothing: it wants the same request again, with the requestState")
	}
	if state := result.Get("requestState"); state.Exists() {
		add("state", kit.Size(int64(len(state.Raw())))+" given out, opaque")
	}
}

// short is a value in one line, cut.
func short(v jsondoc.Value) string {
	raw := v.Raw()
	if len(raw) > 2000 {
		raw = bytes.ToValidUTF8(raw[:2000], nil)
		return kit.Cut(kit.Escape(string(raw)), 240) + "…"
	}
	return kit.Cut(kit.Escape(string(jsondoc.Compact(nil, raw))), 240)
}
