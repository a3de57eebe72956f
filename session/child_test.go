package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"mcploupe/session/demo"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// The test binary is its own server: with this variable it serves on its pipes instead of testing.
const roleVariable = "MCPLOUPE_TEST_ROLE"

func TestMain(m *testing.M) {
	role, rest, _ := strings.Cut(os.Getenv(roleVariable), "\n")
	var err error
	switch role {
	case "":
		os.Exit(m.Run())
	case "demo":
		err = demo.ServeStdio(context.Background(), os.Stdin, os.Stdout, os.Stderr, demo.Options{})
	case "demo legacy":
		err = demo.ServeStdio(context.Background(), os.Stdin, os.Stdout, os.Stderr, demo.Options{Era: demo.Legacy})
	case "sdk":
		err = politeServer().Run(context.Background(), &sdk.StdioTransport{})
	case "sdk-changing":
		err = changingServer().Run(context.Background(), &sdk.StdioTransport{})
	case "script":
		runScript(rest)
	case "killed":
		err = runKilled(rest)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// child is a target that runs this binary in a role.
func child(role string) Target {
	// The race detector's second of sleep at exit would be most of these stories' time.
	return Target{Argv: []string{os.Args[0]}, Env: []string{roleVariable + "=" + role, "GORACE=atexit_sleep_ms=0"}}
}

// runScript serves from a text: one line for each method ("start" before anything is read, "*" for any
// other method), "METHOD: action ;; action". Actions: result JSON, error JSON, line TEXT ($ID is the
// request's id), stderr TEXT, sleep DURATION, exit N, close
// (its output), nothing.
func runScript(text string) {
	rules := map[string]string{}
	for line := range strings.Lines(text) {
		if method, actions, ok := strings.Cut(strings.TrimSpace(line), ": "); ok {
			rules[method] = actions
		}
	}
	act := func(actions, id string) {
		for action := range strings.SplitSeq(actions, ";;") {
			verb, rest, _ := strings.Cut(strings.TrimSpace(action), " ")
			switch verb {
			case "result", "error":
				fmt.Printf(`{"jsonrpc":"2.0","id":%s,"%s":%s}`+"\n", id, verb, rest)
			case "line":
				fmt.Println(strings.ReplaceAll(rest, "$ID", id))
			case "stderr":
				fmt.Fprintln(os.Stderr, rest)
			case "close":
				os.Stdout.Close()
			case "sleep":
				d, _ := time.ParseDuration(rest)
				time.Sleep(d)
			case "exit":
				code, _ := strconv.Atoi(rest)
				os.Exit(code)
			}
		}
	}
	act(rules["start"], "")
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		m := wire.Read(1, time.Time{}, &wire.Frame{Dir: wire.Received, Body: line})
		actions, ok := rules[m.Method]
		if !ok {
			actions, ok = rules["*"]
		}
		switch {
		case ok:
			act(actions, m.ID)
		case m.Kind == wire.Request:
			act(`error {"code":-32601,"message":"Method not found"}`, m.ID)
		}
	}
}

func script(lines ...string) Target { return child("script\n" + strings.Join(lines, "\n")) }

const (
	greetModern = `server/discover: result {"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}`
	greetLegacy = `initialize: result {"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}`
)

// atOnce is what something takes at most that waits for nothing: far less than the waiting of quick, far more than a busy machine adds.
const atOnce = 20 * time.Second

// quick waits so long that a story which waits in vain is not over atOnce; nothing else in these stories depends on how long it is.
func quick() Options {
	return Options{Timeout: 30 * time.Second, ProbeTimeout: 30 * time.Second}
}

// open connects within the time that a test may take, and closes at the end.
func open(t *testing.T, target Target, o Options) (*Session, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	s, err := Open(ctx, target, o)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Errorf("closing: %v", err)
		}
	})
	return s, err
}

// Every way of era detection over stdio (rules/notes: stdio 1 to 8), with real processes.
func TestDetectionWithRealProcesses(t *testing.T) {
	for name, c := range map[string]struct {
		target  Target
		era     string
		version string
		opening []string // what we sent until then
		fails   string   // part of the error
	}{
		"demo": {child("demo"), Modern, "2026-07-28", []string{mcp.Discover}, ""},
		"demo, legacy": {child("demo legacy"), Legacy, "2025-11-25",
			[]string{mcp.Discover, mcp.Initialize, mcp.Initialized}, ""},
		"official sdk": {child("sdk"), Modern, "2026-07-28", []string{mcp.Discover}, ""},
		"noise before the answer": {script(`start: line hello! ;; line [info] ready`, greetModern), Modern, "2026-07-28",
			[]string{mcp.Discover}, ""},
		"versions gone": {script(`server/discover: result {"resultType":"complete","supportedVersions":[]}`), Modern, "2026-07-28",
			[]string{mcp.Discover}, ""},
		"-32022, then legacy": {script(`server/discover: error {"code":-32022,"message":"no","data":{"supported":["2025-06-18"],"requested":"x"}}`, greetLegacy), Legacy, "2025-11-25",
			[]string{mcp.Discover, mcp.Initialize, mcp.Initialized}, ""},
		"-32021": {script(`server/discover: error {"code":-32021,"message":"no","data":{"requiredCapabilities":{"sampling":{}}}}`), Modern, "2026-07-28",
			[]string{mcp.Discover, mcp.Discover}, ""},
		"error without an id": {script(`server/discover: line {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"?"}}`, greetLegacy), Legacy, "2025-11-25",
			[]string{mcp.Discover, mcp.Initialize, mcp.Initialized}, ""},
		"silent on the probe": {script(`server/discover: nothing`, greetLegacy), Legacy, "2025-11-25",
			[]string{mcp.Discover, mcp.Initialize, mcp.Initialized}, ""},
		"dies on the probe": {script(`server/discover: exit 1`, greetLegacy), Legacy, "2025-11-25",
			[]string{mcp.Discover, mcp.Initialize, mcp.Initialized}, ""},
		"dies on initialize after refusing the probe": {script(`server/discover: error {"code":1,"message":"x"} ;; exit 1`, greetLegacy), Legacy, "2025-11-25",
			nil, ""},
		"without discover": {script(`tools/list: result {"resultType":"complete","tools":[]}`), Modern, "2026-07-28",
			[]string{mcp.Discover, mcp.Initialize, mcp.ToolsList}, ""},
		"a late answer to the probe": {script(`server/discover: nothing`, `initialize: line {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"]}}`), Modern, "2026-07-28",
			[]string{mcp.Discover, mcp.Initialize}, ""},
		"refuses everything": {script(`*: error {"code":-32000,"message":"go away"}`), "", "", nil, "go away"},
		"dies at once":       {script(`start: stderr cannot find module ;; exit 3`), "", "", nil, "exit code 3"},
		"closes its output":  {script(`start: close`, `*: nothing`), "", "", nil, "closed its stdout"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := quick()
			if strings.Contains(name, "silent") || strings.Contains(name, "late") {
				o.ProbeTimeout = 200 * time.Millisecond // waited out in full; a child that needs longer to start answers all the same
			}
			s, err := open(t, c.target, o)
			if c.fails != "" {
				e, ok := errors.AsType[*ConnectError](err)
				if !ok || !strings.Contains(err.Error(), c.fails) {
					t.Fatalf("error %v", err)
				}
				if strings.Contains(c.fails, "exit code") && (e.Exit == nil || len(e.Stderr) == 0) {
					t.Errorf("exit %v, stderr %q", e.Exit, e.Stderr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			info := s.Info()
			if info.Era != c.era || info.Version != c.version {
				t.Errorf("%s %s: %s", info.Era, info.Version, info.Text)
			}
			var opening []string
			var ready bool
			for _, e := range entries(s) {
				switch {
				case e.Frame != nil && e.Frame.Dir == wire.Sent && !ready:
					m := wire.Read(e.Seq, e.At, e.Frame)
					opening = append(opening, m.Method)
				case e.State != nil:
					ready = ready || e.State.Phase == wire.Ready
				}
			}
			if c.opening != nil && strings.Join(opening, " ") != strings.Join(c.opening, " ") {
				t.Errorf("sent %q", opening)
			}
		})
	}
}

// Whatever it is doing, a server may be killed: nothing hangs, and what is lost is told.
func TestKilledAtEveryStep(t *testing.T) {
	use := func(s *Session) error {
		ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
		defer cancel()
		if _, err := s.List(ctx, Tools, ListOptions{}); err != nil {
			return err
		}
		if _, err := s.CallTool(ctx, "x", nil, CallOptions{}); err != nil {
			return err
		}
		if _, err := s.Read(ctx, "x:y", CallOptions{}); err != nil {
			return err
		}
		if s.Info().Era == Modern {
			sub, err := s.Listen(ctx, Filter{Tools: true}, "")
			if err != nil {
				return err
			}
			<-sub.Done()
			if x := sub.Answer().Exchange; x.End == wire.Replied {
				return errors.New("the subscription ended with a reply")
			}
			return &NoReply{Text: "subscription"}
		}
		return errors.New("nobody killed it")
	}
	modernLines := []string{greetModern, `tools/list: result {"resultType":"complete","tools":[]}`, `tools/call: result {"resultType":"complete","content":[]}`,
		`resources/read: result {"resultType":"complete","contents":[]}`, `subscriptions/listen: line {"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":$ID},"notifications":{}}} ;; exit 9`}
	legacyLines := []string{greetLegacy, `notifications/initialized: nothing`, `tools/list: result {"tools":[]}`, `tools/call: result {"content":[]}`, `resources/read: exit 9`}
	for era, lines := range map[string][]string{"modern": modernLines, "legacy": legacyLines} {
		for i := range lines {
			method, _, _ := strings.Cut(lines[i], ": ")
			t.Run(era+" "+method, func(t *testing.T) {
				t.Parallel()
				dying := append([]string{}, lines...)
				if i < len(lines)-1 {
					dying[i] = method + ": stderr last words ;; exit 9"
				}
				begin := time.Now()
				s, err := open(t, script(dying...), quick())
				if err == nil {
					err = use(s)
				}
				if took := time.Since(begin); took > atOnce {
					t.Errorf("took %s", took)
				}
				no, dropped := errors.AsType[*NoReply](err)
				_, failed := errors.AsType[*ConnectError](err)
				_, lost := errors.AsType[*NotConnected](err)
				if !dropped && !failed && !lost {
					t.Fatalf("error %v", err)
				}
				if dropped && no.Text != "subscription" && (no.Exit == nil || no.Exit.Code != 9) {
					t.Errorf("the exit is not told: %v", err)
				}
				if len(s.Pending()) != 0 {
					t.Errorf("pending: %v", s.Pending())
				}
				if !failed { // a failed attempt ends by our closing
					wait(t, s, func(i Info) bool { return i.Phase == wire.Lost })
					if text := s.Info().Text; !strings.Contains(text, "exit code 9") || !strings.Contains(text, os.Args[0]) {
						t.Errorf("told: %s", text)
					}
				}
			})
		}
	}
}

// wait waits for the connection's state to change to what is wanted.
func wait(t *testing.T, s *Session, ok func(Info) bool) {
	t.Helper()
	limit := time.After(60 * time.Second)
	for {
		changed := s.Changed()
		if ok(s.Info()) {
			return
		}
		select {
		case <-changed:
		case <-limit:
			t.Fatalf("still %d: %s", s.Info().Phase, s.Info().Text)
		}
	}
}

func TestRestartGivesAFreshProcess(t *testing.T) {
	t.Parallel()
	s, err := open(t, script(greetModern, `tools/call: stderr boom ;; exit 9`), quick())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.CallTool(t.Context(), "x", nil, CallOptions{}); err == nil {
		t.Fatal("an answer from the dead")
	}
	wait(t, s, func(i Info) bool { return i.Phase == wire.Lost })
	if err := s.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s.Info().Phase != wire.Ready || s.Info().Exit != nil {
		t.Errorf("%+v", s.Info())
	}
	ids := map[string]bool{}
	for _, e := range entries(s) {
		if e.Frame == nil || e.Frame.Dir != wire.Sent {
			continue
		}
		m := wire.Read(e.Seq, e.At, e.Frame)
		if ids[m.ID] {
			t.Errorf("id %s twice", m.ID)
		}
		ids[m.ID] = true
	}
	if len(ids) != 3 {
		t.Errorf("%d ids", len(ids))
	}
}

// A server that closes its output but goes on running will never answer again.
func TestOutputClosedWhileReady(t *testing.T) {
	t.Parallel()
	s, err := open(t, script(greetModern, `tools/call: close`), quick())
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	_, err = s.CallTool(t.Context(), "x", nil, CallOptions{})
	if no, ok := errors.AsType[*NoReply](err); !ok || no.End != wire.Dropped || time.Since(begin) > atOnce {
		t.Errorf("after %s: %v", time.Since(begin), err)
	}
	wait(t, s, func(i Info) bool { return i.Phase == wire.Lost })
	if _, err := s.CallTool(t.Context(), "x", nil, CallOptions{}); err == nil || !strings.Contains(err.Error(), "closed its output") {
		t.Errorf("a call afterwards: %v", err)
	}
}

// A server that reads nothing: neither the message that fills the pipe nor those behind it hold anybody up.
func TestAServerThatDoesNotRead(t *testing.T) {
	t.Parallel()
	s, err := open(t, script(greetModern, `tools/call: sleep 60s ;; exit 0`), quick())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.StartTool(t.Context(), "x", nil, CallOptions{}); err != nil {
		t.Fatal(err)
	}
	big := []byte(`{"text":"` + strings.Repeat("x", 1<<20) + `"}`)
	ended := make(chan error, 2)
	begin := time.Now()
	for range 2 {
		go func() {
			_, err := s.CallTool(context.Background(), "x", big, CallOptions{Timeout: 200 * time.Millisecond})
			ended <- err
		}()
	}
	for range 2 {
		err := <-ended
		no, timedOut := errors.AsType[*NoReply](err)
		if !(timedOut && no.End == wire.TimedOut) && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	}
	if took := time.Since(begin); took > atOnce {
		t.Errorf("took %s", took)
	}
}

func TestCommandNotFound(t *testing.T) {
	t.Parallel()
	s, err := open(t, Target{Argv: []string{"mcploupe-no-such-command"}}, quick())
	e, ok := errors.AsType[*ConnectError](err)
	if !ok || !strings.Contains(e.Hint, "searched") || s.Info().Phase != wire.Failed {
		t.Errorf("error %v, hint %q", err, e.Hint)
	}
}

func TestSecretsOfTheEnvironmentNeverReachTheLog(t *testing.T) {
	t.Parallel()
	target := script(greetModern, `tools/call: stderr token is swordfish-swordfish ;; result {"resultType":"complete","content":[{"type":"text","text":"swordfish-swordfish"}]}`)
	target.Env = append(target.Env, "API_TOKEN=swordfish-swordfish")
	s, err := open(t, target, quick())
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.CallTool(t.Context(), "x", []byte(`{"k":"swordfish-swordfish"}`), CallOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Result().Get("content").Index(0).Get("text").Text(); got != "swordfish-swordfish" {
		t.Errorf("the session sees %q, not the exact bytes", got)
	}
	for _, e := range entries(s) {
		text := ""
		switch {
		case e.Frame != nil:
			text = string(e.Frame.Body)
		case e.Note != nil:
			text = e.Note.Text
		}
		if strings.Contains(text, "swordfish") {
			t.Errorf("entry %d: %s", e.Seq, text)
		}
	}
}
