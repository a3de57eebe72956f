package story

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"mcploupe/session/mcp"
	"mcploupe/session/task"
	"mcploupe/session/wire"
)

// Gather chooses which of n exchanges, in the order of their numbers, belong to the story of exchange i: the whole chain of a
// request that was asked back, what a subscription brought, what a task was asked, the questions of the server and our answers,
// documents fetched for a login, and the request after it; the steps of a handshake. The result rises and holds i.
func Gather(n int, at func(int) *wire.Exchange, i int) []int {
	if i < 0 || i >= n {
		return nil
	}
	g := gatherer{n: n, at: at, own: map[wire.Seq]bool{}, tasks: map[string]bool{}, ids: map[string]bool{}, cursors: map[string]bool{}}
	from := g.root(i)
	out := []int{}
	g.before(from)
	g.take(from)
	out = append(out, from)
	for j := from + 1; j < n; j++ {
		x := at(j)
		if g.opening {
			if g.opening = isHandshake(x) || x.Fetch != nil; g.opening {
				g.take(j)
				out = append(out, j)
				continue
			}
		}
		if g.belongs(x) {
			g.take(j)
			out = append(out, j)
		} else {
			g.others = append(g.others, running(x)...)
			g.beginsAnew(x)
		}
	}
	return out
}

// beginsAnew notes that another walk through a list begins: its pages may well have the same cursors.
func (g *gatherer) beginsAnew(x *wire.Exchange) {
	if len(g.cursors) > 0 && x.Request != nil && cursor(x) == "" {
		maps.DeleteFunc(g.cursors, func(c string, _ bool) bool { return strings.HasPrefix(c, x.Request.Method+" ") })
	}
}

// running is the exchange when it is a request of ours that something of the server can belong to while it runs.
func running(x *wire.Exchange) []*wire.Exchange {
	if x.Request == nil || x.Request.Kind != wire.Request || x.Request.Method == mcp.Listen {
		return nil
	}
	return []*wire.Exchange{x}
}

// near is how many exchanges before one are looked at for those that still run.
const near = 50

// before notes what ran when the story began.
func (g *gatherer) before(i int) {
	for j := max(i-near, 0); j < i; j++ {
		g.others = append(g.others, running(g.at(j))...)
	}
}

// covers tells that the exchange runs while a frame comes.
func covers(x *wire.Exchange, m *wire.Message) bool {
	return x.Request.Seq < m.Seq && (x.End == wire.Open || x.Reply != nil && x.Reply.Seq > m.Seq || x.Reply == nil && m.At.Before(x.Ended))
}

// untagged is what the server says without telling on account of which request: on stdio, and before 2026-07-28. nil for others.
func untagged(x *wire.Exchange) *wire.Message {
	m := x.Lone
	if m == nil || x.Fetch != nil || x.Of != 0 || m.Dir != wire.Received || m.Kind != wire.Request && m.Method != mcp.LogMessage {
		return nil
	}
	return m
}

// alone tells that m came while a request of the story ran, and no other did.
func (g *gatherer) alone(m *wire.Message) bool {
	g.others = slices.DeleteFunc(g.others, func(x *wire.Exchange) bool { return !covers(x, m) && x.Request.Seq < m.Seq })
	return len(g.others) == 0 && slices.ContainsFunc(g.mine, func(x *wire.Exchange) bool { return covers(x, m) })
}

type gatherer struct {
	n       int
	at      func(int) *wire.Exchange
	own     map[wire.Seq]bool // numbers of requests, and of questions of the server
	tasks   map[string]bool
	ids     map[string]bool // raw ids of requests that wait
	cursors map[string]bool // method and nextCursor of pages
	mine    []*wire.Exchange
	others  []*wire.Exchange // requests that run beside those of the story
	opening bool             // in the midst of a handshake
	refused *wire.Exchange   // the newest request: when it was refused, it may be sent again
	fetched bool             // since then something was fetched
}

func isHandshake(x *wire.Exchange) bool {
	switch x.Method() {
	case mcp.Discover, mcp.Initialize, mcp.Initialized:
		return x.Request == nil || !x.Request.Aside()
	}
	return false
}

// steps bounds how far a beginning is looked for.
const steps = 1000

// root is where the story of an exchange begins.
func (g *gatherer) root(i int) int {
	for range steps {
		up := g.up(i)
		if up < 0 || up >= i {
			break
		}
		i = up
	}
	return i
}

// up is what an exchange belongs to, -1 for nothing.
func (g *gatherer) up(i int) int {
	x := g.at(i)
	holds := func(seq wire.Seq) int { return g.back(i, func(o *wire.Exchange) bool { return Holds(o, seq) }) }
	switch {
	case x.Retries != 0:
		return holds(x.Retries)
	case x.Of != 0:
		return holds(x.Of)
	case isHandshake(x):
		if i > 0 && (isHandshake(g.at(i-1)) || g.at(i-1).Fetch != nil) {
			return i - 1
		}
		return -1
	case x.Fetch != nil:
		if i > 0 && (g.at(i-1).Fetch != nil || wantsToken(g.at(i-1)) || isHandshake(g.at(i-1))) {
			return i - 1
		}
		return -1
	case sentCancel(x) != "":
		id := sentCancel(x)
		return g.back(i, func(o *wire.Exchange) bool { return o.Request != nil && o.Request.ID == id })
	case taskOf(x) != "":
		id := taskOf(x)
		return g.back(i, func(o *wire.Exchange) bool { return begun(o) == id })
	case untagged(x) != nil:
		return g.asking(i, untagged(x))
	case x.Request == nil:
		return -1
	case cursor(x) != "":
		from := cursor(x)
		return g.back(i, func(o *wire.Exchange) bool { return nextCursor(o) == from })
	}
	// The same request before it, when it was refused for a reason that sending again heals.
	j := g.back(i, func(o *wire.Exchange) bool { return alike(o, x) })
	if j >= 0 && again(g.at(j), x, g.at(j+1).Fetch != nil) {
		return j
	}
	return -1
}

// asking is the one request that ran when the server said something, -1 when there was none or several.
func (g *gatherer) asking(i int, m *wire.Message) int {
	found := -1
	for j := i - 1; j >= 0 && i-j <= near; j-- {
		if x := g.at(j); len(running(x)) > 0 && covers(x, m) {
			if found >= 0 {
				return -1
			}
			found = j
		}
	}
	return found
}

func (g *gatherer) back(i int, fits func(*wire.Exchange) bool) int {
	for j := i - 1; j >= 0 && i-j <= 10*steps; j-- {
		if fits(g.at(j)) {
			return j
		}
	}
	return -1
}

// take notes what the exchange makes others belong to.
func (g *gatherer) take(i int) {
	x := g.at(i)
	g.own[x.Seq()] = true
	if isHandshake(x) {
		g.opening = true
	}
	for _, list := range [2][]wire.Message{x.During, x.Late} {
		for j := range list {
			if list[j].Kind == wire.Request {
				g.own[list[j].Seq] = true
			}
		}
	}
	if id := begun(x); id != "" {
		g.tasks[id] = true
	}
	g.mine = append(g.mine, running(x)...)
	if next := nextCursor(x); next != "" {
		g.cursors[next] = true
	}
	if x.Request == nil {
		g.fetched = g.fetched || x.Fetch != nil
		return
	}
	if !(g.refused != nil && mismatched(g.refused) && x.Request.Method == mcp.ToolsList) {
		g.refused, g.fetched = nil, false
		if wantsToken(x) || mismatched(x) || status(x) == 404 {
			g.refused = x
		}
	}
	if x.Request.ID != "" && (x.End == wire.Cancelled || x.End == wire.TimedOut || x.End == wire.Open) {
		g.ids[x.Request.ID] = true
	}
}

func (g *gatherer) belongs(x *wire.Exchange) bool {
	switch {
	case g.own[x.Retries] && x.Retries != 0, g.own[x.Of] && x.Of != 0:
		return true
	case untagged(x) != nil:
		return g.alone(untagged(x))
	case len(g.cursors) > 0 && cursor(x) != "" && g.cursors[cursor(x)]:
		return true
	case x.Fetch != nil:
		return g.refused != nil && wantsToken(g.refused)
	case sentCancel(x) != "":
		return g.ids[sentCancel(x)]
	case len(g.tasks) > 0 && g.tasks[taskOf(x)]:
		return true
	case g.refused != nil && x.Request != nil:
		return alike(g.refused, x) && again(g.refused, x, g.fetched) || mismatched(g.refused) && x.Request.Method == mcp.ToolsList && !x.Request.Aside()
	}
	return false
}

// Holds tells that the frame belongs to the exchange.
func Holds(x *wire.Exchange, frame wire.Seq) bool {
	if x.Seq() == frame || x.Reply != nil && x.Reply.Seq == frame {
		return true
	}
	for _, list := range [2][]wire.Message{x.During, x.Late} {
		for i := range list {
			if list[i].Seq == frame {
				return true
			}
		}
	}
	return false
}

// status is the HTTP status of the answer, 0 when there is none.
func status(x *wire.Exchange) int {
	switch {
	case x.Head != nil:
		return x.Head.Status
	case x.Reply != nil && x.Reply.HTTP != nil:
		return x.Reply.HTTP.Status
	}
	return 0
}

func wantsToken(x *wire.Exchange) bool {
	s := status(x)
	return x.Request != nil && (s == 401 || s == 403)
}

func mismatched(x *wire.Exchange) bool {
	if x.Request == nil || x.Reply == nil || x.Reply.Kind != wire.Error {
		return false
	}
	code, ok := x.Reply.Err().Get("code").Int()
	return ok && code == mcp.CodeHeaderMismatch
}

// alike tells that both ask for the same.
func alike(o, x *wire.Exchange) bool {
	return o.Request != nil && x.Request != nil && o.Request.Method == x.Request.Method && o.Name() == x.Name()
}

// again tells that x is o sent once more because o was refused: with a token that was fetched, with other headers, in a new session.
func again(o, x *wire.Exchange, fetched bool) bool {
	if x.Request.Aside() || x.Retries != 0 {
		return false
	}
	return wantsToken(o) && fetched || x.Request.Why != "" && (mismatched(o) || status(o) == 404)
}

// sentCancel is the raw id that a cancellation of ours names, "" when the exchange is none.
func sentCancel(x *wire.Exchange) string {
	m := x.Lone
	if m == nil {
		m = x.Request
	}
	if m == nil || m.Dir != wire.Sent || m.Method != mcp.Cancelled {
		return ""
	}
	return string(m.Params().Get("requestId").Raw())
}

// taskOf is the id of the task that a request is about, "" for none.
func taskOf(x *wire.Exchange) string {
	m := x.Request
	if m == nil {
		if m = x.Lone; m == nil || m.Method != mcp.TasksNotification && m.Method != mcp.TaskStatus {
			return ""
		}
	}
	switch m.Method {
	case mcp.TasksGet, mcp.TasksResult, mcp.TasksUpdate, mcp.TasksCancel, mcp.TasksNotification, mcp.TaskStatus:
		return m.Params().Get("taskId").Text()
	}
	return ""
}

// cursor is the method and raw cursor of a request for a further page, "" for others.
func cursor(x *wire.Exchange) string {
	if x.Request == nil || !strings.HasSuffix(x.Request.Method, "/list") {
		return ""
	}
	if c := x.Request.Params().Get("cursor"); c.Exists() {
		return x.Request.Method + " " + string(c.Raw())
	}
	return ""
}

// nextCursor is the cursor of the request for the page after this one, "" when there is none.
func nextCursor(x *wire.Exchange) string {
	if x.Request == nil || !strings.HasSuffix(x.Request.Method, "/list") || x.Reply == nil || !bytes.Contains(x.Reply.Body, []byte("nextCursor")) {
		return ""
	}
	if c := x.Reply.Result().Get("nextCursor"); c.Exists() {
		return x.Request.Method + " " + string(c.Raw())
	}
	return ""
}

// begun is the id of the task that a call was answered with, "" for none.
func begun(x *wire.Exchange) string {
	if x.Request == nil || x.Request.Method != mcp.ToolsCall || x.Reply == nil || x.Reply.Kind != wire.Result ||
		!bytes.Contains(x.Reply.Body, []byte("task")) { // most are not even parsed
		return ""
	}
	if made, ok := task.Of(x.Reply.Result()); ok {
		return made.ID
	}
	return ""
}
