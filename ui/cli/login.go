package cli

import (
	"bufio"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"mcploupe/session"
	"mcploupe/session/oauth"
)

// loginFlags are the words about authorization over HTTP.
type loginFlags struct {
	on          bool
	clientID    string
	secret      string
	key         string
	issuer      string
	document    string
	credentials bool
	scopes      []string
	port        int
	callback    string
	store       string
}

func (l *loginFlags) register(s *pflag.FlagSet) {
	s.BoolVar(&l.on, "login", false, "log in when the server asks for it (OAuth): the address to open is printed, nothing is opened")
	s.StringVar(&l.clientID, "client-id", "", "`id` of a client that was registered by hand with the authorization server")
	s.StringVar(&l.secret, "client-secret", "", "its secret: `@file`, or the name of an environment variable")
	s.StringVar(&l.key, "client-key", "", "a PEM key to sign with instead (private_key_jwt): `@file`, or the name of an environment variable")
	s.StringVar(&l.issuer, "client-issuer", "", "`issuer` that --client-id belongs to; it is shown to no other")
	s.StringVar(&l.document, "client-metadata", "", "https `URL` of a client ID metadata document to be known by")
	s.BoolVar(&l.credentials, "client-credentials", false, "log in as the client itself, without a person; needs --client-id and --client-secret or --client-key")
	s.StringArrayVar(&l.scopes, "scope", nil, "`scope` to ask for, instead of those that the server names; may be repeated")
	s.IntVar(&l.port, "oauth-port", 0, "`port` on 127.0.0.1 that the browser comes back to; 0 is a free one")
	s.StringVar(&l.callback, "oauth-callback", "wait", "wait for the person's browser, or auto: fetch the authorization page ourselves, for test servers that ask nobody")
	s.StringVar(&l.store, "token-store", "", "`file` for tokens, readable by its owner alone (default: tokens.json beside the configuration), or none")
}

// authorizer is who gets tokens for a target; nil without --login.
func (l *loginFlags) authorizer(io streams, t session.Target, protocol string, prompt bool) (session.Authorizer, error) {
	if !l.on {
		return nil, l.alone()
	}
	if t.URL == "" {
		return nil, usage("a server that is started gets its credentials with --env", "--login is for servers with a URL")
	}
	if u, err := url.Parse(t.URL); err == nil && u.User != nil {
		return nil, usage("leave out one of them", "--login and a user in the URL exclude each other")
	}
	for _, f := range t.Header {
		if strings.EqualFold(f.Name, "Authorization") {
			return nil, usage("leave out one of them", "--login and an Authorization header exclude each other")
		}
	}
	if err := oneOf("oauth-callback", l.callback, "wait", "auto"); err != nil {
		return nil, err
	}
	cfg := oauth.Config{
		ClientID: l.clientID, Issuer: l.issuer, ClientDocument: l.document, ClientCredentials: l.credentials,
		Port: l.port, Store: l.keeper(), Old: protocol == "2025-03-26",
	}
	for _, s := range l.scopes {
		cfg.Scopes = append(cfg.Scopes, strings.Fields(s)...)
	}
	secret, err := secretFlag("client-secret", l.secret)
	if err != nil {
		return nil, err
	}
	cfg.ClientSecret = strings.TrimSpace(string(secret))
	if cfg.PrivateKey, err = secretFlag("client-key", l.key); err != nil {
		return nil, err
	}
	if cfg.Auto = l.callback == "auto"; prompt && !cfg.Auto {
		cfg.Visit = askPerson(io)
	}
	c, err := oauth.New(cfg)
	if err != nil {
		return nil, usage("", "--login: %w", err)
	}
	return c, nil
}

// alone complains about words that do nothing without --login.
func (l *loginFlags) alone() error {
	for name, set := range map[string]bool{
		"client-id": l.clientID != "", "client-secret": l.secret != "", "client-key": l.key != "", "client-metadata": l.document != "",
		"client-credentials": l.credentials, "scope": len(l.scopes) > 0,
	} {
		if set {
			return usage("add --login", "--%s does nothing without --login", name)
		}
	}
	return nil
}

func (l *loginFlags) keeper() *oauth.Store {
	path := l.store
	if path == "" {
		if dir := configDir(); dir != "" {
			path = filepath.Join(dir, "tokens.json")
		}
	}
	if path == "" || path == "none" {
		return nil
	}
	return oauth.NewStore(path)
}

// secretFlag reads a secret from where the process list and the shell's history do not show it.
func secretFlag(flag, value string) ([]byte, error) {
	if value == "" {
		return nil, nil
	}
	if name, ok := strings.CutPrefix(value, "@"); ok {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, usage("", "reading --%s: %w", flag, err)
		}
		return text, nil
	}
	text := os.Getenv(value)
	if text == "" {
		return nil, usage("write @file, or the name of an environment variable that holds it; never the secret itself", "--%s: there is no such environment variable", flag)
	}
	return []byte(text), nil
}

// askPerson prints the page to visit. On a terminal, the address that a browser on another machine ended
// at can be typed in.
func askPerson(io streams) func(ctx context.Context, address, back string) (string, error) {
	return func(_ context.Context, address, back string) (string, error) {
		fmt.Fprintf(io.err, "mcploupe: the server wants a login. Open this address in a browser:\n\n  %s\n\n", safe(address))
		if !isTerminal(io.in) {
			return "", nil
		}
		fmt.Fprintf(io.err, "Waiting for it to come back to %s.\nIf the browser is on another machine, paste the address it ends at (its page will not load): ", back)
		lines := bufio.NewScanner(io.in)
		for lines.Scan() {
			if line := strings.TrimSpace(lines.Text()); line != "" {
				return line, nil
			}
		}
		return "", nil
	}
}
