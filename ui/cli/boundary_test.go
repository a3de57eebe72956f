package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcploupe/session/wire"
)

// journal writes a script as a recorded journal.
func journal(t *testing.T, script string) string {
	t.Helper()
	entries, err := wire.ParseScript(script)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "a.jsonl")
	out, err := wire.Create(file, false)
	if err != nil {
		t.Fatal(err)
	}
	log := wire.NewLog(wire.LogOptions{})
	stop := wire.Record(log, out)
	for _, e := range entries {
		log.Append(e)
	}
	log.Close()
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || !bytes.Contains(text, []byte(`"session":1`)) {
		t.Fatalf("the journal does not say that a session began: %v\n%s", err, text)
	}
	return file
}

// What was asked for in a session that the server ended is worth nothing once a new one has begun; what was answered before was
// worth what it said.
func TestAnAnswerFromAnEndedSessionIsStale(t *testing.T) {
	file := journal(t, `
= connecting +kind=http +target="http://127.0.0.1:9/mcp" connecting
> {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"m","version":"1"}}}
< {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"old","version":"1"}}}
= ready +era=legacy +version=2025-11-25 +kind=http initialize was answered
> {"jsonrpc":"2.0","id":2,"method":"tools/list"}
< {"jsonrpc":"2.0","id":2,"result":{"tools":[]}}
> {"jsonrpc":"2.0","id":3,"method":"tools/list"}
= ready +era=legacy +version=2025-11-25 +kind=http +session=1 a new session has begun
< {"jsonrpc":"2.0","id":3,"result":{"tools":[]}}
> {"jsonrpc":"2.0","id":4,"method":"tools/list"}
< {"jsonrpc":"2.0","id":4,"result":{"tools":[]}}
`)
	r := program(t, "check", "--json", "--fail-on", "never", file)
	lines, _ := contract(t, r.out)
	var got []string
	for _, l := range lines {
		if l.Method != nil && *l.Method == "tools/list" && l.Verdict != nil {
			got = append(got, strings.TrimSpace(l.Verdict.Freshness.State+" "+strings.Trim(string(l.Verdict.Freshness.Because), `"`)))
		}
	}
	if s := strings.Join(got, ", "); s != "no-hint, invalidated session, no-hint" {
		t.Errorf("%s\n%s", s, r)
	}
}
