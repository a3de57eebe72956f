package oauth

import (
	"context"
	"crypto"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Config says who we are and how the person takes part. The zero Config registers itself, listens on a
// free port of this machine, and leaves it to the Step "authorize" to show the address.
type Config struct {
	// ClientID and ClientSecret are those of a client that was registered by hand. Issuer, when given, is
	// the authorization server they belong to: they are never shown to another. Without it they belong to
	// the first one that they are used with in this run.
	ClientID, ClientSecret, Issuer string
	// PrivateKey is a PEM key to sign with instead of a secret (private_key_jwt).
	PrivateKey []byte
	// ClientDocument is the https address of our Client ID Metadata Document, "" for none.
	ClientDocument string
	// ClientCredentials asks for a token in the client's own name (no person takes part).
	ClientCredentials bool
	// Scopes to ask for at first, instead of those that the challenge or the resource names.
	Scopes []string
	// Port to listen on for the browser, 0 for a free one.
	Port int
	// Visit takes the person to address and gives the address that the browser was sent back to, which
	// begins with back; "" leaves it to the listener alone. It may block until ctx ends: the listener may
	// be faster. nil shows the address in the Step alone. Nothing is opened that the person did not open.
	Visit func(ctx context.Context, address, back string) (string, error)
	// Auto visits the page by itself instead (see Fetch), over the network of Help.
	Auto bool
	// Old says that the conversation is held in protocol version 2025-03-26, whose servers may have their
	// endpoints at fixed paths and no metadata.
	Old bool
	// Patience is how long the person may take, 0 for DefaultPatience.
	Patience time.Duration
	// Store keeps tokens and registrations; nil keeps them for this run only.
	Store *Store
	// Now is the time, nil for the clock.
	Now func() time.Time
}

// DefaultPatience is Config.Patience when none is given.
const DefaultPatience = 5 * time.Minute

// MaxAttempts is how many times one request may lead to a new authorization.
const MaxAttempts = 3

// Challenge is an answer that asks for a (better) token.
type Challenge struct {
	Server    string   // URL of the MCP server
	Status    int      // 401 or 403
	Fields    []string // the WWW-Authenticate fields
	Token     string   // the access token that had been sent, "" for none
	Operation string   // what was asked, like "tools/call add": step-ups are counted for each
	Attempt   int      // how many times this very request was authorized anew before
}

// Help is what the surroundings lend to an authorization.
type Help struct {
	Network http.RoundTripper // nil for the default transport
	Tell    func(Step)        // gets each step as it happens; nil drops them
	Hide    func(string)      // gets each secret before the Step that has to do with it; nil drops them
}

// Client gets tokens for MCP servers. All methods are safe for several goroutines; one authorization runs
// at a time, the others wait for it and use its token.
type Client struct {
	cfg  Config
	key  crypto.Signer
	turn chan struct{}

	mu       sync.Mutex
	tokens   map[string]Token // by MCP server
	asked    map[string]bool  // servers whose kept token was looked for
	clients  map[string]Registration
	bound    string         // the issuer that a client registered by hand is bound to
	upgrades map[string]int // step-ups by operation
}

// New checks a configuration.
func New(cfg Config) (*Client, error) {
	if cfg.Patience <= 0 {
		cfg.Patience = DefaultPatience
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	c := &Client{cfg: cfg, turn: make(chan struct{}, 1), bound: cfg.Issuer,
		tokens: map[string]Token{}, asked: map[string]bool{}, clients: map[string]Registration{}, upgrades: map[string]int{}}
	if len(cfg.PrivateKey) > 0 {
		key, err := readKey(cfg.PrivateKey)
		if err != nil {
			return nil, err
		}
		c.key = key
	}
	switch {
	case cfg.ClientID == "" && (cfg.ClientSecret != "" || c.key != nil):
		return nil, fmt.Errorf("a client secret or key needs the client id it belongs to")
	case cfg.ClientCredentials && (cfg.ClientID == "" || cfg.ClientSecret == "" && c.key == nil):
		return nil, fmt.Errorf("client credentials need a client id, and a secret or a key")
	case cfg.ClientDocument != "" && !documentAddress(cfg.ClientDocument):
		return nil, fmt.Errorf("the address of a client metadata document is https and has a path")
	}
	return c, nil
}

// Secrets are those of the configuration.
func (c *Client) Secrets() []string {
	if c.cfg.ClientSecret == "" {
		return nil
	}
	return []string{c.cfg.ClientSecret}
}

// Bearer is the access token to send to an MCP server, "" while there is none. A token that was kept is
// used until the server refuses it.
func (c *Client) Bearer(server string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t, ok := c.tokens[server]; ok || c.asked[server] {
		return t.Access
	}
	c.asked[server] = true
	t, ok, err := c.cfg.Store.token(server)
	if err != nil || !ok || c.foreign(t) {
		return "" // a store that cannot be read is told when a token is to be kept
	}
	c.tokens[server] = t
	return t.Access
}

// foreign tells whether a kept token is another client's than the one that was asked for.
func (c *Client) foreign(t Token) bool {
	grant := grantCode
	if c.cfg.ClientCredentials {
		grant = grantClient
	}
	return t.Grant != grant || c.cfg.ClientID != "" && t.ClientID != c.cfg.ClientID || c.cfg.Issuer != "" && t.Issuer != c.cfg.Issuer ||
		!covers(union(t.Asked, t.Scopes), c.cfg.Scopes) ||
		!t.Expires.IsZero() && t.Refresh == "" && !c.cfg.Now().Before(t.Expires)
}

// Authorize answers a challenge: it gives a token that is worth trying. The error is a *Refusal, or that
// of ctx while waiting for another authorization.
func (c *Client) Authorize(ctx context.Context, ch Challenge, h Help) (string, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	f := c.flow(ch, h)
	token, err := f.run(ctx)
	if err != nil {
		s := Step{Name: StepRefused, Text: err.Error(), Failed: true}
		if r, ok := err.(*Refusal); ok { //nolint:errorlint // ours, unwrapped
			s.Text, s.Rule = r.Text, r.Rule
		}
		f.tell(s)
		return "", err
	}
	return token, nil
}

func (c *Client) flow(ch Challenge, h Help) *flow {
	f := &flow{c: c, ch: ch, tell: h.Tell, hide: h.Hide}
	if f.tell == nil {
		f.tell = func(Step) {}
	}
	if f.hide == nil {
		f.hide = func(string) {}
	}
	network := h.Network
	if network == nil {
		network = http.DefaultTransport
	}
	f.web = web{network: network, hide: f.hide}
	for _, s := range c.Secrets() {
		f.hide(s)
	}
	return f
}

// current is the token in use for the challenged server.
func (c *Client) current(server string) (Token, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.tokens[server]
	return t, ok
}

// elsewhere takes into use the token that another process got, and kept, since the refused one was read: a refresh token mostly
// works once, and that process has used it.
func (c *Client) elsewhere(server, refused string) {
	t, ok, err := c.cfg.Store.token(server)
	if err != nil || !ok || t.Access == refused || c.foreign(t) || !t.Expires.IsZero() && !c.cfg.Now().Before(t.Expires) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, have := c.tokens[server]; have && old.Access == refused {
		c.tokens[server] = t
	}
}

// take puts a new token into use and keeps it.
func (c *Client) take(t Token) error {
	c.mu.Lock()
	c.tokens[t.Server], c.asked[t.Server] = t, true
	c.mu.Unlock()
	return c.cfg.Store.keepToken(t)
}

// drop forgets a token that is of no use any more.
func (c *Client) drop(t Token) error {
	c.mu.Lock()
	delete(c.tokens, t.Server)
	c.mu.Unlock()
	return c.cfg.Store.forgetToken(t)
}

// allowed decides whether a challenge may lead to an authorization at all. A token is given back when
// somebody else got a new one meanwhile.
func (c *Client) allowed(ch Challenge, d Demand) (token string, refusal *Refusal) {
	if ch.Status == http.StatusUnauthorized && ch.Attempt == 0 {
		c.elsewhere(ch.Server, ch.Token)
	}
	t, have := c.current(ch.Server)
	newer := have && t.Access != ch.Token
	switch {
	case ch.Attempt >= MaxAttempts:
		return "", refuse(StepChallenge, "", "the same request was authorized %d times, and is still refused", ch.Attempt)
	case ch.Status == http.StatusUnauthorized && newer:
		return t.Access, nil
	case ch.Status == http.StatusUnauthorized && ch.Attempt > 0 && have && t.fresh && covers(t.Scopes, d.Scopes):
		return "", refuse(StepChallenge, "", "the token that was just issued is not accepted (HTTP 401)")
	case ch.Status == http.StatusUnauthorized:
		return "", nil
	case d.Error != "insufficient_scope":
		return "", refuse(StepChallenge, "auth-insufficient-scope-shape", "the server forbids this (HTTP %d) and does not say that another scope would help", ch.Status)
	case newer && covers(t.Scopes, d.Scopes):
		return t.Access, nil
	case have && len(d.Scopes) > 0 && covers(t.Scopes, d.Scopes):
		return "", refuse(StepScopes, "", "the server asks for %s, which the token has: another login would change nothing", named(d.Scopes))
	case have && len(d.Scopes) == 0:
		return "", refuse(StepScopes, "auth-insufficient-scope-shape", "the server says that a scope is missing, but not which one")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	key := ch.Server + "\x00" + ch.Operation
	if c.upgrades[key] >= MaxAttempts {
		return "", refuse(StepScopes, "auth-scope-drip", "the server asked for further scopes %d times for the same operation; it would go on", MaxAttempts)
	}
	c.upgrades[key]++
	return "", nil
}

// grants tells whether the authorization server offers a grant, as far as it says.
func (m *Metadata) grants(name string) bool {
	if m.Grants == nil {
		return name == grantCode // the default of RFC 8414
	}
	return slices.Contains(m.Grants, name)
}
