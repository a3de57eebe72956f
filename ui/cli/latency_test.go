//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/session/ratiotest"
	"mcploupe/session/wire"
	"mcploupe/ui/cli/termtest"
)

// How soon the real program answers a key under a pseudo-terminal, and how many bytes it writes for that.

// visit is a journal that a person looks around in: so many calls of tools, the last one answered with so many bytes of rows.
func visit(tb testing.TB, calls, bytes int) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "visit.jsonl")
	f, err := wire.Create(path, false)
	if err != nil {
		tb.Fatal(err)
	}
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcploupe","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	seq, at := wire.Seq(0), wire.ScriptStart()
	write := func(e wire.Entry) {
		seq, at = seq+1, at.Add(time.Millisecond)
		e.Seq, e.At = seq, at
		if err := f.Write(e); err != nil {
			tb.Fatal(err)
		}
	}
	opening, err := wire.ParseScript(`= connecting +target="node server.js" +kind=stdio starting node server.js
= detecting asking with server/discover whether the server is modern
> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":300000,"cacheScope":"public"}}
= ready +era=modern +version=2026-07-28 server/discover was answered: modern
> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","ttlMs":300000,"cacheScope":"public","tools":[{"name":"rows","inputSchema":{"type":"object"}},{"name":"more","inputSchema":{"type":"object"}}]}}
`)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range opening {
		write(e)
	}
	say := func(dir wire.Dir, body string) { write(wire.Entry{Frame: &wire.Frame{Dir: dir, Body: []byte(body)}}) }
	var rows strings.Builder
	for i := 0; rows.Len() < bytes || i == 0; i++ {
		if i > 0 {
			rows.WriteByte(',')
		}
		fmt.Fprintf(&rows, `{"id":%d,"station":"skerry","temperature":16.3,"wind":{"speed":2.4,"from":"SW"},"sky":"fog"}`, i)
	}
	for i := range calls {
		say(wire.Sent, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"rows","arguments":{},%s}}`, i+3, meta))
		some := `{"id":0},{"id":1},{"id":2}`
		if i == calls-1 {
			some = rows.String()
		}
		say(wire.Received, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","content":[{"type":"text","text":"ok"}],"structuredContent":{"rows":[%s]}}}`, i+3, some))
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
	return path
}

// keyCosts is what keys cost: how long until the first byte, and how many bytes.
type keyCosts struct {
	first []time.Duration
	bytes []int
}

func (a keyCosts) median() time.Duration {
	slices.Sort(a.first)
	return a.first[len(a.first)/2]
}

// late is the time within which nineteen of twenty keys were answered.
func (a keyCosts) late() time.Duration {
	slices.Sort(a.first)
	return a.first[len(a.first)*19/20]
}

func (a keyCosts) most() int { return slices.Max(a.bytes) }

func (a keyCosts) mean() int {
	sum := 0
	for _, n := range a.bytes {
		sum += n
	}
	return sum / len(a.bytes)
}

// looking is the keys of a person who goes through exchanges and through the answer: the cursor moves, pages turn, values fold.
func looking() []string {
	return []string{"up", "up", "down", "down", "up", "down", "pgup", "pgdown", "g", "G", "enter",
		"down", "down", "down", "pgdown", "pgdown", "pgup", "G", "up", "g", "down", "esc"}
}

// cursor is the keys that only move the cursor over the answer, after enter.
func cursor() []string { return []string{"down", "down", "down", "up", "down", "up", "up", "down"} }

// press presses keys one after the other; each has the time to be answered whole.
func press(tb testing.TB, term *termtest.Term, keys []string, rounds int) (a keyCosts) {
	tb.Helper()
	for range rounds {
		for _, key := range keys {
			first, bytes, err := term.Press(key, 60*time.Millisecond)
			if err != nil {
				tb.Fatal(err)
			}
			a.first, a.bytes = append(a.first, first), append(a.bytes, bytes)
		}
	}
	return a
}

// look opens a journal in the real program and waits until it stands still.
func look(tb testing.TB, p programs, journal string, calls int) *termtest.Term {
	tb.Helper()
	term, err := termtest.Start(120, 36, []string{"COLORFGBG=15;0"}, p.mcploupe, "replay", journal)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(term.Close)
	if err := term.Wait(time.Minute, "the last exchange", func(s string) bool {
		return strings.Contains(s, fmt.Sprintf("▸ %d tools/call", 2*calls+4)) || strings.Contains(s, fmt.Sprint(2*calls+4))
	}); err != nil {
		tb.Fatal(err)
	}
	term.Quiet(500 * time.Millisecond)
	return term
}

// A key costs what is on the screen, in the real program too: with 10,000 exchanges and an answer of 20 MB it may be answered at
// most twice as late as with sixty and a few hundred bytes (one tick of the renderer is what both wait for), and a cursor that
// moves by one row writes less than a tenth of what the screen holds.
func TestKeysAreAnsweredAtOnce(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("builds the program, to measure it")
	}
	p := build(t)
	few, many := look(t, p, visit(t, 60, 200), 60), look(t, p, visit(t, 10_000, 20_000_000), 10_000)
	ratiotest.AtMost(t, 2, 10, func() (much, little time.Duration) {
		a, b := press(t, few, looking(), 1), press(t, many, looking(), 1)
		t.Logf("few: median %v, 19 of 20 within %v, %d bytes a key; many: median %v, 19 of 20 within %v, %d bytes a key", a.median(), a.late(), a.mean(), b.median(), b.late(), b.mean())
		return b.median(), a.median()
	})
	if _, _, err := many.Press("enter", 60*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if c := press(t, many, cursor(), 1); c.most() > 120*36/10 {
		t.Errorf("moving the cursor by a row writes up to %d bytes, on average %d", c.most(), c.mean())
	}
}

// BenchmarkKeyToTerminal is how late keys are answered, and with how many bytes, under a pseudo-terminal; beside it the official
// inspector's terminal interface where MCPLOUPE_INSPECTOR_TUI names its command (without the server's).
func BenchmarkKeyToTerminal(b *testing.B) {
	p := build(b)
	report := func(b *testing.B, a keyCosts) {
		b.ReportMetric(float64(a.median().Microseconds())/1000, "ms/key-median")
		b.ReportMetric(float64(a.late().Microseconds())/1000, "ms/key-p95")
		b.ReportMetric(float64(a.mean()), "bytes/key")
	}
	for _, size := range []struct {
		name         string
		calls, bytes int
	}{{"60 exchanges", 60, 200}, {"10000 exchanges, 20 MB", 10_000, 20_000_000}} {
		b.Run(size.name, func(b *testing.B) {
			term := look(b, p, visit(b, size.calls, size.bytes), size.calls)
			b.ResetTimer()
			report(b, press(b, term, looking(), b.N))
			if _, _, err := term.Press("enter", 60*time.Millisecond); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(press(b, term, cursor(), b.N).mean()), "bytes/cursor-key")
		})
	}
	b.Run("live, tools", func(b *testing.B) {
		term, err := termtest.Start(120, 36, []string{"COLORFGBG=15;0"}, p.mcploupe, "--", p.server, "-tools", "60")
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(term.Close)
		if err := term.See("tool_5"); err != nil {
			b.Fatal(err)
		}
		term.Quiet(500 * time.Millisecond)
		b.ResetTimer()
		report(b, press(b, term, []string{"down", "down", "down", "up", "up", "up"}, b.N))
	})
	peer := strings.Fields(os.Getenv("MCPLOUPE_INSPECTOR_TUI"))
	if len(peer) == 0 {
		return
	}
	b.Run("official inspector, tools", func(b *testing.B) {
		script := filepath.Join(b.TempDir(), "server") // it takes flags after the server's command for its own
		if err := os.WriteFile(script, []byte("#!/bin/sh\nexec "+p.server+" -tools 60\n"), 0o700); err != nil {
			b.Fatal(err)
		}
		term, err := termtest.Start(120, 36, []string{"COLORFGBG=15;0"}, append(slices.Clone(peer), script)...)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(term.Close)
		for _, step := range [][2]string{{"MCP Servers", "c"}, {"● connected", "t"}, {"tool_5", "tab"}} {
			if err := term.See(step[0]); err != nil {
				b.Fatal(err)
			}
			term.Quiet(time.Second)
			if err := term.Type(step[1]); err != nil {
				b.Fatal(err)
			}
		}
		term.Quiet(time.Second)
		b.ResetTimer()
		report(b, press(b, term, []string{"down", "down", "down", "up", "up", "up"}, b.N))
	})
}
