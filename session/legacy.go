package session

import (
	"context"
	"slices"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// What only the revisions before 2026-07-28 have: a log level for the whole session, and subscriptions to single
// resources. Since then both go with single requests (_meta logLevel, subscriptions/listen).

// SetLevel asks a legacy server for log messages from a level on, for the whole session (server/utilities/logging).
// *Unsupported from 2026-07-28 on. An error answer of the server is no Go error; see Call.Wait.
func (s *Session) SetLevel(ctx context.Context, level string) (Answer, error) {
	return s.old(ctx, mcp.SetLevel, "level", level)
}

// Subscribe asks a legacy server to say when a resource changes (server/resources, Subscriptions): it then sends
// notifications/resources/updated, over Streamable HTTP on the stream of Info.Stream. In a new session that follows a
// lost one it is asked for again. *Unsupported from 2026-07-28 on: see Listen.
func (s *Session) Subscribe(ctx context.Context, uri string) (Answer, error) {
	a, err := s.old(ctx, mcp.ResourcesSubscribe, "uri", uri)
	if err == nil && a.OK() {
		s.mu.Lock()
		if !slices.Contains(s.watched, uri) {
			s.watched = append(s.watched, uri)
		}
		s.mu.Unlock()
	}
	return a, err
}

// Unsubscribe ends what Subscribe asked for.
func (s *Session) Unsubscribe(ctx context.Context, uri string) (Answer, error) {
	s.mu.Lock()
	s.watched = slices.DeleteFunc(s.watched, func(u string) bool { return u == uri })
	s.mu.Unlock()
	return s.old(ctx, mcp.ResourcesUnsubscribe, "uri", uri)
}

// Watched are the resources that are subscribed to by Subscribe, in the order of asking.
func (s *Session) Watched() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.watched)
}

// old sends a request with one text that only legacy revisions have.
func (s *Session) old(ctx context.Context, method, name, value string) (Answer, error) {
	d, _, err := s.ready()
	if err != nil {
		return Answer{}, err
	}
	if d.modern {
		return Answer{}, &Unsupported{What: method, Version: d.version}
	}
	return s.Do(ctx, Request{Method: method, Params: appendObject(nil, []Member{{name, jsondoc.AppendQuote(nil, value)}})})
}

// begun asks a session that has just begun for what the person wants all the time: log messages, and after a lost
// session the subscriptions of that one.
func (s *Session) begun(ctx context.Context) {
	info := s.Info()
	if info.Era != Legacy {
		return
	}
	if level := s.logLevel(); level != "" {
		if !info.Has("logging") {
			s.note("warning", "log messages were asked for, but the server does not declare logging: "+mcp.SetLevel+" is not sent")
		} else if a, err := s.SetLevel(ctx, level); err != nil {
			s.note("warning", "asking for log messages: "+err.Error())
		} else if e := a.Err(); e.Exists() {
			s.note("warning", "asking for log messages from "+level+" on was refused: "+clip(e.Get("message").Text(), 200))
		}
	}
	for _, uri := range s.Watched() {
		if _, err := s.Subscribe(ctx, uri); err != nil {
			s.note("warning", "subscribing to "+uri+" again: "+err.Error())
		}
	}
}
