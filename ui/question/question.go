// Package question is the dialog in which a person answers what a server asks: a form, an address to agree to, or a
// result to write, one question after the other. It opens nothing and sends nothing: what was decided leaves as an
// intent. It must never know: sessions, the other panes, how the answers travel.
package question

import (
	"bytes"
	"fmt"

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
	Again   bool   // nothing is answered: after a yes the same request is sent again
	Task    string // the task that asks, "" for none
	Problem string // why no faithful client can answer
}

// Answer is what was decided on a question.
type Answer struct {
	Key                      string
	Accept, Decline, Dismiss bool   // of an elicitation
	Content                  []byte // raw JSON: the form's value, or the whole result for what is no elicitation
	LeftOut                  bool   // on purpose
}

// raw is the answer as it goes out; nothing when it is left out.
func (a Answer) raw() []byte {
	switch {
	case a.LeftOut:
		return nil
	case a.Accept && len(a.Content) > 0:
		return append(append([]byte(`{"action":"`+mcp.ActionAccept+`","content":`), a.Content...), '}')
	case a.Accept:
		return []byte(`{"action":"` + mcp.ActionAccept + `"}`)
	case a.Decline:
		return []byte(`{"action":"` + mcp.ActionDecline + `"}`)
	case a.Dismiss:
		return []byte(`{"action":"` + mcp.ActionCancel + `"}`)
	}
	return a.Content
}

// Decided is the intent that ends the dialog.
type Decided struct {
	Pane *Pane
	List []Answer
	Stop string // nothing is to be sent, and why
	// Whole is the answer as a person wrote it: a raw JSON object with inputResponses and requestState, or without.
	Whole []byte
}

// Aside is the intent to answer later: the dialog goes, the question stays.
type Aside struct{ Pane *Pane }

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
	about *kit.View // the params of what nobody knows
	whole kit.Input // the whole answer as JSON, while that is edited; else nil
	sure  bool      // it was asked whether to open the address
	done  bool      // the server said that what was asked for is done
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
	p.whole, p.sure, p.done = nil, false, false
	p.intro.Top()
	q := p.asked()
	if q == nil || q.elicitation() && q.Mode == "url" {
		return
	}
	schema, fields := jsondoc.Value{}, jsondoc.Value{}
	switch {
	case q.elicitation():
		schema = q.Params.Get("requestedSchema")
		fields = schema
	case q.sampling():
		fields = samplingSchema(q.Params)
	case q.Method != mcp.RootsList:
		p.about = kit.NewView(p.env)
		p.about.Bare = true
		p.about.SetJSON(jsondoc.Parse(orEmpty(q.Params.Raw())), nil)
	}
	p.json = p.inputs.JSON(p.env, "question "+q.Key, schema)
	if fields.Is(jsondoc.Object) && p.inputs.Form != nil {
		p.form = p.inputs.Form(p.env, "question "+q.Key, fields)
	}
	p.raw = p.form == nil
	start := q.Start
	if q.sampling() && !p.raw {
		start = []byte(samplingStart)
	} else if q.sampling() {
		start = samplingResult([]byte(samplingStart))
	}
	p.view().SetValue(start)
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
func (q *Question) sampling() bool    { return q.Method == mcp.SamplingCreate }

// begin is the answer to a question that nobody has looked at yet.
func (q *Question) begin() []byte {
	switch {
	case q.elicitation() && q.Mode == "url":
		return Answer{Accept: true}.raw()
	case q.elicitation():
		return Answer{Accept: true, Content: q.Start}.raw()
	case q.sampling():
		return samplingResult([]byte(samplingStart))
	}
	return q.Start
}

// content is what the input holds, as it goes out.
func (p *Pane) content() []byte {
	v := p.editing()
	if v == nil {
		return nil
	}
	value := bytes.Clone(v.Value())
	if q := p.asked(); q.sampling() && !p.raw {
		return samplingResult(value)
	}
	return value
}

// answer is the answer to the question at hand if it were accepted now.
func (p *Pane) answer() []byte {
	q := p.asked()
	if q.elicitation() {
		return Answer{Accept: true, Content: p.content()}.raw()
	}
	return p.content()
}

// view is the view that is shown: the whole answer while that is edited, else the input; nil for none.
func (p *Pane) view() kit.Input {
	if p.whole != nil {
		return p.whole
	}
	return p.editing()
}

// editing is the input of the question at hand; nil for none.
func (p *Pane) editing() kit.Input {
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
	if p.whole != nil {
		return p.sendWhole()
	}
	q, v := p.asked(), p.view()
	if v == nil {
		return p.decide(Answer{Accept: q != nil})
	}
	value := p.content()
	if !jsondoc.Parse(value).Valid() {
		return kit.Say{Text: "this is not JSON: an answer has to be", Bad: true}
	}
	if late, ok := v.(kit.Checked); ok {
		late.Check()
	}
	if problem := v.Problem(); problem != "" && !hard {
		if at, ok := v.(kit.Pointing); ok {
			at.ShowProblem()
		}
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
	text := p.content()
	if q := p.asked(); q.sampling() && p.raw {
		form, ok := samplingForm(text)
		if !ok {
			return kit.Say{Text: "this answer says more than the form has fields for: it stays JSON", Bad: true}
		}
		text = form
	}
	p.raw = !p.raw
	p.view().SetValue(text)
	return nil
}

// longestName is how many cells the name of a server gets: however it calls itself, the title says that it asks.
const longestName = 32

// Head implements kit.Framed.
func (p *Pane) Head(bool) (title, right string) {
	s := p.env.Styles
	who := kit.Cut(kit.Escape(p.round.Server), longestName)
	if who == "" {
		who = "The server"
	}
	title = s.Title.Render(who + " asks")
	if p.whole != nil {
		title = s.Title.Render("The whole answer to " + who)
	}
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
