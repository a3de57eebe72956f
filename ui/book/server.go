package book

import (
	"time"
	"unicode/utf8"

	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
	"mcploupe/session/wire"
)

// Server is who the other side says it is, and how the connection stands.
type Server struct {
	Phase         wire.Phase // 0 before the first step
	Text          string     // the newest step in words; escaped
	Era, Version  string
	Target, Kind  string // escaped; "stdio", "http", "sse"
	Since         time.Time
	Info          jsondoc.Value // Implementation object, Missing while unknown
	Capabilities  jsondoc.Value
	Instructions  string // raw text of the server: not escaped
	Supported     []string
	Opening       wire.Ref // the exchange that told all this
	Exit          *wire.Exit
	Steps         []Step
	Starts        int           // how many times a connection was begun
	Sessions      int           // how many HTTP sessions were begun in place of one that the server ended
	Try, Tries    int           // it is brought back by itself: which try, of how many; 0 when it is not
	Pause         time.Duration // until that try, from Since on
	stepsDropped  int
	infoFromState string
}

// Beginnings is how many times the server began to know us: whenever it grows, what it said before holds no longer.
func (s *Server) Beginnings() int { return s.Starts + s.Sessions }

// Step is one step of the connection's life with its evidence.
type Step struct {
	At       time.Time
	Phase    wire.Phase
	Text     string // escaped
	Evidence wire.Seq
}

// Name is what the server calls itself, title first; "" while unknown. Escaped. It stands in every drawing, also in the title of the
// terminal's window: of a very long one it is the beginning.
func (s *Server) Name() string {
	if t := s.Info.Get("title").Text(); t != "" {
		return visible.Escape(beginning(t))
	}
	return visible.Escape(beginning(s.Info.Get("name").Text()))
}

// ServerVersion is the version that the server gives itself, of a very long one the beginning. Escaped.
func (s *Server) ServerVersion() string {
	return visible.Escape(beginning(s.Info.Get("version").Text()))
}

// longestName bounds a name, in bytes: no screen is that wide.
const longestName = 400

func beginning(name string) string {
	if len(name) <= longestName {
		return name
	}
	n := longestName
	for n > longestName-utf8.UTFMax && !utf8.RuneStart(name[n]) {
		n--
	}
	return name[:n] + "…"
}

func (s *Server) step(e *wire.Entry) {
	st := e.State
	if st.Phase == wire.Connecting {
		s.Exit = nil // a fresh start: what ended before is history
		s.Starts++
	}
	if st.Session > 0 {
		s.Sessions++
	}
	s.Phase, s.Text, s.Since = st.Phase, visible.Escape(st.Text), e.At
	s.Try, s.Tries, s.Pause = st.Try, st.Tries, st.Pause
	if st.Era != "" {
		s.Era = st.Era
	}
	if st.Version != "" {
		s.Version = visible.Escape(beginning(st.Version))
	}
	if st.Target != "" {
		s.Target = visible.Escape(st.Target)
	}
	if st.Kind != "" {
		s.Kind = st.Kind
	}
	if st.Server != "" && st.Server != s.infoFromState {
		s.infoFromState = st.Server
		s.Info = jsondoc.Parse([]byte(st.Server)).Root()
	}
	s.Steps = append(s.Steps, Step{e.At, st.Phase, s.Text, st.Evidence})
	if len(s.Steps) > MaxSteps {
		s.stepsDropped += len(s.Steps) - MaxSteps
		s.Steps = append([]Step(nil), s.Steps[len(s.Steps)-MaxSteps:]...)
	}
}

const metaServerInfo = "io.modelcontextprotocol/serverInfo"

// learn takes what an opening answer tells.
func (s *Server) learn(x *wire.Exchange) {
	if x.Reply == nil || x.Reply.Kind != wire.Result {
		return
	}
	if x.Request.Aside() && s.Opening != (wire.Ref{}) {
		return // a probe opens nothing
	}
	r := x.Reply.Result()
	switch x.Method() {
	case "initialize":
		if v := r.Get("serverInfo"); v.Exists() {
			s.Info = v
		}
		if v := r.Get("protocolVersion").Text(); v != "" && s.Version == "" {
			s.Version = visible.Escape(beginning(v))
		}
	case "server/discover":
		if v := r.Get("_meta").Get(metaServerInfo); v.Exists() {
			s.Info = v
		}
		s.Supported = s.Supported[:0:0]
		for _, e := range r.Get("supportedVersions").Elements() {
			s.Supported = append(s.Supported, visible.Escape(e.Text()))
		}
	default:
		if v := r.Get("_meta").Get(metaServerInfo); v.Exists() && !s.Info.Exists() {
			s.Info = v
		}
		return
	}
	s.Capabilities = r.Get("capabilities")
	s.Instructions = r.Get("instructions").Text()
	s.Opening = x.Ref()
}
