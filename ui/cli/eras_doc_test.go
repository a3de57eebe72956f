package cli

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"mcploupe/docs/generated"
	"mcploupe/session/demo"
	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// meeting is one thing that is done under both revisions, and what of it the document shows.
type meeting struct {
	name  string   // of the part in the document
	words []string // of the program, without the target
	shown []string // methods, whose requests and answers are shown; "GET", "DELETE"
	open  []string // pointers whose values are shown whole
}

func meetings(answers string) []meeting {
	return []meeting{
		{"opening", []string{"list", "prompts"}, []string{mcp.Discover, mcp.Initialize, mcp.Initialized, "GET", "DELETE"}, []string{"/result/supportedVersions"}},
		{"call", []string{"call", "get_weather", "--arg", "location=Fairhaven"}, []string{mcp.ToolsCall}, nil},
		{"list", []string{"list", "prompts"}, []string{mcp.PromptsList}, nil},
		{"question", []string{"call", "log_observation", "--answers", answers}, []string{mcp.ToolsCall, mcp.ElicitationCreate},
			[]string{"/result/inputRequests", "/result/inputRequests/observation", "/params/inputResponses", "/params/inputResponses/observation"}},
		{"changes", []string{"listen", "--uri", "station://skerry/weather", "--for", "400ms"},
			[]string{mcp.Listen, mcp.Acknowledged, mcp.ResourcesSubscribe, mcp.ResourcesUpdated, "GET"}, []string{"/params/notifications"}},
		{"log", []string{"call", "calibrate", "--arg", "steps:=1", "--arg", "stepMs:=1", "--log-level", "info"}, []string{mcp.SetLevel, mcp.ToolsCall, mcp.LogMessage, mcp.Progress}, nil},
		{"missing", []string{"read", "station://skerry/nowhere"}, []string{mcp.ResourcesRead}, []string{"/error/data"}},
		{"task", []string{"call", "survey_coast", "--task", "--arg", "legs:=1", "--arg", "legMs:=100", "--arg", "ask:=false"},
			[]string{mcp.ToolsCall, mcp.TasksGet, mcp.TasksResult}, []string{"/params/_meta/io.modelcontextprotocol~1clientCapabilities", "/params/task", "/result/task", "/result/result"}},
	}
}

// The document about the two revisions shows messages of the built-in server as they crossed the wire.
func TestTheErasSideBySide(t *testing.T) {
	const page = "../../docs/from-2025-11-25-to-2026-07-28.md"
	s := demo.New(demo.Options{Era: demo.Both, Tick: 150 * time.Millisecond})
	server := httptest.NewServer(s.Handler())
	defer func() { s.Close(); server.Close() }()
	dir := t.TempDir()
	answers := filepath.Join(dir, "answers.json")
	if err := os.WriteFile(answers, []byte(`{"elicitation/create":{"action":"accept","content":{"sky":"fog","visibility":1.5}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, m := range meetings(answers) {
		var sides [2][]string
		for i, revision := range []string{mcp.LatestLegacy, mcp.Latest} {
			journal := filepath.Join(dir, m.name+revision)
			words := append(slices.Clone(m.words), "--protocol", revision, "--record", journal, server.URL)
			if r := program(t, words...); r.code > exitFindings {
				t.Fatalf("%s under %s: %s", m.name, revision, r)
			}
			sides[i] = sideOf(t, journal, m)
		}
		if err := generated.Part(page, m.name, "```text\n"+beside(sides, columns)+"```\n", *update); err != nil {
			t.Error(err)
		}
	}
}

// sideOf are the lines of what a journal holds of a meeting.
func sideOf(t *testing.T, journal string, m meeting) (lines []string) {
	t.Helper()
	f, err := os.Open(journal)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	entries, faults, err := wire.ReadAll(f)
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	seen := map[string]bool{}  // notifications, and what is asked again and again
	asked := map[string]bool{} // ids of requests that are shown
	for _, e := range entries {
		switch {
		case e.Lane != nil && e.Lane.HTTP != nil && slices.Contains(m.shown, e.Lane.HTTP.Method):
			lines = append(lines, "─▸ "+e.Lane.HTTP.Method)
			lines = append(lines, headers(e.Lane.HTTP, "")...)
			lines = append(lines, "")
		case e.Frame != nil && len(e.Frame.Body) > 0:
			root := e.Frame.Doc().Root()
			method, id := root.Get("method").Text(), string(root.Get("id").Raw())
			sent := e.Frame.Dir == wire.Sent
			switch {
			case method != "" && !slices.Contains(m.shown, method), method == "" && !asked[id]:
				continue
			case method == mcp.TasksGet, id == "" && method != "":
				if seen[method] {
					continue
				}
				seen[method] = true
			}
			if id != "" {
				asked[id] = method != "" // an answer ends it
			}
			head := "◂─ "
			if sent {
				head = "─▸ "
			}
			if h := e.Frame.HTTP; h != nil && h.Method != "" {
				head += h.Method + " "
			} else if h != nil && h.Status != 0 {
				head += fmt.Sprint(h.Status, " ")
			}
			what := method
			if method == "" {
				what = "the answer"
			}
			lines = append(lines, head+what)
			if sent {
				lines = append(lines, headers(e.Frame.HTTP, root.Get("params").Get("taskId").Text())...)
			} else if e.Frame.HTTP.Get(mcp.HeaderSessionID) != "" {
				lines = append(lines, "   Mcp-Session-Id: (the server's choice)")
			}
			lines = append(lines, shown(root, m.open, columns)...)
			lines = append(lines, "")
		}
	}
	return lines
}

// headers are those that the protocol knows. The id of a task differs from run to run.
func headers(h *wire.Head, task string) (lines []string) {
	if h == nil {
		return nil
	}
	for _, f := range h.Header {
		switch name := strings.ToLower(f.Name); {
		case strings.EqualFold(name, mcp.HeaderSessionID):
			lines = append(lines, "   "+f.Name+": (the server's choice)")
		case task != "" && f.Value == task:
			lines = append(lines, "   "+f.Name+": …")
		case strings.HasPrefix(name, "mcp-"):
			lines = append(lines, "   "+f.Name+": "+f.Value)
		}
	}
	return lines
}

// shown sets a message in lines of at most w cells. What is not said to be shown whole, and has no place on a line, is
// folded; what differs from run to run is left out.
func shown(root jsondoc.Value, open []string, w int) (lines []string) {
	open = append([]string{"", "/params", "/params/_meta", "/result", "/result/_meta", "/error"}, open...)
	var set func(v jsondoc.Value, indent, name, comma string)
	set = func(v jsondoc.Value, indent, name, comma string) {
		line := indent + name
		room := w - utf8.RuneCountInString(line) - len(comma)
		whole := slices.Contains(open, string(v.Pointer())) && (v.Is(jsondoc.Object) || v.Is(jsondoc.Array)) && v.Len() > 0
		text := string(jsondoc.Compact(nil, v.Raw()))
		switch key := v.Name(); {
		case slices.Contains([]string{"requestState", "taskId", "createdAt", "lastUpdatedAt"}, key), key == mcp.MetaRelatedTask:
			text = "…"
		case key == "version" && v.Text() == Version():
			text = "…"
		case key == mcp.MetaClientInfo:
			text = `{"name":"mcploupe",…}`
		case whole && (utf8.RuneCountInString(text) > room || v.Parent().Pointer() == ""):
			brackets := [2]string{"{", "}"}
			if v.Is(jsondoc.Array) {
				brackets = [2]string{"[", "]"}
			}
			lines = append(lines, line+brackets[0])
			n := 0
			for c := range v.Children() {
				n++
				more := ","
				if n == v.Len() {
					more = ""
				}
				label := ""
				if v.Is(jsondoc.Object) {
					label = jsondoc.Quote(c.Name()) + ": "
				}
				set(c, indent+"  ", label, more)
			}
			lines = append(lines, indent+brackets[1]+comma)
			return
		}
		next := w - utf8.RuneCountInString(indent) - 2 - len(comma)
		switch size := utf8.RuneCountInString(text); {
		case size <= room:
		case size <= next && room < 16: // behind long names, as those in _meta
			lines, line = append(lines, line), indent+"  "
		case v.Is(jsondoc.Object):
			text = "{…}"
		case v.Is(jsondoc.Array):
			text = fmt.Sprintf("[%d …]", v.Len())
		default:
			text = string([]rune(text)[:max(room-2, 1)]) + `…"`
		}
		lines = append(lines, line+text+comma)
	}
	set(root, "   ", "", "")
	return lines
}

// columns is how wide a side is: two of them fit into what forges show of a block.
const columns = 54

// beside sets two columns of w cells.
func beside(sides [2][]string, w int) string {
	var b strings.Builder
	row := func(l, r string) {
		b.WriteString(strings.TrimRight(l+strings.Repeat(" ", max(w-utf8.RuneCountInString(l), 0))+"  │ "+r, " ") + "\n")
	}
	row(mcp.LatestLegacy, mcp.Latest)
	row("", "")
	for i := range max(len(sides[0]), len(sides[1])) {
		var cells [2]string
		for k, side := range sides {
			if i < len(side) {
				cells[k] = side[i]
			}
		}
		if i == max(len(sides[0]), len(sides[1]))-1 && cells == [2]string{} {
			break
		}
		row(cells[0], cells[1])
	}
	return b.String()
}
