package demo

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// learner is one of a class: a world, and a client that speaks to it. It gives errors, so that many can work at once.
type learner struct {
	n      int
	url    string
	client *http.Client

	hang    func() // of the stream
	stream  *bufio.Reader
	task    string
	session string
	tools   int
}

// say sends a message; extra are headers, "Name: value".
func (l *learner) send(url, text string, extra ...string) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(text))
	if err != nil {
		cancel()
		return nil, err
	}
	for name, values := range modernHeaders(text) {
		if values[0] != "" {
			r.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	for _, h := range extra {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w, err := l.client.Do(r)
	if err != nil {
		cancel()
		return nil, err
	}
	context.AfterFunc(ctx, cancel)
	l.hang = cancel
	return w, nil
}

func (l *learner) say(url, text string, extra ...string) (jsondoc.Value, *http.Response, error) {
	w, err := l.send(url, text, extra...)
	if err != nil {
		return jsondoc.Value{}, nil, err
	}
	defer w.Body.Close()
	body, err := io.ReadAll(w.Body)
	if err != nil {
		return jsondoc.Value{}, nil, err
	}
	if all := events(string(body)); len(all) > 0 {
		body = []byte(all[len(all)-1])
	}
	return jsondoc.Parse(body).Root(), w, nil
}

func (l *learner) ask(short string) (jsondoc.Value, error) {
	m, _, err := l.say(l.url, request(7, short))
	return m, err
}

func (l *learner) event() (method string, err error) {
	for {
		line, err := l.stream.ReadString('\n')
		if err != nil {
			return "", err
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return jsondoc.Parse([]byte(data)).Root().Get("method").Text(), nil
		}
	}
}

func (l *learner) remark() string { return fmt.Sprintf("seen by learner %d of the class", l.n) }

// work changes what a world can change: each learner a little otherwise.
func (l *learner) work() error {
	var all []error
	do := func(short, want string) jsondoc.Value {
		m, err := l.ask(short)
		if err == nil && !strings.Contains(string(m.Raw()), want) {
			err = fmt.Errorf("%s: no %q in %s", short, want, m.Raw())
		}
		all = append(all, err)
		return m
	}
	for i, name := range []string{"hygrometer", "seismograph", "sunshine-recorder"}[:l.n%4] {
		do(`tools/call {"name":"hang_instrument","arguments":{"instrument":"`+name+`"}}`, "hangs outside now")
		l.tools = i + 1
	}
	do(`tools/call {"name":"log_observation","arguments":{"sky":"fog","visibility":1,"remark":"`+l.remark()+`"}}`, "resultType")
	l.task = do(`tasks tools/call {"name":"survey_coast","arguments":{"legs":2,"legMs":1000}}`, "taskId").Get("result").Get("taskId").Text()
	m, w, err := l.say(l.url, hello("2025-11-25"))
	if err == nil {
		if l.session = w.Header.Get(mcp.HeaderSessionID); l.session == "" {
			err = fmt.Errorf("no session: %s", m.Raw())
		}
	}
	return errors.Join(append(all, err)...)
}

// look sees whether the world holds what this learner did, and nothing of the neighbour's.
func (l *learner) look(neighbour *learner) error {
	var names []string
	for cursor := ""; ; {
		m, err := l.ask("tools/list {" + cursor + "}")
		if err != nil {
			return err
		}
		for tool := range m.Get("result").Get("tools").Children() {
			if name := tool.Get("name").Text(); strings.HasPrefix(name, rigged) {
				names = append(names, name)
			}
		}
		next := m.Get("result").Get("nextCursor")
		if !next.Exists() {
			break
		}
		cursor = `"cursor":` + string(next.Raw())
	}
	if len(names) != l.tools {
		return fmt.Errorf("learner %d hung %d instruments and sees %q", l.n, l.tools, names)
	}
	book, err := l.ask(`resources/read {"uri":"station://skerry/logbook"}`)
	if err != nil || strings.Count(string(book.Raw()), "of the class") != 1 || !strings.Contains(string(book.Raw()), l.remark()) {
		return fmt.Errorf("learner %d reads in the log book: %s %w", l.n, book.Raw(), err)
	}
	for id, known := range map[string]bool{l.task: true, neighbour.task: false} {
		if m, err := l.ask(`tasks tasks/get {"taskId":"` + id + `"}`); err != nil || m.Get("result").Exists() != known {
			return fmt.Errorf("learner %d asks for a task (own: %t): %s %w", l.n, known, m.Raw(), err)
		}
	}
	for url, status := range map[string]int{l.url: 200, neighbour.url: 404} {
		if _, w, err := l.say(url, old(9, "tools/list", ""), mcp.HeaderSessionID+": "+l.session); err != nil || w.StatusCode != status {
			return fmt.Errorf("learner %d's session at %s: %v %w", l.n, url, w, err)
		}
	}
	return nil
}

// everybody works at once.
func everybody(t *testing.T, class []*learner, what string, do func(l *learner) error) {
	t.Helper()
	failed := make([]error, len(class))
	var all sync.WaitGroup
	for i, l := range class {
		all.Go(func() { failed[i] = do(l) })
	}
	all.Wait()
	if err := errors.Join(failed...); err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// opened is a room on a real listener.
func openRoom(t *testing.T, opt Options, say func(string)) (r *Room, base string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	r = NewRoom(opt, say)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.Serve(ctx, listener) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return r, "http://" + listener.Addr().String()
}

// Thirty learners at once, each in a world of its own: what one changes nobody else sees or hears, and nothing is left
// running when they have gone.
func TestAClassOfThirty(t *testing.T) {
	r, base := openRoom(t, Options{Era: Both}, nil)
	before := runtime.NumGoroutine()
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	var class []*learner
	for n := range 30 {
		class = append(class, &learner{n: n, url: fmt.Sprintf("%s/learner-%d%s", base, n, Path), client: &http.Client{Transport: transport}})
	}
	everybody(t, class, "listening", func(l *learner) error {
		w, err := l.send(l.url, request(1, `subscriptions/listen {"notifications":{"toolsListChanged":true,"promptsListChanged":true}}`))
		if err != nil {
			return err
		}
		hang := l.hang
		t.Cleanup(hang)
		l.stream = bufio.NewReader(w.Body)
		if got, err := l.event(); err != nil || got != mcp.Acknowledged {
			return fmt.Errorf("the first event is %q, %w", got, err)
		}
		return nil
	})
	everybody(t, class, "working", (*learner).work)
	everybody(t, class, "looking", func(l *learner) error { return l.look(class[(l.n+1)%len(class)]) })
	// Who hung instruments hears of it, however often at once; who did not hears the bell first that rings at the end.
	everybody(t, class, "hearing", func(l *learner) error {
		if _, err := l.ask(`tools/call {"name":"ring_bell","arguments":{"about":"prompts"}}`); err != nil {
			return err
		}
		heard := map[string]int{}
		for heard[mcp.PromptsChanged] == 0 {
			method, err := l.event()
			if err != nil {
				return err
			}
			heard[method]++
		}
		if (heard[mcp.ToolsChanged] > 0) != (l.tools > 0) || heard[mcp.ToolsChanged] > l.tools {
			return fmt.Errorf("learner %d hung %d instruments and heard %v", l.n, l.tools, heard)
		}
		return nil
	})
	if n := r.count(); n != len(class) {
		t.Errorf("%d worlds for %d learners", n, len(class))
	}
	shared := &learner{url: base + Path, client: class[0].client}
	if book, err := shared.ask(`resources/read {"uri":"station://skerry/logbook"}`); err != nil || strings.Contains(string(book.Raw()), "of the class") {
		t.Errorf("the shared log book: %s %v", book.Raw(), err)
	}
	// They all close their laptops, and in the night the room is empty.
	for _, w := range r.worlds {
		w.s.hub.dismiss()
	}
	everybody(t, class, "leaving", func(l *learner) error { _, err := io.Copy(io.Discard, l.stream); return err })
	transport.CloseIdleConnections()
	settled(t, "streams are still open", func() bool { return r.busy() == 0 })
	r.mu.Lock()
	for _, w := range r.worlds {
		w.seen = w.seen.Add(-worldIdle)
	}
	r.mu.Unlock()
	r.sweep()
	if n := r.count(); n != 0 {
		t.Errorf("%d worlds are kept", n)
	}
	settled(t, "goroutines are left", func() bool { return runtime.NumGoroutine() <= before+2 })
}

// busy is how many requests are open.
func (r *Room) busy() (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, w := range r.worlds {
		n += w.open
	}
	return n
}

// settled waits for what other goroutines do.
func settled(t *testing.T, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for give := time.Now().Add(10 * time.Second); !done(); <-tick.C {
		if time.Now().After(give) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%s\n%s", what, buf[:runtime.Stack(buf, true)])
		}
	}
}
