package inspect

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// get asks for an event stream.
func (s *scene) get() {
	s.lane++
	head := &wire.Head{Method: "GET", URL: cmpOr(s.at, sceneURL), Proto: "HTTP/1.1",
		Header: []wire.Field{{Name: "Accept", Value: "text/event-stream"}}}
	if s.revision() >= mcp.R20250618 {
		head.Header = append(head.Header, wire.Field{Name: mcp.HeaderProtocolVersion, Value: s.revision()})
	}
	head = s.sendEdit.head(head)
	s.sendEdit = nil
	s.frames = append(s.frames, s.add(wire.Entry{Lane: &wire.Lane{ID: s.lane, Kind: wire.LaneOpen, HTTP: head}}))
	s.stream = &asked{id: "get", lane: s.lane}
	s.noted = s.stream
}

// fetch is a line "*".
func (s *scene) fetch(text string) error {
	word, rest, _ := strings.Cut(text, " ")
	at, rest, _ := strings.Cut(strings.TrimSpace(rest), " ")
	words := []string{wire.ForResource, wire.ForServer, wire.ForRegister, wire.ForToken, wire.ForRedirect}
	i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, word) })
	if i < 0 || at == "" {
		return fmt.Errorf("a fetch is for resource, server, registration, token or redirect, then where")
	}
	f := &wire.Fetch{For: words[i], Request: &wire.Head{Method: "GET", URL: at}}
	if i == 2 || i == 3 {
		f.Request.Method = "POST"
	}
	status, body, _ := strings.Cut(strings.TrimSpace(rest), " ")
	if status != "" && status != "nothing" {
		n, err := strconv.Atoi(status)
		if err != nil {
			return fmt.Errorf("reading the status: %w", err)
		}
		f.Response = s.recvEdit.head(&wire.Head{Status: n, Proto: "HTTP/1.1", Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}}})
		f.Body = []byte(strings.TrimSpace(body))
	}
	s.recvEdit = nil
	s.frames = append(s.frames, s.add(wire.Entry{Fetch: f}))
	return nil
}
