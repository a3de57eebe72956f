package inspect

import (
	"slices"
	"strings"
	"testing"
)

// publicCase is a public bug report about a server, restated: what the server sends, and what must be found in it. Any
// advice may be found besides, but nothing else at must or should, except what the case allows.
type publicCase struct {
	name    string
	profile string // "" is the default profile
	script  string
	rules   []string // must be reported
	may     []string // may be reported
	outcome []string // class/kind of each of our exchanges, in the order in which they ended; nil: not looked at
}

func checkCases(t *testing.T, cases []publicCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.profile == "" {
				c.profile = ProfileDefault
			}
			e := Example{Script: c.script, Profile: c.profile}
			played, err := e.Play(Options{})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range played.Findings {
				if !slices.Contains(got, f.Rule.ID) && (f.Rule.Level > Advice || slices.Contains(c.rules, f.Rule.ID)) {
					got = append(got, f.Rule.ID)
				}
			}
			for _, id := range c.rules {
				if !slices.Contains(got, id) {
					t.Errorf("%s is not reported; reported are %s", id, strings.Join(got, " "))
				}
			}
			for _, id := range got {
				if !slices.Contains(c.rules, id) && !slices.Contains(c.may, id) &&
					id != "result-server-info-missing" && id != "http-sse-buffering-header" {
					t.Errorf("%s is reported", id)
				}
			}
			var outcomes []string
			for _, v := range played.Verdicts {
				if v.Ended && len(played.Own) > 0 && v.Seq >= played.Own[0] {
					outcomes = append(outcomes, string(v.Outcome.Class)+"/"+v.Outcome.Kind)
				}
			}
			if c.outcome != nil && !slices.Equal(outcomes, c.outcome) {
				t.Errorf("outcomes %q, want %q", outcomes, c.outcome)
			}
		})
	}
}

func TestCasesOfResultsCachingAndFailedCalls(t *testing.T) {
	const nope = "= tools [{\"name\":\"add\"}]\n> tools/call {\"name\":\"nope\",\"arguments\":{}}\n"
	const asError, asResult = `< error {"code":-32602,"message":"Unknown tool: nope"}`,
		`< result {"resultType":"complete","content":[{"type":"text","text":"Unknown tool: nope"}],"isError":true}`
	checkCases(t, []publicCase{
		{name: "C27 the second page is for others than the first", script: `> tools/list
< result {"resultType":"complete","tools":[{"name":"ping","description":"reply","inputSchema":{"type":"object"}}],"nextCursor":"p2","ttlMs":60000,"cacheScope":"public"}
> tools/list {"cursor":"p2"}
< result {"resultType":"complete","tools":[{"name":"second","inputSchema":{"type":"object"}}],"ttlMs":1000,"cacheScope":"private"}`,
			rules: []string{"cache-scope-pages-differ"}, outcome: []string{"success/", "success/"}},
		{name: "C38 a failed call with data of another shape is a failed call first", script: `= tools [{"name":"get","outputSchema":{"type":"object","properties":{"t":{"type":"number"}},"required":["t"]}}]
> tools/call {"name":"get","arguments":{}}
< result {"resultType":"complete","content":[{"type":"text","text":"NOT_FOUND"}],"structuredContent":{"error":{"code":"NOT_FOUND"}},"isError":true}`,
			may: []string{"content-structured-no-text"}, outcome: []string{"tool-error/execution"}},
		{name: "C39 an output schema and no structured content", profile: ProfilePublished, script: `= tools [{"name":"get","outputSchema":{"type":"object","properties":{"t":{"type":"number"}},"required":["t"]}}]
> tools/call {"name":"get","arguments":{}}
< result {"resultType":"complete","content":[{"type":"text","text":"{\"t\":20}"}]}`,
			rules: []string{"tool-error-output-missing"}, outcome: []string{"success/output-missing"}},
		{name: "C39 by SEP-2145 it should have said so itself", script: `= tools [{"name":"get","outputSchema":{"type":"object","properties":{"t":{"type":"number"}},"required":["t"]}}]
> tools/call {"name":"get","arguments":{}}
< result {"resultType":"complete","content":[{"type":"text","text":"{\"t\":20}"}]}`,
			rules: []string{"tool-error-output-missing", "tool-error-output-silent"}, outcome: []string{"success/output-missing"}},
		{name: "C42 unknown tool as an error, by SEP-2145", script: nope + asError,
			rules: []string{"tool-error-unknown-tool-protocol"}, outcome: []string{"protocol-error/unknown-tool"}},
		{name: "C42 unknown tool as an error, by the published text", profile: ProfilePublished, script: nope + asError,
			outcome: []string{"protocol-error/unknown-tool"}},
		{name: "C42 unknown tool as a result, by SEP-2145", script: nope + asResult, outcome: []string{"tool-error/unknown-tool"}},
		{name: "C42 unknown tool as a result, by the published text", profile: ProfilePublished, script: nope + asResult,
			rules: []string{"tool-error-unknown-tool-result"}, outcome: []string{"tool-error/unknown-tool"}},
		{name: "C42 -32601 for an unknown tool, by the published text", profile: ProfilePublished,
			script: nope + `< error {"code":-32601,"message":"Unknown tool: nope"}`, rules: []string{"tool-error-unknown-tool-code"}},
		{name: "C58 no ttlMs and no cacheScope", script: `> tools/list
< result {"resultType":"complete","tools":[{"name":"ping","description":"reply","inputSchema":{"type":"object"}}]}`,
			rules: []string{"cache-ttl-missing", "cache-scope-missing"}, outcome: []string{"success/"}},
		{name: "C58 an older server owes none", script: `= era 2025-11-25
> tools/list
< result {"tools":[{"name":"ping","description":"reply","inputSchema":{"type":"object"}}]}`},
		{name: "C58 a call owes none, nor does a question", script: `= tools [{"name":"ping"}]
> tools/call {"name":"ping","arguments":{}}
< result {"resultType":"complete","content":[{"type":"text","text":"pong and pong"}]}
> tools/call {"name":"ping","arguments":{}}
< result {"resultType":"input_required","requestState":"s"}`, outcome: []string{"success/", "input-required/"}},
		{name: "C60 resultType missing, unknown, of another kind", script: `= tools [{"name":"ping"}]
> tools/call {"name":"ping","arguments":{}}
< result {"content":[]}
> tools/call {"name":"ping","arguments":{}}
< result {"resultType":"deferred","content":[]}
> tools/call {"name":"ping","arguments":{}}
< result {"resultType":7}`,
			rules:   []string{"result-type-missing", "result-type-unknown", "result-type-not-string"},
			outcome: []string{"success/", "invalid/result-type", "invalid/result-type"}},
		{name: "C61 questions: state only, none, on a list and with a time to live", script: `= tools [{"name":"order"}]
> tools/call {"name":"order","arguments":{}}
< result {"resultType":"input_required","requestState":"opaque-1"}
> tools/call {"name":"order","arguments":{}}
< result {"resultType":"input_required"}
> tools/list
< result {"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"Size?","requestedSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}}},"ttlMs":5}`,
			rules:   []string{"result-input-required-wrong-method", "cache-hints-on-input-required"},
			may:     []string{"mrtr-empty"},
			outcome: []string{"input-required/", "input-required/", "invalid/result-type"}},
	})
}
