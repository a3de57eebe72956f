package inspect

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/session/jsondoc"
	"mcploupe/session/ratiotest"
	"mcploupe/session/schema"
	"mcploupe/session/wire"
)

// Judging a typical exchange by all rules, its parsing included, costs at most five times its parsing.
func TestJudgingCostsAtMostFiveTimesParsing(t *testing.T) {
	const n = 40
	next := wire.Seq(1000)
	exchanges := func() []*wire.Exchange {
		all := make([]*wire.Exchange, n)
		for i := range all {
			all[i] = typical(next)
			next += 2
		}
		return all
	}
	in := warm()
	in.See(typical(100))
	ratiotest.AtMost(t, 5, 400, func() (judging, parsing time.Duration) {
		all := exchanges()
		parsing = ratiotest.Timed(func() {
			for _, x := range all {
				x.Request.Doc()
				x.Reply.Doc()
			}
		})
		all = exchanges()
		judging = ratiotest.Timed(func() {
			for _, x := range all {
				if v := in.See(x); len(v.Findings) > 0 || v.Outcome.Class != Success {
					t.Fatalf("%+v", v)
				}
			}
		})
		return judging, parsing
	})
}

// A list of 2,000 tools costs at most twice its parsing and the compiling of its schemas.
func TestJudgingALongToolListCostsAtMostTwiceItsParsingAndCompiling(t *testing.T) {
	ratiotest.AtMost(t, 2, 20, func() (judging, work time.Duration) {
		x := toolList(2000)
		work = ratiotest.Timed(func() {
			doc := jsondoc.Parse(x.Reply.Body)
			for _, tool := range doc.Root().Get("result").Get("tools").Elements() {
				if _, err := schema.Compile(tool.Get("inputSchema")); err != nil {
					t.Fatal(err)
				}
			}
		})
		in := warm()
		var found []Finding
		judging = ratiotest.Timed(func() { found = in.See(x).Findings })
		for _, f := range found {
			t.Errorf("%s at %s: %s", f.Rule.ID, f.At.Path, f.Got)
		}
		return judging, work
	})
}

// What was compiled for a tool is used for every call of it, and for the same tool in a list that was fetched again.
func TestSchemasAreCompiledOnce(t *testing.T) {
	in := New(Options{})
	first := toolList(3)
	in.See(first)
	compiled := func() *schema.Schema {
		s, err := in.History().Tool("tool_1", 0).Input()
		if err != nil || s == nil {
			t.Fatal(s, err)
		}
		return s
	}
	before := compiled()
	again := toolList(3)
	q := wire.Read(600, sceneStart(), first.Request.Frame)
	r := wire.Read(601, sceneStart(), again.Reply.Frame)
	in.See(&wire.Exchange{Request: &q, Reply: &r, End: wire.Replied, Ended: r.At})
	if tool := in.History().Tool("tool_1", 0); tool.Page.Reply != 601 || compiled() != before {
		t.Errorf("compiled anew for the list of frame %d", tool.Page.Reply)
	}
}

// huge is an exchange with a result of so many bytes: half of them one text, half of them many small values.
func huge(size int) *wire.Exchange {
	x := typical(100)
	const line = "The light is on and the sea is calm. "
	var rows strings.Builder
	for i := 0; rows.Len() < size/2; i++ {
		if i > 0 {
			rows.WriteByte(',')
		}
		fmt.Fprintf(&rows, `{"id":%d,"title":"Entry %d of the log","wind":%d.5}`, i, i, i%40)
	}
	body := `{"jsonrpc":"2.0","id":100,"result":{"resultType":"complete","content":[{"type":"text","text":"` + strings.Repeat(line, size/2/len(line)) +
		`"}],"structuredContent":{"books":[` + rows.String() + `]},"isError":false,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"bookshop","version":"1.4.0"}}}}`
	r := wire.Read(101, x.Reply.At, (&wire.Frame{Dir: wire.Received, Body: []byte(body)}).Seal())
	x.Reply, x.Ended = &r, r.At
	return x
}

// readsWhole are the rules that have to look at every byte, or every value, of a result.
func readsWhole(r *Rule) bool {
	return r.Area == "security" || slices.Contains([]string{"result-null-optional", "content-number-unsafe",
		"content-structured-no-text", "content-structured-text-differs"}, r.ID)
}

// A huge result does not slow the rules that need not read it whole: all of them together take a small part of its parsing. Nor does it
// take long to judge by all.
func TestAHugeResultIsJudgedInLessThanItsParsing(t *testing.T) {
	x := huge(16 << 20)
	parsing := time.Hour
	for range 3 {
		parsing = min(parsing, ratiotest.Timed(func() { jsondoc.Parse(x.Reply.Body) }))
	}
	doc := x.Reply.Doc()
	none, others := []*Rule{}, slices.DeleteFunc(slices.Clone(Catalogue()), readsWhole)
	see := func(rules []*Rule) time.Duration {
		in := warmBy(rules)
		return ratiotest.Timed(func() { in.See(x) })
	}
	alone := time.Hour // what is worked out without any rule: the outcome, which holds the data against the tool's schema
	for range 5 {
		alone = min(alone, see(none))
	}
	t.Run("others", func(t *testing.T) {
		ratiotest.AtMost(t, 0.1, 40, func() (time.Duration, time.Duration) { return max(see(others)-alone, 0), parsing })
	})
	t.Run("all", func(t *testing.T) {
		ratiotest.AtMost(t, 2, 10, func() (time.Duration, time.Duration) { return see(nil), parsing })
	})
	runtime.KeepAlive(doc)
}

// Faults that repeat in every row of a huge result do not make judging it take longer than its size does: each asks for its place, which
// took time linear in the rows.
func TestAHugeResultThatIsWrongEverywhereIsJudgedInTime(t *testing.T) {
	x := typical(100)
	var rows strings.Builder
	for i := range 60_000 {
		fmt.Fprintf(&rows, `,{"id":12345678901234567890%d,"title":null,"text":"a\\u001b[31mb","icons":[{"src":null}]}`, i)
	}
	body := `{"jsonrpc":"2.0","id":100,"result":{"resultType":"complete","content":[` + strings.Repeat(`{"type":"text","text":"x","annotations":{"priority":null}},`, 60_000) +
		`{"type":"text","text":"x"}],"structuredContent":{"books":[` + rows.String()[1:] + `]}}}`
	r := wire.Read(101, x.Reply.At, (&wire.Frame{Dir: wire.Received, Body: []byte(body)}).Seal())
	x.Reply, x.Ended = &r, r.At
	doc := x.Reply.Doc()
	var found []Finding
	ratiotest.AtMost(t, 100, 10, func() (time.Duration, time.Duration) {
		parsing := ratiotest.Timed(func() { jsondoc.Parse(x.Reply.Body) })
		in := warm()
		return ratiotest.Timed(func() { found = in.See(x).Findings }), parsing
	})
	if !slices.ContainsFunc(found, func(f Finding) bool { return f.Rule.ID == "result-null-optional" }) {
		t.Errorf("the nulls are not found: %+v", found)
	}
	runtime.KeepAlive(doc)
}

func BenchmarkSeeHuge(b *testing.B) {
	x := huge(50 << 20)
	doc := x.Reply.Doc()
	for name, rules := range map[string][]*Rule{"all": nil, "others": slices.DeleteFunc(slices.Clone(Catalogue()), readsWhole)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(x.Reply.Body)))
			for b.Loop() {
				in := warmBy(rules)
				in.See(x)
			}
		})
	}
	runtime.KeepAlive(doc)
}
