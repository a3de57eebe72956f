package inspect

import (
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
)

// securityNameRules are about names that a person, or a model, takes for another.
func securityNameRules() []*Rule {
	return []*Rule{{
		ID:     "security-look-alike-names",
		Level:  Advice,
		Eras:   "all",
		Source: "own advice; server/tools §Tool Names (Note)",
		On:     Exchanges(mcp.ToolsList),
		Check:  checkLookAlikes,
	}}
}

func checkLookAlikes(p *Pass) {
	seen := Keep[namesSeen](p)
	if w := p.Walk(); w == nil || w != seen.walk {
		seen.walk, seen.names = w, map[string]jsondoc.Value{}
	}
	n := 0
	for t := range p.tools() {
		name := t.Get("name")
		if text := name.Text(); text == "" || len(text) > 200 {
			continue
		}
		look := skeleton(name.Text())
		first, twice := seen.names[look]
		if !twice {
			seen.names[look] = name
			continue
		}
		if first.Text() == name.Text() { // tools-name-duplicate says that
			continue
		}
		if n++; n <= alsoMax {
			p.Report(p.At(name), "", "a name that cannot be taken for "+quoted(first.Text())).Also(p.At(first)).Likely()
		}
	}
}

// alike are letters and digits that are taken for each other: those of the Latin alphabet, and the Cyrillic and Greek ones that
// most fonts draw the same. The list is bounded on purpose: what only resembles is left alone.
var alike = strings.NewReplacer(
	"0", "o", "1", "l", "i", "l", "|", "l", "rn", "m", "vv", "w", "-", "_", ".", "_",
	"а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "х", "x", "у", "y", "і", "l", "ј", "j", "ѕ", "s", "ԁ", "d", "һ", "h", "ո", "n",
	"α", "a", "ο", "o", "ρ", "p", "ν", "v", "ι", "l", "υ", "u",
)

// skeleton is what a name looks like: equal for two names that are taken for each other.
func skeleton(name string) string { return alike.Replace(strings.ToLower(name)) }
