package session

import (
	"context"
)

// LogFrom asks for log messages from a level on, "" for none, with every request from now on (2026-07-28: _meta logLevel).
// Of a server older than that it is asked at once and for the whole session (logging/setLevel), which cannot be taken back:
// "" then only keeps it from being asked for in the next session. The Answer is empty where nothing was sent.
func (s *Session) LogFrom(ctx context.Context, level string) (Answer, error) {
	s.mu.Lock()
	s.opt.LogLevel, s.dialect.logLevel = level, level
	legacy := s.info.Era == Legacy
	s.mu.Unlock()
	if !legacy || level == "" {
		return Answer{}, nil
	}
	return s.SetLevel(ctx, level)
}

func (s *Session) logLevel() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.opt.LogLevel
}
