package oauth

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"mcploupe/session/statefile"
)

// Store keeps tokens and registrations in a file that only its owner may read. Every entry belongs to one
// issuer, tokens also to one resource: nothing is ever looked up for another. The system's keyring is not
// used: it is absent on the headless machines where this matters most, and would need a library with cgo
// or a running desktop. A nil *Store keeps nothing.
type Store struct {
	path string
}

// NewStore keeps its entries in the file path; it and its directory are made when something is kept.
func NewStore(path string) *Store { return &Store{path: path} }

// Path is where the entries are.
func (s *Store) Path() string {
	if s == nil {
		return ""
	}
	return s.path
}

// Token is what an authorization server gave, for one resource.
type Token struct {
	Issuer   string    `json:"issuer"`
	Resource string    `json:"resource"`
	Server   string    `json:"server"` // URL of the MCP server that it was asked for
	ClientID string    `json:"client_id"`
	Grant    string    `json:"grant"` // "authorization_code" or "client_credentials"
	Access   string    `json:"access_token"`
	Refresh  string    `json:"refresh_token,omitempty"`
	Scopes   []string  `json:"scopes,omitempty"` // granted
	Asked    []string  `json:"asked,omitempty"`  // requested
	Expires  time.Time `json:"expires,omitzero"`

	fresh bool // issued in this run, not by a refresh token: when it is refused, another one would be too
}

// Registration is who we are for one authorization server (RFC 7591).
type Registration struct {
	Issuer   string    `json:"issuer"`
	ClientID string    `json:"client_id"`
	Secret   string    `json:"client_secret,omitempty"`
	Method   string    `json:"token_endpoint_auth_method,omitempty"`
	Port     int       `json:"port"` // of the redirect URI that it was made for
	Expires  time.Time `json:"client_secret_expires_at,omitzero"`
}

type kept struct {
	Version int            `json:"version"`
	Tokens  []Token        `json:"tokens"`
	Clients []Registration `json:"clients"`
}

// mostBytes bounds the file.
const mostBytes = 16 << 20

func (s *Store) read() (kept, error) { return s.parse(statefile.Read(s.path, mostBytes)) }

// parse reads what the file holds.
func (s *Store) parse(text []byte, err error) (kept, error) {
	k := kept{Version: 1}
	switch {
	case err != nil:
		return k, fmt.Errorf("reading the kept tokens: %w", err)
	case text == nil:
		return k, nil
	}
	if err := json.Unmarshal(text, &k); err != nil {
		return kept{}, fmt.Errorf("reading the kept tokens in %s: it is no JSON of ours", s.path)
	}
	if k.Version != 1 {
		return kept{}, fmt.Errorf("reading the kept tokens in %s: version %d is not known", s.path, k.Version)
	}
	return k, nil
}

// change rewrites the file. Other processes may do the same: what f gets is what it holds then.
func (s *Store) change(f func(*kept)) error {
	if s == nil {
		return nil
	}
	err := statefile.Change(s.path, mostBytes, func(old []byte, err error) ([]byte, error) {
		k, err := s.parse(old, err)
		if err != nil {
			return nil, err
		}
		f(&k)
		text, err := json.MarshalIndent(k, "", "  ")
		return append(text, '\n'), err
	})
	if err != nil {
		return fmt.Errorf("keeping the tokens: %w", err)
	}
	return nil
}

// token is the newest one kept for an MCP server; ok is false when there is none.
func (s *Store) token(server string) (t Token, ok bool, err error) {
	if s == nil {
		return Token{}, false, nil
	}
	k, err := s.read()
	if err != nil {
		return Token{}, false, err
	}
	for _, one := range k.Tokens {
		if one.Server == server {
			t, ok = one, true
		}
	}
	return t, ok, nil
}

// keepToken puts the token in the place of the one for the same issuer and resource.
func (s *Store) keepToken(t Token) error {
	return s.change(func(k *kept) {
		k.Tokens = append(dropToken(k.Tokens, t), t)
	})
}

// forgetToken forgets this very token; a newer one in its place, which another process got, stays.
func (s *Store) forgetToken(t Token) error {
	return s.change(func(k *kept) {
		k.Tokens = slices.DeleteFunc(k.Tokens, func(old Token) bool {
			return old.Issuer == t.Issuer && old.Resource == t.Resource && old.Access == t.Access
		})
	})
}

func dropToken(list []Token, t Token) []Token {
	var rest []Token
	for _, old := range list {
		if old.Issuer != t.Issuer || old.Resource != t.Resource {
			rest = append(rest, old)
		}
	}
	return rest
}

// client is the registration with an issuer; one whose secret has expired counts as none.
func (s *Store) client(issuer string, now time.Time) (c Registration, ok bool, err error) {
	if s == nil {
		return Registration{}, false, nil
	}
	k, err := s.read()
	if err != nil {
		return Registration{}, false, err
	}
	for _, one := range k.Clients {
		if one.Issuer == issuer && (one.Expires.IsZero() || now.Before(one.Expires)) {
			c, ok = one, true
		}
	}
	return c, ok, nil
}

func (s *Store) keepClient(c Registration) error {
	return s.change(func(k *kept) { k.Clients = append(dropClient(k.Clients, c.Issuer), c) })
}

func (s *Store) forgetClient(issuer string) error {
	return s.change(func(k *kept) { k.Clients = dropClient(k.Clients, issuer) })
}

func dropClient(list []Registration, issuer string) []Registration {
	var rest []Registration
	for _, old := range list {
		if old.Issuer != issuer {
			rest = append(rest, old)
		}
	}
	return rest
}
