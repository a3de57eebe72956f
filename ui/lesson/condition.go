package lesson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mcploupe/session/jsondoc"
	"mcploupe/ui/query"
)

// Condition is what an exchange has to be: every word and every test holds of it. With Count, of so many exchanges.
type Condition struct {
	Count int // at least 1
	Words []query.Word
	Tests []Test
}

// Test is about one value of an exchange: "response /result/ttlMs > 0".
type Test struct {
	Part  Part
	Path  jsondoc.Pointer // from the root of the JSON-RPC message; "" for headers and the status
	Name  string          // of a header
	Op    Op
	Value jsondoc.Value // to compare with; Missing for exists and absent
}

// Part is where the value stands.
type Part string

// The parts. A notification is one of those that came for the request, or one that stands for itself; all tests about
// notifications hold of the same one.
const (
	Request      Part = "request"
	Response     Part = "response"
	Notification Part = "notification"
	Header       Part = "header" // of the HTTP request
	Status       Part = "status" // of the HTTP response
)

// Op is how the value is compared.
type Op string

// The ops. Has looks for a text in a text, or for an element in an array.
const (
	Equal    Op = "="
	Unequal  Op = "!="
	More     Op = ">"
	Less     Op = "<"
	AtLeast  Op = ">="
	AtMost   Op = "<="
	Has      Op = "has"
	Exists   Op = "exists"
	IsAbsent Op = "absent"
)

func ops() []Op { return []Op{Equal, Unequal, More, Less, AtLeast, AtMost, Has, Exists, IsAbsent} }

// readCondition reads "2 of m:tools/call is:ok response /result/ttlMs > 0". err says what is wrong.
func readCondition(line string) (c Condition, err string) {
	c.Count = 1
	tokens := tokenize(line)
	if len(tokens) > 2 && tokens[1] == "of" {
		n, bad := strconv.Atoi(tokens[0])
		if bad != nil || n < 1 || n > 100 {
			return c, "“" + tokens[0] + " of” is not a number from 1 to 100"
		}
		c.Count, tokens = n, tokens[2:]
	}
	for len(tokens) > 0 {
		switch part := Part(tokens[0]); part {
		case Request, Response, Notification, Header, Status:
			var t Test
			t, tokens, err = readTest(part, tokens[1:])
			if err != "" {
				return c, err
			}
			c.Tests = append(c.Tests, t)
		default:
			w, err := readWord(tokens[0])
			if err != "" {
				return c, err
			}
			c.Words, tokens = append(c.Words, w), tokens[1:]
		}
	}
	if len(c.Words) == 0 && len(c.Tests) == 0 {
		return c, "a condition has at least one word"
	}
	return c, ""
}

// readWord takes one word of the filter of exchanges; what would be text there is a mistake here.
func readWord(token string) (query.Word, string) {
	q := query.Parse(token)
	switch {
	case len(q.Wrong) > 0:
		return query.Word{}, q.Wrong[0]
	case len(q.Words) != 1 || q.Words[0].Key == "":
		return query.Word{}, fmt.Sprintf("“%s” is no condition: there are %s: and request, response, notification, header, status", token, strings.Join(query.Keys(), ":, "))
	case q.Words[0].Key == query.Is && q.Words[0].Value == "mark":
		return query.Word{}, "is:mark leaves no trace in the journal"
	}
	return q.Words[0], ""
}

func readTest(part Part, tokens []string) (t Test, rest []string, err string) {
	t.Part = part
	take := func() string {
		if len(tokens) == 0 {
			return ""
		}
		first := tokens[0]
		tokens = tokens[1:]
		return first
	}
	switch part {
	case Status:
	case Header:
		if t.Name = take(); t.Name == "" {
			return t, nil, "header takes the name of a header"
		}
	default:
		path := take()
		if !strings.HasPrefix(path, "/") {
			return t, nil, fmt.Sprintf("%s takes a JSON pointer like /result/ttlMs, not “%s”", part, path)
		}
		t.Path = jsondoc.Pointer(path)
	}
	t.Op = Op(take())
	if !slices.Contains(ops(), t.Op) {
		return t, nil, fmt.Sprintf("“%s” compares nothing: there are = != > < >= <= has exists absent", t.Op)
	}
	if t.Op == Exists || t.Op == IsAbsent {
		return t, tokens, ""
	}
	value := take()
	d := jsondoc.Parse([]byte(value))
	if value == "" || !d.Valid() {
		return t, nil, fmt.Sprintf("behind %s stands a JSON value, like 5 or \"text\"; not “%s”", t.Op, value)
	}
	t.Value = d.Root()
	if _, number := t.Value.Float(); !number && (t.Op == More || t.Op == Less || t.Op == AtLeast || t.Op == AtMost) {
		return t, nil, fmt.Sprintf("%s compares numbers", t.Op)
	}
	return t, tokens, ""
}

// tokenize cuts at blanks; quotes hold together, and stay: "Port Amber" is a JSON text.
func tokenize(line string) []string {
	var out []string
	var b strings.Builder
	in, escaped := false, false
	end := func() {
		if b.Len() > 0 {
			out = append(out, b.String())
			b.Reset()
		}
	}
	for _, r := range line {
		switch {
		case in && escaped:
			escaped = false
		case in && r == '\\':
			escaped = true
		case r == '"':
			in = !in
		case !in && (r == ' ' || r == '\t'):
			end()
			continue
		}
		b.WriteRune(r)
	}
	end()
	return out
}
