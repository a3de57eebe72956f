package app

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// specialKeys are the keys whose names are words.
var specialKeys = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft,
	"right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "delete": tea.KeyDelete,
	"backspace": tea.KeyBackspace, "space": tea.KeySpace, "f1": tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f10": tea.KeyF10, "f6": tea.KeyF6, "f7": tea.KeyF7,
	"f8": tea.KeyF8, "f9": tea.KeyF9,
}

// pressOf is the press of a key by its name in a row: what a press on the key's name in the last line stands for.
func pressOf(name string) tea.KeyPressMsg {
	var k tea.KeyPressMsg
	rest := name
	for _, mod := range []struct {
		name string
		mod  tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}} {
		if r, ok := strings.CutPrefix(rest, mod.name); ok && r != "" {
			k.Mod, rest = k.Mod|mod.mod, r
		}
	}
	code, special := specialKeys[rest]
	switch {
	case rest == "space":
		k.Code, k.Text = code, " "
	case special:
		k.Code = code
	default:
		k.Code = []rune(rest)[0]
		if k.Mod == 0 {
			k.Text = rest
		}
	}
	return k
}
