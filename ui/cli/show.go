package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"mcploupe/highlight"
	"mcploupe/inspect"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/themes"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
)

// printer is how text for people is set: its styles, and how wide the output is.
type printer struct {
	out    io.Writer
	styles *themes.Styles
	width  int
}

const plainWidth = 100 // of output that is no terminal

// printer is how this run sets text. It is chosen once: a flood of findings must not look for a theme each time.
func (r *run) printer() printer {
	r.choose.Do(func() { r.chosen = r.flags.printer(r.io.out) })
	return r.chosen
}

// printer chooses styles for an output: a theme on a terminal, nothing elsewhere.
func (f *flags) printer(out io.Writer) printer {
	p := printer{out: out, styles: themes.Plain(), width: plainWidth}
	file, ok := out.(*os.File)
	if !ok || !term.IsTerminal(file.Fd()) {
		return p
	}
	if w, _, err := term.GetSize(file.Fd()); err == nil && w > 20 {
		p.width = w
	}
	profile := colorprofile.Detect(out, os.Environ())
	if f.noColour {
		profile = colorprofile.ASCII
	}
	if profile == colorprofile.NoTTY { // TERM=dumb: it shows escape sequences as they come
		return p
	}
	theme, err := loadTheme(f.theme, darkBackground())
	if err == nil {
		p.styles = theme.Styles(profile)
	}
	return p
}

// darkBackground guesses from COLORFGBG, which some terminals set; asking the terminal is for the screen alone.
func darkBackground() bool {
	_, bg, ok := strings.Cut(os.Getenv("COLORFGBG"), ";")
	return !ok || bg != "7" && bg != "15" && !strings.HasSuffix(bg, ";15")
}

// show prints one exchange for a person: the verdict strip, then the body with each finding under its line.
func (r *run) show(x *wire.Exchange, v *inspect.Verdict) {
	p := r.printer()
	r.stray.shown[x.Seq()] = true
	fmt.Fprintln(p.out, p.strip(x, v))
	findings := v.All()
	reply := x.Reply
	if reply == nil {
		if x.EndText != "" {
			fmt.Fprintln(p.out, safe(x.EndText))
		}
		r.showFindings(findings)
		return
	}
	doc := reply.Doc()
	if !doc.Root().Is(jsondoc.Object) && !doc.Root().Is(jsondoc.Array) {
		fmt.Fprintln(p.out, safe(string(reply.Body)))
		r.showFindings(findings)
		return
	}
	var marks []highlight.Mark
	var rest []inspect.Finding
	for i := range findings {
		f := &findings[i]
		if f.At.Frame == reply.Seq && f.At.Part.InText() {
			if target := doc.At(f.At.Path); target.Exists() {
				marks = append(marks, highlight.Mark{Node: target.Node(), Key: f.At.Part == inspect.Key, Role: kit.RoleOf(f), Note: note(f)})
				continue
			}
		}
		rest = append(rest, *f)
	}
	if err := highlight.Write(p.out, jsondoc.NewLayout(doc), p.styles, marks, p.width); err != nil {
		fmt.Fprintf(r.io.err, "mcploupe: printing: %s\n", safe(err.Error()))
	}
	r.showFindings(rest)
}

// showFindings prints findings that have no place in a printed body.
func (r *run) showFindings(findings []inspect.Finding) {
	r.printer().findings(findings)
}

func (p printer) findings(findings []inspect.Finding) {
	for i := range findings {
		f := &findings[i]
		fmt.Fprintf(p.out, "%s %s\n", p.styles.Of(kit.RoleOf(f)).Render(sign(f)), safe(note(f)+" · "+f.Text()))
	}
}

// note is a finding in one line, without its place.
func note(f *inspect.Finding) string {
	level := f.Level().String()
	if f.Profile != "" {
		level += ", SEP-2145"
	}
	return fmt.Sprintf("%s: %s (%s, %s)", f.Rule.ID, f.Want, level, f.Rule.Source)
}

func sign(f *inspect.Finding) string {
	switch {
	case f.Profile != "":
		return kit.SignSEP
	case f.Level() == inspect.Must:
		return kit.SignMust
	case f.Level() == inspect.Should:
		return kit.SignShould
	}
	return kit.SignAdvice
}

// strip is the verdict in one line, as the screen shows it.
func (p printer) strip(x *wire.Exchange, v *inspect.Verdict) string {
	env := kit.Env{Styles: p.styles, Now: time.Now}
	row := book.Row{X: *x, V: *v, Findings: v.All()}
	row.Count.Add(row.Findings...)
	return strings.TrimRight(env.Strip(&row, v.Freshness.At(time.Now()), p.width), " ")
}

func width(s string) int           { return ansi.StringWidth(s) }
func clip(s string, w int) string  { return ansi.Truncate(s, max(1, w), "…") }
func padTo(s string, w int) string { return clip(s, w) + strings.Repeat(" ", max(0, w-width(s))) }
