package cli

import (
	"context"
	"fmt"
	"strings"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/themes"
)

// Over HTTP a client must leave out a tool whose x-mcp-header annotations are invalid (2026-07-28, transports/streamable-http,
// Schema Extension). We never hide one: it is listed with the reason, and called when that is asked for.

// excludes tells that this connection is one on which such tools are to be left out.
func (r *run) excludes() bool {
	i := r.session.Info()
	return i.Era == session.Modern && i.Kind == "http"
}

// excluded are the reasons to leave out a listed tool on this connection.
func (r *run) excluded(def jsondoc.Value) []inspect.Exclusion {
	if !r.excludes() {
		return nil
	}
	return inspect.Exclusions(def)
}

// refuse says why a tool is not called, nil when it may be.
func (r *run) refuse(name string, def jsondoc.Value) error {
	reasons := r.excluded(def)
	if len(reasons) == 0 {
		return nil
	}
	var why []string
	for _, e := range reasons {
		why = append(why, reason(e))
	}
	return usage("--excluded calls it all the same", "clients over HTTP must leave out the tool %s: %s", r.mask(name), r.mask(strings.Join(why, "; ")))
}

// reason is why a tool is left out: the rule, the place, the words.
func reason(e inspect.Exclusion) string {
	return fmt.Sprintf("%s at %s: %s", e.Rule, e.At, e.Text)
}

// showExcluded lists the tools that are left out, with the reasons: with --json a line each, else under the list.
func (r *run) showExcluded(l *session.Listing) {
	if l.Kind != session.Tools || !r.excludes() {
		return
	}
	for i := range l.Pages {
		r.judged(context.Background(), l.Pages[i].Answer.Seq()) // its line comes first
	}
	p := r.printer()
	n := 0
	for i := range l.Items {
		item := &l.Items[i]
		reasons := r.excluded(item.Value)
		if len(reasons) == 0 {
			continue
		}
		n++
		if r.flags.json {
			r.mu.Lock()
			r.line([]byte(r.mask(string(excludedLine(item, reasons)))))
			r.mu.Unlock()
			continue
		}
		if n == 1 {
			fmt.Fprintln(p.out, p.styles.Must.Render("excluded: clients over HTTP must leave these out; call --excluded calls one all the same"))
		}
		for _, e := range reasons {
			fmt.Fprintf(p.out, "  %s  %s\n", p.struck(safe(r.mask(item.Name))), safe(r.mask(reason(e))))
		}
	}
}

// excludedLine is a tool that is left out as a line of --json.
func excludedLine(item *session.Item, reasons []inspect.Exclusion) []byte {
	o := object{}
	o.text("type", "excluded")
	o.number("seq", int64(item.Seq))
	o.text("name", item.Name)
	list := []byte{'['}
	for i, e := range reasons {
		if i > 0 {
			list = append(list, ',')
		}
		one := object{}
		one.text("rule", e.Rule)
		one.text("pointer", string(item.Pointer+e.At))
		one.text("reason", e.Text)
		list = append(list, one.end()...)
	}
	o.raw("reasons", string(append(list, ']')))
	return o.end()
}

// struck is a text struck through, where the output has styles at all.
func (p printer) struck(text string) string {
	if p.styles.Theme.Name == themes.Plain().Theme.Name {
		return text
	}
	return p.styles.Title.Strikethrough(true).StrikethroughSpaces(true).Render(text)
}
