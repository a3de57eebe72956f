package session

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// A server that could not be spoken to is told with what helps: what it printed instead, or that it printed nothing.
func TestWhyThereWasNoConversation(t *testing.T) {
	print := func(f *fake, lines ...string) {
		for _, l := range lines {
			f.tap.Frame(&wire.Frame{Dir: wire.Received, Body: []byte(l)})
		}
	}
	for name, c := range map[string]struct {
		serve func(f *fake, m wire.Message)
		want  string
		never string
	}{
		"a banner": {func(f *fake, m wire.Message) { print(f, "Hello! Welcome", "Listening on stdin…") },
			"lines to stdout that are no messages, first “Hello! Welcome”; stdout is for messages alone", "perhaps that says"},
		"one line": {func(f *fake, m wire.Message) {
			if m.ID == "1" {
				print(f, "  ready\r\nreally")
			}
		}, "it wrote a line to stdout that is no message: “ready”;", "lines"},
		"a usage, then the end": {func(f *fake, m wire.Message) {
			print(f, "usage: server [--stdio]")
			f.exit(wire.Exit{Code: 2, Argv: []string{"fake"}})
		}, "“usage: server [--stdio]”; perhaps that says why it ended", "stderr"},
		"silence":  {func(f *fake, m wire.Message) {}, "it runs, but wrote nothing to stdout", "ended"},
		"an error": {func(f *fake, m wire.Message) { f.error(m, -32000, "no") }, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _, err := converse(t, "stdio", Options{}, c.serve)
				e, ok := errors.AsType[*ConnectError](err)
				switch {
				case !ok:
					t.Errorf("error %v", err)
				case c.want == "" && e.Hint != "", !strings.Contains(e.Hint, c.want), c.never != "" && strings.Contains(e.Hint, c.never):
					t.Errorf("hint %q, want %q and not %q", e.Hint, c.want, c.never)
				}
				shut(t, s)
			})
		})
	}
}

// What a server prints before it is spoken to is told without the secrets that it prints.
func TestAReasonShowsNoSecret(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _, err := converse(t, "stdio", Options{Secrets: []string{"open sesame"}}, func(f *fake, m wire.Message) {
			f.tap.Frame(&wire.Frame{Dir: wire.Received, Body: []byte("the key is open sesame")})
		})
		if e, ok := errors.AsType[*ConnectError](err); !ok || strings.Contains(e.Hint, "sesame") || !strings.Contains(e.Hint, "the key is") {
			t.Errorf("error %v, hint %q", err, e.Hint)
		}
		shut(t, s)
	})
}

func TestWhyNobodyAnswers(t *testing.T) {
	for text, want := range map[string]string{
		"dial tcp 127.0.0.1:9: connect: connection refused":                                                        "nothing listens on h:9",
		"dial tcp [::1]:9: connectex: No connection could be made because the target machine actively refused it.": "nothing listens on h:9",
		"dial tcp: lookup nowhere.invalid: no such host":                                                           "the name h:9 is unknown",
		"tls: failed to verify certificate: x509: certificate signed by unknown authority":                         "--cacert FILE",
		"http: server gave HTTP response to HTTPS client":                                                          "write http:// instead",
		"dial tcp 10.0.0.1:9: i/o timeout":                                                                         "nothing answers at h:9",
		"EOF":                                                                                                      "",
	} {
		got := nobodyAt("https://h:9/mcp", text)
		if !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A command that is named already is not named again.
func TestAStartErrorNamesTheCommandOnce(t *testing.T) {
	e := &transport.StartError{Argv0: "/no/such", Err: errors.New("/no/such: no such file")}
	if got := e.Error(); got != "starting /no/such: no such file" {
		t.Error(got)
	}
}
