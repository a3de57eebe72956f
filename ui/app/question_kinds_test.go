package app

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/mcp"
)

func paste(text string) tea.Msg { return tea.PasteMsg{Content: text} }

// Every kind of field that a form of an elicitation may have, and what goes back, byte for byte.
func TestEveryKindOfField(t *testing.T) {
	for name, c := range map[string]struct {
		field, required string
		keys            []string
		typed           string
		want            string // the content
		problem         string // what stops it first; it is then sent by ctrl+x
	}{
		"text":             {field: `{"type":"string"}`, typed: `Zoë "Z"`, want: `{"f":"Zoë \"Z\""}`},
		"text default":     {field: `{"type":"string","default":"caf\u00e9"}`, want: `{"f":"caf\u00e9"}`},
		"text untouched":   {field: `{"type":"string"}`, want: `{}`},
		"text too short":   {field: `{"type":"string","minLength":3}`, typed: "ab", want: `{"f":"ab"}`, problem: "at least 3"},
		"e-mail":           {field: `{"type":"string","format":"email"}`, typed: "a@b.example", want: `{"f":"a@b.example"}`},
		"address":          {field: `{"type":"string","format":"uri"}`, typed: "https://a.example/", want: `{"f":"https://a.example/"}`},
		"date":             {field: `{"type":"string","format":"date"}`, typed: "2026-11-30", want: `{"f":"2026-11-30"}`},
		"date-time":        {field: `{"type":"string","format":"date-time"}`, typed: "2026-11-30T10:00:00Z", want: `{"f":"2026-11-30T10:00:00Z"}`},
		"number":           {field: `{"type":"number"}`, typed: "1.50e+3", want: `{"f":1.50e+3}`},
		"integer":          {field: `{"type":"integer","minimum":1,"maximum":8}`, typed: "08", want: `{"f":"08"}`, problem: "integer"},
		"integer too big":  {field: `{"type":"integer","maximum":8}`, typed: "9", want: `{"f":9}`, problem: "8"},
		"integer default":  {field: `{"type":"integer","default":2}`, want: `{"f":2}`},
		"boolean":          {field: `{"type":"boolean"}`, keys: []string{"right"}, want: `{"f":true}`},
		"boolean default":  {field: `{"type":"boolean","default":false}`, keys: []string{"left"}, want: `{"f":true}`},
		"enum":             {field: `{"type":"string","enum":["a","b"]}`, keys: []string{"right", "right"}, want: `{"f":"b"}`},
		"titled":           {field: `{"type":"string","oneOf":[{"const":"a","title":"An A"},{"const":"b","title":"A B"}],"default":"b"}`, want: `{"f":"b"}`},
		"enumNames":        {field: `{"type":"string","enum":["a","b"],"enumNames":["An A","A B"]}`, keys: []string{"right"}, want: `{"f":"a"}`},
		"several":          {field: `{"type":"array","items":{"type":"string","enum":["a","b","c"]}}`, keys: []string{"down", "space", "down", "down", "space"}, want: `{"f":["a","c"]}`},
		"several titled":   {field: `{"type":"array","items":{"anyOf":[{"const":"a","title":"An A"},{"const":"b","title":"A B"}]},"default":["a"]}`, keys: []string{"down", "enter", "down", "enter"}, want: `{"f":["b"]}`},
		"too many":         {field: `{"type":"array","items":{"enum":["a","b"]},"maxItems":1}`, keys: []string{"down", "space", "down", "space"}, want: `{"f":["a","b"]}`, problem: "1"},
		"required":         {field: `{"type":"string"}`, required: `"f"`, keys: []string{"esc"}, want: `{}`, problem: "required"},
		"unknown type":     {field: `{"type":"colour"}`, typed: "red", want: `{"f":"red"}`, problem: "-"},
		"no schema at all": {field: `7`, typed: "x", want: `{"f":"x"}`, problem: "-"},
	} {
		tell(t, 120, 36, opening+lists, func(s *story) {
			answer := s.asks(s.ctx, round(elicitation("k", `{"message":"?","requestedSchema":{"type":"object","properties":{"f":`+c.field+`},"required":[`+c.required+`]}}`)))
			s.wait(grace)
			s.press(c.keys...)
			s.typed(c.typed)
			s.press("ctrl+s")
			got := answer()
			if c.problem != "" && got == "waiting" {
				if c.problem != "-" {
					s.sees(c.problem)
				}
				s.press("ctrl+x")
				got = answer()
			} else if c.problem != "" && c.problem != "-" {
				t.Errorf("%s went out although %s", name, c.problem)
			}
			if want := `[k {"action":"accept","content":` + c.want + `}]`; got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		})
	}
}

// What a hostile server may write into a question: it is drawn, it can be declined, and nothing of it commands the screen.
func TestHostileQuestions(t *testing.T) {
	var many, deep strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&many, `"f%d":{"type":"string","enum":["a","b"]},`, i)
	}
	for range 400 {
		deep.WriteString(`{"type":"array","items":`)
	}
	deep.WriteString(`true` + strings.Repeat("}", 400))
	for name, text := range map[string]string{
		"thousands of fields": `{"message":"?","requestedSchema":{"type":"object","properties":{` + many.String() + `"z":{}}}}`,
		"deep":                `{"message":"?","requestedSchema":{"type":"object","properties":{"d":` + deep.String() + `}}}`,
		"recursive":           `{"message":"?","requestedSchema":{"type":"object","properties":{"r":{"$ref":"#"}},"required":["r"]}}`,
		"commands":            `{"message":"\u001b[2J\u0007\u009b31m\u202etxt","requestedSchema":{"type":"object","properties":{"\u001b]0;x\u0007":{"type":"string","title":"\u001b[H"}}}}`,
		"wrong types":         `{"message":{"a":[1]},"mode":["url"],"requestedSchema":[1,2]}`,
		"numbers":             `{"message":7,"mode":null,"requestedSchema":{"type":7,"properties":[],"required":"all"}}`,
		"no object":           `[1,2,3]`,
		"url of numbers":      `{"mode":"url","message":[],"url":{"x":1}}`,
		"long address":        `{"mode":"url","message":"?","url":"https://a.example/` + strings.Repeat("x", 200_000) + `"}`,
		"long message":        `{"message":"` + strings.Repeat("word ", 50_000) + `"}`,
	} {
		tell(t, 80, 24, opening+lists, func(s *story) {
			answer := s.asks(s.ctx, round(elicitation("k\x1b[2J", text)))
			s.wait(grace)
			s.fits()
			if screen := s.m.View().Content; strings.ContainsAny(s.screen(), "\x1b\x07\u009b\u202e") || strings.Contains(screen, "\x1b[2J") {
				t.Errorf("%s: the screen is commanded", name)
			}
			s.press("pgdown", "ctrl+d")
			if got := answer(); got != "[k\x1b[2J {\"action\":\"decline\"}]" {
				t.Errorf("%s: %.200s", name, got)
			}
		})
	}
	for name, text := range map[string]string{
		"no messages": `{}`, "messages of numbers": `{"messages":[1,"x",null,{"role":7,"content":9}],"tools":{"a":1}}`,
		"odd blocks": `{"messages":[{"role":"user","content":[{"type":"tool_result","content":7},{"type":"tool_use"},{"type":[]}]}],"tools":[7,{"name":null},{"name":"t\u001b[2J"}]}`,
		"many":       `{"messages":[` + strings.Repeat(`{"role":"user","content":{"type":"text","text":"`+strings.Repeat("y", 9000)+`"}},`, 300) + `1]}`,
	} {
		tell(t, 80, 24, opening+lists, func(s *story) {
			answer := s.asks(s.ctx, round(session.Question{Key: "m", Method: mcp.SamplingCreate, Params: params(text)}))
			s.wait(grace)
			s.fits()
			if strings.Contains(s.m.View().Content, "\x1b[2J") {
				t.Errorf("%s: the screen is commanded", name)
			}
			s.press("ctrl+q")
			if got := answer(); got != "stop: left unanswered by hand" {
				t.Errorf("%s: %.200s", name, got)
			}
		})
	}
}
