package session

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcploupe/session/mcp"
	"mcploupe/session/subs"
	"mcploupe/session/wire"
)

func tagged(method, id string, more string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":{%s"_meta":{"io.modelcontextprotocol/subscriptionId":%s}}}`, method, more, id)
}

// acknowledging acknowledges every subscription in full.
func acknowledging(then func(f *fake, m wire.Message)) func(*fake, wire.Message) {
	return modern(func(f *fake, m wire.Message) {
		if m.Method == mcp.Listen {
			f.say(0, tagged(mcp.Acknowledged, m.ID, `"notifications":`+string(m.Params().Get("notifications").Raw())+","))
		}
		if then != nil {
			then(f, m)
		}
	})
}

func TestSeveralSubscriptionsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, acknowledging(nil))
		if err != nil {
			t.Fatal(err)
		}
		one, err1 := s.Listen(t.Context(), Filter{Tools: true}, "")
		two, err2 := s.Listen(t.Context(), Filter{URIs: []string{"f:///a"}}, "")
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		<-one.Acknowledged()
		<-two.Acknowledged()
		now().say(0, tagged(mcp.ResourcesUpdated, two.State().ID, `"uri":"f:///a",`))
		now().say(0, tagged(mcp.ToolsChanged, one.State().ID, ""))
		now().say(0, tagged(mcp.ToolsChanged, one.State().ID, ""))
		if a, b := one.State(), two.State(); a.Count != 2 || b.Count != 1 || b.Last.URI != "f:///a" || a.ID == b.ID {
			t.Errorf("%+v\n%+v", a, b)
		}
		two.Close("enough")
		<-two.Done()
		if a, b := one.State(), two.State(); !a.Running() || b.How != subs.Ours || b.Words() != "ended by us: enough" {
			t.Errorf("%s, %s", a.Words(), b.Words())
		}
		synctest.Wait()
		if got := string(now().last().Body); !strings.Contains(got, `"requestId":`+two.State().ID) {
			t.Errorf("told the server %s", got)
		}
		now().say(0, `{"jsonrpc":"2.0","id":`+one.State().ID+`,"result":{"resultType":"complete"}}`)
		<-one.Done()
		synctest.Wait()
		if got := notes(s); !strings.Contains(got, "subscription 3 ended by us: enough") || !strings.Contains(got, "subscription 2 ended by the server, with a result") {
			t.Errorf("notes: %s", got)
		}
		if all := s.Subscriptions(); len(all) != 2 || all[0].How != subs.Finished {
			t.Errorf("%+v", all)
		}
		shut(t, s)
	})
}

// The server ends each subscription at once, one way or another: how often are we taken in?
func TestHoldIsBounded(t *testing.T) {
	for name, c := range map[string]struct {
		kind            string
		end             func(f *fake, m wire.Message)
		times           int
		within, atLeast time.Duration
		how             subs.How
	}{
		"results in a loop": {"stdio", func(f *fake, m wire.Message) { f.result(m, `{"resultType":"complete"}`) }, 9, 2 * time.Minute, time.Minute, subs.Finished},
		"refused":           {"stdio", func(f *fake, m wire.Message) { f.error(m, -32601, "no") }, 1, time.Second, 0, subs.Refused},
		"streams cut in a loop": {"http", func(f *fake, m wire.Message) {
			f.tap.Lane(wire.Lane{ID: m.Lane, Kind: wire.LaneHead, HTTP: &wire.Head{Status: 200, Header: []wire.Field{{Name: "Content-Type", Value: "text/event-stream"}}}})
			f.tap.Lane(wire.Lane{ID: m.Lane, Kind: wire.LaneCut, Text: "reset"})
		}, 9, 2 * time.Minute, time.Minute, subs.Broken},
		"a process that dies": {"stdio", func(f *fake, m wire.Message) { f.exit(wire.Exit{Code: 3}) }, 9, 2 * time.Minute, time.Minute, subs.Gone},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _, err := converse(t, c.kind, Options{}, modern(func(f *fake, m wire.Message) {
					if m.Method == mcp.Listen {
						c.end(f, m)
					}
				}))
				if err != nil {
					t.Fatal(err)
				}
				begin, times, waits := time.Now(), 0, 0
				sub, err := s.Hold(t.Context(), Filter{Tools: true}, HoldOptions{Restart: true,
					Opened:  func(*Subscription) { times++ },
					Waiting: func(string, time.Duration) { waits++ },
				})
				took := time.Since(begin)
				if err != nil || times != c.times || waits != c.times-1 || took > c.within || took < c.atLeast || sub.State().How != c.how {
					t.Errorf("%d times, %d waits in %s: %v, %s", times, waits, took, err, sub.State().Words())
				}
				shut(t, s)
			})
		})
	}
}

// A connection that comes back is listened to again, under another id; the end of ctx ends it for good, also between two tries.
func TestHoldComesBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, acknowledging(nil))
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var ids []string
		opened := make(chan *Subscription, 10)
		held := make(chan error)
		go func() {
			_, err := s.Hold(ctx, Filter{Tools: true}, HoldOptions{Restart: true, Opened: func(sub *Subscription) { opened <- sub }})
			held <- err
		}()
		for range 3 {
			sub := <-opened
			<-sub.Acknowledged()
			ids = append(ids, sub.State().ID)
			time.Sleep(time.Minute)
			now().exit(wire.Exit{Code: 1})
			<-sub.Done()
		}
		cancel()
		if err := <-held; err != nil {
			t.Error(err)
		}
		slices.Sort(ids)
		if len(slices.Compact(ids)) != 3 {
			t.Errorf("ids %q", ids)
		}
		shut(t, s)
	})
}

func TestHoldWithoutRestartSaysThatTheServerIsGone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, acknowledging(nil))
		if err != nil {
			t.Fatal(err)
		}
		sub, err := s.Hold(t.Context(), Filter{Tools: true}, HoldOptions{Opened: func(*Subscription) { now().exit(wire.Exit{Code: 1}) }})
		if !errors.As(err, new(*NotConnected)) || sub.State().How != subs.Gone {
			t.Errorf("%v, %s", err, sub.State().Words())
		}
		shut(t, s)
	})
	synctest.Test(t, func(t *testing.T) {
		s, _, err := converse(t, "stdio", Options{}, legacy(nil))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Hold(t.Context(), Filter{Tools: true}, HoldOptions{}); !errors.As(err, new(*Unsupported)) {
			t.Errorf("a legacy server: %v", err)
		}
		shut(t, s)
	})
}

// What a hostile server may do to a subscription is counted, and hurts nobody.
func TestHostileSubscriptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, now, err := converse(t, "stdio", Options{}, modern(nil))
		if err != nil {
			t.Fatal(err)
		}
		sub, err := s.Listen(t.Context(), Filter{Tools: true}, "")
		if err != nil {
			t.Fatal(err)
		}
		id := sub.State().ID
		f := now()
		f.say(0, tagged(mcp.ToolsChanged, id, ""))                            // before the acknowledgment
		f.say(0, tagged(mcp.Acknowledged, `"`+id+`"`, `"notifications":{},`)) // of a subscription that nobody opened
		select {
		case <-sub.Acknowledged():
			t.Error("a foreign acknowledgment counts")
		default:
		}
		for range 1000 {
			f.say(0, tagged(mcp.Acknowledged, id, `"notifications":7,`))
		}
		<-sub.Acknowledged()
		for range 1000 {
			f.say(0, tagged(mcp.ResourcesUpdated, id, `"uri":[],`))
			f.say(0, tagged(mcp.ToolsChanged, `{"`+id+`":1}`, ""))
		}
		if st := sub.State(); st.Acks != 1000 || st.Count != 1001 || st.Updates != 1000 || !st.Granted.Empty() || !st.Running() {
			t.Errorf("%+v", st)
		}
		if a := sub.Answer(); len(a.Exchange.During) != 1 {
			t.Errorf("%d messages are kept with the request", len(a.Exchange.During))
		}
		shut(t, s)
		if st := sub.State(); st.How != subs.Ours {
			t.Errorf("in the end: %s", st.Words())
		}
		compareWithFold(t, s)
	})
}

// The official SDK's server, over both transports: what it grants, what it brings, how it ends.
func TestSubscriptionsWithTheSDK(t *testing.T) {
	for _, kind := range []string{"stdio", "http"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			target := child("sdk-changing")
			if kind == "http" {
				server := changingServer()
				target = listen(t, sdk.NewStreamableHTTPHandler(func(*http.Request) *sdk.Server { return server },
					&sdk.StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}))
			}
			s, err := open(t, target, quick())
			if err != nil {
				t.Fatal(err)
			}
			lists, err := s.Listen(t.Context(), Filter{Tools: true, Prompts: true}, "")
			if err != nil {
				t.Fatal(err)
			}
			one, err := s.Listen(t.Context(), Filter{URIs: []string{"note://one"}}, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, sub := range []*Subscription{lists, one} {
				select {
				case <-sub.Acknowledged():
				case <-time.After(60 * time.Second):
					t.Fatal("not acknowledged")
				}
			}
			if st := lists.State(); !st.Granted.Tools || !st.Extra().Empty() {
				t.Errorf("granted %s of %s", st.Granted, st.Asked)
			}
			for range 2 {
				if _, err := s.CallTool(t.Context(), "change", nil, CallOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			patiently(t, "the changes", func() bool {
				a, b := lists.State(), one.State()
				return a.Tools > 0 && a.Mistaken == 0 && b.Updates > 0 && b.Last.URI == "note://one" && b.Mistaken == 0
			})
			one.Close("enough")
			<-one.Done()
			if st := one.State(); st.How != subs.Ours {
				t.Errorf("%s", st.Words())
			}
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
			compareWithFold(t, s)
		})
	}
}

// patiently waits for what another process or goroutine does; nothing else tells when.
func patiently(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for give := time.Now().Add(10 * time.Second); !done(); <-tick.C {
		if time.Now().After(give) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

// A real child dies at each step of a subscription: it ends as gone, nothing hangs, and the journal holds what came before.
func TestAServerIsKilledAtEachStepOfASubscription(t *testing.T) {
	const discover = `server/discover: result ` + discoverResult + "\n"
	acked := `line ` + tagged(mcp.Acknowledged, "$ID", `"notifications":{"toolsListChanged":true},`)
	changed := `line ` + tagged(mcp.ToolsChanged, "$ID", "")
	for name, c := range map[string]struct {
		steps string
		acks  int
		count int
		how   subs.How
	}{
		"at once":                  {"exit 3", 0, 0, subs.Gone},
		"in the acknowledgment":    {`line {"jsonrpc":"2.0","method":"notif ;; exit 3`, 0, 0, subs.Gone},
		"after the acknowledgment": {acked + " ;; exit 3", 1, 0, subs.Gone},
		"after a notification":     {acked + " ;; " + changed + " ;; exit 3", 1, 1, subs.Gone},
		"after its output":         {acked + " ;; " + changed + " ;; close ;; sleep 20ms ;; exit 3", 1, 1, subs.Gone},
		"after the result":         {acked + ` ;; result {"resultType":"complete"} ;; exit 3`, 1, 0, subs.Finished},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := open(t, child("script\n"+discover+"subscriptions/listen: "+c.steps), quick())
			if err != nil {
				t.Fatal(err)
			}
			sub, err := s.Listen(t.Context(), Filter{Tools: true}, "")
			if err != nil {
				t.Fatal(err)
			}
			select {
			case <-sub.Done():
			case <-time.After(60 * time.Second):
				t.Fatal("it hangs")
			}
			patiently(t, "the end of the process", func() bool { return s.Info().Phase == wire.Lost })
			if err := s.Close(t.Context()); err != nil {
				t.Error(err)
			}
			if st := sub.State(); st.Acks != c.acks || st.Count != c.count {
				t.Errorf("%d acknowledgments, %d notifications", st.Acks, st.Count)
			}
			if st := sub.State(); st.How != c.how {
				t.Errorf("%s", st.Words())
			}
			compareWithFold(t, s)
		})
	}
}
