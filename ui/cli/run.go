package cli

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/fresh"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
	"mcploupe/ui/feed"
)

// run is one headless conversation: a session, and a reader of its journal that judges and prints.
type run struct {
	flags   *flags
	io      streams
	session *session.Session
	target  session.Target
	in      *inspect.Inspector
	record  func() error // ends the recording, if there is one

	mu      sync.Mutex
	verdict map[wire.Seq]judgement   // of ended exchanges, with all that was found so far; empty when flags.walks
	parts   map[wire.Seq][]judgement // of the requests in a batch, which share one number
	kinds   []kindFrom               // which transport it was from which entry on
	late    map[wire.Seq]int         // how many late frames of an exchange have been shown
	ledger  *fresh.Ledger            // what results are worth after the notifications seen
	news    chan struct{}            // closed and made anew whenever verdict grows
	read    wire.Seq                 // the last entry of the journal that was taken
	seen    int                      // exchanges of requests
	count   inspect.Count
	all     []inspect.Finding // empty when flags.endless
	rules   map[string]bool   // that found something
	over    chan struct{}
	running *running // tells how far requests are; nil where nobody wants to know
	log     *wire.Log
	known   session.Info // what the journal said so far
	info    session.Info // once it is over
	stray   stray
	aside   []string // what happened to the session meanwhile; at most maxAside
	choose  sync.Once
	chosen  printer

	// watch is called with every exchange each time that it changes, before each.
	watch func(*wire.Exchange, *inspect.Verdict)
	// each is called with every exchange that ended, and every lone frame, in order; nil prints JSON lines with --json, else nothing.
	each func(*wire.Exchange, *inspect.Verdict)
	// hide tells that an exchange is not printed, with --json neither; nil for none.
	hide func(*wire.Exchange, *inspect.Verdict) bool
}

// follow reads the journal to its end: records, judges, prints.
func (r *run) follow(log *wire.Log) {
	defer close(r.over)
	r.log = log
	feed := feed.New(log, r.in)
	for {
		page, err := feed.Next(context.Background())
		if err != nil {
			return
		}
		r.take(page)
	}
}

func (r *run) take(page feed.Page) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range page.Entries {
		r.happened(page.Entries[i].State)
		if st := page.Entries[i].State; st != nil && st.Kind != "" && st.Kind != r.kindAt(page.Entries[i].Seq) {
			r.kinds = append(r.kinds, kindFrom{page.Entries[i].Seq, st.Kind})
		}
	}
	bounds := page.Entries
	for i := range page.Exchanges {
		x, v := &page.Exchanges[i].Exchange, &page.Exchanges[i].Verdict
		if x.Reply != nil {
			bounds = r.pass(bounds, x.Reply.Seq)
		}
		r.found(v.Findings)
		if r.watch != nil {
			r.watch(x, v)
		}
		if r.flags.reporting != nil {
			r.flags.reporting.found(x, v, r.log)
		}
		r.running.see(x)
		if x.End != wire.Open {
			r.ended(x, v)
		}
	}
	r.pass(bounds, math.MaxUint64)
	for i := range page.Entries {
		gather(&r.known, &page.Entries[i])
	}
	if n := len(page.Entries); n > 0 {
		r.read = page.Entries[n-1].Seq
	}
	if r.flags.endless {
		r.log.Forget(r.read)
	}
	close(r.news)
	r.news = make(chan struct{})
}

// pass tells the ledger of the entries up to a number, and returns the rest: a boundary is no older than what came before it.
func (r *run) pass(entries []wire.Entry, upTo wire.Seq) []wire.Entry {
	for len(entries) > 0 && entries[0].Seq < upTo {
		r.ledger.Observe(&entries[0])
		entries = entries[1:]
	}
	return entries
}

// found counts findings, and keeps them where the run has an end.
func (r *run) found(findings []inspect.Finding) {
	r.count.Add(findings...)
	for i := range findings {
		r.rules[findings[i].Rule.ID] = true
	}
	if !r.flags.endless {
		r.all = append(r.all, findings...)
	}
}

// ended takes an exchange that is over: prints it, unless it only comes again and nothing new was found.
func (r *run) ended(x *wire.Exchange, v *inspect.Verdict) {
	r.worth(x, v)
	switch {
	case v.Again:
		if old, ok := r.verdict[x.Seq()]; ok {
			old.v.Findings = append(slices.Clip(old.v.Findings), v.Findings...)
			r.verdict[x.Seq()] = old
		}
		late := worthSaying(x, r.late[x.Seq()])
		r.stray.late(x, late)
		r.late[x.Seq()] = len(x.Late)
		if len(v.Findings) == 0 && len(late) == 0 {
			return
		}
	case x.Request != nil:
		if !isNotice(x) {
			r.seen++
		}
		if !r.flags.walks {
			r.verdict[x.Seq()] = judgement{*x, *v}
			if x.Request.Part > 0 && x.Request.Kind == wire.Request {
				r.parts[x.Seq()] = append(r.parts[x.Seq()], judgement{*x, *v})
			}
		}
		if x.Reply != nil && x.Reply.Kind == wire.NotJSON && x.Method() != mcp.Discover && x.Method() != mcp.Initialize { // detection deals with these
			r.stray.add(x.Reply, x.Seq())
		}
		if len(x.Late) > 0 {
			r.stray.late(x, worthSaying(x, 0))
			r.late[x.Seq()] = len(x.Late)
		}
	case x.Lone == nil || x.Lone.Dir == wire.Sent && len(v.Findings) == 0:
		return
	}
	if x.Reply != nil {
		r.stray.answered(x.Reply)
	}
	if x.Lone != nil && answerless(x) {
		r.stray.take(*x.Lone)
	}
	if r.hide != nil && r.hide(x, v) {
		return
	}
	switch {
	case r.each != nil:
		r.each(x, v)
	case r.flags.json:
		now := time.Now()
		var state fresh.State
		if x.Request != nil {
			state = r.ledger.StateOfRef(x.Ref(), now)
		}
		r.line(exchangeLine(x, v, r.kindAt(x.Seq()), state, now))
	}
}

// worthSaying are the late frames of an exchange from the given one on, unless they only are the text with which a server
// takes a POST, like “Accepted”, when the answer has come on the stream of HTTP+SSE already.
func worthSaying(x *wire.Exchange, from int) []wire.Message {
	if from > len(x.Late) {
		return nil
	}
	late := x.Late[from:]
	if x.Reply != nil && !slices.ContainsFunc(late, func(m wire.Message) bool { return m.Kind != wire.NotJSON }) {
		return nil
	}
	return late
}

// worth keeps the ledger: what a result is worth, and which notification took that away.
func (r *run) worth(x *wire.Exchange, v *inspect.Verdict) {
	if x.Request != nil && !v.Again {
		r.ledger.AddAs(x, v.Era == inspect.EraModern)
	}
	hear := func(m *wire.Message) {
		if m.Kind == wire.Notification && m.Dir == wire.Received {
			r.ledger.Invalidate(m)
		}
	}
	for i := range x.During {
		hear(&x.During[i])
	}
	if x.Lone != nil {
		hear(x.Lone)
	}
}

// judgement is an exchange as the journal has it, and what was found. What is printed comes from here: the session's
// own copy holds the exact bytes, secrets included.
type judgement struct {
	x wire.Exchange
	v inspect.Verdict
}

// judged waits until the exchange of this request has been judged.
func (r *run) judged(ctx context.Context, seq wire.Seq) (judgement, bool) {
	for {
		r.mu.Lock()
		v, ok := r.verdict[seq]
		news := r.news
		r.mu.Unlock()
		if ok {
			return v, true
		}
		select {
		case <-news:
		case <-r.over:
			r.mu.Lock()
			defer r.mu.Unlock()
			v, ok = r.verdict[seq]
			return v, ok
		case <-ctx.Done():
			return judgement{}, false
		}
	}
}

// close ends the conversation, judges what only its end shows, and prints the summary with --json.
func (r *run) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := r.session.Close(ctx); err != nil && !r.flags.json {
		fmt.Fprintf(r.io.err, "mcploupe: closing: %s\n", safe(err.Error()))
	}
	log := r.session.Log()
	log.Close()
	<-r.over
	if err := r.record(); err != nil {
		fmt.Fprintf(r.io.err, "mcploupe: recording: %s\n", safe(err.Error()))
	}
	r.finish(r.known)
}

// mask hides the secrets in a text that does not come from the journal.
func (r *run) mask(text string) string {
	if r.session == nil {
		return text
	}
	return r.session.Secrets().Text(text)
}

// finish judges the end of the session and prints the summary.
func (r *run) finish(info session.Info) {
	last := r.in.End()
	r.found(last.Findings)
	r.info = info
	if p := r.flags.reporting; p != nil {
		p.found(nil, &last, r.log)
		p.compare(r.in.History())
	}
	if !r.flags.json {
		return
	}
	if len(last.Findings) > 0 {
		r.line(lastLine(&last))
	}
	r.line(r.summary(info))
}

// line prints one line of --json. On a terminal no character of a server may command it, not even within JSON.
func (r *run) line(line []byte) {
	if isTerminal(r.io.out) {
		line = forTerminal(line)
	}
	fmt.Fprintf(r.io.out, "%s\n", line)
}

func (r *run) summary(info session.Info) []byte {
	o := object{}
	o.text("type", "summary")
	if info.Server.Is(jsondoc.Object) {
		o.raw("server", string(jsondoc.Compact(nil, info.Server.Raw())))
	} else {
		o.raw("server", "null")
	}
	o.text("era", info.Era)
	o.text("protocolVersion", info.Version)
	o.number("exchanges", int64(r.seen))
	o.any("findings", r.count.JSON())
	o.any("rules", append([]string{}, slices.Sorted(maps.Keys(r.rules))...))
	if p := r.flags.reporting; p != nil {
		p.summary(&o)
	}
	return o.end()
}
