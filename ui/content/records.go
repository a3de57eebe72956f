package content

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"mcploupe/highlight/media"
	"mcploupe/session/jsondoc"
)

// Text that is records (CSV, JSON by lines) is a table too: it is made a JSON array of objects, from which a table is drawn. The text
// itself stays what it is, one key away.

// maxRecords bounds the bytes of text that is made a table.
const maxRecords = 8 << 20

// records is text as an array of objects; nil when it is none, and why when it says that it is.
func records(text []byte, mime, uri string) (d *jsondoc.Document, why string) {
	separator := separatorOf(text, mime, uri)
	lines := jsonLines(text, mime, uri)
	switch {
	case separator == 0 && !lines:
		return nil, ""
	case len(text) > maxRecords:
		return nil, "it is too long to be shown as a table"
	case separator == 0:
		return ofLines(text), ""
	}
	raw, err := ofCSV(text, separator)
	var wrong *csv.ParseError
	switch {
	case errors.As(err, &wrong):
		return nil, fmt.Sprintf("no table is shown: line %d, %v", wrong.Line, wrong.Err)
	case err != nil || raw == nil:
		return nil, ""
	}
	return jsondoc.Parse(raw), ""
}

// separatorOf is what stands between the values of a line; 0 for text that does not call itself by lines of values.
func separatorOf(text []byte, mime, uri string) rune {
	switch kind, ending := media.Type(mime), strings.ToLower(path.Ext(uri)); {
	case kind == "text/tab-separated-values" || ending == ".tsv" && (kind == "" || kind == "text/plain"):
		return '\t'
	case kind == "text/csv" || kind == "application/csv" || ending == ".csv" && (kind == "" || kind == "text/plain"):
		first, _, _ := strings.Cut(string(text[:min(len(text), 4096)]), "\n")
		if strings.Count(first, ";") > strings.Count(first, ",") { // as spreadsheets write it where a comma stands in numbers
			return ';'
		}
		return ','
	}
	return 0
}

// ofCSV is lines of values as an array of objects, named by the first line; nil without a second one.
func ofCSV(text []byte, separator rune) ([]byte, error) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(text), "\ufeff")))
	r.Comma, r.FieldsPerRecord, r.ReuseRecord, r.LazyQuotes = separator, -1, true, separator == '\t'
	head, err := r.Read()
	if err != nil {
		return nil, err
	}
	names := make([][]byte, 0, len(head))
	seen := map[string]bool{}
	name := func(s string) {
		if s = strings.TrimSpace(s); s == "" {
			s = fmt.Sprint("column ", len(names)+1)
		}
		for n, first := 2, s; seen[s]; n++ {
			s = fmt.Sprintf("%s (%d)", first, n)
		}
		seen[s] = true
		names = append(names, []byte(jsondoc.Quote(s)+":"))
	}
	for _, s := range head {
		name(s)
	}
	out := []byte{'['}
	for rows := 0; ; rows++ {
		record, err := r.Read()
		switch {
		case err == io.EOF && rows == 0:
			return nil, nil
		case err == io.EOF:
			return append(out, ']'), nil
		case err != nil:
			return nil, err
		}
		if rows > 0 {
			out = append(out, ',')
		}
		out = append(out, '{')
		for i, value := range record {
			if i == len(names) {
				name("")
			}
			if i > 0 {
				out = append(out, ',')
			}
			out = append(out, names[i]...)
			if plainNumber(value) {
				out = append(out, value...)
			} else {
				out = append(out, jsondoc.Quote(value)...)
			}
		}
		out = append(out, '}')
	}
}

// plainNumber tells that a value is a number as JSON writes it: 007 is a name, and stays one.
func plainNumber(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	whole, part, dot := strings.Cut(digits, ".")
	all := func(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
	return all(whole) && (whole == "0" || whole[0] != '0') && (!dot || all(part))
}

// jsonLines tells that text is JSON by lines: because it says so, or looks so.
func jsonLines(text []byte, mime, uri string) bool {
	switch media.Type(mime) {
	case "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonl", "application/jsonlines", "application/x-jsonlines":
		return true
	case "", "text/plain":
	default:
		return false
	}
	if ending := strings.ToLower(path.Ext(uri)); ending == ".ndjson" || ending == ".jsonl" {
		return true
	}
	first, rest, more := strings.Cut(string(text[:min(len(text), 64<<10)]), "\n")
	return more && strings.TrimSpace(rest) != "" && strings.HasPrefix(first, "{") && strings.HasSuffix(strings.TrimSpace(first), "}")
}

// ofLines is lines of objects as an array; nil when a line is none.
func ofLines(text []byte) *jsondoc.Document {
	out := []byte{'['}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			continue
		case line[0] != '{':
			return nil
		case len(out) > 1:
			out = append(out, ',')
		}
		out = append(out, line...)
	}
	if d := jsondoc.Parse(append(out, ']')); d.Valid() && d.Root().Len() > 1 {
		return d
	}
	return nil
}
