package oauth

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// who chooses the client to be for this authorization server, in the order of 2026-07-28
// basic/authorization/client-registration: registered by hand, client metadata document, registered by
// ourselves before, registered by ourselves now. port is that of the redirect URI.
func (f *flow) who(ctx context.Context, port int) error {
	cfg, m := f.c.cfg, f.known.Metadata
	switch {
	case cfg.ClientID != "":
		if err := f.bind(m.Issuer); err != nil {
			return err
		}
		f.client = Registration{Issuer: m.Issuer, ClientID: cfg.ClientID, Secret: cfg.ClientSecret}
		f.tell(Step{Name: StepClient, Text: "we are the client " + cfg.ClientID + ", registered by hand"})
		return nil
	case cfg.ClientDocument != "" && m.ClientDocuments:
		f.client = Registration{Issuer: m.Issuer, ClientID: cfg.ClientDocument, Method: "none"}
		f.tell(Step{Name: StepClient, Text: "we are the client that the document " + cfg.ClientDocument + " describes"})
		return nil
	}
	if old, ok, err := f.registered(m.Issuer); err != nil {
		return refuse(StepClient, "", "%s", err.Error())
	} else if ok && old.Port == port {
		f.client = old
		f.hide(old.Secret)
		f.tell(Step{Name: StepClient, Text: "we are the client " + old.ClientID + ", registered before with " + m.Issuer})
		return nil
	}
	if m.Register == "" {
		hint := "register a client there by hand, with the redirect URI " + f.back + ", and give its --client-id"
		if m.ClientDocuments {
			hint += "; or publish a client metadata document and give its address"
		}
		return refuse(StepClient, "", "the authorization server %s knows no client of ours and registers none by itself", m.Issuer).hint(hint)
	}
	return f.register(ctx, port)
}

// bind holds a client that was registered by hand to one authorization server.
func (f *flow) bind(issuer string) error {
	f.c.mu.Lock()
	defer f.c.mu.Unlock()
	if f.c.bound == "" {
		f.c.bound = issuer
	}
	if f.c.bound != issuer {
		return refuse(StepClient, "", "the client %s belongs to %s, but the server now names the authorization server %s: our credentials are not shown to it", f.c.cfg.ClientID, f.c.bound, issuer)
	}
	return nil
}

func (f *flow) registered(issuer string) (Registration, bool, error) {
	f.c.mu.Lock()
	r, ok := f.c.clients[issuer]
	f.c.mu.Unlock()
	if ok {
		return r, true, nil
	}
	return f.c.cfg.Store.client(issuer, f.c.cfg.Now())
}

// register makes us a client (RFC 7591; application_type of OpenID Connect: a program on the person's
// machine is "native").
func (f *flow) register(ctx context.Context, port int) error {
	m := f.known.Metadata
	body, err := json.Marshal(map[string]any{
		"client_name": "mcploupe", "application_type": "native",
		"redirect_uris": []string{f.back}, "response_types": []string{"code"},
		"grant_types":                []string{grantCode, grantRefresh},
		"token_endpoint_auth_method": wish(m),
	})
	if err != nil {
		return refuse(StepRegister, "", "writing the request").because(err)
	}
	got, sent, came := f.web.do(ctx, outgoing{method: http.MethodPost, url: m.Register, post: true, body: string(body),
		header: []Field{{"Content-Type", "application/json"}, {"Accept", "application/json"}}})
	d, why := readDocument(got.MediaType, got.Body)
	step := Step{Name: StepRegister, Request: sent, Response: came, Failed: true}
	var refusal *Refusal
	switch {
	case got.Status == 0:
		refusal = refuse(StepRegister, "", "the registration endpoint gave %s", got.Text)
	case got.Status != http.StatusCreated && got.Status != http.StatusOK:
		refusal = refuse(StepRegister, "", "the authorization server did not register us: %s", said(d, got.Status)).
			hint("register a client by hand and give its --client-id")
	case d == nil:
		refusal = refuse(StepRegister, "", "the registration endpoint answered with %s", why)
	case d.text("client_id") == "":
		refusal = refuse(StepRegister, "", "the registration has no client_id")
	}
	if refusal != nil {
		step.Text = refusal.Text
		f.tell(step)
		return refusal
	}
	f.client = Registration{Issuer: m.Issuer, ClientID: d.text("client_id"), Secret: d.text("client_secret"), Method: d.text("token_endpoint_auth_method"), Port: port}
	if n := d.number("client_secret_expires_at"); f.client.Secret != "" && n > 0 && n < math.MaxInt32*16 {
		f.client.Expires = time.Unix(int64(n), 0)
	}
	step.Text, step.Failed = "registered as the client "+f.client.ClientID, false
	f.tell(step)
	f.c.mu.Lock()
	f.c.clients[m.Issuer] = f.client
	f.c.mu.Unlock()
	f.kept(f.c.cfg.Store.keepClient(f.client))
	return nil
}

// wish is the way to authenticate that we ask for: a program on the person's machine keeps no secrets
// from that person, so none, unless the server wants one.
func wish(m *Metadata) string {
	if m.AuthMethods == nil {
		return "none"
	}
	for _, method := range []string{"none", secretBasic, secretPost} {
		for _, offered := range m.AuthMethods {
			if method == offered {
				return method
			}
		}
	}
	return "none"
}

// portOf is the port of the redirect URI that the last registration with this issuer was made for.
func (f *flow) portOf(issuer string) int {
	if f.c.cfg.Port != 0 {
		return f.c.cfg.Port
	}
	r, _, _ := f.registered(issuer) // an unreadable store is told when we look for the client itself
	return r.Port
}

func documentAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && u.Scheme == "https" && u.Host != "" && len(u.Path) > 1 && u.Fragment == "" && u.User == nil
}

// said is an OAuth error in words.
func said(d document, status int) string {
	code, text := d.text("error"), d.text("error_description")
	switch {
	case code != "" && text != "":
		return code + ", “" + clip(text) + "” (HTTP " + strconv.Itoa(status) + ")"
	case code != "":
		return code + " (HTTP " + strconv.Itoa(status) + ")"
	}
	return "HTTP " + statusText(status)
}

// clip bounds a text of the server's inside a sentence of ours.
func clip(s string) string {
	const most = 200
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
