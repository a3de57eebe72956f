package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"mcploupe/inspect"
)

// SARIF is the report as a SARIF 2.1.0 log (OASIS). A result lies at a logical location, the place in the message; when the
// conversation was recorded it also lies in the journal, at the line of its frame.
func (r *Report) SARIF() []byte {
	groups := r.groups()
	var rules []any
	var results []any
	for index, g := range groups {
		title, why, fix := pageOf(g.Rule)
		rules = append(rules, map[string]any{
			"id":                   g.Rule.ID,
			"shortDescription":     text(title),
			"fullDescription":      text(orElse(why, title)),
			"help":                 map[string]any{"text": why + "\n\nHow to fix it\n\n" + fix, "markdown": markdownText(why) + "\n\n**How to fix it**\n\n" + markdownText(fix)},
			"defaultConfiguration": map[string]any{"level": sarifLevel(g.Rule.Level)},
			"properties":           map[string]any{"tags": []string{g.Rule.Area}, "source": g.Rule.Source},
		})
		for _, i := range g.Items {
			results = append(results, r.result(i, index))
		}
	}
	driver := map[string]any{"name": "mcploupe", "version": r.Version, "rules": list(rules)}
	run := map[string]any{
		"tool":              map[string]any{"driver": driver},
		"results":           list(results),
		"columnKind":        "unicodeCodePoints",
		"invocations":       []any{map[string]any{"executionSuccessful": true}},
		"automationDetails": map[string]any{"id": "mcploupe/" + orElse(r.Server, "server")},
		"properties": map[string]any{
			"target": r.Target, "server": r.Server, "era": r.Era, "protocolVersion": r.Revision, "profile": r.Profile, "exchanges": r.Exchanges,
		},
	}
	return indented(map[string]any{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []any{run},
	})
}

func (r *Report) result(i *Item, rule int) map[string]any {
	level := sarifLevel(i.Level())
	if i.Profile == inspect.ProfileSEP2145 {
		level = "note"
	}
	state := "new"
	if i.Known {
		state = "unchanged"
	}
	out := map[string]any{
		"ruleId": i.Rule.ID, "ruleIndex": rule, "level": level, "kind": "fail", "baselineState": state,
		"message":             text(sentence(i)),
		"locations":           []any{r.location(i.Subject, i.Where, i.At)},
		"partialFingerprints": map[string]any{"mcploupe/v1": hash(i.Prints[0])},
		"properties": map[string]any{
			"confidence": i.Confidence.String(), "got": i.Got, "want": i.Want, "part": i.At.Part.String(), "pointer": string(i.At.Path), "seq": i.At.Frame,
		},
	}
	var related []any
	for _, p := range i.Also {
		related = append(related, r.location(i.Subject, p.Part.String()+" "+string(p.Path), p))
	}
	if len(related) > 0 {
		out["relatedLocations"] = related
	}
	return out
}

func (r *Report) location(subject, where string, p inspect.Place) map[string]any {
	out := map[string]any{"logicalLocations": []any{map[string]any{
		"name": where, "fullyQualifiedName": join(subject, where), "kind": "member",
	}}}
	if r.Journal != "" {
		// A journal has one entry a line, behind one line of its own.
		out["physicalLocation"] = map[string]any{
			"artifactLocation": map[string]any{"uri": r.Journal}, "region": map[string]any{"startLine": int(p.Frame) + 1},
		}
	}
	return out
}

func sarifLevel(l inspect.Level) string {
	switch l {
	case inspect.Must:
		return "error"
	case inspect.Should:
		return "warning"
	}
	return "note"
}

func text(s string) map[string]any { return map[string]any{"text": s} }

// list is an array also when it is empty.
func list(v []any) []any {
	if v == nil {
		return []any{}
	}
	return v
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}

func join(subject, where string) string {
	if subject == "" {
		return where
	}
	return subject + ": " + where
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// sentence is a finding in words: where, what stood there, what would be right.
func sentence(i *Item) string {
	s := join(i.Subject, i.Where)
	switch {
	case i.Got != "" && i.Want != "":
		s += fmt.Sprintf(" is %s; right would be %s", i.Got, i.Want)
	case i.Want != "":
		s += ": right would be " + i.Want
	case i.Got != "":
		s += " is " + i.Got
	}
	if n := len(i.Also); n > 0 {
		s += fmt.Sprintf(" (and %d more places)", n)
	}
	if i.Confidence != inspect.Certain {
		s += " (" + i.Confidence.String() + ")"
	}
	return s
}

// pageOf is the text of a rule's page; the pages are embedded and tested, so none is missing.
func pageOf(rule *inspect.Rule) (title, why, fix string) {
	page, ok, err := inspect.Explain(rule.ID)
	if err != nil || !ok {
		return rule.ID, "", ""
	}
	return page.Title, page.Why, page.Fix
}
