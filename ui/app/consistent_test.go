package app

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcploupe/ui/kit"
)

// What a key means wherever it means something: the words under which it is known. A row with other words under the same key is a
// second meaning, and has to be listed below with its reason, or get another key. A * stands for the rest of the words.
var meanings = map[string][]string{
	"down j":               {"down", "choice below", "field below"},
	"up k":                 {"up", "choice above", "field above"},
	"g home":               {"first", "first field", "first line"},
	"G end":                {"last", "last row", "last line"},
	"pgdown":               {"half a page down", "page down"},
	"pgup":                 {"half a page up", "page up"},
	"right l":              {"columns to the right", "open", "show all places", "unfold, or go inside"},
	"left h":               {"columns to the left", "close, or go to what is around", "fold, or go to what is around", "hide the places"},
	"/":                    {"filter", "find a field", "search*"},
	"n":                    {"next hit", "next change", "next part", "next problem"},
	"N":                    {"previous hit", "change before", "part before"},
	"enter":                {"begin", "copy it", "go there", "its exchange", "open", "read", "show", "show it in the response", "show its exchange", "subscribe", "take it", "this one", "type", "quit", "send", "do it", "choose", "tick", "add"},
	"esc":                  {"back", "close", "end search", "keep the old one", "stay", "drop filter"},
	"space":                {"choose", "fold", "mark", "open", "places", "this one", "unmark"},
	"y":                    {"answer", "copy", "copy line", "copy name", "copy rule name", "copy the difference", "copy…", "copy URI"},
	"Y":                    {"copy all", "copy definition", "copy path"},
	"r":                    {"ask again", "refresh", "send again"},
	"R":                    {"read past the cache", "refetch past the cache"},
	"c":                    {"cancel", "end the task"},
	"d":                    {"compare with the one before", "the response", "what changed"},
	"ctrl+s":               {"read", "send", "subscribe", "get"},
	"f9":                   {"lesson away", "lesson back"},
	"q":                    {"close", "quit", "keep the old one"},
	"i":                    {"explain*", "what this *"},
	"x":                    {"as hex", "bytes in hex", "leave out", "end"},
	"f":                    {"follow", "follow: only it and what came for it", "show all exchanges"},
	"ctrl+u":               {"half a page up"},
	"ctrl+d":               {"half a page down"},
	"ctrl+right ctrl+left": nil,
}

// second meanings, by "key words", and why they are.
var secondMeanings = map[string]string{
	"M drop all marks":                       "marks are of the exchanges, muting of the findings: neither list has the other's",
	"M show muted":                           "as m, which mutes",
	"N null":                                 "in a form there are no hits to go back to; null is written so",
	"a add":                                  "the list of servers: adds one",
	"a answer":                               "a question of the server is answered by it wherever it is on the screen",
	"a ask again by itself whenever it ends": "subscriptions: always",
	"a ask for level":                        "the log: asks the server",
	"a clear":                                "a form has nothing to answer",
	"c curl":                                 "the menu of copying: its keys are the first letters of what is copied",
	"e exchange: request and answer in one JSON": "the menu of copying",
	"e edit and send again":                      "what was sent",
	"e empty":                                    "in a form: the empty value, beside N for null and x for none",
	"m mcploupe command":                         "the menu of copying",
	"m mute the rule":                            "findings",
	"r request":                                  "the menu of copying",
	"r rename":                                   "in a form: a member whose name a person gave",
	"ctrl+y copy all":                            "Y copies the path where there is one",
	"ctrl+y redo":                                "in an editor, as in others",
	"ctrl+z to the background":                   "as every program in a terminal",
	"ctrl+z undo":                                "in an editor, which ctrl+z would otherwise leave",
	"l level":                                    "the log's rows have no inside to go to",
	"n new":                                      "subscriptions: nothing is searched there",
	"n stay":                                     "no, to a question",
	"y quit":                                     "yes, to a question",
	"f what this field is":                       "in a form there is nothing to follow",
	"o by rule":                                  "order, in the findings",
	"t as text":                                  "the next form of a content",
	"t kind":                                     "the next form of a field",
	"o open #n":                                  "the exchange that this one was made from",
	"enter open #n":                              "the exchange that this one was made from",
	"u type an address":                          "subscriptions: a URI",
	"u undo":                                     "a form",
	"w watch":                                    "a resource",
	"w wrap long lines":                          "a document",
	"x swap":                                     "a comparison has nothing to leave out",
	"z fold to depth":                            "a document folds",
	"z show what stayed":                         "a comparison folds what stayed",
}

// number is the number of an exchange in the words of a row.
var number = regexp.MustCompile(`#[0-9]+`)

// Words that stand for different keys, and why.
var wordsWithTwoKeys = map[string]string{
	"copy all": "Y in the log; a document has a path for that, and ctrl+y",
	"open":     "→ opens a part where enter is for something else",
	"quit":     "enter, in the question whether to quit",
}

// The same key means the same wherever it means something, and the same word has the same key.
func TestKeysMeanTheSameEverywhere(t *testing.T) {
	family := map[string][]string{}
	for keys, words := range meanings {
		for _, k := range strings.Fields(keys) {
			family[k] = words
		}
	}
	first := map[string]map[string]bool{} // by words
	uses := map[string]map[string]string{}
	contexts(t, func(s *story, name string) {
		if s.m.listener().Typing() {
			return // the same rows with fewer keys
		}
		for _, r := range s.m.rows() {
			for i, k := range r.Keys {
				if i == 0 {
					if first[r.Words] == nil {
						first[r.Words] = map[string]bool{}
					}
					first[r.Words][k] = true
				}
				if uses[k] == nil {
					uses[k] = map[string]string{}
				}
				uses[k][r.Words] = name
			}
		}
	})
	for k, words := range uses {
		if len(words) < 2 {
			continue
		}
		for w, where := range words {
			known := slices.ContainsFunc(family[k], func(one string) bool {
				start, open := strings.CutSuffix(one, "*")
				return one == w || open && strings.HasPrefix(w, start)
			})
			if !known && secondMeanings[k+" "+number.ReplaceAllString(w, "#n")] == "" {
				others := []string{}
				for o := range words {
					if o != w {
						others = append(others, o)
					}
				}
				t.Errorf("%s means %q (%s), and elsewhere %q", k, w, where, others)
			}
		}
	}
	for w, keys := range first {
		if len(keys) > 1 && wordsWithTwoKeys[w] == "" {
			t.Errorf("%q has the keys %v", w, keys)
		}
	}
	if len(uses) < 60 {
		t.Errorf("only %d keys were looked at", len(uses))
	}
}

// The palette holds every row of what it was opened over, those that move and those that have no key while somebody types too.
func TestThePaletteHoldsEveryRow(t *testing.T) {
	looked := 0
	contexts(t, func(s *story, name string) {
		if name == "palette" {
			return
		}
		rows := append(s.m.listener().Rows(), s.m.global()...)
		if len(s.m.overs) > 0 {
			rows = append(s.m.listener().Rows(), s.m.overlayRows()...)
		}
		s.m.openPalette("")
		src := s.m.overs[len(s.m.overs)-1].pane.(*palette).src
		for _, r := range rows {
			if r.Do == nil || r.Words == "" || r.Words == "commands" {
				continue
			}
			looked++
			if !slices.ContainsFunc(src.rows, func(p kit.Row) bool { return p.Words == r.Words }) {
				hidden := slices.ContainsFunc(s.m.listener().Rows(), func(p kit.Row) bool { return len(r.Keys) > 0 && slices.Contains(p.Keys, r.Keys[0]) })
				t.Errorf("%s: %v %q is not in the palette (hidden by another: %v)", name, r.Keys, r.Words, hidden)
			}
		}
	})
	if looked < 1000 {
		t.Errorf("only %d rows were looked at", looked)
	}
}

// Commands are reached from windows and while somebody types.
func TestThePaletteOpensFromEverywhere(t *testing.T) {
	tell(t, 120, 36, opening+lists+ask+wrongAnswer, func(s *story) {
		s.press("!", ":")
		s.typed("by rule")
		s.press("enter")
		s.sees("Findings by rule")
		s.press("esc", "2", "g", "enter", "f10")
		s.sees("Commands")
		s.typed("schema")
		s.press("esc", "esc", "f1")
		s.sees("what works now")
	})
}
