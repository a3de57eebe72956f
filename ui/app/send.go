package app

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
	"mcploupe/ui/book"
	"mcploupe/ui/catalogue"
	"mcploupe/ui/kit"
)

// use sends the request that belongs to an item.
func use(ctx context.Context, s Session, i kit.Use) tea.Msg {
	var a session.Answer
	var err error
	o := options(i.Meta)
	if i.From != 0 && i.Meta == nil { // with another _meta it is odd on purpose, and judged as such
		o.Why = wire.Edited(i.From)
	}
	switch i.Kind {
	case book.Tools:
		if i.Task {
			o.Tasks = &i.Task
		}
		a, err = s.CallTool(ctx, i.ID, i.Args, o)
	case book.Prompts:
		a, err = s.Prompt(ctx, i.ID, i.Args, o)
	default:
		a, err = s.Read(ctx, i.ID, o)
	}
	if err == nil {
		a, err = s.Finish(ctx, a, o) // what it asks back comes to the desk
	}
	if made := madeTask(a, i.ID); err == nil && made != nil {
		return made
	}
	if err == nil && a.Cached {
		return doneMsg{"served from cache, " + kit.Ago(a.Age) + " old — R asks the server", false}
	}
	return failed(ctx, err)
}

// options are those of a request whose _meta a person may have changed.
func options(m *kit.Meta) session.CallOptions {
	if m == nil {
		return session.CallOptions{}
	}
	omit, set := session.SplitMeta(jsondoc.Parse(m.Ours).Root(), jsondoc.Parse(m.Written).Root())
	return session.CallOptions{OmitMeta: omit, SetMeta: set}
}

// sendAgain sends the params of an earlier request once more, under the metadata of now.
func (m *Model) sendAgain(ref wire.Ref) tea.Cmd {
	row := m.book.Timeline.Row(ref)
	if row == nil || row.X.Request == nil || row.X.Request.Method == "" {
		m.say("there is no request to send again", true)
		return nil
	}
	s, ctx := m.o.Session, m.ctx
	method := row.X.Request.Method
	if method == "tools/call" {
		// Its headers are made from the tool's schema: the session knows how.
		return func() tea.Msg {
			return use(ctx, s, kit.Use{Kind: book.Tools, ID: row.Of, Args: catalogue.SentArgs(row)})
		}
	}
	params := catalogue.SentParams(row)
	return func() tea.Msg {
		a, err := s.Do(ctx, session.Request{Method: method, Params: params})
		if err == nil {
			_, err = s.Finish(ctx, a, session.CallOptions{})
		}
		return failed(ctx, err)
	}
}
