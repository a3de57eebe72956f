package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"mcploupe/session/mcp"
	"mcploupe/session/oauth"
	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// MadeUpToken is an access token that nobody issued, to see whether a server looks at tokens.
const MadeUpToken = "mcploupe-made-up-token"

// Survey looks at how a server asks for authorization, after it refused a request with 401 and no login was made: it
// fetches the metadata that the challenge leads to (GET only, no credentials), and with why (the name of a probe) also
// tries server/discover with MadeUpToken when there is no connection. All of it is recorded. Without a 401, without
// HTTP, or where a login has already asked for the same, it does nothing. The error is that of ctx, or of the network's
// settings.
func (s *Session) Survey(ctx context.Context, why string) error {
	s.mu.Lock()
	ch, phase := s.challenged, s.info.Phase
	s.mu.Unlock()
	if ch.Status == 0 || s.target.URL == "" {
		return nil
	}
	if s.bearer() == nil {
		network, err := transport.Network(transport.HTTPOptions{CAFile: s.target.CAFile, Insecure: s.target.Insecure})
		if err != nil {
			return fmt.Errorf("looking at how the server asks for authorization: %w", err)
		}
		if idle, ok := network.(interface{ CloseIdleConnections() }); ok {
			defer idle.CloseIdleConnections()
		}
		if err := oauth.Explore(ctx, ch, oauth.Help{Network: network, Hide: s.secrets.Add, Tell: s.tellStep}); err != nil {
			return fmt.Errorf("looking at how the server asks for authorization: %w", err)
		}
	}
	if why == "" || phase != wire.Failed {
		return nil
	}
	return s.tryMadeUpToken(ctx, why)
}

// tryMadeUpToken sends one request with a token that nobody issued, over a channel of its own.
func (s *Session) tryMadeUpToken(ctx context.Context, why string) error {
	if err := s.open("http"); err != nil {
		return fmt.Errorf("trying a made-up token: %w", err)
	}
	defer s.shut(context.WithoutCancel(ctx))
	r := Request{Method: mcp.Discover, Why: why, Header: []wire.Field{{Name: "Authorization", Value: "Bearer " + MadeUpToken}}}
	if _, _, err := s.ask(ctx, s.modernDialect(mcp.Latest, ""), r, startOptions{}); err != nil {
		return fmt.Errorf("trying a made-up token: %w", err)
	}
	return nil
}

// challengedBy notes what a refusal asks for, with the lock held.
func (s *Session) challengedBy(h *wire.Head) {
	if h == nil || h.Status != http.StatusUnauthorized {
		return
	}
	if ch, ok := s.challenge(h); ok {
		s.challenged = ch
	}
}

// askedOpening notes what a refusal to open a channel asks for.
func (s *Session) askedOpening(err error) {
	if status, ok := errors.AsType[*transport.StatusError](err); ok {
		s.mu.Lock()
		s.challengedBy(status.Head)
		s.mu.Unlock()
	}
}

// Challenged tells that the server refused a request of this conversation for want of a (good) token.
func (s *Session) Challenged() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.challenged.Status != 0
}

// InSession tells that the conversation is held in a session with an id (Mcp-Session-Id, older revisions over HTTP).
func (s *Session) InSession() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn != nil && s.conn.Kind() == "http" && !s.dialect.modern && s.dialect.session != ""
}

// EndSession tells a server over HTTP that another session, which an answer to initialize opened, is over. Servers may
// refuse that; nothing depends on it.
func (s *Session) EndSession(ctx context.Context, id, version string) {
	s.mu.Lock()
	conn := s.conn
	s.mu.Unlock()
	if conn != nil && conn.Kind() == "http" && id != "" {
		s.deleteSession(ctx, conn, s.legacyDialect(version, id))
	}
}
