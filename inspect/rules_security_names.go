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
	p.repeatedNames(skeleton, func(name, first jsondoc.Value) bool {
		if name.Text() == "" || first.Text() == name.Text() {
			return false // tools-name-duplicate and tools-name-missing say that
		}
		p.Report(p.At(name), "", "a name that cannot be taken for "+quoted(first.Text())).Also(p.At(first)).Likely()
		return true
	})
}

// alike are letters and digits that are taken for each other: those of the Latin alphabet, and the Cyrillic and Greek ones that
// most fonts draw the same. The list is bounded on purpose: what only resembles is left alone.
var alike = strings.NewReplacer(
	"0", "o", "1", "l", "i", "l", "|", "l", "rn", "m", "vv", "w", "-", "_", ".", "_",
	"а", "a", "е", "e", "о", "o", "р", "p", "с", "c", "х", "x", "у", "y", "і", "l", "ј", "j", "ѕ", "s", "ԁ", "d", "һ", "h", "ո", "n",
	"α", "a", "ο", "o", "ρ", "p", "ν", "v", "ι", "l", "υ", "u",
)

// skeleton is what a name looks like: equal for two names that are taken for each other.
// A name that is too long to be read is only itself.
func skeleton(name string) string {
	if len(name) > 200 {
		return name
	}
	return alike.Replace(strings.ToLower(name))
}
