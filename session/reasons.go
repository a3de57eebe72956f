package session

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"mcploupe/session/transport"
	"mcploupe/session/wire"
)

// stray is what a server said, before anything was agreed on, that is no message: the banner of a server that
// prints to stdout, the usage of a program that wants another argument.
type stray struct {
	lines int
	first string // of the first line that says something, as it came
}

// note takes a frame that is no message.
func (t *stray) note(m *wire.Message) {
	t.lines++
	if t.first == "" {
		first, _, _ := strings.Cut(strings.TrimSpace(string(m.Body[:min(len(m.Body), 1<<10)])), "\n")
		t.first = strings.TrimSpace(first)
	}
}

// likely is what to try after an attempt that brought nothing, when whoever failed had no advice of its own.
// s.mu is held; exit is the end of a child that ended by itself, nil while it goes on.
func (s *Session) likely(o outcome, exit *wire.Exit) string {
	if s.info.Kind != "stdio" {
		return nobodyAt(s.target.URL, o.text)
	}
	switch lines := s.stray; {
	case lines.lines > 0:
		first := "“" + clip(lines.first, 80) + "”"
		count := "it wrote a line to stdout that is no message: " + first
		if lines.lines > 1 {
			count = fmt.Sprintf("it wrote %d lines to stdout that are no messages, first %s", lines.lines, first)
		}
		if exit != nil && !exit.Ours {
			return count + "; perhaps that says why it ended"
		}
		return count + "; stdout is for messages alone, what is for people belongs on stderr. Or it needs an argument to speak MCP on stdio"
	case exit == nil && o.silent():
		return "it runs, but wrote nothing to stdout: perhaps it needs an argument to speak MCP on stdio, or it serves HTTP and is opened by its URL; " +
			"if it is only slow to start, --timeout 2m waits longer"
	}
	return ""
}

// nobodyAt is what to try when no connection came about. The words are those of the net package and of the
// systems, which no value tells apart on all of them.
func nobodyAt(address, text string) string {
	text = strings.ToLower(text)
	host := address
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		host = u.Host
	}
	switch {
	case strings.Contains(text, "connection refused"), strings.Contains(text, "actively refused"):
		return "nothing listens on " + host + ": is the server running, and is this its port?"
	case strings.Contains(text, "no such host"), strings.Contains(text, "server misbehaving"), strings.Contains(text, "name resolution"):
		return "the name " + host + " is unknown: is it spelled right, and is the network there?"
	case strings.Contains(text, "server gave http response to https"):
		return "it speaks http, not https: write http:// instead"
	case strings.Contains(text, "certificate"), strings.Contains(text, "x509"):
		return "its certificate is not trusted: --cacert FILE names who signed it, --insecure does without a check"
	case strings.Contains(text, "i/o timeout"), strings.Contains(text, "no route to host"), strings.Contains(text, "network is unreachable"):
		return "nothing answers at " + host + ": is the address right, and is a firewall or a proxy in between?"
	}
	return ""
}

// distinct is a list without what it has already said: a PATH often names a directory twice.
func distinct(list []string) []string {
	var out []string
	for _, one := range list {
		if !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

// startHint says what to try when a command could not be started.
func startHint(e *transport.StartError) string {
	var hints []string
	if e.Hint != "" {
		hints = append(hints, e.Hint)
	}
	if len(e.Near) > 0 {
		hints = append(hints, "similar names: "+strings.Join(e.Near, ", "))
	}
	if len(e.Searched) > 0 {
		hints = append(hints, "searched: "+strings.Join(distinct(e.Searched), ", "))
	}
	return strings.Join(hints, "; ")
}
