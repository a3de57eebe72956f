package inspect

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

// typical is an ordinary exchange of about two kilobytes: a call and its result, both sides with their _meta.
func typical(seq wire.Seq) *wire.Exchange {
	at := sceneStart()
	request := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"search","arguments":{"query":"lighthouse","limit":8},`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"mcploupe","version":"1.0.0"},`+
		`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}},"progressToken":"%d"}}}`, seq, seq)
	var items []string
	for i := range 8 {
		items = append(items, fmt.Sprintf(`{"id":%d,"title":"To the lighthouse, volume %d","author":"V. Woolf","year":1927,"price":%d.95}`, 9000+i, i, 10+i))
	}
	data := `{"books":[` + strings.Join(items, ",") + `],"total":8}`
	reply := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","content":[{"type":"text","text":%s}],"structuredContent":%s,`+
		`"isError":false,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bookshop","version":"1.4.0"}}}}`, seq, jsondoc.Quote(data), data)
	q := wire.Read(seq, at, (&wire.Frame{Dir: wire.Sent, Body: []byte(request)}).Seal())
	r := wire.Read(seq+1, at.Add(9*time.Millisecond), (&wire.Frame{Dir: wire.Received, Body: []byte(reply)}).Seal())
	return &wire.Exchange{Request: &q, Reply: &r, End: wire.Replied, Ended: r.At}
}

func toolList(n int) *wire.Exchange {
	var tools []string
	for i := range n {
		tools = append(tools, fmt.Sprintf(`{"name":"tool_%d","title":"Tool %d","description":"Looks up record %d in the register and returns it","inputSchema":{"type":"object",`+
			`"properties":{"id":{"type":"integer","minimum":%d,"description":"Number of the record"},"format":{"type":"string","enum":["short","long"],"description":"How much to return"}},"required":["id"]},`+
			`"annotations":{"readOnlyHint":true}}`, i, i, i, i))
	}
	q := wire.Read(500, sceneStart(), (&wire.Frame{Dir: wire.Sent, Body: []byte(`{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)}).Seal())
	r := wire.Read(501, sceneStart(), (&wire.Frame{Dir: wire.Received, Body: []byte(`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","ttlMs":60000,"cacheScope":"public","tools":[` +
		strings.Join(tools, ",") + `],"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"x","version":"1"}}}}`)}).Seal())
	return &wire.Exchange{Request: &q, Reply: &r, End: wire.Replied, Ended: r.At}
}

// warm is an inspector that has seen the tools of the typical exchange.
func warm() *Inspector { return warmBy(nil) }

// warmBy is the same by these rules only; nil are all.
func warmBy(rules []*Rule) *Inspector {
	in := New(Options{Rules: rules})
	e := Example{Script: `= tools [{"name":"search","inputSchema":{"type":"object","properties":{"query":{"type":"string"},"limit":{"type":"integer"}},"required":["query"]},` +
		`"outputSchema":{"type":"object","properties":{"total":{"type":"integer"},"books":{"type":"array","items":{"type":"object","properties":{"id":{"type":"integer"},"title":{"type":"string"}},"required":["id","title"]}}},"required":["books"]}}]
> server/discover
< complete {"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`}
	entries, _, err := e.Entries()
	if err != nil {
		panic(err)
	}
	fold := wire.NewFold()
	for i := range entries {
		for _, x := range fold.Add(entries[i]) {
			in.See(&x)
		}
	}
	return in
}

// parse is what judging is measured against: the documents of an exchange.
func parse(x *wire.Exchange) int {
	return len(jsondoc.Parse(x.Request.Body).Nodes) + len(jsondoc.Parse(x.Reply.Body).Nodes)
}

func BenchmarkSee(b *testing.B) {
	in := warm()
	in.See(typical(100))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		x := typical(wire.Seq(1000 + 2*i))
		x.Request.Doc()
		b.StartTimer()
		in.See(x)
	}
}

func BenchmarkParse(b *testing.B) {
	x := typical(100)
	b.SetBytes(int64(len(x.Request.Body) + len(x.Reply.Body)))
	b.ReportAllocs()
	for b.Loop() {
		parse(x)
	}
}

func BenchmarkSeeToolList(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		in, x := warm(), toolList(2000)
		b.StartTimer()
		in.See(x)
	}
}
