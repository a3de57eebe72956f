package inspect

import (
	"fmt"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// String is the place as a page writes it.
func (w Want) String() string {
	var b strings.Builder
	fmt.Fprint(&b, w.Line)
	if w.Part != Body {
		b.WriteString(" " + w.Part.String())
	}
	if w.Path != "" {
		b.WriteString(" " + string(w.Path))
	}
	if w.Confidence != Certain {
		b.WriteString(" " + w.Confidence.String())
	}
	for _, a := range w.Also {
		b.WriteString(" also " + a.String())
	}
	return b.String()
}

// Step is one step of an example, ready to show.
type Step struct {
	Entry    wire.Entry
	Line     int       // message line, 0 for anything else
	Findings []Finding // of the page's own rule, about this message
}

// Steps is the example as it crosses the wire, without what comes before it, with what its page's rule finds.
func (p *Page) Steps(e *Example) ([]Step, error) {
	entries, own, err := e.Entries()
	if err != nil {
		return nil, err
	}
	played, err := e.Play(Options{Rules: []*Rule{p.Rule}})
	if err != nil {
		return nil, err
	}
	var steps []Step
	for _, entry := range entries {
		if len(own) == 0 || entry.Seq < own[0] {
			continue
		}
		s := Step{Entry: entry}
		if entry.Frame != nil || entry.Fetch != nil || slices.Contains(own, entry.Seq) {
			s.Line = played.Line(entry.Seq)
		}
		for _, f := range played.Findings {
			if f.At.Frame == entry.Seq {
				s.Findings = append(s.Findings, f)
			}
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// Text is the page as plain text, for a terminal or a pipe: lines are not wrapped.
func (p *Page) Text() string {
	var b strings.Builder
	r := p.Rule
	fmt.Fprintf(&b, "%s\n%s\n\n", r.ID, p.Title)
	fmt.Fprintf(&b, "level   %s%s\nholds   %s\nsource  %s\n", r.Level, levelNote(r), holds(r), r.Source)
	if r.Probe != "" {
		fmt.Fprintf(&b, "probe   %s (sent by check --probe)\n", r.Probe)
	}
	fmt.Fprintf(&b, "\nWhy\n%s\n\nHow to fix it\n%s\n", indent(p.Why), indent(p.Fix))
	for i := range p.Bad {
		p.example(&b, "Wrong", i, &p.Bad[i])
	}
	for i := range p.Good {
		p.example(&b, "Right", i, &p.Good[i])
	}
	return b.String()
}

func levelNote(r *Rule) string {
	switch {
	case r.SEP2145():
		return " (by SEP-2145, an accepted change that is not part of the published text; counted apart)"
	case r.Level == Advice:
		return " (our opinion, not the specification's demand)"
	}
	return ""
}

// holds is the rule's filter in words.
func holds(r *Rule) string {
	e := r.eras
	words := "every revision"
	switch {
	case e.all:
	case e.from == e.to:
		words = "revision " + e.from
	case e.to == "":
		words = "revision " + e.from + " and later"
	case e.from == "":
		words = "revision " + e.to + " and earlier"
	default:
		words = "revisions " + e.from + " to " + e.to
	}
	if e.extension != "" {
		words += ", when the request declares the " + e.extension + " extension"
	}
	switch {
	case e.sep > 0:
		words = "judged by SEP-2145 (the default profile), modern servers"
	case e.sep < 0:
		words += ", when not judged by SEP-2145 (--profile " + ProfilePublished + ", and legacy servers)"
	}
	return words
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.ReplaceAll(text, "\n", "\n  "), "\n  \n", "\n\n")
}

func (p *Page) example(b *strings.Builder, word string, i int, e *Example) {
	if i > 0 {
		word += fmt.Sprintf(" (%d)", i+1)
	}
	fmt.Fprintf(b, "\n%s\n", word)
	steps, err := p.Steps(e)
	if err != nil {
		fmt.Fprintf(b, "  (%v)\n", err)
		return
	}
	for _, s := range steps {
		if text := stepText(&s.Entry); text != "" {
			fmt.Fprintf(b, "  %s\n", text)
		}
		for _, f := range s.Findings {
			fmt.Fprintf(b, "    └ %s\n", f.Text())
		}
	}
}

// Text is the finding in one line: place, what stood there, what would be right.
func (f *Finding) Text() string {
	place := string(f.At.Path)
	switch f.At.Part {
	case Key:
		place = "name of " + place
	case Header:
		place = "header " + place
	case Status, Timing, Stream:
		place = f.At.Part.String()
	case Body:
		if place == "" {
			place = "the message"
		}
	}
	return fmt.Sprintf("%s: %s; wanted: %s", place, f.Got, f.Want)
}

// stepText is an entry in one line (heads of HTTP messages before their body).
func stepText(e *wire.Entry) string {
	switch {
	case e.Frame != nil:
		arrow := "→ "
		if e.Frame.Dir == wire.Received {
			arrow = "← "
		}
		body := displayAll(brief(e.Frame))
		if h := e.Frame.HTTP; h != nil {
			return arrow + headText(h) + "\n  " + arrow + body
		}
		return arrow + body
	case e.Lane != nil:
		switch e.Lane.Kind {
		case wire.LaneOpen:
			if e.Lane.HTTP != nil {
				return "→ " + headText(e.Lane.HTTP)
			}
		case wire.LaneHead:
			return "← " + headText(e.Lane.HTTP)
		case wire.LaneEOF:
			return "← (end of the stream)"
		case wire.LaneCut:
			return "← (the stream broke off)"
		case wire.LaneFailed:
			return "← (no connection)"
		case wire.LaneExit:
			return "← (" + exitText(e.Lane.Exit) + ")"
		}
	case e.Ending != nil:
		return "→ (given up)"
	case e.Fetch != nil:
		f := e.Fetch
		switch {
		case f.For == wire.ForRedirect:
			return "← the browser comes back: " + headText(f.Request)
		case f.Response == nil:
			return "→ " + headText(f.Request) + "\n  ← (no connection)"
		}
		return "→ " + headText(f.Request) + "\n  ← " + headText(f.Response) + "\n  ← " + displayAll(string(f.Body))
	case e.Note != nil:
		return "stderr: " + displayAll(e.Note.Text)
	}
	return ""
}

// brief is the body of a frame, with a _meta that holds only what every request or result has shortened.
func brief(f *wire.Frame) string {
	body := string(f.Body)
	root := f.Doc().Root()
	for _, where := range []string{"params", "result"} {
		meta := root.Get(where).Get("_meta")
		if !meta.Is(jsondoc.Object) || meta.Len() == 0 {
			continue
		}
		usual := true
		for name, v := range meta.Members() {
			switch name {
			case mcp.MetaProtocolVersion, mcp.MetaClientCapabilities:
			case mcp.MetaClientInfo:
				usual = usual && string(v.Raw()) == clientInfo
			case mcp.MetaServerInfo:
				usual = usual && string(v.Raw()) == serverInfo
			default:
				usual = false
			}
		}
		if usual {
			return strings.Replace(body, string(meta.Raw()), "{…}", 1)
		}
	}
	return body
}

func headText(h *wire.Head) string {
	first := fmt.Sprintf("HTTP %d", h.Status)
	if h.Method != "" {
		first = h.Method + " " + h.URL
	}
	for _, f := range h.Header {
		first += "; " + f.Name + ": " + f.Value
	}
	return displayAll(first)
}
