package fields_test

import (
	"fmt"
	"strings"
	"testing"

	"mcploupe/docs/generated"
	"mcploupe/inspect/fields"
)

// docs/fields.md holds every entry.
func TestFieldsPage(t *testing.T) {
	var b strings.Builder
	group, n := "", 0
	var heads []string
	for _, e := range fields.All() {
		if e.Group != group {
			group = e.Group
			heads = append(heads, group)
			fmt.Fprintf(&b, "\n## %s\n", group)
		}
		fmt.Fprintf(&b, "\n### `%s`", e.Name)
		if e.Title != "" {
			b.WriteString(" " + e.Title)
		}
		b.WriteString("\n\n")
		var facts []string
		if places := e.Places(); len(places) > 0 {
			facts = append(facts, string(e.Kind)+" in `"+strings.Join(places, "` `")+"`")
		} else {
			facts = append(facts, string(e.Kind))
		}
		facts = append(facts, "from "+e.From)
		if life := e.Life(); life != "" {
			facts = append(facts, life)
		}
		if e.Values != "" {
			facts = append(facts, "values: "+plain(e.Values))
		}
		fmt.Fprintf(&b, "%s\n\n%s\n\n", strings.Join(facts, " · "), plain(e.Text))
		fmt.Fprintf(&b, "Source: %s", plain(e.Source))
		if len(e.Rules) > 0 {
			fmt.Fprintf(&b, " · Rules: `%s`", strings.Join(e.Rules, "` `"))
		}
		b.WriteString("\n")
		n++
	}
	body := fmt.Sprintf("%d entries: %s.\n%s\n", n, strings.Join(heads, ", "), b.String())
	if err := generated.Part("../../docs/fields.md", "fields", body, *update); err != nil {
		t.Fatal(err)
	}
}

// plain keeps Markdown from reading signs in a text that are meant as they are; code spans stay.
func plain(text string) string {
	var b strings.Builder
	code := false
	for _, r := range text {
		switch {
		case r == '`':
			code = !code
		case !code && strings.ContainsRune(`*_<>|{}`, r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
