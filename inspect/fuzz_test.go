package inspect

import (
	"bytes"
	"testing"
	"time"

	"mcploupe/session/wire"
)

// fuzzed plays frames: the first byte of each line says who sent it and how ('>' ours, '!' ours over HTTP, '=' an HTTP body,
// anything else the server's on stdio), the rest is its body.
func fuzzed(opts Options, text []byte) (broken []string, findings []Finding) {
	in, fold := New(opts), wire.NewFold()
	at := time.Date(2026, 8, 3, 9, 0, 0, 0, time.UTC)
	take := func(v Verdict) {
		broken, findings = append(broken, v.Broken...), append(findings, v.Findings...)
	}
	add := func(e wire.Entry) {
		in.Observe(&e)
		for _, x := range fold.Add(e) {
			take(in.See(&x))
		}
	}
	seq, lane := wire.Seq(0), uint32(0)
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		seq++
		f := &wire.Frame{Dir: wire.Received, Body: line[1:]}
		switch line[0] {
		case '>':
			f.Dir = wire.Sent
		case '!':
			lane++
			f.Dir, f.Lane, f.HTTP = wire.Sent, lane, &wire.Head{Method: "POST", URL: "http://h/mcp"}
		case '=':
			f.Lane, f.HTTP = lane, &wire.Head{Status: 200}
		}
		add(wire.Entry{Seq: seq, At: at.Add(time.Duration(seq) * time.Second), Frame: f.Seal()})
	}
	add(wire.Entry{Seq: seq + 1, At: at.Add(time.Hour), Lane: &wire.Lane{Kind: wire.LaneExit, Exit: &wire.Exit{Code: 1}}})
	take(in.End())
	return broken, findings
}

// Whatever crosses the wire, no rule breaks, findings say something, and their places can be looked up.
func FuzzSee(f *testing.F) {
	for _, p := range pagesOf(f) {
		for _, list := range [][]Example{p.Bad, p.Good} {
			for i := range list {
				entries, _, err := list[i].Entries()
				if err != nil {
					f.Fatal(err)
				}
				var text []byte
				for _, e := range entries {
					if e.Frame == nil {
						continue
					}
					mark := byte('<')
					switch {
					case e.Frame.Dir == wire.Sent && e.Frame.Lane != 0:
						mark = '!'
					case e.Frame.Dir == wire.Sent:
						mark = '>'
					case e.Frame.Lane != 0:
						mark = '='
					}
					text = append(append(append(text, mark), bytes.ReplaceAll(e.Frame.Body, []byte("\n"), nil)...), '\n')
				}
				f.Add(text, true)
			}
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, sep bool) {
		opts := Options{}
		if !sep {
			opts = Options{Profile: ProfilePublished, Era: EraLegacy}
		}
		broken, findings := fuzzed(opts, text)
		for _, b := range broken {
			t.Error(b)
		}
		for _, f := range findings {
			if f.At.Frame == 0 || f.Want == "" || len([]rune(f.Got)) > displayMax || len([]rune(f.Want)) > displayMax {
				t.Errorf("%s: %+v", f.Rule.ID, f)
			}
		}
	})
}
