package session

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// What an answer shows about the era, and how it is told in the sentences of the connection's life.

// outcome is what came of a move.
type outcome struct {
	request   wire.Seq      // the request that was sent, 0 for none
	frame     wire.Seq      // the frame that came back, 0 for none
	message   jsondoc.Value // the JSON-RPC answer; Missing when none came
	status    int           // HTTP status, 0 for none
	mediaType string
	excerpt   string // what a body that is no JSON-RPC says, in a few words
	challenge string // WWW-Authenticate
	location  string // Location
	session   string // Mcp-Session-Id
	end       wire.End
	text      string // why nothing came
	exit      *wire.Exit
	refused   bool   // nothing came at all: not connected, TLS, write error
	cut       bool   // the connection broke inside the answer
	deaf      bool   // stdio: the process goes on, but its output is closed
	opened    bool   // doOpenSSE: the endpoint event came
	kind      string // doReopen: of the channel
	late      bool   // a DiscoverResult for a probe that was given up
}

func (o outcome) result() jsondoc.Value { return o.message.Get("result") }
func (o outcome) err() jsondoc.Value    { return o.message.Get("error") }
func (o outcome) code() int64           { n, _ := o.err().Get("code").Int(); return n }

// silent tells that the other side is there but did not answer in time.
func (o outcome) silent() bool { return o.end == wire.TimedOut }

// died tells that this process will never answer: it ended, or it closed its output.
func (o outcome) died() bool { return o.exit != nil || o.deaf }

// deathWords say how.
func (o outcome) deathWords() string {
	if o.exit == nil && o.text != "" {
		return o.text
	}
	return exitWords(o.exit)
}

// isDiscoverResult tells whether a result can only come from a modern server's server/discover.
func isDiscoverResult(r jsondoc.Value) bool {
	return r.Get("supportedVersions").Exists() || r.Get("resultType").Exists() ||
		r.Get("capabilities").Exists() && r.Get("ttlMs").Exists()
}

// prerelease tells the codes that drafts of 2026-07-28 used for what are -32020…-32022 now.
func prerelease(code int64) bool { return code == -32001 || code == -32003 || code == -32004 }

// say is the outcome in words, for the sentences of the connection's life.
func (o outcome) say() string {
	status := ""
	if o.status != 0 && o.status != http.StatusOK {
		status = fmt.Sprintf(" (HTTP %d)", o.status)
	}
	switch {
	case o.late:
		return "a late DiscoverResult"
	case o.died():
		return "the end of the process (" + o.deathWords() + ")"
	case o.err().Exists():
		s := "the error " + string(o.err().Get("code").Raw())
		if name := mcp.CodeName(o.code()); name != "" {
			s += " " + name
		}
		if m := o.err().Get("message").Text(); m != "" {
			s += " “" + clip(m, 80) + "”"
		}
		return s + status
	case o.result().Exists():
		return "a result" + status
	case o.message.Exists():
		return "JSON that is no JSON-RPC answer" + status
	case o.status != 0:
		s := fmt.Sprintf("HTTP %d", o.status)
		if t := http.StatusText(o.status); t != "" {
			s += " " + t
		}
		if o.mediaType != "" {
			s += " with " + o.mediaType
		}
		if o.excerpt != "" {
			s += " “" + o.excerpt + "”"
		}
		if o.text != "" {
			s += " (" + o.text + ")"
		}
		return s
	case o.text != "":
		return o.text
	case o.silent():
		return "no answer"
	}
	return "nothing"
}

// excerpt is what a body that is no JSON-RPC says to people: a web page's title, else the beginning of its text.
func excerpt(body []byte) string {
	text := string(body[:min(len(body), 16<<10)])
	if _, after, ok := cutFold(text, "<title"); ok {
		if _, after, ok = strings.Cut(after, ">"); ok {
			text, _, _ = cutFold(after, "</title")
		}
	}
	var plain strings.Builder
	for tag, c := false, 0; c < len(text); c++ {
		switch {
		case text[c] == '<':
			tag = true
			plain.WriteByte(' ')
		case text[c] == '>' && tag:
			tag = false
		case !tag:
			plain.WriteByte(text[c])
		}
	}
	return clip(strings.Join(strings.Fields(strings.ToValidUTF8(plain.String(), "\uFFFD")), " "), 80)
}

// cutFold is strings.Cut without regard to the case of ASCII letters.
func cutFold(s, sep string) (before, after string, found bool) {
	for i := 0; i+len(sep) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(sep)], sep) {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}

// elsewhere says why a redirect is not followed, for people.
func elsewhere(from, location string) string {
	a, errA := url.Parse(from)
	b, errB := url.Parse(location)
	if errA == nil && errB == nil && b.Host != "" && (a.Scheme != b.Scheme || !strings.EqualFold(a.Host, b.Host)) {
		return "it is another origin, which is not to get our credentials"
	}
	return "only 307 and 308 to the same origin keep the message"
}

// common gives the newest modern and the newest legacy version of a list that we speak too.
func common(listed []string) (modern, legacy string) {
	for _, v := range listed {
		switch {
		case !mcp.Known(v):
		case mcp.Modern(v):
			modern = max(modern, v)
		default:
			legacy = max(legacy, v)
		}
	}
	return modern, legacy
}

func commonModern(listed []string) string { m, _ := common(listed); return m }

func hasModern(listed []string) bool {
	for _, v := range listed {
		if mcp.Modern(v) {
			return true
		}
	}
	return false
}

func without(listed []string, tried map[string]bool) []string {
	var rest []string
	for _, v := range listed {
		if !tried[v] {
			rest = append(rest, v)
		}
	}
	return rest
}

// texts are the strings of an array; other elements are passed over.
func texts(v jsondoc.Value) []string {
	var all []string
	for _, e := range v.Elements() {
		if e.Is(jsondoc.String) {
			all = append(all, e.Text())
		}
	}
	return all
}

// enumerate puts a server's list into a sentence, bounded.
func enumerate(list []string) string {
	if len(list) == 0 {
		return "no version"
	}
	const most = 8
	rest := ""
	if len(list) > most {
		rest = fmt.Sprintf(" and %d more", len(list)-most)
		list = list[:most]
	}
	short := make([]string, len(list))
	for i, s := range list {
		short[i] = clip(s, 40)
	}
	return strings.Join(short, ", ") + rest
}

// clip bounds a text of the server's inside a sentence of ours, at a character boundary.
func clip(s string, most int) string {
	n := 0
	for i := range s {
		if n == most {
			return s[:i] + "…"
		}
		n++
	}
	return s
}

// exitWords says how a process ended.
func exitWords(e *wire.Exit) string {
	switch {
	case e == nil:
		return "ended"
	case e.Signal != "":
		return "signal " + e.Signal
	}
	return fmt.Sprintf("exit code %d", e.Code)
}
