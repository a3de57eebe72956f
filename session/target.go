package session

import (
	"context"
	"fmt"
	"net/url"

	"mcploupe/session/transport"
)

// hide makes the secrets of the target known: what the child gets in its environment, credentials in
// headers, the password in a URL.
func (t Target) hide(secrets *transport.Secrets) {
	secrets.AddEnv(t.Env)
	for _, f := range t.Header {
		secrets.AddHeader(f.Name, f.Value)
	}
	if u, err := url.Parse(t.URL); err == nil && u.User != nil {
		if p, ok := u.User.Password(); ok {
			secrets.Add(p)
		}
	}
}

// forPeople names the target, masked.
func (t Target) forPeople(secrets *transport.Secrets) string {
	if t.URL != "" {
		return secrets.Text(transport.MaskURL(t.URL))
	}
	return secrets.Text(transport.CommandLine(t.Argv))
}

// openTransport opens a real transport. The channel lives until it is closed; ctx bounds the opening.
func openTransport(ctx context.Context, how Opening) (transport.Conn, error) {
	t := how.Target
	web := transport.HTTPOptions{URL: t.URL, Header: t.Header, CAFile: t.CAFile, Insecure: t.Insecure, Bearer: how.Bearer}
	switch how.Kind {
	case "stdio":
		return transport.StartStdio(ctx, transport.StdioOptions{Argv: t.Argv, Env: t.Env, CleanEnv: t.CleanEnv, Dir: t.Dir}, how.Tap)
	case "http":
		return transport.NewHTTP(web, how.Tap)
	case "sse":
		return transport.NewSSE(ctx, web, how.Tap)
	}
	return nil, fmt.Errorf("no such transport: %q", how.Kind)
}
