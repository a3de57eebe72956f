package inspect

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
)

// The specification's repository has examples of nearly every definition of its schema, as schema/<revision>/examples/<definition>/<name>.json.
// They are what a server's author copies, so a rule that complains of one must be right. They are not ours and not kept
// here: MCPLOUPE_EXAMPLES names a directory with them (those of 2026-07-28), and docs/servers.md says what was found.

// exampleFinding is a must or should finding on an official example that holds when read against the text; the rows are
// told at more length in docs/servers.md.
type exampleFinding struct {
	file string // "" is any file
	rule string
	why  string
}

func exampleFindings() []exampleFinding {
	return []exampleFinding{
		{"", "result-server-info-missing", "servers SHOULD name themselves in every result; only the discover examples do"},
		{"InvalidParamsError/invalid-tool-arguments.json", "tool-error-input-protocol",
			"the tools page has wrong arguments told in a result (SEP-1303); the schema kept the older example"},
		{"InvalidParamsError/invalid-tool-arguments.json", "tool-error-input-protocol-sep2145", "SEP-2145 makes a MUST of it"},
		{"InvalidParamsError/unknown-tool.json", "tool-error-unknown-tool-protocol",
			"what the published text asks for and SEP-2145 turns round: that profile only"},
		{"ReadResourceResultResponse/read-resource-result-response.json", "cache-ttl-missing",
			"ReadResourceResult requires ttlMs; the file fits the schema only as an InputRequiredResult, which requires nothing"},
		{"ReadResourceResultResponse/read-resource-result-response.json", "cache-scope-missing", "likewise cacheScope"},
		{"ResourceUpdatedNotificationParams/file-resource-updated.json", "subscription-id-missing",
			"params by themselves; on a stream they MUST carry the subscription's id"},
	}
}

// officialExample is one file, its JSON in one line.
type officialExample struct{ definition, name, text string }

func (x officialExample) file() string { return x.definition + "/" + x.name }

func officialExamples(t *testing.T) []officialExample {
	t.Helper()
	dir := os.Getenv("MCPLOUPE_EXAMPLES")
	if dir == "" {
		t.Skip("MCPLOUPE_EXAMPLES does not name a directory with the examples of the official schema")
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*", "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all []officialExample
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		var line bytes.Buffer
		if err := json.Compact(&line, data); err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		all = append(all, officialExample{filepath.Base(filepath.Dir(p)), filepath.Base(p), line.String()})
	}
	if len(all) == 0 {
		t.Fatalf("%s has no files <definition>/<name>.json", dir)
	}
	return all
}

// judged plays the example in its conversations, under all rules, in both profiles, on both transports: the must and
// should findings by rule, each with its conversation.
func (x officialExample) judged(t *testing.T) (found map[string]string, played int) {
	t.Helper()
	scenes := x.scenes()
	if len(scenes) == 0 {
		t.Errorf("%s: no conversation is known for %s", x.file(), x.definition)
	}
	found = map[string]string{}
	for _, scene := range scenes {
		for _, script := range onEachTransport(strings.ReplaceAll(scene, "EXAMPLE", x.text)) {
			for _, profile := range Profiles() {
				e := Example{Script: script, Profile: profile}
				p, err := e.Play(Options{})
				if err != nil {
					t.Fatalf("%s: %v in\n%s", x.file(), err, script)
				}
				played++
				for _, f := range append(p.Before, p.Findings...) {
					if f.Rule.Level > Advice {
						found[f.Rule.ID] = f.Rule.Level.String() + ", " + profile + ": " + f.Text() + "\n" + script
					}
				}
			}
		}
	}
	return found, played
}

func TestTheOfficialExamplesGiveNoFindingButTheListedOnes(t *testing.T) {
	files, listed := officialExamples(t), exampleFindings()
	seen, conversations := map[int]bool{}, 0
	for _, x := range files {
		found, played := x.judged(t)
		conversations += played
		for i, row := range listed {
			if _, ok := found[row.rule]; ok && (row.file == "" || row.file == x.file()) {
				seen[i] = true
				delete(found, row.rule)
			}
		}
		for _, id := range slices.Sorted(maps.Keys(found)) {
			t.Errorf("%s: %s (%s)", x.file(), id, found[id])
		}
	}
	for i, row := range listed {
		here := slices.ContainsFunc(files, func(x officialExample) bool { return x.file() == row.file })
		if !seen[i] && here {
			t.Errorf("%s no longer gives %s, which is listed with: %s", row.file, row.rule, row.why)
		}
	}
	t.Logf("%d examples in %d conversations", len(files), conversations)
}

// The conversations themselves, with examples of our own: what is right in them is silent, what is wrong is seen. So the
// silence of the official examples means something, and this holds where they are not at hand.
func TestTheConversationsOfExamplesShowWhatIsWrongInThem(t *testing.T) {
	for _, c := range []struct{ definition, text, rule string }{
		{"Tool", `{"name":"tides","description":"Tells the tides","inputSchema":{"type":"object"}}`, ""},
		{"Tool", `{"name":"tides","description":"Tells the tides","inputSchema":{"type":"array"}}`, "tools-input-schema-root-type"},
		{"Resource", `{"uri":"tides","name":"tides"}`, "resources-uri-invalid"},
		{"ImageContent", `{"type":"image","data":"no base64!","mimeType":"image/png"}`, "content-binary-shape"},
		{"TextResourceContents", `{"uri":"demo://tides","text":"high"}`, ""},
		{"BlobResourceContents", `{"uri":"demo://tides","blob":"no base64!"}`, "resources-blob-not-base64"},
		{"ListToolsResult", `{"resultType":"complete","tools":[],"ttlMs":-1,"cacheScope":"public"}`, "cache-ttl-negative"},
		{"ListPromptsResultResponse", `{"jsonrpc":"2.0","id":"p","result":{"resultType":"complete","prompts":[],"ttlMs":1,"cacheScope":"all"}}`, "cache-scope-invalid"},
		{"CompleteResult", `{"resultType":"complete","completion":{"values":"python"}}`, "completion-values-shape"},
		{"CallToolResult", `{"resultType":"complete","content":[],"structuredContent":[1]}`, "tool-error-output-invalid"},
		{"CallToolResult", `{"resultType":"complete","content":[{"type":"text","text":"It is high"}],"structuredContent":{"tide":"high"}}`, "content-structured-no-text"},
		{"InputRequiredResult", `{"resultType":"input_required"}`, "mrtr-empty"},
		{"ElicitRequestFormParams", `{"message":"Where?","requestedSchema":{"type":"object","properties":{"place":{"type":"object"}}}}`, "elicitation-schema-nested"},
		{"NumberSchema", `{"type":"number","minimum":5,"default":"9"}`, "elicitation-default-invalid"},
		{"ToolResultContent", `{"type":"tool_result","toolUseId":"a","content":[{"type":"text","text":"high"}]}`, ""},
		{"SamplingMessage", `{"role":"user","content":[{"type":"tool_result","toolUseId":"a","content":[]},{"type":"text","text":"and"}]}`, "sampling-tool-result-mixed"},
		{"ModelPreferences", `{"speedPriority":2}`, "sampling-preferences-range"},
		{"ProgressNotification", `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":1,"total":2}}`, ""},
		{"ProgressNotificationParams", `{"progressToken":"t","progress":"half"}`, "progress-shape"},
		{"LoggingMessageNotificationParams", `{"level":"debug","data":"too quiet"}`, "log-below-level"},
		{"ToolListChangedNotification", `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, "subscription-id-missing"},
		{"UnsupportedProtocolVersionError", `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Not supported"}}`, "version-unsupported-data"},
		{"HeaderMismatchError", `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"Header mismatch"}}`, "http-header-mismatch-code"},
		{"MethodNotFoundError", `{"code":"-32601","message":"No such method"}`, "jsonrpc-error-code-not-integer"},
		{"CallToolRequestParams", `{"name":"get_weather","arguments":{}}`, ""},
		{"CancelledNotificationParams", `{"requestId":"123"}`, ""},
		{"ElicitResult", `{"action":"accept"}`, ""},
		{"Root", `{"uri":"file:///srv"}`, ""},
	} {
		x := officialExample{c.definition, "ours.json", c.text}
		found, _ := x.judged(t)
		delete(found, "result-server-info-missing")
		if c.rule == "" && len(found) > 0 || c.rule != "" && found[c.rule] == "" {
			t.Errorf("%s %s: want %q, got %q", c.definition, c.text, c.rule, found)
		}
	}
}

// onEachTransport is a scene on stdio and over HTTP: lines that begin with [stdio] or [http] are for one of them, and a
// scene that begins with one of the two is.
func onEachTransport(scene string) []string {
	var scripts []string
	for _, transport := range []string{"[stdio]", "[http]"} {
		if strings.HasPrefix(scene, "[") && !strings.HasPrefix(scene, transport) {
			continue
		}
		var b strings.Builder
		if transport == "[http]" {
			b.WriteString("= over http\n")
		}
		for line := range strings.Lines(scene) {
			line = strings.TrimPrefix(line, transport)
			if !strings.HasPrefix(line, "[") {
				b.WriteString(strings.TrimLeft(line, " "))
			}
		}
		scripts = append(scripts, b.String())
	}
	return scripts
}

// at is the raw text of a member of the example.
func (x officialExample) at(names ...string) string {
	v := jsondoc.Parse([]byte(x.text)).Root()
	for _, name := range names {
		v = v.Get(name)
	}
	return string(v.Raw())
}
