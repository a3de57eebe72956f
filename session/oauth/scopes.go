package oauth

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const offline = "offline_access"

// chooseScopes are the scopes to ask for (2026-07-28 basic/authorization, Scope Selection Strategy and
// Step-Up): what the person wants, else what the challenge names, else what the resource lists; with what
// was asked for before, so that nothing is lost; and offline_access where the authorization server has it
// and a refresh token can be used.
func chooseScopes(wanted, before []string, d Demand, r *Resource, m *Metadata, refreshable bool) []string {
	choice := wanted
	switch {
	case len(before) > 0:
		choice = d.Scopes
	case len(wanted) > 0:
	case len(d.Scopes) > 0:
		choice = d.Scopes
	default:
		choice = r.Scopes
	}
	all := union(before, choice)
	if refreshable && slices.Contains(m.Scopes, offline) {
		all = union(all, []string{offline})
	}
	return all
}

// union is a and then what b has besides, each once.
func union(a, b []string) []string {
	var all []string
	for _, list := range [][]string{a, b} {
		for _, s := range list {
			if !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

func covers(have, need []string) bool {
	for _, s := range need {
		if !slices.Contains(have, s) {
			return false
		}
	}
	return true
}

// authMethod is how to show the token endpoint who we are, among what it offers and what we have.
func authMethod(m *Metadata, registered string, secret, key bool) string {
	offered := m.AuthMethods
	if registered != "" {
		offered = []string{registered}
	}
	has := func(name string) bool { return slices.Contains(offered, name) }
	switch {
	case key && (has(privateKeyJWT) || !secret):
		return privateKeyJWT
	case !secret:
		return "none"
	case len(offered) == 0 || has(secretBasic):
		return secretBasic // the default of RFC 8414
	case has(secretPost):
		return secretPost
	case has("none"):
		return "none"
	}
	return secretBasic
}

// Methods of client authentication (RFC 8414, OpenID Connect).
const (
	secretBasic   = "client_secret_basic"
	secretPost    = "client_secret_post"
	privateKeyJWT = "private_key_jwt"
)

func statusText(status int) string {
	if t := http.StatusText(status); t != "" {
		return strconv.Itoa(status) + " " + t
	}
	return strconv.Itoa(status)
}

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf(" (one of %d)", n+1)
}

func named(scopes []string) string {
	if len(scopes) == 0 {
		return "no scope"
	}
	return strings.Join(scopes, " ")
}
