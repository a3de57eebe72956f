package inspect

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"mcploupe/session/fresh"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// The profiles. Default judges tool failures by SEP-2145 and says what the published text asks; Published judges by the
// published text alone. Legacy servers are judged by their own revision under both.
const (
	ProfileDefault   = "2026-07-28+sep-2145"
	ProfilePublished = "2026-07-28"
)

// Profiles lists the names that Options.Profile may have.
func Profiles() []string { return []string{ProfileDefault, ProfilePublished} }

// Options of an Inspector. The zero Options are right for a live connection and for a recorded one.
type Options struct {
	Profile string  // "" is ProfileDefault
	Era     string  // EraModern or EraLegacy when it is known beforehand and not to be learned; "" to learn it
	Version string  // the revision that goes with Era; "" is the newest of that era
	Rules   []*Rule // the rules to judge by; nil is the whole catalogue
}

// Inspector judges the exchanges of one server in the order in which they were seen. It is not safe for several
// goroutines at once; everything it returns may be kept and shared.
type Inspector struct {
	opts    Options
	sep     bool
	rules   []*Rule
	table   map[slot][]*Rule
	history History
	seen    map[wire.Ref]*seen
	order   []wire.Ref // of seen, those that have ended, in the order in which they did
	kept    map[*Rule]any
	once    map[onceKey]bool
	asked   map[askedKey]bool // questions of tasks that were judged
	lone    wire.Ref          // the last lone frame judged
	alone   bool              // there was one
}

// seen is how much of an exchange has been judged.
type seen struct {
	during, late int
	over         bool
	end          wire.End   // how it ended, when it was judged
	exit         *wire.Exit // with the child's exit, which may be told a moment later
	findings     []Finding
	verdict      Verdict
}

// slot names a list of rules worked out once: those for one occasion, method and revision.
type slot struct {
	what    what
	method  string
	version string
	asked   string // while version is unknown
}

// New returns an Inspector that knows nothing yet.
func New(opts Options) *Inspector {
	if opts.Profile == "" {
		opts.Profile = ProfileDefault
	}
	in := &Inspector{
		opts: opts, sep: opts.Profile == ProfileDefault, rules: opts.Rules,
		table: map[slot][]*Rule{}, history: newHistory(),
		seen: map[wire.Ref]*seen{}, kept: map[*Rule]any{}, once: map[onceKey]bool{}, asked: map[askedKey]bool{},
	}
	if in.rules == nil {
		in.rules = Catalogue()
	}
	if opts.Era != "" {
		in.history.era, in.history.version = opts.Era, opts.Version
		in.history.assumed, in.history.fixed = true, opts.Version != ""
		if opts.Version == "" {
			in.history.version = mcp.Latest
			if opts.Era == EraLegacy {
				in.history.version = mcp.LatestLegacy
			}
		}
	}
	return in
}

// History is what has been learned so far. It goes on changing with See and Observe.
func (in *Inspector) History() *History { return &in.history }

// Observe takes an entry that is no frame: the end of a lane or of the child, a stderr line, a step of the connection. Call it
// with each entry before the exchanges that wire.Fold makes of it. Frames are ignored; they come as exchanges, through See.
func (in *Inspector) Observe(e *wire.Entry) {
	if e.Frame == nil {
		in.history.observe(e)
	}
}

// See judges what is new in an exchange: call it with every exchange that wire.Fold returns, in that order. While an
// exchange is open, the messages that have come for it are judged; when it ends, its reply and the whole of it; when it
// comes back with late frames, those. Each frame is judged once. Verdict.Findings holds what this call found.
func (in *Inspector) See(x *wire.Exchange) Verdict {
	if x.Request == nil {
		return in.seeLone(x)
	}
	key := x.Request.Ref()
	s := in.seen[key]
	first := s == nil
	if first {
		s = new(seen)
		in.seen[key] = s
		in.history.sent(x)
	}
	var found []Finding
	var broken []string
	again := s.over
	if first {
		p := in.pass(x, x.Request)
		p.run(onSent)
		found, broken = p.found, p.broken
	}
	for ; s.during < len(x.During); s.during++ {
		p := in.judge(x, &x.During[s.during], false)
		found, broken = append(found, p.found...), append(broken, p.broken...)
	}
	switch {
	case x.End == wire.Open:
	case !s.over:
		s.over, s.end, s.exit = true, x.End, x.Exit
		in.history.ended(x)
		p := in.pass(x, x.Reply)
		if x.Reply != nil {
			p.run(replyKind(x.Reply))
		}
		p.run(endKind(x))
		p.runWithin()
		p.runAsked()
		found, broken = append(found, p.found...), append(broken, p.broken...)
		s.verdict = in.verdict(p)
		in.ended(key)
	case s.end != x.End || s.exit != x.Exit: // the better reason came a moment later
		s.end, s.exit = x.End, x.Exit
		s.verdict = in.verdict(in.pass(x, x.Reply))
	}
	for ; s.late < len(x.Late); s.late++ {
		p := in.judge(x, &x.Late[s.late], true)
		found, broken = append(found, p.found...), append(broken, p.broken...)
	}
	v := s.verdict
	v.Seq, v.Again, v.Findings, v.Earlier, v.Broken = x.Seq(), again, found, s.findings, broken
	s.findings = append(slices.Clip(s.findings), found...)
	return v
}

// ended bounds what is remembered of exchanges that have ended, to more than those that wire.Fold may still return.
func (in *Inspector) ended(key wire.Ref) {
	in.order = append(in.order, key)
	if len(in.order) < 2*keepPast {
		return
	}
	for _, old := range in.order[:keepPast] {
		delete(in.seen, old)
	}
	in.order = slices.Clone(in.order[keepPast:])
}

func (in *Inspector) seeLone(x *wire.Exchange) Verdict {
	v := Verdict{Seq: x.Seq(), Profile: in.opts.Profile, Era: in.history.era, Version: in.history.version}
	if x.Lone == nil {
		return v
	}
	// Lone frames come in the order of their numbers, each once; one that comes again has been judged.
	ref := x.Lone.Ref()
	if in.alone && ref.Seq != 0 && (ref.Seq < in.lone.Seq || ref.Seq == in.lone.Seq && ref.Part <= in.lone.Part) {
		return v
	}
	in.lone, in.alone = ref, true
	if x.Lone.Dir == wire.Sent {
		p := in.pass(x, x.Lone)
		p.run(onSent)
		v.Findings, v.Broken = p.found, p.broken
		return v
	}
	if x.Fetch != nil {
		in.history.fetched(x)
	}
	p := in.judge(x, x.Lone, false)
	if x.Fetch != nil && x.Lone.Kind != wire.Document { // the body of an answer to a request without one
		p.run(onFetch)
	}
	v.Findings, v.Broken = p.found, p.broken
	return v
}

// judge judges one received message that is not the reply.
func (in *Inspector) judge(x *wire.Exchange, m *wire.Message, late bool) *Pass {
	in.history.heard(x, m)
	p := in.pass(x, m)
	p.late = late
	if m.Dir == wire.Sent {
		p.run(onSent)
	} else {
		p.run(replyKind(m))
	}
	return p
}

// End judges what only the end of the session shows: call it once, after the last See and Observe.
func (in *Inspector) End() Verdict {
	p := in.pass(new(wire.Exchange), nil)
	p.run(onEnd)
	return Verdict{Seq: in.history.lastSeq, Profile: in.opts.Profile, Era: in.history.era, Version: in.history.version,
		Findings: p.found, Broken: p.broken}
}

// endKind is the occasion that an ended exchange is: what was posted over HTTP asks for no answer but gets a status.
func endKind(x *wire.Exchange) what {
	switch x.Request.Kind {
	case wire.Notification, wire.Result, wire.Error:
		return onPosted
	}
	return onExchange
}

func replyKind(m *wire.Message) what {
	switch m.Kind {
	case wire.Request:
		return onRequest
	case wire.Notification:
		return onNotification
	case wire.Result:
		if rt := m.Result().Get("resultType"); !rt.Exists() || rt.Text() == mcp.ResultComplete {
			return onComplete
		}
		return onOtherResult
	case wire.Error:
		return onError
	case wire.Batch:
		return onBatch
	case wire.NotJSON:
		return onNotJSON
	case wire.Document:
		return onFetch
	}
	return onOdd
}

func (in *Inspector) pass(x *wire.Exchange, m *wire.Message) *Pass {
	p := &Pass{in: in, x: x, m: m, method: x.Method()}
	p.version = in.history.judgedBy(x)
	p.modern = mcp.Modern(p.version)
	p.sep = in.sep && p.modern
	if x.Request != nil {
		p.sent = x.Request.Params()
	}
	if m != nil {
		if m.Method != "" {
			p.method = m.Method
		}
		p.root = m.Root()
		p.params = p.root.Get("params")
		p.result = p.root.Get("result")
		p.failure = p.root.Get("error")
	}
	return p
}

// run calls the rules for one occasion. A rule that panics is a fault of ours: it is said, and its neighbours go on.
//
// Of a message that was cut off only its framing is judged: what it lacks may have stood in the rest.
func (p *Pass) run(w what) {
	cut := p.m != nil && cutOff(p.m)
	for _, r := range p.in.pick(w, p.method, p.version) {
		if cut && r.Area != "stdio" && r.Area != "http" {
			continue
		}
		if ext := r.eras.extension; ext != "" && !p.Extension(mcp.MetaPrefix+ext) {
			continue
		}
		p.check(r)
	}
}

func (p *Pass) check(r *Rule) {
	p.rule = r
	defer func() {
		if cause := recover(); cause != nil {
			p.broken = append(p.broken, fmt.Sprintf("judging by %s: %v", r.ID, cause))
		}
	}()
	r.Check(p)
}

// pick is the list of rules for an occasion. Methods that the protocol does not know share one list, so that the table
// stays small whatever a server invents.
func (in *Inspector) pick(w what, method, version string) []*Rule {
	if _, known := mcp.Lookup(method); !known {
		method = ""
	}
	k := slot{what: w, method: method, version: version}
	if version == "" {
		k.asked = in.history.named
	}
	list, ok := in.table[k]
	if !ok {
		for _, r := range in.rules {
			if r.On.what&w == 0 || len(r.On.methods) > 0 && !slices.Contains(r.On.methods, method) {
				continue
			}
			v := version
			if v == "" && r.Area == "auth" {
				v = cmp.Or(in.history.named, mcp.Latest)
			}
			if r.Holds(v, in.sep && mcp.Modern(v)) {
				list = append(list, r)
			}
		}
		in.table[k] = list
	}
	return list
}

// verdict is what the four-part strip says of an exchange that has ended.
func (in *Inspector) verdict(p *Pass) Verdict {
	if endKind(p.x) != onExchange { // what asks for no answer has none to be judged
		return Verdict{Profile: in.opts.Profile, Era: in.eraOf(p), Version: p.version}
	}
	return Verdict{
		Ended: true, Profile: in.opts.Profile, Era: in.eraOf(p), Version: p.version,
		ResultType: resultType(p), Outcome: p.Outcome(), Freshness: fresh.HintOf(p.x, p.modern),
	}
}

func (in *Inspector) eraOf(p *Pass) string {
	switch {
	case p.modern:
		return EraModern
	case p.version != "":
		return EraLegacy
	}
	return ""
}

// Time is the moment of the last frame or event seen; zero before the first.
func (in *Inspector) Time() time.Time { return in.history.last }

// resultOf is the result of an exchange's reply, Missing for errors and without reply.
func resultOf(x *wire.Exchange) jsondoc.Value {
	if x.Reply == nil || x.Reply.Kind != wire.Result {
		return jsondoc.Value{}
	}
	return x.Reply.Result()
}
