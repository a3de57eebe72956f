package session

import (
	"context"
	"fmt"

	"mcploupe/session/transport"
)

// hide makes the secrets of the target known: what the child gets in its environment and among its words, credentials in headers
// and in a URL.
func (t Target) hide(secrets *transport.Secrets) {
	secrets.AddEnv(t.Env)
	secrets.AddWords(t.Argv)
	for _, f := range t.Header {
		secrets.AddHeader(f.Name, f.Value)
	}
	secrets.AddURL(t.URL)
}

// Words is the command of the target as it may be shown or kept: without what is secret by its place or look, and without what the
// child gets in its environment and the secrets given. nil for a URL.
func (t Target) Words(known ...string) []string {
	if len(t.Argv) == 0 {
		return nil
	}
	secrets := transport.NewSecrets(known...)
	t.hide(secrets)
	return secrets.Words(t.Argv)
}

// forPeople names the target, masked.
func (t Target) forPeople(secrets *transport.Secrets) string {
	if t.URL != "" {
		return secrets.Text(transport.MaskURL(t.URL))
	}
	return transport.CommandLine(secrets.Words(t.Argv))
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
