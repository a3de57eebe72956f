package app

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session"
	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// A story is a journal, keys, and a screen. It runs in a bubble of testing/synctest: commands are goroutines,
// time is not real, and the screen is looked at when nothing goes on any more.
type story struct {
	t     *testing.T
	m     *Model
	deck  *Deck // that m lies on; nil in stories of one server
	fake  *fake
	log   *wire.Log
	msgs  chan tea.Msg
	ctx   context.Context
	quit  bool
	desk  *Desk
	real  bool // time is real: things go on outside of the bubble
	drawn time.Time
	draws bool // it is drawn whenever something happened, as on a terminal: what counts down is asked only when it is shown
}

// root is what the program runs.
func (s *story) root() tea.Model {
	if s.deck != nil {
		return s.deck
	}
	return s.m
}

// fake is a session that remembers what was asked of it, and answers by appending to the log.
type fake struct {
	log     *wire.Log
	mu      sync.Mutex
	asked   []string
	info    session.Info
	connect error
	answer  func(what string) (session.Answer, error)
	roots   []session.Root
	follow  func(context.Context, session.FollowOptions) (session.Answer, error)
	tasks   bool
}

func (f *fake) note(format string, a ...any) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := fmt.Sprintf(format, a...)
	f.asked = append(f.asked, s)
	return s
}

func (f *fake) reply(what string) (session.Answer, error) {
	if f.answer == nil {
		return session.Answer{}, nil
	}
	return f.answer(what)
}

func (f *fake) Log() *wire.Log     { return f.log }
func (f *fake) Info() session.Info { return f.info }
func (f *fake) Connect(context.Context) error {
	f.note("connect")
	return f.connect
}
func (f *fake) Restart(context.Context) error {
	f.note("restart")
	return f.connect
}
func (f *fake) Forget()                     { f.note("forget") }
func (f *fake) Close(context.Context) error { f.note("close"); return nil }
func (f *fake) List(_ context.Context, k session.ListKind, o session.ListOptions) (*session.Listing, error) {
	f.note("list %s fresh=%v", k, o.Fresh)
	return &session.Listing{Kind: k}, nil
}
func (f *fake) CallTool(_ context.Context, name string, args []byte, o session.CallOptions) (session.Answer, error) {
	altered := ""
	for _, key := range o.OmitMeta {
		altered += " without " + key
	}
	for _, m := range o.SetMeta {
		altered += " with " + m.Name + "=" + string(m.Raw)
	}
	if _, edited := (&wire.Frame{Why: o.Why}).EditedFrom(); edited {
		altered += " " + o.Why
	}
	return f.reply(f.note("call %s %s%s", name, args, altered))
}
func (f *fake) Prompt(_ context.Context, name string, args []byte, _ session.CallOptions) (session.Answer, error) {
	return f.reply(f.note("prompt %s %s", name, args))
}
func (f *fake) Read(_ context.Context, uri string, o session.CallOptions) (session.Answer, error) {
	return f.reply(f.note("read %s fresh=%v", uri, o.Fresh))
}
func (f *fake) Do(_ context.Context, r session.Request) (session.Answer, error) {
	return f.reply(f.note("do %s %s", r.Method, r.Params))
}
func (f *fake) LogFrom(_ context.Context, level string) (session.Answer, error) {
	return f.reply(f.note("log from %q", level))
}
func (f *fake) Complete(_ context.Context, q session.Completion, _ session.CallOptions) (session.Answer, error) {
	return f.reply(f.note("complete %s %s=%q %v", q.Ref, q.Argument, q.Value, q.Context))
}
func (f *fake) Finish(_ context.Context, a session.Answer, _ session.CallOptions) (session.Answer, error) {
	return a, nil
}
func (f *fake) Reopen(_ context.Context, seq wire.Seq) (session.Answer, error) {
	return f.reply(f.note("reopen %d", seq))
}
func (f *fake) Roots() []session.Root { return f.roots }
func (f *fake) SetRoots(_ context.Context, roots []session.Root) (string, error) {
	f.note("roots %v", roots)
	f.roots = roots
	return "told", nil
}
func (f *fake) Meta(string) []byte {
	return []byte(`{"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}},"progressToken":"‹the id of the request›"}`)
}
func (f *fake) Listen(_ context.Context, filter session.Filter, _ string) (*session.Subscription, error) {
	_, err := f.reply(f.note("listen %s", filter.JSON()))
	return nil, err
}
func (f *fake) Hold(ctx context.Context, filter session.Filter, _ session.HoldOptions) (*session.Subscription, error) {
	_, err := f.reply(f.note("hold %s", filter.JSON()))
	<-ctx.Done()
	return nil, err
}
func (f *fake) Subscribe(_ context.Context, uri string) (session.Answer, error) {
	return f.reply(f.note("subscribe %s", uri))
}
func (f *fake) Unsubscribe(_ context.Context, uri string) (session.Answer, error) {
	return f.reply(f.note("unsubscribe %s", uri))
}
func (f *fake) Cancel(seq wire.Seq, _ string) bool { f.note("cancel %d", seq); return true }

// tell begins a story on a server that has said the script so far.
func tell(t *testing.T, w, h int, script string, then func(s *story)) {
	t.Helper()
	tellWith(t, w, h, script, Options{}, then)
}

func tellWith(t *testing.T, w, h int, script string, o Options, then func(s *story)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		log := wire.NewLog(wire.LogOptions{Now: time.Now})
		s := &story{t: t, log: log, msgs: make(chan tea.Msg, 1000), ctx: ctx, fake: &fake{log: log}}
		if o.Log == nil {
			o.Session = s.fake
			s.desk = NewDesk()
			o.Desk = s.desk
		}
		defer func() {
			cancel()
			log.Close()
			time.Sleep(time.Minute) // beats that are under way end
		}()
		m, err := New(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		s.m = m
		s.say(script)
		s.send(tea.WindowSizeMsg{Width: w, Height: h})
		s.run(m.Init())
		s.settle()
		then(s)
	})
}

// say appends a script to the log, as if it happened now.
func (s *story) say(script string) {
	s.t.Helper()
	happen(s.t, s.log, script)
}

// happen appends a script to a log, as if it happened now.
func happen(t testing.TB, log *wire.Log, script string) {
	t.Helper()
	entries, err := wire.ParseScript(script)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		e.At, e.Seq = time.Time{}, 0
		log.Append(e)
	}
}

func (s *story) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				s.run(c)
			}
		default:
			select {
			case s.msgs <- msg:
			case <-s.ctx.Done():
			}
		}
	}()
}

func (s *story) send(msg tea.Msg) {
	if _, ok := msg.(tea.QuitMsg); ok {
		s.quit = true
		return
	}
	_, cmd := s.root().Update(msg)
	s.run(cmd)
}

// settle lets everything happen that happens by itself within a moment.
func (s *story) settle() {
	rest := synctest.Wait
	if s.real {
		rest = func() { time.Sleep(5 * time.Millisecond) }
	}
	for range 3 {
		rest()
		for more := true; more; {
			select {
			case msg := <-s.msgs:
				s.send(msg)
				rest()
			default:
				more = false
			}
		}
		if s.draws && time.Since(s.drawn) >= 200*time.Millisecond {
			s.m.View()
			s.drawn = time.Now()
		}
		time.Sleep(frameTime)
	}
}

// wait lets time pass.
func (s *story) wait(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(50 * time.Millisecond)
		s.settle()
	}
}

// press presses keys by their names: "enter", "ctrl+s", "a".
func (s *story) press(keys ...string) {
	s.t.Helper()
	for _, k := range keys {
		s.send(keyMsg(s.t, k))
		s.settle()
	}
}

// typed types a text, letter by letter.
func (s *story) typed(text string) {
	for _, r := range text {
		s.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	s.settle()
}

func keyMsg(t *testing.T, name string) tea.KeyPressMsg {
	t.Helper()
	msg := pressOf(name)
	if msg.String() != name {
		t.Fatalf("key %q is called %q", name, msg.String())
	}
	return msg
}

// screen is what stands there, without styles.
func (s *story) screen() string { return ansi.Strip(s.root().View().Content) }

// sees fails the story unless the screen holds all of these, each within one line.
func (s *story) sees(texts ...string) {
	s.t.Helper()
	screen := s.screen()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			s.t.Errorf("the screen does not show %q:\n%s", text, screen)
		}
	}
}

func (s *story) seesNot(texts ...string) {
	s.t.Helper()
	screen := s.screen()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			s.t.Errorf("the screen shows %q:\n%s", text, screen)
		}
	}
}

// asked fails the story unless the session was asked for this last.
func (s *story) asked(want string) {
	s.t.Helper()
	s.fake.mu.Lock()
	defer s.fake.mu.Unlock()
	if n := len(s.fake.asked); n == 0 || s.fake.asked[n-1] != want {
		s.t.Errorf("the session was asked %q, want %q last", s.fake.asked, want)
	}
}

// fits fails the story unless the screen is exactly as large as the terminal.
func (s *story) fits() {
	s.t.Helper()
	lines := strings.Split(s.root().View().Content, "\n")
	if len(lines) != s.m.h {
		s.t.Errorf("%d lines on a screen of %d", len(lines), s.m.h)
	}
	for i, l := range lines {
		if w := ansi.StringWidth(l); w != s.m.w {
			s.t.Errorf("line %d has %d cells of %d: %q", i, w, s.m.w, ansi.Strip(l))
		}
	}
}

// The conversation of most stories.
const (
	meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcploupe","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	mine = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"weather","version":"1.2.0"}}`

	opening = `
= connecting +target="node server.js" +kind=stdio starting node server.js
= detecting asking with server/discover whether the server is modern
> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{}},"ttlMs":300000,"cacheScope":"public",` + mine + `}}
= ready +era=modern +version=2026-07-28 server/discover was answered: modern
`
	lists = `
> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","ttlMs":272000,"cacheScope":"public",` + mine + `,"tools":[
  {"name":"get_weather","title":"Weather","description":"The weather **now**.","inputSchema":{"type":"object","properties":{"location":{"type":"string","description":"city"},"days":{"type":"integer"}},"required":["location"]},
  "outputSchema":{"type":"object","properties":{"temp":{"type":"number"}},"required":["temp"]},"annotations":{"readOnlyHint":true}},
  {"name":"erase","description":"Erases all.","inputSchema":{"type":"object"},"annotations":{"destructiveHint":true}}]}}
> {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","ttlMs":60000,"cacheScope":"public",` + mine + `,"resources":[{"uri":"file:///a.txt","name":"a","mimeType":"text/plain"}]}}
> {"jsonrpc":"2.0","id":4,"method":"prompts/list","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":4,"result":{"resultType":"complete","ttlMs":60000,"cacheScope":"public",` + mine + `,"prompts":[{"name":"greet","arguments":[{"name":"who","required":true}]},{"name":"hello"}]}}
`
	ask = `
> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"get_weather","arguments":{"location":"Madrid"},"_meta":{"progressToken":"5","io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcploupe","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}
`
	wrongAnswer = `
< {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[{"type":"text","text":"{\"temp\":\"22\"}"}],"structuredContent":{"temp":"22"},` + mine + `}}
`
)

// capabilities of the server of opening, for the fake.
func declared() session.Info {
	return session.Info{Phase: wire.Ready, Capabilities: jsondoc.Parse([]byte(`{"tools":{},"resources":{},"prompts":{}}`)).Root()}
}
