package oauth

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/oauth2"
)

// flow is one authorization under way.
type flow struct {
	c      *Client
	ch     Challenge
	web    web
	tell   func(Step)
	hide   func(string)
	known  Known
	client Registration
	back   string // the redirect URI
}

// run answers the challenge.
func (f *flow) run(ctx context.Context) (string, error) {
	d := ReadChallenge(f.ch.Fields)
	f.tell(Step{Name: StepChallenge, Text: challengeWords(f.ch, d), Failed: d.Fault != ""})
	token, refusal := f.c.allowed(f.ch, d)
	if refusal != nil {
		return "", refusal
	}
	if token != "" {
		return token, nil
	}
	if err := f.safeServer(); err != nil {
		return "", err
	}
	f.known = Known{Server: f.ch.Server, Demand: d, Old: f.c.cfg.Old, Prefer: f.c.cfg.Issuer}
	if err := f.discover(ctx); err != nil {
		return "", err
	}
	old, have := f.c.current(f.ch.Server)
	same := have && old.Issuer == f.known.Metadata.Issuer && old.Resource == f.known.Resource.Resource
	if same && f.ch.Status == http.StatusUnauthorized && old.Access == f.ch.Token && old.Refresh != "" && f.ch.Attempt == 0 {
		if t, err := f.refresh(ctx, old); err == nil {
			return t.Access, f.settle(t)
		} else if ctx.Err() != nil {
			return "", err
		}
	}
	var before []string
	if same {
		before = union(old.Asked, old.Scopes)
	}
	if have && f.ch.Status == http.StatusUnauthorized {
		f.kept(f.c.drop(old))
	}
	var t Token
	var err error
	if f.c.cfg.ClientCredentials {
		t, err = f.clientCredentials(ctx, before)
	} else {
		t, err = f.code(ctx, before)
	}
	if err != nil {
		return "", err
	}
	t.fresh = true
	return t.Access, f.settle(t)
}

// safeServer refuses to send tokens in the clear.
func (f *flow) safeServer() error {
	if why := unsafe(f.ch.Server, f.ch.Server); why != "" {
		return refuse(StepChallenge, "", "a token must not be sent to %s: %s", maskURL(f.ch.Server), why)
	}
	return nil
}

func (f *flow) settle(t Token) error {
	f.kept(f.c.take(t))
	return nil
}

// kept tells when something could not be kept: the token is good all the same.
func (f *flow) kept(err error) {
	if err != nil {
		f.tell(Step{Name: StepStore, Text: err.Error() + "; it lasts for this run only", Failed: true})
	}
}

// discover fetches what Known asks for until everything is known.
func (f *flow) discover(ctx context.Context) error {
	for {
		a, more, err := f.known.Next()
		if err != nil {
			return err
		}
		if !more {
			next, assumed := f.known.Assume()
			if assumed {
				f.tell(Step{Name: StepServer, Text: "there is no metadata at all; as in 2025-03-26 the endpoints are taken to be /authorize, /token and /register of the server's origin", Failed: true})
			}
			f.known = next
			break
		}
		if why := f.unsafeAsk(a); why != "" {
			f.known.tried = append(f.known.tried, a.URL)
			f.tell(notFetched(a.Step, a.URL, why))
			continue
		}
		got, sent, came := f.web.do(ctx, outgoing{method: http.MethodGet, url: a.URL, header: []Field{{"Accept", "application/json"}}})
		if ctx.Err() != nil {
			return refuse(a.Step, "", "interrupted").because(context.Cause(ctx))
		}
		next, text, failed, err := f.known.Learn(a, got)
		f.tell(Step{Name: a.Step, Text: text, Request: sent, Response: came, Failed: failed})
		if err != nil {
			return err
		}
		if next.Resource != nil && next.Resource.Guessed && !f.known.guessed() {
			f.tell(Step{Name: StepResource, Text: "there is no resource metadata; as in 2025-03-26 the server's own origin is taken for its authorization server", Failed: true})
		}
		f.known = next
	}
	return nil
}

// notFetched is the step of a request that was not made.
func notFetched(step, at, why string) Step {
	at = maskURL(at)
	return Step{Name: step, Text: "not fetched from " + at + ": " + why, Request: &Head{Method: http.MethodGet, URL: at}, Failed: true}
}

func (k Known) guessed() bool { return k.Resource != nil && k.Resource.Guessed }

// unsafeAsk guards where the server sends us.
func (f *flow) unsafeAsk(a Ask) string {
	namedBy := f.ch.Server
	if a.Step == StepServer {
		namedBy = f.known.Resource.Servers[0]
	}
	return unsafe(a.URL, namedBy)
}

// refresh asks for a new token with the refresh token.
func (f *flow) refresh(ctx context.Context, old Token) (Token, error) {
	if err := f.clientOf(old); err != nil {
		return Token{}, err
	}
	t, err := f.token(ctx, StepRefresh, url.Values{"grant_type": {grantRefresh}, "refresh_token": {old.Refresh}}, old.Scopes)
	if err != nil {
		return Token{}, err
	}
	t.Grant, t.Asked = old.Grant, old.Asked
	if t.Refresh == "" {
		t.Refresh = old.Refresh
	}
	return t, nil
}

// clientOf is the client that a token was given to.
func (f *flow) clientOf(t Token) error {
	f.hide(t.Refresh)
	if cfg := f.c.cfg; t.ClientID == cfg.ClientID && cfg.ClientID != "" {
		if err := f.bind(t.Issuer); err != nil {
			return err
		}
		f.client = Registration{Issuer: t.Issuer, ClientID: cfg.ClientID, Secret: cfg.ClientSecret}
		return nil
	}
	if r, ok, err := f.registered(t.Issuer); err == nil && ok && r.ClientID == t.ClientID {
		f.client = r
		f.hide(r.Secret)
		return nil
	}
	f.client = Registration{Issuer: t.Issuer, ClientID: t.ClientID, Method: "none"}
	return nil
}

// clientCredentials asks for a token in the client's own name.
func (f *flow) clientCredentials(ctx context.Context, before []string) (Token, error) {
	m := f.known.Metadata
	if m.Grants != nil && !m.grants(grantClient) {
		return Token{}, refuse(StepClient, "", "the authorization server %s does not offer client credentials, but %s", m.Issuer, strings.Join(m.Grants, ", "))
	}
	if err := f.who(ctx, 0); err != nil {
		return Token{}, err
	}
	scopes := chooseScopes(f.c.cfg.Scopes, before, f.known.Demand, f.known.Resource, m, false)
	form := url.Values{"grant_type": {grantClient}}
	if len(scopes) > 0 {
		form.Set("scope", strings.Join(scopes, " "))
	}
	f.tell(Step{Name: StepScopes, Text: "asking for " + named(scopes)})
	return f.token(ctx, StepToken, form, scopes)
}

// code takes the person through the login: authorization code with PKCE.
func (f *flow) code(ctx context.Context, before []string) (Token, error) {
	m, r := f.known.Metadata, f.known.Resource
	switch {
	case m.Authorize == "":
		return Token{}, refuse(StepServer, "auth-as-metadata-absent", "the metadata has no authorization_endpoint")
	case !covers(m.Challenges, []string{"S256"}) && !m.Assumed:
		return Token{}, refuse(StepServer, "auth-pkce-unadvertised", "the authorization server does not say that it checks code challenges (PKCE with S256): a stolen code would be worth something")
	}
	state, verifier := rand.Text(), oauth2.GenerateVerifier()
	f.hide(verifier)
	back, err := listen(f.portOf(m.Issuer), state)
	if err != nil && f.c.cfg.Port == 0 {
		back, err = listen(0, state) // the port of the last time is taken
	}
	if err != nil {
		return Token{}, refuse(StepAuthorize, "", "there is nowhere for the browser to come back to").because(err)
	}
	defer back.close()
	f.back = back.uri
	u, _ := url.Parse(back.uri)
	port, _ := strconv.Atoi(u.Port()) // of a listener: a number
	if err := f.who(ctx, port); err != nil {
		return Token{}, err
	}
	refreshable := f.c.cfg.ClientID != "" || m.grants(grantRefresh) || m.Grants == nil
	scopes := chooseScopes(f.c.cfg.Scopes, before, f.known.Demand, r, m, refreshable)
	f.tell(Step{Name: StepScopes, Text: "asking for " + named(scopes)})
	page := (&oauth2.Config{ClientID: f.client.ClientID, RedirectURL: back.uri, Scopes: scopes, Endpoint: oauth2.Endpoint{AuthURL: m.Authorize}}).
		AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oauth2.SetAuthURLParam("resource", r.Resource))
	back.page <- page
	f.tell(Step{Name: StepAuthorize, Text: "open " + back.start + " in a browser on this machine. It leads to " + page})
	q, err := f.visit(ctx, page, back)
	if err != nil {
		return Token{}, err
	}
	f.hide(q.Get("code"))
	came := &Head{Method: http.MethodGet, URL: maskURL(back.uri + "?" + q.Encode())}
	if err := f.checkRedirect(q, state); err != nil {
		f.tell(Step{Name: StepRedirect, Text: err.Text, Request: came, Failed: true})
		return Token{}, err
	}
	f.tell(Step{Name: StepRedirect, Text: "the browser came back with a code, from the issuer that was expected", Request: came})
	return f.token(ctx, StepToken, url.Values{
		"grant_type": {grantCode}, "code": {q.Get("code")}, "redirect_uri": {back.uri}, "code_verifier": {verifier},
	}, scopes)
}

// visit waits for the browser: at the listener, or for the address that Config.Visit brings.
func (f *flow) visit(ctx context.Context, page string, back *listener) (url.Values, error) {
	ctx, cancel := context.WithTimeout(ctx, f.c.cfg.Patience)
	defer cancel()
	type visited struct {
		address string
		err     error
	}
	brought := make(chan visited, 1)
	visit := f.c.cfg.Visit
	if f.c.cfg.Auto {
		visit = Fetch(f.web.network)
	}
	if visit != nil {
		go func() {
			address, err := visit(ctx, page, back.uri)
			brought <- visited{address, err}
		}()
	}
	for {
		select {
		case q := <-back.got:
			return q, nil
		case v := <-brought:
			if v.err != nil {
				return nil, refuse(StepAuthorize, "", "%s", v.err.Error())
			}
			if v.address == "" {
				continue
			}
			q, err := redirected(v.address, back.uri)
			if err != nil {
				return nil, refuse(StepRedirect, "", "%s", err.Error())
			}
			return q, nil
		case <-ctx.Done():
			if f.expired(ctx) {
				return nil, refuse(StepAuthorize, "", "nobody came back from the login within %s", f.c.cfg.Patience)
			}
			return nil, refuse(StepAuthorize, "", "interrupted").because(context.Cause(ctx))
		}
	}
}

func (f *flow) expired(ctx context.Context) bool { return ctx.Err() == context.DeadlineExceeded }

// checkRedirect looks at what the browser brought back, in this order: is it our login (state), does it
// come from the authorization server that we sent the person to (iss, RFC 9207), and only then what it says.
func (f *flow) checkRedirect(q url.Values, state string) *Refusal {
	m := f.known.Metadata
	for _, name := range []string{"state", "iss", "code", "error"} {
		if len(q[name]) > 1 {
			return refuse(StepRedirect, "", "the redirect names %s more than once", name)
		}
	}
	switch {
	case q.Get("state") != state:
		return refuse(StepRedirect, "", "the redirect belongs to another login (state)")
	case q.Has("iss") && q.Get("iss") != m.Issuer:
		return refuse(StepRedirect, "auth-iss-parameter", "the redirect comes from the issuer %q, but the login was with %q: the code is not used", clip(q.Get("iss")), m.Issuer)
	case m.IssParameter && !q.Has("iss"):
		return refuse(StepRedirect, "auth-iss-parameter", "the redirect does not say which issuer it comes from, although %s announces that it does: the code is not used", m.Issuer)
	case q.Get("error") != "":
		text := "the authorization server said no: " + clip(q.Get("error"))
		if d := q.Get("error_description"); d != "" {
			text += ", “" + clip(d) + "”"
		}
		return refuse(StepRedirect, "", "%s", text)
	case q.Get("code") == "":
		return refuse(StepRedirect, "", "the browser came back without a code")
	}
	return nil
}

// challengeWords is the challenge in a sentence.
func challengeWords(ch Challenge, d Demand) string {
	s := "HTTP " + statusText(ch.Status)
	switch {
	case d.Fault != "":
		s += " with a WWW-Authenticate field that is not well written (" + clip(d.Fault) + ")"
	case !d.Bearer:
		s += " without a Bearer challenge"
	}
	if d.Error != "" {
		s += ", " + clip(d.Error)
	}
	if d.Description != "" {
		s += " “" + clip(d.Description) + "”"
	}
	if len(d.Scopes) > 0 {
		s += "; it needs " + clip(named(d.Scopes))
	}
	if d.ResourceMetadata != "" {
		s += "; more at " + maskURL(d.ResourceMetadata)
	}
	return s
}
