package wire

import (
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/ratiotest"
)

func read(body string) Message {
	f := &Frame{Dir: Received, Body: []byte(body)}
	return Read(1, time.Time{}, f.Seal())
}

func TestReadTellsWhatAMessageIs(t *testing.T) {
	for _, c := range []struct {
		body       string
		kind       Kind
		id, method string
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"a"}`, Request, "1", "a"},
		{`{"jsonrpc":"2.0","method":"a"}`, Notification, "", "a"},
		{`{"jsonrpc":"2.0","id":null,"method":"a"}`, Request, "null", "a"},
		{`{"jsonrpc":"2.0","id":"1","result":{}}`, Result, `"1"`, ""},
		{`{"jsonrpc":"2.0","id":1.0,"result":null}`, Result, "1.0", ""},
		{`{"jsonrpc":"2.0","id":12345678901234567890,"error":{}}`, Error, "12345678901234567890", ""},
		{`{"id":1,"result":{},"error":{}}`, Result, "1", ""},
		{`{"id":1,"method":"tools/call","result":{}}`, Result, "1", "tools/call"},
		{`{"method":"notifications/x","error":1}`, Notification, "", "notifications/x"},
		{`{"error":{"code":-32700}}`, Error, "", ""},
		{`{"jsonrpc":"2.0","id":1}`, Odd, "1", ""},
		{`{}`, Odd, "", ""},
		{`{"id":1,"method":5}`, Request, "1", ""},
		{`{"id":{"a":[1]},"method":"x"}`, Request, `{"a":[1]}`, "x"},
		// The last of several members counts, names are exact, escapes are read.
		{`{"id":1,"id":2,"method":"a","method":"b"}`, Request, "2", "b"},
		{`{"ID":9,"Method":"x","method":"b","RESULT":1}`, Notification, "", "b"},
		{`{"\u0069d":3,"m\u0065thod":"\u0061"}`, Request, "3", "a"},
		{" \r\n\t{ \"id\" : 1 , \"method\" : \"a\" } \n", Request, "1", "a"},
		// Broken text is what it was meant to be, as far as that can be told.
		{"\ufeff" + `{"id":1,"method":"a"}`, Request, "1", "a"},
		{`{"id":1,"method":"a"}{"id":2,"method":"b"}`, Request, "1", "a"},
		{`{"id":1,"result":{"x":NaN}}`, Result, "1", ""},
		{`{"id":1,"result":{"text":"cut of`, Result, "1", ""},
		{"{\"id\":1,\"method\":\"a\xff\"}", Request, "1", "a\ufffd"},
		{"{\"id\":1,\"method\":\"a\x01\"}", Request, "1", "a\x01"},
		// Other JSON, and other text.
		{`[{"id":1,"method":"a"}]`, Batch, "", ""},
		{`[]`, Batch, "", ""},
		{`[{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}]`, Batch, "", ""},
		{`"ok"`, Odd, "", ""},
		{`42`, Odd, "", ""},
		{`null`, Odd, "", ""},
		{``, NotJSON, "", ""},
		{" \t", NotJSON, "", ""},
		{`[info] listening`, NotJSON, "", ""},
		{`2026-08-01 started`, NotJSON, "", ""},
		{`Server listening on port 3000`, NotJSON, "", ""},
		{`{hello}`, NotJSON, "", ""},
		{`<html>`, NotJSON, "", ""},
		{"\xff\xfe", NotJSON, "", ""},
	} {
		m := read(c.body)
		if m.Kind != c.kind || m.ID != c.id || m.Method != c.method {
			t.Errorf("%q: kind %d id %q method %q, want %d %q %q", c.body, m.Kind, m.ID, m.Method, c.kind, c.id, c.method)
		}
	}
}

func TestMessageLeadsToItsParts(t *testing.T) {
	m := read(`{"id":1,"result":{"a":1},"result":{"a":2},"error":{"code":7},"params":{"p":1.50}}`)
	if n, _ := m.Result().Get("a").Int(); n != 2 {
		t.Errorf("result: %s", m.Result().Raw())
	}
	if n, _ := m.Err().Get("code").Int(); n != 7 {
		t.Errorf("error: %s", m.Err().Raw())
	}
	if got := string(m.Params().Get("p").Raw()); got != "1.50" {
		t.Errorf("params: %s", got)
	}
	if m := read("noise"); m.Result().Exists() || m.Err().Exists() || m.Params().Exists() {
		t.Error("noise has parts")
	}
}

func TestExchangeName(t *testing.T) {
	for body, want := range map[string]string{
		`{"id":1,"method":"tools/call","params":{"name":"add"}}`:                                 "add",
		`{"id":1,"method":"tools/call","params":{"name":5,"uri":"x"}}`:                           "x",
		`{"id":1,"method":"resources/read","params":{"uri":"file:///\u0061"}}`:                   "file:///a",
		`{"id":1,"method":"completion/complete","params":{"ref":{"name":"p"}}}`:                  "p",
		`{"id":1,"method":"completion/complete","params":{"ref":{"uri":"u","type":"resource"}}}`: "u",
		`{"id":1,"method":"tools/list","params":[1]}`:                                            "",
		`{"id":1,"method":"tools/list"}`:                                                         "",
		`{"id":1,"result":{"name":"x"},"params":{"name":"y"}}`:                                   "",
	} {
		m := read(body)
		if got := (&Exchange{Request: &m}).Name(); got != want {
			t.Errorf("%s: %q", body, got)
		}
		if got := (&Exchange{Lone: &m}).Name(); got != want {
			t.Errorf("lone %s: %q", body, got)
		}
	}
	if got := new(Exchange).Name(); got != "" {
		t.Errorf("empty: %q", got)
	}
}

func TestHeadGet(t *testing.T) {
	h := &Head{Header: []Field{{"Vary", "a"}, {"X", ""}, {"vary", "b"}}}
	if got := h.Get("VARY"); got != "a, b" {
		t.Errorf("repeated: %q", got)
	}
	if h.Get("x") != "" || h.Get("absent") != "" || (*Head)(nil).Get("x") != "" {
		t.Error("empty ones")
	}
}

func TestDocumentIsSharedByCopies(t *testing.T) {
	f := (&Frame{Body: []byte(`{"a":1}`)}).Seal()
	d := f.Doc()
	g := *f
	if g.Doc() != d || f.Doc() != d {
		t.Error("the same text was parsed again")
	}
	g.Body = []byte(`{"a":2}`)
	if n, _ := g.Doc().Root().Get("a").Int(); n != 2 {
		t.Errorf("a copy with another body has the old document")
	}
	if n, _ := d.Root().Get("a").Int(); n != 1 {
		t.Error("the old document changed")
	}
	if n, _ := (&Frame{Body: []byte(`[1]`)}).Doc().Root().Index(0).Int(); n != 1 {
		t.Error("a frame that is not sealed")
	}
	without := f.without()
	if without.Dropped != 7 || without.Shape&ShapeCut == 0 || len(without.Body) != 0 || without.Doc().Root().Exists() {
		t.Errorf("without body: %+v", without)
	}
}

func TestEqualTokens(t *testing.T) {
	same := [][2]string{{`1`, `1`}, {`1`, `1.0`}, {`1`, `10e-1`}, {`"a/b"`, `"a\/b"`}, {`"é"`, `"\u00e9"`}, {`-0`, `0`}}
	for _, c := range same {
		if key(c[0]) != key(c[1]) {
			t.Errorf("%s and %s differ", c[0], c[1])
		}
	}
	different := [][2]string{{`1`, `"1"`}, {`1`, `2`}, {`1`, `1.5`}, {`"a"`, `"A"`}, {`true`, `"true"`}, {`9007199254740993`, `9007199254740992`}, {`1e999999999`, `1`}}
	for _, c := range different {
		if key(c[0]) == key(c[1]) {
			t.Errorf("%s and %s are the same", c[0], c[1])
		}
	}
	if key("null") != "" || key("") != "" {
		t.Error("null or nothing is a key")
	}
}

// The scanner that reads envelopes quickly has the same opinion as the tolerant parser, on any text.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"a","params":{"name":"x","_meta":{"progressToken":1}}}`, `{"id":1,"id":2,"result":[1,{"a":"\u00e9"}]}`,
		`{"a":"\"","b":[[]],"method":"\x80","error":-0.5e+1}`, `[{"id":1}]`, `{"params":{"params":{"name":1},"name":[}}`, "{\"a\":\"\t\"}", `{"id":01}`, `{"id":tru}`,
		`{"0":"\0"}`, `{"method":"x",}`, `{"params":{"name":"x"},"params":5}`, strings.Repeat(`{"id":`, 300) + "1" + strings.Repeat("}", 300),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		frame := (&Frame{Dir: Received, Body: body}).Seal()
		fast := Read(1, time.Time{}, frame)
		slow := Message{Seq: 1, Frame: frame}
		slow.slow(jsondoc.Parse(body))
		if fast.Kind != slow.Kind || fast.ID != slow.ID || fast.Method != slow.Method {
			t.Fatalf("fast: %d %q %q, slow: %d %q %q", fast.Kind, fast.ID, fast.Method, slow.Kind, slow.ID, slow.Method)
		}
		for _, path := range [][]string{{"id"}, {"params", "name"}, {"params", "_meta", "progressToken"}} {
			if got, want := token(body, path...), slowToken(body, path); got != want {
				t.Fatalf("%v: %q, want %q", path, got, want)
			}
		}
		fast.name()
		for _, p := range fast.parts() {
			p.Root()
		}
	})
}

// reply2K is a typical tool result of about 2 KB.
func reply2K() []byte {
	var b strings.Builder
	b.WriteString(`{"jsonrpc":"2.0","id":7,"result":{"resultType":"complete","content":[`)
	for i := range 10 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"type":"text","text":"A line of text that says \"something\" about row number ` + strings.Repeat("x", 60) + `","annotations":{"priority":0.5}}`)
	}
	b.WriteString(`],"ttlMs":60000,"cacheScope":"private","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}}`)
	return []byte(b.String())
}

func TestReadIsCheaperThanParsing(t *testing.T) {
	body := reply2K()
	f := (&Frame{Dir: Received, Body: body}).Seal()
	ratiotest.AtMost(t, 1.5, 100, func() (reading, parsing time.Duration) { // measured: 0.75
		parsing = ratiotest.Timed(func() {
			for range 50 {
				jsondoc.Parse(body)
			}
		})
		reading = ratiotest.Timed(func() {
			for range 50 {
				Read(1, time.Time{}, f)
			}
		})
		return reading, parsing
	})
}

func BenchmarkRead2K(b *testing.B) {
	body := reply2K()
	f := (&Frame{Dir: Received, Body: body}).Seal()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		Read(1, time.Time{}, f)
	}
}

func BenchmarkParse2K(b *testing.B) {
	body := reply2K()
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		jsondoc.Parse(body)
	}
}
