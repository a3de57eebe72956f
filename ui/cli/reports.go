package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"mcploupe/inspect"
	"mcploupe/inspect/report"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/feed"
)

// reportFlags say which rules a check judges by, what it compares with, and which files it writes.
type reportFlags struct {
	only, skip                       []string
	baseline, writeBaseline, against string
	sarif, junit, markdown, html     string
	failOnDrift                      bool
}

func (f *reportFlags) register(s *pflag.FlagSet) {
	s.StringSliceVar(&f.only, "only", nil, "judge by these `rules` alone: names, areas, or patterns like cache-*, separated by commas")
	s.StringSliceVar(&f.skip, "skip", nil, "leave these `rules` out")
	s.StringVar(&f.baseline, "baseline", "", "`file` of findings that are known: only new ones fail")
	s.StringVar(&f.writeBaseline, "write-baseline", "", "write what was found to `file`, as a baseline for checks to come")
	s.StringVar(&f.against, "against", "", "also compare lists and instructions with those in the journal `file` (--record)")
	s.BoolVar(&f.failOnDrift, "fail-on-drift", false, "let a difference found by --against fail the check")
	s.StringVar(&f.sarif, "sarif", "", "write the findings to `file` as SARIF 2.1.0 (- is standard output, here and below)")
	s.StringVar(&f.junit, "junit", "", "write the findings to `file` as JUnit XML")
	s.StringVar(&f.markdown, "markdown", "", "write the findings to `file` as Markdown")
	s.StringVar(&f.html, "html", "", "write the findings to `file` as one HTML page")
}

// reporting collects what a check found, for files and comparisons.
type reporting struct {
	flags    *reportFlags
	level    inspect.Level // lowest that fails, 0: none
	sep      bool
	out      report.Report
	baseline *report.Baseline
	old      *inspect.History // of --against
	unknown  []string         // lists that could not be compared
}

// prepare reads what a check compares with. Everything that can be wrong about these flags is said before a server is started.
func (f *checkFlags) prepare(level inspect.Level, sep bool) (err error) {
	r := &reporting{flags: &f.reports, level: level, sep: sep}
	f.reporting = r
	if f.rules, err = f.reports.rules(); err != nil {
		return err
	}
	if f.reports.failOnDrift && f.reports.against == "" {
		return usage("", "--fail-on-drift needs --against FILE")
	}
	outputs := 0
	for _, file := range []string{f.reports.sarif, f.reports.junit, f.reports.markdown, f.reports.html} {
		if file == "-" {
			outputs++
		}
	}
	if outputs > 1 || outputs == 1 && f.json {
		return usage("", "only one of --json, --sarif, --junit, --markdown and --html can go to standard output")
	}
	if name := f.reports.baseline; name != "" {
		text, err := os.ReadFile(name)
		if err != nil {
			hint := ""
			if errors.Is(err, fs.ErrNotExist) {
				hint = "--write-baseline " + name + " makes one"
			}
			return usage(hint, "reading the baseline: %w", err)
		}
		if r.baseline, err = report.ReadBaseline(text); err != nil {
			return usage("", "%s: %w", name, err)
		}
	}
	if name := f.reports.against; name != "" {
		log, _, err := openJournal(name, io.Discard)
		if err != nil {
			return err
		}
		log.Close()
		in := inspect.New(inspect.Options{Profile: f.profile, Rules: []*inspect.Rule{}})
		for reader := feed.New(log, in); ; {
			if _, err := reader.Next(context.Background()); err != nil {
				break
			}
		}
		r.old = in.History()
	}
	return nil
}

// rules are the rules that --only and --skip leave; nil means all.
func (f *reportFlags) rules() ([]*inspect.Rule, error) {
	if len(f.only) == 0 && len(f.skip) == 0 {
		return nil, nil
	}
	only, err := matching("--only", f.only)
	if err != nil {
		return nil, err
	}
	skip, err := matching("--skip", f.skip)
	if err != nil {
		return nil, err
	}
	out := []*inspect.Rule{}
	for _, r := range inspect.Catalogue() {
		if (len(f.only) == 0 || only[r.ID]) && !skip[r.ID] {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, usage("", "--only and --skip leave no rule")
	}
	return out, nil
}

func matching(flag string, patterns []string) (map[string]bool, error) {
	out := map[string]bool{}
	for _, p := range patterns {
		p = strings.TrimSpace(p)
		before := len(out)
		for _, r := range inspect.Catalogue() {
			if fits, err := path.Match(p, r.ID); err != nil {
				return nil, usage("", "%s %s: %w", flag, p, err)
			} else if fits || r.Area == p {
				out[r.ID] = true
			}
		}
		if len(out) == before && p != "" && !out[p] {
			return nil, usage(nearRules(p), "%s %s: no rule and no area has this name", flag, p)
		}
	}
	return out, nil
}

// found takes what was found in an exchange; nil for the end of a session.
func (r *reporting) found(x *wire.Exchange, v *inspect.Verdict, log *wire.Log) {
	for _, f := range v.Findings {
		item := report.NewItem(f, x, log.Get)
		item.Fails = f.Fails(r.level, r.sep)
		r.out.Items = append(r.out.Items, item)
	}
}

// compare is called once everything has been found.
func (r *reporting) compare(now *inspect.History) {
	if r.baseline != nil {
		r.out.Compare(r.baseline)
	}
	if r.old != nil {
		r.out.Drift, r.unknown = report.Drift(r.old, now)
	}
}

func (r *reporting) fails() bool {
	return r.flags.failOnDrift && len(r.out.Drift) > 0 || slices.ContainsFunc(r.out.Items, func(i report.Item) bool { return i.Fails })
}

// known is how many findings stand in the baseline.
func (r *reporting) known() (n int) {
	for i := range r.out.Items {
		if r.out.Items[i].Known {
			n++
		}
	}
	return n
}

// describe fills in what a report says of the server.
func (f *checkFlags) describe(r *run) {
	o, info := &f.reporting.out, r.info
	o.Version, o.Profile, o.Journal, o.Probed, o.Exchanges = Version(), f.profile, f.record, f.probe, r.seen
	o.Target, o.Era, o.Revision = safe(r.mask(info.Target)), info.Era, info.Version
	if info.Server.Is(jsondoc.Object) {
		o.Server = safe(strings.TrimSpace(clip(info.Server.Get("name").Text(), 80) + " " + clip(info.Server.Get("version").Text(), 40)))
	}
}

// summary adds to the last line of --json what was compared: "baseline" with --baseline, "drift" with --against.
func (r *reporting) summary(o *object) {
	if r.baseline != nil {
		b := object{}
		b.number("known", int64(r.known()))
		b.number("gone", int64(len(r.out.Fixed)))
		o.raw("baseline", string(b.end()))
	}
	if r.old == nil {
		return
	}
	list := []byte{'['}
	for _, c := range r.out.Drift {
		if len(list) > 1 {
			list = append(list, ',')
		}
		d := object{}
		d.text("list", c.List)
		d.text("name", c.Name)
		d.text("kind", c.Kind)
		d.text("what", c.What)
		d.text("old", c.Old)
		d.text("new", c.New)
		list = append(list, d.end()...)
	}
	o.raw("drift", string(append(list, ']')))
	o.any("notCompared", append([]string{}, r.unknown...))
}

// write makes the files.
func (r *reporting) write(io streams) error {
	for _, file := range []struct {
		name string
		make func() []byte
	}{
		{r.flags.sarif, r.out.SARIF},
		{r.flags.junit, r.out.JUnit},
		{r.flags.markdown, r.out.Markdown},
		{r.flags.html, r.out.HTML},
		{r.flags.writeBaseline, r.out.Baseline},
	} {
		if file.name == "" {
			continue
		}
		var err error
		if text := file.make(); file.name == "-" {
			_, err = io.out.Write(text)
		} else {
			err = os.WriteFile(file.name, text, 0o644)
		}
		if err != nil {
			return usage("", "writing the report: %w", err)
		}
	}
	return nil
}

// stdout tells that a report goes to standard output: what people read goes to the other one then.
func (f *reportFlags) stdout() bool {
	return slices.Contains([]string{f.sarif, f.junit, f.markdown, f.html, f.writeBaseline}, "-")
}

// showDrift tells people how the server differs from the recorded one.
func (r *run) showDrift(d *reporting) {
	if d.old == nil || r.flags.json {
		return
	}
	p := r.printer()
	fmt.Fprintf(p.out, "%s\n", p.styles.Title.Render("since "+safe(d.flags.against)))
	for _, c := range d.out.Drift {
		style := p.styles.Muted
		mark := "·"
		if c.Trust {
			style, mark = p.styles.Should, "▲"
		}
		fmt.Fprintf(p.out, "  %s %s\n", style.Render(mark), safe(c.Text()))
	}
	if len(d.out.Drift) == 0 {
		fmt.Fprintf(p.out, "  nothing has changed\n")
	}
	for _, list := range d.unknown {
		fmt.Fprintf(p.out, "  ? %s: one side was not listed to its end\n", list)
	}
	fmt.Fprintln(p.out)
}
