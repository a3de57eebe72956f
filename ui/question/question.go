// Package question is the dialog in which a person answers what a server asks: a form, an address to agree to, or a
// result to write, one question after the other. It opens nothing and sends nothing: what was decided leaves as an
// intent. It must never know: sessions, the other panes, how the answers travel.
package question

import (
	"bytes"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/ui/kit"
)

// Question is one thing that is asked.
type Question struct {
	Key    string // "" for a request of a legacy server
	Method string
	Mode   string // of an elicitation: "form", "url", or what the server wrote
	Params jsondoc.Value
	Start  []byte // what the answer begins with: raw JSON
}

// Round is what is asked at once. Without questions the server only wants the request again.
type Round struct {
	Server  string // who asks, as it names itself
	Request string // what for: "tools/call log_observation"; "" when that is not known
	N, Most int    // 0 for a request of a legacy server
	State   []byte // raw requestState, opaque; nil for none
	List    []Question
}

// Answer is what was decided on a question.
type Answer struct {
	Key                      string
	Accept, Decline, Dismiss bool   // of an elicitation
	Content                  []byte // raw JSON: the form's value, or the whole result for what is no elicitation
}

// Decided is the intent that ends the dialog.
type Decided struct {
	Pane *Pane
	List []Answer
	Stop string // nothing is to be sent, and why
}

// Pane is the dialog.
type Pane struct {
	env    *kit.Env
	inputs kit.Inputs
	round  Round

	at    int // the question shown
	list  []Answer
	form  kit.Input // nil when there is none
	json  kit.Input // nil for an address and where nothing is asked
	raw   bool
	look  *kit.View // what will be sent
	shown []byte
	about *kit.View // the params of what is no elicitation
	intro kit.Page  // who asks for what, in the server's words
	long  bool      // there is more of it than is in view
	input int       // line of the drawing where the input begins
}

// New is the dialog on its first question.
func New(env *kit.Env, inputs kit.Inputs, r Round) *Pane {
	if inputs.JSON == nil {
		inputs.JSON = kit.NewPlainInput
	}
	p := &Pane{env: env, inputs: inputs, round: r, look: kit.NewView(env)}
	p.look.Bare = true
	p.load()
	return p
}

func (p *Pane) asked() *Question {
	if p.at < len(p.round.List) {
		return &p.round.List[p.at]
	}
	return nil
}

// load sets the pane up for the question at hand.
func (p *Pane) load() {
	p.form, p.json, p.raw, p.about, p.shown = nil, nil, false, nil, nil
	p.intro.Top()
	q := p.asked()
	if q == nil || q.elicitation() && q.Mode == "url" {
		return
	}
	schema := jsondoc.Value{}
	if q.elicitation() {
		schema = q.Params.Get("requestedSchema")
	} else {
		p.about = kit.NewView(p.env)
		p.about.Bare = true
		p.about.SetJSON(jsondoc.Parse(orEmpty(q.Params.Raw())), nil)
	}
	p.json = p.inputs.JSON(p.env, "question "+q.Key, schema)
	if schema.Is(jsondoc.Object) && p.inputs.Form != nil {
		p.form = p.inputs.Form(p.env, "question "+q.Key, schema)
	}
	p.raw = p.form == nil
	p.view().SetValue(q.Start)
	if a, ok := p.view().(kit.Arriver); ok {
		a.Arrive()
	}
}

func orEmpty(raw []byte) []byte {
	if len(raw) == 0 {
		return []byte("{}")
	}
	return raw
}

func (q *Question) elicitation() bool { return q.Method == mcp.ElicitationCreate }

// view is the view of the answer that is shown; nil for none.
func (p *Pane) view() kit.Input {
	if p.raw || p.form == nil {
		return p.json
	}
	return p.form
}

// decide notes an answer and goes on to the next question, or ends the dialog.
func (p *Pane) decide(a Answer) kit.Intent {
	q := p.asked()
	if q == nil {
		return Decided{Pane: p}
	}
	a.Key = q.Key
	p.list = append(p.list, a)
	p.at++
	if p.at < len(p.round.List) {
		p.load()
		return nil
	}
	return Decided{Pane: p, List: p.list}
}

// accept is ctrl+s; hard sends also what does not fit.
func (p *Pane) accept(hard bool) kit.Intent {
	q, v := p.asked(), p.view()
	if v == nil {
		return p.decide(Answer{Accept: q != nil})
	}
	value := bytes.Clone(v.Value())
	if !jsondoc.Parse(value).Valid() {
		return kit.Say{Text: "this is not JSON: an answer has to be", Bad: true}
	}
	if problem := v.Problem(); problem != "" && !hard {
		return kit.Say{Text: problem + " — ctrl+x sends it all the same", Bad: true}
	}
	return p.decide(Answer{Accept: q.elicitation(), Content: value})
}

// refuse is ctrl+d and esc. What has no word for no is left unanswered.
func (p *Pane) refuse(dismiss bool) kit.Intent {
	q := p.asked()
	switch {
	case q == nil:
		return Decided{Pane: p, Stop: "not sent again"}
	case !q.elicitation() && dismiss:
		return Decided{Pane: p, Stop: "closed without an answer"}
	case !q.elicitation():
		return Decided{Pane: p, Stop: "declined by hand"}
	}
	return p.decide(Answer{Decline: !dismiss, Dismiss: dismiss})
}

func (p *Pane) toggle() kit.Intent {
	if p.form == nil {
		return nil
	}
	text := p.view().Value()
	p.raw = !p.raw
	p.view().SetValue(text)
	return nil
}

// Rows implements kit.Pane.
func (p *Pane) Rows() []kit.Row {
	const group = "Question"
	q, v := p.asked(), p.view()
	act := func(f func() kit.Intent) func() kit.Intent { return f }
	yes, esc := "accept", "cancel"
	keys := []string{"ctrl+s"}
	switch {
	case q == nil:
		yes, esc = "send again", "leave it"
		keys = []string{"enter", "ctrl+s"}
	case !q.elicitation():
		yes, esc = "send", "leave it"
	}
	rows := []kit.Row{{Keys: keys, Words: yes, Group: group, Do: func() kit.Intent { return p.accept(false) }}}
	if q != nil {
		rows = append(rows, kit.Row{Keys: []string{"ctrl+d"}, Words: "decline", Group: group, Do: func() kit.Intent { return p.refuse(false) }})
	}
	back := kit.Row{Keys: []string{"esc"}, Words: esc, Group: group, Do: func() kit.Intent { return p.refuse(true) }}
	if p.form != nil && p.raw {
		back = kit.Row{Keys: []string{"esc"}, Words: "back to the form", Group: group, Do: act(p.toggle)}
	}
	rows = append(rows, back)
	if p.form != nil {
		rows = append(rows, kit.Row{Keys: []string{"ctrl+t"}, Words: map[bool]string{true: "form", false: "JSON"}[p.raw], Group: group, Do: act(p.toggle)})
	}
	if v != nil {
		rows = append(rows, kit.Row{Keys: []string{"ctrl+x"}, Words: "send anyway", Group: group, Quiet: true, Do: func() kit.Intent { return p.accept(true) }})
	}
	if q != nil {
		rows = append(rows, kit.Row{Keys: []string{"ctrl+q"}, Words: "leave unanswered", Group: group, Quiet: true, Do: func() kit.Intent {
			return Decided{Pane: p, Stop: "left unanswered by hand"}
		}})
	}
	if q != nil && v == nil {
		rows = append(rows, kit.Row{Keys: []string{"y"}, Words: "copy the address", Group: group, Do: func() kit.Intent {
			return kit.Copy{Text: q.Params.Get("url").Text(), What: "address"}
		}})
	}
	if p.long {
		rows = append(rows, kit.Row{Keys: []string{"pgdown"}, Words: "read on", Group: group, Do: func() kit.Intent { p.scroll("pgdown"); return nil }},
			kit.Row{Keys: []string{"pgup"}, Words: "read back", Group: group, Quiet: true, Do: func() kit.Intent { p.scroll("pgup"); return nil }})
	}
	if v != nil {
		for _, r := range v.Rows() {
			if do := r.Do; do != nil {
				r.Do = func() kit.Intent { return p.submitted(do()) }
			}
			if kit.Find(rows, first(r.Keys)) == nil {
				rows = append(rows, r)
			}
		}
	}
	return append(rows, kit.Row{Keys: []string{"q"}, Words: "close", Group: group, Quiet: true, Off: "the server waits for an answer: esc " + map[bool]string{true: "cancels", false: "leaves it"}[esc == "cancel"],
		Do: func() kit.Intent { return nil }})
}

func first(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	return keys[0]
}

// submitted turns the input's last row into an answer.
func (p *Pane) submitted(i kit.Intent) kit.Intent {
	if _, ok := i.(kit.Submit); ok {
		return p.accept(false)
	}
	return i
}

// Typing implements kit.Pane.
func (p *Pane) Typing() bool { v := p.view(); return v != nil && v.Typing() }

// Text implements kit.Pane: the keys of the dialog come before those of the text.
func (p *Pane) Text(msg tea.Msg) (kit.Intent, bool) {
	v := p.view()
	if v == nil {
		return nil, false
	}
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "pgup", "pgdown":
			if p.scroll(k.String()) {
				return nil, true
			}
		case "ctrl+s", "ctrl+d", "ctrl+t", "ctrl+x", "ctrl+q":
			return nil, false
		case "esc":
			if p.raw {
				return nil, false
			}
		}
	}
	i, used := v.Text(msg)
	return p.submitted(i), used
}

// Click implements kit.Pane.
func (p *Pane) Click(x, y int, msg tea.MouseMsg) kit.Intent {
	if v := p.view(); v != nil && y >= p.input {
		return p.submitted(v.Click(x, y-p.input, msg))
	}
	return nil
}

// Head implements kit.Framed.
func (p *Pane) Head(bool) (title, right string) {
	s := p.env.Styles
	who := kit.Escape(p.round.Server)
	if who == "" {
		who = "The server"
	}
	title = s.Title.Render(who + " asks")
	if p.round.N > 0 {
		right = fmt.Sprintf("round %d of at most %d", p.round.N, p.round.Most)
	}
	if n := len(p.round.List); n > 1 {
		if right != "" {
			right += " " + kit.SignDot + " "
		}
		right += fmt.Sprintf("question %d of %d", min(p.at+1, n), n)
	}
	return title, s.Muted.Render(right)
}

// Scroll implements kit.Framed.
func (p *Pane) Scroll() kit.Scroll {
	if p.view() == nil {
		return p.intro.Scroll()
	}
	return kit.Scroll{}
}

// scroll reads on in a long introduction.
func (p *Pane) scroll(key string) bool {
	if !p.long {
		return false
	}
	if key == "pgup" {
		p.intro.By(-3)
	} else {
		p.intro.By(3)
	}
	return true
}
