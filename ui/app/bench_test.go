package app

import (
	"fmt"
	"io"
	"sort"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"mcploupe/session/ratiotest"
	"mcploupe/session/wire"
)

// loaded is a screen on a journal with so many tools and exchanges.
func loaded(t testing.TB, tools, exchanges int) *Model {
	t.Helper()
	log := wire.NewLog(wire.LogOptions{})
	happen(t, log, opening)
	var list strings.Builder
	for i := range tools {
		if i > 0 {
			list.WriteString(",")
		}
		fmt.Fprintf(&list, `{"name":"tool_%d_%s","title":"Tool %d","description":"Does thing number %d.","inputSchema":{"type":"object","properties":{"location":{"type":"string"},"days":{"type":"integer"}},"required":["location"]}}`, i, [...]string{"weather", "order", "invoice", "search"}[i%4], i, i)
	}
	happen(t, log, `> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{`+meta+`}}`+"\n"+
		`< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","ttlMs":272000,"cacheScope":"public",`+mine+`,"tools":[`+list.String()+`]}}`+"\n")
	for i := range exchanges {
		id := i + 3
		happen(t, log, fmt.Sprintf(`> {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool_%d_weather","arguments":{"location":"x"},%s}}
< {"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","content":[{"type":"text","text":"ok %d"}],%s}}
`, id, i*4%max(tools, 1), meta, id, i, mine))
	}
	log.Close()
	m := unread(t, log)
	readAll(t, m)
	m.View()
	return m
}

// unread is a screen on a log of which nothing was read yet.
func unread(t testing.TB, log *wire.Log) *Model {
	t.Helper()
	m, err := New(t.Context(), Options{Log: log})
	if err != nil {
		t.Fatal(err)
	}
	m.feed.Pace = 0
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	return m
}

// readAll reads a closed log to its end.
func readAll(t testing.TB, m *Model) {
	t.Helper()
	for {
		msg := m.pull()().(pageMsg)
		if msg.err == io.EOF {
			return
		}
		if msg.err != nil {
			t.Fatal(msg.err)
		}
		m.take(&msg.page)
	}
}

// slowest is the longest that anything took until the screen after it was ready.
type slowest struct {
	b    *testing.B
	took time.Duration
}

// step takes the time of a step and of the screen after it.
func (s *slowest) step(m *Model, what string, do func()) {
	start := time.Now()
	do()
	m.View()
	if d := time.Since(start); d > s.took {
		s.took = d
		if testing.Verbose() {
			s.b.Logf("%s took %v", what, d)
		}
	}
}

func (s *slowest) report() {
	s.b.ReportMetric(float64(s.took.Microseconds())/1000, "ms/slowest-key")
}

// walk is the keys of a person who looks around.
var walk = []string{"down", "down", "down", "G", "up", "ctrl+u", "g", "5", "up", "up", "up", "ctrl+u", "G", "2", "down", "enter", "esc", "tab", "down", "down", "tab"}

// medianKey is the median time that a key takes until its screen is ready, over several walks.
func medianKey(t *testing.T, m *Model, keys []string, rounds int) time.Duration {
	var took []time.Duration
	for range rounds {
		for _, k := range keys {
			msg := keyMsg(t, k)
			start := time.Now()
			m.Update(msg)
			m.View()
			took = append(took, time.Since(start))
		}
	}
	sort.Slice(took, func(i, j int) bool { return took[i] < took[j] })
	return took[len(took)/2]
}

// A key costs what is on the screen, not what there is: a hundred times as many tools and exchanges may make
// it at most three times as slow.
func TestAKeyCostsWhatIsOnTheScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("measures")
	}
	few, many := loaded(t, 20, 60), loaded(t, 1000, 6000)
	ratiotest.AtMost(t, 3, 10, func() (much, little time.Duration) {
		little = medianKey(t, few, walk, 1)
		return medianKey(t, many, walk, 1), little
	})
}

func BenchmarkKey(b *testing.B) {
	for _, size := range [][2]int{{20, 100}, {2000, 10_000}} {
		b.Run(fmt.Sprintf("%dtools,%dexchanges", size[0], size[1]), func(b *testing.B) {
			m := loaded(b, size[0], size[1])
			m.setFocus(atTools)
			b.ResetTimer()
			for i := range b.N {
				m.Update(tea.KeyPressMsg{Code: map[bool]rune{true: tea.KeyDown, false: tea.KeyUp}[i%40 < 20]})
				m.View()
			}
		})
	}
}

// Every letter of a filter over 2,000 tools, each with its screen.
func BenchmarkFilterKey(b *testing.B) {
	m := loaded(b, 2000, 10_000)
	m.setFocus(atTools)
	m.Update(tea.KeyPressMsg{Code: '/', Text: "/"})
	b.ResetTimer()
	for i := range b.N {
		r := rune("invoice"[i%7])
		if i%7 == 0 {
			m.Update(tea.KeyPressMsg{Code: 'u', Mod: tea.ModCtrl})
		}
		m.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		m.View()
	}
}

// A page of 4,096 notifications, as a flood brings them, and the screen after it.
func BenchmarkFloodPage(b *testing.B) {
	m := loaded(b, 20, 100)
	log := wire.NewLog(wire.LogOptions{})
	happen(b, log, strings.Repeat(`< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"a line"}}`+"\n", 4096))
	log.Close()
	m.o.Log = log
	o := unread(b, log)
	var pages []pageMsg
	for {
		msg := o.pull()().(pageMsg)
		if msg.err != nil {
			break
		}
		pages = append(pages, msg)
	}
	b.ResetTimer()
	for range b.N {
		for i := range pages {
			m.take(&pages[i].page)
		}
		m.View()
	}
}

// BenchmarkBytesPerKey is what a cursor key sends to the terminal, through the real renderer.
func BenchmarkBytesPerKey(b *testing.B) {
	m := loaded(b, 2000, 10_000)
	m.setFocus(atTools)
	var out counter
	p := tea.NewProgram(m, tea.WithInput(nil), tea.WithOutput(&out), tea.WithWindowSize(120, 36), tea.WithColorProfile(colorprofile.TrueColor), tea.WithoutSignals())
	done := make(chan error)
	go func() { _, err := p.Run(); done <- err }()
	time.Sleep(200 * time.Millisecond)
	start := out.n.Load()
	b.ResetTimer()
	for i := range b.N {
		p.Send(tea.KeyPressMsg{Code: map[bool]rune{true: tea.KeyDown, false: tea.KeyUp}[i%20 < 10]})
		time.Sleep(20 * time.Millisecond)
	}
	b.StopTimer()
	b.ReportMetric(float64(out.n.Load()-start)/float64(b.N), "bytes/key")
	p.Quit()
	<-done
}

type counter struct {
	n atomic.Int64
}

func (c *counter) Write(p []byte) (int, error) { c.n.Add(int64(len(p))); return len(p), nil }

// largeAnswer is an answer of five megabytes in one of three shapes.
func largeAnswer(shape string) string {
	const size = 5 << 20
	var b strings.Builder
	switch shape {
	case "one string":
		b.WriteString(strings.Repeat("the light burned clear all night; ", size/34))
	case "lines":
		for b.Len() < size {
			b.WriteString(strings.Repeat("x", 79) + `\n`)
		}
	default:
		b.WriteString(`"}],"structuredContent":{"rows":[`)
		for i := 0; b.Len() < size; i++ {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"id":%d,"station":"skerry","temperature":16.3,"wind":{"speed":2.4,"from":"SW"},"sky":"fog"}`, i)
		}
		return `{"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[{"type":"text","text":"` + b.String() + `]},` + mine + `}}`
	}
	return `{"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[{"type":"text","text":"` + b.String() + `"}],` + mine + `}}`
}

// BenchmarkLargeAnswer is five megabytes from the log to the screen, and then keys in it: each key is reported
// by its slowest run.
func BenchmarkLargeAnswer(b *testing.B) {
	for _, shape := range []string{"one string", "lines", "rows"} {
		body := []byte(largeAnswer(shape))
		b.Run(shape, func(b *testing.B) {
			var shown time.Duration
			keys := slowest{b: b}
			for range b.N {
				log := wire.NewLog(wire.LogOptions{})
				happen(b, log, opening+lists+ask)
				log.Append(wire.Entry{Frame: &wire.Frame{Dir: wire.Received, Body: body}})
				log.Close()
				m := unread(b, log)
				start := time.Now()
				readAll(b, m)
				m.View()
				shown = max(shown, time.Since(start))
				m.setFocus(atMain)
				for _, k := range []tea.KeyPressMsg{{Code: tea.KeyDown}, {Code: 'G', Text: "G"}, {Code: tea.KeyUp}, {Code: 'g', Text: "g"}, {Code: 'z', Text: "z"}, {Code: '2', Text: "2"}, {Code: 'b', Text: "b"}, {Code: 'G', Text: "G"}, {Code: 'b', Text: "b"}, {Code: 'w', Text: "w"}, {Code: '/', Text: "/"}, {Code: 'q', Text: "q"}} {
					keys.step(m, k.String(), func() { m.Update(k) })
				}
			}
			b.ReportMetric(float64(shown.Microseconds())/1000, "ms/shown")
			keys.report()
		})
	}
}
