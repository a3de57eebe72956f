package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"mcploupe/docs/generated"
	"mcploupe/session/wire"
	"mcploupe/ui/kit"
	"mcploupe/ui/learn"
	"mcploupe/ui/lesson"
)

var update = flag.Bool("update", false, "write the generated parts of README.md anew")

// The table of keys in the README is made from the very rows that the keys are.
func TestReadme(t *testing.T) {
	if err := generated.Part("../../README.md", "keys", keyTable(t), *update); err != nil {
		t.Fatal(err)
	}
}

// whole is a conversation in which every pane has something.
const whole = `
> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{},"prompts":{}},"ttlMs":1,"cacheScope":"public"}}
> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","tools":[{"name":"add","inputSchema":{"type":"object","properties":{"a":{"enum":[1,2]}}}}],"ttlMs":-1,"cacheScope":"public"}}
> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"add","arguments":{"a":1},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}
< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","content":[{"type":"text","text":"2"}]}}
`

func keyTable(t *testing.T) string {
	t.Helper()
	entries, err := wire.ParseScript(whole)
	if err != nil {
		t.Fatal(err)
	}
	log := wire.NewLog(wire.LogOptions{})
	for _, e := range entries {
		log.Append(e)
	}
	log.Close()
	m, err := New(context.Background(), Options{Log: log, Title: "story"})
	if err != nil {
		t.Fatal(err)
	}
	for {
		page, err := m.feed.Next(context.Background())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		m.route(pageMsg{page: page})
	}
	m.w, m.h, m.ready = 120, 36, true
	var b strings.Builder
	table := func(where string, rows []kit.Row) {
		fmt.Fprintf(&b, "**%s**\n\n| key | what it does |\n|---|---|\n", where)
		for _, r := range rows {
			if len(r.Keys) == 0 {
				continue
			}
			var keys []string
			for _, k := range r.Keys {
				keys = append(keys, "`"+strings.ReplaceAll(k, "|", "\\|")+"`")
			}
			fmt.Fprintf(&b, "| %s | %s |\n", strings.Join(keys, " "), r.Words)
		}
		b.WriteString("\n")
	}
	table("Everywhere", m.global())
	for _, p := range []struct {
		name string
		at   place
	}{{"Server", atServer}, {"Tools, resources, prompts", atTools}, {"Exchanges", atExchanges}} {
		m.setFocus(p.at)
		table(p.name, m.listener().Rows())
	}
	row := m.book.Timeline.Rows[len(m.book.Timeline.Rows)-1]
	m.openCompare(kit.Compare{A: row.Ref, B: row.Ref})
	table("A difference", m.listener().Rows())
	m.shut()
	m.setFocus(atTools)
	m.listener()
	m.setFocus(atMain)
	table("Call", m.listener().Rows())
	m.setFocus(atTools)
	m.listener()
	m.setFocus(atResult)
	table("Answer", m.listener().Rows())
	m.lesson = learn.New(m.env, lesson.Begin(lesson.All()[0], nil, 0), 1)
	table("A lesson", m.lessonRows())
	return b.String()
}

// A key means one thing in one place, and every key has words.
func TestKeysAreWordedAndUnique(t *testing.T) {
	for line := range strings.Lines(keyTable(t)) {
		if cells := strings.Split(line, " | "); strings.HasPrefix(line, "| `") && (len(cells) < 2 || strings.TrimSpace(strings.Trim(cells[1], "|\n ")) == "") {
			t.Errorf("a key without words: %s", line)
		}
	}
	for _, part := range strings.Split(keyTable(t), "**\n")[1:] {
		var seen []string
		for line := range strings.Lines(part) {
			if !strings.HasPrefix(line, "| `") {
				continue
			}
			keys, _, _ := strings.Cut(line[2:], " | ")
			for _, k := range strings.Fields(keys) {
				if slices.Contains(seen, k) {
					t.Errorf("the key %s means two things", k)
				}
				seen = append(seen, k)
			}
		}
	}
}
