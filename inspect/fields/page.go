package fields

import (
	"fmt"
	"slices"
	"strings"
)

// A page is a text file. Its first line is the heading of its group; lines "kind: …", "from: …", "since: …" and so on before the first
// entry hold for all its entries that do not say otherwise. An entry begins with a line "== name", or "== name | what people call it";
// "label: value" lines follow up to a blank line, then its text up to the next entry. Lines of the text are joined.
//
//	Freshness
//	kind: member
//	since: 2026-07-28
//
//	== ttlMs
//	in: DiscoverResult ListToolsResult
//	from: server
//	values: an integer of at least 0
//	source: server/utilities/caching §TTL Field; SEP-2549
//	rules: cache-ttl-missing cache-ttl-negative
//	see: cacheScope
//
//	How long …
//
// Values and sources are free words, the others are words separated by blanks. A value "-" takes back what the page's head says.
func parsePage(text string) ([]*Entry, error) {
	head, rest, _ := strings.Cut(text, "\n== ")
	group, labels, _ := strings.Cut(strings.TrimSpace(head), "\n")
	var base Entry
	base.Group = strings.TrimSpace(group)
	for line := range strings.Lines(labels) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if err := base.label(line); err != nil {
			return nil, err
		}
	}
	var out []*Entry
	for part := range strings.SplitSeq(rest, "\n== ") {
		e := base
		e.In, e.Rules, e.See = slices.Clone(base.In), nil, nil
		head, body, ok := strings.Cut(part, "\n\n")
		if !ok {
			return nil, fmt.Errorf("an entry without a text: %q", part)
		}
		first := true
		for line := range strings.Lines(head) {
			line = strings.TrimSpace(line)
			if first {
				name, title, _ := strings.Cut(line, " | ")
				e.Name, e.Title, first = strings.TrimSpace(name), strings.TrimSpace(title), false
				continue
			}
			if err := e.label(line); err != nil {
				return nil, fmt.Errorf("%s: %w", e.Name, err)
			}
		}
		e.Text = strings.Join(strings.Fields(body), " ")
		out = append(out, &e)
	}
	return out, nil
}

// label sets what a line "label: value" says.
func (e *Entry) label(line string) error {
	label, value, ok := strings.Cut(line, ":")
	if value = strings.TrimSpace(value); !ok || value == "" {
		return fmt.Errorf("no label: %q", line)
	}
	if value == "-" {
		value = ""
	}
	switch label {
	case "kind":
		e.Kind = Kind(value)
	case "in":
		e.In = strings.Fields(value)
	case "from":
		e.From = value
	case "values":
		e.Values = value
	case "since":
		e.Since = value
	case "until":
		e.Until = value
	case "source":
		e.Source = value
	case "rules":
		e.Rules = strings.Fields(value)
	case "see":
		e.See = strings.Fields(value)
	default:
		return fmt.Errorf("unknown label %q", label)
	}
	return nil
}
