package app

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"mcploupe/session"
	"mcploupe/ui/graphics"
	"mcploupe/ui/kit"
)

// chart is a PNG of w × h pixels as Base64.
func chart(t *testing.T, w, h int) string {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetNRGBA(x, y, color.NRGBA{R: uint8(x), G: uint8(y), A: 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes())
}

// answerWith is the answer to ask with these members.
func answerWith(members string) string {
	return "\n" + `< {"jsonrpc":"2.0","id":5,"result":{"resultType":"complete",` + members + `,` + mine + "}}\n"
}

func TestAnAnswerShowsWhatItHolds(t *testing.T) {
	answer := answerWith(`"content":[{"type":"text","text":"# Weather\n\n| at | temp |\n|---|--:|\n| now | 22 |"},{"type":"image","mimeType":"image/png","data":"` + chart(t, 40, 20) + `"},
		{"type":"resource_link","uri":"weather://madrid","name":"madrid","mimeType":"text/plain"}],"structuredContent":[{"at":"now","temp":22},{"at":"later","temp":8.5}]`)
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+lists+ask+answer, func(s *story) {
			s.press("enter", "esc", "tab", ">")
			s.sees("▾ 1 text ─", "rendered · text · hex", "Weather", "at   temp", "now    22")
			s.fits()
			s.press("t")
			s.sees("| now | 22 |", "t as hex")
			s.press("n")
			s.sees("▾ 2 image image/png", "picture · hex", "PNG, 40 × 20 pixels", "v view the picture", "▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀▀", "/result/content/1")
			s.fits()
			s.press("x")
			s.sees("89 50 4e 47 0d 0a 1a 0a", "·PNG")
			s.press("n")
			s.sees("▾ 3 resource_link text/plain", "weather://madrid")
			s.press("n", "down", "down", "down")
			s.sees("at     temp", "later   8.5", "/result/structuredContent/1  row 2 of 2", "t as JSON")
			s.fits()
			s.press("enter")
			s.sees(`"temp": 8.5`, "/result/structuredContent/1")
			s.press("<", ">")
			s.fits()
		})
	}
}

// What is wrong in a part of the content stands at its title, however far down it is.
func TestAPartThatIsWrongSaysSo(t *testing.T) {
	answer := answerWith(`"content":[{"type":"text","text":"fine"},` + strings.Repeat(`{"type":"text","text":"fine"},`, 40) + `{"type":"text","txet":"wrong"}],"structuredContent":{"temp":"22"}`)
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+lists+ask+answer, func(s *story) {
			s.press("enter", "esc", "tab", ">")
			s.sees("▾ 1 text ──")
			s.press("G")
			s.sees("▾ structuredContent ✖ tool-error-output-invalid ──", `▾ 42 text ✖ content-text-shape ──`, "▾ 41 text ──")
			s.fits()
		})
	}
}

// Findings that do not stand in what is shown stand above it, the gravest first: what there is no room for is the least of them.
func TestTheGravestFindingIsSaidFirst(t *testing.T) {
	answer := answerWith(`"content":[{"type":"text","text":"other"}],"structuredContent":{"temp":"22"}`)
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+lists+ask+answer, func(s *story) {
			s.press("enter", "esc", "tab", ">")
			s.sees("✖ [Response] tool-error-output-invalid", "▲ [Response] content-structured-no-text")
			screen := s.screen()
			if strings.Index(screen, "✖ [Response]") > strings.Index(screen, "▲ [Response]") {
				t.Errorf("the gravest is not first:\n%s", screen)
			}
			s.fits()
		})
	}
}

// A search in the content goes through text, Markdown, tables and cards, with the keys that a search in JSON has.
func TestTheContentIsSearched(t *testing.T) {
	answer := answerWith(`"content":[{"type":"text","text":"# Weather\n\n| at | temp |\n|---|--:|\n| later | 22 |\n\nSee **later** on."},
		{"type":"resource_link","uri":"weather://madrid","name":"madrid","description":"what comes later","mimeType":"text/plain"}],"structuredContent":[{"at":"now","temp":22},{"at":"later","temp":8.5}]`)
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+lists+ask+answer, func(s *story) {
			s.press("enter", "esc", "tab", ">", "/")
			s.sees("enter search", "esc stop searching")
			s.typed("later")
			s.sees("/later", "1 of 4")
			s.fits()
			s.press("enter", "n")
			s.sees("2 of 4", "n next hit")
			s.press("n")
			s.sees("3 of 4", "what comes later", "/result/content/1")
			s.press("n")
			s.sees("4 of 4", "later   8.5", "/result/structuredContent/1  row 2 of 2")
			s.fits()
			s.press("n", "N")
			s.sees("4 of 4")
			s.press("/")
			s.typed("x")
			s.sees("not found")
			s.press("esc")
			s.seesNot("not found", "/later")
			s.fits()
		})
	}
}

func TestALargeAnswerIsReadBesideTheScreen(t *testing.T) {
	var rows strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&rows, `,{"n":%d,"name":"row %d"}`, i, i)
	}
	answer := answerWith(`"content":[],"structuredContent":{"rows":[` + rows.String()[1:] + `]}`)
	tell(t, 120, 36, opening+lists+ask+answer, func(s *story) {
		s.press("enter", "esc", "tab")
		s.send(keyMsg(t, ">"))
		s.sees("reading", "kB …")
		s.settle()
		s.sees("rows · 5,000 rows", "   1     0  row 0")
		s.press("G")
		s.sees("5000  4999  row 4999", "row 5,000 of 5,000", "n  name")
		s.fits()
	})
}

func TestBytesOfAnExchangeInHex(t *testing.T) {
	tell(t, 120, 36, opening+lists+ask+wrongAnswer, func(s *story) {
		s.press("enter", "esc", "tab")
		for range 3 {
			s.press(">")
		}
		s.sees(`"method":"tools/call"`, "x bytes in hex")
		s.press("x")
		s.sees("▾ → #12 request, ", "00000000  7b 22 6a 73 6f 6e 72 70", `{"jsonrpc":"2.0"`, "x bytes as text")
		s.press("n", "down")
		s.sees("▾ ← #13 answer, ", "byte 0 of ")
		s.fits()
		s.press("x")
		s.seesNot("00000000")
	})
}

// What changed stands beside every view, the content too: d goes there and back.
func TestTheDifferenceIsOneKeyFromTheContent(t *testing.T) {
	again := strings.NewReplacer(`"id":5`, `"id":6`, `"progressToken":"5"`, `"progressToken":"6"`)
	first := answerWith(`"content":[{"type":"text","text":"a"}]`)
	second := again.Replace(answerWith(`"content":[{"type":"text","text":"b"}]`))
	tell(t, 120, 36, opening+lists+ask+first+again.Replace(ask)+second, func(s *story) {
		s.press("enter", "esc", "tab", ">")
		s.sees("▾ 1 text", "d what changed")
		s.press("d")
		s.sees("- #", "with the same arguments", `"a"`, `"b"`)
		s.press("d")
		s.sees(`"text": "b"`)
		s.wait(time.Second)
	})
}

func TestAPictureIsViewedLarge(t *testing.T) {
	answer := answerWith(`"content":[{"type":"image","mimeType":"image/png","data":"` + chart(t, 40, 20) + `"}]`)
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tellWith(t, size[0], size[1], opening+lists+ask+answer, Options{Images: graphics.Blocks}, func(s *story) {
			s.press("enter", "esc", "tab", ">", "v")
			s.sees("1 image image/png", "40 × 20", strings.Repeat("▀", 40))
			s.fits()
			s.press("esc")
			s.sees("PNG, 40 × 20 pixels")
		})
	}
	tellWith(t, 120, 36, opening+lists+ask+answer, Options{Images: graphics.None}, func(s *story) {
		s.press("enter", "esc", "tab", ">")
		s.sees("pictures are not drawn (--images none)", "PNG, 40 × 20 pixels")
		s.press("v")
		s.sees("pictures are not drawn: --images none")
	})
	tellWith(t, 120, 36, opening+lists+ask+answer, Options{NoColour: true, Images: graphics.Blocks}, func(s *story) {
		s.press("enter", "esc", "tab", ">")
		s.sees("#######%%%%%%%@")
		s.seesNot("▀")
		s.fits()
	})
}

// A picture that cannot be decoded says so, whoever asks for it; one that claims to be huge is not tried.
func TestAPictureThatIsNone(t *testing.T) {
	raw, err := base64.StdEncoding.DecodeString(chart(t, 4, 4))
	if err != nil {
		t.Fatal(err)
	}
	copy(raw[16:], "\x00\x0f\x00\x00\x00\x0f\x00\x00")
	answer := answerWith(`"content":[{"type":"image","mimeType":"image/png","data":"` + base64.StdEncoding.EncodeToString(raw) + `"}]`)
	tell(t, 120, 36, opening+lists+ask+answer, func(s *story) {
		s.press("enter", "esc", "tab", ">")
		s.sees("▲ no picture is drawn: its head cannot be read", "89 50 4e 47")
		s.press("v")
		s.sees("view the picture: this part is no picture")
	})
}

func TestATerminalThatDrawsSixelIsBelieved(t *testing.T) {
	t.Setenv("TERM", "xterm-256color")
	for _, name := range []string{"TMUX", "ZELLIJ", "STY", "TERM_PROGRAM", "KITTY_WINDOW_ID", "WEZTERM_EXECUTABLE", "LC_TERMINAL", "KONSOLE_VERSION"} {
		t.Setenv(name, "")
	}
	tell(t, 120, 36, opening+lists, func(s *story) {
		if s.m.protocol != graphics.Auto {
			t.Fatalf("%s before anything was said", s.m.protocol)
		}
		s.send(uv.PrimaryDeviceAttributesEvent{62, 4})
		if s.m.protocol != graphics.Sixel {
			t.Errorf("%s afterwards", s.m.protocol)
		}
	})
}

// What was read is shown as what it holds first; what a person chose comes before that.
func TestWhatWasReadOpensAsItsContent(t *testing.T) {
	const asked = `
> {"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"file:///a.txt",` + meta + `}}
`
	const read = `
< {"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","ttlMs":60000,"cacheScope":"public","contents":[{"uri":"file:///a.txt","mimeType":"text/markdown","text":"# Hello\n\n* a\n* b"}],` + mine + `}}
`
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+lists+asked, func(s *story) {
			s.press("3", "tab", "tab")
			s.sees("The answer has not come yet.")
			s.say(read)
			s.settle()
			s.sees("▾ file:///a.txt text/markdown", "• a", "rendered · text · hex")
			s.fits()
			s.press("<", "5", "3", "tab", "tab")
			s.sees(`"contents": [`)
		})
	}
}

// A link in an answer is followed by a key, and what it leads to stands in the place of the answer.
func TestALinkIsFollowed(t *testing.T) {
	answer := answerWith(`"content":[{"type":"text","text":"see"},{"type":"resource_link","uri":"file:///b.txt","name":"b"}]`)
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+lists+ask+answer, func(s *story) {
			s.press("enter", "esc", "tab", ">", "O")
			s.sees("read the link: this part is no link to a resource")
			s.fake.answer = func(string) (session.Answer, error) {
				s.say(`
> {"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"file:///b.txt",` + meta + `}}
< {"jsonrpc":"2.0","id":6,"result":{"resultType":"complete","ttlMs":60000,"cacheScope":"public","contents":[{"uri":"file:///b.txt","mimeType":"text/plain","text":"what it led to"}],` + mine + `}}
`)
				return session.Answer{}, nil
			}
			s.press("n", "O")
			s.asked("read file:///b.txt fresh=true")
			s.sees("resources/read", "▾ file:///b.txt text/plain", "what it led to")
			s.fits()
		})
	}
}

// Whoever presses the key again while a large picture is made gets one screen of it, not one for each press; whoever does anything
// else meanwhile gets none.
func TestAPictureIsShownToWhoeverWaitsForIt(t *testing.T) {
	picture := func(t *testing.T) kit.ShowPicture {
		raw, err := base64.StdEncoding.DecodeString(chart(t, 40, 20))
		if err != nil {
			t.Fatal(err)
		}
		return kit.ShowPicture{Data: raw, Title: "chart"}
	}
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		var out bytes.Buffer
		tellWith(t, size[0], size[1], opening+lists, Options{Images: graphics.Kitty, Out: &out}, func(s *story) {
			first := s.m.showPicture(kit.ShowPicture{Data: []byte("none")})
			if first == nil || s.m.showPicture(kit.ShowPicture{Data: s.m.picturing.what.Data}) != nil {
				t.Fatal("it is made twice")
			}
			s.sees("making the picture … any key goes on without it")
			s.send(first())
			s.sees("the picture: its first bytes are of no picture")

			one := picture(t)
			work := s.m.showPicture(one)
			if cmd := s.m.drawPicture(work().(pictureMsg)); cmd == nil {
				t.Error("who waits does not see it")
			}
			for _, away := range []tea.Msg{keyMsg(t, "down"), tea.MouseWheelMsg{Button: tea.MouseWheelDown}, tea.MouseClickMsg{X: 1, Y: 5, Button: tea.MouseLeft}, tea.PasteMsg{Content: "x"}} {
				work = s.m.showPicture(one)
				s.send(away)
				if cmd := s.m.drawPicture(work().(pictureMsg)); cmd != nil {
					t.Errorf("it takes the terminal after %T", away)
				}
				s.seesNot("the picture")
			}
			// Asked for again after all, and another one instead.
			work = s.m.showPicture(one)
			msg := work().(pictureMsg)
			s.send(keyMsg(t, "down"))
			s.m.showPicture(one)
			if cmd := s.m.drawPicture(msg); cmd == nil {
				t.Error("it is not shown when it is wanted again")
			}
			work = s.m.showPicture(one)
			other := picture(t)
			s.m.showPicture(other)
			if next := s.m.drawPicture(work().(pictureMsg)); next == nil || &s.m.picturing.what.Data[0] != &other.Data[0] {
				t.Error("the other one is not made")
			} else if s.m.drawPicture(next().(pictureMsg)) == nil {
				t.Error("nor shown")
			}
			s.fits()
		})
	}
}

// Where the same is wrong more than once in a message, each place is marked, and the keys that walk findings go to each.
func TestEveryPlaceOfAFaultIsMarked(t *testing.T) {
	good := strings.Repeat(`{"type":"text","text":"fine"},`, 30)
	image := `{"type":"image","mimeType":"image/png","data":"none!"},`
	answer := answerWith(`"content":[` + image + good + image + good + image + `{"type":"text","text":"end"}],"structuredContent":{"temp":1}`)
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], opening+lists+ask+answer, func(s *story) {
			s.press("enter", "esc", "tab", "]")
			s.sees("content-binary-shape: want", "content-binary-shape · place 1 of 3", "/result/content/0/data")
			s.press("]")
			s.sees("content-binary-shape here too", "content-binary-shape · place 2 of 3", "/result/content/31/data")
			s.fits()
			s.press("]")
			s.sees("place 3 of 3", "/result/content/62/data")
			s.press("i")
			s.sees("here too", "/result/content/31/data", "content-binary-shape")
			s.press("esc", "[", "[")
			s.sees("place 1 of 3", "/result/content/0/data")
			s.press("[", "]")
			s.sees("place 1 of 3")
			s.press(">", "g")
			s.sees("▾ 1 image image/png ✖ content-binary-shape")
			s.press("G", "(", "(")
			s.sees("▾ 63 image image/png ✖ content-binary-shape")
			s.fits()
		})
	}
}
