package demo

import (
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
)

// Bind completes an address to listen on: without a host it is the loopback one, so that nobody outside
// this machine is served by accident. "8080", ":8080" and "localhost:8080" all stay on this machine;
// "0.0.0.0:8080" is how to be reachable from elsewhere.
func Bind(addr string) string {
	if !strings.Contains(addr, ":") {
		addr = ":" + addr
	}
	if host, port, err := net.SplitHostPort(addr); err == nil && host == "" {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}

// Reachable tells whether an address leads to more than this machine, as far as that can be seen: a name that is no
// loopback one may be anything.
func Reachable(addr string) bool {
	host, _, err := net.SplitHostPort(Bind(addr))
	return err == nil && !isLoopback(host)
}

// Everywhere tells whether an address stands for all addresses of this machine, so that none of them is its own.
func Everywhere(addr string) bool {
	host, _, err := net.SplitHostPort(Bind(addr))
	ip := net.ParseIP(host)
	return err == nil && ip != nil && ip.IsUnspecified()
}

// trustedOrigin lets in whatever is no browser, and pages from this machine or from the very host that is
// asked (transports/streamable-http, Security & Endpoint 1).
func trustedOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (isLoopback(u.Hostname()) || u.Host != "" && u.Host == r.Host)
}

// trustedHost guards against DNS rebinding, by which a web page speaks to a server inside through a name of its own: who
// comes from this machine must ask for a loopback name, who comes from elsewhere for an address or this machine's name.
// Options.Hosts are names besides.
func (s *Server) trustedHost(r *http.Request) bool {
	host := hostOf(r.Host)
	if isLoopback(host) || slices.ContainsFunc(s.opt.Hosts, func(name string) bool { return strings.EqualFold(name, host) }) {
		return true
	}
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok {
		return true
	}
	if local, _, err := net.SplitHostPort(addr.String()); err == nil && isLoopback(local) {
		return false
	}
	return net.ParseIP(host) != nil || ownName(host)
}

// hostOf is a Host header without its port.
func hostOf(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	return strings.Trim(host, "[]")
}

// ownName tells whether this machine goes by a name: its own, whole or short, or that one in the local network.
func ownName(host string) bool {
	own, err := os.Hostname()
	if err != nil || own == "" {
		return false
	}
	short, _, _ := strings.Cut(own, ".")
	return strings.EqualFold(host, own) || strings.EqualFold(host, short) || strings.EqualFold(host, short+".local")
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
