package session

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/task"
)

// How a follower deals with a server that is no help. All of these end the following, not the task.
const (
	mostFailures   = 3                // polls in a row without a readable answer
	pollsAfterEnd  = 10               // polls after its end was asked for
	whileAsking    = 10 * time.Second // the least interval while a person thinks
	mostInputItems = 64               // questions of one task at once
)

// follower is a task that is being followed. Its fields are guarded by the session's lock, but for those that only its
// goroutine touches (below).
type follower struct {
	s    *Session
	o    FollowOptions
	now  task.Task
	next time.Time

	polls      int
	asking     bool
	cancelling bool
	news       chan struct{} // one place

	// Of the goroutine in Follow alone:
	last      Answer
	began     time.Time
	thought   time.Duration // how long persons thought
	failures  int
	afterEnd  int
	rounds    int
	answered  map[string]bool // keys that were answered, or asked
	asked     chan reply      // of the round that a person has before him; nil when none
	withdraw  context.CancelFunc
	round     Round
	askedFrom time.Time
}

type reply struct {
	replies Replies
	err     error
}

func (f *follower) poke() {
	select {
	case f.news <- struct{}{}:
	default:
	}
}

func (f *follower) state() TaskState {
	return TaskState{Task: f.now, Tool: f.o.Tool, Polls: f.polls, Next: f.next, Asking: f.asking, Cancelling: f.cancelling}
}

// tell shows a new state.
func (f *follower) tell(change func()) {
	f.s.mu.Lock()
	change()
	st := f.state()
	f.s.mu.Unlock()
	if f.o.See != nil {
		f.o.See(st)
	}
}

// Follow asks for a task again and again, as often as the server suggests and within bounds, until it has ended; what the
// task asks goes to Options.Ask, and the answers to the server by tasks/update. The Answer is the tasks/get that told
// the end (2025-11-25: the tasks/result after it), or the one that was answered with an error because there is no such
// task. The error is *TaskLeft when it is not followed any more before its end: it can be followed again.
func (s *Session) Follow(ctx context.Context, o FollowOptions) (Answer, error) {
	if o.Polls <= 0 {
		o.Polls = MaxPolls
	}
	if o.Longest <= 0 {
		o.Longest = MaxFollow
	}
	f := &follower{s: s, o: o, now: o.Task, news: make(chan struct{}, 1), answered: map[string]bool{}, began: time.Now()}
	id := o.Task.ID
	if id == "" {
		return Answer{}, &TaskLeft{Text: "the server gave it no taskId that is a string, so it cannot be asked for"}
	}
	s.mu.Lock()
	if other := s.tasks[id]; other != nil {
		s.mu.Unlock()
		other.poke()
		return Answer{}, &TaskLeft{ID: id, Status: o.Task.Status, Text: "it is followed already, and was asked for now"}
	}
	if s.tasks == nil {
		s.tasks = map[string]*follower{}
	}
	s.tasks[id] = f
	s.mu.Unlock()
	defer func() {
		if f.withdraw != nil {
			f.withdraw()
		}
		s.mu.Lock()
		delete(s.tasks, id)
		s.mu.Unlock()
	}()
	a, err := f.run(ctx)
	if left, ok := errors.AsType[*TaskLeft](err); ok && ctx.Err() == nil {
		s.note("info", left.Error())
	}
	return a, err
}

func (f *follower) left(text string, err error) error {
	return &TaskLeft{ID: f.o.Task.ID, Status: f.now.Status, Text: text, Err: err}
}

func (f *follower) run(ctx context.Context) (Answer, error) {
	wait := f.now.Interval()
	if f.o.Resume || f.now.Over() {
		wait = 0 // there is nothing to wait for
	}
	for {
		if rest := f.o.Longest - f.spent(); f.asked == nil && rest < wait {
			if err := f.pause(ctx, max(rest, 0)); err != nil {
				return f.last, err
			}
			if err := f.bounds(); err != nil {
				return f.last, err // its turn would come too late
			}
		} else if err := f.pause(ctx, wait); err != nil {
			return f.last, err
		}
		if over, err := f.poll(ctx); over || err != nil {
			return f.last, err
		}
		wait = f.now.Interval()
		if f.asked != nil {
			wait = max(wait, whileAsking)
		}
		if err := f.bounds(); err != nil {
			return f.last, err
		}
	}
}

// spent is how long it was followed, without the time that persons thought.
func (f *follower) spent() time.Duration { return time.Since(f.began) - f.thought }

// bounds says when enough was asked.
func (f *follower) bounds() error {
	spent := f.spent()
	switch {
	case f.asked != nil:
		return nil // a person is there
	case f.polls >= f.o.Polls:
		return f.left(fmt.Sprintf("it is still %s after %s", f.words(), times(f.polls)), nil)
	case spent >= f.o.Longest && f.polls > 0:
		return f.left(fmt.Sprintf("it is still %s after %s", f.words(), spent.Round(time.Second)), nil)
	case f.afterEnd >= pollsAfterEnd:
		return f.left("its end was asked for, and it is still "+f.words(), nil)
	}
	return nil
}

func times(polls int) string {
	if polls == 1 {
		return "1 poll"
	}
	return fmt.Sprintf("%d polls", polls)
}

func (f *follower) words() string {
	if f.now.Status == "" {
		return "unknown how it is"
	}
	return clip(jsondoc.Quote(f.now.Status), 40)
}

// pause waits for the next turn: the interval, a poke, or what the person answered.
func (f *follower) pause(ctx context.Context, wait time.Duration) error {
	since := time.Now()
	f.tell(func() { f.next = since.Add(wait) })
	timer := time.NewTimer(wait)
	defer timer.Stop()
	news := f.news
	for {
		select {
		case <-timer.C:
			return nil
		case <-news:
			// Asked for by hand, or by a notification: not more often than the least interval.
			rest := min(wait, task.Least-time.Since(since))
			if f.polls == 0 {
				rest = 0
			}
			timer.Reset(max(rest, 0))
			news = nil
		case r := <-f.asked:
			if err := f.update(ctx, r); err != nil {
				return err
			}
			timer.Reset(max(0, f.now.Interval()-time.Since(since)))
		case <-ctx.Done():
			return f.left("it was interrupted", context.Cause(ctx))
		case <-f.s.life.Done():
			return f.left("the session was closed", nil)
		}
	}
}

// poll asks once. over: there is nothing more to ask.
func (f *follower) poll(ctx context.Context) (over bool, err error) {
	id := f.o.Task.ID
	a, err := f.s.Task(ctx, id, CallOptions{})
	if a.Seq() != 0 {
		f.last = a
	}
	failed := func(text string, err error) (bool, error) {
		if f.failures++; f.failures >= mostFailures {
			return false, f.left(text, err)
		}
		return false, nil
	}
	f.s.mu.Lock()
	f.polls++
	if f.cancelling {
		f.afterEnd++
	}
	f.s.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return false, f.left("it was interrupted", context.Cause(ctx))
	case err != nil:
		if errors.As(err, new(*NotConnected)) && f.s.opt.Restarts == 0 { // else it may come back
			return false, f.left(err.Error(), err)
		}
		return failed(err.Error(), err)
	case !a.OK():
		code, _ := a.Err().Get("code").Int()
		switch code {
		case mcp.CodeInvalidParams, mcp.CodeMethodNotFound, mcp.CodeMissingClientCapability:
			return true, nil // asking again would be answered the same
		}
		return failed(fmt.Sprintf("tasks/get was answered with an error %d times in a row", mostFailures), nil)
	}
	t := task.Read(a.Result())
	if t.Status == "" {
		return failed("tasks/get does not say how it is", nil)
	}
	f.failures = 0
	t.ID, t.Legacy = id, t.Legacy || f.now.Legacy
	f.tell(func() { f.now, f.next = t, time.Time{} })
	if t.Over() {
		return true, f.fetch(ctx)
	}
	return false, f.input(ctx, &a)
}

// fetch gets the result of a finished task of 2025-11-25, whose state does not carry it.
func (f *follower) fetch(ctx context.Context) error {
	d, _, err := f.s.ready()
	if err != nil || d.modern || f.now.Status == task.Cancelled {
		return nil // its state is all there is
	}
	a, err := f.s.TaskResult(ctx, f.o.Task.ID, CallOptions{})
	if a.Seq() != 0 {
		f.last = a
	}
	if err != nil {
		return f.left("fetching its result: "+err.Error(), err)
	}
	return nil
}

// input looks what the task asks, and puts what was not asked before to the person; a question that it asks no more is
// taken back.
func (f *follower) input(ctx context.Context, a *Answer) error {
	requests := jsondoc.Value{}
	if f.now.Status == task.InputRequired {
		requests = f.now.Value.Get("inputRequests")
	}
	if f.asked != nil {
		if !slices.ContainsFunc(f.round.Questions, func(q Question) bool { return requests.Get(q.Key).Exists() }) {
			f.dropQuestion()
		}
		return nil
	}
	if f.s.opt.Ask == nil {
		return nil
	}
	r := Round{Of: a.Exchange.Reply.Seq, Request: a.Seq(), N: f.rounds + 1, Most: f.s.opt.Rounds, Method: mcp.ToolsCall, Name: f.o.Tool, Task: f.o.Task.ID}
	for key := range requests.Members() {
		entry := requests.Get(key) // of a duplicate key the last one counts
		if f.answered[key] || len(r.Questions) >= mostInputItems {
			continue
		}
		method := entry.Get("method").Text()
		if m, _ := mcp.Lookup(method); !m.Input {
			return f.left("question "+clip(jsondoc.Quote(key), 60)+" asks for "+clip(jsondoc.Quote(method), 60)+", which no client can answer", nil)
		}
		f.answered[key] = true
		r.Questions = append(r.Questions, Question{Key: key, Method: method, Params: entry.Get("params")})
	}
	if len(r.Questions) == 0 {
		return nil // nothing new: the answers may still be on their way through the server
	}
	if f.rounds++; f.rounds > f.s.opt.Rounds {
		return f.left(fmt.Sprintf("it asked for the %s time, and no more than %d rounds are answered", ordinal(f.rounds), f.s.opt.Rounds), nil)
	}
	f.round, f.askedFrom = r, time.Now()
	asked := make(chan reply, 1)
	f.asked = asked
	asking, stop := context.WithCancel(ctx)
	f.withdraw = stop
	f.tell(func() { f.asking = true })
	s := f.s
	s.later(func() {
		replies, err := s.question(asking, r)
		asked <- reply{replies, err}
	})
	return nil
}

func (f *follower) dropQuestion() {
	f.withdraw()
	f.asked, f.withdraw = nil, nil
	f.thought += time.Since(f.askedFrom)
	f.tell(func() { f.asking = false })
}

// update sends what the person answered.
func (f *follower) update(ctx context.Context, r reply) error {
	f.dropQuestion()
	if r.err != nil {
		return f.left(r.err.Error(), &Unanswered{Seq: f.last.Seq(), Text: r.err.Error()})
	}
	var responses []Member
	for _, one := range r.replies.List {
		if len(one.Result) > 0 {
			responses = append(responses, Member{one.Key, one.Result})
		}
	}
	answers, why := appendObject(nil, responses), ""
	if whole := jsondoc.Parse(r.replies.Whole).Root().Get("inputResponses"); whole.Exists() {
		answers, why = whole.Raw(), markAlteredResponses // written by hand
	} else if len(responses) == 0 {
		return f.left("what it asks was left unanswered", nil)
	}
	params := appendObject(nil, []Member{{"taskId", quoted(f.o.Task.ID)}, {"inputResponses", answers}})
	a, err := f.s.Do(ctx, Request{Method: mcp.TasksUpdate, Params: params, Why: why})
	switch {
	case err != nil:
		return f.left("answering it: "+err.Error(), err)
	case !a.OK():
		f.last = a
		return f.left("tasks/update was answered with an error", nil)
	}
	return nil
}
