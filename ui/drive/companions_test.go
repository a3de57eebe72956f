package drive

import (
	"bufio"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"mcploupe/inspect"
	"mcploupe/session/demo"
)

var update = flag.Bool("update", false, "add companions that were found to testdata/companions.txt, for review")

const companionsFile = "testdata/companions.txt"

// unreviewed marks, in place of a reason, a companion that nobody has looked at yet; the tests do not accept it.
const unreviewed = "??"

// companion is a rule that a fault may be found by, beside its own.
type companion struct {
	fault, rule string
	sometimes   bool // whether it is found depends on timing
	reason      string
}

// companions is the reviewed list of them, in the order of the file.
type companions struct {
	mu    sync.Mutex
	list  []companion
	added bool
}

// readCompanions reads the reviewed list: a fault, a rule (with ? behind it when it is found only sometimes) and the reason,
// divided by blanks. With -update it is written again at the end of the test, with what was found.
func readCompanions(t *testing.T) *companions {
	t.Helper()
	all := new(companions)
	f, err := os.Open(companionsFile)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fault, rest, _ := strings.Cut(line, " ")
		rule, reason, _ := strings.Cut(strings.TrimSpace(rest), " ")
		c := companion{fault: fault, reason: strings.TrimSpace(reason)}
		c.rule, c.sometimes = strings.CutSuffix(rule, "?")
		all.list = append(all.list, c)
	}
	if *update {
		t.Cleanup(func() { all.write(t) })
	}
	return all
}

// strict are the levels at which nothing may be found that is not expected.
func strict(f *inspect.Finding) bool { return f.Rule.Level >= inspect.Should }

// noAnswer finds answers that did not come, be it that the machine was too busy.
const noAnswer = "jsonrpc-no-response"

// check walks over a server with a fault, and holds what is found against what is expected: the fault's own rule, and exactly the
// reviewed companions; usual is what the faithful server shows on that walk. A walk that missed an answer is repeated with patience.
func (all *companions) check(t *testing.T, fault demo.Fault, walk func(patience) []inspect.Finding, usual ...string) {
	t.Helper()
	found := walk(1)
	has := func(rule string) bool {
		return slices.ContainsFunc(found, func(f inspect.Finding) bool { return f.Rule.ID == rule })
	}
	waits := fault.Rule == noAnswer || slices.ContainsFunc(all.list, func(c companion) bool { return c.fault == fault.Name && c.rule == noAnswer })
	if !has(fault.Rule) || has(noAnswer) && !waits {
		found = walk(10)
	}
	all.mu.Lock()
	defer all.mu.Unlock()
	first := map[string]inspect.Finding{}
	own := false
	for _, f := range found {
		own = own || f.Rule.ID == fault.Rule
		if _, is := first[f.Rule.ID]; !is && strict(&f) && f.Rule.ID != fault.Rule && !slices.Contains(usual, f.Rule.ID) {
			first[f.Rule.ID] = f
		}
	}
	if !own {
		t.Errorf("%s: %s is not found (%s); found: %v", fault.Name, fault.Rule, fault.What, slices.Sorted(maps.Keys(first)))
	}
	for _, id := range slices.Sorted(maps.Keys(first)) {
		if i := slices.IndexFunc(all.list, func(c companion) bool { return c.fault == fault.Name && c.rule == id }); i >= 0 && all.list[i].reason != unreviewed {
			continue
		}
		f := first[id]
		said := fmt.Sprintf("%s (%s) at %s: got %s, want %s", unreviewed, f.Confidence, f.At.Path, f.Got, f.Want)
		if *update {
			all.list, all.added = append(all.list, companion{fault: fault.Name, rule: id, reason: said}), true
			continue
		}
		t.Errorf("%s: %s is found, too: %s", fault.Name, id, said)
	}
	for _, c := range all.list {
		if _, is := first[c.rule]; c.fault == fault.Name && !c.sometimes && !is {
			t.Errorf("%s: %s was found beside it, and is no more (%s)", fault.Name, c.rule, c.reason)
		}
	}
}

// write adds what was found to the file.
func (all *companions) write(t *testing.T) {
	t.Helper()
	if !all.added {
		return
	}
	old, err := os.ReadFile(companionsFile)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for line := range strings.Lines(string(old)) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		text.WriteString(line)
	}
	order := map[string]int{}
	for i, f := range demo.Faults() {
		order[f.Name] = i
	}
	slices.SortStableFunc(all.list, func(a, b companion) int {
		return cmp.Or(order[a.fault]-order[b.fault], strings.Compare(a.rule, b.rule))
	})
	for i, c := range all.list {
		if i == 0 || all.list[i-1].fault != c.fault {
			text.WriteString("\n")
		}
		if c.sometimes {
			c.rule += "?"
		}
		fmt.Fprintf(&text, "%-24s %-36s %s\n", c.fault, c.rule, c.reason)
	}
	if err := os.WriteFile(companionsFile, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The reviewed list names faults and rules that exist, says why, and names nothing twice.
func TestCompanionsAreReviewed(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range readCompanions(t).list {
		_, fault := demo.Lookup(c.fault)
		_, rule := inspect.Lookup(c.rule)
		key := c.fault + " " + c.rule
		if !fault || !rule || c.reason == "" || strings.HasPrefix(c.reason, unreviewed) || seen[key] {
			t.Errorf("%s %s %q: twice, unknown or without a reason", c.fault, c.rule, c.reason)
		}
		seen[key] = true
	}
}
