package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// children are servers that the test binary is when its first word names one: real processes on real pipes.
func children() map[string]func(args []string) {
	return map[string]func([]string){
		"child:sdk":       func([]string) { sdkChild() },
		"child:hostile":   hostileChild,
		"child:poisoned":  poisonedChild,
		"child:listened":  listenedChild,
		"child:main":      func(args []string) { os.Exit(Main(args, os.Stdin, os.Stdout, os.Stderr)) },
		"child:chatty":    func([]string) { chattyChild() },
		"child:told":      toldChild,
		"child:switching": func([]string) { switchingChild() },
		"child:demo": func(args []string) {
			os.Exit(Main(append([]string{"demo", "--stdio"}, args...), os.Stdin, os.Stdout, os.Stderr))
		},
	}
}

// childArgv is the command that starts one of the children.
func childArgv(t testing.TB, words ...string) []string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{"--", exe}, words...)
}

// result is what one run of the program left.
type result struct {
	code     int
	out, err string
	took     time.Duration
}

func (r result) String() string {
	return fmt.Sprintf("exit %d after %s\nstdout:\n%s\nstderr:\n%s", r.code, r.took, clipText(r.out), clipText(r.err))
}

func clipText(s string) string {
	if len(s) > 6000 {
		return s[:3000] + "\n[…]\n" + s[len(s)-3000:]
	}
	return s
}

// program runs the program as a person would, but within this process. No story may hang: after a minute the test fails.
func program(t testing.TB, args ...string) result {
	t.Helper()
	var out, errOut locked
	done := make(chan int, 1)
	start := time.Now()
	go func() { done <- Main(args, strings.NewReader(""), &out, &errOut) }()
	select {
	case code := <-done:
		return result{code, out.String(), errOut.String(), time.Since(start)}
	case <-time.After(time.Minute):
		t.Fatalf("mcploupe %q hangs\nstdout:\n%s\nstderr:\n%s", args, clipText(out.String()), clipText(errOut.String()))
	}
	return result{}
}

type locked struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *locked) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

var _ io.Writer = (*locked)(nil)

// The shape of --json, as its readers see it. Unknown members would be a change of the contract.
type (
	jsonLine struct {
		Type         string          `json:"type"`
		Seq          int64           `json:"seq"`
		Method       *string         `json:"method"`
		Name         string          `json:"name"`
		Why          string          `json:"why"`
		Request      json.RawMessage `json:"request"`
		RequestText  *string         `json:"requestText"`
		Response     json.RawMessage `json:"response"`
		ResponseText *string         `json:"responseText"`
		Message      json.RawMessage `json:"message"`
		MessageText  *string         `json:"messageText"`
		Fetch        *struct {
			For    string `json:"for"`
			Method string `json:"method"`
			URL    string `json:"url"`
			Text   string `json:"text"`
		} `json:"fetch"`
		Notifications []struct {
			Seq         int64           `json:"seq"`
			Message     json.RawMessage `json:"message"`
			MessageText *string         `json:"messageText"`
			Late        bool            `json:"late"`
			AfterMs     *float64        `json:"afterMs"`
		} `json:"notifications"`
		Transport *struct {
			Kind    string            `json:"kind"`
			Status  *int              `json:"status"`
			Headers map[string]string `json:"headers"`
		} `json:"transport"`
		MS              *float64        `json:"ms"`
		Reason          string          `json:"reason"`
		Retries         int64           `json:"retries,omitempty"`
		Verdict         *jsonVerdict    `json:"verdict"`
		Findings        []jsonFinding   `json:"-"`
		RawFindings     json.RawMessage `json:"findings"`
		Server          json.RawMessage `json:"server"`
		Era             string          `json:"era"`
		ProtocolVersion string          `json:"protocolVersion"`
		Exchanges       int             `json:"exchanges"`
		Reasons         []struct {
			Rule, Pointer, Reason string
		} `json:"reasons"`
		Rules         []string `json:"rules"`
		TaskID        string   `json:"taskId"` // of lines of type task
		Tool          string   `json:"tool"`
		Status        string   `json:"status"`
		StatusMessage string   `json:"statusMessage"`
		Polls         *int     `json:"polls"`
		NextPollMS    *int64   `json:"nextPollMs"`
		Asking        *bool    `json:"asking"`

		ID       json.RawMessage `json:"id"` // of lines of type subscription
		State    string          `json:"state"`
		Words    string          `json:"words"`
		Graceful *bool           `json:"graceful"`
		Asked    json.RawMessage `json:"asked"`
		Granted  json.RawMessage `json:"granted"`
		Withheld json.RawMessage `json:"withheld"`
		Unasked  json.RawMessage `json:"unasked"`
		Came     *int            `json:"count"`
		Count    struct {
			Must, Should, Advice, Sep2145 int
		} `json:"-"`
	}
	jsonVerdict struct {
		ResultType struct {
			Value *string `json:"value"`
			From  string  `json:"from"`
		} `json:"resultType"`
		Outcome struct {
			Class      string   `json:"class"`
			Kind       string   `json:"kind"`
			Confidence string   `json:"confidence"`
			Evidence   []string `json:"evidence"`
			Published  string   `json:"published"`
			SEP2145    string   `json:"sep2145"`
		} `json:"outcome"`
		Freshness struct {
			State       string          `json:"state"`
			TTL         *float64        `json:"ttlMs"`
			RemainingMS *float64        `json:"remainingMs"`
			Scope       *string         `json:"scope"`
			Because     json.RawMessage `json:"because"`
		} `json:"freshness"`
	}
	jsonFinding struct {
		Seq        int64  `json:"seq"`
		Rule       string `json:"rule"`
		Level      string `json:"level"`
		Source     string `json:"source"`
		Profile    string `json:"profile"`
		Confidence string `json:"confidence"`
		Part       string `json:"part"`
		Pointer    string `json:"pointer"`
		Got        string `json:"got"`
		Want       string `json:"want"`
		Also       []struct {
			Seq     int64  `json:"seq"`
			Pointer string `json:"pointer"`
		} `json:"also"`
	}
)

var (
	outcomeClasses = []string{"success", "tool-error", "protocol-error", "input-required", "task", "invalid", "transport-failure"}
	outcomeKinds   = []string{"", "unknown-tool", "not-callable", "input-validation", "output-validation", "output-missing", "execution", "header",
		"capability", "version", "parse", "invalid-request", "method-not-found", "meta", "malformed-call", "not-found", "internal", "retired-code", "legacy-code",
		"application-code", "envelope", "result-type", "shape", "connect", "timeout", "cancelled", "crash", "truncated", "not-json", "auth", "http-status",
		"id-mismatch", "invalid-params", "working", "completed", "failed"}
	freshStates = []string{"fresh", "stale", "stale-at-once", "no-hint", "not-cacheable", "invalidated"}
	findingPart = []string{"body", "key", "header", "status", "timing", "stream"}
)

// contract reads the lines of --json and holds them against the contract: every line one JSON object of a known
// shape, every word one of those promised, the summary last and in agreement with the lines before it.
func contract(t testing.TB, out string) (lines []jsonLine, summary jsonLine) {
	t.Helper()
	if out == "" {
		return nil, jsonLine{}
	}
	if !strings.HasSuffix(out, "\n") {
		t.Errorf("the last line has no end: %q", clipText(out))
	}
	sum := map[string]int{}
	var rules []string
	exchanges, ended := map[string]bool{}, false
	for text := range strings.Lines(out) {
		if ended {
			t.Errorf("a line behind the summary: %s", clipText(text))
		}
		var l jsonLine
		d := json.NewDecoder(strings.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&l); err != nil {
			t.Errorf("no line of the contract: %v\n%s", err, clipText(text))
			continue
		}
		if rest, _ := io.ReadAll(d.Buffered()); len(bytes.TrimSpace(rest)) > 0 {
			t.Errorf("more than one value on a line: %s", clipText(text))
		}
		if l.Type == "summary" {
			ended = true
			if err := json.Unmarshal(l.RawFindings, &l.Count); err != nil {
				t.Errorf("findings of the summary: %v", err)
			}
			summary = l
			continue
		}
		if l.Type == "excluded" {
			if l.Seq <= 0 || l.Name == "" || len(l.Reasons) == 0 {
				t.Errorf("not the shape of a tool left out: %s", clipText(text))
			}
			lines = append(lines, l)
			continue
		}
		if l.Type == "task" {
			if l.TaskID == "" || l.Polls == nil || l.Asking == nil || l.NextPollMS != nil && *l.NextPollMS < 0 {
				t.Errorf("not the shape of a task's step: %s", clipText(text))
			}
			lines = append(lines, l)
			continue
		}
		if l.Type == "subscription" {
			if l.Seq <= 0 || len(l.ID) == 0 || l.Words == "" || l.Graceful == nil || !slices.Contains([]string{"open", "ended"}, l.State) || l.Asked == nil || l.Granted == nil || l.Withheld == nil || l.Unasked == nil || l.Came == nil {
				t.Errorf("not the shape of a subscription: %s", clipText(text))
			}
			lines = append(lines, l)
			continue
		}
		if l.Type != "exchange" || l.Method == nil || l.Request == nil || l.Response == nil {
			t.Errorf("not the shape of an exchange: %s", clipText(text))
		}
		if err := json.Unmarshal(l.RawFindings, &l.Findings); err != nil || l.Findings == nil {
			t.Errorf("findings: %v: %s", err, l.RawFindings)
		}
		if string(l.Request) != "null" || l.RequestText != nil {
			exchanges[fmt.Sprint(l.Seq, string(l.Request))] = true // the requests of a batch share a number
			heldVerdict(t, l.Verdict, text)
		} else if l.Verdict != nil {
			t.Errorf("a lone frame with a verdict: %s", clipText(text))
		}
		for _, f := range l.Findings {
			rules = append(rules, f.Rule)
			switch {
			case f.Profile != "":
				sum["sep2145"]++
			default:
				sum[f.Level]++
			}
			if !slices.Contains([]string{"must", "should", "advice"}, f.Level) || !slices.Contains(findingPart, f.Part) || f.Rule == "" || f.Source == "" || f.Want == "" ||
				!slices.Contains([]string{"certain", "likely", "guess"}, f.Confidence) || len([]rune(f.Got)) > 200 || len([]rune(f.Want)) > 200 {
				t.Errorf("not the shape of a finding: %+v", f)
			}
			if f.Pointer != "" && f.Part != "header" && f.Pointer[0] != '/' {
				t.Errorf("no RFC 6901 pointer: %+v", f)
			}
		}
		lines = append(lines, l)
	}
	if !ended {
		t.Errorf("no summary:\n%s", clipText(out))
	}
	slices.Sort(rules)
	if c := summary.Count; c.Must != sum["must"] || c.Should != sum["should"] || c.Advice != sum["advice"] || c.Sep2145 != sum["sep2145"] {
		t.Errorf("the summary counts %+v, the lines hold %v", c, sum)
	}
	if rules = slices.Compact(rules); !slices.Equal(rules, summary.Rules) {
		t.Errorf("the summary names %v, the lines %v", summary.Rules, rules)
	}
	if summary.Exchanges != len(exchanges) {
		t.Errorf("%d exchanges in the summary, %d on the lines", summary.Exchanges, len(exchanges))
	}
	return lines, summary
}

func heldVerdict(t testing.TB, v *jsonVerdict, text string) {
	t.Helper()
	if v == nil {
		t.Errorf("an exchange without a verdict: %s", clipText(text))
		return
	}
	if !slices.Contains([]string{"wire", "assumed", "missing", "none"}, v.ResultType.From) || !slices.Contains(outcomeClasses, v.Outcome.Class) ||
		!slices.Contains(outcomeKinds, v.Outcome.Kind) || !slices.Contains(freshStates, v.Freshness.State) ||
		!slices.Contains([]string{"certain", "likely", "guess"}, v.Outcome.Confidence) {
		t.Errorf("a word that is not promised: %+v", v)
	}
	if (v.Freshness.State == "fresh") != (v.Freshness.RemainingMS != nil) {
		t.Errorf("remainingMs goes with fresh alone: %+v", v.Freshness)
	}
	if v.Freshness.State == "not-cacheable" && (v.Freshness.TTL != nil || v.Freshness.Scope != nil) {
		t.Errorf("what is not cacheable has neither ttl nor scope: %+v", v.Freshness)
	}
}

// grave are the findings at must or should, as "level rule", without those that rest on SEP-2145 alone.
func grave(lines []jsonLine) map[string]int {
	found := map[string]int{}
	for _, l := range lines {
		for _, f := range l.Findings {
			if f.Level != "advice" && f.Profile == "" {
				found[f.Level+" "+f.Rule]++
			}
		}
	}
	return found
}

// exchangesOf are the lines about one method.
func exchangesOf(lines []jsonLine, method string) []jsonLine {
	var out []jsonLine
	for _, l := range lines {
		if *l.Method == method && string(l.Request) != "null" {
			out = append(out, l)
		}
	}
	return out
}

// until waits for what another process does; nothing else tells when.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	within(t, time.Minute, what, done)
}

// within is until with a bound of one's own.
func within(t *testing.T, most time.Duration, what string, done func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for give := time.Now().Add(most); !done(); <-tick.C {
		if time.Now().After(give) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
