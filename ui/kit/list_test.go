package kit

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"mcploupe/themes"
)

// rowsOf is a source that counts what it is asked for.
type rowsOf struct {
	names   []string
	version int
	drawn   map[int]int
}

func (r *rowsOf) Len() int          { return len(r.names) }
func (r *rowsOf) Version() int      { return r.version }
func (r *rowsOf) Key(i int) string  { return r.names[i] }
func (r *rowsOf) Text(i int) string { return r.names[i] }
func (r *rowsOf) Line(i, w int, _ []int) string {
	r.drawn[i]++
	return r.names[i]
}

func many(n int) *rowsOf {
	r := &rowsOf{drawn: map[int]int{}}
	for i := range n {
		r.names = append(r.names, fmt.Sprintf("tool_%d", i))
	}
	return r
}

func testEnv() *Env { return &Env{Styles: themes.Plain(), Now: time.Now} }

func selected(l *List, r *rowsOf) string {
	if i := l.Selected(); i >= 0 {
		return r.names[i]
	}
	return ""
}

func TestOnlyRowsInViewAreDrawn(t *testing.T) {
	r := many(10_000)
	l := NewList(testEnv(), r)
	l.Draw(40, 10, true)
	l.End()
	lines := l.Draw(40, 10, true)
	if len(r.drawn) > 20 {
		t.Errorf("%d rows were drawn for two screens of 10", len(r.drawn))
	}
	if len(lines) != 10 || !strings.Contains(lines[9], "▸ tool_9999") {
		t.Errorf("the end shows %q", lines)
	}
	if got := l.Scroll(); got != (Scroll{9990, 10, 10_000}) {
		t.Errorf("scroll is %+v", got)
	}
}

func TestTheCursorStaysOnItsRowWhenRowsMove(t *testing.T) {
	r := many(20)
	l := NewList(testEnv(), r)
	l.Draw(40, 5, true)
	l.Move(7)
	r.names = append([]string{"new_a", "new_b"}, r.names...)
	r.version++
	if got := selected(l, r); got != "tool_7" {
		t.Errorf("after two rows came in front the cursor is on %s", got)
	}
	r.names = r.names[:5]
	r.version++
	if got := selected(l, r); got != "tool_2" {
		t.Errorf("its row is gone and the list shorter: the cursor is on %q, want the last", got)
	}
	r.names = nil
	r.version++
	if l.Selected() != -1 {
		t.Error("an empty list has something selected")
	}
	l.Move(1)
	l.Page(0.5)
	l.Draw(10, 3, true)
}

func TestFollowingStopsWhenOneLooksBack(t *testing.T) {
	r := many(3)
	l := NewList(testEnv(), r)
	l.Follow = true
	l.Draw(40, 5, true)
	add := func(name string) { r.names = append(r.names, name); r.version++ }
	add("a")
	if got := selected(l, r); got != "a" {
		t.Errorf("the cursor is on %s, not at the end", got)
	}
	l.Move(-1)
	add("b")
	if got := selected(l, r); got != "tool_2" {
		t.Errorf("somebody looks back, and the cursor went to %s", got)
	}
	l.End()
	add("c")
	if got := selected(l, r); got != "c" {
		t.Errorf("back at the end it does not follow: %s", got)
	}
}

func TestFilter(t *testing.T) {
	r := &rowsOf{names: []string{"get_weather", "wide_eat", "Weather_map", "other"}, drawn: map[int]int{}}
	l := NewList(testEnv(), r)
	l.OpenFilter()
	for _, c := range "wea" {
		l.Text(tea.KeyPressMsg{Code: c, Text: string(c)})
	}
	var got []string
	for i := range l.Len() {
		got = append(got, r.names[l.row(i)])
	}
	if want := "get_weather Weather_map wide_eat"; strings.Join(got, " ") != want {
		t.Errorf("found %v, want %s", got, want)
	}
	lines := l.Draw(40, 5, true)
	if !strings.HasPrefix(lines[0], "/wea") || !strings.Contains(lines[0], "3 of 4") {
		t.Errorf("the filter line is %q", lines[0])
	}
	l.Move(1)
	l.Text(tea.KeyPressMsg{Code: tea.KeyEscape})
	if got := selected(l, r); got != "Weather_map" || l.Len() != 4 {
		t.Errorf("after the filter is dropped %s is selected of %d", got, l.Len())
	}
	if !l.Select("other") || selected(l, r) != "other" || l.Select("nobody") {
		t.Error("Select finds the wrong row")
	}
}

func TestMatchedMarksBytes(t *testing.T) {
	e := testEnv()
	for _, match := range [][]int{nil, {0}, {0, 1, 2}, {1, 3}, {4}, {99}} {
		if got := e.Matched("aéb日", match, &e.Styles.Text); got != "aéb日" {
			t.Errorf("%v: the text became %q", match, got)
		}
	}
}

func TestClicksAndWheel(t *testing.T) {
	r := many(50)
	l := NewList(testEnv(), r)
	l.Draw(40, 10, true)
	l.Wheel(3)
	if selected(l, r) != "tool_0" {
		t.Error("the wheel moves the cursor")
	}
	l.Draw(40, 10, true)
	if ok := l.ClickAt(2); !ok || selected(l, r) != "tool_5" {
		t.Errorf("a click on the third row selects %s", selected(l, r))
	}
	if ok := l.ClickAt(30); ok {
		t.Error("a click below the rows selects one")
	}
}
