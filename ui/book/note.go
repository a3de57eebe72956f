package book

import (
	"strings"

	"mcploupe/inspect"
	"mcploupe/session/visible"
)

// Note is a finding in one line: the rule, what was wanted, and whose word that is. Escaped.
func Note(f *inspect.Finding) string {
	var b strings.Builder
	b.WriteString(f.Rule.ID)
	if f.Want != "" {
		b.WriteString(": want " + visible.Escape(f.Want))
	}
	b.WriteString(" (" + Word(f))
	if f.Confidence != inspect.Certain {
		b.WriteString(", " + f.Confidence.String())
	}
	if f.Rule.Source != "" && f.Rule.Source != "own advice" && f.Profile == "" {
		b.WriteString(", " + f.Rule.Source)
	}
	b.WriteString(")")
	return b.String()
}

// Word is whose word a finding rests on, in capitals as the specification writes them.
func Word(f *inspect.Finding) string {
	if f.Profile == inspect.ProfileSEP2145 {
		published := "the published text has no objection"
		if f.Published > 0 {
			published = "the published text: " + strings.ToUpper(f.Published.String())
		}
		return "SEP-2145; " + published
	}
	if f.Level() == inspect.Advice {
		return "advice"
	}
	return strings.ToUpper(f.Level().String())
}
