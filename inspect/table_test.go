package inspect

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"mcploupe/docs/generated"
)

var update = flag.Bool("update", false, "write the table of rules in docs/ anew")

// The table of rules in docs/ is the catalogue.
func TestRuleTable(t *testing.T) {
	var b strings.Builder
	area, n := "", 0
	for _, r := range Catalogue() {
		if r.Area != area {
			area = r.Area
			fmt.Fprintf(&b, "\n## %s\n\n| rule | level | how it should be | source |\n|---|---|---|---|\n", area)
		}
		level := r.Level.String()
		if r.SEP2145() {
			level += " ◆"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", r.ID, level, strings.ReplaceAll(Title(r), "|", "\\|"), r.Source)
		n++
	}
	body := fmt.Sprintf("%d rules.\n%s\n", n, b.String())
	if err := generated.Part("../docs/rules.md", "rules", body, *update); err != nil {
		t.Fatal(err)
	}
}
