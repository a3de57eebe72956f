package transport

import (
	"net/http"
	"time"

	"mcploupe/session/wire"
)

// StdioOptions say which command to start and how.
type StdioOptions struct {
	// Argv is the command and its arguments, each one argument of the child. A leading "~/" of the
	// command is the home directory; arguments are passed as they are.
	Argv []string
	// Env is K=V for the child, over the inherited environment. A later entry wins.
	Env []string
	// CleanEnv starts the child with Env alone.
	CleanEnv bool
	// Dir is the child's working directory, "" for ours. A leading "~" is the home directory.
	Dir string
	// MaxMessage is the length up to which a message is kept whole; 0 means DefaultMaxMessage.
	MaxMessage int64
	// Grace is how long a child may go on after its stdin was closed, and again after SIGTERM;
	// 0 means DefaultGrace.
	Grace time.Duration
}

// DefaultGrace is StdioOptions.Grace when none is given.
const DefaultGrace = 2 * time.Second

// HTTPOptions say how to reach an HTTP endpoint. The proxy is taken from the environment
// (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
type HTTPOptions struct {
	// URL is the endpoint, http or https. User and password in it become an Authorization field.
	URL string
	// Header goes with every request, names spelled as here.
	Header []wire.Field
	// MaxMessage is the length up to which a body or an event is kept whole; 0 means DefaultMaxMessage.
	MaxMessage int64
	// CAFile names a PEM file of certificates to trust beside the system's, "" for none.
	CAFile string
	// Insecure accepts any https certificate.
	Insecure bool
	// Bearer gives the access token to send with each request of this endpoint, "" for none; nil for
	// never. A field Authorization of Header, or of the message, stands instead.
	Bearer func() string
	// RoundTripper replaces the network; tests give their own. CAFile and Insecure do not apply to it.
	RoundTripper http.RoundTripper
}
