package mcp

import (
	"slices"
	"strings"
	"testing"
)

func TestRevisionsAreInOrderAndOnlyThoseAreKnown(t *testing.T) {
	revs := Revisions()
	if !slices.IsSorted(revs) || revs[len(revs)-1] != Latest {
		t.Fatalf("revisions %v: not in order, or the last is not the latest", revs)
	}
	for _, r := range revs {
		if !Known(r) || !IsRevision(r) {
			t.Errorf("%s: known %v, is revision %v", r, Known(r), IsRevision(r))
		}
	}
	for s, want := range map[string]bool{
		"2026-07-28": true, "2030-01-01": true, "1900-01-01": true,
		"": false, "2026-7-28": false, "2026-13-01": false, "2026-00-10": false, "2026-01-32": false,
		"2026-07-28 ": false, "draft": false, "2026/07/28": false, "２０２６-07": false,
	} {
		if IsRevision(s) != want {
			t.Errorf("IsRevision(%q) = %v", s, !want)
		}
	}
	for s, want := range map[string]bool{
		R20241105: false, R20251125: false, R20260728: true, "2026-07-27": false, "2099-01-01": true, "zzz": false, "": false,
	} {
		if Modern(s) != want {
			t.Errorf("Modern(%q) = %v", s, !want)
		}
	}
}

// The numbers of methods that each revision has, counted by hand in the official schemas (2025-11-25,
// 2026-07-28) and specification pages (the others).
func TestEachRevisionHasItsMethods(t *testing.T) {
	counts := map[string][2]int{ // requests, notifications
		R20241105: {15, 9},
		R20250326: {15, 9},
		R20250618: {16, 9},
		R20251125: {20, 11},
		R20260728: {10, 8},
	}
	for rev, want := range counts {
		var got [2]int
		for _, m := range Methods() {
			if m.In(rev) {
				if m.Notification {
					got[1]++
				} else {
					got[0]++
				}
			}
		}
		if got != want {
			t.Errorf("%s: %d requests and %d notifications, want %v", rev, got[0], got[1], want)
		}
	}
}

func TestTheTableIsWholeAndConsistent(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Methods() {
		if m.Name == "" || seen[m.Name] {
			t.Errorf("%+v: no name, or twice", m)
		}
		seen[m.Name] = true
		if m.Notification != IsNotification(m.Name) {
			t.Errorf("%s: notification %v", m.Name, m.Notification)
		}
		if m.From == 0 || m.Since != "" && !Known(m.Since) || m.Until != "" && (!Known(m.Until) || m.Until < m.Since) {
			t.Errorf("%s: from %v, since %q until %q", m.Name, m.From, m.Since, m.Until)
		}
		if (m.Extension == "") != (m.ExtensionSince == "") {
			t.Errorf("%s: extension %q since %q", m.Name, m.Extension, m.ExtensionSince)
		}
		if (m.ResultMember == "") != (m.ResultKind == "") || m.Notification && m.ResultMember != "" {
			t.Errorf("%s: result %q %q", m.Name, m.ResultMember, m.ResultKind)
		}
		if m.List != "" && (m.List != m.ResultMember || m.ResultKind != Array) {
			t.Errorf("%s: list %q in %q %q", m.Name, m.List, m.ResultMember, m.ResultKind)
		}
		if m.Changed != "" {
			if n, ok := Lookup(m.Changed); !ok || !n.Notification || n.From != Server {
				t.Errorf("%s: changed by %q", m.Name, m.Changed)
			}
		}
	}
	for _, name := range []string{"", "tools/List", "Tools/call", "tools/call ", "notifications/", "notifications/foo", "nope"} {
		if m, ok := Lookup(name); ok || m.Name != "" {
			t.Errorf("Lookup(%q) = %+v", name, m)
		}
	}
}

func TestTheSixCacheableMethods(t *testing.T) {
	var got []string
	for _, m := range Methods() {
		if m.Cacheable {
			got = append(got, m.Name)
		}
	}
	slices.Sort(got)
	want := []string{"prompts/list", "resources/list", "resources/read", "resources/templates/list", "server/discover", "tools/list"}
	if !slices.Equal(got, want) {
		t.Errorf("cacheable: %v", got)
	}
}

func TestWhoMaySendWhatWhen(t *testing.T) {
	for _, c := range []struct {
		method, rev string
		want        Side
	}{
		{Progress, R20251125, Both},
		{Progress, R20260728, Server},
		{Ping, R20250618, Both},
		{Ping, R20260728, 0},
		{TasksGet, R20251125, Both},
		{TasksGet, R20260728, Client},
		{TasksGet, R20250618, 0},
		{TasksUpdate, R20251125, 0},
		{TasksNotification, R20260728, Server},
		{TasksNotification, R20251125, 0},
		{SamplingCreate, R20241105, Server},
		{SamplingCreate, R20260728, 0},
		{ElicitationCreate, R20250326, 0},
		{ToolsCall, "2099-12-31", Client},
		{ToolsCall, "not a date", 0},
	} {
		m, ok := Lookup(c.method)
		if !ok {
			t.Fatalf("%s is not in the table", c.method)
		}
		if got := m.Sender(c.rev); got != c.want {
			t.Errorf("%s in %s: %v, want %v", c.method, c.rev, got, c.want)
		}
	}
}

func TestRequiredMembers(t *testing.T) {
	m, _ := Lookup(Initialize)
	if got := m.Required(); len(got) != 3 || got[0] != (Member{"protocolVersion", String}) || got[2] != (Member{"serverInfo", Object}) {
		t.Errorf("initialize: %v", got)
	}
	if m, _ := Lookup(Listen); m.Required() != nil {
		t.Errorf("listen: %v", m.Required())
	}
}

func TestCodes(t *testing.T) {
	names := map[int64]string{
		-32700: "parse error", -32600: "invalid request", -32601: "method not found", -32602: "invalid params",
		-32603: "internal error", -32020: "header mismatch", -32021: "missing required client capability",
		-32022: "unsupported protocol version", -32002: "resource not found", -32042: "URL elicitation required",
		-32000: "", 0: "", 1: "", -32001: "",
	}
	for code, want := range names {
		if got := CodeName(code); got != want {
			t.Errorf("CodeName(%d) = %q, want %q", code, got, want)
		}
	}
	if !CodeFrozen(-32000) || !CodeFrozen(-32019) || CodeFrozen(-32020) || CodeFrozen(-31999) {
		t.Error("the frozen range is -32019…-32000")
	}
	if CodeRetired(-32002) != R20251125 || CodeRetired(-32602) != "" {
		t.Error("retired codes")
	}
}

func TestWordLists(t *testing.T) {
	if r, ok := LogRank("warning"); !ok || r != 3 {
		t.Errorf("warning: %d %v", r, ok)
	}
	if _, ok := LogRank("verbose"); ok {
		t.Error("verbose is no level")
	}
	if c, ok := ContentType("audio"); !ok || c.Since != R20250326 || len(c.Required) != 2 {
		t.Errorf("audio: %+v", c)
	}
	if _, ok := ContentType("video"); ok {
		t.Error("video is no content type")
	}
	if slices.Contains(ServerCapabilities(R20241105), "completions") || !slices.Contains(ServerCapabilities(R20250326), "completions") {
		t.Error("completions came with 2025-03-26")
	}
	for rev, want := range map[string]string{R20251125: "tasks", R20260728: "extensions"} {
		if !slices.Contains(ServerCapabilities(rev), want) || !slices.Contains(ClientCapabilities(rev), want) {
			t.Errorf("%s lacks %s", rev, want)
		}
	}
	for _, s := range []Side{Client, Server, Both, 0} {
		if strings.TrimSpace(s.String()) == "" {
			t.Errorf("side %d has no words", s)
		}
	}
}
