package oauth

import (
	"context"
	"net/http"
)

// Explore fetches the documents that a server's challenge leads to, without logging in: the resource metadata, then that
// of the authorization servers that it names (of at most a few; without resource metadata the server's own origin). Every
// fetch is told as a Step. It asks with GET, sends no credentials, and keeps to the rules for addresses that a login has;
// unlike a login it goes on where a document is wrong, so that all that is wrong can be seen. The error is that of ctx.
func Explore(ctx context.Context, ch Challenge, h Help) error {
	c := &Client{}
	f := c.flow(ch, h)
	d := ReadChallenge(ch.Fields)
	f.tell(Step{Name: StepChallenge, Text: challengeWords(ch, d), Failed: d.Fault != ""})
	resource, err := f.first(ctx, StepResource, ch.Server, resourcePlaces(ch.Server, d.ResourceMetadata))
	if err != nil {
		return err
	}
	issuers := resource.list("authorization_servers")
	if resource == nil {
		k := Known{Server: ch.Server, tried: resourcePlaces(ch.Server, d.ResourceMetadata), Demand: d}.guess()
		if k.Resource != nil {
			issuers = k.Resource.Servers
		}
	}
	for _, issuer := range issuers[:min(len(issuers), maxIssuers)] {
		if why := unsafe(issuer, ch.Server); why != "" {
			f.tell(Step{Name: StepServer, Text: "not asked: the authorization server " + maskURL(issuer) + ", " + why, Failed: true})
			continue
		}
		if _, err := f.first(ctx, StepServer, issuer, serverPlaces(issuer)); err != nil {
			return err
		}
	}
	return nil
}

// maxIssuers is how many of the authorization servers that a resource names are asked for their metadata.
const maxIssuers = 3

// first is the first document that any of the places has, nil when none has one.
func (f *flow) first(ctx context.Context, step, namedBy string, places []string) (document, error) {
	for _, at := range places {
		if why := unsafe(at, namedBy); why != "" {
			f.tell(notFetched(step, at, why))
			continue
		}
		got, sent, came := f.web.do(ctx, outgoing{method: http.MethodGet, url: at, header: []Field{{"Accept", "application/json"}}})
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		doc, why := document(nil), got.Text
		switch {
		case got.Status == http.StatusOK:
			doc, why = readDocument(got.MediaType, got.Body)
		case got.Status != 0:
			why = "HTTP " + statusText(got.Status)
		}
		s := Step{Name: step, Text: "read", Request: sent, Response: came}
		if doc == nil {
			s.Text, s.Failed = "not there: "+why, true
		}
		f.tell(s)
		if doc != nil {
			return doc, nil
		}
	}
	return nil, nil
}
