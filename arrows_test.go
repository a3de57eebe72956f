package main

import (
	"os/exec"
	"strings"
	"testing"
)

// The forbidden arrows: a statement of policy (docs/ARCHITECTURE.md gives the reasons). An entry says
// that no package matching `from` may depend on a package matching `to`, not even through others.
// Patterns ending in /... match the whole tree below; others match one package.
var forbidden = []struct{ from, to, why string }{
	{"mcploupe/inspect/...", "mcploupe/session", "judging is pure: a recorded file and a live server must give the same verdicts"},
	{"mcploupe/inspect/...", "mcploupe/session/transport/...", "judging is pure"},
	{"mcploupe/inspect/...", "net/http", "judging is pure"},
	{"mcploupe/inspect/...", "os/exec", "judging is pure"},
	{"mcploupe/inspect/...", "mcploupe/ui/...", "verdicts do not know screens"},
	{"mcploupe/session/...", "mcploupe/inspect/...", "the ground floor has no opinions"},
	{"mcploupe/session/...", "mcploupe/highlight/...", "the ground floor has no colours"},
	{"mcploupe/session/...", "mcploupe/ui/...", "the ground floor has no screen"},
	{"mcploupe/session/...", "github.com/modelcontextprotocol/go-sdk/mcp", "an SDK decodes and hides; we keep the bytes"},
	{"mcploupe/session/demo/...", "mcploupe/session", "the demo server shares nothing with its judge"},
	{"mcploupe/session/demo/...", "mcploupe/inspect/...", "the demo server shares nothing with its judge"},
	{"mcploupe/session/jsondoc", "mcploupe/...", "a leaf"},
	{"mcploupe/session/jsondoc", "github.com/alecthomas/chroma/...", "positions, not colours"},
	{"mcploupe/session/jsondoc", "charm.land/...", "positions, not colours"},
	{"mcploupe/session/mcp", "mcploupe/...", "a leaf: vocabulary"},
	{"mcploupe/session/slips", "mcploupe/...", "a leaf: letters"},
	{"mcploupe/session/visible", "mcploupe/...", "a leaf: code points"},
	{"mcploupe/session/statefile", "mcploupe/...", "a leaf: files, whatever stands in them"},
	{"mcploupe/themes/...", "mcploupe/...", "a leaf: roles and colours"},
	{"mcploupe/highlight/...", "mcploupe/session/wire", "painting knows documents, not messages"},
	{"mcploupe/highlight/...", "mcploupe/session/mcp", "painting knows no MCP"},
	{"mcploupe/highlight/...", "mcploupe/ui/...", "painting knows no screen"},
	{"mcploupe/session/...", "charm.land/bubbletea/...", "only ui/ has a screen"},
	{"mcploupe/inspect/...", "charm.land/bubbletea/...", "only ui/ has a screen"},
	{"mcploupe/highlight/...", "charm.land/bubbletea/...", "only ui/ has a screen"},
	{"mcploupe/themes/...", "charm.land/bubbletea/...", "only ui/ has a screen"},
	{"mcploupe/ui/feed", "charm.land/bubbletea/...", "headless commands read the same feed"},
	{"mcploupe/ui/graphics", "charm.land/bubbletea/...", "bytes for a terminal, not a screen"},
	{"mcploupe/highlight/media", "charm.land/...", "what bytes are, not how they look"},
	{"mcploupe/ui/drive", "charm.land/bubbletea/...", "headless commands drive the same steps"},
	{"mcploupe", "github.com/alecthomas/chroma/v2/lexers", "registers hundreds of lexers at start: 8 ms and 8 MB"},
	{"mcploupe", "github.com/alecthomas/chroma/v2/styles", "styles are built from theme roles"},
	{"mcploupe", "testing", "test helpers stay out of the binary"},
}

// The only direct imports of ours that a package may have. Panes are the packages under ui/ that are not named.
var may = map[string]string{
	"session/jsondoc":          "",
	"session/jsondiff":         "jsondoc",
	"session/mcp":              "",
	"session/visible":          "",
	"session/slips":            "",
	"session/secret":           "jsondoc",
	"themes":                   "",
	"session/schema":           "jsondoc",
	"session/uritemplate":      "",
	"session/statefile":        "",
	"session/oauth":            "statefile",
	"session/wire":             "jsondoc mcp",
	"session/fresh":            "jsondoc mcp wire",
	"session/subs":             "jsondoc mcp wire fresh",
	"session/transport":        "jsondoc mcp wire events secret slips",
	"session/transport/events": "",
	"session/demo":             "jsondoc mcp wire",
	"session/task":             "jsondoc mcp",
	"inspect":                  "jsondoc mcp wire fresh schema visible uritemplate task",
	"inspect/report":           "inspect jsondoc markup mcp wire visible",
	"inspect/report/markup":    "visible",
	"inspect/fields":           "jsondoc mcp slips wire",
	"highlight":                "jsondoc visible themes",
	"highlight/media":          "",
	"ui/book/booktest":         "inspect wire book feed",
	"ui/calls":                 "jsondoc",
	"ui/snap":                  "markup visible",
	"ui/content":               "jsondoc highlight media themes kit",
	"ui/graphics":              "media",
	"ui/shell":                 "jsondoc mcp wire visible",
	"ui/query":                 "inspect fresh wire book",
	"ui/lesson":                "jsondoc visible wire book query",
	"ui/learn":                 "highlight kit lesson",
	"ui/workshop":              "calls lesson",
	"docs":                     "",
	"ui/story":                 "jsondoc mcp wire visible task",
}

type pkg struct{ imports, deps []string }

func listPackages(t *testing.T) map[string]pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}|{{join .Imports " "}}|{{join .Deps " "}}`, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	all := map[string]pkg{}
	for line := range strings.Lines(string(out)) {
		part := strings.Split(strings.TrimSpace(line), "|")
		all[part[0]] = pkg{strings.Fields(part[1]), strings.Fields(part[2])}
	}
	return all
}

func matches(path, pattern string) bool {
	tree, ok := strings.CutSuffix(pattern, "/...")
	if ok {
		return path == tree || strings.HasPrefix(path, tree+"/")
	}
	return path == pattern
}

func TestArrows(t *testing.T) {
	all := listPackages(t)
	if len(all) < 10 {
		t.Fatalf("go list found only %d packages", len(all))
	}
	for path, p := range all {
		for _, f := range forbidden {
			if !matches(path, f.from) {
				continue
			}
			for _, dep := range p.deps {
				if matches(dep, f.to) {
					t.Errorf("%s depends on %s: %s", path, dep, f.why)
				}
			}
		}
		allowed, listed := may[strings.TrimPrefix(path, "mcploupe/")]
		if !listed {
			continue
		}
		for _, imp := range p.imports {
			ours, is := strings.CutPrefix(imp, "mcploupe/")
			if is && !has(allowed, ours) {
				t.Errorf("%s imports %s, which its room may not", path, imp)
			}
		}
	}
}

func has(words, path string) bool {
	last := path[strings.LastIndexByte(path, '/')+1:]
	for w := range strings.FieldsSeq(words) {
		if w == last {
			return true
		}
	}
	return false
}

// Panes stand beside each other: none imports another, none a session. What is true reaches them
// through the book, what a person wants leaves them as an intent.
func TestArrowsBetweenPanes(t *testing.T) {
	rooms := map[string]bool{"app": true, "cli": true, "feed": true, "book": true, "kit": true, "drive": true, "store": true, "calls": true, "story": true, "handout": true, "snap": true, "shell": true, "query": true, "lesson": true, "content": true, "graphics": true}
	pane := func(path string) (string, bool) {
		rest, ok := strings.CutPrefix(path, "mcploupe/ui/")
		name, _, _ := strings.Cut(rest, "/")
		return name, ok && !rooms[name]
	}
	for path, p := range listPackages(t) {
		from, ok := pane(path)
		if !ok {
			continue
		}
		for _, dep := range p.deps {
			if to, is := pane(dep); is && to != from {
				t.Errorf("pane %s depends on pane %s", path, dep)
			}
			if dep == "mcploupe/session" || strings.HasPrefix(dep, "mcploupe/session/transport") {
				t.Errorf("pane %s depends on %s", path, dep)
			}
		}
	}
}
