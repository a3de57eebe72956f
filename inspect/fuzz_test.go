package inspect

import (
	"bytes"
	"fmt"
	"reflect"
	"testing"
	"time"

	"mcploupe/session/wire"
)

// fuzzed plays entries: the first byte of each line says what it is, the rest is its body. '>' is ours, '!' ours over HTTP, '=' an HTTP
// body, '*' an event of a stream; 'f' what was fetched beside the protocol, 'l' something that happened to a lane, 's' a step of the
// connection, 'n' a note, 'e' an ending by us, 'q' a question to the person; anything else is the server's on stdio. Where an entry has
// choices of its own, the next byte makes them.
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
		e := wire.Entry{Seq: seq, At: at.Add(time.Duration(seq) * time.Second)}
		if other(&e, line, lane) {
			add(e)
			continue
		}
		f := &wire.Frame{Dir: wire.Received, Body: line[1:]}
		switch line[0] {
		case '>':
			f.Dir = wire.Sent
		case '!':
			lane++
			f.Dir, f.Lane, f.HTTP = wire.Sent, lane, &wire.Head{Method: "POST", URL: "http://h/mcp"}
		case '=':
			f.Lane, f.HTTP = lane, &wire.Head{Status: 200}
		case '*':
			f.Lane, f.Event = lane, &wire.Event{ID: string(line[1:min(len(line), 3)])}
		}
		e.Frame = f.Seal()
		add(e)
	}
	add(wire.Entry{Seq: seq + 1, At: at.Add(time.Hour), Lane: &wire.Lane{Kind: wire.LaneExit, Exit: &wire.Exit{Code: 1}}})
	take(in.End())
	return broken, findings
}

// other makes of a line an entry that is no frame; false when the line is one.
func other(e *wire.Entry, line []byte, lane uint32) bool {
	choice, rest := byte(0), string(line[1:])
	if len(line) > 1 {
		choice, rest = line[1], string(line[2:])
	}
	pick := func(words ...string) string { return words[int(choice)%len(words)] }
	switch line[0] {
	case 'f':
		e.Fetch = &wire.Fetch{For: pick(wire.ForStream, wire.ForResource, wire.ForServer, wire.ForRegister, wire.ForToken, wire.ForRefresh, wire.ForRedirect, wire.ForSession), Body: []byte(rest), Failed: choice > 'z',
			Request:  &wire.Head{Method: pick("GET", "POST", "DELETE"), URL: pick("https://h/.well-known/oauth-protected-resource", "http://h/mcp", "://")},
			Response: &wire.Head{Status: 200 + 100*(int(choice)%4), Header: []wire.Field{{Name: "WWW-Authenticate", Value: rest}, {Name: "Content-Type", Value: pick("application/json", "text/html")}}}}
		if choice%5 == 0 {
			e.Fetch.Response = nil
		}
	case 'l':
		kinds := []wire.LaneKind{wire.LaneOpen, wire.LaneHead, wire.LaneEOF, wire.LaneCut, wire.LaneFailed, wire.LaneClosed}
		e.Lane = &wire.Lane{ID: lane, Kind: kinds[int(choice)%len(kinds)], Text: rest,
			HTTP: &wire.Head{Method: "GET", URL: "http://h/mcp", Status: 100 * (int(choice) % 6), Header: []wire.Field{{Name: "Mcp-Session-Id", Value: rest}}}}
	case 's':
		e.State = &wire.State{Phase: phaseOf(choice), Era: pick("", "modern", "legacy"), Version: pick("2026-07-28", "2025-11-25", "", "x"), Server: rest, Kind: pick("stdio", "http", "sse")}
	case 'n':
		e.Note = &wire.Note{From: pick("stderr", NoteProbe, "x"), Text: pick("", ReachText) + rest}
	case 'e':
		ends := []wire.End{wire.Cancelled, wire.TimedOut, wire.Dropped}
		e.Ending = &wire.Ending{Of: wire.Seq(choice % 16), How: ends[int(choice)%len(ends)], Text: rest}
	case 'q':
		e.Ask = &wire.Ask{}
	default:
		return false
	}
	return true
}

func phaseOf(choice byte) wire.Phase {
	phases := []wire.Phase{wire.Connecting, wire.Detecting, wire.Ready, wire.Lost, wire.Failed, wire.Closed}
	return phases[int(choice)%len(phases)]
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
	for _, text := range []string{
		"s2ready\n!{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\nl0x\nl1abc\n*{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\nl2\ne1\n",
		"f0Bearer scope=\"a b\"\nf1{\"resource\":\"http://h/mcp\",\"authorization_servers\":[1]}\nf2{\"issuer\":7}\nn1192.0.2.1:80\nq\ns5\n",
	} {
		f.Add([]byte(text), true)
		f.Add([]byte(text), false)
	}
	f.Fuzz(func(t *testing.T, text []byte, sep bool) {
		opts := Options{}
		if !sep {
			opts = Options{Profile: ProfilePublished, Era: EraLegacy}
		}
		start := time.Now()
		broken, findings := fuzzed(opts, text)
		// Where a few milliseconds do; a machine that is busy may take longer.
		if took, most := time.Since(start), time.Duration(1+len(text)>>20)*5*time.Second; took > most {
			t.Errorf("%d bytes took %v", len(text), took)
		}
		if _, again := fuzzed(opts, text); !reflect.DeepEqual(spelled(findings), spelled(again)) {
			t.Errorf("judged twice, found once:\n%v\nand then:\n%v", spelled(findings), spelled(again))
		}
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

// spelled is what findings say, without their rules' functions.
func spelled(findings []Finding) []string {
	var all []string
	for _, f := range findings {
		all = append(all, fmt.Sprint(f.Rule.ID, f.At, f.Got, f.Want, f.Also, f.Confidence))
	}
	return all
}
