package app

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/session"
	"mcploupe/session/wire"
	"mcploupe/ui/kit"
)

func TestTheWholeScreen(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.fits()
		s.sees("mcploupe", "weather 1.2.0", "stdio node server.js", "2026-07-28 modern", "● ready",
			"1 Server", "2 Tools 2", "◷ 4:3", "3 Resources 1", "4 Prompts 2", "5 Exchanges 4",
			"▸ get_weather", "Call · Schema · About · Earlier", "location *", "Not called yet.", "ctrl+s send", "? help  q quit")
		for _, size := range [][2]int{{80, 24}, {200, 60}, {100, 30}, {96, 24}, {60, 50}, {36, 10}, {20, 5}} {
			s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			s.settle()
			s.fits()
		}
	})
}

// The first story: connect, choose a tool, fill in, send, see the verdict with the offending value marked.
func TestCallAToolAndSeeTheVerdict(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			tell(t, size[0], size[1], opening+lists, func(s *story) {
				s.press("enter")
				if !s.m.listener().Typing() {
					s.press("enter")
				}
				s.typed("Madrid q?")
				s.press("ctrl+s")
				s.asked("call get_weather {\n  \"location\": \"Madrid q?\"\n}")

				s.say(ask)
				s.settle()
				s.wait(time.Second)
				s.sees("running 1.", "c cancel")
				s.say("< {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":\"5\",\"progress\":2,\"total\":5,\"message\":\"fetching\"}}")
				s.wait(300 * time.Millisecond)
				s.sees("40 %", "fetching")

				s.say(wrongAnswer)
				s.settle()
				s.sees("✔ complete", "output invalid", "◷ not cacheable", "✖ 1")
				s.seesNot("running")
				s.press("esc", "tab")
				if s.m.focus != atResult {
					s.t.Fatalf("the focus is at %d", s.m.focus)
				}
				s.press("]")
				for range 5 {
					if strings.Contains(s.screen(), "/result/structuredContent/temp") {
						break
					}
					s.press("]")
				}
				s.sees(`"22"`, "└ tool-error-output-invalid", "/result/structuredContent/temp", "tool-error-output-invalid")
				s.fits()
				s.press("i")
				s.sees("tool-error-output-invalid", "Why")
				s.press("G", "g", "ctrl+d")
				s.sees("How to fix it")
				s.press("esc")
				s.seesNot("How to fix it")
			})
		})
	}
}

func TestSendingWhatIsWrongTakesOneMoreKey(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.press("ctrl+s") // location is required and empty is not wrong; days is a number
		s.asked(`call get_weather {` + "\n  \"location\": \"\"\n}")
		s.press("ctrl+t")
		s.press("ctrl+s")
		s.m.call.SetArgs([]byte(`{"days":"x", "n":1.50e+3}`))
		before := len(s.fake.asked)
		s.press("ctrl+s")
		if len(s.fake.asked) != before {
			t.Errorf("invalid arguments were sent: %q", s.fake.asked)
		}
		s.sees("ctrl+x")
		s.press("ctrl+x")
		s.asked(`call get_weather {"days":"x", "n":1.50e+3}`)
	})
}

func TestFormAndJSONAreTwoViewsOfOneValue(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.press("enter")
		s.press("ctrl+t")
		s.m.call.SetArgs([]byte(`{"location":"Oslo", "unknown": 1.50e+3}`))
		s.sees("JSON", `1.50e+3`)
		s.press("ctrl+t")
		s.sees("form", "Oslo")
		s.press("ctrl+t")
		s.sees(`"unknown": 1.50e+3`)
	})
}

func TestResourcesAndPromptsAreUsedFromTheirPanels(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.fake.answer = func(what string) (session.Answer, error) {
			return session.Answer{Cached: true, Age: 28 * time.Second}, nil
		}
		s.press("3", "enter")
		s.asked("read file:///a.txt fresh=false")
		s.sees("served from cache, 28s old")
		s.press("R")
		for _, want := range []string{"list resources fresh=true", "list templates fresh=true"} { // in any order
			if !slices.Contains(s.fake.asked, want) {
				t.Errorf("R asked for %q", s.fake.asked)
			}
		}
		s.fake.answer = nil
		s.press("4", "down", "enter")
		s.asked("prompt hello ")
		s.press("up", "enter")
		if s.m.focus != atMain {
			t.Error("a prompt with arguments does not open its form")
		}
		s.sees("who *")
	})
}

// On a screen of one column what a panel sent brings the answer into view.
func TestOnASmallScreenTheAnswerComesIntoView(t *testing.T) {
	for _, keys := range [][]string{{"3", "enter"}, {"4", "down", "enter"}} {
		tell(t, 80, 24, opening+lists, func(s *story) {
			s.press(keys...)
			s.m.View()
			if s.m.focus < panels || s.m.lay.at[atResult].h == 0 {
				s.t.Errorf("after %v the focus is at %d, and the answer has %d lines", keys, s.m.focus, s.m.lay.at[atResult].h)
			}
			s.press("esc")
			if want := map[string]place{"3": atResources, "4": atPrompts}[keys[0]]; s.m.focus != want {
				s.t.Errorf("esc goes to %d, not to %d", s.m.focus, want)
			}
		})
	}
}

func TestListsAreRefreshedThroughOrPastTheCache(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.press("r")
		s.asked("list tools fresh=false")
		s.press("R")
		s.asked("list tools fresh=true")
	})
}

func TestWhatTheServerDeclaresIsListedOnceConnected(t *testing.T) {
	tell(t, 120, 36, "", func(s *story) {
		s.fake.info = declared()
		s.say(opening)
		s.send(connectedMsg{nil, s.m.epoch})
		s.settle()
		want := "connect|list tools fresh=false|list resources fresh=false|list templates fresh=false|list prompts fresh=false"
		if got := strings.Join(s.fake.asked, "|"); got != want {
			t.Errorf("asked %s\nwant  %s", got, want)
		}
	})
}

func TestAFailedStartSaysWhatHappenedAndWhatToTry(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		tell(t, size[0], size[1], "= connecting +kind=stdio starting it", func(s *story) {
			s.sees("connecting")
			s.say("= failed the process ended on initialize")
			exit := &wire.Exit{Argv: []string{"node", "my server.js"}, Dir: "/tmp/x", Code: 3, Stderr: []string{"cannot open \x1b[31mdb"}}
			s.send(connectedMsg{&session.ConnectError{Text: "the process ended on initialize: exit code 3", Hint: "look at its stderr", Exit: exit}, s.m.epoch})
			s.settle()
			s.sees("✖ failed", "could not be reached", "node 'my server.js'", "/tmp/x", "exit code 3", "cannot open ␛[31mdb", "hint look at its stderr", "ctrl+r")
			s.fits()
			s.press("ctrl+r")
			s.asked("restart")
		})
	}
}

func TestALostServerIsSaidAndRestartedByOneKey(t *testing.T) {
	for _, size := range bothSizes() { // the way back stands before the reason, which is cut where it is long
		tell(t, size[0], size[1], opening+lists+ask, func(s *story) {
			s.say("~ exit 1 +stderr=\"panic: nil\"\n= lost the process ended: exit code 1 (node a/rather/long/way/to/the/server.js --with --words)")
			s.settle()
			s.sees("✖ lost", "the server is gone, ctrl+r starts it again: the process")
			if size[0] == 120 {
				s.sees("lost: server ended")
			}
			s.press("ctrl+r")
			s.asked("restart")
			s.say("= connecting again\n= ready +era=modern +version=2026-07-28 there it is")
			s.settle()
			s.sees("● ready")
		})
	}
	recorded(t, 80, 24, opening+lists+"= lost the process ended", Options{}, func(s *story) {
		s.sees("the server is gone: the process ended")
		s.seesNot("ctrl+r")
	})
}

func TestTheCountdownRunsOnlyWhileSomethingCounts(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.sees("◷ 1:00")
		s.wait(14 * time.Second)
		s.sees("◷ 0:46")
		s.wait(60 * time.Second)
		s.sees("◷ stale")
		s.wait(5 * time.Minute) // everything is stale and old now
		s.m.View()
		if d := s.m.interval(); d != 20*time.Second {
			t.Errorf("with nothing but ages on the screen it wakes up every %v", d)
		}
	})
	tell(t, 120, 36, "", func(s *story) {
		s.m.View()
		s.m.book.Server.Phase = wire.Closed
		if d := s.m.interval(); d != 0 {
			t.Errorf("a screen on which nothing counts wakes up every %v", d)
		}
	})
}

func TestQuittingAsksWhileARequestRuns(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.press("q")
		if !s.quit {
			t.Error("q does not quit")
		}
	})
	tell(t, 120, 36, opening+lists+ask, func(s *story) {
		s.press("q")
		s.sees("A request is running. Quit and cut it off?")
		if s.quit {
			t.Fatal("it quit without waiting for the answer")
		}
		s.press("esc")
		s.seesNot("cut it off")
		s.press("q", "enter")
		if !s.quit {
			t.Error("enter does not quit")
		}
	})
	tell(t, 120, 36, opening+lists+ask, func(s *story) {
		s.press("enter", "ctrl+c")
		if !s.quit {
			t.Error("ctrl+c does not quit while typing with a request running")
		}
	})
}

func TestCancelAndSendAgain(t *testing.T) {
	tell(t, 120, 36, opening+lists+ask, func(s *story) {
		s.press("5")
		s.sees("5 Exchanges 5", "1 running")
		s.press("c")
		seq := s.m.timeline.Row().Ref.Seq
		s.asked(fmt.Sprintf("cancel %d", seq))
		s.say(wrongAnswer)
		s.settle()
		s.press("r")
		s.asked(`call get_weather {` + "\n  \"location\": \"Madrid\"\n}")
		s.press("up", "r")
		s.asked("do prompts/list {}")
		s.press("down", "e")
		if s.m.focus != atMain || s.m.driver != atTools {
			t.Error("edit and send again does not go to the call")
		}
		s.sees("Madrid")
	})
}

func TestTheFilterFindsByLettersAndKeepsTheCursor(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.press("/")
		s.typed("ers")
		s.sees("/ers", "1 of 2", "▸ erase")
		s.press("enter", "esc")
		s.sees("▸ erase", "get_weather")
		s.press("/")
		s.typed("zzz")
		s.sees("nothing matches")
		s.press("esc")
		s.sees("get_weather")
	})
}

func TestPaletteHelpFindingsLogAndThemes(t *testing.T) {
	tell(t, 120, 36, opening+lists+"! a line \x1b[2J on stderr\n"+ask+wrongAnswer, func(s *story) {
		s.press(":")
		s.typed("findin")
		s.press("enter")
		s.sees("Findings", "tool-error-output-invalid")
		s.press("enter")
		s.sees("#13 tools/call get_weather", "/result")
		s.press("?")
		s.sees("Help", "next finding")
		s.press("G")
		s.sees("Signs", "breaks a MUST")
		s.press("esc", "L")
		s.sees("Log", "a line ␛[2J on stderr", "stderr")
		s.press("esc", ":")
		s.typed("theme")
		s.press("enter")
		s.sees("Theme", "high-contrast")
		s.press("down")
		s.press("enter")
		if s.m.env.Styles.Theme.Name != "high-contrast" {
			t.Errorf("the theme is %s", s.m.env.Styles.Theme.Name)
		}
		s.fits()
	})
}

func TestARecordedJournalIsTheSameScreenWithoutSending(t *testing.T) {
	log := wire.NewLog(wire.LogOptions{})
	entries, err := wire.ParseScript(opening + lists + ask + wrongAnswer)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		log.Append(e)
	}
	m, err := New(t.Context(), Options{Log: log, Title: "run.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	m.Update(m.pull()())
	s := &story{t: t, m: m}
	s.sees("journal run.jsonl", "recorded", "tools/call get_weather", "output invalid", "2 Tools 2", "◷ 4:32") // as it was at its end
	if d := m.interval(); d != 0 {
		t.Errorf("a recorded journal wakes up every %v", d)
	}
	for _, k := range []string{"r", "2", "ctrl+s", "ctrl+r"} {
		m.Update(keyMsg(t, k))
	}
	s.sees("recorded journal")
}

func TestErrorsThatLeaveNoTraceOnTheWireAreSaid(t *testing.T) {
	tell(t, 120, 36, opening+lists, func(s *story) {
		s.fake.answer = func(string) (session.Answer, error) {
			return session.Answer{}, &session.NotConnected{Text: "the process \x1bended"}
		}
		s.press("3", "enter")
		s.sees("not connected: the process ␛ended — ctrl+r connects")
		s.fake.answer = func(string) (session.Answer, error) { return session.Answer{}, errors.New("disk on fire") }
		s.press("enter")
		s.sees("disk on fire")
		s.fake.answer = func(string) (session.Answer, error) { return session.Answer{}, &session.NoReply{Text: "timed out"} }
		s.press("enter")
		s.seesNot("timed out", "disk on fire") // that is an exchange
	})
}

func TestCopyGivesTheTextAsItWas(t *testing.T) {
	tell(t, 120, 36, opening+lists+ask+wrongAnswer, func(s *story) {
		s.m.setFocus(atResult)
		s.press("j", "j")
		s.press("y")
		if got := s.copied("y"); got != `"2.0"` {
			t.Errorf("copied %s", got)
		}
		s.press("esc")
		r := kit.Find(s.m.rows(), "Y")
		if c, ok := r.Do().(kit.Copy); !ok || c.Text != "/jsonrpc" {
			t.Errorf("copied %+v", c)
		}
	})
}

func TestTheMouse(t *testing.T) {
	tell(t, 120, 36, opening+lists+ask+wrongAnswer, func(s *story) {
		click := func(text string, dx int) {
			t.Helper()
			for y, line := range strings.Split(s.screen(), "\n") {
				if i := strings.Index(line, text); i >= 0 {
					x := kit.Width(line[:i]) + dx
					s.send(tea.MouseClickMsg{X: x, Y: y, Button: tea.MouseLeft})
					s.send(tea.MouseReleaseMsg{X: x, Y: y, Button: tea.MouseLeft})
					s.settle()
					return
				}
			}
			t.Fatalf("%q is not there to be clicked:\n%s", text, s.screen())
		}
		click("erase", 0)
		s.sees("▸ erase")
		click("Schema", 1)
		s.sees(`"inputSchema"`)
		click("a  ", 0)
		click("4 Prompts", 0)
		if s.m.driver != atPrompts {
			t.Error("a click on a title does not go to its panel")
		}
		s.m.View()
		x := s.m.lay.divider
		s.send(tea.MouseClickMsg{X: x, Y: 10, Button: tea.MouseLeft})
		s.send(tea.MouseMotionMsg{X: x + 12, Y: 10, Button: tea.MouseLeft})
		s.send(tea.MouseReleaseMsg{X: x + 12, Y: 10})
		s.m.View()
		if s.m.lay.divider != x+12 {
			t.Errorf("the divider is at %d, not at %d", s.m.lay.divider, x+12)
		}
		s.fits()
	})
}
