package book

import "strings"

// About is the server in one line: name, version, and the revision that is spoken with it; "" while nothing is known. Escaped.
func (s *Server) About() string {
	var parts []string
	for _, part := range []string{s.Name() + " " + s.ServerVersion(), s.Version + " " + s.Era} {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " · ")
}
