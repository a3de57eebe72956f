package cli

import (
	"strings"
	"testing"

	"mcploupe/inspect"
	"mcploupe/session/jsondoc"
)

// The list of rules has each area once, and in it what weighs most first; as JSON it is in the same order.
func TestExplainListsByAreaAndLevel(t *testing.T) {
	weight := map[string]int{"must": 3, "should": 2, "advice": 1}
	var ids []string
	areas := map[string]bool{}
	last := 0
	text := program(t, "explain")
	list, _, _ := strings.Cut(text.out, "\n* ")
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case !strings.HasPrefix(line, " "):
			if areas[words[0]] {
				t.Errorf("the area %s comes twice", words[0])
			}
			areas[words[0]], last = true, 3
		default:
			w := weight[strings.TrimSuffix(words[0], "*")]
			if w == 0 || w > last {
				t.Errorf("%q stands below a lesser one", strings.TrimSpace(line))
			}
			last = w
			ids = append(ids, words[1])
		}
	}
	if len(ids) != len(inspect.Catalogue()) || text.code != 0 {
		t.Errorf("%d of %d rules, exit %d", len(ids), len(inspect.Catalogue()), text.code)
	}
	for i, line := range strings.Split(strings.TrimSpace(program(t, "explain", "--json").out), "\n") {
		if v := jsondoc.Parse([]byte(line)).Root(); i >= len(ids) || v.Get("rule").Text() != ids[i] || weight[v.Get("level").Text()] == 0 || v.Get("title").Text() == "" {
			t.Fatalf("line %d: %s", i+1, line)
		}
	}
}

// A rule that no journal can be judged by has its page all the same.
func TestExplainToolShadowing(t *testing.T) {
	if r := program(t, "explain", inspect.ToolShadowing); r.code != 0 || !strings.Contains(r.out, "How to fix it") || !strings.Contains(r.out, "our opinion") {
		t.Error(r)
	}
	line := jsondoc.Parse([]byte(program(t, "explain", "--json", inspect.ToolShadowing).out)).Root()
	if line.Get("rule").Text() != inspect.ToolShadowing || line.Get("title").Text() == "" || line.Get("why").Text() == "" {
		t.Errorf("%s", line.Raw())
	}
}
