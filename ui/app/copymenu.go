package app

import (
	"fmt"

	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/kit"
	"mcploupe/ui/shell"
)

// openCopy is the menu of what can be copied of an exchange; here is what is under the cursor.
func (m *Model) openCopy(i kit.OpenCopy) {
	row := m.book.Timeline.Row(i.Ref)
	if row == nil {
		return
	}
	rows := append(i.Here[:len(i.Here):len(i.Here)], m.copies(row, len(i.Here) == 0)...)
	for k := range rows {
		do := rows[k].Do
		rows[k].Group = "copy"
		rows[k].Do = func() kit.Intent { return kit.Several{kit.Back{}, do()} }
	}
	src := &commands{env: m.env, rows: rows}
	p := &kit.ListPane{List: kit.NewList(m.env, src), Open: "copy it"}
	s := m.env.Styles
	p.Heading = func(bool) (string, string) {
		return s.Title.Render(fmt.Sprintf("Copy from #%d", i.Ref.Seq)), s.Muted.Render(kit.Cut(row.Method, 30))
	}
	p.Opened = func() kit.Intent {
		r := &src.rows[p.Selected()]
		if r.Off != "" {
			return kit.Say{Text: r.Words + ": " + r.Off, Bad: true}
		}
		return r.Do()
	}
	p.Keys = func() []kit.Row { return src.rows }
	m.open("copy", p, func(w, _ int) (int, int) { return min(w-4, 84), len(rows) + 2 })
}

// copies are an exchange in its spellings. whole tells that the answer is what is meant first.
func (m *Model) copies(r *book.Row, whole bool) []kit.Row {
	answer := r.X.Reply
	if answer == nil {
		answer = r.X.Lone
	}
	message := func(keys []string, words string, m *wire.Message) kit.Row {
		if m == nil {
			return kit.Row{Keys: keys, Words: words, Off: "there is none", Do: func() kit.Intent { return nil }}
		}
		return kit.Row{Keys: keys, Words: words, Do: func() kit.Intent {
			return kit.Copy{Text: string(m.Body), What: words + ", " + kit.Size(int64(len(m.Body)))}
		}}
	}
	line := func(key, words string, text func() (string, error)) kit.Row {
		row := kit.Row{Keys: []string{key}, Words: words}
		line, err := text()
		if err != nil {
			row.Off = err.Error()
		}
		row.Do = func() kit.Intent {
			what := words
			if q := r.X.Request; q != nil && q.Masked {
				what += "; secrets are left out of it"
			}
			return kit.Copy{Text: line, What: what}
		}
		return row
	}
	keys := []string{"a"}
	if whole {
		keys = []string{"y", "a"}
	}
	return []kit.Row{
		message(keys, "answer", answer),
		message([]string{"r"}, "request", r.X.Request),
		{Keys: []string{"e"}, Words: "exchange: request and answer in one JSON", Do: func() kit.Intent {
			text := shell.JSON(&r.X)
			return kit.Copy{Text: text, What: "exchange, " + kit.Size(int64(len(text)))}
		}},
		line("m", "mcploupe command", func() (string, error) { return shell.Ours(&r.X, m.reached(r)) }),
		line("c", "curl", func() (string, error) {
			text, err := shell.Curl(&r.X)
			if err != nil && r.X.Request != nil && r.X.Request.HTTP == nil {
				err = fmt.Errorf("%w: m has a command of ours", err)
			}
			return text, err
		}),
	}
}

// reached is the flags and words that lead to the server: those that we were given, or in a recorded journal what it tells.
func (m *Model) reached(r *book.Row) []shell.Word {
	if len(m.o.Target) > 0 {
		return m.o.Target
	}
	if q := r.X.Request; q != nil && q.HTTP != nil {
		return []shell.Word{shell.Masked(q.HTTP.URL, "SECRET")}
	}
	if words, ok := shell.Split(m.book.Server.Target); ok && m.book.Server.Kind == "stdio" {
		out := shell.Texts("--")
		for _, w := range words {
			out = append(out, shell.Masked(w, "SECRET"))
		}
		return out
	}
	return nil
}
