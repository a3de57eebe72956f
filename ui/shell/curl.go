package shell

import (
	"errors"
	"strings"

	"mcploupe/session/wire"
)

// Curl is the HTTP request of an exchange as curl would send it: the headers as they were sent, the body byte for byte. Where a
// secret was masked the line has a variable: $TOKEN for a token, else one with the header's name. An error says why there
// is none.
func Curl(x *wire.Exchange) (string, error) {
	var head *wire.Head
	var body []byte
	masked := false
	switch m := x.Request; {
	case m != nil && m.HTTP != nil:
		head, body, masked = m.HTTP, m.Body, m.Masked
		if m.Dropped > 0 {
			return "", errors.New("its body is not kept any more")
		}
	case x.Fetch != nil && x.Fetch.Request != nil:
		head, body, masked = x.Fetch.Request, x.Fetch.Sent, true
	case m != nil:
		return "", errors.New("there is no curl for stdio")
	default:
		return "", errors.New("this was no request of ours")
	}
	lines := []string{"curl -sS -i"}
	add := func(words ...Word) { lines = append(lines, Line(words)) }
	if strings.ContainsAny(head.URL, "[]{}") {
		lines[0] += " -g"
	}
	if method := head.Method; method != "" && (method != "POST" || body == nil) && (method != "GET" || body != nil) {
		add(Text("-X"), Text(method))
	}
	url := Text(head.URL)
	if masked {
		url = Masked(head.URL, "SECRET")
	}
	add(url)
	// Those that curl adds by itself when nobody says anything about them.
	own := map[string]bool{"accept": true, "user-agent": true, "content-type": body != nil}
	for _, f := range head.Header {
		name := strings.ToLower(f.Name)
		delete(own, name)
		switch {
		case name == "content-length" || name == "connection" || name == "host":
			continue // curl makes them
		case name == "accept-encoding":
			add(Text("--compressed"))
			continue
		}
		add(Text("-H"), header(f, masked))
	}
	for _, name := range []string{"Accept", "User-Agent", "Content-Type"} {
		if own[strings.ToLower(name)] {
			add(Text("-H"), Text(name+":"))
		}
	}
	before := ""
	if body != nil {
		if from, ok := printed(string(body)); ok {
			before = from + " | "
			add(Text("--data-binary"), Text("@-"))
		} else {
			add(Text("--data-raw"), Text(string(body)))
		}
	}
	return before + strings.Join(lines, " \\\n  "), nil
}

// header is a field as curl's -H takes it.
func header(f wire.Field, masked bool) Word {
	if f.Value == "" {
		return Text(f.Name + ";") // with a colon it would be taken out
	}
	text := f.Name + ": " + f.Value
	if !masked || !strings.Contains(f.Value, "***") {
		return Text(text)
	}
	if name := strings.ToLower(f.Name); name == "mcp-session-id" { // its beginning is shown, which is no use here
		return Word{{Text: f.Name + ": "}, {Env: Variable(f.Name)}}
	}
	return Masked(text, Variable(f.Name))
}

// Variable is the name of the variable that stands for a header's secret.
func Variable(header string) string {
	if strings.EqualFold(header, "Authorization") {
		return "TOKEN"
	}
	var b strings.Builder
	for i := range len(header) {
		switch c := header[i]; {
		case 'a' <= c && c <= 'z':
			b.WriteByte(c - 'a' + 'A')
		case 'A' <= c && c <= 'Z', '0' <= c && c <= '9' && b.Len() > 0:
			b.WriteByte(c)
		default:
			b.WriteByte('_')
		}
	}
	if b.Len() == 0 {
		return "SECRET"
	}
	return b.String()
}
