package demo

import (
	"slices"
	"strings"
	"testing"

	"mcploupe/session/jsondoc"
)

// walk is a list over all its pages, by the member that names its entries.
func walk(t *testing.T, s *Server, method, member, key string) []string {
	t.Helper()
	var names []string
	params := ""
	for range 100 {
		r := ask(t, s, method+params)
		want(t, r, "/result/resultType", `"complete"`)
		want(t, r, "/result/cacheScope", `"public"`)
		if ttl, ok := at(t, r, "/result/ttlMs").Int(); !ok || ttl <= 0 {
			t.Errorf("%s: ttl %d", method, ttl)
		}
		for e := range at(t, r, "/result/"+member).Children() {
			names = append(names, e.Get(key).Text())
		}
		next := r.Get("result").Get("nextCursor")
		if !next.Exists() {
			return names
		}
		params = ` {"cursor":` + string(next.Raw()) + `}`
	}
	t.Fatalf("%s has no end", method)
	return nil
}

func TestListsAreStableWhateverThePages(t *testing.T) {
	for _, c := range []struct{ method, member, key string }{
		{"tools/list", "tools", "name"},
		{"resources/list", "resources", "uri"},
		{"resources/templates/list", "resourceTemplates", "uriTemplate"},
		{"prompts/list", "prompts", "name"},
	} {
		whole := walk(t, New(Options{PageSize: 1000}), c.method, c.member, c.key)
		for _, size := range []int{0, 1, 2, 5} {
			s := New(Options{PageSize: size})
			if got := walk(t, s, c.method, c.member, c.key); !slices.Equal(got, whole) {
				t.Errorf("%s by %d: %v, want %v", c.method, size, got, whole)
			}
			for _, about := range []string{"tools", "prompts", "resources"} {
				ask(t, s, calling("ring_bell", `{"about":"`+about+`"}`))
			}
			ask(t, s, calling("log_observation", `{"sky":"fog"}`))
			if got := walk(t, s, c.method, c.member, c.key); !slices.Equal(got, whole) {
				t.Errorf("%s after other calls: %v", c.method, got)
			}
		}
	}
}

func TestCursorsOfOtherListsAreRefused(t *testing.T) {
	s := New(Options{})
	cursor := string(at(t, ask(t, s, "tools/list"), "/result/nextCursor").Raw())
	for _, c := range []string{
		`resources/list {"cursor":` + cursor + `}`,
		`tools/list {"cursor":` + strings.Replace(cursor, `"`, `"A`, 1) + `}`,
		`tools/list {"cursor":"` + s.cursorFor("tools/list", 1000, false) + `"}`,
		`tools/list {"cursor":null}`,
		`prompts/list {"cursor":"cGFnZTI"}`,
	} {
		want(t, ask(t, s, c), "/error/code", "-32602")
	}
}

func TestEverythingListedCanBeFetched(t *testing.T) {
	s := New(Options{Now: noon})
	for _, uri := range walk(t, s, "resources/list", "resources", "uri") {
		r := ask(t, s, `resources/read {"uri":"`+uri+`"}`)
		if uri == "station://skerry/safe" {
			want(t, r, "/result/resultType", `"input_required"`) // it asks before it is opened
			continue
		}
		want(t, r, "/result/contents/0/uri", `"`+uri+`"`)
		scope := `"public"`
		if uri == diaryURI {
			scope = `"private"`
		}
		want(t, r, "/result/cacheScope", scope)
	}
	for _, uri := range []string{
		"station://skerry/readings/barometer/2026-07-01", "station://skerry/forecast/North%20Sound", "station://skerry/forecast/The%20Narrows?days=7", "station://skerry/ships/PUFN2",
	} {
		r := ask(t, s, `resources/read {"uri":"`+uri+`"}`)
		if at(t, r, "/result/contents/0/text").Text() == "" {
			t.Errorf("%s is empty", uri)
		}
	}
	for _, uri := range []string{
		"station://skerry/nowhere", "station://skerry/readings/hygrometer/2026-07-01", "station://skerry/readings/barometer/yesterday", "station://skerry/readings/barometer",
		"station://skerry/forecast/Atlantis", "station://skerry/forecast/The%20Narrows?days=9", "station://skerry/forecast/%zz", "station://skerry/ships/NONE", "file:///etc/hostname", "",
	} {
		r := ask(t, s, `resources/read {"uri":"`+uri+`"}`)
		want(t, r, "/error/code", "-32602")
		want(t, r, "/error/data/uri", `"`+uri+`"`)
	}
}

func TestPromptsAndCompletion(t *testing.T) {
	s := New(Options{Now: noon})
	complete := func(ref, name, value, context string) string {
		return `completion/complete {"ref":` + ref + `,"argument":{"name":"` + name + `","value":"` + value + `"},"context":{"arguments":` + context + `}}`
	}
	const places, readings = `{"type":"ref/prompt","name":"compare_places"}`, `{"type":"ref/resource","uri":"station://skerry/readings/{instrument}/{date}"}`
	for _, c := range []struct{ send, pointer, raw string }{
		{`prompts/get {"name":"compare_places","arguments":{"first":"A","second":"B"}}`, "/result/messages/0/role", `"user"`},
		{`prompts/get {"name":"sea_area_forecast","arguments":{"region":"Amber Bay"}}`, "/result/messages/1/content/mimeType", `"image/png"`},
		{`prompts/get {"name":"morning_briefing"}`, "/result/messages/1/content/resource/mimeType", `"application/json"`},
		{`prompts/get {"name":"letter_to_the_keeper"}`, "/result/messages/1/role", `"assistant"`},
		{`prompts/get {"name":"compare_places","arguments":{"first":"A"}}`, "/error/code", "-32602"},
		{`prompts/get {"name":"compare_places","arguments":{"first":1,"second":"B"}}`, "/error/code", "-32602"},
		{`prompts/get {"name":"compare_places","arguments":[]}`, "/error/code", "-32602"},
		{`prompts/get {"name":"nope"}`, "/error/code", "-32602"},
		{`prompts/get {}`, "/error/code", "-32602"},
		{complete(places, "first", "po", "{}"), "/result/completion", `{"values":["Port Amber"],"total":1,"hasMore":false}`},
		{complete(places, "second", "po", `{"first":"Port Amber"}`), "/result/completion", `{"values":[],"total":0,"hasMore":false}`},
		{complete(`{"type":"ref/prompt","name":"letter_to_the_keeper"}`, "subject", "", "{}"), "/result/completion/total", "0"},
		{complete(readings, "instrument", "baro", "{}"), "/result/completion/values", `["barometer"]`},
		{complete(readings, "date", "", "{}"), "/result/completion/values/0", `"2026-07-28"`},
		{complete(readings, "hour", "", "{}"), "/error/code", "-32602"},
		{complete(places, "third", "", "{}"), "/error/code", "-32602"},
		{complete(`{"type":"ref/prompt","name":"nope"}`, "x", "", "{}"), "/error/code", "-32602"},
		{complete(`{"type":"ref/tool","name":"get_weather"}`, "location", "", "{}"), "/error/code", "-32602"},
		{`completion/complete {"ref":` + places + `}`, "/error/code", "-32602"},
	} {
		want(t, ask(t, s, c.send), c.pointer, c.raw)
	}
}

// The scripts are data that people edit: what they say must hold together.
func TestTheCatalogueHoldsTogether(t *testing.T) {
	c := readCatalogue()
	if len(c.tools) < 12 || len(c.resources) < 7 || len(c.templates) < 3 || len(c.prompts) < 4 {
		t.Fatalf("%d tools, %d resources, %d templates, %d prompts", len(c.tools), len(c.resources), len(c.templates), len(c.prompts))
	}
	for _, tool := range c.tools {
		if tool.def.text("name") != tool.name || tool.def.text("description") == "" || tool.def.object("annotations") == nil {
			t.Errorf("tool %s: %s", tool.name, jsonText(tool.def))
		}
		checkSchema(t, tool.name, tool.input, tool.input)
	}
	for _, r := range append(slices.Clone(c.resources), c.templates...) {
		if r.uri == "" || r.mime == "" || r.ttl < 0 || r.scope != "public" && r.scope != "private" {
			t.Errorf("resource %+v", r)
		}
	}
	var headers []string
	for _, tool := range c.tools {
		for _, h := range tool.headers {
			headers = append(headers, tool.name+" "+h.header+" "+strings.Join(h.path, "."))
		}
	}
	if !slices.Equal(headers, []string{"get_forecast Region region", "get_forecast Days days", "get_forecast Gales-Only gales", "get_forecast Language style.language"}) {
		t.Errorf("mirrored: %q", headers)
	}
}

// checkSchema looks for keywords that validate.go does not check, and for references that lead nowhere.
func checkSchema(t *testing.T, tool string, root, schema jsondoc.Value) {
	t.Helper()
	for name, v := range schema.Members() {
		switch name {
		case "properties", "$defs":
			for _, sub := range v.Members() {
				checkSchema(t, tool, root, sub)
			}
		case "items":
			checkSchema(t, tool, root, v)
		case "oneOf", "anyOf":
			for sub := range v.Children() {
				checkSchema(t, tool, root, sub)
			}
		case "$ref":
			if !root.Document().At(root.Pointer() + jsondoc.Pointer(v.Text()[1:])).Exists() {
				t.Errorf("%s: %s leads nowhere", tool, v.Text())
			}
		case "type", "enum", "const", "required", "additionalProperties", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "pattern":
		case "title", "description", "default", "examples", "format", "x-mcp-header":
		default:
			t.Errorf("%s: nobody checks %s", tool, name)
		}
	}
}
