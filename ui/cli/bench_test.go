//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// programs are the real program and what it is measured with and against, built as a person would build them.
type programs struct{ mcploupe, empty, server, measure string }

func build(tb testing.TB) programs {
	tb.Helper()
	dir := tb.TempDir()
	c := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "mcploupe", "./testdata/bench/empty", "./testdata/bench/server", "./testdata/bench/measure")
	if out, err := c.CombinedOutput(); err != nil {
		tb.Fatalf("building: %v\n%s", err, out)
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	return programs{in("mcploupe"), in("empty"), in("server"), in("measure")}
}

// cost is what one run of a process took, from its start to its end.
type cost struct {
	wall time.Duration
	peak int64 // bytes
}

func (p programs) run(tb testing.TB, argv ...string) (c cost) {
	tb.Helper()
	var said bytes.Buffer
	m := exec.Command(p.measure, argv...)
	m.Stderr = &said
	out, err := m.Output()
	if err != nil {
		tb.Fatalf("%s: %v %s", argv, err, said.String())
	}
	if _, err := fmt.Sscan(string(out), &c.wall, &c.peak); err != nil {
		tb.Fatalf("%s: %v: %q", argv, err, out)
	}
	return c
}

// best runs commands in turns and gives the least that each needed: what the machine does besides can only add.
func (p programs) best(tb testing.TB, rounds int, commands ...[]string) []cost {
	tb.Helper()
	best := make([]cost, len(commands))
	for round := range rounds {
		for i, argv := range commands {
			c := p.run(tb, argv...)
			if round == 0 {
				best[i] = c
				continue
			}
			best[i] = cost{min(best[i].wall, c.wall), min(best[i].peak, c.peak)}
		}
	}
	return best
}

func (p programs) list(more ...string) []string {
	return append([]string{p.mcploupe, "list", "tools", "--", p.server}, more...)
}

func (p programs) call(more ...string) []string {
	return append([]string{p.mcploupe, "call", "tool_0", "--arg", "text=x", "--", p.server}, more...)
}

const mib = 1 << 20

func (p programs) measured(b *testing.B, argv []string) {
	var peak int64
	for b.Loop() {
		peak = max(peak, p.run(b, argv...).peak)
	}
	b.ReportMetric(float64(peak)/mib, "MiB-peak")
}

// Whole processes, from start to end: an empty program, the tool list of a trivial server, 2,000 tools, and 5 MB of text.
func BenchmarkListTools(b *testing.B) {
	p := build(b)
	b.Run("empty program", func(b *testing.B) { p.measured(b, []string{p.empty}) })
	b.Run("one tool", func(b *testing.B) { p.measured(b, p.list()) })
	b.Run("2000 tools", func(b *testing.B) { p.measured(b, p.list("-tools", "2000")) })
	b.Run("2000 tools, JSON", func(b *testing.B) {
		p.measured(b, []string{p.mcploupe, "list", "tools", "--json", "--", p.server, "-tools", "2000"})
	})
}

func BenchmarkCallFiveMegabytes(b *testing.B) {
	p := build(b)
	b.Run("rows", func(b *testing.B) { p.measured(b, p.call("-bytes", fmt.Sprint(5_000_000))) })
	b.Run("check", func(b *testing.B) {
		p.measured(b, []string{p.mcploupe, "check", "--call", `tool_0={"text":"x"}`, "--", p.server, "-bytes", fmt.Sprint(5_000_000)})
	})
}

// What the headless program may cost, as ratios within one run: of the wall time of starting two empty programs (its own process
// and the server's), and of the size of what it is sent.
func TestTheProgramIsLight(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("builds the program, to measure it")
	}
	p := build(t)
	program, err := os.ReadFile(p.mcploupe)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(program, []byte("text/template.(*state).evalCall")) {
		t.Error("the engine of templates came in: with it the linker keeps every exported method of everything")
	}
	best := p.best(t, 7, []string{p.empty}, p.list(), p.call("-bytes", fmt.Sprint(5_000_000)))
	empty, list, five := best[0], best[1], best[2]
	t.Logf("empty %v %.1f MiB, list tools %v %.1f MiB, 5 MB %v %.1f MiB", empty.wall, float64(empty.peak)/mib, list.wall, float64(list.peak)/mib, five.wall, float64(five.peak)/mib)
	if list.wall > 40*empty.wall {
		t.Errorf("list tools takes %v, an empty program %v", list.wall, empty.wall)
	}
	if list.peak > 25*mib {
		t.Errorf("list tools needs %.1f MiB", float64(list.peak)/mib)
	}
	if more := five.peak - list.peak; more > 10*5_000_000 {
		t.Errorf("5 MB of text need %.1f MiB beyond the program", float64(more)/mib)
	}
}

// The official inspector's command line, when MCPLOUPE_INSPECTOR names its command: at most an eighth of its wall time and a
// quarter of its memory for the tool list of the same server.
func TestAgainstTheOfficialInspector(t *testing.T) {
	peer := strings.Fields(os.Getenv("MCPLOUPE_INSPECTOR"))
	if len(peer) == 0 {
		t.Skip("MCPLOUPE_INSPECTOR does not name the command of @modelcontextprotocol/inspector")
	}
	p := build(t)
	best := p.best(t, 5, append(peer, "--cli", p.server, "--method", "tools/list"), p.list())
	theirs, ours := best[0], best[1]
	t.Logf("inspector %v %.1f MiB, mcploupe %v %.1f MiB: %.1f and %.1f times", theirs.wall, float64(theirs.peak)/mib, ours.wall, float64(ours.peak)/mib,
		float64(theirs.wall)/float64(ours.wall), float64(theirs.peak)/float64(ours.peak))
	if 8*ours.wall > theirs.wall || 4*ours.peak > theirs.peak {
		t.Errorf("the inspector needs %+v, we need %+v", theirs, ours)
	}
}
