package demo

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
)

// The test binary is also the server, for stories that need a real child process.
func TestMain(m *testing.M) {
	if faults, child := os.LookupEnv("DEMO_CHILD"); child {
		opt := Options{}
		if faults != "" {
			opt.Faults = strings.Split(faults, ",")
		}
		if err := ServeStdio(context.Background(), os.Stdin, os.Stdout, os.Stderr, opt); err != nil {
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestASlowCallBlocksNobodyAndCanBeCancelled(t *testing.T) {
	p := overPipes(t, Options{})
	p.send(request(1, `token tools/call {"name":"calibrate","arguments":{"steps":100,"stepMs":50}}`))
	first := p.message()
	want(t, first, "/method", `"notifications/progress"`)
	want(t, first, "/params/progressToken", `"t1"`)
	want(t, first, "/params/progress", "1")
	p.send(request(2, askWeather))
	p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"enough"}}`)
	p.send(request(3, "tools/list"))
	answered := map[string]bool{}
	for !answered["2"] || !answered["3"] {
		m := p.message()
		if id := m.Get("id"); id.Exists() {
			answered[string(id.Raw())] = true
		} else {
			want(t, m, "/params/progressToken", `"t1"`) // what was under way when the cancellation came
		}
	}
	if err := p.close(); err != nil {
		t.Fatal(err)
	}
	for line := range p.lines {
		if id := jsondoc.Parse([]byte(line)).At("/id"); id.Exists() {
			t.Errorf("the cancelled request was answered: %s", line)
		}
	}
}

func TestWhatWasAskedBeforeTheEndIsAnswered(t *testing.T) {
	p := overPipes(t, Options{})
	p.send(request(1, "subscriptions/listen {\"notifications\":{}}"))
	p.send(request(2, `tools/call {"name":"calibrate","arguments":{"steps":2,"stepMs":20}}`))
	want(t, p.message(), "/method", `"notifications/subscriptions/acknowledged"`)
	if err := p.close(); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the end of the subscription and the answer to the call, in either order
		if m := p.message(); string(m.Get("id").Raw()) == "1" {
			want(t, m, "/result/_meta/io.modelcontextprotocol~1subscriptionId", "1")
		} else {
			want(t, m, "/id", "2")
			at(t, m, "/result/content")
		}
	}
	if line := p.next(); line != "" {
		t.Errorf("and then %q", line)
	}
}

func TestTheCallerCanEndTheServer(t *testing.T) {
	in, held := io.Pipe()
	defer held.Close()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- ServeStdio(ctx, in, io.Discard, io.Discard, Options{}) }()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}

func TestOddLines(t *testing.T) {
	long := `{"jsonrpc":"2.0","id":9,"method":"` + strings.Repeat("x", maxMessage) + `"}`
	p := overPipes(t, Options{})
	for _, c := range []struct{ send, code, id string }{
		{`{"jsonrpc":"2.0","id":1,"method":`, "-32700", ""},
		{`not json`, "-32700", ""},
		{"\xff\xfe", "-32700", ""},
		{`[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]`, "-32600", ""},
		{`"hello"`, "-32600", ""},
		{`{"jsonrpc":"2.0","id":4}`, "-32600", "4"},
		{`{"jsonrpc":"1.0","id":5,"method":"tools/list"}`, "-32600", "5"},
		{`{"jsonrpc":"2.0","id":null,"method":"tools/list"}`, "-32600", ""},
		{`{"jsonrpc":"2.0","id":1.5,"method":"tools/list"}`, "-32600", ""},
		{`{"jsonrpc":"2.0","id":6,"method":"tools/list","params":[1]}`, "-32602", "6"},
		{`{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, "-32602", "7"},
		{`{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}`, "-32601", "7"},
		{long, "-32700", ""},
	} {
		p.send(c.send)
		m := p.message()
		want(t, m, "/error/code", c.code)
		if got := string(m.Get("id").Raw()); got != c.id {
			t.Errorf("%.60s: id %q, want %q", c.send, got, c.id)
		}
	}
	p.send("\n   \n" + `{"jsonrpc":"2.0","method":"notifications/whatever"}` + "\n" + `{"jsonrpc":"2.0","id":1,"result":{}}`)
	p.send(strings.Replace(request(8, "server/discover"), `"id":8`, `"id":12345678901234567890`, 1))
	want(t, p.message(), "/id", "12345678901234567890") // and nothing before it
	p.send(strings.Replace(request(8, "server/discover"), `"id":8`, `"id":"\u0041"`, 1))
	want(t, p.message(), "/id", `"\u0041"`)
}

// child is the server as a real process.
func child(t *testing.T, faults string) (cmd *exec.Cmd, in io.WriteCloser, out *bufio.Reader) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(self)
	cmd.Env = append(os.Environ(), "DEMO_CHILD="+faults)
	cmd.WaitDelay = time.Second
	if in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if !strings.HasPrefix(stderr.String(), "Skerry Light is on the air: stdio, modern") {
			t.Errorf("stderr: %q", stderr.String())
		}
	})
	return cmd, in, bufio.NewReader(stdout)
}

func discoverOver(t *testing.T, in io.Writer, out *bufio.Reader) {
	t.Helper()
	if _, err := io.WriteString(in, request(1, "server/discover")+"\n"); err != nil {
		t.Fatal(err)
	}
	line, err := out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	want(t, jsondoc.Parse([]byte(line)).Root(), "/result/supportedVersions", `["2026-07-28"]`)
}

func TestAChildExitsWhenItsInputEnds(t *testing.T) {
	cmd, in, out := child(t, "")
	discoverOver(t, in, out)
	in.Close()
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
		t.Errorf("%v, and it still said %q", err, rest)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it exited with %v", err)
	}
}

func TestAChildThatExitsEarly(t *testing.T) {
	cmd, in, out := child(t, "exit-early")
	discoverOver(t, in, out)
	if _, err := io.WriteString(in, request(2, askWeather)+"\n"); err != nil {
		t.Fatal(err)
	}
	if rest, err := io.ReadAll(out); err != nil || len(rest) > 0 {
		t.Errorf("%v, and it still said %q", err, rest)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 3 {
		t.Errorf("it exited with %v", err)
	}
}

func TestAChildThatDoesNotExit(t *testing.T) {
	cmd, in, out := child(t, "no-exit")
	discoverOver(t, in, out)
	in.Close()
	exited := make(chan error, 1)
	go func() { exited <- cmd.Wait() }()
	select {
	case err := <-exited:
		t.Errorf("it exited: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	_ = cmd.Process.Kill()
	<-exited
}
