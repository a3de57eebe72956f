package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/wire"
)

// answerBatch shows what came of a batch, a JSON array of messages in one (2025-03-26): each request with its own answer.
func (r *run) answerBatch(ctx context.Context, body []byte, a session.Answer, err error) error {
	sent := wire.Read(0, time.Time{}, &wire.Frame{Dir: wire.Sent, Body: body})
	requests := 0
	for _, v := range sent.Root().Elements() {
		if v.Get("method").Exists() && v.Get("id").Exists() {
			requests++
		}
	}
	if sent.Kind != wire.Batch || requests == 0 || a.Seq() == 0 {
		return r.answer(ctx, a, err)
	}
	worst, refused := error(nil), 0
	for _, j := range r.partsOf(context.WithoutCancel(ctx), a.Seq(), requests) {
		switch {
		case j.x.EndText == wire.BatchRefused: // its answer is that of the whole batch
			refused++
		case !r.flags.json:
			r.show(&j.x, &j.v)
		}
		switch j.v.Outcome.Class {
		case inspect.Success, inspect.TaskCreated, inspect.InputRequired:
		case inspect.TransportFailure:
			worst = silent(exitTransport)
		default:
			if worst == nil {
				worst = silent(exitFindings)
			}
		}
	}
	if refused > 0 && !r.flags.json {
		fmt.Fprintf(r.io.err, "mcploupe: %s: that answers its %s too\n", wire.BatchRefused, plural(refused, "other request"))
	}
	return worst
}

// partsOf waits until the requests of a batch have been judged, and gives them in their order.
func (r *run) partsOf(ctx context.Context, seq wire.Seq, requests int) []judgement {
	for {
		r.mu.Lock()
		parts := slices.Clone(r.parts[seq])
		news := r.news
		r.mu.Unlock()
		if len(parts) >= requests {
			slices.SortFunc(parts, func(a, b judgement) int { return a.x.Request.Part - b.x.Request.Part })
			return parts
		}
		select {
		case <-news:
		case <-r.over:
			return parts
		case <-ctx.Done():
			return parts
		}
	}
}
