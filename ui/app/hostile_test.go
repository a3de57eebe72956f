package app

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"mcploupe/session/jsondoc"
	"mcploupe/session/visible"
)

// What a hostile server may put into every text that a screen shows: commands for the terminal, in 7 and 8
// bits, a clipboard write, a title, direction overrides, hidden letters, line breaks, bytes that are no text.
const evil = "\x1b[2J\x1b]52;c;aGVsbG8=\a\x1b]0;title\a\u009b31mC1\r\n\t\b\x00\x7f\u202eRLO\u200bZW\u2066iso\U000e0041tag\ufeff \u2028ls é́ 👩‍👩‍👧 🇪🇸 ❤️"

// hostileServer says evil wherever a server may say anything.
func hostileServer() string {
	q := jsondoc.Quote(evil)
	return strings.NewReplacer("EVIL", q).Replace(`
= connecting +target="evil" +kind=stdio starting
> {"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":1,"result":{"resultType":EVIL,"supportedVersions":["2026-07-28",EVIL],"capabilities":{"tools":{},EVIL:{EVIL:true}},"instructions":EVIL,"ttlMs":300000,"cacheScope":EVIL,
  "_meta":{"io.modelcontextprotocol/serverInfo":{"name":EVIL,"title":EVIL,"version":EVIL,"description":EVIL,"websiteUrl":EVIL}}}}
= ready +era=modern +version=2026-07-28 ready
> {"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","ttlMs":1000,"cacheScope":"public","tools":[{"name":EVIL,"title":EVIL,"description":EVIL,
  "inputSchema":{"type":"object","properties":{EVIL:{"type":"string","title":EVIL,"description":EVIL,"default":EVIL,"enum":[EVIL,"b"]},"x":{"type":"string","description":EVIL}},"required":[EVIL]},"annotations":{"title":EVIL,EVIL:EVIL}}]}}
> {"jsonrpc":"2.0","id":3,"method":"resources/list","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":3,"result":{"resultType":"complete","ttlMs":1000,"cacheScope":"public","resources":[{"uri":EVIL,"name":EVIL,"title":EVIL,"description":EVIL,"mimeType":EVIL}]}}
> {"jsonrpc":"2.0","id":4,"method":"prompts/list","params":{` + meta + `}}
< {"jsonrpc":"2.0","id":4,"error":{"code":-32000,"message":EVIL,"data":EVIL}}
> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":EVIL,"arguments":{EVIL:EVIL},` + meta + `}}
< {"jsonrpc":"2.0","method":"notifications/message","params":{"level":EVIL,"logger":EVIL,"data":EVIL}}
< {"jsonrpc":"2.0","method":EVIL,"params":EVIL}
< {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete","content":[{"type":"text","text":EVIL},{"type":EVIL,"mimeType":EVIL},{"type":"image","mimeType":EVIL,"data":EVIL}],"structuredContent":{EVIL:[EVIL]},"isError":EVIL}}
> {"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":EVIL,` + meta + `}}
< {"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","ttlMs":EVIL,"contents":[{"uri":EVIL,"mimeType":"text/markdown","text":EVIL},{"uri":EVIL,"blob":"AAECAwQFBgcICQ=="}]}}
<< noise ` + strings.Trim(fmt.Sprintf("%q", evil), `"`) + `\n
<< {"broken": "\xff\xfe` + strings.Trim(fmt.Sprintf("%q", evil), `"`) + `\n
! ` + strings.NewReplacer("\r", "", "\n", " ").Replace(evil) + `
`)
}

// TestNoControlByteReachesTheTerminal walks through all that a hostile server can show itself in. After styles
// are taken away nothing may be left that a terminal would obey or that nobody would see.
func TestNoControlByteReachesTheTerminal(t *testing.T) {
	shown := 0
	check := func(s *story, name string) {
		t.Helper()
		content := s.m.View().Content
		if title := s.m.View().WindowTitle; len(visible.Find(title)) > 0 {
			t.Errorf("%s: the window's title is %q", name, title)
		}
		var state byte
		for rest := content; len(rest) > 0; {
			seq, width, n, next := ansi.DecodeSequence(rest, state, nil)
			state, rest = next, rest[n:]
			switch {
			case seq == "\n":
			case width > 0:
			case strings.HasPrefix(seq, "\x1b[") && strings.HasSuffix(seq, "m"): // a style
			default:
				t.Errorf("%s: %q is sent to the terminal", name, seq)
				return
			}
		}
		for _, hit := range visible.Find(strings.ReplaceAll(ansi.Strip(content), "\n", "")) {
			if hit.Class != visible.PrivateUse {
				t.Errorf("%s: U+%04X (%s) is on the screen", name, hit.Rune, hit.Class)
				return
			}
		}
		if strings.Contains(content, "␛") || strings.Contains(content, "‹RLO›") {
			shown++
		}
		s.fits()
	}
	walks := [][]string{
		nil, {"/", "x"}, {"enter"}, {"enter", "esc", "down", "enter"}, {"enter", "ctrl+t"}, {"enter", "esc", ">"}, {"enter", "esc", ">", ">"}, {"enter", "esc", ">", ">", ">"},
		{"enter", "esc", "tab"}, {"enter", "esc", "tab", ">"}, {"enter", "esc", "tab", ">", ">"}, {"enter", "esc", "tab", ">", ">", ">"}, {"enter", "esc", "tab", "<"}, {"enter", "esc", "tab", "b"},
		{"enter", "esc", "tab", "w", "right"}, {"enter", "esc", "tab", "]"}, {"enter", "esc", "tab", "]", "i"}, {"enter", "esc", "tab", "I"}, {"enter", "esc", "ctrl+x"},
		{"3"}, {"3", "enter"}, {"3", "tab"}, {"4"}, {"1"}, {"1", "G"}, {"!"}, {"!", "space"}, {"!", "i"}, {"L"}, {"L", "g"}, {":"}, {"?"},
		{"5"}, {"5", "g"}, {"5", "up"}, {"5", "up", "up"}, {"5", "up", "up", "up"}, {"5", "up", "enter", ">"}, {"5", "y"}, {"y"},
	}
	for i, size := range [][2]int{{120, 36}, {80, 24}, {200, 60}} {
		for j, keys := range walks {
			if i > 0 && j%3 != i {
				continue // the other sizes see a part each: what is drawn is the same
			}
			tell(t, size[0], size[1], hostileServer(), func(s *story) {
				s.press(keys...)
				check(s, fmt.Sprintf("%dx%d %v", size[0], size[1], keys))
			})
		}
	}
	if shown < 40 {
		t.Errorf("the hostile text was visible on %d screens only: the test does not look where it is", shown)
	}
}

func TestPastedControlCharactersAreNotObeyed(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		for _, keys := range [][]string{{"/"}, {"esc", "esc", "enter", "esc", "tab", "/"}, {"esc", "esc", "esc", "2", "enter"}, {"ctrl+t"}} {
			s.press(keys...)
			s.send(tea.PasteMsg{Content: evil})
			s.settle()
			if hits := visible.Find(strings.ReplaceAll(ansi.Strip(s.screen()), "\n", "")); len(hits) > 0 {
				t.Errorf("after %v: %+v", keys, hits[0])
			}
			s.fits()
		}
	})
}

func TestAScreenInASCII(t *testing.T) {
	tellWith(t, 120, 36, opening+lists+ask+wrongAnswer, Options{ASCII: true}, func(s *story) {
		for _, k := range []string{"", "5", "!", "esc", "?"} {
			if k != "" {
				s.press(k)
			}
			for _, r := range s.screen() {
				if r > 0x7e {
					t.Fatalf("%q is on an ASCII screen:\n%s", r, s.screen())
				}
			}
			s.fits()
		}
	})
}
