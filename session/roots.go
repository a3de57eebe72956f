package session

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// Root is a directory or file that servers may be told about (client/roots): a URI, today always file://, and a name
// for people, "" for none.
type Root struct{ URI, Name string }

// RootOf reads what a person wrote: a URI as it stands, or a path, which becomes the file:// URI of where it leads from
// here. The path need not exist.
func RootOf(text string) (Root, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Root{}, fmt.Errorf("reading a root: it is empty")
	}
	if u, err := url.Parse(text); err == nil && len(u.Scheme) > 1 { // one letter is a drive
		return Root{URI: text}, nil
	}
	if rest, ok := strings.CutPrefix(text, "~"); ok && (rest == "" || rest[0] == '/') {
		home, err := os.UserHomeDir()
		if err != nil {
			return Root{}, fmt.Errorf("reading a root: %w", err)
		}
		text = home + rest
	}
	path, err := filepath.Abs(text)
	if err != nil {
		return Root{}, fmt.Errorf("reading a root: %w", err)
	}
	name := filepath.Base(path)
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return Root{URI: (&url.URL{Scheme: "file", Path: path}).String(), Name: name}, nil
}

// RootsResult is the result of roots/list, as raw JSON.
func RootsResult(roots []Root) []byte {
	list := []byte{'['}
	for i, r := range roots {
		if i > 0 {
			list = append(list, ',')
		}
		members := []Member{{"uri", quoted(r.URI)}}
		if r.Name != "" {
			members = append(members, Member{"name", quoted(r.Name)})
		}
		list = appendObject(list, members)
	}
	return appendObject(nil, []Member{{"roots", append(list, ']')}})
}

// Roots is the list that roots/list is answered from, in the order in which it was made.
func (s *Session) Roots() []Root {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.roots)
}

// SetRoots replaces the list. Modern servers are told of the capability with the next request. A legacy server to which
// the list was declared with listChanged is sent notifications/roots/list_changed; one to which it was not declared
// learns of it when the connection is opened anew, which told says.
func (s *Session) SetRoots(ctx context.Context, roots []Root) (told string, err error) {
	s.mu.Lock()
	s.roots = slices.Clone(roots)
	conn, d := s.conn, s.dialect
	if conn != nil && d.modern {
		s.dialect.capabilities = s.declared(true)
	}
	s.mu.Unlock()
	switch changes, _ := declaredRoots(d.capabilities).Get("listChanged").Bool(); {
	case conn == nil:
		return "", nil
	case d.modern:
		return "the next request says whether there are any", nil
	case !declaredRoots(d.capabilities).Exists():
		return "roots were not declared to this server: connect again to declare them", nil
	case !changes:
		return "the server was told that the list never changes", nil
	}
	if _, err := s.Notify(ctx, mcp.RootsChanged, nil, ""); err != nil {
		return "", fmt.Errorf("telling the server that the roots changed: %w", err)
	}
	return "the server was told that the list changed", nil
}

func declaredRoots(capabilities []byte) jsondoc.Value {
	return jsondoc.Parse(capabilities).Root().Get("roots")
}

// declared is what we can do: the options' word, and roots when there are any. It is called with the lock held.
func (s *Session) declared(modern bool) []byte {
	if len(s.roots) == 0 || s.opt.Exactly {
		return s.opt.Capabilities
	}
	roots := `{"roots":{"listChanged":true}}`
	if modern {
		roots = `{"roots":{}}`
	}
	return mergeObjects(s.opt.Capabilities, []byte(roots))
}

// declare is declared for who does not hold the lock.
func (s *Session) declare(modern bool) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.declared(modern)
}

// Meta is the _meta that requests of a method carry unless they say otherwise, as a raw JSON object. In place of the
// progress token, which is made anew for each request, stands TokenPlace.
func (s *Session) Meta(method string) []byte {
	s.mu.Lock()
	d := s.dialect
	s.mu.Unlock()
	members := d.meta(Request{Method: method, Tasks: d.modern && method == mcp.ToolsCall && s.DeclaresTasks()}, TokenPlace, jsondoc.Value{})
	return appendObject(nil, members)
}

// TokenPlace stands for the progress token in what Meta gives.
const TokenPlace = "‹the id of the request›"

// SplitMeta compares a _meta that a person wrote with what Meta gave: what has to be left out, and what has to be set
// instead or besides, for a request to carry what was written.
func SplitMeta(ours, written jsondoc.Value) (omit []string, set []Member) {
	for name := range ours.Members() {
		if !written.Get(name).Exists() {
			omit = append(omit, name)
		}
	}
	for name, v := range written.Members() {
		if old := ours.Get(name); !old.Exists() || string(old.Raw()) != string(v.Raw()) && !old.Same(v) {
			set = setMember(set, Member{name, v.Raw()})
		}
	}
	return omit, set
}
