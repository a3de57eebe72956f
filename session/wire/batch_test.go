package wire

import (
	"fmt"
	"testing"
)

// An error without id refuses a batch as a whole: it is the answer to its first request, and nothing is waited for any more. With
// another request under way on the same channel nobody can tell what it is about.
func TestABatchIsRefusedAsAWhole(t *testing.T) {
	const batch = `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},{"jsonrpc":"2.0","id":2,"method":"tools/list"},{"jsonrpc":"2.0","id":3,"method":"ping"}]` + "\n"
	const no = `{"jsonrpc":"2.0","error":{"code":-32600,"message":"no batches"}}` + "\n"
	for name, c := range map[string]struct{ script, want string }{
		"stdio":           {"> " + batch + "< " + no, "1:1 -32600, 2:0 refused, 3:0 refused, "},
		"id null":         {"> " + batch + `< {"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}`, "1:1 -32600, 2:0 refused, 3:0 refused, "},
		"http":            {"> http POST /mcp\n> " + batch + "< http 400 Content-Type=application/json\n< " + no, "1:1 -32600, 2:0 refused, 3:0 refused, "},
		"after an answer": {"> " + batch + `< {"jsonrpc":"2.0","id":1,"result":{}}` + "\n< " + no, "1:1, 2:1 -32600, 3:0 refused, "},
		"another waits":   {`> {"jsonrpc":"2.0","id":9,"method":"ping"}` + "\n> " + batch + "< " + no, "9:0 open, 1:0 open, 2:0 open, 3:0 open, "},
	} {
		entries, err := ParseScript(c.script)
		if err != nil {
			t.Fatal(err)
		}
		fold, last, order := NewFold(), map[Ref]Exchange{}, []Ref{}
		for i, e := range entries {
			e.Seq = Seq(i + 1)
			for _, x := range fold.Add(e) {
				if x.Request == nil || x.Request.Kind != Request {
					continue
				}
				if _, known := last[x.Ref()]; !known {
					order = append(order, x.Ref())
				}
				last[x.Ref()] = x
			}
		}
		got := ""
		for _, ref := range order {
			x := last[ref]
			replies, how := 0, ""
			if x.Reply != nil {
				replies = 1
				if x.Reply.Kind == Error {
					how = " " + string(x.Reply.Err().Get("code").Raw())
				}
			}
			switch {
			case x.End == Open:
				how = " open"
			case x.EndText == BatchRefused && x.End == Dropped:
				how = " refused"
			case x.End != Replied:
				how = fmt.Sprint(" ", x.End, x.EndText)
			}
			got += fmt.Sprintf("%s:%d%s, ", x.Request.ID, replies, how)
		}
		if got != c.want {
			t.Errorf("%s: %s want %s", name, got, c.want)
		}
	}
}
