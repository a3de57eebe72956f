package story

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"mcploupe/session/mcp"
	"mcploupe/session/task"
	"mcploupe/session/wire"
)

// teller turns exchanges into rows.
type teller struct {
	events   []event
	methods  map[wire.Seq]string // of requests, the server's too
	waiting  []Row               // what has not ended stands at the end
	requests int
	each     bool // every message has a row of its own
}

// event is a row where it belongs: by time, then by number.
type event struct {
	at  time.Time
	seq wire.Seq
	row Row
}

func (t *teller) know(x *wire.Exchange) {
	if x.Request != nil {
		t.methods[x.Request.Seq] = x.Request.Method
	}
	if x.Lone != nil {
		t.methods[x.Lone.Seq] = x.Lone.Method
	}
	for i := range x.During {
		t.methods[x.During[i].Seq] = x.During[i].Method
	}
}

func (t *teller) add(at time.Time, seq wire.Seq, r Row) {
	r.Count = 1
	if r.Way != Aside {
		r.Frame = seq
	}
	t.events = append(t.events, event{at, seq, r})
}

// sorted are the rows in the order in which things happened, with their times.
func (t *teller) sorted() []Row {
	slices.SortStableFunc(t.events, func(a, b event) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.seq, b.seq)) })
	rows := make([]Row, len(t.events))
	for i, e := range t.events {
		rows[i] = e.row
		rows[i].At = e.at.Sub(t.events[0].at)
		rows[i].Until = rows[i].At
	}
	for _, r := range t.waiting {
		if n := len(rows); n > 0 {
			r.At = rows[n-1].At
			r.Until = r.At
		}
		rows = append(rows, r)
	}
	return rows
}

func number(x *wire.Exchange) string { return "#" + strconv.FormatUint(uint64(x.Seq()), 10) }

func (t *teller) part(p *Part) {
	x := p.X
	if x.Fetch != nil {
		t.fetch(x)
		return
	}
	if x.Lone != nil {
		t.message(x.Lone, x, "")
		return
	}
	if x.Request == nil || !t.each && t.poll(p) {
		return
	}
	last := x.Request.Seq
	t.message(x.Request, x, number(x))
	for i := range x.During {
		t.message(&x.During[i], x, "")
		last = x.During[i].Seq
	}
	t.ending(p, last)
	for i := range x.Late {
		m := &x.Late[i]
		t.message(m, x, "late, "+clock(m.At.Sub(x.Ended))+" after "+endWord(x.End))
	}
}

// ending is how an exchange of ours ended, or that it has not.
func (t *teller) ending(p *Part, last wire.Seq) {
	x := p.X
	switch {
	case x.Request.Kind != wire.Request && x.Reply == nil:
		if s := status(x); s/100 > 2 {
			t.add(x.Ended, last, Row{Way: ToClient, Answer: true, Head: "HTTP " + strconv.Itoa(s), Number: number(x), Tone: Bad})
		}
	case x.End == wire.Open:
		text := "the answer has not come yet"
		if x.Request.Method == mcp.Listen {
			text = "it is open"
		}
		t.waiting = append(t.waiting, Row{Way: Aside, Head: text, Number: number(x), Count: 1})
	case x.Reply != nil:
		r := Row{Way: ToClient, Answer: true, Head: httpWord(x), Verdict: p.Verdict, Tone: p.Tone, Number: number(x), Detail: answered(x.Reply)}
		if r.Verdict == "" {
			r.Head = outcome(x)
		}
		if x.Reply.Kind != wire.Result && x.Reply.Kind != wire.Error {
			r.Detail = []string{line(string(x.Reply.Body[:min(len(x.Reply.Body), mostText)]))}
		}
		t.add(x.Ended, x.Reply.Seq, r)
	default:
		r := Row{Way: Aside, Number: number(x), Head: p.Verdict, Tone: p.Tone}
		if s := status(x); s != 0 && x.End == wire.Dropped { // a head came, and nothing in it
			r = Row{Way: ToClient, Answer: true, Number: number(x), Head: "HTTP " + strconv.Itoa(s), Verdict: p.Verdict, Tone: p.Tone}
		}
		if r.Head == "" {
			r.Head = map[wire.End]string{wire.Cancelled: "cancelled", wire.TimedOut: "timed out"}[x.End]
		}
		if r.Head == "" {
			r.Head = "no answer"
		}
		if x.EndText != "" {
			r.Detail = []string{line(x.EndText)}
		}
		t.add(x.Ended, last, r)
	}
}

func httpWord(x *wire.Exchange) string {
	if s := status(x); s != 0 && s != 200 {
		return "HTTP " + strconv.Itoa(s)
	}
	return ""
}

// outcome names an answer that nobody judged.
func outcome(x *wire.Exchange) string {
	text := "result"
	switch x.Reply.Kind {
	case wire.Result:
	case wire.Error:
		text = "error " + line(string(x.Reply.Err().Get("code").Raw()))
	default:
		text = "no JSON-RPC"
	}
	if h := httpWord(x); h != "" {
		return h + ", " + text
	}
	return text
}

func endWord(e wire.End) string {
	switch e {
	case wire.Cancelled:
		return "the cancel"
	case wire.TimedOut:
		return "the timeout"
	case wire.Replied:
		return "the answer"
	}
	return "the end"
}

// message is one message of either side. note is the number of the exchange it begins, or what is peculiar about it.
func (t *teller) message(m *wire.Message, x *wire.Exchange, note string) {
	r := Row{Way: ToServer, Number: note}
	if m.Dir == wire.Received {
		r.Way = ToClient
	}
	switch m.Kind {
	case wire.Request:
		r.Head = line(m.Method)
		if x.Request == m && x.Name() != "" && taskOf(x) == "" { // the id of a task is long, and stands at its beginning
			r.Head += " " + line(x.Name())
		}
		if m.Dir == wire.Sent {
			t.requests++
			_, edited := m.EditedFrom()
			switch {
			case m.Why == "":
			case m.Why == wire.Retry:
				r.Head += ", again"
			case edited:
				r.Head += ", " + m.Why
			default:
				r.Head += ", sent as " + line(m.Why)
			}
		}
		r.Detail = asked(m)
	case wire.Notification:
		if r.Head, r.Detail, r.fold = noted(m); x.Request == m {
			r.fold = ""
		} else if r.fold != "" {
			r.fold = fmt.Sprint(r.Way, note, r.fold)
		}
	case wire.Result, wire.Error:
		r.Answer = true
		r.Head = "result"
		if m.Kind == wire.Error {
			r.Head = "error " + line(string(m.Err().Get("code").Raw()))
		}
		if method := t.methods[x.Of]; method != "" && m.Dir == wire.Sent {
			r.Head = line(method) + ": " + r.Head
		}
		if r.Detail = answered(m); m.Dir == wire.Sent && m.Kind == wire.Result {
			r.Detail = []string{short(m.Result())}
		}
	case wire.Batch:
		r.Head = "a batch"
	default:
		r.Head, r.Detail = "no JSON-RPC", []string{line(string(m.Body[:min(len(m.Body), mostText)]))}
	}
	t.add(m.At, m.Seq, r)
}

// poll tells a question about a task's state and its answer as one row; it tells whether it did.
func (t *teller) poll(p *Part) bool {
	x := p.X
	if x.Request.Method != mcp.TasksGet || x.Reply == nil || x.Reply.Kind != wire.Result || len(x.During)+len(x.Late) > 0 || p.Tone == Bad {
		return false
	}
	now := task.Read(x.Reply.Result())
	if now.Status == "" || now.Over() || now.Status == task.InputRequired {
		return false // that is news
	}
	t.requests++
	t.add(x.Request.At, x.Request.Seq, Row{Way: Both, Head: "tasks/get: " + state(now), Number: number(x), fold: "poll " + now.ID + now.Status + now.Message})
	return true
}

// fetch is an HTTP exchange beside the protocol.
func (t *teller) fetch(x *wire.Exchange) {
	f := x.Fetch
	at, seq := x.Lone.At, x.Lone.Seq
	if f.Request == nil || f.For == wire.ForRedirect {
		t.add(at, seq, Row{Way: Aside, Head: line(f.For), Detail: nonEmpty(f.Text), Number: number(x)})
		return
	}
	r := Row{Way: ToServer, Head: line(f.Request.Method + " " + f.Request.URL), Detail: []string{line(f.For)}, Number: number(x)}
	peer := f.For == wire.ForServer || f.For == wire.ForRegister || f.For == wire.ForToken || f.For == wire.ForRefresh
	if u, err := url.Parse(f.Request.URL); err == nil {
		r.Head = line(f.Request.Method + " " + u.EscapedPath())
		if r.Detail = []string{line(f.For + ", " + u.Host)}; peer {
			r.Peer = line(u.Host)
		}
	}
	t.add(at, seq, r)
	a := Row{Way: ToClient, Answer: true, Peer: r.Peer, Detail: nonEmpty(f.Text), Head: "nothing came"}
	if f.Response != nil {
		a.Head = fmt.Sprintf("HTTP %d", f.Response.Status)
	}
	if f.Failed {
		a.Verdict, a.Tone = "this way leads nowhere", Bad
	}
	t.add(at, seq, a)
}

func nonEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{line(text)}
}
