package kit

import (
	"cmp"
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"mcploupe/inspect"
	"mcploupe/session/fresh"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
	"mcploupe/themes"
	"mcploupe/ui/book"
)

// Piece is a part of the verdict strip or of a row: a sign and words in one style. Short is what stands
// when there is little room.
type Piece struct {
	Style       *lipgloss.Style
	Sign        string
	Text, Short string
}

// Render is the piece in words.
func (p Piece) Render() string {
	if p.Text == "" {
		return p.Style.Render(p.Sign)
	}
	if p.Sign == "" {
		return p.Style.Render(p.Text)
	}
	return p.Style.Render(p.Sign + " " + p.Text)
}

func (p Piece) short() Piece {
	if p.Short != "" {
		p.Text = p.Short
	}
	return p
}

// ResultType is the first part of the strip: what the answer calls itself.
func (e *Env) ResultType(r *book.Row) Piece {
	s := e.Styles
	rt := r.V.ResultType
	x := &r.X
	switch {
	case r.Running():
		return Piece{Style: &s.Running, Sign: Spinner(e.Frame), Text: "running"}
	case x.End == wire.Cancelled:
		return late(r, Piece{Style: &s.Muted, Sign: SignOff, Text: "cancelled"}, "the cancel")
	case x.End == wire.TimedOut:
		return late(r, Piece{Style: &s.Must, Sign: SignMust, Text: "timed out"}, "the timeout")
	case x.Reply == nil && x.End == wire.Posted:
		return Piece{Style: &s.Muted, Sign: SignSent, Text: "posted"}
	case x.Reply == nil:
		return Piece{Style: &s.Must, Sign: SignMust, Text: "no answer"}
	case x.Reply.Kind == wire.Error:
		err := x.Reply.Err()
		code := strings.TrimSpace(Escape(string(err.Get("code").Raw())))
		return Piece{Style: &s.Must, Sign: SignMust, Text: strings.TrimSpace("error " + code + " " + Escape(err.Get("message").Text())), Short: "error " + code}
	case x.Reply.Kind != wire.Result:
		return Piece{Style: &s.Must, Sign: SignMust, Text: "no JSON-RPC answer"}
	}
	value := Escape(rt.Value)
	switch rt.From {
	case inspect.FromAssumed:
		return Piece{Style: &s.OK, Sign: SignOK, Text: value + " (absent: legacy)", Short: value}
	case inspect.FromMissing:
		return Piece{Style: &s.Must, Sign: SignMust, Text: value + " (absent)"}
	}
	switch {
	case !rt.Known:
		return Piece{Style: &s.Must, Sign: SignMust, Text: `"` + value + `" (unknown)`}
	case value == "input_required":
		return Piece{Style: &s.Should, Sign: SignQuestion, Text: value}
	case value == "task":
		return Piece{Style: &s.Running, Sign: SignTask, Text: value}
	}
	return Piece{Style: &s.OK, Sign: SignOK, Text: value}
}

// late adds that an answer came all the same, and how long after what.
func late(r *book.Row, p Piece, what string) Piece {
	if after, ok := r.LateAnswer(); ok {
		p.Text, p.Short = p.Text+", late answer "+Took(after)+" after "+what, p.Text+", late "+Took(after)
	}
	return p
}

// SignOff stands for what was ended or does not apply.
const SignOff = "–"

// KindWords says an outcome's kind in plain words.
func KindWords(kind string) string {
	switch kind {
	case "unknown-tool":
		return "unknown tool"
	case "not-callable":
		return "not callable"
	case "input-validation":
		return "input validation"
	case "output-validation":
		return "output validation"
	case "output-missing":
		return "output missing"
	case "execution":
		return "execution failure"
	case "method-not-found":
		return "method not found"
	case "invalid-request":
		return "invalid request"
	case "invalid-params":
		return "invalid params"
	case "malformed-call":
		return "malformed call"
	case "not-found":
		return "not found"
	case "id-mismatch":
		return "wrong id"
	case "not-json":
		return "not JSON"
	case "http-status":
		return "HTTP status"
	case "result-type":
		return "unknown resultType"
	case "meta":
		return "bad _meta"
	}
	return strings.ReplaceAll(Escape(kind), "-", " ")
}

// Outcome is the second part: success, or which kind of error.
func (e *Env) Outcome(r *book.Row) Piece {
	s := e.Styles
	o := r.V.Outcome
	if !r.V.Ended {
		return Piece{Style: &s.Muted}
	}
	kind := KindWords(o.Kind)
	sure := ""
	if o.Confidence != inspect.Certain {
		sure = " (" + o.Confidence.String() + ")"
	}
	with := func(style *lipgloss.Style, words string) Piece {
		long := words
		if kind != "" {
			long += ": " + kind
		}
		return Piece{Style: style, Text: long + sure, Short: cmp.Or(kind, words)}
	}
	switch o.Class {
	case inspect.Success:
		switch o.Kind {
		case "":
			return with(&s.OK, "success")
		case "output-missing", "output-validation":
			return Piece{Style: &s.Must, Text: "success, but output " + map[bool]string{true: "missing", false: "invalid"}[o.Kind == "output-missing"] + sure, Short: "bad output"}
		}
		return with(&s.Should, "success, though")
	case inspect.ToolError:
		return with(&s.Should, "tool error")
	case inspect.ProtocolError:
		return with(&s.Must, "protocol error")
	case inspect.InputRequired:
		return with(&s.Should, "asks for input")
	case inspect.TaskCreated:
		switch o.Kind {
		case "":
			return with(&s.Running, "task created")
		case "working":
			return Piece{Style: &s.Running, Text: "task: working", Short: "working"}
		}
		return Piece{Style: &s.Muted, Text: "task: " + kind, Short: kind}
	case inspect.Invalid:
		return with(&s.Must, "invalid answer")
	case inspect.TransportFailure:
		switch {
		case o.Kind == "crash":
			return Piece{Style: &s.Must, Text: "lost: server ended" + sure, Short: "lost"}
		case o.Kind == "truncated" && r.X.Reply == nil:
			return Piece{Style: &s.Must, Text: "lost: connection ended" + sure, Short: "lost"}
		}
		return with(&s.Must, "transport failure")
	}
	return Piece{Style: &s.Muted}
}

// Freshness is the third part: how long the answer may be kept. hint may be nil for a list over pages.
func (e *Env) Freshness(st fresh.State, hint *fresh.Hint) Piece {
	s := e.Styles
	p := Piece{Sign: SignFresh}
	switch st.Name {
	case fresh.Fresh:
		of := st.Left
		if hint != nil {
			of = max(of, hint.TTL)
		}
		left := e.Left(st.Left, of)
		p.Style, p.Text, p.Short = &s.Fresh, "fresh "+left, e.LeftIn(st.Left, of)
		if hint != nil {
			p.Text += " of " + Clock(hint.TTL)
			if hint.Scope != "" {
				p.Text += " " + Escape(hint.Scope)
			}
		}
	case fresh.Stale:
		p.Style, p.Text, p.Short = &s.Stale, "stale "+e.Stale(st.Age), "stale"
	case fresh.StaleAtOnce:
		p.Style, p.Text, p.Short = &s.Stale, "stale at once (0)", "stale"
	case fresh.NoHint:
		p.Style, p.Text, p.Short = &s.Muted, "no hint (legacy)", "no hint"
	case fresh.Invalidated:
		p.Style, p.Text, p.Short = &s.Stale, "invalidated", "invalid"
		if st.Because == fresh.BecauseRestart {
			p.Text, p.Short = "stale: the server that said it is gone", "stale"
		} else if st.Because == fresh.BecauseSession {
			p.Text, p.Short = "stale: said in a session that the server ended", "stale"
		} else if st.By != 0 {
			what := ""
			if hint != nil && hint.Cacheable { // the message may be no longer kept, but only one kind of it can do this
				if m, ok := mcp.Lookup(hint.Key.Method); ok && m.Changed != "" && st.Because == "" {
					what = strings.TrimPrefix(m.Changed, "notifications/") + " "
				}
			}
			p.Text = fmt.Sprintf("invalidated by %s#%d", what, st.By)
		}
	case fresh.NotCacheable:
		p.Style, p.Text, p.Short = &s.Muted, "not cacheable", "–"
		if st.Because != "" {
			p.Text += " (" + Escape(st.Because) + ")"
		}
	default:
		return Piece{Style: &s.Muted}
	}
	return p
}

// Counts is the fourth part: findings by level, SEP-2145 apart. long writes the levels' names.
func (e *Env) Counts(c inspect.Count, long bool) string {
	s := e.Styles
	var parts []string
	add := func(n int, style *lipgloss.Style, sign, word string) {
		if n == 0 {
			return
		}
		t := sign + " " + Number(n)
		if long {
			t += " " + word
		}
		parts = append(parts, style.Render(t))
	}
	add(c.Must, &s.Must, SignMust, "must")
	add(c.Should, &s.Should, SignShould, "should")
	add(c.SEP2145, &s.Should, SignSEP, "SEP-2145")
	add(c.Advice, &s.Advice, SignAdvice, "advice")
	if long {
		return strings.Join(parts, "  ")
	}
	return strings.Join(parts, " ")
}

// Level is the sign and style of a level; for no level both are empty.
func (e *Env) Level(l inspect.Level) (sign string, style *lipgloss.Style) {
	switch l {
	case inspect.Must:
		return SignMust, &e.Styles.Must
	case inspect.Should:
		return SignShould, &e.Styles.Should
	case inspect.Advice:
		return SignAdvice, &e.Styles.Advice
	}
	return "", &e.Styles.Muted
}

// RoleOf is the look of a finding: that of its level.
func RoleOf(f *inspect.Finding) themes.Role {
	switch f.Level() {
	case inspect.Must:
		return themes.Must
	case inspect.Should:
		return themes.Should
	}
	return themes.Advice
}
