package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"mcploupe/session"
	"mcploupe/session/wire"
)

// listenLegacy shows what a server of an older revision says by itself. Changes of lists come without being asked for;
// updates of single resources are subscribed to, and that ends with the listening.
func (r *run) listenLegacy(ctx context.Context, uris []string) error {
	for _, uri := range uris {
		a, err := r.session.Subscribe(ctx, uri)
		if failed := r.subscribed(ctx, a, err); failed != nil {
			return failed
		}
		defer r.unsubscribe(uri)
	}
	if stream := r.session.Info().Stream; !r.flags.json && strings.HasPrefix(stream, "none") {
		fmt.Fprintf(r.io.err, "mcploupe: the server's stream: %s; without it little can come\n", safe(stream))
	}
	for {
		changed := r.session.Changed()
		if info := r.session.Info(); info.Phase != wire.Ready && ctx.Err() == nil {
			return &failure{exitTransport, errors.New(r.mask(info.Text)), ""}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
	}
}

// subscribed tells whether a subscription stands; why it does not was said already.
func (r *run) subscribed(ctx context.Context, a session.Answer, err error) error {
	if err == nil && a.OK() {
		return nil
	}
	if err != nil {
		return r.lost(ctx, err)
	}
	return silent(exitFindings)
}

// unsubscribeWait is how long the end of a subscription may take: nothing depends on it.
const unsubscribeWait = 2 * time.Second

func (r *run) unsubscribe(uri string) {
	ctx, cancel := context.WithTimeout(context.Background(), unsubscribeWait)
	defer cancel()
	_, _ = r.session.Unsubscribe(ctx, uri) // how it went is in the journal
}
