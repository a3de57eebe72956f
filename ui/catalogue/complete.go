package catalogue

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// What a server would put in the place of an argument of a prompt or a variable of a template is asked for while somebody
// types: a moment after the last letter, one question at a time, and only what is still true when it comes is shown.

const (
	typingPause = 250 * time.Millisecond // after the last letter
	overtaken   = 3 * time.Second        // an answer that takes longer holds up the next question no more
)

// completion is the state of it for one item.
type completion struct {
	now     question // what is typed at the moment
	due     time.Time
	number  int // of the last question
	asked   question
	at      time.Time // when it was asked; zero when nothing is awaited
	forced  bool      // asked for by key
	values  []string  // of the newest answer
	answers question  // that they were for
}

// question is what an answer depends on.
type question struct{ argument, text, context string }

// Wants is what is to be asked of the server now, nil for nothing. It is called whenever something may have changed: a key,
// a beat.
func (c *Call) Wants() kit.Intent {
	if c.st == nil || c.kind != book.Prompts && c.kind != book.Templates || !c.editing() {
		return nil
	}
	q := &c.st.completion
	in, ok := c.st.input().(kit.Completing)
	if !ok {
		return nil
	}
	name, text, typing := in.Typed()
	if !typing {
		q.now, q.due, q.forced = question{}, time.Time{}, false
		return nil
	}
	context, spelled := c.context(in.Value(), name)
	now := c.env.Now()
	if is := (question{name, text, spelled}); is != q.now {
		q.now, q.due = is, now.Add(typingPause)
		if c.undeclared() != "" {
			q.due = time.Time{}
		}
		c.offer(in)
	}
	if q.forced {
		q.due = now
	}
	if !q.at.IsZero() && now.Sub(q.at) >= kit.Slow {
		c.offer(in) // with how long it takes
	}
	if q.due.IsZero() || now.Before(q.due) || !q.at.IsZero() && now.Sub(q.at) < overtaken {
		return nil
	}
	q.due, q.forced = time.Time{}, false
	c.numbers++
	q.number, q.asked, q.at = c.numbers, q.now, now
	return kit.Complete{Kind: c.kind, ID: c.id, Argument: name, Text: text, Context: context, Number: q.number}
}

// undeclared is why the server is not asked by itself, "" when it is.
func (c *Call) undeclared() string {
	sv := &c.book.Server
	if sv.Capabilities.Get("completions").Exists() {
		return ""
	}
	if sv.Version == mcp.R20241105 {
		return "2024-11-05 has no capability that says whether there are suggestions"
	}
	return "the server declares no completions"
}

// context is the other arguments that are filled in, and the same as one text to compare.
func (c *Call) context(args []byte, but string) (context map[string]string, spelled string) {
	for name, v := range jsondoc.Parse(args).Root().Members() {
		if name != but && v.Is(jsondoc.String) && v.Text() != "" {
			if context == nil {
				context = map[string]string{}
			}
			context[name] = v.Text()
		}
	}
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(context)) {
		fmt.Fprintf(&b, "%q=%q ", name, context[name])
	}
	return context, b.String()
}

// offer shows what is known already: of an older answer what still fits, so that the list does not blink at each letter.
func (c *Call) offer(in kit.Completing) {
	q := &c.st.completion
	var fits []string
	if q.answers.argument == q.now.argument && q.answers.context == q.now.context && strings.HasPrefix(q.now.text, q.answers.text) {
		for _, v := range q.values {
			if len(v) >= len(q.now.text) && strings.EqualFold(v[:len(q.now.text)], q.now.text) && v != q.now.text {
				fits = append(fits, v)
			}
		}
	}
	in.Suggest(&kit.Suggestions{Values: fits, Note: c.awaited()})
}

// Completed takes the answer to question number n: the result, or the error object; failed is why neither came, escaped.
// Answers to anything but the newest question, and those for a text that is typed no more, are dropped.
func (c *Call) Completed(n int, result, problem jsondoc.Value, failed string) {
	if c.st == nil || c.st.completion.number != n {
		return
	}
	q := &c.st.completion
	q.at = time.Time{}
	in, ok := c.st.input().(kit.Completing)
	if !ok || q.asked != q.now {
		return
	}
	if _, _, typing := in.Typed(); !typing {
		return
	}
	s := Suggested(result, problem, failed)
	q.values, q.answers = s.Values, q.asked
	if len(s.Values) == 1 && s.Values[0] == q.now.text {
		s.Values, s.Note = nil, "" // it is typed already
	}
	in.Suggest(&s)
}

// Suggested reads the answer to completion/complete. What has no usable shape is left out; a finding says so.
func Suggested(result, problem jsondoc.Value, failed string) kit.Suggestions {
	switch {
	case failed != "":
		return kit.Suggestions{Note: "no suggestions: " + failed, Bad: true}
	case problem.Exists():
		return kit.Suggestions{Note: "no suggestions: " + kit.Escape(strings.TrimSpace("error "+string(problem.Get("code").Raw())+" "+problem.Get("message").Text())), Bad: true}
	}
	all := result.Get("completion")
	var s kit.Suggestions
	came := 0
	for _, v := range all.Get("values").Elements() {
		if came++; v.Is(jsondoc.String) && len(s.Values) < kit.MaxSuggestions {
			s.Values = append(s.Values, v.Text())
		}
	}
	total, counted := all.Get("total").Int()
	more, _ := all.Get("hasMore").Bool()
	n := len(s.Values)
	switch {
	case !all.Get("values").Is(jsondoc.Array):
		s.Note, s.Bad = "the answer holds no list of suggestions", true
	case counted && total > int64(n):
		s.Note = fmt.Sprintf("%d of %s", n, kit.Number(int(min(total, 1<<40))))
	case came > n:
		s.Note = fmt.Sprintf("%d of the %s that came", n, kit.Number(came))
	case more:
		s.Note = kit.Count(n, "suggestion") + ", there are more"
	case n == 0:
		s.Note = "no suggestions"
	case n > 5:
		s.Note = kit.Count(n, "suggestion")
	}
	return s
}

// Beat implements kit.Lively: the pause after a letter ends, and a question that is awaited turns.
func (c *Call) Beat() time.Duration {
	if c.st == nil {
		return 0
	}
	q := &c.st.completion
	switch now := c.env.Now(); {
	case q.due.After(now):
		return q.due.Sub(now)
	case !q.due.IsZero(), !q.at.IsZero():
		return 100 * time.Millisecond
	}
	return 0
}

// suggestRow is the key that asks at once, and also where the server did not say that it can be asked.
func (c *Call) suggestRow() (kit.Row, bool) {
	in, ok := c.st.input().(kit.Completing)
	if !ok || c.kind != book.Prompts && c.kind != book.Templates {
		return kit.Row{}, false
	}
	off := ""
	if _, _, typing := in.Typed(); !typing {
		off = "a field is typed into first"
	}
	return kit.Row{Keys: []string{"ctrl+space"}, Words: "suggest", Group: "call", Off: off, Quiet: c.undeclared() == "", Do: func() kit.Intent {
		c.st.completion.forced = true
		return nil
	}}, true
}

// awaited is the line in the place of suggestions while an answer takes long; "" otherwise.
func (c *Call) awaited() string {
	q := &c.st.completion
	if q.at.IsZero() || c.env.Now().Sub(q.at) < kit.Slow {
		return ""
	}
	return kit.Spinner(c.env.Frame) + " asking for suggestions " + c.env.For(c.env.Now().Sub(q.at))
}
