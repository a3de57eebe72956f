package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// onScreen are the client capabilities where a person sits: he fills in forms, sees addresses, and writes what a model
// would say. Roots are declared when there are any.
const onScreen = `{"elicitation":{"form":{},"url":{}},"sampling":{"tools":{}}}`

// answers are what is said to a server that asks while nobody is there: the words of --answers, else no.
type answers struct {
	given jsondoc.Value // object; Missing without --answers
	roots []session.Root
	say   io.Writer // what was asked and answered, for people; nil says nothing
}

// readAnswers reads --answers: a JSON object from a question's key, or its method, or *, to what is answered.
func (f *flags) readAnswers(io streams) (answers, error) {
	a := answers{say: io.err}
	if f.json {
		a.say = nil
	}
	if f.answers == "" {
		return a, nil
	}
	const hint = `for example {"name": {"action":"accept","content":{"name":"Ada"}}, "*": {"action":"decline"}}`
	text, err := os.ReadFile(strings.TrimPrefix(f.answers, "@"))
	if err != nil {
		return a, usage("", "reading --answers: %w", err)
	}
	doc := jsondoc.Parse(text)
	if !doc.Valid() || !doc.Root().Is(jsondoc.Object) {
		return a, usage(hint, "--answers %s is not a JSON object", f.answers)
	}
	for name, v := range doc.Root().Members() {
		if !v.Is(jsondoc.Object) {
			return a, usage(hint, "--answers %s: the answer for %q is not an object", f.answers, name)
		}
	}
	a.given = doc.Root()
	return a, nil
}

// declare is the capabilities that we really have: forms, and what else is answered by its method.
func (a answers) declare() string {
	caps := `{"elicitation":{"form":{}}`
	if a.given.Get(mcp.SamplingCreate).Exists() {
		caps += `,"sampling":{}`
	}
	if a.given.Get(mcp.RootsList).Exists() {
		caps += `,"roots":{}`
	}
	return caps + `}`
}

// ask is a session.Asker. A round is answered whole or not at all.
func (a answers) ask(_ context.Context, r session.Round) (session.Replies, error) {
	var out session.Replies
	if len(r.Questions) == 0 {
		a.tell(r, "asks to be asked again", "asked again")
	}
	for _, q := range r.Questions {
		what := "asks with " + q.Method
		if text := q.Params.Get("message").Text(); text != "" {
			what = "asks: " + text
		}
		result, words := a.answer(q)
		a.tell(r, what, words)
		if result == nil {
			out.Stop = "--answers has nothing for " + q.Method + ", and no client can say no to it"
			return out, nil
		}
		out.List = append(out.List, session.Reply{Key: q.Key, Result: result})
	}
	return out, nil
}

func (a answers) tell(r session.Round, what, answer string) {
	if a.say == nil {
		return
	}
	round := ""
	if r.N > 0 {
		round = fmt.Sprintf(" (round %d of at most %d)", r.N, r.Most)
	}
	over := ""
	if isTerminal(a.say) {
		over = "\r\x1b[K" // a step of check may stand on this line
	}
	fmt.Fprintf(a.say, "%smcploupe: the server %s%s — %s\n", over, clip(safe(strings.Join(strings.Fields(what), " ")), 120), round, answer)
}

// answer is what is given for a question, and how that is told. nil: there is nothing to say.
func (a answers) answer(q session.Question) (result []byte, words string) {
	from := q.Key
	v := a.given.Get(q.Key)
	if q.Key == "" || !v.Exists() {
		from, v = q.Method, a.given.Get(q.Method)
	}
	if !v.Exists() {
		from, v = "*", a.given.Get("*")
	}
	action := v.Get("action").Text()
	if q.Method != mcp.ElicitationCreate {
		if q.Method == mcp.RootsList && len(a.roots) > 0 && (!v.Exists() || from == "*") {
			return session.RootsResult(a.roots), "answered with the list of --root"
		}
		if !v.Exists() || action != "" {
			return nil, "left unanswered"
		}
		return v.Raw(), "answered by " + from
	}
	switch {
	case !v.Exists():
		return session.Decline(), "declined, nobody is here to ask"
	case q.Mode() == "url" && from == "*" && action == mcp.ActionAccept:
		return session.Decline(), "declined: an address is agreed to by its key or method alone"
	case action == mcp.ActionAccept && q.Mode() == "form" && !v.Get("content").Exists():
		return session.Accept(session.Defaults(q.Params.Get("requestedSchema"))), "accepted with its defaults, by " + from
	}
	return v.Raw(), safe(action) + " by " + from
}
