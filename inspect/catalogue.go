package inspect

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"mcploupe/session/mcp"
)

// areas lists the areas of the catalogue in the order in which they are listed to people, each with the function that
// returns its rules (in rules_<area>.go).
func areas() []area {
	return []area{
		{"result", resultRules},
		{"cache", cacheRules},
		{"tool-errors", toolErrorRules},
		{"jsonrpc", jsonrpcRules},
		{"http", httpRules},
		{"stdio", stdioRules},
		{"mrtr", mrtrRules},
		{"elicitation", elicitationRules},
		{"sampling", samplingRules},
		{"subscriptions", subscriptionRules},
		{"tasks", tasksRules},
		{"progress", progressRules},
		{"cancellation", cancellationRules},
		{"logging", loggingRules},
		{"discover", discoverRules},
		{"version", versionRules},
		{"tools", toolsRules},
		{"schema", schemaRules},
		{"content", contentRules},
		{"icons", iconRules},
		{"pagination", paginationRules},
		{"resources", resourcesRules},
		{"prompts", promptsRules},
		{"completion", completionRules},
		{"meta", metaRules},
		{"auth", authRules},
		{"legacy", legacyRules},
		{"security", securityRules},
	}
}

type area struct {
	name  string
	rules func() []*Rule
}

// Catalogue is every rule, in the order of areas. The slice is shared: do not change it.
func Catalogue() []*Rule { return catalogue().rules }

// Lookup is the rule with this id.
func Lookup(id string) (*Rule, bool) {
	r, ok := catalogue().byID[id]
	return r, ok
}

type book struct {
	rules []*Rule
	byID  map[string]*Rule
}

// catalogue is built on first use. A broken catalogue is a fault of ours that no input can cause, so it panics.
var catalogue = sync.OnceValue(func() book {
	b := book{byID: map[string]*Rule{}}
	for _, a := range areas() {
		for _, r := range a.rules() {
			e, err := parseEras(r.Eras)
			if err == nil {
				err = b.check(r)
			}
			if err != nil {
				panic(fmt.Sprintf("catalogue: rule %s: %v", r.ID, err))
			}
			r.Area, r.eras = a.name, e
			b.byID[r.ID] = r
			b.rules = append(b.rules, r)
		}
	}
	return b
})

func (b *book) check(r *Rule) error {
	switch {
	case r.ID == "" || strings.Trim(r.ID, "abcdefghijklmnopqrstuvwxyz0123456789-") != "":
		return fmt.Errorf("id is not in lower case with hyphens")
	case b.byID[r.ID] != nil:
		return fmt.Errorf("id is there twice")
	case r.Level < Advice || r.Level > Must:
		return fmt.Errorf("no level")
	case r.Source == "" || r.Check == nil || r.On.what == 0:
		return fmt.Errorf("source, check or occasion is missing")
	case r.Probe != "" && !slices.ContainsFunc(Probes(), func(p Probe) bool { return p.Name == r.Probe }):
		return fmt.Errorf("no probe is called %q", r.Probe)
	}
	for _, m := range r.On.methods {
		if _, known := mcp.Lookup(m); !known {
			return fmt.Errorf("method %q is unknown to package mcp", m)
		}
	}
	return nil
}
