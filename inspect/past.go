package inspect

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// Past is one request of ours, in short.
type Past struct {
	Seq      wire.Seq
	At       time.Time
	ID       string // raw token
	Token    string // raw progress token, "" when none was sent
	Method   string
	Name     string // tool, resource or prompt name
	Why      string
	LogLevel string    // _meta logLevel, "" when none
	HTTP     bool      // it went over HTTP
	Lane     uint32    // its lane
	Ended    time.Time // zero while open
	End      wire.End
	Reply    wire.Seq // 0 when none came
	Failed   bool     // the reply is an error response
	Task     string   // id of the task of the extension that the reply says will carry it on, "" for none
}

// Open tells whether the request had not ended at the frame being judged.
func (p *Past) Open() bool { return p.Ended.IsZero() }

// Change is a notification that a list has changed.
type Change struct {
	Seq wire.Seq
	At  time.Time
}

// Listen is a subscriptions/listen request and what came of it.
type Listen struct {
	Seq     wire.Seq
	ID      string        // raw id token of the request: the subscription's id
	Wanted  jsondoc.Value // params.notifications as sent
	Granted jsondoc.Value // params.notifications of the acknowledgment; Missing before it
	Acked   time.Time     // zero before the acknowledgment
	Ended   time.Time     // zero while open
}

// Covers tells whether the acknowledged subscription brings the notification, like "notifications/tools/list_changed",
// at this time.
func (l *Listen) Covers(notification string, from, to time.Time) bool {
	if l.Acked.IsZero() || l.Acked.After(from) || !l.Ended.IsZero() && l.Ended.Before(to) {
		return false
	}
	member, ok := listenMembers[notification]
	on, _ := l.Granted.Get(member).Bool()
	return ok && on
}

// listenMembers are the members of a listen request's filter (schema SubscriptionFilter).
var listenMembers = map[string]string{
	"notifications/tools/list_changed":     "toolsListChanged",
	"notifications/prompts/list_changed":   "promptsListChanged",
	"notifications/resources/list_changed": "resourcesListChanged",
}

// InFlight is every request that had not ended, oldest first, to range over.
func (h *History) InFlight(yield func(*Past) bool) {
	for _, p := range slices.SortedFunc(maps.Values(h.open), func(a, b *Past) int { return cmp.Compare(a.Seq, b.Seq) }) {
		if !yield(p) {
			return
		}
	}
}

// keepPast is how many of our requests are remembered at least: more than the number of ended exchanges for which
// wire.Fold still knows a late frame.
const keepPast = 1 << 14

// forgetPast forgets the older half of our requests, but for those that are open.
func (h *History) forgetPast() {
	kept := make([]*Past, 0, 2*keepPast)
	for _, p := range h.order[:keepPast] {
		if p.Open() {
			kept = append(kept, p)
			continue
		}
		delete(h.past, p.Seq)
		if h.ids[p.ID] == p {
			delete(h.ids, p.ID)
		}
		if h.tokens[p.Token] == p {
			delete(h.tokens, p.Token)
		}
	}
	h.order = append(kept, h.order[keepPast:]...)
}
