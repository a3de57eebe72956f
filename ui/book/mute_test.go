package book

import (
	"slices"
	"testing"

	"mcploupe/inspect"
	"mcploupe/session/wire"
	"mcploupe/ui/feed"
)

const twoBad = `
> {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"good","arguments":{},` + meta + `}}
< {"jsonrpc":"2.0","id":3,"result":{"resultType":"galaxy","content":[]}}
`

// Muting takes findings out of all that is shown, and nothing is lost by it: unmuted, the book is as it was.
func TestMutingIsUndoneWithoutLoss(t *testing.T) {
	log := wire.NewLog(wire.LogOptions{})
	f := feed.New(log, inspect.New(inspect.Options{}))
	b := New()
	tell(t, b, log, f, modern+page(2, "", tool("good")+`,{"name":"bad tool name!","inputSchema":{"type":"string"}}`, "")+twoBad)
	type shown struct {
		count inspect.Count
		rows  []inspect.Count
		worst []inspect.Level
	}
	look := func() shown {
		s := shown{count: b.Findings.Count}
		for _, r := range b.Timeline.Rows {
			s.rows = append(s.rows, r.Count)
			s.worst = append(s.worst, r.Worst)
			if len(r.Findings)+r.Muted != len(r.found) {
				t.Errorf("#%d shows %d findings, %d are muted, of %d", r.Ref.Seq, len(r.Findings), r.Muted, len(r.found))
			}
		}
		l := b.List(Tools)
		for i := range l.Items {
			s.worst = append(s.worst, l.WorstOf(&l.Items[i]))
		}
		return s
	}
	before, all := look(), b.Findings.Count.Total()
	for _, g := range b.Findings.Groups {
		b.Mute(g.Rule.ID, true)
		if b.Findings.Count.Total()+b.Findings.Muted != all || !g.Muted {
			t.Errorf("%s: %d counted, %d muted of %d", g.Rule.ID, b.Findings.Count.Total(), b.Findings.Muted, all)
		}
	}
	if now := look(); now.count.Total() != 0 || slices.Max(now.worst) != 0 {
		t.Errorf("with every rule muted there is %+v", now)
	}
	tell(t, b, log, f, twoBad)
	if b.Findings.Count.Total() != 0 || b.Findings.Muted <= all {
		t.Errorf("what a muted rule finds later counts: %+v, %d muted", b.Findings.Count, b.Findings.Muted)
	}
	v := b.Findings.Version()
	b.Mute("no-such-rule", false)
	if b.Findings.Version() != v {
		t.Error("unmuting what is not muted changes something")
	}
	for _, rule := range b.Findings.MutedRules() {
		b.Mute(rule, false)
	}
	now := look()
	if n := len(before.rows); !slices.Equal(now.rows[:n], before.rows) || b.Findings.Muted != 0 || now.count.Total() <= all {
		t.Errorf("unmuted: %+v, was %+v", now, before)
	}
}

func BenchmarkMute(b *testing.B) {
	bk := New()
	rule := &inspect.Rule{ID: "x", Level: inspect.Must}
	for i := range 10_000 {
		r := &Row{Ref: wire.Ref{Seq: wire.Seq(i + 1)}, found: []inspect.Finding{{Rule: rule}}}
		bk.Timeline.Rows = append(bk.Timeline.Rows, r)
		bk.Findings.add(r.found[0], r.Ref)
	}
	for i := 0; b.Loop(); i++ {
		bk.Mute("x", i%2 == 0)
	}
}
