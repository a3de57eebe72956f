// Package oauth gets an access token for an MCP server over HTTP: it reads the challenge, finds the
// authorization server, becomes a client of it, and takes the person through the login (2026-07-28
// basic/authorization and the client credentials extension). Every step is a value that can be shown.
//
// What to ask next is decided by pure functions (discover.go, scopes.go); the rest is a thin shell
// around net/http that is bounded in time and bytes, takes no plain http beyond this machine, and sends
// nothing secret anywhere but to the endpoints of the one authorization server that it is for.
//
// It must never know: MCP messages, the journal, rules, screens.
package oauth

import "fmt"

// Step is one thing that happened on the way to a token, fit to be shown and written down: secrets in
// it are replaced by ***.
type Step struct {
	Name     string // one of the Step… names
	Text     string // one sentence: what was done or learned
	Request  *Head  // the HTTP request, when there was one (one that was not made for a reason in Text included); StepRedirect: the browser's, to us
	Response *Head  // what came back; nil when nothing did
	Failed   bool   // this way leads nowhere; the next one may
	Rule     string // StepRefused: the rule that the other side breaks, see Refusal
}

// The steps, in their usual order.
const (
	StepChallenge = "challenge"         // the 401 or 403 that asks for a token
	StepResource  = "resource metadata" // RFC 9728
	StepServer    = "server metadata"   // RFC 8414, OpenID Connect Discovery
	StepClient    = "client"            // who we are for the authorization server
	StepRegister  = "registration"      // RFC 7591
	StepScopes    = "scopes"
	StepAuthorize = "authorize" // the page that the person has to visit; the text holds its whole address
	StepRedirect  = "redirect"  // where the browser came back to
	StepToken     = "token"
	StepRefresh   = "refresh"
	StepStore     = "store"
	StepRefused   = "refused" // why there is no token
)

// Head is an HTTP message of the flow with its body, masked and cut to what people read.
type Head struct {
	Method, URL string // of a request
	Status      int    // of a response
	Header      []Field
	Body        string
}

// Field is one HTTP header field.
type Field struct{ Name, Value string }

// Refusal says why no token could be had. Rule is the id of the auth rule that the other side breaks,
// "" when it is nobody's fault or has no rule.
type Refusal struct {
	Step string // the step that failed
	Rule string
	Text string
	Hint string // what to try, "" for nothing
	Err  error  // the cause, if it was an error of the network or the caller's context
}

func (e *Refusal) Error() string {
	s := "authorization (" + e.Step + "): " + e.Text
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *Refusal) Unwrap() error { return e.Err }

func refuse(step, rule, format string, a ...any) *Refusal {
	return &Refusal{Step: step, Rule: rule, Text: fmt.Sprintf(format, a...)}
}

func (e *Refusal) hint(text string) *Refusal { e.Hint = text; return e }
func (e *Refusal) because(err error) *Refusal {
	e.Err = err
	return e
}
