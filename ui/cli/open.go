package cli

import (
	"context"

	"mcploupe/inspect"
	"mcploupe/session"
	"mcploupe/session/fresh"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// open connects to a target. What crossed is printed and judged also when that fails.
func (f *flags) open(ctx context.Context, io streams, t session.Target) (*run, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	answers, err := f.readAnswers(io)
	if err != nil {
		return nil, err
	}
	able := answers.declare()
	if f.asker != nil { // a person sits here
		able = onPaper
	}
	caps, err := f.capabilities(able)
	if err != nil {
		return nil, err
	}
	roots, err := f.rootList()
	if err != nil {
		return nil, err
	}
	answers.roots = roots
	ask := answers.ask
	if f.asker != nil {
		ask = f.asker
	}
	login, err := f.login.authorizer(io, t, f.protocol, true)
	if err != nil {
		return nil, err
	}
	r := f.reader(io)
	log := wire.NewLog(wire.LogOptions{})
	r.record, err = f.recording(log)
	if err != nil {
		return nil, err
	}
	r.target = t
	r.session = session.New(t, session.Options{
		Log: log, Secrets: f.secrets, Timeout: f.timeout, Era: f.era, Protocol: f.protocol, Transport: f.transport,
		ClientVersion: Version(), Capabilities: caps, LogLevel: f.logLevel, NoStream: f.noStream, Authorize: login,
		Ask: ask, Tasks: f.tasks, Memory: f.memory(t), Restarts: f.restarts(),
		Exactly: f.caps != "", Roots: roots,
	})
	go r.follow(log)
	if err := r.session.Connect(ctx); err != nil {
		return r, r.connectFailure(ctx, err)
	}
	return r, nil
}

// recording follows the journal into the file of --record. It is ended by the function returned, once the log is closed.
func (f *flags) recording(log *wire.Log) (stop func() error, err error) {
	if f.record == "" {
		return func() error { return nil }, nil
	}
	file, err := create(f.record, f.force)
	if err != nil {
		return nil, err
	}
	return wire.Record(log, file), nil
}

// reader is a run that nothing is connected to.
func (f *flags) reader(io streams) *run {
	return &run{
		flags: f, io: io, in: inspect.New(inspect.Options{Profile: f.profile, Rules: f.rules}),
		rules: map[string]bool{}, verdict: map[wire.Seq]judgement{}, parts: map[wire.Seq][]judgement{}, late: map[wire.Seq]int{}, stray: stray{shown: map[wire.Seq]bool{}}, ledger: fresh.NewLedger(), news: make(chan struct{}), over: make(chan struct{}),
	}
}

// capabilities are what --capabilities says, else what we can really do.
func (f *flags) capabilities(able string) ([]byte, error) {
	if f.caps == "" {
		return []byte(able), nil
	}
	doc := jsondoc.Parse([]byte(f.caps))
	if !doc.Valid() || !doc.Root().Is(jsondoc.Object) {
		return nil, usage(`for example --capabilities '{"elicitation":{"form":{}}}'`, "--capabilities is not a JSON object")
	}
	return []byte(f.caps), nil
}
