package fresh

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// story is a conversation, read as the session and the screen read it.
type story struct {
	t      testing.TB
	ledger *Ledger
	last   map[wire.Seq]wire.Exchange
	now    time.Time
}

// tell plays a script into a new ledger. $M stands for the _meta of a modern request.
func tell(t testing.TB, script string) *story {
	t.Helper()
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	entries, err := wire.ParseScript(strings.ReplaceAll(strings.ReplaceAll(script, "\t", ""), "$M", meta))
	if err != nil {
		t.Fatal(err)
	}
	s := &story{t: t, ledger: NewLedger(), last: map[wire.Seq]wire.Exchange{}}
	fold := wire.NewFold()
	for _, e := range entries {
		s.now = e.At
		for _, x := range fold.Add(e) {
			s.last[x.Seq()] = x
			if x.Lone != nil {
				s.ledger.Invalidate(x.Lone)
			}
			if n := len(x.During); n > 0 && x.During[n-1].Seq == e.Seq {
				s.ledger.Invalidate(&x.During[n-1])
			}
			s.ledger.Add(&x)
		}
	}
	return s
}

// state is that of an exchange, so long after the last entry.
func (s *story) state(seq wire.Seq, later time.Duration) string {
	return words(s.ledger.StateOf(seq, s.now.Add(later)))
}

func (s *story) list(method string, later time.Duration) string {
	return words(s.ledger.ListState(method, s.now.Add(later)))
}

func words(st State) string {
	text := st.Name
	switch st.Name {
	case Fresh:
		text += " " + st.Left.String()
	case Stale:
		text += " " + st.Age.String()
	}
	if st.Because != "" {
		text += " because " + st.Because
	}
	if st.By != 0 {
		text += fmt.Sprintf(" by %d", st.By)
	}
	if st.Partial {
		text += " partial"
	}
	return text
}

// The table of one result: what the hints say and what that is worth, at once and later.
func TestHints(t *testing.T) {
	const request = `> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$M}}` + "\n"
	for _, c := range []struct {
		result string
		faults Fault
		want   string
		after  time.Duration
	}{
		{`"resultType":"complete","ttlMs":5000,"cacheScope":"public"`, 0, "fresh 5s public", 0},
		{`"resultType":"complete","ttlMs":5000,"cacheScope":"public"`, 0, "fresh 1ms public", 4999 * time.Millisecond},
		{`"resultType":"complete","ttlMs":5000,"cacheScope":"public"`, 0, "stale 0s public", 5 * time.Second},
		{`"resultType":"complete","ttlMs":5000,"cacheScope":"public"`, 0, "stale 2s public", 7 * time.Second},
		{`"resultType":"complete","ttlMs":5e3,"cacheScope":"private"`, 0, "fresh 5s private", 0},
		{`"resultType":"complete","ttlMs":300000.0,"cacheScope":"private"`, 0, "fresh 5m0s private", 0},
		{`"resultType":"complete","ttlMs":0,"cacheScope":"public"`, 0, "stale-at-once public", 0},
		{`"resultType":"complete","ttlMs":-0,"cacheScope":"public"`, 0, "stale-at-once public", 0},
		{`"resultType":"complete","ttlMs":-5,"cacheScope":"public"`, TTLNegative, "stale-at-once public", 0},
		{`"resultType":"complete","ttlMs":-1e30,"cacheScope":"public"`, TTLNegative, "stale-at-once public", 0},
		{`"resultType":"complete","ttlMs":0.5,"cacheScope":"public"`, TTLNotInteger, "stale-at-once public", 0},
		{`"resultType":"complete","ttlMs":"5000","cacheScope":"public"`, TTLNotInteger, "stale-at-once public", 0},
		{`"resultType":"complete","ttlMs":null,"cacheScope":"public"`, TTLNotInteger, "stale-at-once public", 0},
		{`"resultType":"complete","cacheScope":"public"`, TTLMissing, "stale-at-once public", 0},
		{`"resultType":"complete","ttlMs":9000,"ttlMs":60000,"cacheScope":"public"`, 0, "fresh 1m0s public", 0},
		{`"resultType":"complete","ttlMs":1e999999999,"cacheScope":"public"`, 0, "fresh 876000h0m0s public", 0},
		{`"resultType":"complete","ttlMs":9223372036854775807,"cacheScope":"public"`, 0, "fresh 876000h0m0s public", 0},
		{`"resultType":"complete","ttlMs":5000`, ScopeMissing, "fresh 5s private", 0},
		{`"resultType":"complete","ttlMs":5000,"cacheScope":"Public"`, ScopeInvalid, "fresh 5s private", 0},
		{`"resultType":"complete","ttlMs":5000,"cacheScope":1`, ScopeInvalid, "fresh 5s private", 0},
		{`"resultType":"complete"`, TTLMissing | ScopeMissing, "stale-at-once private", 0},
		{`"ttlMs":5000,"cacheScope":"public"`, 0, "fresh 5s public", 0}, // a missing resultType reads as complete
		{`"resultType":"input_required","ttlMs":5000,"cacheScope":"public"`, 0, "not-cacheable because input-required ", 0},
		{`"resultType":"weird","ttlMs":5000,"cacheScope":"public"`, 0, "not-cacheable because error ", 0},
		{`"resultType":7,"ttlMs":5000,"cacheScope":"public"`, 0, "not-cacheable because error ", 0},
	} {
		s := tell(t, request+`< {"jsonrpc":"2.0","id":1,"result":{"tools":[],`+c.result+`}}`)
		x := s.last[1]
		h := HintOf(&x, true)
		got := words(h.At(s.now.Add(c.after))) + " " + h.Scope
		if got != c.want || h.Faults != c.faults {
			t.Errorf("%s: %s, faults %b; want %s, %b", c.result, got, h.Faults, c.want, c.faults)
		}
	}
}

func TestWhatIsNotCacheable(t *testing.T) {
	for script, want := range map[string]string{
		`> {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x",$M}}
		< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[],"ttlMs":5000,"cacheScope":"public"}}`: "not-cacheable because method",
		`> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a:b","requestState":"s",$M}}
		< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","contents":[],"ttlMs":5000,"cacheScope":"public"}}`: "not-cacheable because retry",
		`> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a:b","inputResponses":{},$M}}
		< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","contents":[],"ttlMs":5000,"cacheScope":"public"}}`: "not-cacheable because retry",
		`> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$M}}
		< {"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"no"}}`: "not-cacheable because error",
		`> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$M}}
		< {"jsonrpc":"2.0","id":1,"result":{"tools":[],"ttlMs":5000},"error":{}}`: "not-cacheable because error",
		`> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$M}}
		< {"jsonrpc":"2.0","id":1,"result":"tools"}`: "not-cacheable because error",
		`> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$M}}
		~ exit 1`: "not-cacheable because error",
		`> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$M}}`: "", // has not ended
	} {
		if got := tell(t, script).state(1, 0); got != want {
			t.Errorf("%s:\ngot %s, want %s", script, got, want)
		}
	}
}

func TestALegacyServerGivesNoHint(t *testing.T) {
	s := tell(t, `> {"jsonrpc":"2.0","id":1,"method":"tools/list"}
	< {"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
	> {"jsonrpc":"2.0","id":2,"method":"prompts/list"}
	< {"jsonrpc":"2.0","id":2,"result":{"prompts":[],"ttlMs":5000}}
	< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	if got := s.state(1, 0); got != "no-hint by 5" {
		t.Errorf("without ttlMs: %s", got)
	}
	if got := s.state(3, 0); got != "fresh 4.99s" {
		t.Errorf("with ttlMs: %s", got)
	}
	x := s.last[1]
	if h := HintOf(&x, false); h.Faults != 0 || h.Scope != "" {
		t.Errorf("a legacy server owes no hints: %+v", h)
	}
}

func TestListChangedInvalidatesItsOwnListsOnly(t *testing.T) {
	const ask = `
	> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$M}}
	< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"nextCursor":"2","ttlMs":60000,"cacheScope":"public"}}
	> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"2",$M}}
	< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"public"}}
	> {"jsonrpc":"2.0","id":3,"method":"prompts/list","params":{$M}}
	< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","prompts":[],"ttlMs":60000,"cacheScope":"public"}}
	> {"jsonrpc":"2.0","id":4,"method":"resources/list","params":{$M}}
	< {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","resources":[],"ttlMs":60000,"cacheScope":"public"}}
	> {"jsonrpc":"2.0","id":5,"method":"resources/templates/list","params":{$M}}
	< {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","resourceTemplates":[],"ttlMs":60000,"cacheScope":"public"}}
	> {"jsonrpc":"2.0","id":6,"method":"server/discover","params":{$M}}
	< {"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","supportedVersions":[],"ttlMs":60000,"cacheScope":"public"}}
	> {"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"file:///a",$M}}
	< {"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","contents":[],"ttlMs":60000,"cacheScope":"public"}}
	`
	for notification, want := range map[string]string{
		"notifications/tools/list_changed":     "1 3",
		"notifications/prompts/list_changed":   "5",
		"notifications/resources/list_changed": "7 9",
		"notifications/message":                "",
		"notifications/tools/changed":          "",
	} {
		s := tell(t, ask+`< {"jsonrpc":"2.0","method":"`+notification+`"}`)
		var got []string
		for seq := wire.Seq(1); seq <= 13; seq += 2 {
			switch st := s.state(seq, 0); {
			case st == "invalidated by 15":
				got = append(got, fmt.Sprint(seq))
			case !strings.HasPrefix(st, "fresh"):
				t.Errorf("%s: %d is %s", notification, seq, st)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s ended %v, want %s", notification, got, want)
		}
	}
	s := tell(t, ask+`> {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`)
	if got := s.state(1, 0); !strings.HasPrefix(got, "fresh") {
		t.Errorf("our own notification: %s", got)
	}
}

// A notification while the answer is on its way may be younger than the answer. One before the request
// is not, and the first of several is named.
func TestInvalidationGoesByWhenTheRequestWasSent(t *testing.T) {
	s := tell(t, `
	< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
	> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$M}}
	< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"public"}}
	> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{$M}}
	< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
	< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"public"}}
	< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
	> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{$M}}
	< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"public"}}`)
	for seq, want := range map[wire.Seq]string{2: "invalidated by 5", 4: "invalidated by 5", 8: "fresh 1m0s"} {
		if got := s.state(seq, 0); got != want {
			t.Errorf("%d: %s, want %s", seq, got, want)
		}
	}
	if got := s.list("tools/list", 0); got != "fresh 1m0s" {
		t.Errorf("the list: %s", got)
	}
}

func TestAnUpdateConcernsTheResourceAndItsPath(t *testing.T) {
	for _, c := range []struct {
		updated, read string
		want          bool
	}{
		{"file:///a", "file:///a", true},
		{"file:///a", "file:///a/b", true},
		{"file:///a/", "file:///a/b", true},
		{"file:///a/b", "file:///a", true},
		{"file:///a", "file:///a?x=1", true},
		{"file:///a#x", "file:///a", true},
		{"file:///a", "file:///ab", false},
		{"file:///ab", "file:///a", false},
		{"file:///a/b", "file:///a/c", false},
		{"note:1", "note:1", true},
		{"note:1", "note:11", false},
		{"", "file:///a", false},
	} {
		if got := Concerns(c.updated, c.read); got != c.want {
			t.Errorf("Concerns(%q, %q) = %v", c.updated, c.read, got)
		}
		s := tell(t, `
		> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"`+c.read+`",$M}}
		< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","contents":[],"ttlMs":60000,"cacheScope":"public"}}
		> {"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"`+c.read+`",$M}}
		< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"`+c.updated+`"}}
		< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","contents":[],"ttlMs":60000,"cacheScope":"public"}}`)
		for _, seq := range []wire.Seq{1, 3} {
			if got := s.state(seq, 0) == "invalidated by 4"; got != c.want {
				t.Errorf("%q updated, %q read: %d is %s", c.updated, c.read, seq, s.state(seq, 0))
			}
		}
	}
}

const pages = `
	> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$M}}
	< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"nextCursor":"","ttlMs":60000,"cacheScope":"public"}}
	@ +10s
	> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"",$M}}
	< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"nextCursor":"c3","ttlMs":20000,"cacheScope":"public"}}
	> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"c3",$M}}
	< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","tools":[],"ttlMs":90000,"cacheScope":"public"}}
	`

func TestAListIsAsFreshAsItsWorstPage(t *testing.T) {
	s := tell(t, pages)
	for later, want := range map[time.Duration]string{
		0:                        "fresh 19.98s",
		20 * time.Second:         "stale 20ms",
		49970 * time.Millisecond: "stale 29.99s",
	} {
		if got := s.list("tools/list", later); got != want {
			t.Errorf("after %v: %s, want %s", later, got, want)
		}
	}
	if got := s.list("prompts/list", 0); got != "" {
		t.Errorf("never asked: %s", got)
	}
	half := tell(t, pages[:strings.Index(pages, "> {\"jsonrpc\":\"2.0\",\"id\":3")])
	if got := half.list("tools/list", 0); got != "fresh 20s partial" {
		t.Errorf("two of three pages: %s", got)
	}
	again := tell(t, pages+`
	> {"jsonrpc":"2.0","id":4,"method":"tools/list","params":{$M}}
	< {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","tools":[],"ttlMs":7000,"cacheScope":"public"}}`)
	if got := again.list("tools/list", 0); got != "fresh 7s" {
		t.Errorf("walked again, one page now: %s", got)
	}
}

func TestAWalkThatGoesInACircleEnds(t *testing.T) {
	s := tell(t, `
	> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$M}}
	< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"nextCursor":"8","ttlMs":60000,"cacheScope":"public"}}
	> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"cursor":"8",$M}}
	< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[],"nextCursor":"8","ttlMs":30000,"cacheScope":"public"}}`)
	if got := s.list("tools/list", 0); got != "fresh 30s" {
		t.Error(got)
	}
}

func TestARejectedCursorDropsTheChain(t *testing.T) {
	reject := func(cursor, why string) *story {
		return tell(t, pages+`
		> `+why+`{"jsonrpc":"2.0","id":4,"method":"tools/list","params":{"cursor":"`+cursor+`",$M}}
		< {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"Invalid cursor"}}`)
	}
	s := reject("c3", "")
	for _, seq := range []wire.Seq{1, 3, 5} {
		if got := s.state(seq, 0); got != "invalidated because cursor by 8" {
			t.Errorf("%d: %s", seq, got)
		}
	}
	if got := s.list("tools/list", 0); got != "invalidated because cursor by 8" {
		t.Errorf("the list: %s", got)
	}
	// A cursor that nobody handed out proves nothing.
	s = reject("inspector-invalid-cursor", "+why=garbage-cursor ")
	if got := s.list("tools/list", 0); !strings.HasPrefix(got, "fresh") {
		t.Errorf("after a made-up cursor: %s", got)
	}
}

func TestAFailedFetchAndAProbeLeaveTheListAsItWas(t *testing.T) {
	s := tell(t, `
	> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$M}}
	< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"public"}}
	> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{$M}}
	< {"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"no"}}
	> +why=raw {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{}}
	< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","tools":[]}}`)
	if got := s.list("tools/list", 0); got != "fresh 59.96s" {
		t.Error(got)
	}
	x := s.last[1]
	if got := words(s.ledger.State(HintOf(&x, true).Key, s.now)); got != "fresh 59.96s" {
		t.Errorf("by key: %s", got)
	}
	if h, ok := s.ledger.HintOf(HintOf(&x, true).Key); !ok || h.TTL != time.Minute {
		t.Errorf("hint by key: %v %+v", ok, h)
	}
}

func TestTheLongerOfTwoClocksCounts(t *testing.T) {
	now := time.Now()
	if got := Elapsed(now, now.Add(3*time.Second)); got != 3*time.Second {
		t.Errorf("both agree: %v", got)
	}
	// The machine slept: wall time went on, the monotonic clock did not.
	woke := now.Round(0).Add(time.Hour)
	if got := Elapsed(now, woke); got != time.Hour {
		t.Errorf("after a sleep: %v", got)
	}
	// The wall clock was set back an hour; without a monotonic reading there is nothing else, and never below zero.
	if got := Elapsed(now.Round(0), now.Round(0).Add(-time.Hour)); got != 0 {
		t.Errorf("set back: %v", got)
	}
	h := Hint{Cacheable: true, HasTTL: true, TTL: time.Minute, Received: now}
	if st := h.At(woke); st.Name != Stale || st.Age != 59*time.Minute {
		t.Errorf("after a sleep: %+v", st)
	}
}

func TestKeys(t *testing.T) {
	root := func(s string) jsondoc.Value { return jsondoc.Parse([]byte(s)).Root() }
	base := KeyOf("resources/read", root(`{"uri":"a:b","x":{"p":1,"q":[true,null]}}`), "2026-07-28", "", "")
	for text, same := range map[string]bool{
		`{ "x":{"q":[true,null],"p":1}, "uri":"\u0061:b" }`:                     true,
		`{"uri":"zzz","uri":"a:b","x":{"p":1,"q":[true,null]}}`:                 true,
		`{"_meta":{"progressToken":9},"uri":"a:b","x":{"p":1,"q":[true,null]}}`: true,
		`{"uri":"a:c","x":{"p":1,"q":[true,null]}}`:                             false,
		`{"uri":"a:b","x":{"p":1,"q":[null,true]}}`:                             false,
		`{"uri":"a:b","x":{"p":1,"q":[true,null],"_meta":{}}}`:                  false, // only the top one is protocol
	} {
		if got := KeyOf("resources/read", root(text), "2026-07-28", "", "") == base; got != same {
			t.Errorf("%s: same %v, want %v", text, got, same)
		}
	}
	empty := KeyOf("tools/list", jsondoc.Value{}, "", "", "")
	if KeyOf("tools/list", root(`{}`), "", "", "") != empty || KeyOf("tools/list", root(`{"_meta":{}}`), "", "", "") != empty {
		t.Error("no parameters and empty parameters are two keys")
	}
	if KeyOf("tools/list", root(`{"cursor":""}`), "", "", "") == empty {
		t.Error("an empty cursor is a cursor")
	}
	caps := `{"elicitation":{"form":{}},"sampling":{}}`
	asked := KeyOf("tools/list", root(`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":`+caps+`}}`), "", "", "")
	known := KeyOf("tools/list", jsondoc.Value{}, "2026-07-28", CapsHash(root(`{"sampling":{},"elicitation":{"form":{}}}`)), "")
	if asked != known {
		t.Errorf("what _meta says and what the caller says are two keys: %+v, %+v", asked, known)
	}
	long := root(`{"uri":"` + strings.Repeat("x", 10_000) + `"}`)
	if k := KeyOf("resources/read", long, "", "", ""); len(k.Params) > longParams || k != KeyOf("resources/read", long, "", "", "") {
		t.Errorf("long parameters: %d bytes", len(k.Params))
	}
	for _, other := range []Key{
		KeyOf("tools/list", jsondoc.Value{}, "2025-11-25", "", ""), KeyOf("tools/list", jsondoc.Value{}, "", "x", ""),
		KeyOf("tools/list", jsondoc.Value{}, "", "", "alice"), KeyOf("prompts/list", jsondoc.Value{}, "", "", ""),
	} {
		if other == empty {
			t.Errorf("%+v equals %+v", other, empty)
		}
	}
}

func TestAddingTwiceChangesNothing(t *testing.T) {
	s := tell(t, `
	> {"jsonrpc":"2.0","id":1,"method":"tools/list","params":{$M}}
	< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"public"}}
	< {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
	< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[],"ttlMs":1,"cacheScope":"public"}}`)
	x := s.last[1]
	if len(x.Late) != 1 {
		t.Fatalf("the second reply is not late: %+v", x)
	}
	s.ledger.Add(&x)
	if got := s.state(1, 0); got != "invalidated by 3" {
		t.Error(got)
	}
}

// A ledger forgets in bulk and never grows without end; what is younger stays.
func TestALedgerForgetsTheOldest(t *testing.T) {
	s := tell(t, `
	> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a:b",$M}}
	< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","contents":[],"ttlMs":60000,"cacheScope":"public"}}`)
	x := s.last[1]
	for i := range keep + 10 {
		y := x
		req := *x.Request
		req.Seq = wire.Seq(100 + i)
		y.Request = &req
		s.ledger.Add(&y)
	}
	if n := len(s.ledger.byRef); n > keep || len(s.ledger.live["resources/read"]) > keep {
		t.Errorf("%d exchanges", n)
	}
	if got := s.state(1, 0); got != "" {
		t.Errorf("the oldest: %s", got)
	}
	if got := s.state(wire.Seq(100+keep+9), 0); got != "fresh 1m0s" {
		t.Errorf("the youngest: %s", got)
	}
}
