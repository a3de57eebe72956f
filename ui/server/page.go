package server

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/highlight"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// Failure is why the connection could not be made, as whoever tried it knows best.
type Failure struct {
	Text, Hint string // not escaped
	Exit       *wire.Exit
	Stderr     []string
}

// Page is all about the server.
type Page struct {
	env  *kit.Env
	book *book.Book
	fail *Failure

	Others func() bool // tells that there is a way to other servers: T; nil for none
	Here   [][2]string // what this run does for the server, by name: where it is recorded; escaped, and it stays

	body kit.Page
	made made
}

// made tells for what the lines were made.
type made struct {
	w, steps int
	styles   any
	phase    wire.Phase
	opening  wire.Ref
	fail     *Failure
	cost     int64
	log      int
	subs     int
}

// NewPage is the page.
func NewPage(env *kit.Env, b *book.Book) *Page { return &Page{env: env, book: b} }

// SetFailure says why the connection could not be made; nil when it was.
func (p *Page) SetFailure(f *Failure) { p.fail = f; p.body.Top() }

func (p *Page) scrolling() []kit.Row { return p.body.Rows() }

// Rows implements kit.Pane.
func (p *Page) Rows() []kit.Row {
	return append(p.body.Rows(), kit.Row{Keys: []string{"esc"}, Words: "back", Group: "view", Quiet: true, Do: func() kit.Intent { return kit.Back{} }})
}

// Typing implements kit.Pane.
func (p *Page) Typing() bool { return false }

// Text implements kit.Pane.
func (p *Page) Text(tea.Msg) (kit.Intent, bool) { return nil, false }

// Click implements kit.Pane.
func (p *Page) Click(_, _ int, msg tea.MouseMsg) kit.Intent { p.body.Click(msg); return nil }

// Scroll implements kit.Framed.
func (p *Page) Scroll() kit.Scroll { return p.body.Scroll() }

// Head implements kit.Framed.
func (p *Page) Head(focused bool) (title, right string) {
	s := p.env.Styles
	name := p.book.Server.Name()
	if name == "" {
		name = "Server"
	}
	return s.Title.Render(name), s.Muted.Render(p.book.Server.Kind)
}

// Beat implements kit.Lively.
func (p *Page) Beat() time.Duration {
	if underway(p.book.Server.Phase) {
		return 100 * time.Millisecond
	}
	return 0
}

// Draw implements kit.Pane.
func (p *Page) Draw(w, h int, focused bool) string {
	sv := &p.book.Server
	now := made{w, len(sv.Steps), p.env.Styles, sv.Phase, sv.Opening, p.fail, cost(p.book), 0, p.book.Subs.Version()}
	if sv.Phase == wire.Failed || sv.Phase == wire.Lost {
		now.log = p.book.Log.Version()
	}
	if now != p.made || underway(sv.Phase) {
		p.made = now
		p.body.SetLines(p.lines(w))
	}
	return kit.Block(p.body.Draw(w, h), w, h)
}

func (p *Page) lines(w int) []string {
	s := p.env.Styles
	sv := &p.book.Server
	var out []string
	add := func(more ...string) { out = append(out, more...) }
	if sv.Phase == wire.Failed || sv.Phase == wire.Lost {
		add(p.failure(w)...)
	} else if underway(sv.Phase) || sv.Phase == 0 {
		line := kit.Spinner(p.env.Frame) + " connecting"
		if !sv.Since.IsZero() && len(sv.Steps) > 0 {
			line += " " + p.env.Lasting(p.env.Now().Sub(sv.Steps[0].At))
		}
		add(s.Running.Render(line), "")
		add(p.patience(w)...)
	}
	if sv.Info.Exists() || sv.Target != "" {
		website := sv.Info.Get("websiteUrl").Text()
		title := kit.Escape(sv.Info.Get("title").Text())
		name := kit.Escape(sv.Info.Get("name").Text())
		if name == "" && sv.Phase == wire.Ready {
			name = "it does not say who it is"
		}
		era := sv.Version
		if sv.Era != "" {
			era = strings.TrimSpace(era + " " + sv.Era)
		}
		add(p.env.Section("Server", w))
		add(p.env.Labelled([][2]string{
			{"name", name}, {"title", title}, {"version", kit.Escape(sv.Info.Get("version").Text())},
			{"description", kit.Escape(sv.Info.Get("description").Text())},
			{"website", kit.Escape(website)},
			{"target", sv.Target}, {"transport", sv.Kind},
			{"protocol", era},
			{"supports", strings.Join(sv.Supported, ", ")},
		}, w)...)
		if sv.Info.Exists() {
			add(s.Faint.Render(kit.Cut("name and version are the server's own words", w)))
		}
		add("")
	}
	if len(p.Here) > 0 {
		add(p.env.Section("In this run", w))
		add(p.env.Labelled(p.Here, w)...)
		add("")
	}
	if sv.Capabilities.Exists() {
		add(p.env.Section("Capabilities", w))
		var pairs [][2]string
		for name, v := range sv.Capabilities.Members() {
			pairs = append(pairs, [2]string{kit.Escape(name), flags(v)})
		}
		if len(pairs) == 0 {
			add(s.Ghost.Render("none"))
		}
		add(p.env.Labelled(pairs, w)...)
		add("")
	}
	if n := p.book.Subs.Running(); n > 0 {
		add(p.env.Section("Subscriptions", w))
		var pairs [][2]string
		for _, sub := range p.book.Subs.All {
			if sub.Running() && len(pairs) < 8 {
				pairs = append(pairs, [2]string{kit.Escape(sub.ID), kit.Escape(sub.Asked.String()) + ": " + kit.Escape(sub.Words()) + ", " + kit.Count(sub.Count, "notification")})
			}
		}
		add(p.env.Labelled(pairs, w)...)
		add(s.Keycap.Render("S")+" "+s.Muted.Render(kit.Cut("shows all of them, and asks for more", w-2)), "")
	}
	if n := cost(p.book); n > 0 {
		add(p.env.Section("What a model has to read", w))
		var pairs [][2]string
		for _, k := range book.Kinds() {
			l := p.book.List(k)
			if len(l.Items) == 0 {
				continue
			}
			var bytes int
			for i := range l.Items {
				bytes += len(l.Items[i].Def.Raw())
			}
			pairs = append(pairs, [2]string{kit.Count(len(l.Items), k.Noun()), kit.Size(int64(bytes)) + ", about " + kit.Count((bytes+3)/4, "token")})
		}
		add(p.env.Labelled(pairs, w)...)
		add("")
	}
	if sv.Instructions != "" {
		add(p.env.Section("Instructions for the model", w))
		add(highlight.Markdown(sv.Instructions, w, s)...)
		add("")
	}
	if len(sv.Steps) > 0 {
		add(p.env.Section("How we got here", w))
		start := sv.Steps[0].At
		for _, step := range sv.Steps {
			sign := p.env.Step(step.Phase)
			at := s.Faint.Render(kit.Fit("+"+kit.Took(step.At.Sub(start)), 9))
			text := step.Text
			if step.Evidence != 0 {
				text += " (#" + kit.Number(int(step.Evidence)) + ")"
			}
			for i, l := range kit.Wrap(text, max(w-22, 20)) {
				if i > 0 {
					at, sign = kit.Blank(9), ""
				}
				add(at + " " + kit.Fit(sign, 11) + " " + s.Text.Render(l))
			}
		}
	}
	return out
}

// patience is what there is to know and to do while a server lets one wait: nothing at first, most are quick.
func (p *Page) patience(w int) []string {
	s := p.env.Styles
	if waits(p.env, &p.book.Server) < patient {
		return nil
	}
	var stderr []string
	for _, l := range p.book.Log.Lines {
		if l.From == "stderr" {
			stderr = append(stderr, l.Text)
		}
	}
	out := []string{s.Text.Render(kit.Cut("No answer yet. It is waited for.", w)), "",
		s.Keycap.Render("ctrl+r") + " " + s.Muted.Render("begins anew") + "   " + s.Keycap.Render("L") + " " + s.Muted.Render("shows the log") + "   " + s.Keycap.Render("q") + " " + s.Muted.Render("gives up")}
	out = append(out, p.env.Stderr(stderr[max(len(stderr)-patientLines, 0):], w)...)
	return append(out, "")
}

// patient is from when on somebody wonders what is going on; patientLines are how many lines of stderr are shown to tell.
const (
	patient      = 3 * time.Second
	patientLines = 8
)

// waits is for how long the server has let us wait, 0 when it does not.
func waits(env *kit.Env, sv *book.Server) time.Duration {
	if !underway(sv.Phase) || len(sv.Steps) == 0 {
		return 0
	}
	return env.Now().Sub(sv.Steps[0].At)
}

// flags is what a capability declares: the names of what is true, anything else as it stands.
func flags(v jsondoc.Value) string {
	if !v.Is(jsondoc.Object) {
		return kit.Escape(string(v.Raw()))
	}
	var out []string
	for name, m := range v.Members() {
		word := kit.Escape(name)
		if on, isBool := m.Bool(); !isBool || !on {
			word += " " + kit.Escape(string(m.Raw()))
		}
		out = append(out, word)
	}
	if len(out) == 0 {
		return "yes"
	}
	return strings.Join(out, ", ")
}

// failure is what happened, and what to try.
func (p *Page) failure(w int) []string {
	s := p.env.Styles
	sv := &p.book.Server
	title := "The server could not be reached"
	switch {
	case sv.Phase == wire.Lost:
		title = "The server is gone"
	case sv.Kind == "stdio" && sv.Exit == nil && (p.fail == nil || p.fail.Exit == nil) && !slices.ContainsFunc(sv.Steps, func(s book.Step) bool { return s.Phase == wire.Detecting }):
		title = "The server could not be started"
	}
	out := []string{s.Must.Render(kit.SignMust + " " + title), ""}
	text, hint, exit := sv.Text, "", sv.Exit
	var stderr []string
	if f := p.fail; f != nil {
		text, hint, stderr = kit.Escape(f.Text), f.Hint, f.Stderr
		if f.Exit != nil {
			exit = f.Exit
		}
	}
	for _, l := range kit.Wrap(text, w) {
		out = append(out, s.Text.Render(l))
	}
	if hint == "" && exit != nil && !exit.Ours { // one that we ended says nothing of why
		hint = suggestion(exit)
	}
	if hint != "" {
		out = append(out, "")
		for i, l := range kit.Paragraph(hint, w-5) {
			lead := s.Accent.Render("hint ")
			if i > 0 {
				lead = kit.Blank(5)
			}
			out = append(out, lead+s.Text.Render(l))
		}
	}
	again := "starts it again"
	if sv.Kind == "http" || sv.Kind == "sse" {
		again = "connects again"
	}
	keys := s.Keycap.Render("ctrl+r") + " " + s.Muted.Render(again) + "   " + s.Keycap.Render("L") + " " + s.Muted.Render("shows the log")
	if p.Others != nil && p.Others() {
		keys += "   " + s.Keycap.Render("T") + " " + s.Muted.Render("opens another one")
	}
	out = append(out, "", keys, "")
	switch {
	case exit != nil:
		out = append(out, p.env.Exit(exit, w)...)
	case len(stderr) > 0:
		out = append(out, p.env.Stderr(stderr, w)...)
	}
	return append(out, "")
}

// suggestion is what to try after a child ended by itself.
func suggestion(x *wire.Exit) string {
	last := strings.ToLower(strings.Join(x.Stderr, "\n"))
	switch {
	case x.Code == 127 || strings.Contains(last, "command not found"):
		return "its command was not found: give the whole path, or look at PATH with --env PATH=…"
	case strings.Contains(last, "cannot find module") || strings.Contains(last, "modulenotfounderror") || strings.Contains(last, "no module named"):
		return "something it needs is not installed; if it is, --cwd DIR starts it where it is"
	case x.Code == 126 || strings.Contains(last, "permission denied"):
		return "it may not be executable: chmod +x, or name its interpreter in front"
	case x.Code == 0:
		return "it ended by itself without an error: perhaps it needs an argument to speak MCP on stdio"
	}
	return "run the same command in a shell; --cwd DIR and --env K=V give it another directory and environment"
}

// ScrollTo implements kit.Scroller.
func (p *Page) ScrollTo(from int) { p.body.ScrollTo(from) }
