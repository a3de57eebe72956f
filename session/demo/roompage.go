package demo

import (
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"strings"
)

// greeting says where a room is, and who can come in.
func (r *Room) greeting(addr string, bound net.Addr) string {
	_, port, _ := net.SplitHostPort(bound.String())
	hosts := []string{bound.String()}
	if Everywhere(addr) {
		hosts = nil
		for _, ip := range ownAddresses() {
			hosts = append(hosts, net.JoinHostPort(ip, port))
		}
		if len(hosts) == 0 {
			hosts = []string{net.JoinHostPort("127.0.0.1", port)}
		}
	}
	for _, name := range r.opt.Hosts {
		hosts = append(hosts, net.JoinHostPort(name, port))
	}
	var b strings.Builder
	fmt.Fprintln(&b, r.shared.greeting("http://"+hosts[0]+Path))
	for i, host := range hosts {
		words := "or"
		if i == 0 {
			words = "each learner's own world"
		}
		fmt.Fprintf(&b, "%s: http://%s/NAME%s (what to type: http://%s/)\n", words, host, Path, host)
	}
	if Reachable(addr) {
		b.WriteString("open to the network: whoever reaches this machine can come in")
		if r.opt.Login {
			b.WriteString("; the login asks for no password")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// ownAddresses are the addresses under which others may reach this machine.
func ownAddresses() []string {
	var all []string
	found, _ := net.InterfaceAddrs() // without them a person has to look by himself
	for _, a := range found {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			all = append(all, ip.IP.String())
		}
	}
	return all
}

// page says to a person with a browser what this is. Nothing of the request becomes markup, and no script runs.
func (r *Room) page(w http.ResponseWriter, q *http.Request, p place, status int) {
	if !r.shared.trustedHost(q) {
		http.Error(w, "Forbidden: the station is not known by this name", http.StatusForbidden)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, r.pageText(q.Host, p)) // whoever is gone needs no page
}

// pageText is the page for a host as the browser named it.
func (r *Room) pageText(host string, p place) string {
	own := p
	what := "Put your own name for <b>NAME</b>: letters, digits and <code>- . _</code>, at most 32."
	if p.name == "" {
		own.name, own.key = "NAME", "NAME"
	} else {
		what = "This is your own address; nobody else disturbs what you do there."
	}
	at := "http://" + host + own.at(Path)
	fault, riddles := "ttl-negative", " A number from 1 to 9999 in its place chooses one and does not say which."
	if r.opt.Era == Legacy {
		fault, riddles = "tool-nameless", ""
	}
	faulty := "http://" + host + "/" + own.name + "+" + fault + Path
	login := ""
	if r.opt.Login {
		login = " --login"
	}
	var b strings.Builder
	b.WriteString(`<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Skerry Light</title>
<style>body{font:17px/1.55 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem;color:#1b2733;background:#fbfaf6}h1,h2{line-height:1.2}h2{font-size:1.1rem;margin-top:2rem}code,pre{font:15px/1.5 ui-monospace,monospace;overflow-wrap:anywhere}pre{background:#eef0ee;padding:.7rem 1rem;white-space:pre-wrap}.at{font-size:1.1rem}</style>
<h1>Skerry Light</h1>
<p>A weather station in a lighthouse that speaks MCP, the Model Context Protocol: the practice server of mcploupe. All data is invented, and nobody needs a password.</p>
<h2>Your address</h2>
`)
	section := func(title, text string, lines ...string) {
		if title != "" {
			b.WriteString("<h2>" + html.EscapeString(title) + "</h2>\n")
		}
		if text != "" {
			b.WriteString("<p>" + text + "</p>\n")
		}
		if len(lines) > 0 {
			b.WriteString("<pre>" + html.EscapeString(strings.Join(lines, "\n")) + "</pre>\n")
		}
	}
	section("", "", at)
	section("", what+" The first request makes a station of your own there: its log book, instruments, subscriptions and tasks are yours alone. "+
		"It is forgotten after three hours without a request. <code>"+html.EscapeString("http://"+host+Path)+"</code> is one that all share.")
	section("What to type", "", "mcploupe"+login+" "+at, "mcploupe list tools"+login+" "+at, "mcploupe call get_weather --arg location=Fairhaven"+login+" "+at,
		"mcploupe check"+login+" "+at, "mcploupe listen --tools"+login+" "+at)
	if login == "" && r.opt.Era != Legacy { // else one has to log in, or to initialize, first
		section("The same without mcploupe", "", `curl -s `+at+` -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' \`,
			`  -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: server/discover' \`,
			`  -d '{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"curl","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}'`)
	}
	section("A station that misbehaves", "A <code>+</code> and the name of a fault behind the name makes another world that does something wrong; more than one may stand there. "+
		"<code>mcploupe demo --faults</code> lists them with the rule that finds each."+riddles, "mcploupe check"+login+" "+faulty)
	speaks := map[Era]string{Both: "2026-07-28, and revisions from 2024-11-05 to 2025-11-25 for whoever begins with initialize", Modern: "2026-07-28 alone", Legacy: "revisions from 2024-11-05 to 2025-11-25"}[r.opt.Era]
	section("", html.EscapeString(fmt.Sprintf("It speaks %s. %d of %d worlds are in use.", speaks, r.count(), r.most)))
	if r.opt.Era != Modern {
		section("", "For clients of 2024-11-05 there is HTTP+SSE at <code>"+html.EscapeString("http://"+host+own.at(SSEPath))+"</code>.")
	}
	b.WriteString("</html>\n")
	return b.String()
}
