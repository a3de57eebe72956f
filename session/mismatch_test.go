package session

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"mcploupe/session/jsondoc"
	"mcploupe/session/mcp"
	"mcploupe/session/wire"
)

// moving is a modern server over HTTP whose tool changes which arguments are repeated in headers. Each listing gives the next
// schema, the last one stays; calls want the headers of wants.
type moving struct {
	mu      sync.Mutex
	schemas []string          // of the properties of the tool "move"; "" for a list without it, "error" for none
	wants   map[string]string // header → value
	refuse  bool              // every call, whatever its headers
	asks    bool              // the first good call asks back
	lists   int
	calls   []map[string]string // the Mcp-Param headers of each call
}

func (m *moving) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e := &endpoint{rules: rules{
		mcp.Discover: answers(200, "result", discoverResult),
		mcp.ToolsList: func(w http.ResponseWriter, id string) {
			m.mu.Lock()
			s := m.schemas[min(m.lists, len(m.schemas)-1)]
			m.lists++
			m.mu.Unlock()
			switch s {
			case "error":
				answers(200, "error", `{"code":-32603,"message":"not now"}`)(w, id)
				return
			case "":
				answers(200, "result", `{"resultType":"complete","tools":[],"ttlMs":60000,"cacheScope":"public"}`)(w, id)
				return
			}
			answers(200, "result", fmt.Sprintf(`{"resultType":"complete","ttlMs":60000,"cacheScope":"public","tools":[{"name":"move","inputSchema":{"type":"object","properties":%s}}]}`, s))(w, id)
		},
		mcp.ToolsCall: func(w http.ResponseWriter, id string) { m.call(w, r, id) },
	}}
	e.ServeHTTP(w, r)
}

func (m *moving) call(w http.ResponseWriter, r *http.Request, id string) {
	got := map[string]string{}
	for name := range r.Header {
		if strings.HasPrefix(name, "Mcp-Param-") {
			got[name] = r.Header.Get(name)
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls = append(m.calls, got)
	good := !m.refuse && len(got) == len(m.wants)
	for name, value := range m.wants {
		good = good && got[name] == value
	}
	switch {
	case !good:
		answers(400, "error", `{"code":-32020,"message":"Header mismatch"}`)(w, id)
	case m.asks:
		m.asks = false
		answers(200, "result", `{"resultType":"input_required","inputRequests":{},"requestState":"s"}`)(w, id)
	default:
		answers(200, "result", `{"resultType":"complete","content":[]}`)(w, id)
	}
}

const (
	regionAs = `{"region":{"type":"string","x-mcp-header":"%s"}}`
	noHeader = `{"region":{"type":"string"}}`
)

// A call that is refused for its headers is sent once more, with the headers of the list as it is now, and only then.
func TestACallIsSentAgainWhenItsHeadersChanged(t *testing.T) {
	t.Parallel()
	area := map[string]string{"Mcp-Param-Area": "eu"}
	for name, c := range map[string]struct {
		server *moving
		o      CallOptions
		calls  int
		lists  int
		ok     bool
		note   string
	}{
		"renamed":             {&moving{schemas: []string{fmt.Sprintf(regionAs, "Region"), fmt.Sprintf(regionAs, "Area")}, wants: area}, CallOptions{}, 2, 2, true, ""},
		"new":                 {&moving{schemas: []string{noHeader, fmt.Sprintf(regionAs, "Area")}, wants: area}, CallOptions{}, 2, 2, true, ""},
		"gone":                {&moving{schemas: []string{fmt.Sprintf(regionAs, "Area"), noHeader}}, CallOptions{}, 2, 2, true, ""},
		"as it was":           {&moving{schemas: []string{fmt.Sprintf(regionAs, "Area")}, refuse: true}, CallOptions{}, 1, 2, false, "asks for the same ones"},
		"once only":           {&moving{schemas: []string{fmt.Sprintf(regionAs, "A"), fmt.Sprintf(regionAs, "B"), fmt.Sprintf(regionAs, "C")}, refuse: true}, CallOptions{}, 2, 2, false, ""},
		"no such tool now":    {&moving{schemas: []string{fmt.Sprintf(regionAs, "A"), ""}, refuse: true}, CallOptions{}, 1, 2, false, "not sent again"},
		"no list now":         {&moving{schemas: []string{fmt.Sprintf(regionAs, "A"), "error"}, refuse: true}, CallOptions{}, 1, 2, false, "could not be read again"},
		"a person's own":      {&moving{schemas: []string{fmt.Sprintf(regionAs, "A"), noHeader}}, CallOptions{Header: []wire.Field{{Name: "mcp-param-a", Value: "x"}}}, 1, 1, false, ""},
		"left out on purpose": {&moving{schemas: []string{fmt.Sprintf(regionAs, "A"), noHeader}, refuse: true}, CallOptions{OmitHeader: []string{"Mcp-Name"}}, 1, 1, false, ""},
		"a probe":             {&moving{schemas: []string{fmt.Sprintf(regionAs, "A"), noHeader}, refuse: true}, CallOptions{Why: "some-probe"}, 1, 1, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(c.server)
			defer server.Close()
			s, err := open(t, Target{URL: server.URL}, quick())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.List(t.Context(), Tools, ListOptions{}); err != nil {
				t.Fatal(err)
			}
			a, err := s.CallTool(t.Context(), "move", []byte(`{"region":"eu"}`), c.o)
			if err != nil || a.OK() != c.ok {
				t.Errorf("%v, %s", err, a.Exchange.Reply.Body)
			}
			c.server.mu.Lock()
			defer c.server.mu.Unlock()
			if len(c.server.calls) != c.calls || c.server.lists != c.lists {
				t.Errorf("%d calls, %d lists: %v", len(c.server.calls), c.server.lists, c.server.calls)
			}
			if c.calls == 2 && (a.Exchange.Request.Why != whyResend || a.Exchange.Request.Aside()) {
				t.Errorf("the second call says why %q", a.Exchange.Request.Why)
			}
			if !strings.Contains(notes(s), c.note) {
				t.Errorf("notes: %q", notes(s))
			}
		})
	}
}

// The same holds for a call that is sent again with answers.
func TestAnAnsweredCallIsSentAgainWhenItsHeadersChanged(t *testing.T) {
	t.Parallel()
	m := &moving{schemas: []string{noHeader, fmt.Sprintf(regionAs, "Area")}, asks: true}
	server := httptest.NewServer(m)
	defer server.Close()
	s, err := open(t, Target{URL: server.URL}, quick())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.List(t.Context(), Tools, ListOptions{}); err != nil {
		t.Fatal(err)
	}
	a, err := s.CallTool(t.Context(), "move", []byte(`{"region":"eu"}`), CallOptions{})
	if err != nil || !a.InputRequired() {
		t.Fatalf("%v, %s", err, a.Result().Raw())
	}
	m.mu.Lock()
	m.wants = map[string]string{"Mcp-Param-Area": "eu"}
	m.mu.Unlock()
	round := roundOf(&a.Exchange, 1, 5)
	a, err = s.Continue(t.Context(), a, round, Replies{}, CallOptions{})
	if err != nil || !a.OK() || a.Exchange.Request.Params().Get("requestState").Text() != "s" {
		t.Errorf("%v, %s", err, a.Exchange.Request.Body)
	}
	if n := len(m.calls); n != 3 {
		t.Errorf("%d calls", n)
	}
}

// How arguments are spelled in headers, by type and by what is in them.
func TestArgumentsInHeaders(t *testing.T) {
	t.Parallel()
	schema := func(kind string) string { return fmt.Sprintf(`{"v":{"type":%q,"x-mcp-header":"V"}}`, kind) }
	for name, c := range map[string]struct{ properties, arguments, want string }{
		"text":                        {schema("string"), `{"v":"eu-west"}`, "V: eu-west"},
		"blanks within":               {schema("string"), `{"v":"us west 1"}`, "V: us west 1"},
		"a blank before":              {schema("string"), `{"v":" a"}`, "V: =?base64?IGE=?="},
		"a blank behind":              {schema("string"), `{"v":"a "}`, "V: =?base64?YSA=?="},
		"only a blank":                {schema("string"), `{"v":" "}`, "V: =?base64?IA==?="},
		"a tab":                       {schema("string"), `{"v":"a\tb"}`, "V: =?base64?YQli?="},
		"a line end":                  {schema("string"), `{"v":"a\r\nX: y"}`, "V: =?base64?YQ0KWDogeQ==?="},
		"a zero":                      {schema("string"), `{"v":"\u0000"}`, "V: =?base64?AA==?="},
		"other letters":               {schema("string"), `{"v":"Zürich"}`, "V: =?base64?WsO8cmljaA==?="},
		"beyond the first plane":      {schema("string"), `{"v":"\ud83d\ude00"}`, "V: =?base64?8J+YgA==?="},
		"escaped, but plain":          {schema("string"), `{"v":"\u0065u"}`, "V: eu"},
		"empty":                       {schema("string"), `{"v":""}`, "V: =?base64??="},
		"looks encoded":               {schema("string"), `{"v":"=?base64?ZXU=?="}`, "V: =?base64?PT9iYXNlNjQ/WlhVPT89?="},
		"looks half encoded":          {schema("string"), `{"v":"=?base64?ZXU="}`, "V: =?base64?ZXU="},
		"true":                        {schema("boolean"), `{"v":true}`, "V: true"},
		"false":                       {schema("boolean"), `{"v":false}`, "V: false"},
		"a number":                    {schema("integer"), `{"v":-7}`, "V: -7"},
		"a whole number as a decimal": {schema("integer"), `{"v":42.0}`, "V: 42"},
		"with an exponent":            {schema("integer"), `{"v":1e3}`, "V: 1000"},
		"minus zero":                  {schema("integer"), `{"v":-0}`, "V: 0"},
		"the largest safe one":        {schema("integer"), `{"v":9007199254740991}`, "V: 9007199254740991"},
		"beyond 2^53":                 {schema("integer"), `{"v":9007199254740993}`, "V: 9007199254740993"},
		"beyond 64 bits":              {schema("integer"), `{"v":123456789012345678901234567890}`, "V: 123456789012345678901234567890"},
		"no whole number":             {schema("integer"), `{"v":1.5}`, "V: 1.5"},
		"null":                        {schema("string"), `{"v":null}`, ""},
		"absent":                      {schema("string"), `{}`, ""},
		"an object":                   {schema("string"), `{"v":{}}`, ""},
		"an array":                    {schema("string"), `{"v":["a"]}`, ""},
		"text where a number is due":  {schema("integer"), `{"v":"7"}`, "V: 7"},
		"nested": {`{"a":{"type":"object","properties":{"b/~c":{"type":"object","properties":{"d":{"type":"string","x-mcp-header":"V"}}}}}}`,
			`{"a":{"b/~c":{"d":"x"}}}`, "V: x"},
		"nested, parent absent":   {`{"a":{"type":"object","properties":{"d":{"type":"string","x-mcp-header":"V"}}}}`, `{"a":null}`, ""},
		"nested, parent is text":  {`{"a":{"type":"object","properties":{"d":{"type":"string","x-mcp-header":"V"}}}}`, `{"a":"d"}`, ""},
		"the last duplicate wins": {schema("string"), `{"v":"a","v":"b"}`, "V: b"},
		"a type that is excluded": {schema("number"), `{"v":1.5}`, ""},
		"a name no header has":    {`{"v":{"type":"string","x-mcp-header":"Bad Name"}}`, `{"v":"a"}`, ""},
		"a name with a line end":  {`{"v":{"type":"string","x-mcp-header":"V\r\nX"}}`, `{"v":"a"}`, ""},
		"within an array":         {`{"v":{"type":"array","items":{"type":"string","x-mcp-header":"V"}}}`, `{"v":["a"]}`, ""},
		"a property of that name": {`{"x-mcp-header":{"type":"string"}}`, `{"x-mcp-header":"a"}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tool := jsondoc.Parse([]byte(`{"name":"t","inputSchema":{"type":"object","properties":` + c.properties + `}}`)).Root()
			m := web().build(Request{Method: mcp.ToolsCall, Params: []byte(`{"name":"t","arguments":` + c.arguments + `}`)}, 1, tool)
			var got []string
			for _, f := range onlyParams(m.header) {
				got = append(got, strings.TrimPrefix(f.Name, mcp.HeaderParamPrefix)+": "+f.Value)
				if back, ok := mcp.DecodeHeader(f.Value); !ok || strings.ContainsAny(f.Value, "\r\n\x00") {
					t.Errorf("%q stands for %q, %v", f.Value, back, ok)
				}
			}
			want := []string{c.want}
			if c.want == "" {
				want = nil
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}
