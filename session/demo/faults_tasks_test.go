package demo

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

// taskCases are the faults of tasks: what of a whole survey shows each, as in faultCases.
func taskCases() map[string]string {
	return map[string]string{
		"task-unasked":           `U [^\n]*"resultType":"task"`,
		"task-unadvertised":      `!D [^\n]*"extensions"`,
		"task-for-resource":      `R [^\n]*"resultType":"task"`,
		"task-type-again":        `G [^\n]*"resultType":"task"`,
		"task-dateless":          `!G [^\n]*"createdAt"`,
		"task-old-names":         `G [^\n]*"ttl":600000,"pollInterval"`,
		"task-not-yet":           `G1 [^\n]*-32602`,
		"task-empty-handed":      `G [^\n]*"status":"completed"[^\n]*"pollIntervalMs":1000,"_meta"`,
		"task-failed-by-tool":    `"status":"failed"[^\n]*"isError":true`,
		"task-failed-in-silence": `"status":"failed","createdAt"`,
		"task-risen":             `(?s)"status":"completed".*G9 [^\n]*"working"`,
		"task-clock-back":        `2001-01-01`,
		"task-key-again":         `stay the night`,
		"task-asks-at-once":      `G1 [^\n]*"input_required"`,
		"task-chatty-ack":        `A [^\n]*"status":"working"`,
		"task-unknown-internal":  `X [^\n]*-32603`,
		"task-served-undeclared": `N [^\n]*"status":"`,
		"task-list-left":         `L [^\n]*"tasks":`,
		"task-news-unasked":      `notifications/tasks`,
		"task-progress":          `notifications/progress`,
		"task-forgotten":         `G9 [^\n]*-32602`,
		"task-numbered":          `"taskId":"task-1"`,
	}
}

func taskStories() []string {
	var names []string
	for name := range taskCases() {
		names = append(names, name)
	}
	return names
}

// voyage is all that a server says about a survey and around it, each answer behind a letter.
func voyage(t *testing.T, ends string, faults ...string) string {
	t.Helper()
	c := &clock{t: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)}
	s := New(Options{Now: c.now, Faults: faults})
	var b strings.Builder
	id := ""
	say := func(letter, short string) string {
		text := strings.Join(exchange(t, s, request(7, strings.ReplaceAll(short, "ID", id))), " ")
		b.WriteString(letter + " " + text + "\n")
		return text
	}
	say("D", "server/discover")
	say("R", about)
	say("U", `tools/call {"name":"survey_coast","arguments":{"legs":1,"legMs":10,"ask":false}}`)
	made := say("T", `tasks token tools/call {"name":"survey_coast","arguments":{"legs":2,"legMs":1000,"ends":"`+ends+`"}}`)
	if m := regexp.MustCompile(`"taskId":"([^"]*)"`).FindStringSubmatch(made); m != nil {
		id = m[1]
	}
	get := `tasks tasks/get {"taskId":"ID"}`
	answer := `tasks tasks/update {"taskId":"ID","inputResponses":{"land-at-nine-isles":{"action":"decline"}}}`
	say("G1", get)
	say("N", `tasks/get {"taskId":"ID"}`)
	c.pass(time.Second)
	say("G", get)
	say("A", answer)
	say("G", get)
	say("G", get)
	c.pass(2 * time.Second)
	say("G", get)
	say("G9", get)
	say("X", `tasks tasks/get {"taskId":"nope"}`)
	say("L", `tasks tasks/list`)
	s.Close()
	say("S", askListen)
	return b.String()
}

func TestEveryFaultOfTasksShows(t *testing.T) {
	for name, pattern := range taskCases() {
		f, ok := Lookup(name)
		if !ok {
			t.Errorf("there is no fault %s", name)
			continue
		}
		ends := "safe"
		for _, end := range []string{"aground", "lost"} {
			if strings.Contains(f.Try, end) {
				ends = end
			}
		}
		pattern, negative := strings.CutPrefix(pattern, "!")
		re := regexp.MustCompile(pattern)
		if faithful := voyage(t, ends); re.MatchString(faithful) != negative {
			t.Errorf("the faithful server: %s %q\n%s", name, pattern, faithful)
		}
		if faulty := voyage(t, ends, name); re.MatchString(faulty) == negative {
			t.Errorf("%s does not show: %q\n%s", name, pattern, faulty)
		}
	}
}
