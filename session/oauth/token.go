package oauth

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	grantCode    = "authorization_code"
	grantRefresh = "refresh_token"
	grantClient  = "client_credentials"
)

// token asks the token endpoint. form holds what the grant needs; who we are and the resource are added.
func (f *flow) token(ctx context.Context, step string, form url.Values, asked []string) (Token, error) {
	m, r := f.known.Metadata, f.known.Resource
	form.Set("resource", r.Resource)
	header := []Field{{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}}
	method := authMethod(m, f.client.Method, f.client.Secret != "", f.c.key != nil)
	switch method {
	case secretBasic: // RFC 6749 §2.3.1: both are form-encoded first
		pair := url.QueryEscape(f.client.ClientID) + ":" + url.QueryEscape(f.client.Secret)
		credentials := base64.StdEncoding.EncodeToString([]byte(pair))
		f.hide(credentials)
		header = append(header, Field{"Authorization", "Basic " + credentials})
	case secretPost:
		form.Set("client_id", f.client.ClientID)
		form.Set("client_secret", f.client.Secret)
	case privateKeyJWT:
		signed, err := assertion(f.c.key, f.client.ClientID, m.Issuer, f.c.cfg.Now())
		if err != nil {
			return Token{}, refuse(step, "", "who we are could not be signed").because(err)
		}
		f.hide(signed)
		form.Set("client_id", f.client.ClientID)
		form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		form.Set("client_assertion", signed)
	default:
		form.Set("client_id", f.client.ClientID)
	}
	got, sent, came := f.web.do(ctx, outgoing{method: http.MethodPost, url: m.Token, header: header, body: form.Encode(), post: true})
	t, refusal := f.readToken(step, got, asked)
	s := Step{Name: step, Request: sent, Response: came, Failed: refusal != nil}
	if refusal != nil {
		s.Text = refusal.Text
		f.tell(s)
		if errorCode(got) == "invalid_client" && f.c.cfg.ClientID == "" {
			f.c.mu.Lock()
			delete(f.c.clients, m.Issuer)
			f.c.mu.Unlock()
			f.kept(f.c.cfg.Store.forgetClient(m.Issuer))
			refusal.Hint = "our registration is forgotten; another try registers anew"
		}
		return Token{}, refusal
	}
	t.Grant = form.Get("grant_type")
	s.Text = "a token for " + r.Resource + ", good for " + named(t.Scopes)
	if !t.Expires.IsZero() {
		s.Text += ", until " + t.Expires.Format(time.TimeOnly)
	}
	if t.Refresh != "" {
		s.Text += "; with a refresh token"
	}
	f.tell(s)
	return t, nil
}

func errorCode(got Answer) string {
	d, _ := readDocument(got.MediaType, got.Body)
	return d.text("error")
}

func (f *flow) readToken(step string, got Answer, asked []string) (Token, *Refusal) {
	d, why := readDocument(got.MediaType, got.Body)
	switch {
	case got.Status == 0:
		return Token{}, refuse(step, "", "the token endpoint gave %s", got.Text)
	case got.Status != http.StatusOK:
		return Token{}, refuse(step, "", "the token endpoint refused: %s", said(d, got.Status))
	case d == nil:
		return Token{}, refuse(step, "", "the token endpoint answered with %s", why)
	case d.text("error") != "":
		return Token{}, refuse(step, "", "the token endpoint refused: %s", said(d, got.Status))
	case !strings.EqualFold(d.text("token_type"), "Bearer"):
		return Token{}, refuse(step, "", "the token is of the type %q, and not a Bearer token", clip(d.text("token_type")))
	case !sendable(d.text("access_token")):
		return Token{}, refuse(step, "", "the answer of the token endpoint holds no token that could be sent")
	}
	t := Token{Issuer: f.known.Metadata.Issuer, Resource: f.known.Resource.Resource, Server: f.ch.Server, ClientID: f.client.ClientID,
		Access: d.text("access_token"), Refresh: d.text("refresh_token"), Scopes: asked, Asked: asked}
	if s := strings.Fields(d.text("scope")); len(s) > 0 {
		t.Scopes = s
	}
	if n := d.number("expires_in"); n > 0 && n < 1e9 {
		t.Expires = f.c.cfg.Now().Add(time.Duration(n) * time.Second).Round(time.Second)
	}
	return t, nil
}

// sendable tells whether a token can stand in a header field.
func sendable(token string) bool {
	for i := range len(token) {
		if token[i] <= ' ' || token[i] > '~' {
			return false
		}
	}
	return token != ""
}
