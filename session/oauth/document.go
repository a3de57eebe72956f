package oauth

import (
	"bytes"
	"encoding/json"
	"strings"
)

// document is a JSON object of the flow. Names are compared exactly (a struct would take any case);
// what has another type than expected counts as absent.
type document map[string]json.RawMessage

// readDocument reads a body; why is what is wrong with it, in words.
func readDocument(mediaType string, body []byte) (d document, why string) {
	text := bytes.TrimSpace(body)
	switch {
	case len(text) == 0:
		return nil, "an empty body"
	case text[0] == '<' || strings.Contains(mediaType, "html"):
		return nil, "a web page instead of JSON"
	}
	if err := json.Unmarshal(text, &d); err != nil || d == nil {
		return nil, "something that is no JSON object"
	}
	return d, ""
}

func (d document) text(name string) string {
	var s string
	if json.Unmarshal(d[name], &s) != nil {
		return ""
	}
	return s
}

func (d document) flag(name string) bool {
	var b bool
	return json.Unmarshal(d[name], &b) == nil && b
}

func (d document) number(name string) float64 {
	var n float64
	if json.Unmarshal(d[name], &n) != nil {
		return 0
	}
	return n
}

// list is an array of strings; elements of other types are passed over.
func (d document) list(name string) []string {
	var raw []json.RawMessage
	if json.Unmarshal(d[name], &raw) != nil {
		return nil
	}
	var all []string
	for _, r := range raw {
		var s string
		if json.Unmarshal(r, &s) == nil {
			all = append(all, s)
		}
	}
	return all
}
