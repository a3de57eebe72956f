package fresh

import (
	"fmt"
	"testing"

	"mcploupe/session/jsondoc"
	"mcploupe/session/wire"
)

func exchange(t testing.TB, i int) wire.Exchange {
	t.Helper()
	s := tell(t, fmt.Sprintf(`
	> {"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///dir/%d",$M}}
	< {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","contents":[],"ttlMs":60000,"cacheScope":"public"}}`, i))
	return s.last[1]
}

// BenchmarkAdd is what every exchange costs between the wire and the screen.
func BenchmarkAdd(b *testing.B) {
	x := exchange(b, 0)
	req := *x.Request
	x.Request = &req
	l := NewLedger()
	b.ReportAllocs()
	for b.Loop() {
		req.Seq++
		l.Add(&x)
	}
}

// BenchmarkListState is asked for at every tick of the screen.
func BenchmarkListState(b *testing.B) {
	s := tell(b, pages)
	b.ReportAllocs()
	for b.Loop() {
		if st := s.ledger.ListState("tools/list", s.now); st.Name != Fresh {
			b.Fatal(st)
		}
	}
}

// BenchmarkUpdated is a server that reports changes while many resources are kept.
func BenchmarkUpdated(b *testing.B) {
	l := NewLedger()
	for i := range 1000 {
		x := exchange(b, i)
		req := *x.Request
		req.Seq = wire.Seq(i + 1)
		x.Request = &req
		l.Add(&x)
	}
	s := tell(b, `< {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"file:///elsewhere"}}`)
	for _, x := range s.last {
		for b.Loop() {
			l.Invalidate(x.Lone)
		}
	}
}

func FuzzKey(f *testing.F) {
	for _, seed := range []string{`{"b":1,"a":{"c":[1,"\u00e9"]},"a":2}`, `{"_meta":{},"x":null}`, `[{"a":"\ud800"}]`, `{"a":`, "\xff", `{"":{"":""}}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v := jsondoc.Parse(text).Root()
		once := canonical(nil, v, false)
		again := canonical(nil, jsondoc.Parse(once).Root(), false)
		if jsondoc.Parse(text).Valid() && string(once) != string(again) {
			t.Fatalf("%q: first %q, then %q", text, once, again)
		}
		if k := KeyOf("m", v, "", "", ""); len(k.Params) > longParams {
			t.Fatalf("%q has a key of %d bytes", text, len(k.Params))
		}
	})
}
