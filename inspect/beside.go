package inspect

import (
	"embed"
	"fmt"
)

// Some rules cannot be decided from the journal of one server. They are no part of the catalogue, and no exchange is ever judged by
// them; they have a page all the same, beside/<rule-id>.txtar, with why and fix and without examples.

//go:embed beside/*.txtar
var besideFiles embed.FS

// ToolShadowing is the id of the rule about tools that can be taken for those of another server; see Shadows.
const ToolShadowing = "security-tool-shadowing"

// Beside is the rule with this id that stands beside the catalogue.
func Beside(id string) (*Rule, bool) {
	if id != ToolShadowing {
		return nil, false
	}
	return &Rule{ID: id, Area: "security", Level: Advice, Eras: "all", Source: "own advice; server/tools §Tool Names (Note)", eras: eras{all: true}}, true
}

// explainBeside is the page of such a rule.
func explainBeside(id string) (page *Page, ok bool, err error) {
	r, ok := Beside(id)
	if !ok {
		return nil, false, nil
	}
	text, err := besideFiles.ReadFile("beside/" + id + ".txtar")
	if err != nil {
		return nil, true, fmt.Errorf("reading the page of %s: %w", id, err)
	}
	page, err = readPage(r, string(text))
	if err == nil && (page.Title == "" || page.Why == "" || page.Fix == "") {
		err = fmt.Errorf("title, why or fix is missing")
	}
	if err != nil {
		return nil, true, fmt.Errorf("reading the page of %s: %w", id, err)
	}
	return page, true, nil
}
