package fields_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcploupe/inspect/fields"
	"mcploupe/session/mcp"
)

var update = flag.Bool("update", false, "write testdata/members.txt (with MCP_SCHEMA) and docs/fields.md anew")

// schemas is the variable that names a directory with the official schemas, 2025-11-25.json and 2026-07-28.json. They are no part of
// this project; their member names are, in testdata/members.txt.
const schemas = "MCP_SCHEMA"

// lists reads "Definition: member …" lines; "## revision" lines are headings.
func lists(t *testing.T, file string) map[string][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if def, members, ok := strings.Cut(line, ": "); ok && line[0] != '#' {
			out[def] = append(out[def], strings.Fields(members)...)
		}
	}
	return out
}

// Every member of every message of the schema of 2026-07-28, of the one before, and of the tasks extension has an entry.
func TestEveryMemberHasAnEntry(t *testing.T) {
	for _, file := range []string{"members.txt", "tasks.txt"} {
		defs := lists(t, file)
		if len(defs) < 15 {
			t.Fatalf("%s: only %d definitions", file, len(defs))
		}
		for def, members := range defs {
			for _, m := range members {
				if fields.In(def, m) == nil {
					t.Errorf("%s: %s.%s has no entry", file, def, m)
				}
			}
		}
	}
}

// What a lookup can come to has an entry too: documents on the way to a token, data of errors, older revisions.
func TestEveryShapeHasEntries(t *testing.T) {
	known := map[string]bool{}
	for _, def := range fields.Definitions() {
		known[def] = true
		for _, m := range fields.Members(def) {
			if fields.In(def, m) == nil {
				t.Errorf("%s.%s has no entry", def, m)
			}
		}
	}
	for _, e := range fields.All() {
		if e.Kind != fields.Member {
			continue
		}
		for _, in := range e.In {
			if !strings.HasPrefix(in, "*") && !known[in] {
				t.Errorf("%s: there is no definition %s", e.Name, in)
			}
			if known[in] && !slices.Contains(fields.Members(in), e.Name) {
				t.Errorf("%s: %s has no such member", e.Name, in)
			}
		}
	}
}

func TestEveryMethodCodeAndHeaderHasAnEntry(t *testing.T) {
	for _, m := range mcp.Methods() {
		e := fields.ForMethod(m.Name)
		if e == nil {
			t.Errorf("%s has no entry", m.Name)
			continue
		}
		if (e.Kind == fields.Notification) != m.Notification {
			t.Errorf("%s is a %s", m.Name, e.Kind)
		}
		since, until := m.Since, m.Until
		if since == "" {
			since = m.ExtensionSince
		}
		if m.Extension != "" || m.Input { // it lives on in another shape
			until = ""
		}
		if e.Since != since || e.Until != until {
			t.Errorf("%s: %s to %q in the text, %s to %q in the vocabulary", m.Name, e.Since, e.Until, since, until)
		}
	}
	for _, code := range []int64{mcp.CodeParseError, mcp.CodeInvalidRequest, mcp.CodeMethodNotFound, mcp.CodeInvalidParams, mcp.CodeInternalError,
		mcp.CodeHeaderMismatch, mcp.CodeMissingClientCapability, mcp.CodeUnsupportedVersion, mcp.CodeResourceNotFound, mcp.CodeURLElicitationRequired} {
		if e := fields.ForCode(code); e == nil || e.Name != strconv.FormatInt(code, 10) {
			t.Errorf("code %d has no entry of its own", code)
		} else if e.Until != mcp.CodeRetired(code) {
			t.Errorf("code %d: until %q, retired after %q", code, e.Until, mcp.CodeRetired(code))
		}
	}
	for code, want := range map[int64]string{-32005: "-32000…-32019", -32050: "-32020…-32099", -32500: "-32768…-32000", -31000: "application code", 7: "application code"} {
		if e := fields.ForCode(code); e == nil || e.Name != want {
			t.Errorf("code %d: %v, want %s", code, e, want)
		}
	}
	headers := []string{mcp.HeaderProtocolVersion, mcp.HeaderMethod, mcp.HeaderName, mcp.HeaderParamPrefix + "Region", mcp.HeaderSessionID, mcp.HeaderLastEventID}
	text, err := os.ReadFile("testdata/headers.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			headers = append(headers, line)
		}
	}
	for _, h := range headers {
		for _, spelled := range []string{h, strings.ToLower(h)} {
			if fields.ForHeader(spelled).Entry == nil {
				t.Errorf("header %s has no entry", spelled)
			}
		}
	}
	for _, status := range []int{200, 202, 400, 401, 403, 404, 405} {
		if fields.ForStatus(status).Entry == nil {
			t.Errorf("status %d has no entry", status)
		}
	}
	if f := fields.ForStatus(418); f.Entry != nil || !strings.Contains(f.Note, "the request is at fault") {
		t.Errorf("418: %+v", f)
	}
}

// With MCP_SCHEMA the checked-in list of members is held against the schemas, or with -update made anew.
func TestMembersAreThoseOfTheSchemas(t *testing.T) {
	dir := os.Getenv(schemas)
	if dir == "" {
		t.Skip("set " + schemas + " to the directory of the official schemas")
	}
	var b strings.Builder
	b.WriteString("# Member names of the official schemas: made by " + schemas + "=DIR go test ./inspect/fields -run Schemas -update\n")
	b.WriteString("# (DIR holds 2025-11-25.json and 2026-07-28.json). A dot names an object that the schema describes in place.\n")
	for _, rev := range []string{mcp.R20260728, mcp.R20251125} {
		text, err := os.ReadFile(filepath.Join(dir, rev+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			Defs map[string]any `json:"$defs"`
		}
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		found := map[string][]string{}
		for name, def := range doc.Defs {
			collect(found, name, def)
		}
		names := make([]string, 0, len(found))
		for name := range found {
			names = append(names, name)
		}
		slices.Sort(names)
		fmt.Fprintf(&b, "\n## %s\n", rev)
		for _, name := range names {
			slices.Sort(found[name])
			fmt.Fprintf(&b, "%s: %s\n", name, strings.Join(slices.Compact(found[name]), " "))
		}
	}
	old, _ := os.ReadFile("testdata/members.txt")
	if string(old) == b.String() {
		return
	}
	if !*update {
		t.Fatal("testdata/members.txt is not what the schemas say; run with -update")
	}
	if err := os.WriteFile("testdata/members.txt", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// collect gathers the members of an object schema under its name, and of objects described inside under dotted names.
func collect(found map[string][]string, name string, schema any) {
	s, ok := schema.(map[string]any)
	if !ok {
		return
	}
	if props, ok := s["properties"].(map[string]any); ok {
		for member, inside := range props {
			found[name] = append(found[name], member)
			if !strings.HasSuffix(name, "putSchema") { // the members of inputSchema and outputSchema are keywords
				collect(found, name+"."+member, inside)
			}
		}
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		if list, ok := s[key].([]any); ok {
			for _, inside := range list {
				collect(found, name, inside)
			}
		}
	}
	collect(found, name, s["items"])
}

// What an entry says of its life agrees with the two schemas: what only the newer one has came with it, what only the older one has went.
func TestLivesAgreeWithTheSchemas(t *testing.T) {
	text, err := os.ReadFile("testdata/members.txt")
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]map[string]bool{mcp.R20260728: {}, mcp.R20251125: {}}
	rev := ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if r, ok := strings.CutPrefix(line, "## "); ok {
			rev = r
			continue
		}
		if def, members, ok := strings.Cut(line, ": "); ok && line[0] != '#' {
			for m := range strings.FieldsSeq(members) {
				has[rev][def+" "+m] = true
				has[rev][def] = true
			}
		}
	}
	for _, rev := range []string{mcp.R20260728, mcp.R20251125} {
		for place := range has[rev] {
			def, member, ok := strings.Cut(place, " ")
			e := fields.In(def, member)
			if !ok || e == nil || e.Kind == fields.Schema { // any keyword may stand in a tool's schema
				continue
			}
			old, now := has[mcp.R20251125][place], has[mcp.R20260728][place]
			switch {
			case old && e.Since > mcp.R20251125:
				t.Errorf("%s.%s is in the schema of 2025-11-25, but %s", def, member, e.Life())
			case now && e.Until != "":
				t.Errorf("%s.%s is in the schema of 2026-07-28, but %s", def, member, e.Life())
			case now && !old && has[mcp.R20251125][def] && e.Since < mcp.R20260728:
				t.Errorf("%s.%s is new in 2026-07-28, but %s", def, member, e.Life())
			case old && !now && has[mcp.R20260728][def] && e.Until == "":
				t.Errorf("%s.%s is gone in 2026-07-28, but %s", def, member, e.Life())
			}
		}
	}
}
